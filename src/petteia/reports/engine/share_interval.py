"""For the time being: the interval of a mean of shares, until `petteia.arena.statistics` has it."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval

DRAWS = 20_000
TAIL = 0.05
"""of a side; at the end of the range where all shares lie there is no other side"""


def share_interval(shares: Sequence[float]) -> Interval:
    """The mean of independent shares in 0..1 with an interval for any distribution on 0..1.

    Source: Learned-Miller and Thomas 2020, "A new confidence interval for the mean of a bounded random variable".
    """
    values = np.sort(np.asarray(shares, np.float64))
    tail = TAIL if values[0] == values[-1] in (0.0, 1.0) else TAIL / 2
    mean = float(values.mean())
    low, high = 1.0 - _upper(1.0 - values[::-1], tail), _upper(values, tail)
    return Interval(mean, min(low, mean), max(high, mean))


def _upper(values: NDArray[np.float64], tail: float) -> float:
    gaps = np.diff(np.append(values, 1.0))
    return float(np.quantile(1.0 - _uniforms(len(values)) @ gaps, 1.0 - tail))


@functools.cache
def _uniforms(count: int) -> NDArray[np.float64]:
    """Sorted uniform numbers, [draws, count], always the same."""
    return np.sort(np.random.default_rng(0).random((DRAWS, count)), axis=1)
