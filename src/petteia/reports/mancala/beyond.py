"""What the report has left open, and exact regret: everything that only the scale `all` has.

`questions` compares variants of learning, `course` and `duels` look at trainings and their players, `behaviour` at
games; `petteia.analysis` asks why weights swing, searches for weights without learning, and holds players against the
truth. Here they are put to work on the learned players of the page, and their answers are written.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from petteia.analysis.direct_search import DirectSearch, direct_search
from petteia.analysis.endings import find_endings, judge_in_endings
from petteia.analysis.sampled_regret import SampledRegret, regret_in_sample, solve_and_sample
from petteia.analysis.settling import Settling, settling, swings
from petteia.arena.statistics import Interval, mean_interval
from petteia.core.protocol import Rules
from petteia.experiments.experiment import experiment
from petteia.experiments.results import ExperimentResult
from petteia.experiments.training import Training, resume, train
from petteia.games import format_game, game
from petteia.games.kalah import Kalah, Position, stones
from petteia.learn.cross_entropy import Generation
from petteia.learn.schedules import schedule
from petteia.policies.linear_file import load_linear
from petteia.records.runs import DESCRIPTION
from petteia.reports.mancala import behaviour, course, duels, questions
from petteia.reports.mancala.duels import Duel
from petteia.reports.mancala.evidence import DEPTHS, GREEDY, Evidence
from petteia.reports.mancala.matches import Tell
from petteia.reports.mancala.questions import LOWER_EXPLORED, QUESTIONS, STARTER, Compared
from petteia.reports.mancala.weight_judges import away

FEATURES, STEPS, TRACES = "mancala-features", "mancala-step-size", "mancala-traces"
"""experiments that are looked at more closely; the first variant of the first has the settings that most begin with"""
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
LOOKED_AT, TREATED = 400, 300
"""games whose positions are looked at, and games that are watched for how opponents are treated"""
SEED = 1
SEED_WORD = ", seed "


class Step(NamedTuple):
    """How far weights swing at the end with a step size."""

    alpha: str
    """the schedule"""
    size: float
    """in the mean over the last quarter of the games"""
    swing: Interval
    """of a weight in that quarter, in the mean, over the seeds"""


class Board(NamedTuple):
    """What is known about a board, and the players judged on it."""

    name: str
    about: str
    judged: list[SampledRegret]


class Beyond(NamedTuple):
    """All that was found."""

    experiments: dict[str, ExperimentResult]
    compared: dict[str, list[Compared]]
    settling: Settling
    nearness: dict[str, Interval]
    """how far weights learned by each reading of the training are from the report's, in units of the length of these"""
    steps: list[Step]
    course: course.Course
    duels: list[Duel]
    treatment: behaviour.Treatment
    direct: DirectSearch
    boards: list[Board]


def gather(evidence: Evidence, seeds: int | None, jobs: int, tell: Tell) -> Beyond:
    """Ask all questions, of the trainings of the page and in their folder. Work that is done is not done again."""
    folder, rules, trainings, scale = evidence.folder, evidence.rules, evidence.trainings(), evidence.scale
    found: dict[str, ExperimentResult] = {}
    for number, question in enumerate(QUESTIONS, 1):
        name = question.experiment

        def told(done: int, wanted: int, note: str, name: str = name, number: int = number) -> None:
            tell(done, wanted, f"{number} of {len(QUESTIONS)}: {name}, {note}")

        result = experiment(name, scale=scale, seeds=seeds, jobs=jobs, folder=folder, progress=told)
        assert isinstance(result, ExperimentResult)  # none of them is a tournament
        found[name] = result
    agents = [each.run.path for each in trainings]

    generations = itertools.count(1)

    def searched(generation: Generation) -> None:
        tell(next(generations), GENERATIONS, "direct search for weights, generations")

    bouts = [*duels.wanted(trainings, found[FEATURES], found[LOWER_EXPLORED])]
    played = duels.play(rules, bouts, jobs, tell)
    compared = {
        name: questions.compare(result, ("no traces", found[FEATURES]) if name == TRACES else None)
        for name, result in found.items()
    }
    compared[LOWER_EXPLORED] += _as_second(played)
    return Beyond(
        found,
        compared,
        settling(*agents, games=LOOKED_AT, seed=SEED),
        _nearness(found[STARTER], rules),
        _steps(found[STEPS], rules),
        course.look(evidence),
        played,
        behaviour.treatment(rules, f"theta:agent=({agents[0]}),depth=5", "greedy:depth=5", TREATED, SEED),
        direct_search(
            rules,
            FEATURES_SEARCHED,
            opponent=MET,
            generations=GENERATIONS,
            weights=evidence.learned(trainings[0]).weights,
            seed=SEED,
            jobs=jobs,
            progress=searched,
        ),
        [*_small_boards(folder, seeds or len(trainings), tell), _endings(rules, trainings, tell)],
    )


def _as_second(played: Sequence[Duel]) -> list[Compared]:
    """The learners that are always lower, in the seat in which they never learned."""
    found = []
    for name in duels.LOWER_MEETS:
        chosen = duels.of(played, duels.LOWER, opponent=GREEDY[name])
        variants = dict.fromkeys(each.variant for each in chosen)
        scores = {variant: duels.by_seed(duels.of(chosen, duels.LOWER, variant=variant)) for variant in variants}
        found += questions.beside_first(scores, name, "second")
    return found


def _nearness(result: ExperimentResult, rules: Rules) -> dict[str, Interval]:
    """How far the last weights are from the report's, with each variant."""
    return {
        questions.variant_of(cell): mean_interval(
            [float(away(load_linear(each.run.weights, rules).weights)) for each in cell.trainings]
        )
        for cell in result.cells
        if cell.side == 0
    }


def _steps(result: ExperimentResult, rules: Rules) -> list[Step]:
    """How far the weights swing over the last quarter of the games, in the mean, with each step size."""
    found = []
    for cell in result.cells:
        if cell.side == 0:
            alpha, games = str(cell.cell.values["alpha"]), cell.trainings[0].configuration.games
            last = games // 4
            swung = [float(swings(load_linear(each.run.weights, rules), last).mean()) for each in cell.trainings]
            size = float(schedule(alpha, "alpha").over(games - last, last, games).mean())
            found.append(Step(alpha, size, mean_interval(swung)))
    return found


def _names(agents: Sequence[str]) -> list[tuple[str, str]]:
    """What the players are called whose regret is measured, and their text forms."""
    baselines = [("random", "random"), ("heuristic", "heuristic")]
    greedy = [(f"greedy{depth}", f"greedy:depth={depth}") for depth in DEPTHS]
    theta = [
        (f"theta{depth}{SEED_WORD}{number}", f"theta:agent=({agent}),depth={depth},weights=last")
        for number, agent in enumerate(agents, 1)
        for depth in DEPTHS
    ]
    return [*baselines, *greedy, *theta]


def _small_boards(folder: Path, seeds: int, tell: Tell) -> list[Board]:
    boards = []
    for pits, seeds_a_pit in SMALL:
        rules = game(f"kalah:pits={pits},seeds={seeds_a_pit},leftovers=nobody")
        agents = [str(_small_training(folder, rules, seed).run.path) for seed in range(1, seeds + 1)]
        tell(0, 1, f"solving {format_game(rules)}")
        solved = solve_and_sample(rules, SAMPLE, SEED, memory=SOLVING)
        named = _names(agents)
        judged = []
        for number, (name, text) in enumerate(named, 1):
            judged.append(regret_in_sample(solved, text, name))
            tell(number, len(named), f"regret on {format_game(rules)}")
        about = (
            f"{solved.positions:,} positions; South wins by {solved.value} with best play"
            if solved.value > 0
            else f"{solved.positions:,} positions; best play ends {solved.value:+d} for South"
        )
        boards.append(
            Board(f"Kalah({pits}, {seeds_a_pit})", f"{about}. A sample of {len(solved.sample):,} positions", judged)
        )
    return boards


def _small_training(folder: Path, rules: Rules, seed: int) -> Training:
    """A training on a small board, or the rest of it if it has been begun."""
    name = f"{format_game(rules).split(',leftovers')[0].replace(':', '-').replace(',', '-').replace('=', '')}-{seed}"
    place = folder / "small-boards"
    if (place / name / DESCRIPTION).exists():
        return resume(place / name)
    return train(
        rules,
        features="report",
        learner="q",
        side="both",
        games=SMALL_GAMES,
        alpha="0.01..0.0001",
        epsilon="0.2..0.02",
        knows_ends=False,
        seed=seed,
        evaluate_every=SMALL_GAMES // 10,
        runs=place,
        name=name,
    )


def _endings(rules: Kalah, trainings: Sequence[Training], tell: Tell) -> Board:
    def told(done: int) -> None:
        tell(done, ENDINGS, "endings searched to their ends")

    found = find_endings(rules, ENDINGS, is_ending, SEED, advance=told)
    agents = [str(each.run.path) for each in trainings]
    judged = [judge_in_endings(rules, found, text, name) for name, text in _names(agents)]
    about = f"{ENDINGS} endings of at most {ENDING} stones in the pits, from random games, searched to their ends"
    return Board("Kalah(6, 4), endings", about, judged)


def is_ending(rules: Kalah, state: Position) -> bool:
    """Whether so few stones are left in the pits that a position can be searched to its ends."""
    return stones(state.south) + stones(state.north) <= ENDING
