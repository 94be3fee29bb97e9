"""Report H: the page is whole and self-contained, and is made again to the same bytes."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import petteia
from petteia.core.errors import UsageError
from petteia.experiments import outputs
from petteia.experiments.experiment import experiment
from petteia.experiments.source import shipped
from petteia.records.game_record import read_record
from petteia.reports import report
from petteia.reports.engine import work
from petteia.reports.engine.outcome import Report
from petteia.reports.engine.parts import KINDS
from petteia.reports.hare_and_hounds.claims import CLAIMS
from petteia.reports.hare_and_hounds.plan import EXPERIMENTS


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, int], Report]]:
    """Makes the report in a folder, by so many jobs, its experiments with a few games each."""
    declarations = tmp_path_factory.mktemp("declarations")
    sizes = {"games": 400, "evaluate_every": 20, "evaluation_games": 20, "seeds": 2}
    for name in EXPERIMENTS:
        text = shipped()[name]
        for size, value in sizes.items():
            text = re.sub(rf"^{size} = .*$", f"{size} = {value}", text, flags=re.MULTILINE)
        text = text.replace("200000", "200").replace("@100000", "@100")  # stages and steps must fit the games
        (declarations / f"{name}.toml").write_text(text)

    def small(name: str, **options: Any) -> Any:
        return experiment(declarations / f"{name}.toml", **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "experiment", small)
        patch.setattr(outputs, "figures", lambda result: {})  # the page has its own; those are tested with experiments
        yield lambda folder, jobs: report("hare-and-hounds", scale="quick", folder=folder, jobs=jobs)


@pytest.fixture(scope="module")
def made(make: Callable[[Path, int], Report], tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make(tmp_path_factory.mktemp("reports"), 2)


@pytest.mark.slow
def test_page_of_hare_and_hounds(made: Report) -> None:
    folder = made.page.parent
    text = made.page.read_text()
    assert folder.name == "hare-and-hounds-quick"
    assert json.loads((folder / "summary.json").read_text()) == made.summary
    elsewhere = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|@import', text)
    assert not elsewhere, "the page must need nothing else"
    claims = made.summary["claims"]
    assert [each["name"] for each in claims] == [each.name for each in CLAIMS]
    counts = Counter(each["verdict"] for each in claims)
    for verdict, kind in KINDS.items():
        assert text.count(f'<span class="verdict {kind}">{verdict}</span>') == counts[verdict]
    judged = [each["name"] for each in claims if each["verdict"] != "not judged at this scale"]
    assert not {each.name for each in CLAIMS if each.needs_paper} & {*judged}
    with (folder / "claims.csv").open() as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [each["verdict"] for each in claims]
    assert text.index("This is the quick form") < text.index("<figure>"), "it says its scale first"
    assert "{{" not in text
    assert "\ue000" not in text
    records = [read_record((folder / f"game-{name}.txt").read_text()) for name in ("random", "perfect", "best")]
    assert len(records[2].moves) == made.summary["solution"]["plies"] == 23
    for chart in folder.glob("*.svg"):
        assert chart.read_text() in text
    assert text.count("<figure>") == sum(len(each.moves) + 1 for each in records) + len([*folder.glob("*.svg")]) + 2 + 3
    with (folder / "judgement.csv").open() as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == 2 * (9 + 5 + 1 + 5)
    assert all(0 <= float(row["sets_reachable_perfect_share"]) <= 1 for row in rows)
    assert petteia.regret("hare-and-hounds", f"q:agent={folder / 'hounds.safetensors'}").seat == "hounds"


@pytest.mark.slow
def test_the_same_page_by_any_number_of_jobs_and_when_it_is_made_again(
    make: Callable[[Path, int], Report], made: Report, tmp_path: Path
) -> None:
    folder = made.page.parent.parent
    by_two = made.page.read_text()
    by_one = make(tmp_path, 1).page.read_text()
    assert timeless(by_two.replace(str(folder), "")) == timeless(by_one.replace(str(tmp_path), ""))
    assert by_two == make(folder, 1).page.read_text()


def timeless(text: str) -> str:
    """A page without what says how long it took."""
    return re.sub(r"[0-9.]+ (?:seconds|minutes|hours)", "", text)


@pytest.mark.slow
def test_what_was_judged_is_kept(made: Report, make: Callable[[Path, int], Report]) -> None:
    journal = next(made.page.parent.rglob("judgement.jsonl"))
    before = journal.read_text()
    make(made.page.parent.parent, 1)
    assert journal.read_text() == before
    assert len(before.splitlines()) == 2 * (9 + 5 + 1 + 5)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chess", {}, "no report 'chess'; known are british-square, hare-and-hounds"),
        ("hare-and-hounds", {"scale": "huge"}, "scale 'huge': of hare-and-hounds there is quick, paper"),
        ("hare-and-hounds", {"scale": "all"}, "scale 'all': of hare-and-hounds there is quick, paper"),
    ],
)
def test_refused(name: str, options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        report(name, **options)


@pytest.mark.slow
def test_the_other_game_keeps_its_promises() -> None:
    assert all(each.passed for each in petteia.check("petteia.games.tic_tac_toe:TicTacToe"))
