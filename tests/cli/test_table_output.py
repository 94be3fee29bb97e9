"""Tables in a terminal: they fit, nothing of them is lost, and what is the same in all rows is said once."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from flat_options import train
from small_experiments import written

import petteia
from petteia.cli import main
from petteia.cli.tables import GAP, Column, broken, fit, total

WIDTH = 80
SWEEP = """
title = "Sweep"
seeds = 2
[training]
game = "hare-and-hounds"
side = "hare"
games = 40
evaluation_games = 10
[sweep]
alpha = [0.1, 0.5]
gamma = [0.5, 0.9]
epsilon = ["0.5..0.1"]
[measure]
against = ["random"]
games = 10
"""


def drawn(generator: random.Random) -> list[Column]:
    """A table with cells of all kinds."""
    rows = generator.randrange(1, 5)
    kinds = [
        lambda: str(generator.randrange(10**9)),
        lambda: " ".join("word" * generator.randrange(1, 4) for _ in range(generator.randrange(20))),
        lambda: "0,1,3/10 hounds 0; " * generator.randrange(1, 9),
        lambda: "x" * generator.randrange(100),
    ]
    columns = []
    for number in range(generator.randrange(1, 15)):
        draw = generator.choice(kinds)
        cells = [draw().strip()] * rows if generator.random() < 0.3 else [draw().strip() for _ in range(rows)]
        columns.append(Column(f"{'heading ' * generator.randrange(5)}{number}", cells, draw is kinds[0]))
    return columns


def plain(text: str) -> str:
    """Without what breaking a text into lines may change."""
    return re.sub(r"\s", "", text)


def test_nothing_is_lost_and_all_fits() -> None:
    generator = random.Random(1)
    for _ in range(200):
        columns, keys = drawn(generator), generator.randrange(0, 3)
        found = fit(columns, WIDTH, keys)
        shown = {plain(each.head): [plain(cell) for cell in each.cells] for block in found.blocks for each in block}
        for column in columns:
            said = [cell for name, cell in found.common if name == column.head]
            if said:
                assert [said[0]] * len(column.cells) == column.cells
            else:
                assert shown[plain(column.head)] == [plain(cell) for cell in column.cells]
        for block in found.blocks:
            assert total(block) <= WIDTH
            assert all(len(line) <= WIDTH for each in block for cell in each.cells for line in cell.split("\n"))


def test_what_fits_stays_as_it_is() -> None:
    columns = [Column("same", ["1", "1"]), Column("other", ["1", "2"])]
    assert fit(columns, len("same") + GAP + len("other")) == ([], [columns])
    folded = fit(columns, len("same") + GAP + len("other") - 1)
    assert folded.common == [("same", "1")]
    assert [[each.head for each in block] for block in folded.blocks] == [["other"]]


def test_blocks_repeat_what_names_the_rows() -> None:
    columns = [Column(name, ["1" * 30, "2" * 30], True) for name in ("alpha", "gamma", "score", "states")]
    blocks = fit(columns, WIDTH, 1).blocks
    assert [[each.head for each in block] for block in blocks] == [
        ["alpha", "gamma"],
        ["alpha", "score"],
        ["alpha", "states"],
    ]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("perfect moves, reachable positions (%)", 20, ["perfect moves,", "reachable positions", "(%)"]),
        ("greedy:depth=1", 8, ["greedy:", "depth=1"]),
        ("abcdefghijk lm", 5, ["abcde", "fghij", "k lm"]),
        ("", 5, [""]),
        ("no break", 8, ["no break"]),
    ],
)
def test_where_texts_are_broken(text: str, width: int, lines: list[str]) -> None:
    assert broken(text, width).split("\n") == lines


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What a command prints, and what it says."""
    capsys.readouterr()
    assert main(arguments) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.slow
def test_a_sweep_of_many_columns(terminal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(terminal, SWEEP))
    out, err = ran(capsys, "experiment", path)
    assert max(map(len, out.splitlines()[:-1])) <= WIDTH  # the last line has the path of the folder
    assert "the same in all rows: epsilon 0.5..0.1\n" in out
    assert "--wide" in err
    wide, _ = ran(capsys, "experiment", path, "--wide")
    head = next(line for line in wide.splitlines() if line.startswith("alpha"))
    assert len(head) > 1.5 * WIDTH
    found = json.loads(ran(capsys, "experiment", path, "--json")[0])
    finals = {f"{row['mean'] * 100:.1f} [" for row in found["summary"] if row["measure"] == "against_random"}
    assert finals
    assert all(final in out and final in wide for final in finals)
    for block in out.split("\n\n")[1:-1]:
        assert block.split()[:2] == ["alpha", "gamma"]


def test_many_runs(terminal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, alpha in {"first": "0.1", "second": "0.5,0.4@2,0.3@4,0.2@6,0.1@8"}.items():
        train("hare-and-hounds", alpha=alpha, games=10, evaluation_games=4, name=name)
    out, err = ran(capsys, "runs")
    lines = out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert {"the same in all rows: gamma 0.9", "the same in all rows: game hare-and-hounds"} <= set(lines)
    assert "second" in out
    assert "0.5,0.4@2,0.3@4,0.2@6,0.1@8" in out
    assert "--wide" in err
    wide, said = ran(capsys, "runs", "--wide")
    assert (wide.count("gamma 0.9"), wide.count("finished")) == (2, 2)
    assert said == ""


@pytest.mark.slow
def test_the_list_of_experiments(terminal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = ran(capsys, "experiment", "--list")
    assert max(map(len, out.splitlines())) <= WIDTH
    for row in petteia.list_experiments():
        assert out.count(row.name) >= 2


@pytest.mark.slow
def test_no_terminal_no_folding(
    terminal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, _ = ran(capsys, "experiment", "--list", "--wide")
    monkeypatch.delenv("COLUMNS")
    assert ran(capsys, "experiment", "--list")[0] == wide
