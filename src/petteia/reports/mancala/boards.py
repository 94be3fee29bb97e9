"""Exact regret: on small boards that are solved, and in endings of the large one that are searched to their ends."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

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
from petteia.reports.engine.cells import unfolding
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.tables import Row
from petteia.reports.engine.work import KEPT
from petteia.reports.mancala.plan import BASIC, DEPTHS, OWN, text_of
from petteia.solver.files import load, save
from petteia.solver.tablebase import build, find_known

SMALL = {
    f"Kalah({pits}, {seeds})": f"kalah:pits={pits},seeds={seeds},leftovers=nobody" for pits, seeds in ((4, 3), (4, 4))
}
"""the boards that are solved: their rules, by name"""
LARGE = "Kalah(6, 4), endings"
SAMPLE, ENDINGS, SMALL_GAMES = 20_000, 400, 100_000
"""positions that are looked at, endings that are searched, and games that are learned from on a small board"""
ENDING = 12
"""stones that an ending has in the pits at most"""
SOLVING = 6 << 30
"""bytes that solving a small board may use"""
SEED = 1


def about(evidence: Evidence, board: str) -> str:
    """What is known of a board, in words."""
    if board == LARGE:
        return f"{ENDINGS} endings of at most {ENDING} stones in the pits, from random games, searched to their ends"
    positions, value, sample = facts(evidence, SMALL[board], SAMPLE)
    best = f"South wins by {value} with best play" if value > 0 else f"best play ends {value:+d} for South"
    return f"{positions:,} positions; {best}. A sample of {sample:,} positions"


def players(evidence: Evidence, board: str) -> dict[str, list[str]]:
    """The text forms of the players that are judged on a board: of theta one for each seed."""
    learned = evidence.trainings(OWN) if board == LARGE else small_trainings(evidence, SMALL[board])
    agents = [evidence.work.place_of(each) for each in learned]
    theta = {
        f"theta{depth}": [f"theta:agent=({agent}),depth={depth},weights=last" for agent in agents] for depth in DEPTHS
    }
    return {name: [text_of(name)] for name in BASIC} | theta


def judged(evidence: Evidence, board: str) -> Iterator[Row]:
    """A row for each player: perfect moves, mean regret, and results that it spoils."""
    for name, texts in players(evidence, board).items():
        yield [name, *row([regret(evidence, SMALL.get(board, LARGE), text) for text in texts])]


def row(seeds: Sequence[Regret]) -> tuple[str, Html, str]:
    """The figures of a player: means over its seeds, and the range of their mean regrets; of one its own interval."""
    perfect, mean, spoiled = np.mean(
        [(each.perfect_share, each.mean, each.results_lost / each.positions) for each in seeds], axis=0
    )
    means = [each.mean for each in seeds]
    low, high = (min(means), max(means)) if len(means) > 1 else (seeds[0].low, seeds[0].high)
    return f"{perfect:.1%}", unfolding(f"{mean:.3f}", [f"{low:.3f} to {high:.3f}"]), f"{spoiled:.1%}"


@kept
def regret(evidence: Evidence, game: str, player: str) -> Regret:
    """The regret of a player: by the rules of a small board, or in endings of the large one."""
    if game == LARGE:
        return regret_in(endings(evidence), evidence.player(player), name=player)
    return regret_in(solved(evidence, game), evidence.player(player, game), name=player, over="reachable")


@kept
def facts(evidence: Evidence, game: str, sample: int) -> tuple[int, int, int]:
    """Of a solved board: its positions, what the first is worth, and the positions of the sample."""
    known = solved(evidence, game)
    value = known.table.values[find_known(known.rules, known.table, known.start)].item()
    return known.total, value, sum(map(len, known.states))


@functools.cache
def solved(evidence: Evidence, game: str) -> SolvedPositions:
    """A small board, which is solved once, and a sample of its positions."""
    work, rules = evidence.work, rules_of(game)
    path, start = work.folder / KEPT / f"{slug(game)}.tablebase", initial(rules)
    if not path.exists():
        work.on_progress(0, 1, f"solving {game}")
        path.parent.mkdir(exist_ok=True)
        save(path, rules, build(rules, start, memory=SOLVING))
    table = load(path, rules, memory=SOLVING)
    return solved_positions(rules, start, table, sample=SAMPLE, seed=SEED, memory=SOLVING)


def small_trainings(evidence: Evidence, game: str) -> list[Training]:
    """A training for each seed on a small board, or the rest of it if it has been begun."""
    return [_small_training(evidence.work.folder / "small-boards", game, seed) for seed in range(1, evidence.seeds + 1)]


def _small_training(runs: Path, game: str, seed: int) -> Training:
    name = f"{slug(game)}-{seed}"
    if (runs / name / DESCRIPTION).exists():
        return resume(runs / name)
    return train(
        game,
        LinearLearner("report", "q", alpha="0.01..0.0001", epsilon="0.2..0.02", knows_ends=False),
        side="both",
        games=SMALL_GAMES,
        evaluation=EvaluationGames(every=SMALL_GAMES // 10, games=500),
        seed=seed,
        runs=runs,
        name=name,
    )


@kept
def endings_found(evidence: Evidence, number: int) -> list[tuple[Position, list[tuple[int, float]]]]:
    """So many endings from random games, and what each move in them is worth."""

    def advance(done: int) -> None:
        evidence.work.on_progress(done, number, "endings searched to their ends")

    found = find_endings(evidence.rules, number, is_ending, SEED, advance=advance).endings
    return [(Position(*map(int, each.state)), [*each.values.items()]) for each in found]


@functools.cache
def endings(evidence: Evidence) -> Endings:
    """The endings in which players are judged."""
    return Endings(evidence.rules, [Ending(state, dict(values)) for state, values in endings_found(evidence, ENDINGS)])


def slug(game: str) -> str:
    """The rules as the name of a file."""
    return re.sub(r"\W+", "-", game)


def is_ending(rules: Kalah, state: Position) -> bool:
    """Whether so few stones are left in the pits that a position can be searched to its ends."""
    return stones(state.south) + stones(state.north) <= ENDING
