"""What a policy is, and the two that need no knowledge: `Uniform` and `Lowest`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import Buffer, Rules, State, dispatched, draw_move, limits, method, moves
from petteia.core.random import RandomState

Policy = Any
"""A policy: an instance of a NamedTuple class with a method `choose` and, where it can tell them, `probabilities`."""


class Scratch(NamedTuple):
    """Scratch arrays of a thread, sized by the rules."""

    moves: Ints
    """moves or chance outcomes, [limits.moves]"""
    probabilities: Floats
    """probabilities of chance outcomes, [limits.moves]"""


def workspace(rules: Rules) -> Scratch:
    """Scratch arrays for one thread that plays under `rules`."""
    maximum = limits(rules).moves
    return Scratch(np.zeros(maximum, np.int64), np.zeros(maximum))


def _undefined(policy: Policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
    raise TypeError("the policy does not define choose")


@dispatched(lambda cls: method(cls, "choose") or _undefined)
def choose(policy: Policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
    """The move that `policy` plays in `state`, which is not over and in which a player, not chance, moves."""
    raise TypeError


def _nothing(policy: Policy, rules: Rules, random: RandomState) -> None:
    return None


@dispatched(lambda cls: method(cls, "begin") or _nothing)
def begin(policy: Policy, rules: Rules, random: RandomState) -> None:
    """A game begins in which `policy` will move: draw what it plays by in this game. Most have nothing to draw.

    `random` is the state from which `choose` will draw. A policy that is made of others passes it on.
    """
    raise TypeError


def _no_probabilities(policy: Policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
    raise TypeError("the policy does not define probabilities")


@dispatched(lambda cls: method(cls, "probabilities") or _no_probabilities)
def probabilities(policy: Policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
    """Add `share` times the probability with which `policy` plays each legal move to `out`, float64[limits.moves].

    The order is that in which the game lists the moves, which are left in `work.moves`; returns how many there are.
    Adding lets policies that are made of others add up theirs. A policy need not have it, see `tells_probabilities`.
    """
    raise TypeError


def tells_probabilities(policy: Policy) -> bool:
    """Whether the policy, and each that it is made of, can tell how likely it plays each move.

    A policy that can tell it only sometimes has a method `tells_probabilities(policy)`.
    """
    if (own := method(type(policy), "tells_probabilities")) is not None:
        return bool(own(policy))
    parts = [part for part in policy if method(type(part), "choose")]
    return method(type(policy), "probabilities") is not None and all(map(tells_probabilities, parts))


def for_thread(policy: Policy) -> Policy:
    """The same policy, with scratch arrays of its own where it, or one that it is made of, has such.

    A policy with scratch arrays has a method `for_thread(policy)`.
    """
    if (own := method(type(policy), "for_thread")) is not None:
        return own(policy)
    parts = [for_thread(part) if method(type(part), "choose") else part for part in policy]
    return type(policy)(*parts)


class Uniform(NamedTuple):
    """Plays every legal move with the same probability."""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """A random move."""
        return draw_move(rules, state, random, work.moves)

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the same probability to each move; return the number of moves."""
        count = moves(rules, state, work.moves)
        for i in range(count):
            out[i] += share / count
        return count


class Lowest(NamedTuple):
    """Plays the legal move with the lowest code."""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """The move with the lowest code."""
        count = moves(rules, state, work.moves)
        lowest = int(work.moves[0])
        for i in range(1, count):
            lowest = min(lowest, int(work.moves[i]))
        return lowest

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add the whole share to the move with the lowest code; return the number of moves."""
        count = moves(rules, state, work.moves)
        lowest = 0
        for i in range(1, count):
            if work.moves[i] < work.moves[lowest]:
                lowest = i
        out[lowest] += share
        return count
