"""Random numbers: the published sequence, exact uniformity, streams that have nothing to do with each other."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from petteia.core import random as under_test
from petteia.core.errors import UsageError
from petteia.core.kernel import kernel
from petteia.core.random import below, checked_seed, draw_index, keys, next_word, stream, uniform

COUNTS = (2, 3, 6, 7, 121, 1000, (1 << 31) - 1, 1 << 31)


@kernel
def all_of_them(random, probabilities, words, reals):
    for i in range(0, len(words), 5):
        words[i] = next_word(random)
        words[i + 1] = below(random, 7)
        words[i + 2] = below(random, (1 << 31) - 1)
        words[i + 3] = draw_index(random, probabilities, len(probabilities))
        words[i + 4] = stream(int(words[i]), i)
        reals[i] = uniform(random)


def chi_square(counted: Counter[int], expected: dict[int, float]) -> float:
    """The statistic, as standard deviations above or below its mean."""
    value = sum((counted[each] - mean) ** 2 / mean for each, mean in expected.items())
    freedom = len(expected) - 1
    return (value - freedom) / math.sqrt(2 * freedom)


def test_the_published_sequence_for_seed_0():
    random = [0]
    found = [next_word(random) % (1 << 64) for _ in range(5)]
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]
    assert found == expected


def test_compiled_is_plain():
    words, reals = np.zeros(500, np.int64), np.zeros(500)
    plain_words, plain_reals = [0] * 500, [0.0] * 500
    compiled, plain = np.array([stream(5, 6)]), [stream(5, 6)]
    all_of_them(compiled, np.array([0.5, 0.25, 0.25]), words, reals)
    all_of_them.function(plain, [0.5, 0.25, 0.25], plain_words, plain_reals)
    assert words.tolist() == plain_words
    assert reals.tolist() == plain_reals
    assert compiled.tolist() == plain


@pytest.mark.parametrize("count", COUNTS)
def test_below_is_exactly_uniform(count, monkeypatch):
    """Of the 2^32 low halves of a word equally many lead to each result; the others are drawn again.

    Those that lead to a result before any is rejected are an interval, and only its first can be rejected.
    """
    drawn: list[int] = []
    monkeypatch.setattr(under_test, "next_word", lambda random: drawn.pop(0))
    for result in {*range(min(count, 200)), count // 2, count - 1}:
        first, end = -(-(result << 32) // count), -(-((result + 1) << 32) // count)
        drawn[:] = [end - 1]
        assert below([0], count) == result
        drawn[:] = [first, end - 1]
        assert below([0], count) == result
        rejected = 1 - len(drawn)
        assert end - first - rejected == (1 << 32) // count
        if end - first > 1:
            drawn[:] = [first + 1]
            assert below([0], count) == result


@pytest.mark.parametrize("count", [2, 6, 7])
def test_below_draws_all_results_equally_often(count):
    random = [stream(1, count)]
    counted = Counter(below(random, count) for _ in range(20_000))
    assert abs(chi_square(counted, dict.fromkeys(range(count), 20_000 / count))) < 4


def test_draw_index_follows_the_probabilities():
    random = [stream(2, 0)]
    shares = [0.5, 0.0, 0.25, 0.125, 0.125]
    counted = Counter(draw_index(random, shares, len(shares)) for _ in range(20_000))
    assert counted[1] == 0
    assert abs(chi_square(counted, {i: 20_000 * share for i, share in enumerate(shares) if share})) < 4


def test_uniform_is_in_the_half_open_interval():
    random = [stream(3, 0)]
    values = [uniform(random) for _ in range(10_000)]
    assert min(values) >= 0.0
    assert max(values) < 1.0
    assert abs(sum(values) / len(values) - 0.5) < 4 / math.sqrt(12 * len(values))
    assert all(value * 2**53 == int(value * 2**53) for value in values)


def test_streams_have_nothing_to_do_with_each_other():
    """Neighbouring games and neighbouring keys: no word in common, and the first draws together are uniform."""
    randoms = [[stream(key, game)] for key in range(20) for game in range(500)]
    words = [[next_word(random) for _ in range(4)] for random in randoms]
    assert len({word for row in words for word in row}) == 40_000
    pairs = Counter((a[0] % 6) * 6 + b[0] % 6 for a, b in itertools.pairwise(words))
    assert abs(chi_square(pairs, dict.fromkeys(range(36), (len(words) - 1) / 36))) < 4
    for bit in range(64):
        ones = sum(row[0] >> bit & 1 for row in words)
        assert abs(ones - 5000) < 5 * 50


def test_keys_are_of_63_bits_and_repeat():
    assert keys(7, 3) == keys(7, 3) == keys(7, 5)[:3]
    drawn = [key for seed in range(200) for key in keys(seed, 3)]
    assert len(set(drawn)) == 600
    assert all(0 <= key < 1 << 63 for key in drawn)


def test_seeds_are_checked():
    for seed in (0, (1 << 63) - 1):
        assert checked_seed(seed) == seed
    assert type(checked_seed(np.int64(5))) is int
    for seed in (-1, 1 << 63, 1.5, "1"):
        with pytest.raises(UsageError, match=rf"^seed={seed!r}: must be a whole number in 0\.\.2\^63-1$"):
            checked_seed(seed)


@kernel
def _numbers_after_a_coin(random: Any, out: Any) -> None:
    for i in range(len(out)):
        if uniform(random) < 0.5:
            out[i] = below(random, 5)
        else:
            out[i] = below(random, 3)


def test_what_follows_from_a_mixed_word_is_compiled_right() -> None:
    """Were words mixed by signed products, the compiler would take it that these do not overflow."""
    compiled, plain = np.zeros(300, np.int64), np.zeros(300, np.int64)
    _numbers_after_a_coin(np.zeros(1, np.int64), compiled)
    _numbers_after_a_coin.function([0], plain)
    np.testing.assert_array_equal(compiled, plain)
