"""The blocks of a match. A block is a range of games that is played and saved as a whole.

Each of the first blocks contains one pair of games, or a single game if games do not come in pairs. Later blocks are
larger, so that a long match has few blocks. However, no later block contains more than 1/32 of the number of games
before it.

A longer match begins with the same blocks as a shorter one, except that the last block of the shorter match may be
incomplete. A match can therefore be continued with more games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

PARTS = 32
"""the number of blocks after which the number of played games has doubled"""
MAX_UNITS = 1 << 14
"""the maximum number of pairs of games, or of single games, in a block"""


def blocks(games: int, games_per_unit: int, max_units: int = MAX_UNITS) -> Iterator[range]:
    """Yield the blocks of a match in order, as ranges of game numbers.

    `games_per_unit` is 2 if games come in pairs, otherwise 1. `max_units` is the maximum number of pairs, or of single
    games, in a block.
    """
    begin, units = 0, games // games_per_unit
    while begin < units:
        size = min(1 << max(0, (begin // PARTS).bit_length() - 1), max_units)
        end = min(begin + size, units)
        yield range(begin * games_per_unit, end * games_per_unit)
        begin = end


def left(planned: Iterable[range], played: Iterable[range]) -> list[range]:
    """Return the planned blocks that are not contained in any played block."""
    ends = {begin: max(block.stop for block in same) for begin, same in groupby(sorted(played, key=_start), _start)}
    result, covered = [], 0
    for block in planned:
        covered = max(covered, ends.get(block.start, 0))
        if block.stop > covered:
            result.append(block)
    return result


def _start(block: range) -> int:
    return block.start
