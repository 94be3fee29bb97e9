"""How feature sets are put together in text: names joined by `+`, `*` and parentheses.

`report+pits` has the features of both. `report*phases` has those of `report` once for each of the `phases`; `*` binds
closer than `+`, so `report*phases+pits` has the pits once, and `(report+pits)*phases` both once for each. What a text
says can be written in several ways; `write` gives the one that stands in files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from petteia.core.errors import UsageError

MAX_DEPTH, MAXIMUM = 20, 100
"""parentheses within each other, and names"""
FORM = "must look like NAME, NAME+NAME, NAME*phases or (NAME+NAME)*phases"


class Name(NamedTuple):
    """A feature set by its name."""

    name: str
    """the name"""


class Sum(NamedTuple):
    """The features of all terms, in this order. Of its terms none is a sum."""

    terms: tuple[Expression, ...]
    """the terms, two or more"""


class Split(NamedTuple):
    """The features of a set once for each phase."""

    whole: Expression
    """the set whose features are repeated"""
    phases: str
    """name of the phases"""


Expression = Name | Sum | Split


def parse(text: str) -> Expression:
    """The expression that `text` stands for. Raises UsageError for another form, and for a set that is there twice."""
    waiting = [token.strip() for token in re.findall(r"[()+*]|[^()+*\s][^()+*]*", text)]
    if len(waiting) - sum(token in "()+*" for token in waiting) > MAXIMUM:
        raise UsageError(f"features {text[:40]!r}...: has more than {MAXIMUM} names")
    expression = _sum(waiting, text, 0)
    if waiting:
        missing = f"+ or * is missing before {waiting[0]!r}"
        raise _wrong(text, "parentheses do not match" if waiting[0] == ")" else missing)
    sets = list(_sets(expression))
    for place, each in enumerate(sets):
        if each in sets[:place]:
            raise _wrong(text, f"{each!r} is there twice")
        phases = each.split("*")[1:]
        if len({*phases}) < len(phases):
            raise _wrong(text, f"{each!r} is split by the same phases twice; once is enough")
    return expression


def write(expression: Expression) -> str:
    """The one text of an expression: without spaces, and without parentheses that can be left out."""
    if isinstance(expression, Name):
        return expression.name
    if isinstance(expression, Sum):
        return "+".join(map(write, expression.terms))
    whole = write(expression.whole)
    return f"({whole})*{expression.phases}" if isinstance(expression.whole, Sum) else f"{whole}*{expression.phases}"


def canonical(text: str) -> str:
    """The one text that says the same as `text`; errors are those of `parse`."""
    return write(parse(text))


def _sets(expression: Expression) -> Iterator[str]:
    """The sets that are added up in the end, each with its own phases."""
    if isinstance(expression, Name):
        yield expression.name
    elif isinstance(expression, Sum):
        for term in expression.terms:
            yield from _sets(term)
    else:
        yield from (f"{each}*{expression.phases}" for each in _sets(expression.whole))


def _sum(waiting: list[str], text: str, depth: int) -> Expression:
    """The sum that the waiting tokens begin with, which are taken from them."""
    terms: list[Expression] = []
    while not terms or (waiting and waiting[0] == "+"):
        if terms:
            waiting.pop(0)
        term = _product(waiting, text, depth)
        terms += term.terms if isinstance(term, Sum) else [term]
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def _product(waiting: list[str], text: str, depth: int) -> Expression:
    expression = _factor(waiting, text, depth)
    while waiting and waiting[0] == "*":
        waiting.pop(0)
        phases = _factor(waiting, text, depth)
        if not isinstance(phases, Name):
            raise _wrong(text, f"{write(phases)!r} stands after *; there can be one name")
        expression = Split(expression, phases.name)
    return expression


def _factor(waiting: list[str], text: str, depth: int) -> Expression:
    token = waiting.pop(0) if waiting else ""
    if token == "(":
        if depth == MAX_DEPTH:
            raise _wrong(text, f"more than {MAX_DEPTH} parentheses stand within each other")
        expression = _sum(waiting, text, depth + 1)
        if not waiting or waiting.pop(0) != ")":
            raise _wrong(text, "parentheses do not match")
        return expression
    if token in ("", ")", "+", "*"):
        raise _wrong(text, f"a name is missing; {FORM}")
    return Name(token)


def _wrong(text: str, what: str) -> UsageError:
    return UsageError(f"features {text!r}: {what}")
