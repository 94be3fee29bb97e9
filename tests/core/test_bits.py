"""Words of 64 bits: compiled and plain Python agree on random words, and both with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from petteia.core.bits import mix, popcount, shift_right, trailing_zeros, wrapping_add, wrapping_multiply
from petteia.core.kernel import kernel

words = st.integers(-(1 << 63), (1 << 63) - 1)


@kernel
def all_of_them(word, other, count, out):
    out[0] = popcount(word)
    out[1] = trailing_zeros(word)
    out[2] = wrapping_add(word, other)
    out[3] = wrapping_multiply(word, other)
    out[4] = shift_right(word, count)
    out[5] = mix(word)


@settings(max_examples=500, deadline=None)
@given(words, words, st.integers(0, 63))
@example(0, 0, 0)
@example(-1, -1, 63)
@example(-(1 << 63), -(1 << 63), 0)
@example((1 << 63) - 1, 1, 63)
def test_compiled_is_plain_is_arithmetic(word, other, count):
    compiled, plain = np.zeros(6, np.int64), [0] * 6
    all_of_them(word, other, count, compiled)
    all_of_them.function(word, other, count, plain)
    assert compiled.tolist() == plain
    binary = format(word % (1 << 64), "064b")
    assert plain[0] == binary.count("1")
    assert plain[1] == len(binary) - len(binary.rstrip("0"))
    assert (plain[2] - word - other) % (1 << 64) == 0
    assert (plain[3] - word * other) % (1 << 64) == 0
    assert plain[4] % (1 << 64) == int(binary, 2) >> count
    assert all(-(1 << 63) <= value < 1 << 63 for value in plain)


@pytest.mark.parametrize(
    ("counter", "output"),
    [
        (0x9E3779B97F4A7C15, 0xE220A8397B1DCDAF),
        (0x3C6EF372FE94F82A, 0x6E789E6AA1B965F4),
        (0xDAA66D2C7DDF743F, 0x06C45D188009454F),
    ],
)
def test_mix_is_the_finaliser_of_splitmix64(counter, output):
    """The first outputs of the published generator for seed 0: its counter, mixed."""
    assert mix(counter - (counter >> 63 << 64)) % (1 << 64) == output


def test_mix_changes_about_half_the_bits():
    flipped = [popcount(mix(word) ^ mix(word ^ 1 << bit)) for word in range(100) for bit in range(63)]
    assert 31.5 < sum(flipped) / len(flipped) < 32.5
    assert min(flipped) >= 10
