"""Pairs of small classes that are easily confused, and a process that compares what compiled and plain code say.

`main` runs in a process of its own. In stage 0 it writes the modules of all pairs, imports them, asks them in some
nesting, changes some while it runs, and asks again. Stage 1 is another process that shares the cache: it asks in the
other order first, after some of the modules have been edited.
"""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any, NamedTuple

from petteia.core.kernel import kernel
from petteia.core.protocol import dispatched, method

AT_ONCE = 6
"""pairs that are asked in one call"""
NAMES = ("Bot", "Mine")
FIELDS = ("size: int = 3", "size: int = 3\n    side: int = 1", "side: int = 1\n    size: int = 3")
CONSTANTS = ("2", "3", "2.0", "True", "(2, 5)", "(5, 2)", "(2.0, 5)", "-7")
CODE = (
    "rules.size * 10 + number",
    "rules.size * 11 + number",
    "number - rules.size",
    "CONSTANT_FIRST + number",
    "helped(number) + rules.size",
    "helped(rules.size) * 2",
    "number * 3 if number > rules.size else CONSTANT_FIRST",
)
HELPERS = ("number * 2", "number * 3", "CONSTANT_FIRST * number", "number + 1")
MODULE = """
from typing import NamedTuple
from petteia.core.kernel import inline
CONSTANT = {constant}

@inline
def helped(number):
    return {helper}

class {name}(NamedTuple):
    {fields}
    def answer(rules, number):
        return {code}
"""


class Wrapped(NamedTuple):
    """What holds another, as a match's wrapper of a policy does."""

    inner: Any
    factor: int = 1

    def answer(rules: Any, number: int) -> float:
        return answer(rules.inner, number) * rules.factor


def _silent(rules: Any, number: int) -> float:
    return 0.0


@dispatched(lambda cls: method(cls, "answer") or _silent)
def answer(rules: Any, number: int) -> float:
    raise TypeError


class Both(NamedTuple):
    """Two that are asked at once, in this order."""

    one: Any
    two: Any

    def answer(rules: Any, number: int) -> float:
        return answer(rules.one, number) * 31.0 + answer(rules.two, number)


@kernel
def asked(rules: Any, number: int) -> float:
    return answer(rules, number)


def source(draw: random.Random) -> str:
    constant = draw.choice(CONSTANTS)
    first = "CONSTANT[0]" if constant.startswith("(") else "CONSTANT"
    code, helper = (draw.choice(texts).replace("CONSTANT_FIRST", first) for texts in (CODE, HELPERS))
    return MODULE.format(
        constant=constant, helper=helper, name=draw.choice(NAMES), fields=draw.choice(FIELDS), code=code
    )


def edited(text: str, draw: random.Random) -> str:
    """The module with another constant of the same form, or another helper."""
    if draw.random() < 0.5:
        return text.replace("CONSTANT = (", "CONSTANT = (1 + ").replace("CONSTANT = 2", "CONSTANT = 4")
    return text.replace("return number", "return 5 + number")


def class_of(module: Any) -> Any:
    return next(getattr(module, name) for name in NAMES if hasattr(module, name))


def compare(rules: Any, place: str) -> int:
    """1 if compiled and plain code say different things."""
    for number in (1, 5):
        compiled, plain = asked(rules, number), asked.function(rules, number)
        if compiled != plain:
            print(f"{place}: compiled {compiled}, plain {plain}")
            return 1
    return 0


def nested(rules: Any, depth: int) -> Any:
    for level in range(depth):
        rules = Wrapped(rules, level + 2)
    return rules


def together(values: list[Any]) -> Any:
    """All of them as one value, which takes a single compilation."""
    while len(values) > 1:
        values = [Both(*values[i : i + 2]) if i + 1 < len(values) else values[i] for i in range(0, len(values), 2)]
    return values[0]


class Pair(NamedTuple):
    """Two modules, and instances of their classes in some nesting."""

    modules: list[Any]
    one: Any
    two: Any
    changes: bool


def write_pair(folder: Path, seed: int, pair: int, *, edited_now: bool, changed: bool) -> Pair:
    """A pair whose modules are written and imported."""
    draw = random.Random(f"{seed} {pair}")
    names = [f"m{seed}_{pair}_{place}" for place in ("a", "b")]
    texts = [source(draw), source(draw)]
    if draw.random() < 0.3:
        texts[1] = texts[0]
    depths = [draw.choice((0, 0, 1, 2)) for _ in names]
    for name, text in zip(names, texts, strict=True):
        now = edited(text, draw) if edited_now and draw.random() < 0.5 else text
        (folder / f"{name}.py").write_text(now, encoding="utf-8")
    importlib.invalidate_caches()
    modules = [importlib.import_module(name) for name in names]
    one, two = (nested(class_of(module)(), depth) for module, depth in zip(modules, depths, strict=True))
    return Pair(modules, one, two, changed and draw.random() < 0.5)


def write_group(folder: Path, seed: int, begin: int, end: int, stage: int) -> list[Pair]:
    """Pairs that are asked together: in some groups half are edited before stage 1, in some half are changed.

    What belongs to neither is found in the cache by stage 1, at no cost.
    """
    draw = random.Random(f"group {seed} {begin}")
    is_edited, changed = draw.random() < 0.4, draw.random() < 0.4
    return [
        write_pair(folder, seed, pair, edited_now=is_edited and stage == 1, changed=changed)
        for pair in range(begin, end)
    ]


def main(folder: Path, seed: int, pairs: int, stage: int) -> None:
    """Compare that many pairs, drawn from `seed`, whose modules stand in `folder`; print how many were confused."""
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    wrong = 0
    for begin in range(0, pairs, AT_ONCE):
        found = write_group(folder, seed, begin, min(begin + AT_ONCE, pairs), stage)
        place = f"pairs from {begin}, stage {stage}"
        orders = [
            together([Both(pair.two, pair.one) for pair in found]),
            together([Both(*pair[1:3]) for pair in found]),
        ]
        for rules in orders[1 - stage :]:
            wrong += compare(rules, place)
        for pair in found:
            if pair.changes:
                is_tuple = isinstance(pair.modules[0].CONSTANT, tuple)
                pair.modules[0].CONSTANT = (9, 9) if is_tuple else 9
        wrong += compare(orders[1], f"{place}, changed")
    print(f"{wrong} confused of {pairs}")
