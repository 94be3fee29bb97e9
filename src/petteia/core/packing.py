"""States as rows of numbers, for algorithms that keep many of them in an array."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from petteia.core.kernel import inline, overloaded, when_compiling
from petteia.core.protocol import State


@inline
def pack(state: State, row: Any) -> None:
    """Write the fields of `state` into `row`, int64[fields]."""
    for i in range(len(state)):
        row[i] = state[i]


@inline
def holds(row: Any, state: State) -> bool:
    """Whether `row` holds the fields of `state`."""
    for i in range(len(state)):  # noqa: SIM110  # compiled
        if row[i] != state[i]:
            return False
    return True


def unpack(like: State, row: Any) -> State:
    """The state whose fields `pack` has written into `row`; `like` is any state of the game."""
    return type(like)(*map(int, row))


def _register(numba: ModuleType) -> None:
    from numba.np.unsafe.ndarray import to_fixed_tuple

    def implementation(like: Any, row: Any) -> Any:
        cls, count = like.instance_class, len(like)
        return lambda like, row: cls(*to_fixed_tuple(row, count))

    overloaded(unpack, implementation)


when_compiling(_register, makes=(unpack,))
