"""The clickable targets of a drawing. A click on a target chooses a step of a move, such as a square.

A game can define a function `targets(rules, state)` in the module that draws its board. The function returns a
dictionary. The keys are codes of steps, such as the choice of a square. The values are the targets that choose these
steps. In a game that does not divide its moves into steps (method `steps`), each move is a single step with the code of
the move. A target has one of these forms:

- `(x, y, width, height, label)`: a labelled rectangle in the units of the drawing's viewBox
- `label`: only a label, for a step that belongs to no place on the board, such as a pass

In a game that defines `shape` but no drawing, the squares of the grid are the targets.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import NamedTuple

from petteia.core.protocol import CHANCE, Rules, State, is_over, legal, to_move
from petteia.core.steps import steps_of
from petteia.render.boards import Drawn, drawn_by
from petteia.render.grid import grid_targets, has_grid, shape_error

NARROW, SMALLEST = 360, 24
"""The width of a narrow screen, and the minimum size of a target for a finger on this screen, in pixels."""
NUMBER = r"\s*(-?\d+(?:\.\d+)?)"
VIEW_BOX = re.compile(rf"""<svg\b[^>]*?\sviewBox\s*=\s*["']{NUMBER}[\s,]{NUMBER}[\s,]{NUMBER}[\s,]{NUMBER}\s*["']""")


class Box(NamedTuple):
    """A rectangle in the units of a drawing's viewBox."""

    x: float
    y: float
    width: float
    height: float


class Target(NamedTuple):
    """A step that can be chosen by a click."""

    label: str
    """the label of the target, which no other target has"""
    box: Box | None
    """the place of the target on the drawing; None for a target that is only a label"""


def targets(rules: Rules, state: State, svg: str) -> tuple[dict[int, Target], str]:
    """Return the clickable targets of the drawing `svg`, and an error message if the game's targets are invalid.

    If the targets are invalid, the returned dictionary is empty. If they are valid, the returned message is empty.
    """
    drawn = drawn_by("targets", rules, state)
    if drawn.note:
        return {}, drawn.note
    given, source = drawn.value, "targets"
    if given is None and is_grid(rules, state):
        source = "shape"
        if error := shape_error(rules, state):
            return {}, f"the squares of `shape` cannot be clicked: {error}"
        given = grid_targets(rules, state)
    if given is None:
        return {}, ""
    if error := error_in(given, svg):
        return {}, f"the squares of `{source}` cannot be clicked: {error}"
    return {step: _target(value) for step, value in given.items()}, ""


def is_grid(rules: Rules, state: State) -> bool:
    """Whether the board is drawn as a grid: the game defines all methods that a grid needs, but no function `svg`."""
    return has_grid(rules) and drawn_by("svg", rules, state) == Drawn(None)


def view_box(svg: str) -> Box | None:
    """The viewBox of a drawing; None if it is missing or empty."""
    found = VIEW_BOX.match(svg.lstrip())
    box = Box(*map(float, found.groups())) if found else None
    return box if box and box.width > 0 and box.height > 0 else None


def error_in(given: dict[object, object], svg: str) -> str:
    """Return an error message about the result of `targets`, or an empty string if the result is valid."""
    view = view_box(svg)
    if view is None:
        return "the drawing has no viewBox; the viewBox must define the units of the boxes"
    for step, value in given.items():
        if type(step) is not int or step < 0 or not _is_target(value):
            form = "the code of a step, with (x, y, width, height, label) or a label"
            return (
                f"`targets` returned the entry {step!r}: {' '.join(repr(value).split())[:60]}; entries must be {form}"
            )
    made = {step: _target(value) for step, value in given.items()}
    for one, other in combinations(made.values(), 2):
        if one.label == other.label:
            return f"the label {one.label!r} occurs twice; all labels must differ"
    placed = [(target.label, target.box) for target in made.values() if target.box]
    for label, box in placed:
        if not _is_within(box, view):
            return f"the box of {label!r} lies outside the viewBox"
        if min(box.width, box.height) * NARROW / view.width < SMALLEST:
            pixels = f"fewer than {SMALLEST} pixels on a screen {NARROW} pixels wide"
            return f"the box of {label!r} is too small: its width or height has {pixels}"
    for (one_label, one_box), (other_label, other_box) in combinations(placed, 2):
        if _overlap(one_box, other_box):
            return f"the boxes of {one_label!r} and {other_label!r} overlap"
    return ""


def missing_step(rules: Rules, state: State, given: dict[int, Target]) -> int | None:
    """Return the first step of a legal move for which `given` has no target, or None if every step has one."""
    if is_over(rules, state) or to_move(rules, state) == CHANCE:
        return None
    steps = (step for move in legal(rules, state) for step in steps_of(rules, state, move))
    return next((step for step in steps if step not in given), None)


def _is_target(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    if not isinstance(value, tuple) or len(value) != len(Box._fields) + 1:
        return False
    return all(type(number) in (int, float) for number in value[:-1]) and _is_target(str(value[-1]))


def _target(value: object) -> Target:
    if isinstance(value, tuple):
        return Target(str(value[-1]), Box(*value[:-1]))
    return Target(str(value), None)


def _is_within(box: Box, view: Box) -> bool:
    return (
        box.x >= view.x
        and box.y >= view.y
        and box.x + box.width <= view.x + view.width
        and box.y + box.height <= view.y + view.height
    )


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )
