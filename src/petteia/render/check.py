"""Checks of the functions that draw the board of a game.

The drawing functions of the game are called for positions of random games. The clickable targets in these positions are
compared with the legal moves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError, Visit, draw_sample, pick_evenly, where
from petteia.checking.shared import in_turn
from petteia.core.protocol import Rules, provides
from petteia.render.boards import DRAWERS, board_svg, drawing, drawn_by, draws
from petteia.render.grid import lacking
from petteia.render.targets import missing_step, targets

DRAWN_GAMES, SOME = 20, 100
"""The number of random games, and the maximum number of positions of these games that are drawn."""
COMMON = ("targets", "frames")
"""Common names of functions.

A function with such a name is a drawing function only if its first parameter is `rules`.
"""


def check_drawing(rules: Rules, seed: int = 0) -> Iterator[CheckResult]:
    """Check each drawing function of the game, and yield a result for each."""
    checks: dict[str, Callable[[], str | None]] = {}
    for name in DRAWERS:
        if inspect.isfunction(draw := getattr(drawing(type(rules)), name, None)):
            parameters = tuple(inspect.signature(draw).parameters)
            if name not in COMMON or parameters[:1] == ("rules",):
                checks[f"drawing: {name}"] = _check(rules, name, parameters, seed)
    if provides(rules, "shape") and "drawing: svg" not in checks:
        checks["drawing: shape"] = lambda: _check_shape(rules, seed)
    return in_turn(rules, checks)


def _check_shape(rules: Rules, seed: int) -> None:
    """Raise ConformanceError unless boards of the game can be drawn as a grid with clickable squares."""
    if lacks := lacking(rules):
        raise ConformanceError(
            f"{where(rules)}: the game defines the method `shape`, but not {' and '.join(lacks)}; to draw the board as "
            "a grid, define all these methods"
        )
    _check_positions(rules, seed, lambda visit: targets(rules, visit.state, board_svg(rules, visit.state))[1])


def _check_positions(rules: Rules, seed: int, note_on: Callable[[Visit], str]) -> None:
    """Raise ConformanceError if `note_on` returns an error message for a position.

    The check `note_on` is called for positions of random games. It returns an empty string for a position that passes
    the check.
    """
    for visit in pick_evenly(draw_sample(rules, DRAWN_GAMES, seed).visits, SOME):
        if note := note_on(visit):
            raise ConformanceError(f"{where(rules, visit.state)}: {note}")


def _check(rules: Rules, name: str, parameters: tuple[str, ...], seed: int) -> Callable[[], str | None]:
    def check() -> str | None:
        if not draws(name, parameters):
            right = ", ".join(DRAWERS[name].parameters)
            given = ", ".join(parameters)
            return f"the function is ignored, because its parameters are ({given}); rename the parameters to ({right})"
        _check_positions(rules, seed, lambda visit: _note(rules, name, visit))
        return None

    return check


def _note(rules: Rules, name: str, visit: Visit) -> str:
    """Test a drawing function in a position. Return an error message, or an empty string if the result is valid."""
    if name in ("text", "svg"):
        return drawn_by(name, rules, visit.state, *((None, None) if name == "svg" else ())).note
    if name == "targets":
        return _note_on_targets(rules, visit)
    return drawn_by(name, rules, visit.state, visit.moves[0]).note if visit.moves else ""


def _note_on_targets(rules: Rules, visit: Visit) -> str:
    found, note = targets(rules, visit.state, board_svg(rules, visit.state))
    if note:
        return note
    step = missing_step(rules, visit.state, found)
    return "" if step is None else f"the result of `targets` lacks step {step}, which a legal move contains"
