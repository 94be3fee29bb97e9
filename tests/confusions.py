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

from petteia.core.kernel import inline, kernel
from petteia.core.protocol import dispatched, method

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


@inline
def both(one: Any, two: Any, number: int) -> float:
    return answer(one, number) * 1000.0 + answer(two, number)


@kernel
def asked(one: Any, two: Any, number: int) -> float:
    return both(one, two, number)


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


def compare(one: Any, two: Any, place: str) -> int:
    """1 if compiled and plain code say different things."""
    for number in (1, 5):
        compiled, plain = asked(one, two, number), asked.function(one, two, number)
        if compiled != plain:
            print(f"{place}: compiled {compiled}, plain {plain}")
            return 1
    return 0


def nested(rules: Any, depth: int) -> Any:
    for level in range(depth):
        rules = Wrapped(rules, level + 2)
    return rules


def main(folder: Path, seed: int, pairs: int, stage: int) -> None:
    """Compare that many pairs, drawn from `seed`, whose modules stand in `folder`; print how many were confused."""
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    wrong = 0
    for pair in range(pairs):
        draw = random.Random(f"{seed} {pair}")
        names = [f"m{seed}_{pair}_{place}" for place in ("a", "b")]
        texts = [source(draw), source(draw)]
        if draw.random() < 0.3:
            texts[1] = texts[0]
        changes = draw.random() < 0.3
        for name, text in zip(names, texts, strict=True):
            if stage == 1 and changes:
                text = edited(text, draw)
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        modules = [importlib.import_module(name) for name in names]
        depths = [draw.choice((0, 0, 1, 2)) for _ in modules]
        one, two = (nested(class_of(module)(), depth) for module, depth in zip(modules, depths, strict=True))
        for first, second in ((two, one), (one, two))[1 - stage :]:
            wrong += compare(first, second, f"pair {pair}, stage {stage}")
        if draw.random() < 0.3:
            modules[0].CONSTANT = (9, 9) if isinstance(modules[0].CONSTANT, tuple) else 9
            wrong += compare(one, two, f"pair {pair}, stage {stage}, changed")
    print(f"{wrong} of {pairs} confused")
