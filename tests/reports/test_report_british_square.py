"""The report on British Square: its claims on made-up evidence, and its page."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petteia.analysis.ceilings import Ceiling
from petteia.arena.match import match as random_match
from petteia.core.protocol import is_over, margin, parse_state
from petteia.experiments.tournament.matches import Cell
from petteia.games import game
from petteia.render.bars import Bar, bar_chart
from petteia.reports import british_square as page
from petteia.reports import report
from petteia.reports.british_square import FINISHED, REPORT, plan
from petteia.reports.british_square.plan import (
    CLAIMS,
    EITHER,
    IMPOSSIBLE,
    MOVER,
    PLACES,
    PUBLISHED,
    QUESTIONS,
    READINGS,
    UNTRAINED,
    learned,
    opposite,
)
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import Page, Report, names_of
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import NOT_JUDGED, UNTOLD, Answer
from petteia.reports.engine.settings import Agent, Match, Player
from petteia.reports.engine.truth import Moves, results_lost

SEEDS, GAMES = 10, 1000
Shares = tuple[float, float, float]
"""games won, drawn and lost"""
WINS, DRAWS = (0.99, 0.01, 0.0), (0.0, 0.97, 0.03)
RANDOM = (0.57, 0.43, 0.0), (0.0, 0.43, 0.57)


class Made:
    """Made-up evidence: shares of games by seat, by treatment and by setting, and regret by treatment."""

    def __init__(
        self,
        first: Shares = WINS,
        second: Shares = DRAWS,
        maximum: float = 0.0,
        given: dict[str, float] | None = None,
        games: Callable[[Match], Shares | None] = lambda match: None,
    ) -> None:
        self.by_seat, self.maximum, self.given, self.games = (first, second), maximum, given or {}, games

    all_trainings: tuple[()] = ()
    seeds = SEEDS

    def cells(self, match: Match) -> list[Cell]:
        assert match.seat is not None
        shares = self.games(match) or (self.by_seat if match.agents else RANDOM)[match.seat]
        wins, draws, losses = (round(GAMES * share) for share in shares)
        cell = Cell(
            "", "", GAMES, wins, draws, losses, (wins + draws / 2) / GAMES, 0.0, 1.0, (losses, draws, wins), 1, 0
        )
        return [cell] * self.seeds

    def size(self, number: object) -> int:
        return GAMES

    def texts(self, who: Player) -> list[str]:
        assert isinstance(who, Agent)
        name = who.setting.values.get("treatment", f"alpha {who.setting.values.get('alpha')}")
        return [f"{name}|{seed}" for seed in range(self.seeds)]

    def recall(self, function: Any, arguments: tuple[Any, ...]) -> Any:
        if function.__name__ != results_lost.__name__:
            return [[Ceiling("best", 1.0, 8.0, 0.0)], [Ceiling("best", self.maximum, 8.0, 0.0)]]
        name, seed = arguments[0].split("|")
        mean = self.given.get(name, 0.5) + 0.01 * (int(seed) * len(name) % 7)
        return Moves(100, mean, 0.9)


def untrained(shares: Shares) -> Callable[[Match], Shares | None]:
    """Return the games of made-up evidence in which the untrained program has these shares."""
    return lambda match: shares if any(each.setting.values.get("alpha") == UNTRAINED for each in match.agents) else None


JUDGED: list[tuple[str, Made, Answer]] = [
    *((f"draws-{name}-second", Made(), True) for name in ("mover", "either", "both")),
    *((f"draws-{name}-first", Made(), False) for name in ("mover", "either", "both")),
    ("draws-mover-second", Made(second=(0.0, 0.05, 0.95)), False),
    ("draws-mover-second", Made(second=(0.0, 0.505, 0.495)), None),
    ("draws-mover-first", Made(first=(0.0, 0.99, 0.01)), True),
    *((f"won-{name}-first", Made(), False) for name in ("mover", "either", "both")),
    ("won-mover-first", Made(first=(0.1, 0.9, 0.0)), True),
    ("won-mover-first", Made(first=(0.62, 0.38, 0.0)), None),
    ("won-mover-second", Made(second=(0.9, 0.0, 0.1)), True),  # the rules exclude it
    ("won-either-second", Made(), True),
    ("won-both-second", Made(second=(0.02, 0.95, 0.03)), True),
    ("won-both-second", Made(second=(0.9, 0.0, 0.1)), False),
    *((f"lost-{name}-second", Made(), False) for name in ("mover", "either", "both")),
    ("lost-mover-second", Made(second=(0.0, 0.0, 1.0)), True),
    ("lost-both-first", Made(first=(0.5, 0.4, 0.1)), True),
    ("features-helps-both", Made(given={"features": 0.1}), True),
    ("features-helps-both", Made(), False),
    ("features-helps-mover", Made(given={"alpha 0.0001": 0.1, "features": 0.02}), True),  # even if the regret is small
    ("features-helps-both", Made(given={"alpha 1e-05": 0.9}), False),  # compared at its own alpha
    *(
        (f"{name}-helps-{rules}", Made(given={name: regret}), regret < 0.5)
        for name in ("self-play", *plan.SUGGESTED[1:])
        for rules in ("both", "mover")
        for regret in (0.1, 0.7)
    ),
]


@pytest.mark.parametrize(("name", "evidence", "answer"), JUDGED)
def test_claims_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    (claim,) = (each for each in CLAIMS if each.name == name)
    assert claim.judged_by.judge(evidence).answer is answer


@pytest.mark.parametrize(
    ("name", "evidence", "answer"),
    [
        ("second-can-win", Made(), False),
        ("second-can-win", Made(maximum=0.9), True),
        ("self-play-both-first", Made(given={"self-play": 0.1}), True),
        ("self-play-mover-second", Made(given={"self-play": 0.7}), False),
        ("alpha-both-first", Made(given={"alpha 0.0001": 0.1}), True),
        ("alpha-both-second", Made(given={"alpha 0.0001": 0.7}), False),
        ("in-games-first", Made(given={"self-play": 0.1}), True),
        ("in-games-second", Made(given={"self-play": 0.7}), False),
    ],
)
def test_questions_of_the_report_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    assert QUESTIONS[name].judge(evidence).answer is answer


def test_verdicts_that_are_the_opposite_at_search_depth_1_are_found() -> None:
    def games(match: Match) -> Shares | None:
        is_shallow = any("depth=1" in each.options for each in match.agents)
        return (0.0, 0.03, 0.97) if is_shallow and match.game == EITHER and match.seat == 1 else None

    assert opposite(Made()) == []
    assert opposite(Made(games=games)) == ["draws-either-second", "lost-either-second"]


def test_the_most_harmful_change_is_told_for_each_seat() -> None:
    assert page.most_harmful(Made(given=dict.fromkeys(plan.SUGGESTED, 0.1))) == []
    found = page.most_harmful(Made(given={"perfect-play": 2.0, "open-squares": 1.0}))
    assert [each[:3] for each in found] == [
        (READINGS[game], plan.SEATS[seat], plan.CHANGES["perfect-play"]) for game, seat in plan.COMPARED
    ]
    assert all(each[3].mean(Made(given={"perfect-play": 2.0})) > 3.0 for each in found)


def test_all_changes_are_compared_at_equal_depth() -> None:
    changed, before = plan.compared(plan.SHALLOW, PUBLISHED, 1)
    assert changed == plan.suspect(plan.ALL, PUBLISHED, 1)
    assert before == plan.term(PUBLISHED, 1, depth=1)
    assert all("depth=1," in each.player.options for each in (changed, before) if isinstance(each.player, Agent))
    assert "depth=1," not in str(plan.compared(plan.ALL, PUBLISHED, 1)[1].player)


@pytest.mark.parametrize(("changed", "answer"), [(0.1, "lower"), (2.0, "higher")])
def test_the_last_ratio_compares_all_changes_at_equal_depth(changed: float, answer: str) -> None:
    evidence: Any = Made(given={plan.ALL: changed})
    words, *ratios = [*page.ratios.rows(evidence)][-1]
    assert "both learners at search depth 1" in str(words)
    found = [each.interval(evidence) for each in ratios if isinstance(each, Figure)]
    assert len(found) == len(plan.COMPARED)
    assert all(each.high < 1.0 if answer == "lower" else each.low > 1.0 for each in found)


@pytest.mark.parametrize(
    ("seat", "before", "answer"),
    [(0, (0.2, 0.8, 0.0), True), (0, WINS, False), (1, (0.0, 0.1, 0.9), True), (1, (0.0, 0.99, 0.01), False)],
)
def test_a_learner_gains_by_training_if_it_wins_more_or_loses_less(seat: int, before: Shares, answer: bool) -> None:
    assert learned(MOVER, seat).judge(Made(games=untrained(before))).answer is answer


def test_the_page_states_for_each_rule_and_seat_whether_a_change_helps() -> None:
    class OneSeat(Made):
        """Made-up evidence in which the change helps the second player alone."""

        def recall(self, function: Any, arguments: tuple[Any, ...]) -> Any:
            found = super().recall(function, arguments)
            is_helped = arguments[0].startswith("self-play") and arguments[2] == 1
            return found._replace(mean=0.1 * found.mean) if is_helped else found

    def words(evidence: Any) -> list[Any]:
        ((change, *answers),) = page.helping([plan.SELF_PLAY], evidence)
        assert change == plan.CHANGES[plan.SELF_PLAY]
        return answers

    assert words(OneSeat()) == ["no", "yes", "no", "yes"]
    assert words(Made(given={"self-play": 0.1})) == ["yes"] * 4
    assert words(Made(given={"self-play": 0.7})) == ["no"] * 4
    assert words(Made(given={"self-play": 0.45})) == [UNTOLD] * 4
    few = Made()
    few.seeds = 2
    assert words(few) == [NOT_JUDGED] * 4


def fits(match: Match) -> Shares | None:
    """Return shares by which the trained first player shows both results of the project by `EITHER`."""
    return (0.48, 0.52, 0.0) if match.agents and match.seat == 0 and match.game == EITHER else None


MOVER_SECOND = ["mover blocked", "second", "1e-05", "8 of 8", "0 of 8"]
EITHER_FIRST = ["either blocked", "first", "1e-05", "8 of 8", "8 of 8"]


@pytest.mark.parametrize(
    ("evidence", "seeds", "answers", "row"),
    [
        (Made(games=untrained((0.5, 0.0, 0.5))), SEEDS, ("yes", "yes"), MOVER_SECOND),
        (Made(), SEEDS, ("no", "yes"), MOVER_SECOND),
        (Made(*RANDOM), SEEDS, ("no", "no"), None),
        (Made(games=fits), SEEDS, ("no", "yes"), EITHER_FIRST),
        (Made(), 2, (NOT_JUDGED, NOT_JUDGED), None),
    ],
)
def test_the_answers_of_the_page_follow_its_verdicts(
    evidence: Any, seeds: int, answers: tuple[str, str], row: list[str] | None
) -> None:
    evidence.seeds = seeds
    judgements = judge_all(CLAIMS, evidence, "paper")
    names = names_of([REPORT], evidence, judgements, Path(), "paper")
    found = [*page.fitting.rows(evidence)]
    stubs = {
        "games": {"best": None},
        "start_board": lambda record: "<svg></svg>",
        "took_one": "a second",
        "works_seeds": SEEDS,
        "ratios": page.ratios,
        "helping": page.helping,
        "most_harmful": page.most_harmful,
        "without_gain": page.without_gain,
        "plan": plan,
        "learner_games": GAMES,
        "training_games": GAMES,
    }
    lead = REPORT.template.partition("## Terms")[0]
    text = " ".join(Page(evidence, judgements, {"why": "<svg></svg>"}, page.TABLES).filled(lead, names | stubs).split())
    assert (*next(iter(page.gains.rows(evidence)))[-2:],) == answers
    assert row is None or row in [[*map(str, each)] for each in found]
    assert ("no change of the features or of the opponent could" in text) == (
        names["verdict"]["second-can-win"] == "differs"
    )
    assert f"Of the {len([each for each in CLAIMS if each.is_original])} claims" in text
    assert "the cause of the project's results remains unknown" in text


def test_every_setting_of_the_grid_can_be_an_explanation() -> None:
    assert len(plan.CHOICES) == len(set(plan.CHOICES)) == 24 + 4
    drawn: Any = Made((0.0, 1.0, 0.0), (0.02, 0.98, 0.0))
    decided: Any = Made((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    rows = [*page.fitting.rows(drawn)]
    assert [[*row[3:]] for row in rows] == [
        [f"{n} of {n}", f"{n if seat == 0 else 0} of {n}"] for _, seat in PLACES for n in (4, 8, 8, 8)
    ]
    assert not [*page.fitting.rows(decided)]


def test_the_rules_exclude_the_results_that_are_exactly_none() -> None:
    for text in READINGS:
        found = random_match(game(text), "random", "random", games=200, seats="fixed")
        for seat, part, number in ((0, "lost", found.losses), (1, "won", found.losses)):
            assert ((text, seat, part) in IMPOSSIBLE) == (number == 0)


def test_the_share_lost_does_not_contradict_the_share_won() -> None:
    won, lost = (plan.share(plan.term(PUBLISHED, 0), part).interval(Made()) for part in ("won", "lost"))
    assert won.mean > 0.9
    assert lost.mean == 0.0 < lost.high <= 1.0 - won.low


def test_claims_have_names_of_their_own_and_each_is_tried() -> None:
    names = [claim.name for claim in CLAIMS]
    assert len(set(names)) == len(names)
    assert {name for name, *_ in JUDGED} == set(names)


def test_the_rules_and_the_files_know_the_same_games_and_treatments() -> None:
    from petteia.experiments.experiment import plan as plan_of

    for seat in plan.SEATS:
        assert set(plan_of(f"term-project-{seat}").declaration.sweep["game"]) == set(READINGS)
        assert set(plan_of(f"suspects-{seat}").declaration.treatments) == set(plan.CHANGES)
    assert set(plan_of(plan.WORKING).declaration.treatments) == set(plan.LEARNERS)
    assert UNTRAINED in plan_of("term-project-first").declaration.sweep["alpha"]


def test_bars() -> None:
    bars = [Bar("heading", ()), Bar("one", (0.5, 0.3, 0.2)), Bar("other", (1.0, 0.0, 0.0))]
    drawn = bar_chart(bars, ("won", "drawn", "lost"), "A title")
    assert drawn.startswith("<svg")
    assert drawn == bar_chart(bars, ("won", "drawn", "lost"), "A title")
    with pytest.raises(ValueError, match="3 shares"):
        bar_chart([Bar("one", (0.5, 0.5))], ("won", "drawn", "lost"), "")
    with pytest.raises(ValueError, match="at least one bar"):
        bar_chart([Bar("heading", ())], ("won",), "")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report("british-square", scale="quick", seeds=2, folder=tmp_path_factory.mktemp("reports"), jobs=2)


@pytest.mark.slow
def test_page_of_british_square(made: Report) -> None:
    page = " ".join(made.page.read_text(encoding="utf-8").split())
    for words in (
        "A learner that seemed to learn nothing",
        "This page is in its quick version",
        "second player never has more stones and cannot win",
        "98.9%",
        "96.9%",
        "petteia play british-square --as first --against theta:agent=",
        "the side “second” never wins from the starting position",
        "because no second player can win",
    ):
        assert words in page
    assert page.count("<svg") > 30
    verdicts = {each["name"]: each["verdict"] for each in made.summary["claims"]}
    assert verdicts["draws-mover-second"] == verdicts["won-mover-first"] == NOT_JUDGED, "of two trainings"
    assert verdicts["won-mover-second"] == "agrees", "the rules exclude a win"


@pytest.mark.slow
def test_its_data_and_its_weights_lie_beside_it(made: Report) -> None:
    folder = made.page.parent
    matches, moves, figures = (
        list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))
        for name in ("match", "results-lost", "figures")
    )
    assert {row["game"] for row in matches} == set(READINGS)
    assert {row["over"] for row in moves} == {"random", "perfect", "sample"}
    drawn = [row for row in figures if row["table"] == "whole-grid"]
    assert len(drawn) == 28 * 6 * 3
    assert all(0.0 <= float(row["value_mean"]) <= 1.0 for row in drawn)
    assert json.loads((folder / "summary.json").read_text())["scale"] == "quick"
    from petteia import match

    assert (
        match(game("british-square"), f"theta:agent={folder / 'learner.safetensors'}", "random", games=20).score > 0.7
    )


@pytest.mark.slow
def test_made_again_it_is_the_same(made: Report) -> None:
    before = {path.name: path.read_bytes() for path in made.page.parent.iterdir() if path.is_file()}
    again = report("british-square", scale="quick", seeds=2, folder=made.page.parent.parent, jobs=1)
    after = {path.name: path.read_bytes() for path in again.page.parent.iterdir() if path.is_file()}
    assert set(before) == set(after)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"index.html"}, changed  # which tells how long it took


@pytest.mark.parametrize("reading", READINGS)
def test_the_constructed_game_has_ended_seven_to_six(reading: str) -> None:
    rules = game(reading)
    state = parse_state(rules, FINISHED)
    assert is_over(rules, state)
    assert (FINISHED.count("x"), FINISHED.partition(" ")[0].count("o")) == (7, 6)
    assert margin(rules, state) == 1
