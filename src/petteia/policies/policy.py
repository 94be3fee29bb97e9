"""The methods that a policy defines, and two simple policies for any game, `Uniform` and `Lowest`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import Buffer, Rules, State, dispatched, draw_move, limits, method, moves
from petteia.core.random import RandomState

Policy = Any
"""A policy: an instance of a NamedTuple class with a method `choose`, and optionally a method `probabilities`."""


class Scratch(NamedTuple):
    """Scratch arrays for one thread. The rules determine their sizes."""

    moves: Ints
    """scratch space for moves or chance outcomes: int64[limits.moves]"""
    probabilities: Floats
    """scratch space for the probabilities of chance outcomes: float64[limits.moves]"""


def workspace(rules: Rules) -> Scratch:
    """Return scratch arrays for one thread that plays under `rules`."""
    maximum = limits(rules).moves
    return Scratch(np.zeros(maximum, np.int64), np.zeros(maximum))


def _undefined(policy: Policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
    raise TypeError("the policy does not define the method `choose`")


@dispatched(lambda cls: method(cls, "choose") or _undefined)
def choose(policy: Policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
    """Return the move that `policy` plays in `state`. The game must not be over, and a player must be to move."""
    raise TypeError


def _nothing(policy: Policy, rules: Rules, random: RandomState) -> None:
    return None


@dispatched(lambda cls: method(cls, "begin") or _nothing)
def begin(policy: Policy, rules: Rules, random: RandomState) -> None:
    """Prepare the policy for a new game, for example by drawing random weights. The default does nothing.

    `random` is the state of the random number generator that `choose` will use. If a policy chooses between other
    policies, its method `begin` must call `begin` for each of them.
    """
    raise TypeError


def _no_probabilities(policy: Policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
    raise TypeError("the policy does not define the method `probabilities`")


@dispatched(lambda cls: method(cls, "probabilities") or _no_probabilities)
def probabilities(policy: Policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
    """Add `share` times the probability of each legal move to the array `out`, float64[limits.moves].

    Returns the number of legal moves. The entries of `out` are in the order in which the game lists the legal moves.
    After the call, `work.moves` contains these moves. The method adds to the entries of `out` instead of replacing
    them, so that several policies can add their weighted probabilities in turn. A policy class need not define this
    method (see `tells_probabilities`).
    """
    raise TypeError


def tells_probabilities(policy: Policy) -> bool:
    """Return whether the policy and all policies that it contains define `probabilities`.

    A policy class can define a method `tells_probabilities(policy)` if only some of its instances can report
    probabilities. This function then returns the result of that method.
    """
    if (own := method(type(policy), "tells_probabilities")) is not None:
        return bool(own(policy))
    parts = [part for part in policy if method(type(part), "choose")]
    return method(type(policy), "probabilities") is not None and all(map(tells_probabilities, parts))


def for_thread(policy: Policy) -> Policy:
    """Return a copy of the policy with separate scratch arrays. Policies that it contains are copied in the same way.

    A policy class with scratch arrays must define a method `for_thread(policy)` that returns a copy with new arrays.
    Without this method, several threads would write to the same arrays.
    """
    if (own := method(type(policy), "for_thread")) is not None:
        return own(policy)
    parts = [for_thread(part) if method(type(part), "choose") else part for part in policy]
    return type(policy)(*parts)


class Uniform(NamedTuple):
    """A policy that plays each legal move with the same probability."""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return a random move."""
        return draw_move(rules, state, random, work.moves)

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Divide the probability `share` equally among all legal moves. Return the number of legal moves."""
        count = moves(rules, state, work.moves)
        for i in range(count):
            out[i] += share / count
        return count


class Lowest(NamedTuple):
    """A policy that plays the legal move with the lowest code."""

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return the move with the lowest code."""
        count = moves(rules, state, work.moves)
        lowest = int(work.moves[0])
        for i in range(1, count):
            lowest = min(lowest, int(work.moves[i]))
        return lowest

    def probabilities(policy, rules: Rules, state: State, share: float, out: Buffer, work: Scratch) -> int:
        """Add `share` to the probability of the move with the lowest code. Return the number of legal moves."""
        count = moves(rules, state, work.moves)
        lowest = 0
        for i in range(1, count):
            if work.moves[i] < work.moves[lowest]:
                lowest = i
        out[lowest] += share
        return count
