"""Round robins of reports: they are played block by block and kept, and tell who leads and what may be best."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from made_up_round_robins import MadeRoundRobins, made_table

from petteia.core.decision import Limit
from petteia.experiments.tournament.play import code_of_play
from petteia.experiments.tournament.results import TournamentResult
from petteia.reports.engine.charts import ByEffort
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.round_robins import RoundRobin, best_is, chance_to_name, lead, lead_of, may_be_best, score
from petteia.reports.engine.settings import Scale, Size
from petteia.reports.engine.work import Work

GAME = "kalah:pits=3,seeds=3"
ASKED = RoundRobin({"none": "random", "one": "greedy:depth=1", "two": "greedy:depth=2"}, Size(8, 4, 6))
NAMES = {"a": "A", "b": "B", "c": "C"}
MADE = RoundRobin(NAMES, 100)


def evidence_in(folder: Path, scale: Scale, code: str = "aaaa") -> Evidence:
    """`code`: the digest of what the report depends on besides its games."""
    folder = folder / code
    folder.mkdir(exist_ok=True)
    of_work: Literal["quick", "paper"] = "quick" if scale == "quick" else "paper"
    return Evidence(GAME, Work(folder, of_work, None, 1, lambda *told: None), {}, scale)


@pytest.mark.parametrize(("scale", "games"), [("paper", 8), ("quick", 4), ("all", 6)])
def test_a_round_robin_is_played_once(tmp_path: Path, scale: str, games: int) -> None:
    found = evidence_in(tmp_path, scale).round_robin(ASKED)
    assert {cell.games for cell in found.cells} == {games}
    assert isinstance(found, TournamentResult)
    journal = found.run.journal.path
    before = journal.read_bytes()
    again = evidence_in(tmp_path, scale, code="bbbb").round_robin(ASKED)
    assert again.cells == found.cells, "they are found again when other code of the report has changed"
    assert journal.read_bytes() == before
    assert len(before.splitlines()) == 3 * games // 2, "each pair of games is kept by itself"


def test_leads_by_hand() -> None:
    found = made_table(MADE, {"a": 200.0, "b": 0.0, "c": 0.0}, 100)
    points = {one: sum(found.crosstable[one, other].wins for other in "ABC" if other != one) for one in "ABC"}
    for one in "ABC":
        for other in "ABC":
            if one != other:
                assert lead_of(found, one, other).mean == pytest.approx((points[one] - points[other]) / 200)
                assert lead_of(found, one, other).low == pytest.approx(-lead_of(found, other, one).high)
    assert may_be_best(found) == ["A"]
    assert may_be_best(made_table(MADE, {"a": 20.0, "b": 0.0, "c": -400.0}, 100)) == ["A", "B"]


def test_figures_of_a_round_robin() -> None:
    evidence = MadeRoundRobins(lambda asked: {"a": 200.0, "b": 0.0, "c": 0.0}, 100)
    assert score(lambda evidence: MADE, "a").mean(evidence) == pytest.approx(0.76)
    found = lead(lambda evidence: MADE, "a", "b", ", in short")
    assert found.name == "the lead in score (“a” over “b”, in short)"
    assert found.interval(evidence).low > 0.0


@pytest.mark.parametrize(
    ("sets", "answer"),
    [
        ({"x": [1], "y": [2]}, True),
        ({"x": [1, 2], "y": [3]}, True),
        ({"x": [2], "y": [1, 2]}, False),
        ({"x": [1, 2], "y": [2]}, None),
    ],
)
def test_what_is_best_is_told_only_where_all_that_may_be_say_so(
    sets: dict[str, list[int]], answer: bool | None
) -> None:
    rule = best_is("it grows", "shares that may be best", lambda evidence: sets, lambda x, y: x < y)
    finding = rule.judge(None)
    assert finding.answer is answer
    shown = {each: ", ".join(map(str, sets[each])) for each in "xy"}
    assert finding.text == f"Shares that may be best: x: {shown['x']}; y: {shown['y']}"


def test_the_chance_to_name_the_best() -> None:
    sure = made_table(MADE, {"a": 800.0, "b": 0.0, "c": -800.0}, 10_000)
    assert chance_to_name(sure, 50).mean > 0.99
    even = chance_to_name(made_table(MADE, dict.fromkeys("abc", 0.0), 10_000), 2)
    assert even.mean == pytest.approx(1 / 3, abs=0.05), "any of three"
    few = chance_to_name(made_table(MADE, {"a": 150.0, "b": 0.0, "c": 0.0}, 10_000), 2).mean
    many = chance_to_name(made_table(MADE, {"a": 150.0, "b": 0.0, "c": 0.0}, 10_000), 40).mean
    assert 1 / 3 < few < many < 1.0


def test_a_chart_by_effort() -> None:
    evidence = MadeRoundRobins(lambda asked: {"a": 200.0, "b": 0.0, "c": 0.0}, 100)
    figure = score(lambda evidence: MADE, "a")
    chart = ByEffort("A title", lambda evidence: "nodes", lambda evidence: {"a": [(10, figure), (100, figure)]})
    assert chart(evidence).startswith("<svg")
    assert chart(evidence) == chart(evidence)


def test_limits_tell_round_robins_apart(tmp_path: Path) -> None:
    evidence = evidence_in(tmp_path, "quick")
    players = {"few": "search:depth=1", "none": "random"}
    found = [evidence.round_robin(RoundRobin(players, 2, Limit(nodes=nodes))) for nodes in (10, 20)]
    assert [each.plan.declaration.tournament.nodes for each in found] == [10, 20]
    assert len({each.folder for each in found}) == 2  # type: ignore[attr-defined]  # they have folders


def test_games_are_played_anew_by_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence_in(tmp_path, "quick").round_robin(ASKED)
    changed = "petteia.reports.engine.evidence.code_of_play"
    monkeypatch.setattr(changed, lambda *asked: code_of_play(*asked) | {"petteia.changed": "other"})
    evidence_in(tmp_path, "quick").round_robin(ASKED)
    assert len([*(tmp_path / "round-robins").iterdir()]) == 2
