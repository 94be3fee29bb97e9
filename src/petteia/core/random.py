"""Random numbers. The state of the generator is always passed as an argument; there is no global state.

The random state is an array of one int64; in plain Python, it can also be a list of one int. The functions modify it in
place. The generator is SplitMix64, which scrambles the values of a counter.

Each match or training run has a 63-bit key. The initial random state of the game with number `i` is computed from the
key and `i`. So the random numbers of a game depend neither on the order of the games nor on the number of workers.
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
"""The state of a random generator: a mutable sequence of one int64."""


def checked_seed(seed: Any) -> int:
    """Check a seed of any integer type, and return it as an int. Raises UsageError unless it is in 0..2^63-1."""
    if not (isinstance(seed, Integral) and 0 <= int(seed) < 1 << 63):
        raise UsageError(f"seed={seed!r}: must be a whole number in 0..2^63-1")
    return int(seed)


def keys(seed: int, count: int) -> list[int]:
    """Return `count` independent 63-bit keys, drawn from one seed (an int of 0 or more) by NumPy's SeedSequence."""
    from numpy.random import SeedSequence

    return [int(word) >> 1 for word in SeedSequence(seed).generate_state(count, "uint64")]


@inline
def stream(key: int, index: int) -> int:
    """Return the initial state of the random number generator for game `index` of the run with this key."""
    return mix(wrapping_add(key, wrapping_multiply(mix(wrapping_add(index, GOLDEN)), GOLDEN)))


@inline
def next_word(random: RandomState) -> int:
    """Return 64 random bits as a signed word, and advance the state of the random number generator."""
    random[0] = wrapping_add(int(random[0]), GOLDEN)
    return mix(int(random[0]))


@inline
def below(random: RandomState, count: int) -> int:
    """Return a random int in 0..count-1, exactly uniformly distributed. `count` is in 1..2^31.

    To avoid a slow division, the function multiplies a random 32-bit number by `count` and takes the upper half of the
    product. In rare cases it draws again, so that all results are equally likely. Source: Lemire 2019, "Fast random
    integer generation in an interval".
    """
    product = (next_word(random) & 0xFFFFFFFF) * count
    if product & 0xFFFFFFFF < count:
        minimum = (0x100000000 - count) % count
        while product & 0xFFFFFFFF < minimum:
            product = (next_word(random) & 0xFFFFFFFF) * count
    return product >> 32


@inline
def uniform(random: RandomState) -> float:
    """Return a random float in [0, 1), uniformly distributed over the multiples of 2^-53."""
    return shift_right(next_word(random), 11) * 2.0**-53


@inline
def draw_index(random: RandomState, probabilities: Floats | Sequence[float], count: int) -> int:
    """Return a random index in 0..count-1, drawn with the given `probabilities`, which sum to 1."""
    rest = uniform(random)
    for index in range(count - 1):
        rest -= probabilities[index]
        if rest < 0.0:
            return index
    return count - 1
