"""Pointers: what they point to is the same in compiled and in plain code, and is known to what compiles for them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from petteia.core.kernel import compiler, kernel, runs_plain
from petteia.core.pointer import pointer_to, value_at


class Factors(NamedTuple):
    first: int
    rest: NDArray[np.int64]


class Shared(NamedTuple):
    factors: Factors
    counts: NDArray[np.int64]


@kernel
def multiplied(shared: Shared, place: int) -> int:
    factors, counts = value_at(shared)
    counts[place] += 1
    if place == len(factors.rest):
        return factors.first
    return int(factors.rest[place]) * multiplied(shared, place + 1)


@kernel
def products(factors: Factors, counts: NDArray[np.int64]) -> int:
    total = 0
    for i in range(3):
        other = Factors(factors.first + i, factors.rest)
        total += multiplied(pointer_to(Shared(other, counts)), 0 * i)
    return total


def test_calls_see_what_the_pointer_was_made_of_each_time():
    counts = np.zeros(4, np.int64)
    factors = Factors(5, np.array([2, 3, 7]))
    assert products(factors, counts) == 42 * (5 + 6 + 7) == products.function(factors, counts)
    assert counts.tolist() == [6, 6, 6, 6]


@pytest.mark.skipif(runs_plain(), reason="about compiled code")
def test_the_classes_behind_a_pointer_are_found():
    from petteia.core.cache import classes_of
    from petteia.core.pointer_type import Pointer

    numba = compiler()
    kind = Pointer(numba.typeof(Shared(Factors(1, np.zeros(1, np.int64)), np.zeros(1, np.int64))))
    assert classes_of((kind, numba.int64)) == {Shared, Factors}
