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
CONSTANTS = ("2", "3", "2.0", "True", "(2, 5)", "(5, 2)", "(2.0, 5)", "-7", "numpy.arange(4)", "numpy.arange(6)")
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
LIBRARIES = ("turtle", "wave")
"""names of modules beside a pair's that Python's library has, too"""
READ = """
import numpy
from petteia.core.kernel import inline
CONSTANT = {constant}

@inline
def helped(number):
    return {helper}
"""
CLASS = """
from typing import NamedTuple
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


class Source(NamedTuple):
    """A module, and one beside it if that has a name."""

    text: str
    library: str
    beside: str


def source(draw: random.Random) -> Source:
    """A module whose class reads a constant and a helper, which in some stand in a module beside it."""
    constant = draw.choice(CONSTANTS)
    first = {"(": "CONSTANT[0]", "n": "len(CONSTANT)"}.get(constant[0], "CONSTANT")
    code, helper = (draw.choice(texts).replace("CONSTANT_FIRST", first) for texts in (CODE, HELPERS))
    read = READ.format(constant=constant, helper=helper)
    library = draw.choice(("", *LIBRARIES))
    if library and draw.random() < 0.5:
        code = code.replace("CONSTANT", f"{library}.CONSTANT").replace("helped", f"{library}.helped")
        imports = f"import {library}"
    else:
        imports = f"from {library} import CONSTANT, helped"
    text = CLASS.format(name=draw.choice(NAMES), fields=draw.choice(FIELDS), code=code)
    return Source(imports + text, library, read) if library else Source(read + text, "", "")


def edited(source: Source, draw: random.Random) -> Source:
    """The modules with another constant of the same form, or another helper."""
    if draw.random() < 0.5:
        pairs = [("CONSTANT = (", "CONSTANT = (1 + "), ("CONSTANT = 2", "CONSTANT = 4"), ("arange(", "arange(1 + ")]
    else:
        pairs = [("return number", "return 5 + number")]
    text, library, beside = source
    for old, new in pairs:
        text, beside = text.replace(old, new), beside.replace(old, new)
    return Source(text, library, beside)


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


def imported(folder: Path, name: str, source: Source) -> Any:
    """A module that is written and imported, with the one beside it, where many have the same name."""
    (folder / f"{name}.py").write_text(source.text, encoding="utf-8")
    if source.library:
        place = folder / f"beside_{name}"
        place.mkdir(exist_ok=True)
        (place / f"{source.library}.py").write_text(source.beside, encoding="utf-8")
        sys.modules.pop(source.library, None)
        sys.path.insert(0, str(place))
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    finally:
        if source.library:
            sys.path.pop(0)


def change(module: Any) -> None:
    """Change what the module's class reads while it runs: its constant, or in place the shape of that."""
    library = next((getattr(module, name) for name in LIBRARIES if hasattr(module, name)), module)
    if hasattr(library.CONSTANT, "shape"):
        library.CONSTANT.resize((2, library.CONSTANT.size // 2), refcheck=False)
    else:
        library.CONSTANT = (9, 9) if isinstance(library.CONSTANT, tuple) else 9


class Pair(NamedTuple):
    """Two modules, and instances of their classes in some nesting."""

    modules: list[Any]
    one: Any
    two: Any
    changes: bool


def write_pair(folder: Path, seed: int, pair: int, edits: float, changes: float) -> Pair:
    """A pair whose modules are written and imported; some are edited, some will change, with these probabilities."""
    draw = random.Random(f"{seed} {pair}")
    names = [f"m{seed}_{pair}_{place}" for place in ("a", "b")]
    sources = [source(draw), source(draw)]
    if draw.random() < 0.3:
        sources[1] = sources[0]
    depths = [draw.choice((0, 0, 1, 2)) for _ in names]
    now = [edited(each, draw) if draw.random() < edits else each for each in sources]
    modules = [imported(folder, name, each) for name, each in zip(names, now, strict=True)]
    one, two = (nested(class_of(module)(), depth) for module, depth in zip(modules, depths, strict=True))
    return Pair(modules, one, two, draw.random() < changes)


def write_group(folder: Path, seed: int, begin: int, end: int, stage: int) -> list[Pair]:
    """Pairs that are asked together: in some groups half or about one are edited before stage 1, in some are changed.

    What belongs to neither is found in the cache by stage 1, at no cost. One change alone is not hidden by others.
    """
    draw = random.Random(f"group {seed} {begin}")
    edits, changes = (draw.choice((0.0, 0.0, 0.0, 0.1, 0.5)) for _ in range(2))
    return [write_pair(folder, seed, pair, edits * stage, changes) for pair in range(begin, end)]


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
                change(pair.modules[0])
        wrong += compare(orders[1], f"{place}, changed")
    print(f"{wrong} confused of {pairs}")
