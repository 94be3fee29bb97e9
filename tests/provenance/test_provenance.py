"""What was learned, solved or played with users' own code knows this code: edits are noticed, and nothing but edits."""

from __future__ import annotations

import importlib
import itertools
import json
import linecache
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from own_modules import ENVIRONMENT, FEATURES, edit, forget_modules, write_modules

import petteia
from petteia.foreign.loading import load_class
from petteia.games.kalah import Kalah
from petteia.players.perfect import solved
from petteia.provenance import syntax
from petteia.provenance.live import UNREAD, difference, provenance
from petteia.records.fingerprint import fingerprint


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the modules are."""
    write_modules(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "elsewhere"), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


def parts(name: str = "fb:Mine") -> dict[str, str]:
    forget_modules()
    found = provenance(load_class(name, "features"))
    forget_modules()
    return found


# What is noticed, and what is not.

NOTICED = {
    "a literal": ("fb.py", "= 0, 1", "= 1, 0", "fb.Mine.features"),
    "a number of the module": ("fb.py", "WEIGHTS = 21", "WEIGHTS = 22", "fb.STONES"),
    "a tuple of numbers": ("fb.py", "(1, 2.5)", "(1, 2.25)", "fb.WEIGHTS"),
    "an integer that becomes a fraction": ("fb.py", "(1, 2.5)", "(1.0, 2.5)", "fb.WEIGHTS"),
    "a member of an enumeration": ("fb.py", "FIRST = 0", "FIRST = 1", "fb.Side.FIRST"),
    "the default of a field": ("fb.py", "unit: float = 1.0", "unit: float = 2.0", "fb.Base.unit"),
    "a method of a class above": ("fb.py", "return 2\n\n\nclass Mine", "return 3\n\n\nclass Mine", "fb.Base.size"),
    "a function that is decorated": ("fb.py", "math.sqrt(x)", "math.sqrt(x) + 1", "fb.root"),
    "a decorator": (
        "fb.py",
        "return function(*arguments)",
        "return -function(*arguments)",
        "fb.logged.<locals>.wrapper",
    ),
    "a function inside another": ("fb.py", "y % 2 == 0", "y % 2 == 1", "fb.even"),
    "a helper in another folder": ("elsewhere/helper.py", "x * SCALE", "x + SCALE", "helper.scaled"),
    "its number": ("elsewhere/helper.py", "SCALE = 0.5", "SCALE = 0.25", "helper.SCALE"),
    "a dictionary's statement": ("elsewhere/helper.py", '["b"] = 2', '["b"] = 3', "fb.TABLE"),
    "a number that was imported with all": ("numbers_of_mine.py", "LATE = 0", "LATE = 1", "fb.LATE"),
    "how a list is made": ("numbers_of_mine.py", "(i, i)", "(i, -i)", "numbers_of_mine.pairs"),
    "which helper is which": (
        *("fb.py", "from helper import TABLE, scaled", "from helper import TABLE, unused as scaled"),
        "fb.scaled",
    ),
    "a method of another value": ("numbers_of_mine.py", "Pair(1, 2).second", "Pair(2, 1).second", "fb.SECOND"),
    "what an imported name stands for": ("fb.py", "import math\n", "import cmath as math\n", "fb.math"),
}
UNNOTICED = {
    "a comment": ("fb.py", "# is it even?", "# is it?"),
    "a docstring": ("fb.py", '"""Write them."""', '"""Write both."""'),
    "no docstring": ("fb.py", '    """What I see."""\n', ""),
    "the docstring of the module, and all lines move": ("fb.py", '"""My features."""', '"""\nMy\nfeatures.\n"""'),
    "an annotation": ("fb.py", "def even(x):", "def even(x: int) -> bool:"),
    "parentheses": ("fb.py", "return math.sqrt(x)", "return (math.sqrt((x)))"),
    "a player in the same file": ("fb.py", "return 1\n\n\ndef value", "return 2\n\n\ndef value"),
    "an evaluation in the same file": ("fb.py", "return 0\n", "return 5\n"),
    "what features are called": ("fb.py", '("stones", "even")', '("heap", "even")'),
    "what runs as a script": ("fb.py", "    PAIRS = []", "    PAIRS = [1]"),
    "a helper that is not used": ("elsewhere/helper.py", "return x\n", "return -x\n"),
}


@pytest.mark.parametrize("what", NOTICED)
def test_an_edit_is_noticed_and_named(what: str, folder: Path) -> None:
    name, old, new, part = NOTICED[what]
    before = parts()
    edit(folder / name, old, new)
    told = difference(before, parts(), "the values were learned")
    assert told is not None
    assert part in told


@pytest.mark.parametrize("what", UNNOTICED)
def test_what_changes_nothing_is_not_noticed(what: str, folder: Path) -> None:
    before = parts()
    edit(folder / UNNOTICED[what][0], *UNNOTICED[what][1:])
    assert difference(before, parts(), "the values were learned") is None


def test_each_of_several_classes_in_a_file_has_a_source_of_its_own(folder: Path) -> None:
    assert set(parts("fb:Player")) == {"fb.Player", "fb.Player.new_game", "fb.Player.choose"}
    assert "fb.Mine.features" in parts()
    assert "fb.Player" not in parts()
    assert provenance(Kalah()) == {}  # the package's own


def test_a_game_does_not_change_with_its_notation(folder: Path) -> None:
    before = parts("my_nim:MyNim")
    edit(folder / "my_nim.py", 'f"{state.stones} {', 'f"{state.stones}  {')
    assert parts("my_nim:MyNim") == before
    edit(folder / "my_nim.py", "MAX_TAKEN = 3", "MAX_TAKEN = 4")
    assert difference(before, parts("my_nim:MyNim"), "x") == "my_nim.MAX_TAKEN has changed since x"


def test_a_moved_file_is_the_same_and_a_renamed_one_is_not(folder: Path) -> None:
    before = parts()
    shutil.move(folder / "elsewhere/helper.py", folder / "helper.py")
    assert parts() == before
    shutil.move(folder / "helper.py", folder / "whole.py")
    edit(folder / "fb.py", "from helper import", "from whole import")
    assert difference(before, parts(), "x") == "fb.scaled has changed since x"  # another module's


def test_a_module_that_is_passed_on_counts_as_a_whole(folder: Path) -> None:
    text = "import helper\n\n\ndef look(m):\n    return m.scaled(1)\n\n\nclass Whole:\n    def choose(self):\n        "
    (folder / "whole.py").write_text(f"{text}return look(helper)\n")
    before = parts("whole:Whole")
    edit(folder / "elsewhere/helper.py", "x * SCALE", "x + SCALE")
    assert difference(before, parts("whole:Whole"), "x") == "helper.scaled has changed since x"


def test_a_file_that_was_edited_after_its_import_does_not_count(folder: Path) -> None:
    before = parts()
    forget_modules()
    found = load_class("fb:Mine", "features")
    edit(folder / "fb.py", "= 0, 1", "= 1, 0")
    edit(folder / "elsewhere/helper.py", "x * SCALE", "x + SCALE")
    edit(folder / "elsewhere/helper.py", '["b"] = 2', '["b"] = 3')
    assert provenance(found) == before
    assert parts() != before


def test_a_module_that_was_imported_before_and_edited_since_is_not_taken_for_what_the_file_says_now(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = parts()
    forget_modules()
    found = importlib.import_module("fb").Mine  # by a script, before it calls this package
    monkeypatch.setattr(syntax, "_imported", {})
    edit(folder / "fb.py", "= 0, 1", "= 1, 0")
    told = difference(before, provenance(found), "the values were learned")
    assert told == "fb.Mine.features may have changed since the values were learned (the source could not be read)"
    edit(folder / "fb.py", "= 1, 0", "= 0, 1")
    assert provenance(found) == before


def test_a_reloaded_module_counts_as_it_is_now(folder: Path) -> None:
    forget_modules()
    before = provenance(load_class("fb:Mine", "features"))
    edit(folder / "elsewhere/helper.py", '["b"] = 2', '["b"] = 3')
    edit(folder / "fb.py", "= 0, 1", "= 1, 0")
    importlib.reload(sys.modules["helper"])
    found = provenance(importlib.reload(sys.modules["fb"]).Mine)
    assert difference(before, found, "x") == "fb.Mine.features and fb.TABLE have changed since x"
    assert found == parts()


def test_what_is_replaced_at_run_time_counts(folder: Path) -> None:
    forget_modules()
    cls: Any = load_class("fb:Mine", "features")
    before = provenance(cls)
    sys.modules["fb"].STONES = 7  # type: ignore[attr-defined]
    assert difference(before, provenance(cls), "x") == "fb.STONES has changed since x"
    sys.modules["fb"].even = lambda x: True  # type: ignore[attr-defined]
    assert difference(before, provenance(cls), "x") is not None
    forget_modules()


@pytest.mark.slow
def test_what_is_known_of_rules_is_known_of_their_code(folder: Path) -> None:
    forget_modules()
    cls: Any = load_class("my_nim:MyNim", "game")
    rules = cls(9)
    before = fingerprint(rules), solved(rules)
    assert (fingerprint(rules), solved(rules)) == before
    sys.modules["my_nim"].MAX_TAKEN = 2  # type: ignore[attr-defined]
    assert fingerprint(rules) != before[0]
    assert solved(rules) is not before[1]
    forget_modules()


def test_a_class_of_a_script_counts(folder: Path) -> None:
    (folder / "script.py").write_text(
        f"{FEATURES}\nimport json\nfrom petteia.provenance.live import provenance\nprint(json.dumps(provenance(Mine)))"
    )
    ran = subprocess.run([sys.executable, "script.py"], env=ENVIRONMENT, check=True, capture_output=True, text=True)
    known = {name.replace("fb.", "__main__."): digest for name, digest in parts().items()}
    assert json.loads(ran.stdout).keys() == known.keys()
    assert json.loads(ran.stdout)["__main__.Mine.features"] == known["__main__.Mine.features"]


def test_cells_of_a_notebook_count_by_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    first = "SCALES = [1]\ndef twice(x):\n    return 2 * x\n"
    second = "class Mine:\n    def choose(self, x):\n        return twice(x) * SCALES[0]\n"

    def ran(*cells: str) -> dict[str, str]:
        notebook = ModuleType("notebook")
        monkeypatch.setitem(sys.modules, "notebook", notebook)
        for text in cells:
            name = f"<cell {next(numbers)}>"
            monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(keepends=True), name))
            exec(compile(text, name, "exec"), vars(notebook))
        return provenance(notebook.Mine)

    numbers = itertools.count()
    before = ran(first, second)
    assert not any(UNREAD in digest for digest in before.values())
    assert ran(f"# to begin with\n{first}", f"\n{second}") == before
    for changed in (first.replace("2 *", "3 *"), first.replace("[1]", "[2]")):
        after = ran(first, second, changed)  # the second cell is not run again
        told = difference(before, after, "the values were learned")
        assert told == f"notebook.{'twice' if '3 *' in changed else 'SCALES'} has changed since the values were learned"


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_digests_are_the_same_on_every_version_of_python(version: str, folder: Path) -> None:
    python = other_python(version)
    script = (
        "import json, sys; sys.path[:0] = ['.', 'elsewhere']; import fb, my_nim, bob\n"
        "from petteia.provenance.live import provenance\n"
        "print(json.dumps(provenance(fb.Mine, my_nim.MyNim(), bob.Bot)))"
    )
    environment = {**ENVIRONMENT, "PYTHONPATH": str(Path(petteia.__file__).parents[1])}
    ran = subprocess.run([python, "-c", script], env=environment, check=True, capture_output=True, text=True)
    assert json.loads(ran.stdout) == parts() | parts("my_nim:MyNim") | parts("bob:Bot")


def other_python(version: str) -> str:
    places = [shutil.which(f"python{version}"), *sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))]
    for place in places:
        if place is not None and subprocess.run([place, "-c", ""], capture_output=True, check=False).returncode == 0:
            return str(place)
    pytest.skip(f"there is no Python {version} here")
