"""A hash table that maps keys to rows, by open addressing with linear probing.

Each row of a table has a number and a key. One array contains the key of each row, and the array `slots` contains row
numbers. The hash of a key is an index into `slots`, at which the search for the row with this key begins. If another
row occupies the slot, the following slots are tried in order. The length of `slots` is a power of two, and at least
twice the number of rows.
"""

from __future__ import annotations

from petteia.core.arrays import Ints, Ints32
from petteia.core.bits import mix
from petteia.core.kernel import inline, kernel
from petteia.core.stop import check_stop

EMPTY = -1
"""The content of an empty slot."""
AT_ONCE = 1 << 18
"""The number of rows that are entered before the next check whether the user has stopped the computation."""


def slots_for(rows: int) -> int:
    """Return the number of slots for a table of `rows` rows."""
    return 1 << max(rows * 2 - 1, 1).bit_length()


@inline
def slot_of(slots: Ints | Ints32, keys: Ints, key: int) -> int:
    """Return the slot that contains the row with this key, or the empty slot for the key if there is no such row.

    `slots` contains row numbers. It is an int64 or int32 array whose length is a power of two. `keys`, int64[rows],
    contains the key of each row.
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
    """Fill the empty hash table `slots` with the row numbers of `keys`. All keys must differ.

    `slots` is an int64 or int32 array whose length is a power of two. `keys`, int64[rows], contains the key of each
    row.
    """
    for first in range(0, len(keys), AT_ONCE):
        check_stop()
        _enter_rows(slots, keys, first, min(first + AT_ONCE, len(keys)))
