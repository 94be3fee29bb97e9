"""A folder of modules as users write them: a game, features with a helper elsewhere, players; and edits of them."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from petteia.templates.writing import new_game

HELPER = """
SCALE = 0.5
TABLE = {"a": 1}
TABLE["b"] = 2


def scaled(x):
    return x * SCALE


def unused(x):
    return x
"""
FEATURES = '''
"""My features."""
import enum
import functools
import math
from typing import NamedTuple

from helper import TABLE, scaled
from numbers_of_mine import *

STONES, WEIGHTS = 21, (1, 2.5)


class Side(enum.Enum):
    FIRST = 0


def logged(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@logged
def root(x):
    return math.sqrt(x)


def even(x):
    # is it even?
    return (lambda y: y % 2 == 0)(x)


class Base(NamedTuple):
    unit: float = 1.0

    def size(feature_set, rules):
        return 2


class Mine(Base):
    """What I see."""

    def names(feature_set, rules):
        return ("stones", "even")

    def features(feature_set, rules, state, index, value):
        """Write them."""
        index[0], index[1] = 0, 1
        value[0] = scaled(state.stones / STONES) * feature_set.unit + root(0) + Side.FIRST.value + LATE + SECOND() * 0
        value[1] = 1.0 if even(state.stones) else WEIGHTS[0] * len(TABLE) * len(PAIRS)
        return 2


class Player:
    def new_game(self, rules, seed):
        self.seed = seed

    def choose(self, state, limit):
        return 1


def value(rules, state):
    return 0


if __name__ == "__main__":
    PAIRS = []
'''
NUMBERS = """
def pairs(count):
    return [(i, i) for i in range(count)]


class Pair:
    def __init__(self, *numbers):
        self.numbers = numbers

    def second(self):
        return self.numbers[1]


LATE = 0
PAIRS = pairs(3)
SECOND = Pair(1, 2).second
"""
POLICY = """
from typing import NamedTuple


class Bot(NamedTuple):
    place: int = 0

    def choose(policy, rules, state, random, work):
        from petteia.core.protocol import moves

        count = moves(rules, state, work.moves)
        return work.moves[min(policy.place, count - 1)]
"""
ENVIRONMENT = os.environ | {
    "NUMBA_DISABLE_JIT": "1",
    "PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), "elsewhere"]),
    "PYTHONDONTWRITEBYTECODE": "1",  # edits within a second would not be seen
}
"""for processes that run there"""


def write_modules(folder: Path) -> None:
    """Write the modules `my_nim`, `fb`, `numbers_of_mine` and `bob` into `folder`, `helper` into `elsewhere` there."""
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere/helper.py").write_text(HELPER)
    for name, text in (("fb", FEATURES), ("numbers_of_mine", NUMBERS), ("bob", POLICY)):
        (folder / f"{name}.py").write_text(text)
    new_game("my_nim", folder)


def edit(path: Path, old: str, new: str) -> None:
    """Put `new` in the place of `old`, which stands once in the file."""
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new))


def forget_modules() -> None:
    """Unload the modules, as in a process that begins."""
    for name in ("fb", "fc", "helper", "numbers_of_mine", "bob", "alice", "my_nim", "other", "whole"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
