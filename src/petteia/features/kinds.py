"""What a name stands for where it is not said: a feature set or an evaluation, for a game that must be named, too."""

from __future__ import annotations

import inspect
import re
from typing import Literal

from petteia.core.errors import PetteiaError
from petteia.core.foreign import load_module
from petteia.core.protocol import method
from petteia.core.text import IDENTIFIER
from petteia.features.evaluations import EVALUATIONS
from petteia.features.feature_sets import FEATURE_SETS

Kind = Literal["features", "evaluation"]
FOREIGN = re.compile(rf"({IDENTIFIER}(?:\.{IDENTIFIER})*):({IDENTIFIER})")


def kind_of(text: str) -> Kind | None:
    """What `text` names; None if that is neither, or if there is no such thing."""
    name = next((part.strip() for part in re.split(r"[()+*]", text) if part.strip()), "")
    if name in FEATURE_SETS:
        return "features"
    if name in EVALUATIONS:
        return "evaluation"
    found = _own(name)
    if isinstance(found, type):
        return "features" if method(found, "features") else "evaluation" if method(found, "evaluate") else None
    return "evaluation" if inspect.isfunction(found) else None


def _own(name: str) -> object:
    """What a user's module has under this name; None if it has nothing."""
    place = FOREIGN.fullmatch(name)
    if place is None:
        return None
    try:
        return getattr(load_module(place[1], name), place[2], None)
    except PetteiaError:
        return None
