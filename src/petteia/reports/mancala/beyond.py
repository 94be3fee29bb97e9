"""What the report has left open, and exact regret: everything that only the scale `all` has.

`questions` compares variants of learning, `settling` asks why weights swing, `direct` searches for weights without
learning, `behaviour` watches games, `exact` holds players against the truth; here they are put to work on the learned
players of the page, and their answers are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from petteia.arena.match import match
from petteia.arena.statistics import Interval, mean_interval
from petteia.core.protocol import Rules
from petteia.experiments.experiment import experiment
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.source import Scale
from petteia.experiments.training import Training, resume, train
from petteia.features.feature_sets import feature_set_for
from petteia.games import format_game, game
from petteia.games.kalah import Kalah
from petteia.players import player
from petteia.policies.linear_file import load_linear
from petteia.records.runs import DESCRIPTION
from petteia.reports.mancala import behaviour, direct, exact, questions, settling
from petteia.reports.mancala.exact import Judged
from petteia.reports.mancala.matches import Tell
from petteia.reports.mancala.questions import QUESTIONS, STARTER, Compared
from petteia.reports.mancala.weight_judges import away

DEPTHS = range(1, 6)
FEATURES, STEPS, TRACES = "mancala-features", "mancala-step-size", "mancala-traces"
"""experiments that are looked at more closely; the first variant of the first has the settings that most begin with"""
SMALL = ((4, 3), (4, 4))
"""pits and seeds of the boards that are solved"""
SAMPLE, ENDINGS, SMALL_GAMES = 20_000, 400, 100_000
GENERATIONS = 1000
EARLY, LATE, AROUND = 1, 3, 4
"""marks of the trainings, by number, and points of the curve to both sides of one"""
GAMES, TREATED = 400, 300
"""games of a match, and games that are watched"""
STRONGER = ("report", "report+chain")
SEED = 1
SEED_WORD = ", seed "


class Duel(NamedTuple):
    """A match with fixed seats, in per cent of the first-named player."""

    question: str
    player: str
    opponent: str
    seat: str
    games: int
    distinct: int
    won: float
    score: float
    low: float
    high: float


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
    steps: dict[str, Interval]
    """how far weights swing at the end with each step size, over the seeds"""
    weakening: Interval
    """by how much the score at 400,000 games is less than at 100,000, over seeds and seats"""
    enough: list[int]
    """for each seed: games after which its score stays near that at its end"""
    duels: list[Duel]
    treatment: behaviour.Treatment
    direct: direct.Found
    boards: list[Board]


def gather(
    folder: Path, rules: Kalah, trainings: Sequence[Training], scale: Scale, seeds: int | None, jobs: int, tell: Tell
) -> Beyond:
    """Ask all questions; `trainings` are those of the page, one for each seed. Work that is done is not done again."""
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

    return Beyond(
        found,
        {
            name: questions.compare(result, ("no traces", found[FEATURES]) if name == TRACES else None)
            for name, result in found.items()
        },
        settling.look(rules, feature_set, one_ply, learned, GAMES, SEED),
        _nearness(found[STARTER], rules),
        _steps(found[STEPS], rules),
        _weakening(trainings),
        [_enough(each) for each in trainings],
        _duels(rules, first, found[FEATURES], jobs, tell),
        behaviour.treatment(rules, f"{first},depth=5", "greedy:depth=5", TREATED, SEED),
        direct.search(rules, start, GENERATIONS, SEED, jobs, searched),
        [*_small_boards(folder, seeds or len(trainings), tell), _endings(rules, trainings, tell)],
    )


def _nearness(result: ExperimentResult, rules: Rules) -> dict[str, Interval]:
    """How far the last weights are from the report's, with each variant."""
    return {
        questions.variant_of(cell): mean_interval(
            [float(away(load_linear(each.run.weights, rules).weights)) for each in cell.trainings]
        )
        for cell in result.cells
        if cell.side == 0
    }


def _steps(result: ExperimentResult, rules: Rules) -> dict[str, Interval]:
    """How far the weights swing over the last quarter of the games, in the mean, with each step size."""
    found = {}
    for cell in result.cells:
        if cell.side == 0:
            last = cell.trainings[0].configuration.games // 4
            found[str(cell.cell.values["alpha"])] = mean_interval(
                [float(settling.swings(load_linear(each.run.weights, rules), last).mean()) for each in cell.trainings]
            )
    return found


def _score_near(training: Training, mark: int) -> float:
    """The mean score over both seats at the points around the mark of this number."""
    is_ = training.configuration
    assert isinstance(is_, LinearSettings)  # trained for its features
    width = AROUND * is_.evaluate_every
    scores = [point.score for point in training.points if abs(point.games - is_.marks[mark]) <= width]
    return sum(scores) / len(scores)


def _weakening(trainings: Sequence[Training]) -> Interval:
    return mean_interval([_score_near(each, EARLY) - _score_near(each, LATE) for each in trainings])


def _enough(training: Training) -> int:
    """Games after which the score, smoothed over nine points, stays within two points of its end."""
    games = sorted({point.games for point in training.points})
    scores = [sum(p.score for p in training.points if p.games == each) / 2 for each in games]
    smooth = [sum(scores[i : i + 9]) / len(scores[i : i + 9]) for i in range(max(1, len(scores) - 8))]
    away = [i for i, score in enumerate(smooth) if abs(score - smooth[-1]) > 0.02]
    return games[min(away[-1] + 1, len(games) - 1)] if away else games[0]


def _duels(rules: Rules, first: str, features: ExperimentResult, jobs: int, tell: Tell) -> list[Duel]:
    """Matches for questions about the learned player itself."""
    wanted: list[tuple[str, str, str, str]] = []
    for weights in ("drawn", "last", "mean"):
        wanted += [("averaging", f"{first},weights={weights}", "greedy:depth=1", seat) for seat in questions.SEATS]
    for depth in DEPTHS:
        for option in ("", ",ends=value", ",early=no"):
            named = f"{first},depth={depth}{option}"
            wanted += [("ends", named, f"greedy:depth={depth}", seat) for seat in questions.SEATS]
    agents: dict[Any, CellResult] = {cell.cell.values["features"]: cell for cell in features.cells}
    for name in STRONGER:
        path = agents[name].trainings[0].run.path
        named = f"theta:agent=({path})"
        wanted += [(f"chain with {name}", f"{named},depth={depth}", "heuristic", "second") for depth in DEPTHS]
    duels = []
    for number, (question, named, opponent, seat) in enumerate(wanted, 1):
        players = (named, opponent) if seat == "first" else (opponent, named)
        played = match(rules, *players, games=GAMES, openings="none", seats="fixed", seed=SEED, jobs=jobs)
        won, score, low, high = played.wins, played.score, played.low, played.high
        if seat == "second":
            won, score, low, high = played.losses, 1.0 - score, 1.0 - high, 1.0 - low
        duels.append(
            Duel(question, named, opponent, seat, played.games, played.distinct, won / played.games, score, low, high)
        )
        tell(number, len(wanted), "matches of the learned player")
    return duels


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
        side="both",
        games=SMALL_GAMES,
        alpha="0.01..0.0001",
        epsilon="0.2..0.02",
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
