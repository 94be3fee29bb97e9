"""Where code comes from: modules with names of Python's library, arrays that change in place, borrowed names."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
from compiled_answers import GAME, Holder, compiled_only, module_of, same

from petteia.core.identity import identity_of
from petteia.core.origin import is_installed, is_of_library, is_of_package, is_users
from petteia.games.kalah import Kalah
from petteia.templates.writing import new_game

STANDARD = ("sys", "builtins", "os", "posixpath", "importlib._bootstrap", "math", "turtle", "json.decoder", "time")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules are found first; they are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in ("turtle", "numba_tools"):
        sys.modules.pop(name, None)


def scope(name: str, file: str | None = None, **more: Any) -> dict[str, Any]:
    return {"__name__": name, "__file__": file, "__spec__": None, **more}


@pytest.mark.parametrize("name", STANDARD)
def test_modules_of_pythons_library_are_known(name: str) -> None:
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec) if name == "turtle" else importlib.import_module(name)
    assert is_of_library(vars(module))
    assert not is_users(vars(module))


@pytest.mark.parametrize("name", ["numpy", "numpy.linalg", "numba", "numba.core.types", "llvmlite"])
def test_the_compiler_is_known(name: str) -> None:
    module = vars(pytest.importorskip(name))
    assert is_of_library(module)
    assert not is_users(module)
    assert is_installed(module["__file__"])


def test_names_alone_make_no_module_one_of_the_library() -> None:
    library = str(Path(os.__file__).parent)
    users = [scope(name, f"/home/me/{name}.py") for name in ("queue", "numpy", "numba_tools", "llvmlite.mine")]
    users += [scope("queue"), scope("numpy"), vars(types.ModuleType("code")), scope("__main__")]
    for each in users:
        assert not is_of_library(each), each
        assert is_users(each), each
    for place in (f"{library}/site-packages/queue", "/opt/lib/python3/dist-packages/queue"):
        installed = scope("queue", f"{place}/__init__.py")
        assert not is_of_library(installed)
        assert not is_users(installed)
    assert not is_of_library(scope("my_game", f"{library}/my_game.py"))
    assert is_of_library(scope("queue", f"{library}/queue.py"))


def test_a_function_belongs_to_the_module_that_it_stands_in_whatever_name_it_has() -> None:
    borrowed = module_of(
        "import functools\nfrom petteia.games.kalah import Kalah\n"
        "@functools.wraps(Kalah.to_move)\ndef to_move(rules, state):\n    return 1\n"
    )["to_move"]
    assert borrowed.__module__ == "petteia.games.kalah"
    assert not is_of_package(borrowed)
    assert all(map(is_of_package, (Kalah, Kalah.to_move)))
    assert not any(map(is_of_package, (int, len, Path, module_of(GAME.format("1"))["Game"])))


CHANGES = {
    "a shape": ("A = numpy.arange(6)", "len(A)", lambda array: array.resize((2, 3), refcheck=False), (6, 2)),
    "a type": ("A = numpy.arange(6)", "len(A)", lambda array: setattr(array, "dtype", numpy.int32), (6, 12)),
    "what a read-only view shows": (
        "BASE = numpy.array([5, 6])\nA = BASE.view()\nA.flags.writeable = False",
        "int(A[0])",
        lambda array: array.base.__setitem__(0, 7),
        (5, 7),
    ),
    "bytes that an array shows": (
        "A = numpy.frombuffer(bytearray(b'\\5\\6'), numpy.uint8)\nA.flags.writeable = False",
        "int(A[0])",
        lambda array: array.base.obj.__setitem__(0, 7) if hasattr(array.base, "obj") else array.base.__setitem__(0, 7),
        (5, 7),
    ),
}


@compiled_only
@pytest.mark.filterwarnings("ignore:Setting the dtype:DeprecationWarning")  # by NumPy 2.5 and later
@pytest.mark.parametrize("what", CHANGES)
def test_arrays_that_change_in_place_are_noticed(what: str) -> None:
    array, code, change, (before, after) = CHANGES[what]
    made = module_of(f"import numpy\n{array}\n{GAME.format(code)}")
    assert same(Holder(made["Game"]())) == 2 * before
    change(made["A"])
    assert same(Holder(made["Game"]())) == 2 * after


def test_fields_of_an_array_are_part_of_what_is_read() -> None:
    text = "import numpy\nA = numpy.zeros(1, [({!r}, 'i8'), ({!r}, 'i8')])\n" + GAME.format("A[0]['a']")
    one, other = (module_of(text.format(*names))["Game"] for names in ("ab", "ba"))
    assert identity_of(one).digest != identity_of(other).digest


@compiled_only
def test_a_global_of_a_method_with_a_borrowed_name_is_watched() -> None:
    made = module_of(
        "import functools\nfrom petteia.games.kalah import Kalah\nF = 5\n"
        "class Game(NamedTuple):\n    size: int = 3\n"
        "    @functools.wraps(Kalah.to_move)\n    def to_move(rules, state):\n        return F\n"
    )
    assert same(Holder(made["Game"]())) == 10
    made["F"] = 7
    assert same(Holder(made["Game"]())) == 14


TOOLS = "from petteia.core.kernel import inline\nLEVEL = {}\n@inline\ndef helped(number):\n    return number * LEVEL\n"
READS = {"a value": "{name}.LEVEL", "a function": "{name}.helped(state)"}


@compiled_only
@pytest.mark.parametrize("name", ["turtle", "numba_tools"])
@pytest.mark.parametrize("what", READS)
def test_a_module_named_like_one_of_a_library_is_watched(what: str, name: str, folder: Path) -> None:
    (folder / f"{name}.py").write_text(TOOLS.format(5))
    made = module_of(f"import {name}\n" + GAME.format(READS[what].format(name=name)))
    tools = importlib.import_module(name)
    assert Path(tools.__file__).parent == folder
    assert same(Holder(made["Game"]())) == 10
    tools.LEVEL = 6
    assert same(Holder(made["Game"]())) == 12
    (folder / f"{name}.py").write_text(TOOLS.format(7))
    importlib.reload(tools)
    assert same(Holder(made["Game"]())) == 14


SIGNED = """
import turtle
from my_nim import MyNim

class Signed(MyNim):
    def margin(rules, state):
        return turtle.helped(1) * (1 if state.side else -1)
"""


@pytest.mark.slow
@compiled_only
def test_an_edited_module_named_like_one_of_the_library_changes_the_winner(tmp_path: Path) -> None:
    new_game("my_nim", tmp_path)
    (tmp_path / "signed.py").write_text(SIGNED)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    for level in (1, -1):
        (tmp_path / "turtle.py").write_text(TOOLS.format(level))
        told = []
        for command in (["solve", "--check"], ["prove"]):
            ran = subprocess.run(
                [sys.executable, "-m", "petteia", command[0], "signed:Signed:stones=9", *command[1:], "--json"],
                env=environment | {"PETTEIA_CACHE": str(tmp_path / "cache")},
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
            told.append(json.loads(ran.stdout)["value"])
        assert told == [level, level]
