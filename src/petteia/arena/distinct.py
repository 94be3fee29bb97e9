"""Estimates of the number of different games in a long match, from digests of the games' moves.

Digests are spread evenly over all 64-bit words. Therefore the number of different digests can be estimated from the
smallest ones (Bar-Yossef and others 2002, "Counting distinct elements in a data stream").
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from petteia.core.arrays import Ints

SOME_DISTINCT, MAX_DISTINCT = 1 << 12, 1 << 20
"""the number of digests after which new digests are merged, and the maximum number of different digests in memory"""
WORD = 1 << 64
LAST = WORD - 1


class Distinct:
    """A counter of different 64-bit digests. Counts up to `maximum` are exact, and higher counts are estimates.

    The relative error of an estimate is about 1 / sqrt(`maximum`).
    """

    def __init__(self, maximum: int = MAX_DISTINCT) -> None:
        self._maximum = maximum
        self._minimum = np.zeros(0, np.uint64)
        self._waiting = array("Q")
        self._limit = LAST
        """the largest word that is counted; all different words up to it are in memory"""

    def add(self, digests: Ints | NDArray[np.uint64], limit: int = LAST) -> None:
        """Add digests to the counter. From now on, digests above `limit` are ignored.

        If the caller has already discarded all digests that are larger than a certain number, for example to save
        memory, it must pass this number as `limit`.
        """
        self._limit = min(self._limit, limit)
        words = digests.astype(digests.dtype).view(np.uint64)
        self._waiting.frombytes(words[words <= np.uint64(self._limit)].tobytes())
        if len(self._waiting) > max(SOME_DISTINCT, len(self._minimum)):
            self._merge()

    def _merge(self) -> None:
        if not self._waiting and self._minimum[-1:].max(initial=0) <= self._limit:
            return
        words = np.unique(np.concatenate([self._minimum, np.frombuffer(self._waiting, np.uint64)]))
        minimum = words[words <= np.uint64(self._limit)]
        if len(minimum) > self._maximum:
            minimum = minimum[: self._maximum]
            self._limit = int(minimum[-1])
        self._minimum, self._waiting = minimum.copy(), array("Q")

    @property
    def minimum(self) -> tuple[NDArray[np.uint64], int]:
        """Return the stored digests in ascending order, and the limit above which digests were discarded.

        To save memory, the counter discards digests that are larger than the limit. The returned array contains all
        other digests, without repeats.

        To combine two counters, pass the digests and the limit of one counter to the method `add` of the other counter.
        """
        self._merge()
        return self._minimum, self._limit

    def __len__(self) -> int:
        self._merge()
        if self._limit == LAST:
            return len(self._minimum)
        return round((len(self._minimum) - 1) * WORD / self._limit)
