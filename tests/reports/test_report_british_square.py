"""The report on British Square: its claims on made-up evidence, and its page."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia.analysis.ceilings import Ceiling
from petteia.core.protocol import is_over, margin, parse_state
from petteia.experiments.tournament.matches import Cell
from petteia.games import game
from petteia.render.bars import Bar, bar_chart
from petteia.reports import report
from petteia.reports.british_square import FINISHED, REPORT, plan
from petteia.reports.british_square.claims import CLAIMS, QUESTIONS, STATEMENTS
from petteia.reports.british_square.plan import PROJECT, stage
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import names_of
from petteia.reports.engine.outcome import Report
from petteia.reports.engine.page import Page
from petteia.reports.engine.rules import NOT_JUDGED, UNTOLD, Answer
from petteia.reports.engine.settings import Agent, Match, Player
from petteia.reports.engine.truth import Moves, results_lost

SEEDS, GAMES = 10, 1000
Shares = tuple[float, float, float]
"""games won, drawn and lost"""
WINS, DRAWS = (0.99, 0.01, 0.0), (0.0, 0.97, 0.03)
RANDOM = (0.57, 0.43, 0.0), (0.0, 0.43, 0.57)


class Made:
    """Made-up evidence: shares of games by seat and by treatment, and regret by treatment."""

    def __init__(
        self,
        first: Shares = WINS,
        second: Shares = DRAWS,
        maximum: float = 0.0,
        given: dict[str, float] | None = None,
        games: dict[str, Shares] | None = None,
    ) -> None:
        self.by_seat, self.maximum, self.given, self.games = (first, second), maximum, given or {}, games or {}

    all_trainings: tuple[()] = ()
    seeds = SEEDS

    def cells(self, match: Match) -> list[Cell]:
        assert match.seat is not None
        shares = (self.by_seat if match.agents else RANDOM)[match.seat]
        for agent in match.agents:
            shares = self.games.get(agent.setting.values.get("treatment", ""), shares)
        wins, draws, losses = (round(GAMES * share) for share in shares)
        cell = Cell(
            "", "", GAMES, wins, draws, losses, (wins + draws / 2) / GAMES, 0.0, 1.0, (losses, draws, wins), 1, 0
        )
        return [cell] * self.seeds

    def size(self, number: object) -> int:
        return GAMES

    def texts(self, who: Player) -> list[str]:
        assert isinstance(who, Agent)
        return [f"{who.setting.values.get('treatment')}|{seed}" for seed in range(self.seeds)]

    def recall(self, function: Any, arguments: tuple[Any, ...]) -> Any:
        if function.__name__ != results_lost.__name__:
            return [[Ceiling("best", 1.0, 8.0, 0.0)], [Ceiling("best", self.maximum, 8.0, 0.0)]]
        name, seed = arguments[0].split("|")
        mean = self.given.get(name, 0.5) + 0.01 * (int(seed) * len(name) % 7)
        return Moves(100, mean, 0.0, 0.9, {})


JUDGED: list[tuple[str, Made, Answer]] = [
    ("draws-second", Made(), True),
    ("draws-second", Made(second=(0.0, 0.05, 0.95)), False),
    ("draws-second", Made(second=(0.0, 0.505, 0.495)), None),
    ("draws-first", Made(), False),
    ("draws-first", Made(first=(0.0, 0.99, 0.01)), True),
    ("nothing-second", Made(), True),
    ("nothing-second", Made(second=(0.9, 0.0, 0.1)), False),
    ("nothing-first", Made(), False),
    ("nothing-first", Made(first=(0.1, 0.9, 0.0)), True),
    ("nothing-first", Made(first=(0.62, 0.38, 0.0)), None),
    ("nothing-lost", Made(), False),
    ("nothing-lost", Made(second=(0.0, 0.0, 1.0)), True),
    ("features-help", Made(given={"features": 0.1}), True),
    ("features-help", Made(), False),
    ("features-help", Made(given={"nothing": 0.1, "features": 0.02}), True),  # even if the regret is small
    ("self-play-helps", Made(given={"random play": 0.1}), True),
    ("self-play-helps", Made(given={"random play": 0.7}), False),
    ("open-squares-helps", Made(given={"open squares": 0.1}), True),
    ("open-squares-helps", Made(given={"open squares": 0.7}), False),
    ("open-squares-ahead-helps", Made(given={"open squares ahead": 0.1}), True),
    ("open-squares-ahead-helps", Made(given={"open squares ahead": 0.7}), False),
    ("perfect-play-helps", Made(given={"perfect play": 0.1}), True),
    ("perfect-play-helps", Made(given={"perfect play": 0.7}), False),
    ("open-squares-helps-second", Made(given={"open squares": 0.1}, games={"open squares": (0.0, 0.99, 0.01)}), True),
    ("open-squares-helps-second", Made(given={"open squares": 0.1}), None),
    ("open-squares-helps-second", Made(games={"open squares": (0.0, 0.99, 0.01)}), False),
    ("open-squares-ahead-helps-second", Made(given={"open squares ahead": 0.7}), False),
    ("perfect-play-helps-second", Made(given={"perfect play": 0.7}, games={"perfect play": (0.0, 1.0, 0.0)}), False),
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
        ("unread-weights-draw", Made(), False),
        ("unread-weights-draw", Made(first=(0.1, 0.9, 0.0)), True),
        ("small-steps-draw", Made(), False),
        ("random-play-first", Made(given={"random play": 0.1}), True),
        ("random-play-second", Made(given={"random play": 0.7}), False),
        ("random-play-in-games-first", Made(given={"random play": 0.1}), True),
        ("random-play-in-games-second", Made(given={"random play": 0.7}), False),
    ],
)
def test_questions_of_the_report_are_judged_by_their_rule(name: str, evidence: Made, answer: Answer) -> None:
    assert QUESTIONS[name].judge(evidence).answer is answer


def test_a_treatment_that_helps_in_one_seat_alone_is_described_by_seat() -> None:
    template = REPORT.template
    macro = template[template.index("{% macro helps") : template.index("{%- endmacro %}") + len("{%- endmacro %}")]

    def words(first: str, second: str) -> str:
        names = {"verdict": {"self-first": first, "self-second": second}}
        return " ".join(Page(Made(), []).filled(macro + '{{ helps("self") }}', names).split())

    assert words("differs", "agrees") == "<p>do not help in the first seat and help in the second</p>"
    assert words("agrees", "agrees") == "<p>help in both seats</p>"
    assert words("differs", "differs") == "<p>help in neither seat</p>"
    assert words(UNTOLD, UNTOLD) == "<p>may or may not help</p>"


@pytest.mark.parametrize(
    ("evidence", "seeds", "verdict", "words", "never"),
    [
        (Made(), SEEDS, "differs", "Yes: as first player it wins", "No:"),
        (Made(*RANDOM), SEEDS, "agrees", "No: as first player it wins", "Yes:"),
        (Made(), 2, NOT_JUDGED, "That is not judged at this scale: as first player", "Yes:"),
    ],
)
def test_the_answers_of_the_page_follow_its_verdicts(
    evidence: Made, seeds: int, verdict: str, words: str, never: str
) -> None:
    evidence.seeds = seeds
    judgements = judge_all(CLAIMS, evidence, "paper")
    names = names_of([REPORT], evidence, judgements, Path(), "paper")  # type: ignore[arg-type]  # it is made up
    assert names["verdict"]["nothing-first"] == verdict
    stubs = {
        "games": {"best": None},
        "start_board": lambda record: "<svg></svg>",
        "took_one": "a second",
        "works_seeds": SEEDS,
        "statements": STATEMENTS,
    }
    lead = REPORT.template.partition("## Terms")[0]
    text = Page(evidence, judgements, {"why": "<svg></svg>"}).filled(lead, names | stubs).replace("\n", " ")
    assert words in text
    assert never not in text
    assert f"sees none; {evidence.by_seat[1][1]:.0%} of the games are draws" in text
    assert "the best second player can never win" in text
    assert f"{STATEMENTS} statements that can be judged" in text
    assert f"{len(CLAIMS)} readings" in text
    gains = {
        "agrees": "a gain",
        "differs": "no gain",
        NOT_JUDGED: "whether that is a gain is not judged at this scale",
        UNTOLD: "whether that is a gain cannot be told",
    }
    assert f"while random play wins 0%: {gains[names['verdict']['published-gains']]}." in text


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
    assert len([*plan.grid()]) == 24


def test_stages_go_by_the_stones_on_the_board() -> None:
    states = np.array([[0b111, 0b1 << 10, 0], [0b11111, 0b11 << 10, 0], [(1 << 12) - 1, 0, 1]])
    assert stage(states).tolist() == [0, 1, 2]


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
    page = " ".join(made.page.read_text(encoding="utf-8").split())
    for words in (
        "A learner that seemed to learn nothing",
        "This is the quick form",
        "the second player cannot win at all",
        "98.9%",
        "96.9%",
        "88.7%",
        "petteia play british-square --as first --against theta:agent=",
        "second never wins from the starting position",
        "By the project's rules the best second player can never win",
    ):
        assert words in page
    assert page.count("<svg") > 30
    assert [each.won for each in made.summary["ceilings"][PROJECT][1]] == [0.0, 0.0, 0.0]
    verdicts = {each["name"]: each["verdict"] for each in made.summary["claims"]}
    assert verdicts["nothing-second"] == verdicts["nothing-first"] == NOT_JUDGED, "of two trainings"


@pytest.mark.slow
def test_its_data_and_its_weights_lie_beside_it(made: Report) -> None:
    folder = made.page.parent
    matches, moves, figures = (
        list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))
        for name in ("match", "results-lost", "figures")
    )
    assert {row["game"] for row in matches} == set(plan.RULES)
    assert {row["over"] for row in moves} == {"random", "perfect", "sample"}
    drawn = [row for row in figures if row["table"] == "whole-grid"]
    assert len(drawn) == 24 * 6 * 3
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


def test_the_constructed_game_has_ended_seven_to_six() -> None:
    rules = game(PROJECT)
    state = parse_state(rules, FINISHED)
    assert is_over(rules, state)
    assert (FINISHED.count("x"), FINISHED.partition(" ")[0].count("o")) == (7, 6)
    assert margin(rules, state) == 1
