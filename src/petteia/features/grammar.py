"""The syntax of feature set expressions, such as `rows+pits*turn`: names joined by `+`, `*` and parentheses.

`report+pits` combines the features of both sets. `report*phases` has a copy of the features of `report` for each phase
of the game that the set `phases` distinguishes. Since `*` binds closer than `+`, the expression `report*phases+pits`
has only one copy of the features of `pits`. `(report+pits)*phases` has a copy of the features of both sets for each
phase. Different expressions can describe the same feature set. The function `write` returns the canonical expression,
which is stored in files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from petteia.core.errors import UsageError

MAX_DEPTH, MAXIMUM = 20, 100
"""The maximum depth of nested parentheses, and the maximum number of names, in a text."""
FORM = "the text must look like NAME, NAME+NAME, NAME*phases or (NAME+NAME)*phases"


class Name(NamedTuple):
    """A feature set, given by its name."""

    name: str
    """the name"""


class Sum(NamedTuple):
    """A sum of feature sets: the features of each term in turn. No term is itself a sum."""

    terms: tuple[Expression, ...]
    """the terms, two or more"""


class Split(NamedTuple):
    """A product such as `rows*turn`, which repeats the features of a set for each phase of the game."""

    whole: Expression
    """the set whose features are repeated"""
    phases: str
    """the name of the set of phases"""


Expression = Name | Sum | Split


def parse(text: str) -> Expression:
    """Return the expression that `text` describes.

    Raises UsageError if the syntax is invalid, if a feature set appears twice, or if a set is multiplied twice by the
    same phases.
    """
    waiting = [token.strip() for token in re.findall(r"[()+*]|[^()+*\s][^()+*]*", text)]
    if len(waiting) - sum(token in "()+*" for token in waiting) > MAXIMUM:
        raise UsageError(f"features {text[:40]!r}...: there are too many names; use at most {MAXIMUM} names")
    expression = _sum(waiting, text, 0)
    if waiting:
        missing = f"+ or * is missing before {waiting[0]!r}"
        raise _wrong(text, "parentheses do not match" if waiting[0] == ")" else missing)
    sets = list(_sets(expression))
    for place, each in enumerate(sets):
        if each in sets[:place]:
            raise _wrong(text, f"{each!r} appears twice; write it once")
        phases = each.split("*")[1:]
        if len({*phases}) < len(phases):
            raise _wrong(text, f"{each!r} uses the same phases twice; write them once")
    return expression


def write(expression: Expression) -> str:
    """Return the canonical text of an expression, without spaces and without unnecessary parentheses."""
    if isinstance(expression, Name):
        return expression.name
    if isinstance(expression, Sum):
        return "+".join(map(write, expression.terms))
    whole = write(expression.whole)
    return f"({whole})*{expression.phases}" if isinstance(expression.whole, Sum) else f"{whole}*{expression.phases}"


def canonical(text: str) -> str:
    """Return the expression in `text` in canonical form. Raises UsageError for an invalid expression."""
    return write(parse(text))


def _sets(expression: Expression) -> Iterator[str]:
    """Yield the terms of an expression whose products are expanded: `rows*turn`, `pits*turn` for `(rows+pits)*turn`."""
    if isinstance(expression, Name):
        yield expression.name
    elif isinstance(expression, Sum):
        for term in expression.terms:
            yield from _sets(term)
    else:
        yield from (f"{each}*{expression.phases}" for each in _sets(expression.whole))


def _sum(waiting: list[str], text: str, depth: int) -> Expression:
    """Parse a sum at the start of the token list `waiting`, and remove the parsed tokens from the list."""
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
            raise _wrong(text, f"{write(phases)!r} follows *; only a single name may follow *")
        expression = Split(expression, phases.name)
    return expression


def _factor(waiting: list[str], text: str, depth: int) -> Expression:
    token = waiting.pop(0) if waiting else ""
    if token == "(":
        if depth == MAX_DEPTH:
            raise _wrong(text, f"parentheses are nested too deeply; use a depth of at most {MAX_DEPTH}")
        expression = _sum(waiting, text, depth + 1)
        if not waiting or waiting.pop(0) != ")":
            raise _wrong(text, "parentheses do not match")
        return expression
    if token in ("", ")", "+", "*"):
        raise _wrong(text, f"a name is missing; {FORM}")
    return Name(token)


def _wrong(text: str, what: str) -> UsageError:
    return UsageError(f"features {text!r}: {what}")
