"""Random numbers from explicit random states, never from a global one.

A random state is an array of one int64 (in plain Python any list of one int), which is advanced in place. The generator
is SplitMix64, which scrambles the values of a counter. A run has a 63-bit key. The random state of game `i` is computed
from the key and `i`, so the games do not depend on their order or on the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from petteia.core.arrays import Floats
from petteia.core.bits import mix, shift_right, wrapping_add, wrapping_multiply
from petteia.core.errors import UsageError
from petteia.core.kernel import inline

GOLDEN = -0x61C8864680B583EB  # 2^64 divided by the golden ratio: SplitMix64's step
RandomState = Any
"""A mutable sequence of one int64."""


def checked_seed(seed: Any) -> int:
    """Convert a seed, any type of whole number, to int. Raises UsageError unless it is in 0..2^63-1."""
    if not (isinstance(seed, Integral) and 0 <= int(seed) < 1 << 63):
        raise UsageError(f"seed={seed!r}: must be a whole number in 0..2^63-1")
    return int(seed)


def keys(seed: int, count: int) -> list[int]:
    """`count` independent 63-bit keys drawn from one seed (an int of 0 or more) by NumPy's SeedSequence."""
    from numpy.random import SeedSequence

    return [int(word) >> 1 for word in SeedSequence(seed).generate_state(count, "uint64")]


@inline
def stream(key: int, index: int) -> int:
    """The initial random state of game `index` in the run with this key."""
    return mix(wrapping_add(key, wrapping_multiply(mix(wrapping_add(index, GOLDEN)), GOLDEN)))


@inline
def next_word(random: RandomState) -> int:
    """64 random bits as a signed word."""
    random[0] = wrapping_add(int(random[0]), GOLDEN)
    return mix(int(random[0]))


@inline
def below(random: RandomState, count: int) -> int:
    """A random int in 0..count-1, exactly uniformly distributed; `count` is in 1..2^31.

    The method multiplies instead of dividing, and draws again in the rare case that would favour some results.
    Source: Lemire 2019, "Fast random integer generation in an interval".
    """
    product = (next_word(random) & 0xFFFFFFFF) * count
    if product & 0xFFFFFFFF < count:
        minimum = (0x100000000 - count) % count
        while product & 0xFFFFFFFF < minimum:
            product = (next_word(random) & 0xFFFFFFFF) * count
    return product >> 32


@inline
def uniform(random: RandomState) -> float:
    """A random float in [0, 1), uniformly distributed over the multiples of 2^-53."""
    return shift_right(next_word(random), 11) * 2.0**-53


@inline
def draw_index(random: RandomState, probabilities: Floats | Sequence[float], count: int) -> int:
    """A random index in 0..count-1, drawn with the first `count` probabilities, which sum to 1."""
    rest = uniform(random)
    for index in range(count - 1):
        rest -= probabilities[index]
        if rest < 0.0:
            return index
    return count - 1
