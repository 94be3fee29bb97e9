"""Report M: matches are played once, and the page and its files are whole and self-contained."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from petteia.reports.mancala.matches import JOURNAL, Bout, Matches
from petteia.reports.outcome import Report

from petteia.arena.match import match
from petteia.core.errors import InvalidError, UsageError
from petteia.experiments import outputs
from petteia.experiments.experiment import experiment
from petteia.experiments.source import shipped
from petteia.features.report_weights import REPORT_RULES, report_weights
from petteia.players import player
from petteia.records.game_record import read_record
from petteia.reports import report, verdicts
from petteia.reports.mancala import comparisons
from petteia.reports.mancala import evidence as gathering
from petteia.reports.mancala.claims import STATEMENTS
from petteia.reports.mancala.evidence import (
    BASELINES,
    OPPONENTS,
    OWN,
    THETA,
    TRAININGS,
    Sizes,
)

# Matches.


def test_matches_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bouts = [Bout("random", "greedy:depth=1", 6), Bout("random", "random", 4, "random:2", "both")]
    first = Matches(tmp_path, REPORT_RULES, 1)
    told: list[tuple[int, int, str]] = []
    first.play(bouts, lambda *words: told.append(words))
    assert told[-1] == (10, 10, "2 of 2 matches")
    text = (tmp_path / JOURNAL).read_text()
    monkeypatch.setattr(Matches, "_play", None)
    again = Matches(tmp_path, REPORT_RULES, 2)
    again.play(bouts, lambda *words: None)
    assert [again[bout] for bout in bouts] == [first[bout] for bout in bouts]
    assert (tmp_path / JOURNAL).read_text() == text
    assert Bout("random", "random", 4) not in again


def test_matches_do_not_depend_on_their_order(tmp_path: Path) -> None:
    bouts = [Bout("random", "greedy:depth=1", 6), Bout("random", "random", 4)]
    found = []
    for order, folder in ((bouts, tmp_path / "one"), (bouts[::-1], tmp_path / "other")):
        folder.mkdir()
        matches = Matches(folder, REPORT_RULES, 1)
        matches.play(order, lambda *words: None)
        found.append([matches[bout] for bout in bouts])
    assert found[0] == found[1]
    same = match(REPORT_RULES, "random", "random", games=4, openings="none", seats="fixed", seed=bouts[1].seed)
    assert (same.wins, same.draws) == (found[0][1].wins, found[0][1].draws)


def test_a_damaged_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text('{"row":"random"}\n')
    with pytest.raises(InvalidError, match="a line is not that of a match"):
        Matches(tmp_path, REPORT_RULES, 1)


# The whole.

SMALL = {
    **{name: {"seeds": "1", "games": "3000", "evaluate_every": "1000", "evaluation_games": "4"} for name in TRAININGS},
    BASELINES: {"games": "4"},
}


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Report]]:
    """Makes the report into a folder, from trainings and matches as small as can be."""
    declarations = tmp_path_factory.mktemp("declarations")
    for name, sizes in SMALL.items():
        full, quick = shipped()[name].split("[quick]")
        for size, value in {**sizes, "marks": "[600, 1000, 1500, 2000]"}.items():
            quick = re.sub(rf"^{size} = .*$", f"{size} = {value}", quick, flags=re.MULTILINE)
        if name == "mancala-chains":
            quick = quick.replace("games = 3000", "games = 2000")
        (declarations / f"{name}.toml").write_text(f"{full}[quick]{quick}")

    def small(name: str, **options: Any) -> Any:
        return experiment(declarations / f"{name}.toml", **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "experiment", small)
        patch.setattr(outputs, "figures", lambda result: {})  # the page has its own; those are tested with experiments
        patch.setitem(gathering.SIZES, "quick", Sizes(4, 4, 4, 4, 4))
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
    statements = made.summary["statements"]
    assert [each["name"] for each in statements] == [each.name for each in STATEMENTS]
    counts = Counter(each["verdict"] for each in statements)
    for kind, verdict in (("agrees", verdicts.AGREES), ("differs", verdicts.DIFFERS), ("untold", verdicts.UNTOLD)):
        assert text.count(f'<span class="verdict {kind}">{verdict}</span>') == counts[verdict]
    assert [row["verdict"] for row in rows_of(folder / "statements.csv")] == [each["verdict"] for each in statements]
    charts = [*folder.glob("*.svg")]
    assert len(charts) == 11
    assert all(chart.read_text() in text for chart in charts)
    assert "nan" not in re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL).lower().split()


def test_its_data_are_whole(made: Report) -> None:
    folder = made.page.parent
    tables = Counter(row["table"] for row in rows_of(folder / "tables.csv"))
    sizes = (49, 10, 30, 55, 20, 6, 110)
    assert tables == dict(zip(comparisons.TABLES, sizes, strict=True))
    assert all(row["verdict"] for row in rows_of(folder / "tables.csv") if row["table"] != "openings")
    weights = rows_of(folder / "weights.csv")
    assert [float(row["printed"]) for row in weights] == report_weights().tolist()
    assert len(rows_of(folder / "progress.csv")) == 2 * 5 * 2 + 2
    matches = rows_of(folder / "matches.csv")
    assert len({(row["first"], row["second"], row["openings"]) for row in matches}) == len(matches)
    first, second = "theta:agent=(mancala-readings-quick/runs/side-random_seed-1)", "greedy:depth=1"
    (as_first,) = (row for row in matches if (row["first"], row["second"], row["openings"]) == (first, second, "none"))
    progress = [row for row in rows_of(folder / "progress.csv") if row["side"] == OWN and row["learned_from"] == "3000"]
    assert as_first["score"] == next(row["score"] for row in progress if row["seat"] == "0")
    files = {path.name for path in folder.glob("*.csv")}
    text = made.page.read_text()
    assert {*re.findall(r"<li>([a-z]+\.csv): ", text)} == files, "the page names its files"
    record = read_record((folder / "game.txt").read_text())
    assert record.players == ("theta:depth=5", "greedy:depth=5")
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
    assert make(tmp_path).page.read_text().replace(str(tmp_path), "") == before.replace(str(folder), "")


def test_no_other_scale() -> None:
    with pytest.raises(UsageError, match="scale 'huge': of mancala there is quick, paper"):
        report("mancala", scale="huge")


def test_all_players_of_the_tables_are_known() -> None:
    assert [player(gathering.text_of(name), REPORT_RULES).name for name in OPPONENTS][:2] == [
        "heuristic",
        "greedy:depth=1",
    ]
    assert THETA == ("theta1", "theta2", "theta3", "theta4", "theta5")
