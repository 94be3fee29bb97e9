"""Report M: each claim can be told, contradicted, and left open."""

from __future__ import annotations

import inspect
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from made_up_scores import BY_EVERY, PRINTED, SEEDS, Made, cell, scores, told

from petteia.experiments.tournament.matches import Cell
from petteia.features.feature_set import names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.reports.engine.rules import Answer
from petteia.reports.engine.settings import Match
from petteia.reports.mancala import divergence, figures
from petteia.reports.mancala.claims import CLAIMS
from petteia.reports.mancala.plan import CHAINS, OPPONENTS, PLAYERS, PROGRESS, READINGS, TRACES
from petteia.reports.mancala.published import SWINGING
from petteia.value_functions.report_weights import REPORT_RULES, report_weights

RULES = {each.name: each.judged_by for each in CLAIMS}

# Claims: made-up scores and weights that must give each verdict.

LADDER = {(f"greedy{depth}", other): 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
THETAS = {(f"theta{depth}", other): 0.1 + 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
CIRCLE = {("greedy1", "greedy2"): 0.3, ("greedy1", "greedy3"): 0.7, ("greedy3", "greedy2"): 0.7}
CIRCLE |= {pair[::-1]: 1.0 - score for pair, score in CIRCLE.items()}
RANKS = {name: rank for rank, name in enumerate(PLAYERS)}


def by_rank(first: str, second: str) -> float:
    """The score if each player beats those before it, in both seats."""
    one, other = (RANKS.get(name.removesuffix("@5"), 0) for name in (first, second))
    return 0.5 + 0.2 * np.sign(one - other)


LOWER_AS_SECOND = ("lower-south1@5", "second")


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


def by_chains(score: float, rest: float, recipe: str = CHAINS) -> Made:
    """The score of those that learned by whole turns with a recipe, and of all others."""

    def of(first: str, second: str) -> float:
        if recipe in first:
            return score if second != "random" else 0.9
        return 1 - score if recipe in second and first != "random" else 0.1 if recipe in second else rest

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
        ("is-not-transitive", Made(by_rank), False),
        ("depth-is-partly-monotone", scores({**LADDER, ("greedy4", "greedy1"): 0.1}), True),
        ("depth-is-partly-monotone", scores(LADDER), False),
        ("short-training-beats-random", Made(lambda one, other: 0.97 if "own" in one else 0.03), True),
        ("short-training-beats-random", Made(lambda one, other: 0.3 if "own" in one else 0.7), False),
        ("short-training-beats-random", scores({}), None),
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
        ("chains-do-not-settle", Made(lambda one, other: 0.2 if one.startswith(CHAINS) else 0.05), True),
        ("chains-do-not-settle", Made(lambda one, other: 0.05), False),
        ("lambda-0-starts", Made(lambda one, other: 0.99 if TRACES in other else 0.5), True),
        ("lambda-0-starts", scores({}, 0.8), False),
        ("chains-are-bad", by_chains(0.2, 0.5), True),
        ("chains-are-bad", by_chains(0.7, 0.5), False),
    ],
)
def test_claims_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    assert RULES[name].judge(evidence).answer is answer


def test_a_circle_is_counted_once() -> None:
    found = RULES["is-not-transitive"].judge(scores(CIRCLE, 0.9)).text
    assert found == (
        "Number of cycles of three players, each better than the next: 1, for example: greedy1 beats greedy3 (70.0%), "
        "greedy3 beats greedy2 (70.0%), greedy2 beats greedy1 (70.0%)"
    )


class Varied(Made):
    """Each training run scatters by itself, so that differences of theirs do, too."""

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
        ("plies-are-better", by_chains(0.3, 0.5, "two-blocks-both"), True),
        ("plies-are-better", by_chains(0.7, 0.5, "two-blocks-both"), False),
        ("plies-are-better", by_chains(0.3, 0.5, "one-block-lower"), None),
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


@pytest.mark.parametrize(("far", "answer"), [(0.01, True), (0.0, None), (0.1, False)])
def test_whether_traces_end_slightly_elsewhere(far: float, answer: Answer) -> None:
    one, other = 0.01 * np.random.default_rng(0).normal(size=(2, SEEDS, 40))
    weights = {TRACES: report_weights() * (1 + far) + one, READINGS: report_weights() + other}
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
    def recall(function: Any, arguments: tuple[Any, str]) -> tuple[float, float]:
        training, when = arguments
        return float((first if when == "first" else 30.0) + 3.0 * np.sin(len(when) + training.number)), 50.0

    evidence: Any = Made(lambda *names: 0.5)
    evidence.recall = recall
    assert RULES["first-games-are-long"].judge(evidence).answer is answer


def test_claims_have_names_and_places() -> None:
    assert len({each.name for each in CLAIMS}) == len({each.text for each in CLAIMS}) == len(CLAIMS) == 47
    assert all(each.part and each.where for each in CLAIMS)
    assert {each.name for each in CLAIMS if not each.is_original} == {
        *("every-ply-reproduces", "both-sides-same-opponent", "plies-are-better"),
        *(name for name in RULES if name.startswith("printed-")),
    }
