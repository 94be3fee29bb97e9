"""What the report has left open, and exact regret: everything that only the scale `all` has.

`questions` compares variants of learning, `course` and `duels` look at trainings and their players, `behaviour` at
games; `petteia.analysis` asks why weights swing, searches for weights without learning, and holds players against the
truth. Here they are put to work on the learned players of the page. Whatever takes long is kept as it is computed.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from petteia.analysis.direct_search import DirectSearch, direct_search
from petteia.analysis.settling import Settling, settling, swings
from petteia.arena.known_positions import Ending, Endings, SolvedPositions, find_endings, solved_positions
from petteia.arena.regret import Regret, regret_in
from petteia.arena.statistics import Interval
from petteia.core.names import format_game
from petteia.core.protocol import Rules, initial
from petteia.experiments.options import EvaluationGames
from petteia.experiments.results import ExperimentResult
from petteia.experiments.training import Training, resume, train
from petteia.features.feature_sets import feature_set_for
from petteia.features.linear import linear, weighted_sum
from petteia.games import game
from petteia.games.kalah import Kalah, Position, stones
from petteia.learn.cross_entropy import Generation
from petteia.learn.learners import LinearLearner
from petteia.learn.schedules import schedule
from petteia.learned.linear_file import load_linear
from petteia.players import player
from petteia.records.description import DESCRIPTION
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.work import KEPT
from petteia.reports.mancala import ablation, behaviour, course, duels, questions
from petteia.reports.mancala.ablation import Without
from petteia.reports.mancala.duels import Duel
from petteia.reports.mancala.plan import DEPTHS, GREEDY, OWN
from petteia.reports.mancala.questions import (
    FEATURES,
    LOWER_EXPLORED,
    OPPONENTS,
    QUESTIONS,
    STARTER,
    STEPS,
    TRACES,
    Compared,
)
from petteia.reports.mancala.weight_measures import away
from petteia.solver.files import load, save
from petteia.solver.tablebase import build, find_known

SMALL = ((4, 3), (4, 4))
"""pits and seeds of the boards that are solved"""
SAMPLE, ENDINGS, SMALL_GAMES = 20_000, 400, 100_000
ENDING = 12
"""stones that an ending has in the pits at most"""
SOLVING = 6 << 30
"""bytes that solving a small board may use"""
FEATURES_SEARCHED, MET = "report", "greedy:depth=1"
"""what weights are searched for, and who is to be beaten"""
GENERATIONS = 3100
LOOKED_AT, TREATED, WATCHED = 400, 300, 2000
"""games whose positions are looked at, that are watched for how opponents are treated, and for chains of turns"""
SEED = 1
SEED_WORD = ", seed "


KEPT_SEARCH = tuple[list[float], Interval, Interval, int, int, list[float]]
"""the fields of what a search has found, as it is kept"""


class KeptGeneration(NamedTuple):
    """A `Generation`, as it is kept."""

    mean: list[float]
    """the mean around which the next one is drawn"""
    deviation: list[float]
    """the standard deviation of each weight around it"""
    best: float
    """the best score in it"""
    elite: float
    """the mean score of its elite"""


class Step(NamedTuple):
    """How far weights swing at the end with a step size."""

    alpha: str
    """the schedule"""
    size: float
    """in the mean over the last quarter of the games"""
    swing: list[float]
    """of a weight in that quarter, in the mean, for each seed"""


class Board(NamedTuple):
    """What is known about a board, and the players judged on it."""

    name: str
    about: str
    judged: list[Regret]


class Beyond(NamedTuple):
    """All that was found."""

    experiments: dict[str, ExperimentResult]
    compared: dict[str, list[Compared]]
    settling: Settling
    nearness: dict[str, list[float]]
    """how far the weights of each seed, by each reading of the training, are from R's, in units of R's length"""
    steps: list[Step]
    course: course.Course
    duels: list[Duel]
    treatment: list[behaviour.Shares]
    """how theta5 of each seed treats greedy5"""
    by_chance: behaviour.Shares
    """how random treats it"""
    enough: dict[str, list[int]]
    """with each opponent in training, for each seed: games after which its score stays near that at its end"""
    without: dict[str, list[Without]]
    """what the players of the seeds come to without a weight that swings, by how it is changed, and by the weight"""
    watched: behaviour.Course
    """games of the heuristic against random"""
    direct: DirectSearch
    boards: list[Board]


def gather(evidence: Evidence) -> Beyond:
    """Ask all questions, of the trainings of the page and in their folder. Work that is done is not done again."""
    rules, experiments = evidence.rules, {name: evidence.experiments[name] for name in QUESTIONS}
    played = duels.play(evidence)
    compared = {
        name: questions.compare(result, ("no traces", experiments[FEATURES]) if name == TRACES else None)
        for name, result in experiments.items()
    }
    compared[LOWER_EXPLORED] += _as_second(played)
    return Beyond(
        experiments,
        compared,
        _settling(evidence),
        _nearness(experiments[STARTER], rules),
        _steps(experiments[STEPS], rules),
        course.look(evidence),
        played,
        *_treatment(evidence),
        _enough(experiments[OPPONENTS]),
        ablation.look(evidence, _known_endings(evidence)),
        _watched(evidence),
        _direct(evidence),
        [*(_small_board(evidence, *size) for size in SMALL), _endings(evidence)],
    )


def _settling(evidence: Evidence) -> Settling:
    runs = {evidence.work.place_of(each): each.run.path for each in evidence.trainings(OWN)}
    arguments = {"agents": [*runs], "games": LOOKED_AT, "seed": SEED}

    def compute() -> Settling:
        return settling(*runs.values(), games=LOOKED_AT, seed=SEED)

    settled: Settling = evidence.work.kept("settling", arguments, compute, Settling)
    return settled


def _treatment(evidence: Evidence) -> tuple[list[behaviour.Shares], behaviour.Shares]:
    """How theta5 of each seed treats greedy5, and how random does."""
    rules = evidence.rules
    runs = {f"{evidence.work.place_of(each)}, {TREATED} games": each for each in evidence.trainings(OWN)}
    by_chance = f"random, {TREATED} games"

    def watch(key: str) -> behaviour.Shares:
        if key == by_chance:
            return behaviour.treatment_of(rules, "random", "greedy:depth=5", TREATED, SEED)
        learned, subject = evidence.learned(runs[key]), f"theta:agent=({runs[key].run.path}),depth=5"
        value = partial(weighted_sum, linear(rules, feature_set_for(rules, "report"), learned.weights), rules)
        return behaviour.treatment_of(rules, subject, "greedy:depth=5", TREATED, SEED, value)

    *learned, random = evidence.work.kept_rows("treatment", [*runs, by_chance], watch, "players watched").values()
    return learned, random


def _enough(result: ExperimentResult) -> dict[str, list[int]]:
    """Games until the score of each seed stays near its end, with each opponent in training."""
    return {
        questions.variant_of(cell): [course.enough(each) for each in cell.trainings]
        for cell in result.cells
        if cell.side == 0
    }


def _watched(evidence: Evidence) -> behaviour.Course:
    def compute() -> behaviour.Course:
        return behaviour.course(evidence.rules, "heuristic", "random", WATCHED, SEED)

    arguments = {"games": WATCHED, "seed": SEED}
    seen: behaviour.Course = evidence.work.kept("chains", arguments, compute, behaviour.Course)
    return seen


def _direct(evidence: Evidence) -> DirectSearch:
    """Search on from the generations that are known."""
    work, start = evidence.work, evidence.learned(evidence.trainings(OWN)[0]).weights
    arguments = {"generations": GENERATIONS, "seed": SEED, "weights": start.tolist()}
    journal, steps = work.steps("generations", arguments, KeptGeneration)
    known = [Generation(np.array(each.mean), np.array(each.deviation), each.best, each.elite) for each in steps]
    done = itertools.count(len(known) + 1)

    def progress(each: Generation) -> None:
        journal.append([each._asdict() | {"mean": each.mean.tolist(), "deviation": each.deviation.tolist()}])
        work.on_progress(next(done), GENERATIONS, "direct search for weights, generations")

    def compute() -> Any:
        searched = direct_search(
            *(evidence.rules, FEATURES_SEARCHED),
            opponent=MET,
            generations=GENERATIONS,
            weights=start,
            seed=SEED,
            jobs=work.jobs,
            done=known,
            progress=progress,
        )
        return searched._replace(weights=searched.weights.tolist())

    weights, *rest = work.kept("direct-search", arguments, compute, KEPT_SEARCH)
    return DirectSearch(np.array(weights), *rest)


def _as_second(played: Sequence[Duel]) -> list[Compared]:
    """The learners that are always lower, in the seat in which they never learned."""
    compared = []
    for name in duels.LOWER_MEETS:
        chosen = duels.of(played, duels.LOWER, opponent=GREEDY[name])
        variants = dict.fromkeys(each.variant for each in chosen)
        scores = {variant: duels.by_seed(duels.of(chosen, duels.LOWER, variant=variant)) for variant in variants}
        compared += questions.beside_first(scores, name, "second")
    return compared


def _nearness(result: ExperimentResult, rules: Rules) -> dict[str, list[float]]:
    """How far the last weights are from the report's, with each variant."""
    return {
        questions.variant_of(cell): [
            float(away(load_linear(each.run.weights, rules).weights)) for each in cell.trainings
        ]
        for cell in result.cells
        if cell.side == 0
    }


def _steps(result: ExperimentResult, rules: Rules) -> list[Step]:
    """How far the weights swing over the last quarter of the games, in the mean, with each step size."""
    steps = []
    for cell in result.cells:
        if cell.side == 0:
            alpha, games = str(cell.combination.values["alpha"]), cell.trainings[0].configuration.games
            last = games // 4
            swung = [float(swings(load_linear(each.run.weights, rules), last).mean()) for each in cell.trainings]
            steps.append(Step(alpha, float(schedule(alpha, "alpha").over(games - last, last, games).mean()), swung))
    return steps


def _players(agents: Sequence[str]) -> dict[str, str]:
    """The text forms of the players whose regret is measured, by what they are called."""
    theta = {
        f"theta{depth}{SEED_WORD}{number}": f"theta:agent=({agent}),depth={depth},weights=last"
        for number, agent in enumerate(agents, 1)
        for depth in DEPTHS
    }
    return {"random": "random", "heuristic": "heuristic", **GREEDY, **theta}


def _small_board(evidence: Evidence, pits: int, seeds_a_pit: int) -> Board:
    work, rules = evidence.work, game(f"kalah:pits={pits},seeds={seeds_a_pit},leftovers=nobody")
    name, seeds = f"kalah-{pits}-{seeds_a_pit}", evidence.seeds
    agents = [str(_small_training(evidence, rules, seed).run.path) for seed in range(1, seeds + 1)]
    players = _players(agents)

    @functools.cache
    def solved() -> SolvedPositions:
        work.on_progress(0, 1, f"solving {format_game(rules)}")
        path = work.folder / KEPT / f"{name}.tablebase"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            save(path, rules, build(rules, initial(rules), memory=SOLVING))
        table = load(path, rules, memory=SOLVING)
        return solved_positions(rules, initial(rules), table, sample=SAMPLE, seed=SEED, memory=SOLVING)

    def judge(key: str) -> Any:
        return regret_in(solved(), player(players[key], rules), name=key, over="reachable")

    def about() -> Any:
        known = solved()
        value = known.table.values[find_known(rules, known.table, known.start)].item()
        return {"positions": known.total, "value": value, "sample": sum(map(len, known.states))}

    facts = work.kept(name, {"sample": SAMPLE, "seed": SEED}, about, dict[Literal["positions", "value", "sample"], int])
    kept = work.kept_rows(f"{name}-regret", players, judge, f"regret on {format_game(rules)}", Regret)
    best = (
        f"South wins by {facts['value']} with best play"
        if facts["value"] > 0
        else f"best play ends {facts['value']:+d} for South"
    )
    words = f"{facts['positions']:,} positions; {best}. A sample of {facts['sample']:,} positions"
    return Board(f"Kalah({pits}, {seeds_a_pit})", words, [*kept.values()])


def _small_training(evidence: Evidence, rules: Rules, seed: int) -> Training:
    """A training on a small board, or the rest of it if it has been begun."""
    name = f"{format_game(rules).split(',leftovers')[0].replace(':', '-').replace(',', '-').replace('=', '')}-{seed}"
    place = evidence.work.folder / "small-boards"
    if (place / name / DESCRIPTION).exists():
        return resume(place / name)
    return train(
        rules,
        LinearLearner("report", "q", alpha="0.01..0.0001", epsilon="0.2..0.02", knows_ends=False),
        side="both",
        games=SMALL_GAMES,
        evaluation=EvaluationGames(every=SMALL_GAMES // 10, games=500),
        seed=seed,
        runs=place,
        name=name,
    )


def _known_endings(evidence: Evidence) -> Callable[[], Endings]:
    """Endings that are searched to their ends once they are wanted."""
    rules, work = evidence.rules, evidence.work

    @functools.cache
    def endings() -> Endings:
        def compute() -> Any:
            def advance(done: int) -> None:
                work.on_progress(done, ENDINGS, "endings searched to their ends")

            found = find_endings(rules, ENDINGS, is_ending, SEED, advance=advance)
            return [[[*map(int, each.state)], [*each.values.items()]] for each in found.endings]

        arguments = {"endings": ENDINGS, "stones": ENDING, "seed": SEED}
        kept = work.kept("endings", arguments, compute, list[tuple[Position, list[tuple[int, float]]]])
        return Endings(rules, [Ending(state, dict(values)) for state, values in kept])

    return endings


def _endings(evidence: Evidence) -> Board:
    rules, work = evidence.rules, evidence.work
    players, endings = _players([str(each.run.path) for each in evidence.trainings(OWN)]), _known_endings(evidence)

    def judge(key: str) -> Any:
        return regret_in(endings(), player(players[key], rules), name=key)

    kept = work.kept_rows("endings-regret", players, judge, "regret in endings", Regret)
    about = f"{ENDINGS} endings of at most {ENDING} stones in the pits, from random games, searched to their ends"
    return Board("Kalah(6, 4), endings", about, [*kept.values()])


def is_ending(rules: Kalah, state: Position) -> bool:
    """Whether so few stones are left in the pits that a position can be searched to its ends."""
    return stones(state.south) + stones(state.north) <= ENDING
