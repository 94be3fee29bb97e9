"""A first look at a game of a user's own, before anything is compiled for it.

Compiled code takes a game at its word. What can be seen in a few milliseconds is looked at here, each time that a
process first uses the rules; all the rest is what `petteia check` is for.
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
"""at most: states that are looked at, entries of their lists of moves together, and moves listed in these"""
MIRRORED, IMAGES, MIRRORED_MOVES = 6, 8, 100
"""at most: states whose images are looked at, images of each, and moves of a state so that this takes no long time"""


@functools.lru_cache(maxsize=100, typed=True)  # typed: rules of two classes may be equal tuples
def try_out(rules: Rules, name: str) -> None:
    """Raise a UsageError, with the command that says more, if the first plies of some games break the protocol.

    How far it looks depends on counts alone, not on a clock: what passes once always passes.
    """
    try:
        _try_out(rules)
    except Exception as error:  # a user's rules can raise anything
        raise UsageError(f"{explain(rules, error)}; to see all that is wrong: petteia check {name}") from None


def _try_out(rules: Rules) -> None:
    try:
        declared = check_limits(rules)
    except ConformanceError as error:
        raise ConformanceError(f"{where(rules)}: {error}") from None
    number_of_images = check_images(rules)
    if type(injective(rules)) is not bool:
        raise ConformanceError(f"{where(rules)}: injective returned {injective(rules)!r}; must be True or False")
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
                raise ConformanceError(f"{place}: not over after the {declared.plies} plies of limits(rules)")
            visit = examine(rules, successor(rules, visit.state, _drawn(visit, random)))


def _check_key(rules: Rules, state: State, met: dict[int, State]) -> None:
    """ConformanceError unless the key is a number, and no other state that was met has it if the rules promise that."""
    number = check_int(key(rules, state), "key returned", rules, state)
    other = met.setdefault(number, state)
    if other != state and injective(rules):
        raise ConformanceError(f"{where(rules, state)}: {same_key(rules, number, other)}; {DIFFER}")


def _drawn(visit: Visit, random: list[int]) -> int:
    count = len(visit.moves)
    place = draw_index(random, visit.probabilities, count) if visit.side == CHANCE else below(random, count)
    return visit.moves[place]
