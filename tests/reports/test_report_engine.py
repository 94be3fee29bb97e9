"""What a report declares: results that are kept, matches, and tables, on the page and in files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from petteia.arena.match import match as play
from petteia.core.errors import InvalidError
from petteia.records.journal import Journal
from petteia.reports.engine import evidence as engine
from petteia.reports.engine import tables as engine_tables
from petteia.reports.engine.claims import Claim
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import RESULTS, known, of_match
from petteia.reports.engine.kept import kept
from petteia.reports.engine.printed import Printed
from petteia.reports.engine.rules import above
from petteia.reports.engine.settings import Match, Scale, Seated, Size
from petteia.reports.engine.tables import Meeting, Row, match_table, table
from petteia.reports.engine.work import Work

GAME = "kalah:pits=3,seeds=3"
computed: list[str] = []


class Found(NamedTuple):
    """A made-up result."""

    length: int
    stages: dict[str, float]


@kept
def measured(evidence: Evidence, text: str, times: int = 2) -> Found:
    computed.append(text)
    if text == "bad":
        raise KeyboardInterrupt
    return Found(times * len(text), {"first": 0.5})


def evidence_in(folder: Path, scale: Scale = "quick", jobs: int = 1) -> Evidence:
    folder.mkdir(exist_ok=True)
    return Evidence(GAME, Work(folder, scale, None, jobs, lambda *told: None), {})


def test_what_was_computed_is_kept(tmp_path: Path) -> None:
    computed.clear()
    evidence = evidence_in(tmp_path)
    assert measured(evidence, "one") == Found(6, {"first": 0.5})
    with pytest.raises(KeyboardInterrupt):
        measured(evidence, "bad")
    again = evidence_in(tmp_path)
    assert measured(again, "one", times=2) == measured(again, "one", 2) == Found(6, {"first": 0.5})
    assert measured(again, "one", 3).length == 9, "it depends on its arguments"
    assert computed == ["one", "bad", "one"]
    assert again.rows()["measured"][0] == {"text": "one", "times": 2, "length": 6, "stages_first": 0.5}
    rows = [json.loads(line) for line in (tmp_path / "kept" / "measured.jsonl").read_text().splitlines()]
    assert [row["arguments"] for row in rows] == [["one", 2], ["one", 3]]


def test_several_missing_results_are_computed_at_a_time_and_saved_in_their_order(tmp_path: Path) -> None:
    computed.clear()
    evidence = evidence_in(tmp_path, jobs=2)
    measured(evidence, "three")
    every = [("one", 2), ("three", 2), ("one", 2), ("four", 2)]
    assert [each.length for each in evidence.recall_all(measured, every)] == [6, 10, 6, 8]
    assert Counter(computed) == {"one": 1, "three": 1, "four": 1}
    rows = [json.loads(line) for line in (tmp_path / "kept" / "measured.jsonl").read_text().splitlines()]
    assert [row["arguments"][0] for row in rows] == ["three", "one", "four"]
    with pytest.raises(KeyboardInterrupt):
        evidence.recall_all(measured, [("five", 2), ("bad", 2)])
    assert measured(evidence_in(tmp_path), "five").length == 8, "results before an error are saved"
    assert computed.count("five") == 1


def test_what_is_kept_is_of_its_kind_and_unchanged(tmp_path: Path) -> None:
    measured(evidence_in(tmp_path), "one")
    file = tmp_path / "kept" / "measured.jsonl"
    file.write_text(file.read_text().replace("one", "two"))
    with pytest.raises(InvalidError, match=r"measured.jsonl, line 1: damaged"):
        measured(evidence_in(tmp_path), "one")
    file.unlink()
    Journal(file, file.name).append([{"arguments": ["one", 2], "result": "three"}])
    with pytest.raises(InvalidError, match=r"jsonl: the file is damaged: its rows do not have the expected type"):
        measured(evidence_in(tmp_path), "one")


def test_matches_are_played_once_and_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [Match("random", "greedy:depth=1", 6), Match("random", "random", 4, None, "random:2")]
    found = []
    for name, order in (("one", matches), ("other", matches[::-1])):
        evidence = evidence_in(tmp_path / name)
        for each in order:
            evidence.cells(each)
        found.append([evidence.cells(each) for each in matches])
    assert found[0] == found[1]
    monkeypatch.setattr(engine, "play", None)
    again = evidence_in(tmp_path / "one")
    assert [again.cells(each) for each in matches] == found[0]
    row = again.rows()["match"][0]
    assert (row["game"], row["first"], row["games"]) == (GAME, "random", 6)
    ((cell,), _) = found[0]
    monkeypatch.undo()
    same = play(GAME, "random", "greedy:depth=1", games=6, openings="none", seats="fixed", seed=cell.seed)
    assert (same.wins, same.draws) == (cell.wins, cell.draws)


def test_a_match_is_seen_by_its_subject(tmp_path: Path) -> None:
    evidence, match = evidence_in(tmp_path), Match("greedy:depth=2", "random", 20, 1)
    ours, theirs = (evidence.cells(each)[0] for each in (match, match.turned))
    assert len(evidence.rows()["match"]) == 1
    assert (ours.wins, ours.losses) == (theirs.losses, theirs.wins)
    assert ours.wins > theirs.wins
    won, drawn, lost = (of_match(match, part).mean(evidence) for part in RESULTS)
    assert won + drawn + lost == pytest.approx(1.0)
    assert of_match(match).mean(evidence) == pytest.approx(won + drawn / 2)
    both = Match("greedy:depth=2", "random", 20, None, "random:2")
    assert evidence.cells(both.turned)[0].wins == evidence.cells(both)[0].losses
    assert len(evidence.rows()["match"]) == 2, "it is the same match"
    assert Seated("greedy:depth=2", 1).against("random", 20).turned.turned == match


@pytest.mark.parametrize(("scale", "games"), [("quick", 4), ("paper", 6)])
def test_a_size_depends_on_the_scale(tmp_path: Path, scale: str, games: int) -> None:
    evidence = evidence_in(tmp_path, scale)
    assert evidence.cells(Match("random", "random", Size(6, 4)))[0].games == games
    assert (evidence.size(7), evidence.seeds, evidence.all_trainings) == (7, 0, [])


@table("who", "where", "number", "won / drawn / lost", "text")
def numbers(evidence: Evidence) -> Iterator[Row]:
    """A made-up table."""
    three = tuple(known(name, SHARE, [0.25, 0.75]) for name in ("won", "drawn", "lost"))
    yield ["a", "here", known("a number", NUMBER, [1.0, 3.0]), three, "words"]


@match_table("first")
def meetings(evidence: Evidence) -> Iterator[Meeting]:
    """A made-up table of matches."""
    yield Meeting("random", "greedy1", Match("random", "greedy:depth=1", 10), Printed(100, 0, 100), "a note")
    yield Meeting("random", "random", Match("random", "random", 10))


def test_a_table_on_the_page_and_in_a_file(tmp_path: Path) -> None:
    evidence = evidence_in(tmp_path)
    assert numbers.name == "numbers"
    assert "<summary>2.000</summary>" in numbers.html(evidence)
    assert "<summary>50% / 50% / 50%</summary>" in numbers.html(evidence)
    rows = numbers.figures(evidence)
    assert [(row["row"], row["column"], row["figure"]) for row in rows] == [
        ("a, here", "number", "a number"),
        *(("a, here", "won / drawn / lost", name) for name in ("won", "drawn", "lost")),
    ]
    assert (rows[0]["value_mean"], rows[0]["trainings"]) == (2.0, "1 3")


def test_a_table_of_matches_is_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = evidence_in(tmp_path)
    found = meetings.found(evidence)
    assert [each.verdict for each in found.cells] == ["differs", None], "nobody has learned, so it is judged"
    assert "a note" in meetings.html(evidence)
    monkeypatch.setattr(engine_tables, "judge", None)
    assert meetings.figures(evidence)[0]["printed_wins"] == 100


PAGE = """# Matches

Of {{ count }}, {{ tally }}; of {{ added }}, {{ added_tally }}. Greedy scores {{ score }}.

{{ claims('Play') }}

{{ declared('meetings') }}

{{ beyond }}
"""


def test_a_report_of_matches_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "made_up_report"
    package.mkdir()
    for name, text in (("__init__.py", ""), ("page.md", PAGE), ("more.md", "And more: {{ declared('numbers') }}")):
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    greedy = of_match(Match("greedy:depth=2", "random", 30))
    more = Declaration(package.name, GAME, tables=[numbers], templates=["more.md"], rows={"more": lambda _: [{"a": 1}]})
    declared = Declaration(
        *(package.name, GAME),
        claims=[
            Claim("wins", "Play", "Greedy wins.", above(greedy, 0.5)),
            Claim("always", "Play", "It always wins.", above(greedy, 1.0), is_original=False),
        ],
        tables=[meetings],
        figures={"score": greedy},
        games={"one": ("greedy", "random")},
        scales=("paper", "all"),
        beyond=more,
    )
    folder = tmp_path / "report"
    whole, files = (
        declared.make(folder, "all", None, 1, None),
        {"match.csv", "claims.csv", "tables.csv", "game-one.txt"},
    )
    assert "And more" in whole.page.read_text()
    assert "Of 1, 1 agrees; of 1, 1 differs." in whole.page.read_text()
    assert {path.name for path in folder.iterdir()} >= files | {"figures.csv", "more.csv"}
    journal = next(folder.rglob("match.jsonl")).read_text()
    smaller = declared.make(folder, "paper", None, 1, None)
    assert "And more" not in smaller.page.read_text()
    assert {path.name for path in folder.iterdir()} >= files
    assert not {"figures.csv", "more.csv"} & {path.name for path in folder.iterdir()}, "they are not of this scale"
    assert next(folder.rglob("match.jsonl")).read_text() == journal, "nothing is played again"
    claim, added = smaller.summary["claims"]
    assert (claim["of_original"], added["of_original"]) == (True, False)
    assert (claim["verdict"], smaller.summary["seeds"]) == ("agrees", 0)
    assert smaller.summary["figures"]["score"]["mean"] == greedy.mean(evidence_in(tmp_path / "again", "paper"))
