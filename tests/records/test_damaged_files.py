"""Every file that is read, with damage: what is refused is told in one line, and nothing that was changed is believed.

With the checksums mended nothing but a line, or another meaning, may come out.
"""

from __future__ import annotations

import functools
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from flat_options import train
from matching_checksums import mend, mended_lines, mended_tablebase, mended_weights
from raised_errors import in_one_line
from sample_records import RECORD
from small_experiments import SMALL, written

import petteia
from petteia.core.errors import PetteiaError
from petteia.core.names import format_game
from petteia.experiments.experiment import experiment, plan, size_of
from petteia.experiments.run_list import runs
from petteia.experiments.tournament import play
from petteia.experiments.tournament.results import TournamentResult
from petteia.experiments.training import _trainer, open_training, resume
from petteia.games import game
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Match
from petteia.reports.engine.work import Work
from petteia.solver.solution import solve
from petteia.value_functions.linear_file import load_linear
from petteia.value_functions.report_weights import REPORT_RULES
from petteia.value_functions.table_file import load_table

TOURNAMENT = """
title = "Who beats whom"

[tournament]
game = "hare-and-hounds"
players = ["random", "simple"]
games = 4
"""
SOLVED = "kalah:pits=2,seeds=2"
LINEAR = "kalah:pits=3,seeds=2,leftovers=nobody"


class Kind(NamedTuple):
    """A kind of file."""

    file: Path
    read: Callable[[], Any]
    """all that is read of it, by whoever reads it"""
    mend: Callable[[], None]
    """make its checksums, and those of what belongs to it, match again"""


def plain(value: Any) -> Any:
    """What was read, in a form that can be compared."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


def read_training(folder: Path) -> Any:
    found = open_training(folder)
    trainer = None if found.is_finished else _trainer(found)
    read = (found.configuration, found.points, found.games, found.run.results(), found.run.times())
    row = next(each for each in runs(folder.parent) if each.name == folder.name)
    assert row.state != "damaged", row.what
    return *read, row, trainer and trainer.done


def nothing() -> None:
    """Mend what has no checksums."""


def mend_file(file: Path, mended: Callable[[bytes], bytes]) -> None:
    file.write_bytes(mended(file.read_bytes()))


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kind]:
    """Small ones of every kind."""
    root = tmp_path_factory.mktemp("kinds")
    options: dict[str, Any] = {"games": 12, "evaluate_every": 4, "evaluation_games": 2, "runs": root / "runs"}
    found: dict[str, Kind] = {}
    for name in ("finished", "unfinished"):
        run = train("hare-and-hounds", name=name, **options).run
        if name == "unfinished":
            (run.path / "results.json").unlink()
        for file in sorted(run.path.iterdir()):
            if not file.name.startswith("."):
                alone = functools.partial(mend_file, file, functools.partial(mended_lines, before=""))
                mending = alone if file.name == "times.json" else functools.partial(mend, run.path)
                found[f"{name} {file.name}"] = Kind(file, functools.partial(read_training, run.path), mending)
    linear = train(LINEAR, features="store", name="linear", **options).run.weights
    shutil.copy(linear, root / "linear.safetensors")
    shutil.copy(run.weights, root / "table.safetensors")
    for name, load, rules in (
        ("linear", load_linear, game(LINEAR)),
        ("table", load_table, game("hare-and-hounds")),
    ):
        file = root / f"{name}.safetensors"
        mending = functools.partial(mend_file, file, mended_weights)
        found[f"weights of a {name}"] = Kind(file, functools.partial(load, file, rules), mending)
    tablebase = root / "tablebase"
    solve(SOLVED, table=tablebase)
    mending = functools.partial(mend_file, tablebase, mended_tablebase)
    found["tablebase"] = Kind(tablebase, functools.partial(solve, SOLVED, table=tablebase, check=True), mending)
    found |= of_experiments(root) | of_reports(root)
    record = root / "record.txt"
    record.write_text(RECORD)
    found["record"] = Kind(record, functools.partial(petteia.record, record), nothing)
    return found


def of_experiments(root: Path) -> dict[str, Kind]:
    declared = written(root, SMALL)
    found = {"experiment": Kind(declared, lambda: size_of(plan(declared)), nothing)}
    source = written(root, TOURNAMENT, "tournament.toml")
    found["tournament"] = Kind(source, lambda: size_of(plan(source)), nothing)
    planned, made = plan(source), experiment(source, folder=root / "experiments")
    folder = made.folder / "matches"

    def read() -> Any:
        run = play._run(made.folder, planned)
        cells = play.cells_of(planned, play._played(run, planned))
        result = TournamentResult(planned, cells, made.folder, run)
        return cells, result.rows, result.table() if len(cells) == planned.combinations else None

    for name in ("run.json", "points.jsonl", "results.json"):
        found[f"tournament {name}"] = Kind(folder / name, read, functools.partial(mend, folder))
    return found


@kept
def noted(evidence: Evidence, text: str) -> dict[str, str | float]:
    return {"found": text, "share": 0.5}


def of_reports(root: Path) -> dict[str, Kind]:
    work = Work(root / "work", "quick", None, 1, lambda *words: None)
    work.folder.mkdir()

    def rows() -> Any:
        evidence = Evidence(format_game(REPORT_RULES), work, {})
        return [noted(evidence, text) for text in ("a", "b")]

    def steps() -> Any:
        journal, found = work.steps("steps", dict[str, float])
        journal.append([{"best": 0.5}, {"best": 0.75}][len(found) :])
        return work.steps("steps", dict[str, float])[1]

    def matches() -> Any:
        return Evidence(format_game(REPORT_RULES), work, {}).cells(Match("random", "random", 4))

    readers: dict[str, Callable[[], Any]] = {"noted": rows, "steps": steps, "match": matches}
    found = {}
    for name, read in readers.items():
        read()
        (file,) = (path for path in work.folder.rglob(f"{name}*") if path.is_file())
        identity = file.name
        mending = functools.partial(mend_file, file, functools.partial(mended_lines, before=identity))
        found[f"evidence {name}"] = Kind(file, read, mending)
    return found


def mutant(draw: random.Random, content: bytes) -> bytes:
    """The content with one to three changes: bytes, digits, lines or the end."""
    data = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        place = draw.randrange(len(data)) if data else 0
        match draw.randrange(8):
            case 0:
                data[place : place + 1] = bytes([draw.randrange(256)])
            case 1:
                data[place : place + 1] = bytes([data[place] ^ (1 << draw.randrange(8))]) if data else b"x"
            case 2:
                data[place:place] = draw.choice((b"9", b"-", b"e9", b'"', b"\n", b"\0", b"[", b"null", b"\xff" * 9))
            case 3:
                del data[place : place + draw.randrange(1, 9)]
            case 4:
                del data[place:]
            case 5:
                other = draw.randrange(len(data)) if data else 0
                data[place:place] = data[other : other + draw.randrange(1, 99)]
            case 6:
                digits = [at for at, sign in enumerate(data) if 48 <= sign <= 57]
                if digits:
                    data[draw.choice(digits)] = draw.choice(b"0123456789")
            case 7:
                lines = data.split(b"\n")
                draw.shuffle(lines)
                data = bytearray(b"\n".join(lines))
    return bytes(data)


@contextmanager
def as_it_was(folder: Path) -> Iterator[None]:
    """The files in a folder, and no others, are as they were at the end."""
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    try:
        yield
    finally:
        for path in folder.iterdir():
            if path.is_file() and path not in before:
                path.unlink()
        for path, content in before.items():
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)


def look_at(kind: Kind, content: bytes, expected: Any, *, mended: bool) -> bool:
    """Read a damaged file; whether something came out."""
    with as_it_was(kind.file.parent):
        kind.file.write_bytes(content)
        if mended:
            kind.mend()
        found = None
        with suppress(PetteiaError), in_one_line(kind.file.name):
            found = plain(kind.read())
        if found is None:
            return False
        if kind.mend is not nothing and not mended:
            assert found == expected, "it was believed"
        return True


NAMES = [
    *(f"{run} {file}" for run in ("finished", "unfinished") for file in ("points.jsonl", "run.json", "times.json")),
    *(f"{run} weights.safetensors" for run in ("finished", "unfinished")),
    "finished results.json",
    *(f"tournament {file}" for file in ("points.jsonl", "results.json", "run.json")),
    *("weights of a linear", "weights of a table", "tablebase", "record", "experiment", "tournament"),
    *(f"evidence {name}" for name in ("noted", "steps", "match")),
]


def fuzz(kind: Kind, count: int, *, mended: bool, seed: str) -> int:
    original, expected = kind.file.read_bytes(), plain(kind.read())
    draw = random.Random(seed)
    accepted = 0
    for number in range(count):
        content = mutant(draw, original)
        try:
            accepted += content != original and look_at(kind, content, expected, mended=mended)
        except Exception as error:
            error.add_note(f"mutant {number} of {kind.file.name}: {content[:2000]!r}")
            raise
    assert plain(kind.read()) == expected
    return accepted


def test_each_kind_is_known(kinds: dict[str, Kind]) -> None:
    assert sorted(kinds) == sorted(NAMES)


UNBOUND = ("record", "experiment", "tournament")
"""what people write, which has no checksums"""
CASES = [(name, mended) for name in NAMES for mended in ((False,) if name in UNBOUND else (False, True))]
EACH = pytest.mark.parametrize(
    ("name", "mended"), CASES, ids=[f"{name} mended" if mended else name for name, mended in CASES]
)


@EACH
def test_mutants(name: str, mended: bool, kinds: dict[str, Kind]) -> None:
    fuzz(kinds[name], 6, mended=mended, seed=name)


@pytest.mark.heavy
@EACH
def test_ten_thousand_mutants(name: str, mended: bool, kinds: dict[str, Kind]) -> None:
    accepted = fuzz(kinds[name], 10_000, mended=mended, seed=f"{name} at length")
    print(f"{name}: of 10,000 mutants {accepted:,} accepted")


def test_resume_refuses_what_open_refuses(kinds: dict[str, Kind]) -> None:
    kind = kinds["finished weights.safetensors"]
    with as_it_was(kind.file.parent):
        kind.file.write_bytes(kind.file.read_bytes()[:-1] + b"x")
        with pytest.raises(PetteiaError, match=r"weights.safetensors: damaged"):
            resume(kind.file.parent)
