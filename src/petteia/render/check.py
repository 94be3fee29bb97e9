"""Checking the drawing of a game: it draws what random games come to, and is clicked where it says."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError, Visit, draw_sample, pick_evenly, where
from petteia.checking.shared import in_turn
from petteia.core.protocol import Rules
from petteia.render.boards import DRAWERS, board_svg, drawing, drawn_by, draws
from petteia.render.targets import targets, untold

DRAWN_GAMES, SOME = 20, 100
"""random games, and positions of them that are drawn"""
COMMON = ("targets", "frames")
"""functions of these names may well be something else, unless their first parameter is `rules`"""


def check_drawing(rules: Rules, seed: int = 0) -> Iterator[CheckResult]:
    """A check for each function that draws beside the class of `rules`."""
    checks: dict[str, Callable[[], str | None]] = {}
    for name in DRAWERS:
        if inspect.isfunction(draw := getattr(drawing(type(rules)), name, None)):
            parameters = tuple(inspect.signature(draw).parameters)
            if name not in COMMON or parameters[:1] == ("rules",):
                checks[f"drawing: {name}"] = _check(rules, name, parameters, seed)
    return in_turn(rules, checks)


def _check(rules: Rules, name: str, parameters: tuple[str, ...], seed: int) -> Callable[[], str | None]:
    def check() -> str | None:
        if not draws(name, parameters):
            right = ", ".join(DRAWERS[name].parameters)
            return f"it draws nothing, as its parameters are ({', '.join(parameters)}); those that draw are ({right})"
        for visit in pick_evenly(draw_sample(rules, DRAWN_GAMES, seed).visits, SOME):
            if note := _note(rules, name, visit):
                raise ConformanceError(f"{where(rules, visit.state)}: {note}")
        return None

    return check


def _note(rules: Rules, name: str, visit: Visit) -> str:
    """What is wrong with what the function returns for a position; empty if nothing is."""
    if name in ("text", "svg"):
        return drawn_by(name, rules, visit.state, *((None, None) if name == "svg" else ())).note
    if name == "targets":
        return _note_on_targets(rules, visit)
    return drawn_by(name, rules, visit.state, visit.moves[0]).note if visit.moves else ""


def _note_on_targets(rules: Rules, visit: Visit) -> str:
    told, note = targets(rules, visit.state, board_svg(rules, visit.state))
    if note:
        return note
    step = untold(rules, visit.state, told)
    return "" if step is None else f"targets does not tell of step {step}, which a legal move has"
