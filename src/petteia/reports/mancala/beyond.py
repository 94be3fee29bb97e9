"""What the report has left open, and exact regret: everything that only the scale `all` has.

`questions` compares variants of learning, `settling` asks why weights swing, `direct` searches for weights without
learning, `behaviour` watches games, `exact` holds players against the truth; here they are put to work on the learned
players of the page, and their answers are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from petteia.arena.statistics import Interval, mean_interval
from petteia.core.protocol import Rules
from petteia.experiments.experiment import experiment
from petteia.experiments.results import ExperimentResult
from petteia.experiments.training import Training, resume, train
from petteia.features.feature_sets import feature_set_for
from petteia.games import format_game, game
from petteia.games.kalah import Kalah
from petteia.learn.schedules import schedule
from petteia.players import player
from petteia.policies.linear_file import load_linear
from petteia.records.runs import DESCRIPTION
from petteia.reports.mancala import behaviour, course, direct, duels, exact, questions, settling
from petteia.reports.mancala.duels import Duel
from petteia.reports.mancala.evidence import DEPTHS, GREEDY, Evidence
from petteia.reports.mancala.exact import Judged
from petteia.reports.mancala.matches import Tell
from petteia.reports.mancala.questions import LOWER_EXPLORED, QUESTIONS, STARTER, Compared
from petteia.reports.mancala.weight_judges import away

FEATURES, STEPS, TRACES = "mancala-features", "mancala-step-size", "mancala-traces"
"""experiments that are looked at more closely; the first variant of the first has the settings that most begin with"""
SMALL = ((4, 3), (4, 4))
"""pits and seeds of the boards that are solved"""
SAMPLE, ENDINGS, SMALL_GAMES = 20_000, 400, 100_000
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
    judged: list[Judged]


class Beyond(NamedTuple):
    """All that was found."""

    experiments: dict[str, ExperimentResult]
    compared: dict[str, list[Compared]]
    settling: settling.Settling
    nearness: dict[str, Interval]
    """how far weights learned by each reading of the training are from the report's, in units of the length of these"""
    steps: list[Step]
    course: course.Course
    duels: list[Duel]
    treatment: behaviour.Treatment
    direct: direct.Found
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
    learned = [load_linear(each.run.weights, rules) for each in trainings]
    first = f"theta:agent=({trainings[0].run.path})"
    feature_set = feature_set_for(rules, learned[0].features)
    one_ply = player(f"{first},weights=last", rules).policy(rules)
    start = learned[0].weights

    def searched(generation: int) -> None:
        tell(generation, GENERATIONS, "direct search for weights, generations")

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
        settling.look(rules, feature_set, one_ply, learned, LOOKED_AT, SEED),
        _nearness(found[STARTER], rules),
        _steps(found[STEPS], rules),
        course.look(evidence),
        played,
        behaviour.treatment(rules, f"{first},depth=5", "greedy:depth=5", TREATED, SEED),
        direct.search(rules, start, GENERATIONS, SEED, jobs, searched),
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
            swings = [settling.swings(load_linear(each.run.weights, rules), last).mean() for each in cell.trainings]
            size = float(schedule(alpha, "alpha").over(games - last, last, games).mean())
            found.append(Step(alpha, size, mean_interval([float(each) for each in swings])))
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
        solved = exact.solve(rules, SAMPLE, SEED)
        named = _names(agents)
        judged = []
        for number, (name, text) in enumerate(named, 1):
            judged.append(exact.judge_on(solved, name, text))
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
    found = exact.endings(rules, ENDINGS, SEED, lambda done: tell(done, ENDINGS, "endings searched to their ends"))
    agents = [str(each.run.path) for each in trainings]
    judged = [exact.judge_in_endings(rules, found, name, text) for name, text in _names(agents)]
    about = f"{ENDINGS} endings of at most {exact.ENDING} stones in the pits, from random games, searched to their ends"
    return Board("Kalah(6, 4), endings", about, judged)
