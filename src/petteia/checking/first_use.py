"""A short check of a custom game, which runs before any code is compiled for the game.

Compiled code assumes that a game conforms to the protocol. The checks of this module take a few milliseconds, and run
when a process first uses the rules. `petteia check` runs all checks.
"""

from __future__ import annotations

import functools

from petteia.checking.sample import (
    DIFFER,
    ConformanceError,
    Visit,
    check_images,
    check_int,
    check_limits,
    check_start,
    examine,
    explain,
    same_key,
    successor,
    where,
)
from petteia.checking.symmetry import mirrored
from petteia.core.errors import UsageError
from petteia.core.protocol import CHANCE, Rules, State, injective, key, margin
from petteia.core.random import below, draw_index, stream

TRIED_GAMES, PLIES = 3, 20
STATES, ROOM, LISTED = 60, 1_000_000, 2_000
"""the maximum numbers of states, of entries in all buffers for moves together, and of listed moves"""
MIRRORED, IMAGES, MIRRORED_MOVES = 6, 8, 100
"""the maximum numbers of states whose symmetries are checked, of symmetries of a state, and of moves of such a state"""


@functools.lru_cache(maxsize=100, typed=True)  # typed: rules of two classes may be equal tuples
def try_out(rules: Rules, name: str) -> None:
    """Raise UsageError if the first plies of a few games violate the protocol.

    The error message contains the command for a full check of the game.

    The check stops after a fixed number of states and moves, not after a fixed time. Therefore its result does not
    depend on the speed of the machine.
    """
    try:
        _try_out(rules)
    except Exception as error:  # custom rules can raise anything
        raise UsageError(f"{explain(rules, error)}; for a full check run: petteia check {name}") from None


def _try_out(rules: Rules) -> None:
    try:
        declared = check_limits(rules)
    except ConformanceError as error:
        raise ConformanceError(f"{where(rules)}: {error}") from None
    number_of_images = check_images(rules)
    if type(injective(rules)) is not bool:
        raise ConformanceError(
            f"{where(rules)}: the method `injective` returned {injective(rules)!r}; must be True or False"
        )
    maximum = max(2, min(STATES, ROOM // declared.moves))
    states = listed = 0
    met = dict[int, State]()
    for number in range(TRIED_GAMES):
        random = [stream(0, number)]
        visit = check_start(rules)
        for ply in range(PLIES):
            states, listed = states + 1, listed + len(visit.moves)
            _check_key(rules, visit.state, met)
            if states <= MIRRORED and len(visit.moves) <= MIRRORED_MOVES:
                for i in range(1, min(number_of_images, IMAGES)):
                    mirrored(rules, visit, i)
            if visit.over:
                check_int(margin(rules, visit.state), "margin returned", rules, visit.state, minimum=-(1 << 63) + 1)
                break
            if states >= maximum or listed >= LISTED:
                return
            if ply == declared.plies > 0:
                place = where(rules, visit.state)
                raise ConformanceError(
                    f"{place}: the game is not over after {declared.plies} plies, the maximum that the method `limits` "
                    "declares"
                )
            visit = examine(rules, successor(rules, visit.state, _drawn(visit, random)))


def _check_key(rules: Rules, state: State, met: dict[int, State]) -> None:
    """Raise ConformanceError if the key of `state` is invalid, or equal to the key of another state.

    If `injective(rules)` is False, different states may have equal keys.
    """
    number = check_int(key(rules, state), "key returned", rules, state)
    other = met.setdefault(number, state)
    if other != state and injective(rules):
        raise ConformanceError(f"{where(rules, state)}: {same_key(rules, number, other)}; {DIFFER}")


def _drawn(visit: Visit, random: list[int]) -> int:
    count = len(visit.moves)
    place = draw_index(random, visit.probabilities, count) if visit.side == CHANCE else below(random, count)
    return visit.moves[place]
