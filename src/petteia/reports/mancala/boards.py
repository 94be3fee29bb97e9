"""The exact regret of players in exhaustively searched endings."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np

from petteia.arena.known_positions import Ending, Endings, find_endings
from petteia.arena.regret import Regret, regret_in
from petteia.games.kalah import Kalah, Position, stones
from petteia.render.html import Html
from petteia.reports.engine.cells import unfolding
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.tables import Row
from petteia.reports.mancala.plan import BASIC, DEPTHS, OWN, text_of

ENDINGS, ENDING, SEED = 400, 12, 1
"""The number of searched endings, the maximum number of stones in the pits of an ending, and the seed."""


def regrets(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each player: its share of perfect moves, its mean regret, and its share of lost results."""
    agents = [evidence.work.place_of(each) for each in evidence.trainings(OWN)]
    theta = {
        f"theta{depth}": [f"theta:agent=({agent}),depth={depth},weights=last" for agent in agents] for depth in DEPTHS
    }
    for name, texts in ({name: [text_of(name)] for name in BASIC} | theta).items():
        yield [name, *row([regret(evidence, text) for text in texts])]


def row(seeds: Sequence[Regret]) -> tuple[str, Html, str]:
    """Return a player's table cells, as means over its seeds: perfect moves, mean regret, and lost results."""
    perfect, mean, spoiled = np.mean(
        [(each.perfect_share, each.mean, each.results_lost / each.positions) for each in seeds], axis=0
    )
    means = [each.mean for each in seeds]
    low, high = (min(means), max(means)) if len(means) > 1 else (seeds[0].low, seeds[0].high)
    return f"{perfect:.1%}", unfolding(f"{mean:.3f}", [f"{low:.3f} to {high:.3f}"]), f"{spoiled:.1%}"


@kept
def regret(evidence: Evidence, player: str) -> Regret:
    """Return the regret of a player in endings."""
    return regret_in(endings(evidence), evidence.player(player), name=player)


@kept
def endings_found(evidence: Evidence, number: int) -> list[tuple[Position, list[tuple[int, float]]]]:
    """Find endings in random games, and return each with the exact values of its moves."""

    def advance(done: int) -> None:
        evidence.work.on_progress(done, number, "endings searched")

    found = find_endings(evidence.rules, number, is_ending, SEED, advance=advance).endings
    return [(Position(*map(int, each.state)), [*each.values.items()]) for each in found]


@functools.cache
def endings(evidence: Evidence) -> Endings:
    """Return the endings in which regret is measured."""
    return Endings(evidence.rules, [Ending(state, dict(values)) for state, values in endings_found(evidence, ENDINGS)])


def is_ending(rules: Kalah, state: Position) -> bool:
    """Return whether a position has few enough stones in the pits for an exhaustive search."""
    return stones(state.south) + stones(state.north) <= ENDING
