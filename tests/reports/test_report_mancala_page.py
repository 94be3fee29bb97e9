"""Report M: the page and its files are whole and self-contained."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petteia.core.errors import UsageError
from petteia.experiments import outputs
from petteia.experiments.experiment import experiment
from petteia.experiments.source import shipped
from petteia.players import player
from petteia.records.game_record import read_record
from petteia.reports import mancala, report
from petteia.reports.engine import declaration, evidence, work
from petteia.reports.engine.declaration import Report
from petteia.reports.engine.rules import NOT_JUDGED, Finding, Rule
from petteia.reports.engine.tables import KINDS
from petteia.reports.engine.work import begin
from petteia.reports.mancala import divergence, open_questions
from petteia.reports.mancala.claims import CLAIMS
from petteia.reports.mancala.open_questions import BEYOND
from petteia.reports.mancala.plan import (
    ALWAYS_LOWER,
    BASELINES,
    OPPONENTS,
    READ,
    SAME_OPPONENT,
    THETA,
    TRAININGS,
    text_of,
)
from petteia.value_functions.report_weights import REPORT_RULES, report_weights

# The whole.

pytestmark = pytest.mark.slow

TABLES = (
    *("baselines", "progress", "theta-first", "theta-second", "stages", "lambda"),
    *("authors-first", "authors-second", "six", "openings"),
)

FILES = {"claims", "tables", "figures", "match", "weights", "curves"}

SMALL = {
    **{name: {"seeds": "1", "games": "3000", "evaluate_every": "1000", "evaluation_games": "4"} for name in TRAININGS},
    BASELINES: {"games": "4"},
}


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Report]]:
    """Makes the report into a folder, from training runs and matches as small as can be."""
    declarations = tmp_path_factory.mktemp("declarations")
    for name, sizes in SMALL.items():
        full, quick = shipped()[name].split("[quick]")
        for size, value in {**sizes, "marks": "[600, 1000, 1500, 2000]"}.items():
            quick = re.sub(rf"^{size} = .*$", f"{size} = {value}", quick, flags=re.MULTILINE)
        if name == "mancala-chains":
            quick = quick.replace("games = 3000", "games = 2000")
            full = full.replace("every=10000", "every=1000")
        (declarations / f"{name}.toml").write_text(f"{full}[quick]{quick}")

    def small(name: str, **options: Any) -> Any:
        return experiment(declarations / f"{name}.toml", **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "experiment", small)
        patch.setattr(divergence, "GAMES", 20)
        patch.setattr(outputs, "figures", lambda result: {})  # the page has its own; those are tested with experiments
        patch.setattr(evidence.Evidence, "size", lambda self, number: 4)
        yield lambda folder: report("mancala", scale="quick", folder=folder, jobs=2)


@pytest.fixture(scope="module")
def made(make: Callable[[Path], Report], tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make(tmp_path_factory.mktemp("reports"))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return [*csv.DictReader(file)]


def test_page_of_mancala(made: Report) -> None:
    folder, text = made.page.parent, made.page.read_text()
    assert folder.name == "mancala-quick"
    assert json.loads((folder / "summary.json").read_text()) == made.summary
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|@import', text), "it must need nothing else"
    claims = made.summary["claims"]
    assert [each["name"] for each in claims] == [each.name for each in CLAIMS]
    counts = Counter(each["verdict"] for each in claims)
    for verdict, kind in KINDS.items():
        assert text.count(f'<span class="verdict {kind}">{verdict}</span>') == counts[verdict]
    judged = [each["verdict"] != NOT_JUDGED for each in claims]
    assert not any(is_judged for is_judged, each in zip(judged, CLAIMS, strict=True) if each.needs_paper)
    assert [row["verdict"] for row in rows_of(folder / "claims.csv")] == [each["verdict"] for each in claims]
    assert text.index("This is the quick version") < text.index("<figure>"), "it says its scale first"
    assert text.index("Does the learned program play well?") < text.index("claims that this page tests")
    assert "6 are read off the original tables" in re.sub(r"\s+", " ", text)
    assert "Of the 170 cells" in re.sub(r"\s+", " ", text), "it counts no printed figure twice"
    assert "{{" not in text
    assert "\ue000" not in text
    charts = [*folder.glob("*.svg")]
    assert len(charts) == 11
    assert all(chart.read_text() in text for chart in charts)
    assert "nan" not in re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL).lower().split()


def test_its_data_are_whole(made: Report) -> None:
    folder = made.page.parent
    tables = Counter(row["table"] for row in rows_of(folder / "tables.csv"))
    sizes = (49, 10, 30, 55, 20, 6, 30, 30, 49, 110)
    assert tables == dict(zip(TABLES, sizes, strict=True))
    assert all(row["verdict"] for row in rows_of(folder / "tables.csv") if row["table"] not in ("openings", "six"))
    weights = [float(row["printed"]) for row in rows_of(folder / "figures.csv") if row["table"].startswith("weights-")]
    assert sorted(weights) == sorted([*report_weights().tolist()] * 2)
    over_games = rows_of(folder / "weights.csv")
    assert [float(each) for each in [*over_games[-1].values()][3:]] == report_weights().tolist()
    assert Counter(row["learning"] for row in over_games) == {
        **{each.words: 101 for each in (*READ, ALWAYS_LOWER, SAME_OPPONENT)},
        "original report": 1,
    }
    assert len(rows_of(folder / "curves.csv")) > 20
    matches = rows_of(folder / "match.csv")
    asked = ("game", "first", "second", "games", "openings", "seats")
    assert len({tuple(row[name] for name in asked) for row in matches}) == len(matches)
    first, second = "theta:agent=(mancala-readings-quick/runs/side-random_seed-1)", "greedy:depth=1"
    (as_first,) = (row for row in matches if (row["first"], row["second"], row["openings"]) == (first, second, "none"))
    progress = [row for row in rows_of(folder / "tables.csv") if row["table"] == "progress"]
    assert as_first["score"] == progress[-2]["score"]
    files = {path.name for path in folder.glob("*.csv")}
    text = made.page.read_text()
    assert {*re.findall(r"<td>([a-z]+\.csv)</td>", text)} == files, "the page names its files"
    record = read_record((folder / "game-theta.txt").read_text())
    assert record.players == (f"theta:agent={folder / 'theta.safetensors'},depth=5", "greedy:depth=5")
    assert record.outcome is not None
    assert player(f"theta:agent={folder / 'theta.safetensors'},depth=2", REPORT_RULES).name


def test_files_of_a_larger_scale_go(make: Callable[[Path], Report], made: Report, tmp_path: Path) -> None:
    shutil.copytree(made.page.parent, tmp_path / made.page.parent.name)
    stale, kept = (tmp_path / made.page.parent.name / name for name in ("settling.csv", "mine.csv"))
    for path in (stale, kept):
        path.write_text("figure\n1\n")
    make(tmp_path)
    assert not stale.exists()
    assert kept.exists(), "what is not the report's is left alone"


def test_the_same_page_when_it_is_made_again_and_elsewhere(
    make: Callable[[Path], Report], made: Report, tmp_path: Path
) -> None:
    folder = made.page.parent.parent
    before = made.page.read_text()
    assert make(folder).page.read_text() == before
    elsewhere = make(tmp_path).page.read_text()
    assert timeless(elsewhere.replace(str(tmp_path), "")) == timeless(before.replace(str(folder), ""))


def timeless(text: str) -> str:
    """A page without what says how long it took."""
    return re.sub(r"[0-9.]+ (?:seconds|minutes|hours)", "", text)


def test_the_largest_scale_tells_what_was_left_open(made: Report, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made.page.parent
    beyond = replace(
        *(BEYOND,),
        experiments=(),
        claims=[replace(each, judged_by=Rule("so", lambda evidence: Finding("found", True))) for each in BEYOND.claims],
        tables=(),
        charts={},
        names=lambda evidence: {"answer": "Clearly better than before."},
        rows={name: lambda evidence: [{"a": 1}] for name in BEYOND.rows},
    )
    monkeypatch.setattr(mancala, "REPORT", replace(mancala.REPORT, beyond=beyond))
    template = declaration.Declaration.template
    open_part = "{{ answer }} {{ claims('Left open') }}"
    either = property(lambda part: open_part if part is beyond else template.fget(part))
    monkeypatch.setattr(declaration.Declaration, "template", either)
    monkeypatch.setattr(declaration, "begin", lambda *arguments: begin(folder, "quick", None, 1, None, arguments[-1]))
    (folder.parent / "mancala").mkdir()
    whole = report("mancala", scale="all", folder=folder.parent)
    claims = (*CLAIMS, *open_questions.CLAIMS)
    assert [each["name"] for each in whole.summary["claims"]] == [each.name for each in claims]
    text = whole.page.read_text()
    assert "Questions that the original report left open" in text
    assert text.count("Clearly better than") > 0
    assert {path.stem for path in whole.page.parent.glob("*.csv")} == FILES | {*BEYOND.rows}


def test_no_other_scale() -> None:
    with pytest.raises(
        UsageError, match="scale 'huge': the report mancala does not have this scale; choose from quick, paper"
    ):
        report("mancala", scale="huge")


def test_all_players_of_the_tables_are_known() -> None:
    assert [player(text_of(name), REPORT_RULES).name for name in OPPONENTS][:2] == [
        "heuristic",
        "greedy:depth=1",
    ]
    assert THETA == ("theta1", "theta2", "theta3", "theta4", "theta5")
