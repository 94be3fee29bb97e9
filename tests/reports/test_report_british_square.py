"""The report on British Square: its claims on made-up evidence, and its page."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from petteia.analysis.ceilings import Ceiling
from petteia.games import game
from petteia.render.bars import Bar, bar_chart
from petteia.reports import report
from petteia.reports.british_square import plan
from petteia.reports.british_square.claims import CLAIMS
from petteia.reports.british_square.evidence import STAGES, GivenAway, Shares, stones, summed_up
from petteia.reports.british_square.plan import PROJECT, Setting
from petteia.reports.engine.outcome import Report
from petteia.reports.engine.rules import NOT_JUDGED, Answer

SEEDS = 10


WINS, DRAWS = Shares(0.99, 0.01, 0.0), Shares(0.0, 0.97, 0.03)


class Made:
    """Evidence that is made up: shares of games by seat, and what moves give away by treatment."""

    def __init__(
        self,
        first: Shares = WINS,
        second: Shares = DRAWS,
        most: float = 0.0,
        given: dict[str, float] | None = None,
    ) -> None:
        self.by_seat, self.most, self.given = (first, second), most, given or {}

    def shares(self, setting: Setting, depth: int = 1) -> list[Shares]:
        return [self.by_seat[setting.seat]] * SEEDS

    def of_random(self, rules: str, seat: int) -> Shares:
        return Shares(0.57, 0.43, 0.0) if seat == 0 else Shares(0.0, 0.43, 0.57)

    def ceilings(self, rules: str, seat: int) -> list[Ceiling]:
        assert (rules, seat) == (PROJECT, 1)
        return [Ceiling("best", self.most, 8.0, 0.0)]

    def given_away(self, setting: Setting, against: str, depth: int = 1) -> list[GivenAway]:
        name = str(setting.values["treatment"])
        mean, scatter = self.given.get(name, 0.5), len(name)
        means = [mean + 0.01 * (seed * scatter % 7) for seed in range(SEEDS)]
        return [GivenAway(100, each, 0.0, 0.9, (None, each, each)) for each in means]


JUDGED: list[tuple[str, Made, Answer]] = [
    ("draws-second", Made(), True),
    ("draws-second", Made(second=Shares(0.0, 0.05, 0.95)), False),
    ("draws-second", Made(second=Shares(0.0, 0.505, 0.495)), None),
    ("draws-first", Made(), False),
    ("draws-first", Made(first=Shares(0.0, 0.99, 0.01)), True),
    ("nothing-second", Made(), True),
    ("nothing-second", Made(second=Shares(0.9, 0.0, 0.1)), False),
    ("nothing-first", Made(), False),
    ("nothing-first", Made(first=Shares(0.1, 0.9, 0.0)), True),
    ("nothing-first", Made(first=Shares(0.62, 0.38, 0.0)), None),
    ("nothing-lost", Made(), False),
    ("nothing-lost", Made(second=Shares(0.0, 0.0, 1.0)), True),
    ("features-show", Made(), False),
    ("features-show", Made(most=0.9), True),
    ("opponent-shows", Made(), False),
    ("features-help", Made(given={"features": 0.1}), True),
    ("features-help", Made(), False),
    ("self-play-helps", Made(given={"random play": 0.1}), True),
    ("self-play-helps", Made(given={"random play": 0.7}), False),
    ("open-squares-helps", Made(given={"open squares": 0.1}), True),
    ("open-squares-helps", Made(given={"open squares": 0.7}), False),
    ("open-squares-ahead-helps", Made(given={"open squares ahead": 0.1}), True),
    ("open-squares-ahead-helps", Made(given={"open squares ahead": 0.7}), False),
    ("perfect-play-helps", Made(given={"perfect play": 0.1}), True),
    ("perfect-play-helps", Made(given={"perfect play": 0.7}), False),
]


@pytest.mark.parametrize(("name", "evidence", "answer"), JUDGED)
def test_claims_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    (claim,) = (each for each in CLAIMS if each.name == name)
    assert claim.judged_by.judge(evidence).answer is answer


def test_claims_have_names_of_their_own_and_each_is_tried() -> None:
    names = [claim.name for claim in CLAIMS]
    assert len(set(names)) == len(names)
    assert {name for name, *_ in JUDGED} == set(names)


def test_the_rules_and_the_files_know_the_same_games_and_treatments() -> None:
    from petteia.experiments.experiment import plan as plan_of

    for seat in plan.SEATS:
        assert set(plan_of(f"term-project-{seat}").declaration.sweep["game"]) == set(plan.RULES)
        assert set(plan_of(f"suspects-{seat}").declaration.treatments) == set(plan.TREATMENTS)
    assert set(plan_of(plan.WORKING).declaration.treatments) == set(plan.LEARNERS)
    assert {len(plan.grid(rules, seat)) for rules in plan.RULES for seat in (0, 1)} == {12}


def test_stages_go_by_the_stones_on_the_board() -> None:
    states = np.array([[0b111, 0b1 << 10, 0], [0b11111, 0b11 << 10, 0], [(1 << 12) - 1, 0, 1]])
    assert stones(states).tolist() == [4, 7, 12]
    columns = np.array([[2.0, 1.0, 2.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0, 2.0]])
    found = summed_up(states, columns, games=3)
    assert STAGES == (6, 12)
    assert found.stages == (2.0, 0.0, 1.0)
    assert (found.positions, found.mean, found.by_game) == (3, 1.0, 1.0)
    assert found.faultless == pytest.approx(1 / 3)
    assert summed_up(states[:1], columns[:1], 0).stages == (2.0, None, None)


def test_bars() -> None:
    bars = [Bar("heading", ()), Bar("one", (0.5, 0.3, 0.2)), Bar("other", (1.0, 0.0, 0.0))]
    drawn = bar_chart(bars, ("won", "drawn", "lost"), "A title")
    assert drawn.startswith("<svg")
    assert drawn == bar_chart(bars, ("won", "drawn", "lost"), "A title")
    with pytest.raises(ValueError, match="3 parts"):
        bar_chart([Bar("one", (0.5, 0.5))], ("won", "drawn", "lost"), "")
    with pytest.raises(ValueError, match="at least one bar"):
        bar_chart([Bar("heading", ())], ("won",), "")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report("british-square", scale="quick", seeds=2, folder=tmp_path_factory.mktemp("reports"), jobs=2)


@pytest.mark.slow
def test_page_of_british_square(made: Report) -> None:
    page = made.page.read_text(encoding="utf-8")
    for words in (
        "A learner that seemed to learn nothing",
        "This is the quick form",
        "the second player cannot win at all",
        "98.9%",
        "96.9%",
        "88.7%",
        "petteia play british-square --as first --against theta:agent=",
        "second never wins; it can only learn how not to lose",
    ):
        assert words in page
    assert page.count("<svg") > 30
    ceilings = made.summary["ceilings"]
    assert [each["won"] for each in ceilings["project"][1]] == [0.0, 0.0, 0.0]
    verdicts = {each["name"]: each["verdict"] for each in made.summary["claims"]}
    assert verdicts["nothing-second"] == verdicts["nothing-first"] == NOT_JUDGED, "of two trainings"
    assert verdicts["features-show"] == "differs"


@pytest.mark.slow
def test_its_data_and_its_weights_lie_beside_it(made: Report) -> None:
    folder = made.page.parent
    games, moves = (
        list(csv.DictReader((folder / name).read_text().splitlines())) for name in ("games.csv", "moves.csv")
    )
    assert {row["rules"] for row in games} == {"project", "any", "published"}
    assert all(float(row["won"]) + float(row["drawn"]) + float(row["lost"]) == pytest.approx(1.0) for row in games)
    assert {row["over"] for row in moves} == {"random", "perfect", "sample"}
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
