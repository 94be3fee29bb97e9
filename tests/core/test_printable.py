"""What other people's files and programs say is shown without obeying it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from own_drawings import GAME

import petteia
from petteia.cli import main
from petteia.cli.output import print_json, print_table, say, show
from petteia.core.announcements import announce
from petteia.core.printable import LONGEST, lines, one_line

EVIL = "\x1b[2J\x9b31m\x7f\u202e\u2028\udcff\r\x07"
SHOWN = r"\x1b[2J\x9b31m\x7f\u202e\u2028\udcff\r\x07"
CLI = Path(petteia.__file__).parent / "cli"


def is_safe(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def test_what_is_unprintable_is_escaped() -> None:
    assert one_line(f"a{EVIL}\n\tb") == rf"a{SHOWN}\n\tb"
    assert lines(f"a{EVIL}\nb") == f"a{SHOWN}\nb"
    assert one_line(same := "Kalah – “é” 日本 🂡 ♟ \\ \xa0") == same


def test_a_line_is_bounded() -> None:
    assert one_line("x" * LONGEST) == "x" * LONGEST
    for long in ("x" * (LONGEST + 1), "\x1b" * LONGEST):
        assert one_line(long).endswith(" ...")
        assert len(one_line(long)) == LONGEST
        assert one_line(one_line(long)) == one_line(long)


def test_all_that_prints_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    show(EVIL, f"one\n{EVIL}")
    say(EVIL, f"{EVIL}\n")
    announce(EVIL)
    print_table((EVIL, "b"), [(EVIL, 1), ("x", 2)])
    out, err = capsys.readouterr()
    assert is_safe(out)
    assert is_safe(err)
    assert out.count(SHOWN) == 4
    assert err.splitlines() == [f"petteia: {SHOWN}", rf"petteia: {SHOWN}\n", f"petteia: {SHOWN}"]


def test_json_says_the_same_and_is_safe_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_json("x", text=EVIL, names=[EVIL, "é♟"])
    out = capsys.readouterr().out
    assert is_safe(out)
    assert "é♟" in out
    assert json.loads(out) == {"schema": 1, "command": "x", "text": EVIL, "names": [EVIL, "é♟"]}


def test_commands_print_through_the_functions_that_escape() -> None:
    allowed = {"output.py", "app.py"}  # which prints the version and the help
    for file in CLI.glob("*.py"):
        calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
        prints = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ("print", "input")]
        assert file.name in allowed or all("lines(" in ast.unparse(call) for call in prints), file.name


DRAWING = """
def text(rules, state): return "\\x1b[2Jone\\ntwo"
"""


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game whose texts hold what a terminal obeys, in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    game = GAME.replace('f"ply/', 'f"\\x9b31mply/').replace('"ab"[move]', '("\\x1b[1ma", "\\x1b[1mb")[move]')
    (tmp_path / "evil_pass.py").write_text(game + DRAWING)
    return "evil_pass:Pass"


def test_a_game_whose_texts_hold_escapes(
    evil: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter([r"\x1b[2J", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or next(typed))
    assert main(["play", evil]) == 0
    assert main(["best", evil, "--player", "simple"]) == 0
    assert main(["differ", evil, "random", "simple", "--positions", "9"]) == 0
    assert main(["perft", evil, "1", "--divide"]) == 0
    out, err = capsys.readouterr()
    assert is_safe(out)
    assert is_safe(err)
    assert "\\x1b[2Jone\ntwo\n" in out  # a board is several lines
    assert r"\x9b31mply/" in out


def test_files_that_hold_escapes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = tmp_path / f"a{EVIL}"
    run.mkdir()
    (run / "run.json").write_text(json.dumps({"schema": EVIL, "game": EVIL, EVIL: EVIL}))
    (tmp_path / "record").write_text(f"[{EVIL.replace(chr(0xDCFF), '')}]\n")
    (tmp_path / "file.toml").write_text(f'title = "{EVIL[-4:-3]}"\n[training]\n"\\u001b[2J" = 1\n')
    for words in (
        ["runs", "--runs", str(tmp_path)],
        ["resume", str(run)],
        ["doctor", str(run)],
        ["record", str(tmp_path / "record")],
        ["record", f"{tmp_path}/none{EVIL}"],
        ["experiment", str(tmp_path / "file.toml")],
        ["match", EVIL, "random", "random"],
        ["perft", "kalah", "1", "--position", EVIL],
    ):
        main(words)
    out, err = capsys.readouterr()
    assert is_safe(out)
    assert is_safe(err)
    assert len(err.splitlines()) >= 7
