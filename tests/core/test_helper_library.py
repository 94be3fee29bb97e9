"""Helpers leave no machine code of their own: what kernels made of them can do nevertheless."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from petteia.core.kernel import compile_alone, inline

PRINTING = """
from petteia.core.kernel import inline, kernel

@inline
def aloud(number):
    print("half of", number, "is", number / 2, (number, number > 1))
    return number + 1

@kernel
def twice(number):
    return aloud(number) * 2
"""

CALLED_FROM_BOTH = """
from petteia.core.kernel import inline, kernel

@kernel
def below(number):
    return 0 if number <= 0 else below(number - 1) + 1

@inline
def helped(number):
    return below(number) + {}

@kernel
def outer(number):
    return helped(number)
"""


@inline
def inner(number: int) -> int:
    return number ^ 1


@inline
def middle(number: int) -> int:
    return inner(number) | 2


def same(number: int) -> int:
    return number


def outermost(number: int) -> int:
    return middle(number) & inner(number)


def _ran(folder: Path, text: str) -> list[str]:
    """What a new process prints that runs this, with modules of the folder."""
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_helper_may_print(tmp_path: Path) -> None:
    (tmp_path / "printing.py").write_text(PRINTING, encoding="utf-8")
    for _ in ("compiled", "from the cache"):
        printed = _ran(tmp_path, "from printing import twice; print(twice(3))")
        assert printed == ["half of 3 is 1.5 (3, True)", "8"]


@pytest.mark.slow
def test_python_may_call_a_kernel_that_a_helper_was_first_to_need(tmp_path: Path) -> None:
    """It did not have machine code where it was taken from the cache while a helper was being compiled."""
    file = tmp_path / "both.py"
    file.write_text(CALLED_FROM_BOTH.format(1), encoding="utf-8")
    assert _ran(tmp_path, "from both import *; print(outer(3), below(3))") == ["4 3"]
    assert _ran(tmp_path, "from both import *; print(below(3), outer(3))") == ["3 4"]
    file.write_text(CALLED_FROM_BOTH.format(2), encoding="utf-8")
    assert _ran(tmp_path, "from both import *; print(outer(3), below(3))") == ["5 3"]


def test_a_kernel_is_linked_and_optimised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And each helper is compiled once for it, by however many ways it is called."""
    from numba.core.codegen import CPUCodegen, CPUCodeLibrary

    compile_alone(same, 1)  # what numba compiles once in a process, it has compiled then
    done: list[str] = []

    def note(kind: type, name: str) -> None:
        before = getattr(kind, name)

        def noting(self: Any, *arguments: Any, **options: Any) -> Any:
            done.append(getattr(self, "name", name))
            return before(self, *arguments, **options)

        monkeypatch.setattr(kind, name, noting)

    note(CPUCodeLibrary, "_get_module_for_linking")
    note(CPUCodegen, "_function_pass_manager")
    note(CPUCodegen, "_module_pass_manager")
    compile_alone(outermost, 1)
    assert sorted(done) == ["_module_pass_manager", "inner", "middle", "nrt"]


def test_a_library_is_linked_after_all_that_call_it() -> None:
    """LLVM leaves out what nothing has called yet: a helper of one that is left out, too, was missed by a later one."""
    from petteia.core.helper_library import HelperLibrary, callers_first

    class Library(HelperLibrary):
        def __init__(self, needed: list[Library]) -> None:
            self._linking_libraries = needed

    draw = random.Random(1)
    for _ in range(200):
        libraries: list[Library] = []
        for _ in range(10):
            libraries.append(Library(draw.sample(libraries, draw.randrange(min(len(libraries), 3) + 1))))
        order = callers_first(draw.sample(libraries, 4))
        assert len(order) == len(set(order))
        for caller in order:
            assert all(order.index(needed) > order.index(caller) for needed in caller._linking_libraries)
