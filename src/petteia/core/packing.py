"""Conversion of states to rows of an array or to numbers, for algorithms that store many states."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from petteia.core.arrays import Ints
from petteia.core.bits import mix, wrapping_add
from petteia.core.kernel import inline, overloaded, when_compiling
from petteia.core.protocol import Rules, State, injective, key

POSITIVE = (1 << 63) - 1


@inline
def pack(state: State, row: Ints) -> None:
    """Write the fields of `state` into `row`, int64[fields]."""
    for i in range(len(state)):
        row[i] = state[i]


@inline
def holds(row: Ints, state: State) -> bool:
    """Return whether `row`, int64[fields], contains the fields of `state`."""
    for i in range(len(state)):  # noqa: SIM110  # compiled
        if row[i] != state[i]:
            return False
    return True


@inline
def digest_state(digest: int, state: State) -> int:
    """Return a digest that combines `digest` with all fields of `state`."""
    for value in state:
        digest = mix(wrapping_add(digest, value))
    return digest


@inline
def distinct_key(rules: Rules, state: State) -> int:
    """Return an int in 0..2^63-1 that identifies `state` among all states of the game.

    If the keys of the game are injective, the result is `key(rules, state)`. Otherwise it is a digest of all fields of
    the state.

    Two different states have the same digest with a probability of 2^-63, even in a game in which many states share a
    key.
    """
    if injective(rules):
        return key(rules, state)
    return digest_state(0, state) & POSITIVE


def unpack(like: State, row: Ints) -> State:
    """Read the state that `pack` has written into `row`, int64[fields]. `like` is any state of the same class."""
    return type(like)(*map(int, row))


def _register(numba: ModuleType) -> None:
    from numba.np.unsafe.ndarray import to_fixed_tuple

    def implementation(like: Any, row: Any) -> Any:
        cls, count = like.instance_class, len(like)
        return lambda like, row: cls(*to_fixed_tuple(row, count))

    overloaded(unpack, implementation)


when_compiling(_register, makes=(unpack,))
