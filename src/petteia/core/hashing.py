"""Rows found by their keys: open addressing with linear probing.

The keys stand in rows of their own; `slots`, whose number is a power of two and at least twice that of the rows, holds
the row whose key hashes to a slot, or to one a little before it.
"""

from __future__ import annotations

from petteia.core.arrays import Ints, Ints32
from petteia.core.bits import mix
from petteia.core.kernel import inline, kernel
from petteia.core.stop import check_stop

EMPTY = -1
"""what stands in a slot without a row"""
AT_ONCE = 1 << 18
"""rows that are entered before a stop is heard"""


def slots_for(rows: int) -> int:
    """The number of slots that a table of so many rows needs."""
    return 1 << max(rows * 2 - 1, 1).bit_length()


@inline
def slot_of(slots: Ints | Ints32, keys: Ints, key: int) -> int:
    """The slot that holds the row with this key or, if there is none, the empty slot in which it belongs.

    `slots` is int64 or int32[a power of two], `keys` int64[rows].
    """
    mask = len(slots) - 1
    slot = mix(key) & mask
    row = int(slots[slot])
    while row != EMPTY and keys[row] != key:
        slot = (slot + 1) & mask
        row = int(slots[slot])
    return slot


@kernel(purpose="tables")
def _enter_rows(slots: Ints | Ints32, keys: Ints, first: int, end: int) -> None:
    for row in range(first, end):
        slots[slot_of(slots, keys, int(keys[row]))] = row


def build_index(slots: Ints | Ints32, keys: Ints) -> None:
    """Enter the rows of all `keys`, which differ, into `slots`, which are empty; their shapes are as in `slot_of`."""
    for first in range(0, len(keys), AT_ONCE):
        check_stop()
        _enter_rows(slots, keys, first, min(first + AT_ONCE, len(keys)))
