"""The games of a match, cut into numbered blocks: what is played, kept and played again as one.

A block is a range of games. The first blocks hold a pair of games (or a single game, where openings are not played from
both sides), later ones more, so that there are few blocks in a match of any length, and each is at most a 32nd part of
what was played before it. Where they end does not depend on how many games follow: a match with more games has the same
blocks, and further ones. Only its last block may be cut short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

PARTS = 32
"""blocks in which as many games follow as there were before"""
MAX_UNITS = 1 << 14
"""pairs of games, or single games, in a block"""


def blocks(games: int, games_per_unit: int, max_units: int = MAX_UNITS) -> Iterator[range]:
    """The blocks of a match, in their order; `games_per_unit` is 2 if its games come in pairs, else 1."""
    begin, units = 0, games // games_per_unit
    while begin < units:
        size = min(1 << max(0, (begin // PARTS).bit_length() - 1), max_units)
        end = min(begin + size, units)
        yield range(begin * games_per_unit, end * games_per_unit)
        begin = end


def left(planned: Iterable[range], played: Iterable[range]) -> list[range]:
    """The planned blocks that lie in none of those that were played."""
    ends = {begin: max(block.stop for block in same) for begin, same in groupby(sorted(played, key=_start), _start)}
    result, covered = [], 0
    for block in planned:
        covered = max(covered, ends.get(block.start, 0))
        if block.stop > covered:
            result.append(block)
    return result


def _start(block: range) -> int:
    return block.start
