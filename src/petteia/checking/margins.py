"""Checks of the methods `final_score`, `margin_range`, `relative` and `move_kind`."""

from __future__ import annotations

from typing import Any

from petteia.checking.notes import Notes
from petteia.checking.sample import LARGEST, ConformanceError, Sample, check_int, pick_evenly, where
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    has_chance,
    is_over,
    legal,
    margin,
    margin_range,
    move_kind,
    move_kinds,
    play,
    provides,
    relative,
    score_of,
    to_move,
)

SOME = 300
"""the maximum number of positions in a check"""
FEW_MOVES = 30
"""the maximum number of moves that are tried in a position"""
LATE, MAX_NODES = 60, 3000
"""the number of late positions in which the margin is computed by search, and the node limit of each search"""


def final_scores(sample: Sample, notes: Notes) -> None:
    """Check that the difference between the two scores of `final_score`, if defined, is the margin of the game."""
    rules = sample.rules
    if not provides(rules, "final_score"):
        return
    for visit in sample.visits:
        if visit.over:
            with notes:
                score, won = score_of(rules, visit.state), margin(rules, visit.state)
                if score and score[0] - score[1] != won:
                    fact = f"final_score returned {score!r}; the difference must be the margin, which is {won}"
                    raise ConformanceError(f"{where(rules, visit.state)}: {fact}")


def bounds_of_margins(sample: Sample, notes: Notes) -> None:
    """Check that the range from `margin_range`, if defined, contains the exact margin near the end of games.

    The exact margin is the margin under perfect play, which a full search computes. Games with chance are not checked.
    """
    rules = sample.rules
    if not provides(rules, "margin_range") or has_chance(rules):
        return
    open_visits = [visit for visit in sample.visits if not visit.over]
    for visit in pick_evenly(open_visits, SOME):
        with notes:
            _range_of(rules, visit.state)
    late = [visit for game in sample.games for visit in game.visits[-8:] if not visit.over]
    for visit in pick_evenly(late, LATE):
        with notes:
            low, high = _range_of(rules, visit.state)
            value = _value(rules, visit.state, [MAX_NODES])
            if value is not None and not low <= value <= high:
                fact = f"margin_range returned ({low}, {high}), but the margin under best play is {value}"
                raise ConformanceError(f"{where(rules, visit.state)}: {fact}")


def _range_of(rules: Rules, state: State) -> tuple[int, int]:
    found: Any = margin_range(rules, state)
    if not (isinstance(found, tuple) and len(found) == 2):
        raise ConformanceError(
            f"{where(rules, state)}: margin_range returned {found!r}; must be a tuple of two numbers"
        )
    for bound in found:
        if type(bound) is not int:
            raise ConformanceError(f"{where(rules, state)}: margin_range returned {found!r}; must be whole numbers")
    if found[0] > found[1]:
        raise ConformanceError(
            f"{where(rules, state)}: margin_range returned {found!r}; the first bound must not exceed the second"
        )
    return found


def _value(rules: Rules, state: State, left: list[int]) -> int | None:
    """Compute the margin under best play by a full search, or return None if the node limit is reached.

    `left[0]` is the number of nodes that the search may still visit. The function decreases it.
    """
    if is_over(rules, state):
        return margin(rules, state)
    values = []
    for move in legal(rules, state):
        left[0] -= 1
        value = _value(rules, play(rules, state, move), left) if left[0] > 0 else None
        if value is None:
            return None
        values.append(value)
    return max(values) if to_move(rules, state) == 0 else min(values)


def scores_apart(sample: Sample, notes: Notes) -> None:
    """Check that `relative`, if defined, correctly separates the score of a state from the rest of the state.

    The game's method `relative` returns the state without its score, and the score from the perspective of the player
    to move.

    The state with its score and the state without it must have the same legal moves. After each move, the two
    successors may differ only in the score.
    """
    rules = sample.rules
    if not provides(rules, "relative"):
        return
    for visit in pick_evenly([visit for visit in sample.visits if not visit.over and visit.side != CHANCE], SOME):
        with notes:
            stripped, score = relative(rules, visit.state)
            place = where(rules, visit.state)
            check_int(score, "relative returned the score", rules, visit.state, minimum=-LARGEST)
            if is_over(rules, stripped) or to_move(rules, stripped) != 0:
                raise ConformanceError(
                    f"{place}: relative returned {stripped!r}; player 0 must be to move in that state"
                )
            if legal(rules, stripped) != list(visit.moves):
                wrong = "which has other moves; must have the moves of the state itself"
                raise ConformanceError(f"{place}: relative returned {stripped!r}, {wrong}")
            for move in visit.moves[:FEW_MOVES]:
                _check_after(rules, visit.state, stripped, score, move)


def _check_after(rules: Rules, state: State, stripped: State, score: int, move: int) -> None:
    """Raise ConformanceError unless `move` has the same effect on a state with and without its score.

    `stripped` is `state` without its score. The states after the move may differ only in the score.
    """
    sign = 1 if to_move(rules, state) == 0 else -1
    after, after_stripped = play(rules, state, move), play(rules, stripped, move)
    fact = f"{where(rules, state, move)}: relative returned {stripped!r}; after the move,"
    if is_over(rules, after) != is_over(rules, after_stripped):
        raise ConformanceError(f"{fact} both this state and the state itself must be over, or neither")
    if is_over(rules, after):
        if sign * margin(rules, after) != score + margin(rules, after_stripped):
            raise ConformanceError(f"{fact} its margin plus the score {score} must be the margin of the state itself")
        return
    changed = to_move(rules, after) != to_move(rules, state)
    if changed == (to_move(rules, after_stripped) == 0):
        raise ConformanceError(f"{fact} this state and the state itself must have the same player to move")
    (one, far), (other, near) = relative(rules, after), relative(rules, after_stripped)
    if one != other or far != near + (-score if changed else score):
        raise ConformanceError(
            f"{fact} relative returns {other!r} and {near} for it, but {one!r} and {far} for the state itself; only "
            f"the score may differ, by {abs(score)}"
        )


def kinds_of_moves(sample: Sample, notes: Notes) -> None:
    """Check that `move_kind`, if defined, always returns a number from 0 to `move_kinds` - 1."""
    rules = sample.rules
    if not provides(rules, "move_kind"):
        return
    maximum = move_kinds(rules)
    for visit in pick_evenly([visit for visit in sample.visits if visit.side in (0, 1)], SOME):
        with notes:
            for move in visit.moves[:FEW_MOVES]:
                check_int(kind := move_kind(rules, move), f"move_kind of {move}", minimum=0)
                if kind >= maximum:
                    raise ConformanceError(
                        f"{where(rules)}: move_kind of move code {move} is {kind}; must be below {maximum}"
                    )
