"""A check in plain Python that a symmetry preserves the legal moves and the result of a state."""

from __future__ import annotations

from typing import Any

from petteia.checking.sample import ConformanceError, Visit, check_state, examine, pick_evenly, where
from petteia.core.protocol import Rules, State, decided, format_state, image, image_move, margin, play


def mirrored(rules: Rules, visit: Visit, i: int) -> State:
    """Apply symmetry `i` to a state, check the symmetric state, and return it.

    Raises ConformanceError if the symmetric state differs from the original state in a property that the symmetry must
    preserve, such as the player to move.
    """
    state = image(rules, visit.state, i)
    check_state(state, f"image {i}", rules, visit.state)
    seen = examine(rules, state)
    shares = dict(zip(visit.moves, visit.probabilities, strict=False))
    its_shares = dict(zip(seen.moves, seen.probabilities, strict=False))
    same: dict[str, tuple[Any, Any]] = {
        "is_over": (seen.over, visit.over),
        "to_move": (seen.side, visit.side),
        "decided": (decided(rules, state), decided(rules, visit.state)),
        "moves": (sorted(seen.moves), sorted(image_move(rules, move, i) for move in visit.moves)),
        "chances": (its_shares, {image_move(rules, move, i): share for move, share in shares.items()}),
    }
    if visit.over:
        same["margin"] = (margin(rules, state), margin(rules, visit.state))
    for name, (actual, expected) in same.items():
        if actual != expected:
            place = f"{where(rules, visit.state)}: image {i} is {format_state(rules, state)!r}"
            raise ConformanceError(f"{place}: {name} gives {actual}; must be {expected}")
    for move in pick_evenly(visit.moves, 30):
        expected = image(rules, play(rules, visit.state, move), i)
        actual = play(rules, state, image_move(rules, move, i))
        if actual != expected:
            what = f"in image {i}, the image of the move leads to {format_state(rules, actual)!r}"
            right = f"{format_state(rules, expected)!r}, the image of the position after the move"
            raise ConformanceError(f"{where(rules, visit.state, move)}: {what}; must be {right}")
    return state
