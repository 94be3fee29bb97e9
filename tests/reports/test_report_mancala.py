"""Report M: each claim can be told, contradicted, and left open."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flat_options import made_settings

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.matches import Cell
from petteia.features.feature_set import names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.learned.report_weights import REPORT_RULES, report_weights
from petteia.reports import mancala
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import known
from petteia.reports.engine.matches import turned
from petteia.reports.engine.rules import NOT_JUDGED, Answer
from petteia.reports.engine.settings import Agent, Match, Player, Setting
from petteia.reports.mancala import divergence, figures, tables
from petteia.reports.mancala.claims import CLAIMS
from petteia.reports.mancala.plan import (
    BASELINES,
    BASIC,
    CHAINS,
    LOWER,
    OPENED,
    OPENING,
    OPPONENTS,
    OWN,
    PROGRESS,
    READINGS,
    SEAT_NAMES,
    TABLES,
    TRACES,
    text_of,
)
from petteia.reports.mancala.published import SWINGING

RULES = {each.name: each.judged_by for each in CLAIMS}

# Claims: made-up scores and weights that must give each verdict.

SEEDS = 10
NOISE = np.random.default_rng(1).uniform(-0.01, 0.01, SEEDS)


def cell(row: str, column: str, score: float, distinct: int = 100) -> Cell:
    wins = round(10_000 * min(max(score, 0.0), 1.0))
    share = wins / 10_000
    counts, interval, units = (wins, 0, 10_000 - wins), (share - 0.02, share + 0.02), (10_000 - wins, 0, wins)
    return Cell(row, column, 10_000, *counts, share, *interval, units, distinct, 0)


def kind_of(setting: Setting) -> str:
    """What the trainings of a setting are called."""
    side = setting.values.get("side")
    return {READINGS: "every" if side == "both" else "own", LOWER: f"lower-{side}"}.get(
        setting.experiment, setting.experiment
    )


def told(player: Player) -> str:
    """A player with its kind, depth and stage; or its text form."""
    if isinstance(player, str):
        return player
    return f"{kind_of(player.setting)}{depth_of(player)}@{5 if player.mark is None else player.mark + 1}"


def depth_of(player: Agent) -> str:
    found = re.search("depth=([0-9])", player.options)
    return found[1] if found else "1"


def named(player: Player) -> str:
    """A player as tables name it."""
    return player.replace(":depth=", "") if isinstance(player, str) else f"theta{depth_of(player)}"


class Made:
    """Evidence that is made up: `score` of a match by the names of its players, `weights` by experiment."""

    def __init__(self, score: Callable[[str, str], float], weights: Any = None, seeds: int = SEEDS) -> None:
        self.score, self.made_weights, self.seeds = score, weights, seeds
        self.rules, self.is_judged, self.tables = REPORT_RULES, True, dict[str, Any]()

    @property
    def tournaments(self) -> Any:
        cells = [cell(text_of(one), text_of(other), self.score(one, other)) for one, other in product(BASIC, repeat=2)]
        return {BASELINES: SimpleNamespace(cells=cells)}

    def marks(self, setting: Setting) -> list[int]:
        return [10, 20, 30, 40, 50]

    def trainings(self, setting: Setting) -> list[Any]:
        kind, settings = kind_of(setting), made_settings()
        return [SimpleNamespace(kind=kind, number=number, configuration=settings) for number in range(self.seeds)]

    def weights(self, setting: Setting) -> Any:
        return self.made_weights(setting.experiment)

    def learned(self, training: Any) -> Any:
        """Weights of which one swings by as much as `score` says of the kind of training."""
        history = np.zeros((100, 40))
        history[-1, 0] = self.score(training.kind, "swing") + NOISE[training.number]
        return SimpleNamespace(history=history, history_games=np.arange(1, 101), games=100, weights=history[-1])

    def cells(self, match: Match) -> list[Cell]:
        """As its subject sees it; each training scatters a little."""
        seat = int(match.is_turned) if match.seat is None else match.seat
        players = (match.opponent, match.subject) if match.seat == 1 else (match.subject, match.opponent)
        noise = NOISE[: self.seeds] if match.agents else np.zeros(1)
        if match.games == PROGRESS:
            score = self.score(told(match.subject), SEAT_NAMES[seat])
            return [cell("theta", "greedy1", score + each) for each in noise]
        is_named = match.games == TABLES or (match.games, match.openings) == (OPENED, OPENING)
        names = [(named if is_named else told)(each) for each in players]
        sign = 1 if is_named or isinstance(players[0], Agent) else -1
        return [turned(cell(*names, self.score(*names) + sign * each), seat) for each in noise]


def scores(wanted: dict[tuple[str, str], float], rest: float = 0.5) -> Made:
    return Made(lambda first, second: wanted.get((first, second), rest))


def as_first(wanted: dict[str, float], rest: float = 0.5) -> Made:
    """The same score of a player against all."""
    return Made(lambda first, second: wanted.get(first, rest))


LADDER = {(f"greedy{depth}", other): 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
THETAS = {(f"theta{depth}", other): 0.1 + 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
CIRCLE = {("greedy1", "greedy2"): 0.3, ("greedy1", "greedy3"): 0.7, ("greedy3", "greedy2"): 0.7}
PRINTED = {("own1@5", "first"): 0.91, ("own1@5", "second"): 0.89}
BY_EVERY = {("every1@5", "first"): 0.91, ("every1@5", "second"): 0.89}
LOWER_AS_SECOND, SAME_AS_SECOND = ("lower-south1@5", "second"), ("lower-random1@5", "second")


def stages(best: int, other: float = 0.4) -> Made:
    """One stage scores more than the others, in both seats."""
    places = {"1": 0, "2": 1, "3": 2, "4": 3, "5": 4}

    def score(first: str, second: str) -> float:
        one, two = (places.get(name.rpartition("@")[2], -1) for name in (first, second))
        return (
            0.5 + (0.2 if one == best else 0.0) - (0.2 if two == best else 0.0) + 0.01 * (one - two) - 0.1 + other / 4
        )

    return Made(score)


def in_course(early: float, late: float, kind: str) -> Made:
    return Made(lambda first, second: early if first.startswith(kind) and first.endswith("@2") else late)


def by_chains(score: float, rest: float) -> Made:
    def of(first: str, second: str) -> float:
        if CHAINS in first:
            return score if second != "random" else 0.9
        return 1 - score if CHAINS in second and first != "random" else 0.1 if CHAINS in second else rest

    return Made(of)


def by_authors(rest: float, **scores: float) -> Made:
    """What theta by the weights that the report prints scores against all, in both seats."""

    def of(first: str, second: str) -> float:
        found = [re.fullmatch("theta:agent=report,depth=([0-9])", text) for text in (first, second)]
        score = [scores.get(f"theta{match[1]}", rest) for match in found if match]
        return 0.5 if not score else score[0] if found[0] else 1.0 - score[0]

    return Made(of)


@pytest.mark.parametrize(
    ("name", "evidence", "answer"),
    [
        ("random-is-even", scores({}), True),
        ("random-is-even", scores({("random", "random"): 0.6}), False),
        ("random-is-even", scores({("random", "random"): 0.54}), None),
        ("random-is-beaten", scores({}, 0.97), True),
        ("random-is-beaten", scores({("greedy1", "random"): 0.8}, 0.97), False),
        ("chains-matter", scores({("heuristic", "greedy1"): 0.7}), True),
        ("chains-matter", scores({("heuristic", "greedy1"): 0.4}), False),
        ("first-has-the-edge", scores({}, 0.7), True),
        ("first-has-the-edge", scores({}), False),
        ("is-not-transitive", scores(CIRCLE, 0.9), True),
        ("is-not-transitive", scores({}), None),
        ("is-not-transitive", scores({}, 0.1), False),
        ("depth-is-partly-monotone", scores({**LADDER, ("greedy4", "greedy1"): 0.1}), True),
        ("depth-is-partly-monotone", scores(LADDER), False),
        ("short-training-beats-random", Made(lambda one, other: 0.97 if "own" in one else 0.03), True),
        ("short-training-beats-random", scores({}), False),
        ("own-plies-reproduce", scores(PRINTED, 0.1), True),
        ("own-plies-reproduce", scores(BY_EVERY, 0.1), False),
        ("every-ply-reproduces", scores(BY_EVERY, 0.1), True),
        ("every-ply-reproduces", scores(PRINTED, 0.1), False),
        ("soon-better", scores({}, 0.6), True),
        ("soon-better", scores({("own1@1", "second"): 0.4}, 0.6), False),
        ("lower-only", scores({LOWER_AS_SECOND: 0.53}), True),
        ("lower-only", scores({LOWER_AS_SECOND: 0.8}), False),
        ("both-sides-help", scores({LOWER_AS_SECOND: 0.3}), True),
        ("both-sides-help", scores({LOWER_AS_SECOND: 0.5, ("own1@5", "second"): 0.5}), None),
        ("both-sides-same-opponent", scores({LOWER_AS_SECOND: 0.0}, 1.0), True),
        ("both-sides-same-opponent", scores({LOWER_AS_SECOND: 1.0}, 0.0), False),
        ("theta2-and-theta5-win-all", scores({}, 0.98), True),
        ("theta2-and-theta5-win-all", scores({("theta5", "greedy3"): 0.7}, 0.98), False),
        ("theta1-loses", scores({}, 0.3), True),
        ("theta1-loses", scores({("theta1", "greedy4"): 0.6}, 0.3), False),
        ("only-theta3-holds", scores({("heuristic", "theta3"): 0.0}, 1.0), True),
        ("only-theta3-holds", scores({}, 1.0), False),
        ("theta5-loses-as-second", scores({}, 0.7), True),
        ("theta5-loses-as-second", scores({("greedy3", "theta5"): 0.4}, 0.7), False),
        ("depth-of-theta", scores({**THETAS, ("theta4", "greedy1"): 0.1}), True),
        ("depth-of-theta", scores(THETAS), False),
        ("all-or-nothing", scores({}, 1.1), True),
        ("all-or-nothing", scores({}), False),
        ("printed-theta2-and-theta5-win-all", by_authors(0.99, theta1=0.3), True),
        ("printed-theta2-and-theta5-win-all", by_authors(0.99, theta5=0.8), False),
        ("printed-theta1-loses", by_authors(0.99, theta1=0.3), True),
        ("printed-theta1-loses", by_authors(0.99), False),
        ("printed-only-theta3-holds", by_authors(0.1, theta3=0.9), True),
        ("printed-only-theta3-holds", by_authors(0.1), False),
        ("printed-theta5-loses-as-second", by_authors(0.99, theta5=0.2), True),
        ("printed-theta5-loses-as-second", by_authors(0.99, theta5=0.5), None),
        ("ends-help-greedy", Made(lambda one, other: 0.6 if "won=no" in other else 0.5), True),
        ("ends-help-greedy", scores({}, 0.5), None),
        ("traces-settle", Made(lambda one, other: 0.05 if one == TRACES else 0.2), True),
        ("traces-settle", Made(lambda one, other: 0.2), False),
        ("chains-do-not-settle", Made(lambda one, other: 0.2 if one == CHAINS else 0.05), True),
        ("chains-do-not-settle", Made(lambda one, other: 0.05), False),
        ("lambda-0-starts", Made(lambda one, other: 0.99 if TRACES in other else 0.5), True),
        ("lambda-0-starts", scores({}, 0.8), False),
        ("chains-are-bad", by_chains(0.2, 0.5), True),
        ("chains-are-bad", by_chains(0.7, 0.5), False),
    ],
)
def test_claims_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    assert RULES[name].judge(evidence).answer is answer


class Varied(Made):
    """Each training scatters by itself, so that differences of theirs do, too."""

    def cells(self, match: Match) -> list[Cell]:
        words = (told(match.subject), "" if match.games == PROGRESS else told(match.opponent))
        one, other = (sum(map(ord, each)) for each in words)
        return [
            cell(each.row, each.column, each.score + 0.02 * np.sin(7 * number + one + 3 * other))
            for number, each in enumerate(super().cells(match))
        ]


def varied(made: Made) -> Varied:
    return Varied(made.score, made.made_weights)


@pytest.mark.parametrize(
    ("name", "evidence", "answer"),
    [
        ("both-sides-help", scores({LOWER_AS_SECOND: 0.3}), True),
        ("both-sides-help", scores({LOWER_AS_SECOND: 0.7}), False),
        ("early-as-first", stages(1), True),
        ("early-as-first", stages(2), False),
        ("early-as-second", stages(1), True),
        ("early-as-second", stages(2), False),
        ("last-is-best", stages(4), True),
        ("last-is-best", stages(0), False),
        ("last-is-best-second", stages(4), True),
        ("last-is-best-second", stages(0), False),
        ("gains-as-second", Made(lambda *names: 0.3 if names == ("own1@1", "second") else 0.8), True),
        ("gains-as-second", Made(lambda *names: 0.3 if names == ("own1@1", "first") else 0.8), False),
        ("traces-do-not-help", Made(lambda one, other: 0.4 if TRACES in one else 0.5), True),
        ("traces-do-not-help", Made(lambda one, other: 0.6 if TRACES in one else 0.5), False),
        ("traces-do-not-help", Made(lambda one, other: 0.502 if TRACES in one else 0.5), None),
        ("traces-weaken", in_course(0.7, 0.5, TRACES), True),
        ("traces-weaken", in_course(0.4, 0.5, TRACES), False),
        ("plies-are-better", by_chains(0.3, 0.5), True),
        ("plies-are-better", by_chains(0.7, 0.5), False),
    ],
)
def test_contrasts_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    assert RULES[name].judge(varied(evidence)).answer is answer


@pytest.mark.parametrize(("late", "answer"), [(0.0, True), (0.2, False), (-0.2, False)])
def test_whether_fewer_games_are_enough(late: float, answer: Answer) -> None:
    noise = np.random.default_rng(0).uniform(-0.01, 0.01, (SEEDS, 10))
    curve = SimpleNamespace(games=[*range(100, 1100, 100)], scores=0.5 + noise + late * (np.arange(10) == 9))
    evidence = SimpleNamespace(cell=lambda setting: curve)
    assert RULES["fewer-are-enough"].judge(evidence).answer is answer


WEIGHT_CLAIMS = (
    *("difference-dominates", "mover-outweighs", "signs", "captures-weigh", "columns-mirror", "player-is-negative"),
)


@pytest.mark.parametrize("name", WEIGHT_CLAIMS)
def test_weights_are_judged_by_their_rule(name: str) -> None:
    theirs = report_weights()
    small = 0.001 * np.random.default_rng(0).normal(size=(SEEDS, 40))
    contrary = -np.sign(theirs) / np.maximum(np.abs(theirs), 0.02)
    for weights, answer in ((theirs + small, True), (contrary + small, False)):
        evidence = Made(lambda *names: 0.5, lambda name, weights=weights: weights)
        assert RULES[name].judge(evidence).answer is answer


@pytest.mark.parametrize(("far", "answer"), [(0.05, True), (0.5, False)])
def test_whether_traces_end_slightly_elsewhere(far: float, answer: Answer) -> None:
    noise = np.random.default_rng(0).normal(size=(SEEDS, 40))
    weights = {TRACES: report_weights() * (1 + far) + 0.01 * noise, READINGS: report_weights() + 0 * noise}
    assert RULES["traces-end-elsewhere"].judge(Made(lambda *names: 0.5, weights.get)).answer is answer


@pytest.mark.parametrize(
    ("listed", "others", "answer"), [(SEEDS, 0, True), (0, SEEDS, False), (SEEDS, SEEDS, None), (0, 0, None)]
)
def test_whether_listed_weights_swing(listed: int, others: int, answer: Answer, monkeypatch: Any) -> None:
    counts = {name: listed if name in SWINGING else others for name in names(ReportFeatures(), REPORT_RULES)}
    monkeypatch.setattr(figures, "swinging", lambda evidence: counts)
    assert RULES["some-never-settle"].judge(Made(lambda *names: 0.5)).answer is answer


@pytest.mark.parametrize(
    ("large", "small", "answer"),
    [("diverged in game 4", "", True), ("", "", False), ("diverged in game 4", "diverged in game 9", False)],
)
def test_whether_a_larger_alpha_diverges(large: str, small: str, answer: Answer, monkeypatch: Any) -> None:
    def train(rules: Any, learner: Any, **options: Any) -> None:
        if said := large if learner.alpha == divergence.LARGE else small:
            raise divergence.PetteiaError(f"learning {said}")

    monkeypatch.setattr(divergence, "train", train)
    evidence = SimpleNamespace(rules=REPORT_RULES)
    evidence.recall = lambda function, arguments: inspect.unwrap(function)(evidence, *arguments)
    assert RULES["large-alpha-diverges"].judge(evidence).answer is answer


@pytest.mark.parametrize(("first", "answer"), [(40.0, True), (20.0, False), (30.0, None)])
def test_whether_first_games_are_long(first: float, answer: Answer) -> None:
    def recall(function: Any, arguments: tuple[Any, str]) -> float:
        training, when = arguments
        return float((first if when == "first" else 30.0) + 3.0 * np.sin(len(when) + training.number))

    evidence: Any = Made(lambda *names: 0.5)
    evidence.recall = recall
    assert RULES["first-games-are-long"].judge(evidence).answer is answer


def test_claims_have_names_and_places() -> None:
    assert len({each.name for each in CLAIMS}) == len({each.text for each in CLAIMS}) == len(CLAIMS) == 47
    assert all(each.part and each.where for each in CLAIMS)


# Tables.


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (scores(PRINTED, 0.7), "within the scatter of learning by own plies, outside"),
        (scores(BY_EVERY, 0.7), "within the scatter of learning by every ply, outside"),
        (scores(PRINTED | BY_EVERY), "within the scatter of both"),
        (scores({}), "outside the scatter of both"),
        (Made(lambda *names: 0.9, seeds=2), "cannot be told"),
    ],
)
def test_which_reading(made: Made, said: str) -> None:
    assert said in mancala.which_reading(made)
    made.is_judged = False
    assert "is not judged at this scale" in mancala.which_reading(made)


def test_how_far_a_reading_is_from_print() -> None:
    evidence: Any = scores({}, 0.9)
    expected = [abs(90 - each) for each in (85, 60, 91, 84, 87, 82, 90, 89, 91, 89)]
    assert tables.distance(evidence, OWN) * 100 == pytest.approx(np.mean(expected), abs=1)


def test_a_cell_of_learners_is_not_judged_at_quick_scale() -> None:
    evidence: Any = scores({})
    assert NOT_JUDGED not in {each.verdict for each in tables.stages.found(evidence).cells}
    evidence.is_judged, evidence.tables = False, {}
    assert {each.verdict for each in tables.stages.found(evidence).cells} == {NOT_JUDGED}


def test_signs_that_change_and_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence: Any = scores({("heuristic", "greedy1"): 0.7, ("greedy1", "heuristic"): 0.4})
    with monkeypatch.context() as patch:
        low = known("", SHARE, Interval(0.3, 0.28, 0.32))
        patch.setattr(tables, "balanced", lambda *pair: low)
        changed = tables.changed_signs(evidence)
    assert [each[:2] for each in changed][:1] == [("heuristic", "greedy1")]
    better = {("greedy1", "greedy2"), ("greedy2", "greedy3"), ("greedy3", "greedy1")}
    made = scores(dict.fromkeys(better, 0.7), 0.4)
    assert tables.circles(made) == [("greedy1", "greedy2", "greedy3")]
    assert tables.circles(scores({})) == []


def test_whom_a_learner_meets() -> None:
    settings = [made_settings(opponent=each, games=100) for each in ("self", "self:every=77", "random")]
    assert [mancala.met_by(SimpleNamespace(configuration=each)) for each in settings] == [
        *("the learner as it is", "the learner as it was up to 77 games before", "random")
    ]
