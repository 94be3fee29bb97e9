"""The exact regret of players: on solved small boards, and in exhaustively searched endings of the large board.

The regret of a move is the number of points that the move loses compared with the best move.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from petteia.arena.known_positions import Ending, Endings, SolvedPositions, find_endings, solved_positions
from petteia.arena.regret import Regret, regret_in
from petteia.core.protocol import initial
from petteia.experiments.options import EvaluationGames
from petteia.experiments.training import Training, resume, train
from petteia.games import game as rules_of
from petteia.games.kalah import Kalah, Position, stones
from petteia.learn.learners import LinearLearner
from petteia.records.description import DESCRIPTION
from petteia.render.html import Html
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.tables import Row, unfolding
from petteia.reports.engine.work import KEPT
from petteia.reports.mancala.plan import BASIC, DEPTHS, OWN, text_of
from petteia.solver.files import load, save
from petteia.solver.tablebase import build, find_known

SMALL = {f"Kalah(4, {seeds})": f"kalah:pits=4,seeds={seeds},leftovers=nobody" for seeds in (3, 4)}
"""The rules of the solved boards, by name."""
LARGE = "Kalah(6, 4), endings"
SAMPLE, ENDINGS, SMALL_GAMES = 20_000, 400, 100_000
"""Numbers of sampled positions, of searched endings, and of training games on a small board."""
ENDING = 12
"""The maximum number of stones in the pits of an ending."""
SOLVING = 6 << 30
"""The memory limit of the solution of a small board, in bytes."""
SEED = 1


def judged(evidence: Evidence, game: str) -> Iterator[Row]:
    """Yield each player's share of perfect moves, mean regret, and share of moves that worsen the result.

    Each player has a row of the table.
    """
    learned = evidence.trainings(OWN) if game == LARGE else small_trainings(evidence, game)
    agents = [evidence.work.place_of(each) for each in learned]
    players = {name: [text_of(name)] for name in BASIC} | {
        f"theta{depth}": [f"theta:agent=({agent}),depth={depth},weights=last" for agent in agents] for depth in DEPTHS
    }
    for name, texts in players.items():
        yield [name, *row([regret(evidence, game, text) for text in texts])]


def row(seeds: Sequence[Regret]) -> tuple[str, Html, str]:
    """Return a player's share of perfect moves, mean regret, and share of moves that worsen the result, as table cells.

    `seeds` contains the player's regret for each training run. The table cells show means over all training runs.
    """
    perfect, mean, spoiled = np.mean(
        [(each.perfect_share, each.mean, each.results_lost / each.positions) for each in seeds], axis=0
    )
    means = [each.mean for each in seeds]
    low, high = (min(means), max(means)) if len(means) > 1 else (seeds[0].low, seeds[0].high)
    return f"{perfect:.1%}", unfolding(f"{mean:.3f}", [f"{low:.3f} to {high:.3f}"]), f"{spoiled:.1%}"


@kept
def regret(evidence: Evidence, game: str, player: str) -> Regret:
    """Measure the regret of a player's moves, in positions of a solved board or in endings of the large board.

    The result contains the mean regret, the share of perfect moves, and the number of moves that worsen the result.

    `game` is one of the solved small boards, or `LARGE` for the endings of the large board.
    """
    if game == LARGE:
        return regret_in(endings(evidence), evidence.player(player), name=player)
    return regret_in(solved(evidence, game), evidence.player(player, game), name=player, over="reachable")


@kept
def facts(evidence: Evidence, game: str, sample: int) -> tuple[int, int, int]:
    """Return the number of positions of a solved board, the value of the start position, and the size of the sample."""
    known = solved(evidence, game)
    value = known.table.values[find_known(known.rules, known.table, known.start)].item()
    return known.total, value, sum(map(len, known.states))


@functools.cache
def solved(evidence: Evidence, game: str) -> SolvedPositions:
    """Return the solution of a small board with a sample of its positions. The solution is cached on disk."""
    work, rules = evidence.work, rules_of(game)
    path, start = work.folder / KEPT / f"{slug(game)}.tablebase", initial(rules)
    if not path.exists():
        work.on_progress(0, 1, f"solving {game}")
        path.parent.mkdir(exist_ok=True)
        save(path, rules, build(rules, start, memory=SOLVING))
    table = load(path, rules, memory=SOLVING)
    return solved_positions(rules, start, table, sample=SAMPLE, seed=SEED, memory=SOLVING)


def small_trainings(evidence: Evidence, game: str) -> list[Training]:
    """Return a training run on a small board for each seed. Existing training runs are resumed."""
    learner = LinearLearner("report", "q", alpha="0.01..0.0001", epsilon="0.2..0.02", knows_ends=False)
    evaluation, runs = EvaluationGames(every=SMALL_GAMES // 10, games=500), evidence.work.folder / "small-boards"
    options: dict[str, Any] = {"side": "both", "games": SMALL_GAMES, "evaluation": evaluation, "runs": runs}
    named = {f"{slug(game)}-{seed}": seed for seed in range(1, evidence.seeds + 1)}
    return [
        resume(runs / name)
        if (runs / name / DESCRIPTION).exists()
        else train(game, learner, seed=seed, name=name, **options)
        for name, seed in named.items()
    ]


@kept
def endings_found(evidence: Evidence, number: int) -> list[tuple[Position, list[tuple[int, float]]]]:
    """Find endings in random games, and return each with the exact values of its moves."""

    def advance(done: int) -> None:
        evidence.work.on_progress(done, number, "endings searched")

    found = find_endings(evidence.rules, number, is_ending, SEED, advance=advance).endings
    return [(Position(*map(int, each.state)), [*each.values.items()]) for each in found]


@functools.cache
def endings(evidence: Evidence) -> Endings:
    """Return the endings of the large board in which regret is measured, with the exact values of their moves."""
    return Endings(evidence.rules, [Ending(state, dict(values)) for state, values in endings_found(evidence, ENDINGS)])


def slug(game: str) -> str:
    """Convert a game and its rules to a file name, with hyphens for special characters."""
    return re.sub(r"\W+", "-", game)


def is_ending(rules: Kalah, state: Position) -> bool:
    """Return whether a position has few enough stones in the pits for an exhaustive search."""
    return stones(state.south) + stones(state.north) <= ENDING
