"""Checking the drawing of a user's game: it draws what random games come to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError, draw_sample, pick_evenly, where
from petteia.checking.shared import in_turn
from petteia.core.protocol import Rules
from petteia.render.boards import PARAMETERS, drawing, drawn_by, draws

DRAWN_GAMES, SOME = 20, 100
"""random games, and positions of them that are drawn"""


def check_drawing(rules: Rules, seed: int = 0) -> Iterator[CheckResult]:
    """A check for each function that draws beside the class of `rules`."""
    checks: dict[str, Callable[[], str | None]] = {}
    for name in PARAMETERS:
        if inspect.isfunction(draw := getattr(drawing(type(rules)), name, None)):
            checks[f"drawing: {name}"] = _check(rules, name, tuple(inspect.signature(draw).parameters), seed)
    return in_turn(rules, checks)


def _check(rules: Rules, name: str, parameters: tuple[str, ...], seed: int) -> Callable[[], str | None]:
    def check() -> str | None:
        if not draws(name, parameters):
            right = ", ".join(PARAMETERS[name])
            return f"it draws nothing, as its parameters are ({', '.join(parameters)}); those that draw are ({right})"
        for visit in pick_evenly(draw_sample(rules, DRAWN_GAMES, seed).visits, SOME):
            arguments = {"text": (), "svg": (None, None), "moved": visit.moves[:1]}[name]
            if (name != "moved" or arguments) and (note := drawn_by(name, rules, visit.state, *arguments).note):
                raise ConformanceError(f"{where(rules, visit.state)}: {note}")
        return None

    return check
