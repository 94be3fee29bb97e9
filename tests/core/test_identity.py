"""Compiled code belongs to the code that was written: classes of one name, edits, values from elsewhere."""

from __future__ import annotations

import dis
import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compiled_answers import GAME, Holder, compiled_only, module_of, same
from folders import python_path

import petteia
from petteia.core import bits, identity
from petteia.core.identity import NEVER_COMPILED, digest_of_code, global_names, identity_of, settle
from petteia.core.kernel import KERNELS, Kernel, kernel
from petteia.core.origin import is_of_package
from petteia.core.protocol import PLAIN, dispatched, method
from petteia.games.kalah import Kalah
from petteia.templates.writing import new_game


def test_classes_of_one_name_in_one_process_run_their_own_code():
    first, second = (module_of(GAME.format(f"rules.size * {factor}"))["Game"] for factor in (10, 100))
    for _ in range(2):
        assert [same(first()), same(second()), same(first(4))] == [30, 300, 40]
        assert [same(Holder(first())), same(Holder(second())), same(Holder(Holder(second())))] == [60, 600, 1200]
        assert [same(Holder((second(), first())[place])) for place in (0, 1)] == [600, 60]


def test_classes_of_the_package_may_have_names_in_common():
    first, second = (
        module_of(GAME.format(f"rules.size * {factor}"), f"petteia.made_up_{factor}")["Game"] for factor in (7, 9)
    )
    assert all(map(is_of_package, (first, second)))
    assert [settle((cls(),)) for cls in (first, second)] == [False, True]
    for _ in range(2):
        assert [same(first()), same(second()), same(Holder(second()))] == [21, 27, 54]


def test_a_class_defined_again_runs_its_new_code():
    scope: dict[str, Any] = {}
    for factor in (1, 2, 3):
        scope = module_of(GAME.format(f"rules.size * {factor} + state"), **scope)
        assert same(Holder(scope["Game"]())) == (3 * factor + 1) * 2


CHANGES = {
    "a global": ("FACTOR = 5\n" + GAME.format("FACTOR"), lambda scope: scope.update(FACTOR=7), (5, 7)),
    "a float for an int": ("F = 2\n" + GAME.format("int(9 / F * 2)"), lambda scope: scope.update(F=4.0), (9, 4)),
    "a method": (
        GAME.format("5"),
        lambda scope: setattr(scope["Game"], "to_move", lambda rules, state: 7),
        (5, 7),
    ),
    "code": (
        GAME.format("5"),
        lambda scope: setattr(scope["Game"].to_move, "__code__", (lambda rules, state: 7).__code__),
        (5, 7),
    ),
    "a tuple": ("T = (1, (2, 5))\n" + GAME.format("T[1][1]"), lambda scope: scope.update(T=(1, (2, 7))), (5, 7)),
    "an array in place": (
        "import numpy\nA = numpy.array([5, 6])\n" + GAME.format("int(A[0])"),
        lambda scope: scope["A"].__setitem__(0, 7),
        (5, 7),
    ),
    "an attribute of a module": (
        "import settings_of_a_test as settings\n" + GAME.format("settings.LEVEL"),
        lambda scope: setattr(scope["settings"], "LEVEL", 7),
        (5, 7),
    ),
    "a builtin": (
        GAME.format("abs(-5)"),
        lambda scope: scope.update(
            abs=module_of("from petteia.core.kernel import inline\n@inline\ndef g(x): return 7")["g"]
        ),
        (5, 7),
    ),
    "a global of a helper that knows no class": (
        "from petteia.core.kernel import inline\nF = 5\n@inline\ndef helper(number):\n    return number * F\n"
        + GAME.format("helper(state)"),
        lambda scope: scope.update(F=7),
        (5, 7),
    ),
    "a helper of a helper": (
        "from petteia.core.kernel import inline\n@inline\ndef low(number):\n    return number * 5\n"
        "@inline\ndef helper(number):\n    return low(number)\n" + GAME.format("helper(state)"),
        lambda scope: scope.update(
            low=module_of("from petteia.core.kernel import inline\n@inline\ndef low(number): return number * 7")["low"]
        ),
        (5, 7),
    ),
    "a cell of a closure": (
        "def make():\n    level = 5\n    class Game(NamedTuple):\n        size: int = 3\n"
        "        def to_move(rules, state):\n            return level\n"
        "    def change(to):\n        nonlocal level\n        level = to\n"
        "    return Game, change\nGame, change = make()\n",
        lambda scope: scope["change"](7),
        (5, 7),
    ),
    "a method that comes into being": (
        "class Base(NamedTuple):\n    size: int = 3\n    def to_move(rules, state):\n        return 5\n"
        "class Game(Base):\n    pass\n",
        lambda scope: setattr(scope["Game"], "to_move", lambda rules, state: 7),
        (5, 7),
    ),
}


@compiled_only
@pytest.mark.parametrize("what", CHANGES)
def test_a_change_at_run_time_is_noticed(what, tmp_path, monkeypatch):
    (tmp_path / "settings_of_a_test.py").write_text("LEVEL = 5\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "settings_of_a_test", raising=False)
    source, change, (before, after) = CHANGES[what]
    scope = module_of(source)
    rules = scope["Game"]()
    assert same(Holder(rules)) == 2 * before
    change(scope)
    assert same(Holder(rules)) == 2 * after


@compiled_only
def test_a_user_kernel_that_calls_another_notices_what_that_reads():
    source = "F = 5\n@kernel\ndef low(number):\n    return number * F\n"
    source += "@kernel\ndef high(number):\n    return low(number) + 1\n"
    scope = module_of(source, kernel=kernel)
    assert scope["high"](2) == 11
    scope["F"] = 7
    assert scope["high"](2) == scope["high"].function(2) == 15


def digest(source: str) -> str:
    return identity_of(module_of(source)["Game"]).digest


def test_what_does_not_matter_has_no_part_in_the_digest():
    plain = GAME.format("1")
    assert digest(plain) == digest(plain)
    assert digest(plain) == digest("# a comment\n\n\nOTHER = 3\n" + plain)
    assert digest(plain) == digest(plain + "    def format_state(rules, state):\n        return str(state)\n")
    assert digest(GAME.format("1\n        'never'")) == digest(GAME.format("1"))
    documented = GAME.replace("return", "'''It says {}.'''\n        return")
    assert digest(documented.format("much", 1)) == digest(documented.format("more", 1))


@pytest.mark.parametrize(
    "other",
    [
        GAME.format("2"),
        GAME.format("1.0"),
        GAME.format("True"),
        GAME.format("-1"),
        GAME.format("1").replace("size", "length"),
        GAME.format("1").replace("to_move", "moves"),
        GAME.format("1") + "    def key(rules, state):\n        return 1\n",
        GAME.format("rules.size if state else 1"),
    ],
)
def test_what_matters_has_part_in_the_digest(other):
    assert digest(GAME.format("1")) != digest(other)


def test_modules_of_one_code_are_different_code():
    one, other = (module_of(GAME.format("1"), name)["Game"] for name in ("one", "other"))
    assert identity_of(one).digest != identity_of(other).digest


def test_what_cannot_be_walked_over_holds_in_this_process_alone():
    scope = module_of("THING = object()\n" + GAME.format("1 if THING else 2"))
    assert not identity_of(scope["Game"]).is_portable
    assert not identity_of(module_of(GAME.format("1"))["Game"]).is_portable  # no module holds it
    assert identity_of(Kalah).is_portable


def test_what_all_kernels_of_the_package_reach_means_the_same_everywhere():
    for module in pkgutil.walk_packages(petteia.__path__, "petteia."):
        if module.name != "petteia.__main__":
            importlib.import_module(module.name)
    own = [each.function for each in KERNELS if is_of_package(each.function)]
    assert len(own) > 20
    assert [function.__qualname__ for function in own if not identity_of(function).is_portable] == []


def test_what_is_read_outside_is_found_as_the_disassembler_finds_it():
    for function in (Kalah.play, Kalah.moves, settle, new_game, dispatched):
        read = {each.argval for each in dis.get_instructions(function) if each.opname == "LOAD_GLOBAL"}
        assert read <= set(global_names(function.__code__))
        assert "HALF" in global_names(bits.shift_right.__code__)


def test_what_compiled_code_calls_instead_of_a_function_is_part_of_it(monkeypatch):
    before, after = identity._Walk(), identity._Walk()
    before.value(bits.popcount)
    monkeypatch.setattr(bits.popcount, "compiled_by", dispatched)
    after.value(bits.popcount)
    assert before.digest.hexdigest() != after.digest.hexdigest()
    assert digest_of_code(Kernel.dispatcher) != digest_of_code(Kernel.settle)


def test_verbs_that_are_never_compiled_are_left_out():
    assert set(PLAIN) <= NEVER_COMPILED
    assert method(Kalah, "format_state") is not None


TWO_BOTS = """
from typing import NamedTuple
from petteia.core.protocol import moves

class Bot(NamedTuple):
    def choose(policy, rules, state, random, work):
        count = moves(rules, state, work.moves)
        for i in range(count):
            if (state.stones - work.moves[i]) % 4 == GOOD:
                return int(work.moves[i])
        return int(work.moves[0])

def value(rules, state):
    good = 1 if state.stones % 4 else -1
    return SIGN * (good if state.side == 0 else -good)

class Mine(NamedTuple):
    def names(feature_set, rules):
        return ("lost", "one")
    def size(feature_set, rules):
        return 2
    def features(feature_set, rules, state, index, value):
        index[0], value[0] = 0, SIGN * (0.0 if state.stones % 4 else 1.0) * (1 - 2 * state.side)
        index[1], value[1] = 1, 1.0
        return 2
"""
MATCH = """
import sys, petteia
for pair in sys.argv[1:]:
    one, two = pair.split("|")
    print(petteia.match("my_nim:MyNim:stones=20", one, two, games=20, openings="random:1").score)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a new game, and two modules whose classes have the same names: alice plays well, bob badly."""
    subprocess.run([sys.executable, "-m", "petteia", "new-game", "my_nim"], cwd=tmp_path, check=True)
    for name, good, sign in (("alice", 0, 1), ("bob", 1, -1)):
        (tmp_path / f"{name}.py").write_text(TWO_BOTS.replace("GOOD", str(good)).replace("SIGN", str(sign)))
    monkeypatch.setenv("PETTEIA_CACHE", str(tmp_path / "cache"))
    return tmp_path


def fresh(folder: Path, code: str, *arguments: str, **variables: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, *arguments],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("form", ["{}:Bot", "greedy:evaluation={}:value"])
def test_classes_of_one_name_keep_their_places_over_processes(form, folder):
    alice, bob = form.format("alice"), form.format("bob")
    first = fresh(folder, MATCH, f"{alice}|{bob}")
    second = fresh(folder, MATCH, f"{bob}|{alice}", f"{alice}|{bob}")
    plain = fresh(folder, MATCH, f"{alice}|{bob}", f"{bob}|{alice}", NUMBA_DISABLE_JIT="1")
    assert [first[0], *second] == [plain[0], plain[1], plain[0]]
    assert float(plain[0]) > 0.6 > 0.4 > float(plain[1])


EVERYWHERE = """
import petteia
rules = petteia.game("my_nim:MyNim:stones=9")
for one, two in (("alice:Bot", "bob:Bot"), ("bob:Bot", "alice:Bot")):
    print(petteia.match(rules, one, two, games=10).score)
    print(petteia.regret(rules, one).mean)
    few = petteia.EvaluationGames(every=50, games=10)
    print(petteia.train(rules, opponent=one, games=50, evaluation=few).points[-1].score)
"""


@pytest.mark.slow
@compiled_only
def test_classes_of_one_name_in_one_process_play_are_learned_from_and_judged_as_themselves(folder):
    """In matches they stand within another policy, in learning beside the learner."""
    compiled = fresh(folder, EVERYWHERE, PETTEIA_RUNS="compiled")
    plain = fresh(folder, EVERYWHERE, PETTEIA_RUNS="plain", NUMBA_DISABLE_JIT="1")
    assert compiled == plain
    assert plain[:2] != plain[3:5]


LEARN = """
import petteia
for name in ("alice", "bob"):
    learner, few = petteia.LinearLearner(f"{name}:Mine"), petteia.EvaluationGames(games=2)
    petteia.train("my_nim:MyNim:stones=20", learner, games=20, evaluation=few, name=name)
"""


@pytest.mark.slow
@compiled_only
def test_agents_with_feature_sets_of_one_name_keep_their_places(folder):
    fresh(folder, LEARN, NUMBA_DISABLE_JIT="1")
    alice, bob = (f"theta:agent=runs/{name}" for name in ("alice", "bob"))
    first = fresh(folder, MATCH, f"{alice}|{bob}")
    second = fresh(folder, MATCH, f"{bob}|{alice}")
    assert [*first, *second] == fresh(folder, MATCH, f"{alice}|{bob}", f"{bob}|{alice}", NUMBA_DISABLE_JIT="1")


FROM_ELSEWHERE = """
import os, sys
from typing import NamedTuple
import tools
from petteia.core.kernel import inline
LEVEL = int(os.environ["LEVEL"])
class Game(NamedTuple):
    def to_move(rules, state):
        return LEVEL * 100 + tools.scaled(state)
"""
ASK = "from compiled_answers import same\nimport elsewhere\nprint(same(elsewhere.Game()))"


@pytest.mark.slow
@compiled_only
def test_values_from_elsewhere_are_part_of_what_is_compiled(folder):
    other = folder / "other"
    other.mkdir()
    (folder / "elsewhere.py").write_text(FROM_ELSEWHERE)
    tools = "from petteia.core.kernel import inline\n@inline\ndef scaled(number):\n    return number * {}\n"
    path = python_path(folder, other)
    found = []
    for level, factor in ((1, 1), (2, 1), (2, 5), (1, 1)):
        (other / "tools.py").write_text(tools.format(factor))
        found += fresh(folder, ASK, LEVEL=str(level), PYTHONPATH=path)
    assert found == ["101", "201", "205", "101"]
    kept = [path for path in (folder / "cache").glob("kernels-*/*") if "asked" in path.name]
    assert len(kept) == 3


EDITED = """
import pathlib
import elsewhere
from compiled_answers import same
path = pathlib.Path("elsewhere.py")
path.write_text(path.read_text().replace("return 1", "return 2"))
print(same(elsewhere.Game()))
"""


@pytest.mark.slow
@compiled_only
def test_a_file_edited_between_its_import_and_its_first_call(folder):
    (folder / "elsewhere.py").write_text("from typing import NamedTuple\n" + GAME.format("1"))
    path = python_path()
    assert fresh(folder, EDITED, PYTHONPATH=path) == ["1"]
    assert fresh(folder, ASK, PYTHONPATH=path) == ["2"]
