"""The house keeps its order: imports go one way, and options of the compiler stand in one place."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from folders import TESTS

import petteia

PACKAGE = Path(petteia.__file__).parent
ROOMS = (
    *("core", "provenance", "foreign", "checking", "games", "records", "render", "features", "search", "solver"),
    *("policies", "value_functions", "learn", "player_processes"),
    *("players", "arena", "playing", "environments", "experiments", "analysis", "reports", "templates"),
    *("api", "warming", "web", "cli"),
    "__main__",
)
"""Each imports only from itself and from those before it. `api`, `warming` and `__main__` are files."""
SOURCES = sorted(PACKAGE.rglob("*.py"))
COMPILING = ("njit", "jit", "vectorize", "guvectorize", "overload", "intrinsic", "cfunc", "jitclass", "stencil")
HOMES = {
    "kernel.py": COMPILING,
    "bits.py": ("overload", "intrinsic"),
    "protocol.py": ("overload",),
    "packing.py": ("overload",),
}
"""Where in `core` the decorators of the compiler may stand."""


def test_folders_of_tests_are_rooms() -> None:
    assert {path.parent.name for path in TESTS.rglob("test_*.py")} <= {*ROOMS, "package"}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_bytes())))


def imported_rooms(path: Path) -> Iterator[tuple[int, str]]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}, line {node.lineno}: relative import"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "petteia" else [node.module]
            )
        else:
            continue
        for name in names:
            if name and name.startswith("petteia."):
                yield node.lineno, name.split(".")[1]


def test_rooms_import_only_from_rooms_before_them():
    wrong = [
        f"{path}, line {line}: {room}"
        for path in SOURCES
        if room_of(path) in ROOMS
        for line, room in imported_rooms(path)
        if room in ROOMS and ROOMS.index(room) > ROOMS.index(room_of(path))
    ]
    assert wrong == []


def test_there_is_something_to_look_at():
    assert {room_of(path) for path in SOURCES} - set(ROOMS) == {"__init__"}
    assert "core" in {room for _, room in imported_rooms(PACKAGE / "games" / "hare_and_hounds.py")}


def names_used(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
            yield from ((node.lineno, alias.name) for alias in node.names)


def options_refused(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                given = ast.unparse(keyword.value)
                if (keyword.arg, given) in (("inline", "'always'"), ("parallel", "True"), ("fastmath", "True")):
                    yield node.lineno, f"{keyword.arg}={given}"
                if keyword.arg == "cache" or (keyword.arg == "signature" and "numba" in given):
                    yield node.lineno, f"{keyword.arg}={given}"
            called = ast.unparse(node.func).rpartition(".")[2]
            if called in ("njit", "jit", "kernel") and node.args and not isinstance(node.args[0], ast.Name):
                yield node.lineno, f"{called} with a signature"


def test_options_of_the_compiler_stand_in_one_place():
    wrong = []
    for path in SOURCES:
        allowed = HOMES.get(path.name, ()) if room_of(path) == "core" else ()
        used = ((line, name) for line, name in names_used(nodes_of(path)) if name in COMPILING and name not in allowed)
        wrong += [f"{path}, line {line}: {name}" for line, name in (*used, *options_refused(nodes_of(path)))]
    assert wrong == []


@pytest.mark.parametrize(
    "line",
    [
        "njit(inline='always')(f)",
        "njit(parallel=True)(f)",
        "njit(fastmath=True)(f)",
        "njit(cache=True)(f)",
        "njit('int64(int64)')(f)",
        "njit([int64(int64)])(f)",
    ],
)
def test_an_option_that_was_seen_to_bite_would_be_noticed(line):
    assert list(options_refused(ast.walk(ast.parse(line))))


def test_rules_notation_and_plain_play_need_no_compiler():
    """Without numba kernels run as the plain Python that they are."""
    code = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name in ("numba", "llvmlite") else find(name, *rest)
import petteia
from petteia.core.protocol import format_state, initial, legal, parse_move, parse_state, play
rules = petteia.game("hare-and-hounds")
state = play(rules, initial(rules), parse_move(rules, initial(rules), "3-6"))
assert parse_state(rules, format_state(rules, state)) == state
print(format_state(rules, state), len(legal(rules, state)), petteia.perft(rules, 4))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("0,1,6/10 hare 0 3 443\n", "")


def test_rules_and_notation_import_nothing_heavy():
    code = """
import sys
import petteia
from petteia.core.protocol import format_state, initial, legal, play
rules = petteia.game("hare-and-hounds:stall=0")
state = play(rules, initial(rules), legal(rules, initial(rules))[0])
print(format_state(rules, state), *sorted({"numba", "numpy", "scipy", "pydantic"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1,2,3/10 hare 0\n", "")
