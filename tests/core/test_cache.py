"""Kernels kept on disk: found again, never out of date, never trusted when damaged."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numba
import pytest

from petteia.core import announcements, cache, kernel, origin
from petteia.core.kernel import Kernel
from petteia.foreign.sources import foreign_modules
from petteia.templates.writing import new_game


class Pair(NamedTuple):
    one: int
    two: int


def total(pair: Pair, factor: int) -> int:
    return (pair.one + pair.two) * factor


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("PETTEIA_CACHE", str(tmp_path / "cache"))
    cache._use.cache_clear()
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch):
    """What is announced as being compiled."""
    messages: list[str] = []
    monkeypatch.setattr(announcements, "announce", messages.append)
    monkeypatch.setattr(kernel, "KERNELS", [])
    return messages


def run(function: Callable[..., int] = total, pair: tuple[int, ...] = Pair(3, 4)) -> int:
    """The function as a kernel that knows nothing of earlier ones, as in a fresh process."""
    return Kernel(function)(pair, 10)


def files(folder: Path) -> list[Path]:
    return list(folder.glob("kernels-*/*"))


def test_a_kernel_is_compiled_once(folder, compiled):
    assert [run(), run(), run()] == [70, 70, 70]
    assert compiled == ["compiling total (only once)"]
    assert len(files(folder)) == 1


DAMAGE = {
    "truncated": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "garbage": lambda data: bytes(len(data)),
    "a changed byte of the code": lambda data: data[:-400] + bytes([data[-400] ^ 1]) + data[-399:],
    "a changed byte of the checksum": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "text": lambda data: b"this is not a compiled kernel",
}


AT_ONCE = """
import pathlib, sys, time
import numba.core.dispatcher
from petteia.core.kernel import kernel
from cache_at_once import cubed
compile_extra = numba.core.dispatcher.compiler.compile_extra
def slow(*arguments, **keywords):
    print("compiled", flush=True)
    time.sleep(1.0)
    return compile_extra(*arguments, **keywords)
numba.core.dispatcher.compiler.compile_extra = slow
pathlib.Path(sys.argv[1]).touch()
while not all(pathlib.Path(name).exists() for name in sys.argv[2:]):
    time.sleep(0.01)
print(kernel(cubed)(3))
"""


@pytest.mark.slow
@pytest.mark.skipif(not cache.HAS_LOCKS, reason="needs locks")
def test_of_two_processes_one_compiles_and_the_other_waits_for_it(tmp_path, folder):
    (tmp_path / "cache_at_once.py").write_text("def cubed(number):\n    return number ** 3\n", encoding="utf-8")
    names = [str(tmp_path / name) for name in ("one", "two")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE, name, *names], env=environment, stdout=subprocess.PIPE, text=True
        )
        for name in names
    ]
    assert sorted("".join(each.communicate(timeout=120)[0] for each in both).split()) == ["27", "27", "compiled"]


WITH_A_RUNTIME = """
import math

def total(value):
    print("seen", value)
    if value > 9.0:
        raise ValueError("too much")
    return math.gamma(value) + math.erf(value) + value**0.5 + math.atan2(0.0, value)
"""


def test_a_process_that_compiles_nothing_has_all_that_machine_code_runs_on(tmp_path):
    """The functions of C's mathematics, what prints, and what makes exceptions."""
    (tmp_path / "with_a_runtime.py").write_text(WITH_A_RUNTIME, encoding="utf-8")
    code = "import with_a_runtime; from petteia.core.kernel import kernel; total = kernel(with_a_runtime.total)"
    code += "; print(round(total(4.0), 6)); total(10.0)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.stdout.splitlines() == ["seen 4.0", "9.0", "seen 10.0"]
        assert done.stderr.endswith("ValueError: too much\n")
    assert "compiling" not in done.stderr, "the second time nothing is compiled"


def test_who_fails_to_compile_lets_others_try(folder, compiled):
    def impossible(pair: Pair, factor: int) -> int:
        return [pair].nothing  # type: ignore[attr-defined, no-any-return]

    broken = Kernel(impossible)
    for _ in range(2):
        with pytest.raises(numba.core.errors.TypingError):
            broken(Pair(3, 4), 10)
    assert not broken.dispatcher(checked=True)._cache._unlocks


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_discarded_and_replaced(damage, folder, compiled):
    run()
    (path,) = files(folder)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert run() == 70
    assert len(compiled) == 2
    assert run() == 70
    assert len(compiled) == 2


def test_specialisations_of_a_kernel_stay_apart(folder, compiled):
    assert run(pair=Pair(1, 2)) == 30
    assert Kernel(total)(Pair(1, 2.5), 10) == 35.0
    assert [Kernel(total)(pair, 10) for pair in (Pair(1, 2), Pair(1, 2.5))] == [30, 35.0]
    assert len(compiled) == len(files(folder)) == 2


def test_a_missing_file_is_compiled_again(folder, compiled):
    run()
    files(folder)[0].unlink()
    assert [run(), run()] == [70, 70]
    assert len(compiled) == 2


def test_a_cache_that_cannot_be_made_is_done_without(tmp_path, monkeypatch, compiled):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PETTEIA_CACHE", str(tmp_path / "file" / "cache"))
    assert [run(), run()] == [70, 70]
    assert len(compiled) == 2


def test_a_full_disk_is_done_without(folder, compiled, monkeypatch):
    def full(path: Path, content: bytes) -> None:
        path.open("wb").close()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert run() == 70
    assert files(folder) == []


def test_classes_of_the_running_script_stay_in_memory(folder, compiled, monkeypatch):
    class Local(NamedTuple):
        one: int
        two: int

    assert run(pair=Local(1, 2)) == 30
    monkeypatch.setattr(Pair, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "Pair", Pair, raising=False)
    assert run() == 70
    assert files(folder) == []


def test_what_was_not_used_for_a_month_is_removed(folder, compiled):
    places = {"kernels-a": ("old", "recent"), "of somebody else": ("old",)}
    for place, names in places.items():
        (folder / place).mkdir(parents=True)
        for name in names:
            (folder / place / name).touch()
            os.utime(folder / place / name, (time.time() - {"old": 40, "recent": 20}[name] * 86400,) * 2)
    cache._use.cache_clear()
    run()
    for place, names in places.items():
        kept = {path.name for path in (folder / place).iterdir()}
        assert kept == ({"recent"} if place == "kernels-a" else {*names})


def test_what_is_loaded_counts_as_used(folder, compiled):
    run()
    (path,) = files(folder)
    os.utime(path, (time.time() - 20 * 86400,) * 2)
    run()
    assert time.time() - path.stat().st_mtime < 86400


def test_variables_that_change_code_have_folders_of_their_own(folder, compiled, monkeypatch):
    run()
    cache.compiler_hash.cache_clear()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    run()
    assert len(compiled) == 2
    assert len(list(folder.glob("kernels-*"))) == 2
    monkeypatch.undo()
    cache.compiler_hash.cache_clear()


CAVE = "from typing import NamedTuple\nclass Cave(NamedTuple):\n    depth: int\n"


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Write modules into a folder and import them; they are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)

    def write(sources: dict[str, str]) -> None:
        for name, source in sources.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(source)

    yield write
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_class_depends_on_the_modules_beside_it(modules):
    modules(
        {
            "cave.py": "import json, numpy, bats, house.cellar\n" + CAVE,
            "bats.py": "",
            "unused.py": "",
            "house/__init__.py": "from . import attic",
            "house/cellar.py": "from house.attic import dust",
            "house/attic.py": "import bats\ndust = 1",
        }
    )
    import cave

    assert foreign_modules({cave.Cave}) == ["bats", "cave", "house", "house.attic", "house.cellar"]
    assert foreign_modules({Pair}) >= ["test_cache"]


def test_packages_installed_in_the_folder_of_a_game_are_no_part_of_it(modules, tmp_path, monkeypatch):
    modules({"cave.py": "import site_of_mine.bats\n" + CAVE, "site_of_mine/bats.py": ""})
    import cave

    assert foreign_modules({cave.Cave}) == ["cave", "site_of_mine.bats"]
    monkeypatch.setattr(origin, "INSTALLED", (str(tmp_path / "site_of_mine"),))
    assert foreign_modules({cave.Cave}) == ["cave"]


def test_a_derived_class_depends_on_its_base(modules):
    modules({"lower/base.py": CAVE, "upper/mine.py": "import lower.base\nclass Mine(lower.base.Cave):\n    pass"})
    from upper.mine import Mine

    assert foreign_modules({Mine}) == ["lower.base", "upper.mine"]


def test_a_file_edited_after_its_import_is_not_taken_for_what_was_imported(modules, folder, compiled):
    source = CAVE + "FACTOR = 1\n"
    source += "def deepened(cave, by):\n    return cave.depth * by * FACTOR\n"
    modules({"cave.py": source})
    import cave

    assert run(cave.deepened, cave.Cave(5)) == 50
    modules({"cave.py": source.replace("FACTOR = 1", "FACTOR = 1000")})
    assert run(cave.deepened, cave.Cave(5)) == 50
    del sys.modules["cave"]
    import cave as edited

    assert run(edited.deepened, edited.Cave(5)) == 50_000


NIM = """
import petteia
print(petteia.perft("nim:Nim", 5))
"""
HARE = """
import petteia
print(petteia.perft("hare-and-hounds", 5))
"""


class Process(NamedTuple):
    printed: list[str]
    compiled: list[str]


def fresh(code: str, folder: Path, **variables: str) -> Process:
    """Run `code` in a fresh process that starts in `folder`."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stderr.splitlines()
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("petteia: compiling ") for line in said), done.stderr
    compiled = [re.sub("petteia: compiling | \\(only once.*", "", line) for line in said]
    return Process(done.stdout.splitlines(), compiled)


@pytest.mark.slow
def test_an_edited_game_has_its_new_rules_and_a_removed_one_leaves_no_trace(tmp_path, folder):
    path = new_game("nim", tmp_path)
    both = fresh(NIM + HARE, tmp_path)
    assert both.printed == [str(3**5), "2879"]
    assert len(both.compiled) == 2
    assert fresh(NIM + HARE, tmp_path) == Process(both.printed, [])
    path.write_text(path.read_text().replace("MAX_TAKEN = 3", "MAX_TAKEN = 2"))
    edited = fresh(NIM + HARE, tmp_path)
    assert edited.printed == [str(2**5), "2879"]
    assert edited.compiled == ["perft for nim:Nim"]
    path.write_text(path.read_text().replace('"""The state after a legal move."""', '"""What follows."""'))
    assert fresh(NIM, tmp_path) == Process(edited.printed[:1], [])
    path.unlink()
    assert fresh(HARE, tmp_path) == Process(["2879"], [])


@pytest.mark.slow
def test_bounds_are_checked_after_a_cache_without_checks_is_warm(tmp_path, folder):
    (tmp_path / "filling.py").write_text(
        "from petteia.core.kernel import kernel\n\n@kernel\ndef fill(out, count):\n"
        "    for i in range(count):\n        out[i] = i\n"
    )
    code = """
import numpy as np
from filling import fill
try:
    fill(np.zeros(3, np.int64), 3)
    print("unchecked")
except IndexError:
    print("IndexError")
"""
    assert fresh(code, tmp_path).printed == ["unchecked"]
    code = code.replace("zeros(3", "zeros(2")
    checked = fresh(code, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert checked.printed == ["IndexError"]
    assert len(checked.compiled) == 1
