"""Functions that determine what a name refers to, such as a feature set, an evaluation or a player."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Literal

from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import method
from petteia.core.text import IDENTIFIER
from petteia.features.evaluations import EVALUATIONS
from petteia.features.feature_sets import FEATURE_SETS
from petteia.foreign.loading import load_module
from petteia.learn.targets import UPDATE_RULES
from petteia.players.text import PLAYERS

Kind = Literal["features", "evaluation", "learner", "player", "part"]
WORDS: dict[Kind, str] = {
    "features": "a feature set",
    "evaluation": "an evaluation",
    "learner": "an update rule",
    "player": "a player",
    "part": "a part of a search",
}
KNOWN_BY: dict[Kind, tuple[str, ...]] = {
    "features": ("features", "names", "size", "tuples"),
    "evaluation": ("evaluate",),
    "learner": ("next_value", "update_step", "update_end"),
    "player": ("choose", "new_game"),
    "part": ("rank", "select", "search_beyond"),
}
"""the methods that each kind of component defines; a class is of a kind if it defines at least one of its methods"""
NAMED: dict[Kind, Mapping[str, object]] = {
    "features": FEATURE_SETS,
    "evaluation": EVALUATIONS,
    "learner": UPDATE_RULES,
    "player": PLAYERS,
    "part": {},
}
"""the components of the package by kind and name"""
FOREIGN = re.compile(rf"[(\s]*({IDENTIFIER}(?:\.{IDENTIFIER})*):({IDENTIFIER})(?=[\s()+*:]|$)")
OWN = re.compile(r"[(\s]*([\w-]+)")


def kind_of(text: str) -> Kind | None:
    """Return the kind of the component named `text`, such as a player or a feature set, or None if it is unknown."""
    if place := FOREIGN.match(text):
        try:
            return _kind_of_value(getattr(load_module(f"{place[1]}:{place[2]}", text), place[2], None))
        except PetteiaError:
            return None
    match = OWN.match(text)
    return next((kind for kind in WORDS if match and match[1] in NAMED[kind]), None)


def read_kind(text: str) -> Kind:
    """Return the kind of the component named `text`, such as a player or a feature set.

    Raises UsageError if the name is unknown or the module cannot be imported. Also raises UsageError if the object is
    not a component of a game, such as a player or a feature set. Raises NotFoundError if `module:Name` refers to a
    module or an object that does not exist.
    """
    if kind := kind_of(text):
        return kind
    *others, last = WORDS.values()
    known = f"{', '.join(others)} or {last}"
    place = FOREIGN.match(text)
    if place is None:
        raise UsageError(
            f"{text}: there is no component with this name; give the name of {known}, or module:Name for custom code"
        )
    value = getattr(load_module(f"{place[1]}:{place[2]}", text), place[2], None)
    if value is None:
        raise NotFoundError(f"{text}: module {place[1]!r} does not define {place[2]!r}")
    methods = ", ".join(names[0] for names in KNOWN_BY.values())
    raise UsageError(f"{text}: must be {known}; the class of such a component must define one of the methods {methods}")


def _kind_of_value(value: object) -> Kind | None:
    if isinstance(value, type):
        return next((kind for kind, names in KNOWN_BY.items() if any(method(value, name) for name in names)), None)
    return "evaluation" if inspect.isfunction(value) else None
