"""Whether what solving takes fits into memory."""

from __future__ import annotations

from petteia.core.names import format_game
from petteia.core.protocol import Rules, has_chance, limits, most_positions
from petteia.solver.shortage import advised, shortage, size_text

POSITION_BYTES, FIELD_BYTES, MOVE_BYTES = 64, 8, 8
"""at most, while solving: of a position, of each field of its state, and of a move"""
CHANCE_MOVE_BYTES = 12
"""the same of a move or an outcome, where chance can move"""
GENEROUS_SHARE = 2
"""how many times the memory of positions with the usual number of moves suffices for those of any game"""
HAS, HAS_MORE = "has", "has more than"
WIDEST = (1 << 31) - 1
"""the largest margin, and the largest number of positions"""


def check_fit(rules: Rules, fields: int, memory: int, rows: int, edges: int, has: str) -> int:
    """How many positions fit into `memory`, at `edges` moves for each `rows` positions; a UsageError if not `rows`.

    `fields` are those of a state; `has` is HAS, or HAS_MORE while positions are still being found.
    """
    fixed, move = POSITION_BYTES + FIELD_BYTES * fields, CHANCE_MOVE_BYTES if has_chance(rules) else MOVE_BYTES
    each = fixed + move * edges / rows
    fit = min(int(memory / each), WIDEST)
    if rows > fit:
        most = most_positions(rules)
        bound = f" (and {most:,} at most, {size_text(most * each)})" if most > rows else ""
        fact = (
            f"{format_game(rules)}: {has} {rows:,} positions, for which solving takes {size_text(rows * each)} of "
            f"memory{bound}; {size_text(memory)} is allowed, enough for {fit:,}"
        )
        if has == HAS_MORE:
            raise shortage(fact, advised(memory, most * each), is_certain=False)
        widest = fixed + move * limits(rules).moves
        raise shortage(fact, rows * min(widest, GENEROUS_SHARE * each))
    return fit
