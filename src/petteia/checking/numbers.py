"""Checks of the methods `steps` and `observe`, which encode moves and states as numbers for other libraries."""

from __future__ import annotations

import math
from numbers import Real

from petteia.checking.notes import Notes
from petteia.checking.sample import ConformanceError, Sample, Visit, check_int, pick_evenly, where
from petteia.core.protocol import MAX_SQUARES, MAX_STEPS, Rules, State, initial, observe, provides, step_codes, steps

TOGETHER = ("steps", "step_codes")
"""The methods that must be defined together."""
SOME = 300
"""the maximum number of states in a check"""
UNWRITTEN = -1


def steps_of_moves(sample: Sample, notes: Notes) -> None:
    """Check that `steps`, if defined, encodes each legal move as a different sequence of numbers.

    The steps of a move must not be a prefix of the steps of another move.
    """
    rules = sample.rules
    defined = [name for name in TOGETHER if provides(rules, name)]
    if len(defined) == 1:
        (missing,) = {*TOGETHER} - {*defined}
        notes.fail(f"{where(rules)}: defines {defined[0]} but not {missing}; define both")
    if len(defined) < len(TOGETHER):
        return
    with notes:
        codes = check_int(step_codes(rules), "step_codes returned", rules, minimum=1)
        for visit in pick_evenly([visit for visit in sample.visits if visit.side in (0, 1)], SOME):
            with notes:
                _check_steps(rules, visit, codes)


def _check_steps(rules: Rules, visit: Visit, codes: int) -> None:
    known: dict[tuple[int, ...], int] = {}
    for move in visit.moves:
        written = _steps_of(rules, visit.state, move, codes)
        if (other := known.setdefault(written, move)) != move:
            raise ConformanceError(
                f"{where(rules, visit.state, move)}: its steps {list(written)} are also those of move code {other}; "
                "different moves must have different steps"
            )
    for written, move in known.items():
        for length in range(1, len(written)):
            if (other := known.get(written[:length], move)) != move:
                raise ConformanceError(
                    f"{where(rules, visit.state, move)}: its steps {list(written)} begin with all steps of move code "
                    f"{other}, {list(written[:length])}; a move must not begin with all steps of another move"
                )


def _steps_of(rules: Rules, state: State, move: int, codes: int) -> tuple[int, ...]:
    out = [UNWRITTEN] * MAX_STEPS
    count = check_int(steps(rules, state, move, out), "steps returned", rules, state, minimum=1)
    if count > MAX_STEPS:
        raise ConformanceError(f"{where(rules, state, move)}: steps wrote {count} steps; must be at most {MAX_STEPS}")
    for step in out[:count]:
        if type(step) is not int or not 0 <= step < codes:
            fact = f"steps wrote {step!r}; must be an int in 0..{codes - 1}"
            raise ConformanceError(f"{where(rules, state, move)}: {fact}, as step_codes(rules) is {codes}")
    return tuple(out[:count])


def observations(sample: Sample, notes: Notes) -> None:
    """Check that `observe`, if defined, writes the same number of finite values in all states and for both players."""
    rules = sample.rules
    if not provides(rules, "observe"):
        return
    count = None
    with notes:
        count = _observed(rules, initial(rules), 0)
    for visit in pick_evenly(sample.visits, SOME) if count is not None else ():
        for side in (0, 1):
            with notes:
                if (now := _observed(rules, visit.state, side)) != count:
                    raise ConformanceError(
                        f"{where(rules, visit.state)}: observe wrote {now} numbers for player {side}; must be {count}, "
                        "as for player 0 at the start"
                    )


def _observed(rules: Rules, state: State, side: int) -> int:
    out: list[object] = [None] * (MAX_SQUARES + 1)
    count = check_int(observe(rules, state, side, out), "observe returned", rules, state, minimum=1)
    if count > MAX_SQUARES:
        raise ConformanceError(f"{where(rules, state)}: observe returned {count}; must be at most {MAX_SQUARES}")
    for number in out[:count]:
        if not (isinstance(number, Real) and math.isfinite(number)):
            raise ConformanceError(f"{where(rules, state)}: observe wrote {number!r}; must be a finite number")
    return count
