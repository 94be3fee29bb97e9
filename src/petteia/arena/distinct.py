"""How many different games there are among many, told by digests of their moves.

As digests are spread evenly over all words, the least of them tell how many there are (Bar-Yossef and others 2002,
"Counting distinct elements in a data stream").
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from petteia.core.arrays import Ints

SOME_DISTINCT, MOST_DISTINCT = 1 << 12, 1 << 20
"""digests that wait to be counted together, and different ones that are kept"""
WORD = 1 << 64
LAST = WORD - 1


class Distinct:
    """How many different digests there are: exactly up to `most`; of more their number is estimated.

    The error of an estimate is about one part in the square root of `most`.
    """

    def __init__(self, most: int = MOST_DISTINCT) -> None:
        self._most = most
        self._least = np.zeros(0, np.uint64)
        self._waiting = array("Q")
        self._limit = LAST
        """all different words up to this one are kept, and none above it"""

    def add(self, digests: Ints | NDArray[np.uint64], limit: int = LAST) -> None:
        """Count these 64-bit words, too: all of their kind up to `limit`, beyond which some were left out."""
        self._limit = min(self._limit, limit)
        words = digests.astype(digests.dtype).view(np.uint64)
        self._waiting.frombytes(words[words <= np.uint64(self._limit)].tobytes())
        if len(self._waiting) > max(SOME_DISTINCT, len(self._least)):
            self._merge()

    def _merge(self) -> None:
        if not self._waiting and self._least[-1:].max(initial=0) <= self._limit:
            return
        words = np.unique(np.concatenate([self._least, np.frombuffer(self._waiting, np.uint64)]))
        least = words[words <= np.uint64(self._limit)]
        if len(least) > self._most:
            least = least[: self._most]
            self._limit = int(least[-1])
        self._least, self._waiting = least.copy(), array("Q")

    @property
    def least(self) -> tuple[NDArray[np.uint64], int]:
        """The least different words, and the limit up to which they are all: those that `add` takes."""
        self._merge()
        return self._least, self._limit

    def __len__(self) -> int:
        self._merge()
        if self._limit == LAST:
            return len(self._least)
        return round((len(self._least) - 1) * WORD / self._limit)
