"""A check that all positions of a game fit into memory while the game is solved."""

from __future__ import annotations

import math

from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, has_chance, limits, max_positions
from petteia.solver.lower_bounds import min_positions
from petteia.solver.memory_errors import LARGEST, SMALLER, insufficient_memory, size_text

POSITION_BYTES, FIELD_BYTES, MOVE_BYTES = 64, 8, 8
"""Upper bounds of the memory in bytes for a position, for each field of its state, and for a move."""
CHANCE_MOVE_BYTES = 12
"""The memory in bytes for a move or an outcome in games with chance nodes."""
HOPELESS = 2_000_000_000
"""If random games show that more bytes are needed, a message recommends more memory only if a sufficient amount is
known."""
HAS, HAS_MORE = "has", "has more than"
WIDEST = (1 << 31) - 1
"""The largest margin, and the largest number of positions, in a game that can be solved."""


def check_fit(rules: Rules, fields: int, memory: int, rows: int, edges: int, has: str) -> int:
    """Return an estimate of the number of positions that fit into `memory`, from the mean number of moves per position.

    The mean number of moves is computed from `rows` and `edges`, the numbers of positions and of moves that have been
    found so far.

    `fields` is the number of fields of a state. Raises UsageError if `rows` positions do not fit. `has` is a part of
    the error message: HAS if `rows` is the final number of positions, and HAS_MORE if the search for positions has not
    ended.
    """
    each = _size(rules, fields, edges / rows)
    fit = min(int(memory / each), WIDEST)
    if rows > fit:
        maximum = max_positions(rules)
        bound = f" (at most {maximum:,} positions, {size_text(maximum * each)})" if maximum > rows else ""
        fact = (
            f"{format_game(rules)}: {has} {rows:,} positions, which need {size_text(rows * each)} of memory{bound}; "
            f"{size_text(memory)} is allowed, enough for {fit:,}"
        )
        enough = _enough(rules, fields, rows if has == HAS else maximum)
        is_known = has == HAS or enough <= LARGEST  # otherwise there may be far fewer positions
        raise insufficient_memory(fact, enough if is_known else None, helps=_what_helps(rules))
    return fit


def refuse_hopeless(rules: Rules, start: State, memory: int, *, folded: bool) -> None:
    """Raise UsageError if random games show that more positions can be reached from `start` than fit into `memory`."""
    fields = len(start)
    each = _size(rules, fields, 0)  # the positions of the last plies may have no moves
    minimum = min_positions(rules, start, folded=folded, wanted=min(int(memory / each), WIDEST))
    if minimum * each > memory or minimum > WIDEST:
        fact = (
            f"{format_game(rules)} has more than {_digits(minimum):,} positions by an estimate from random games; "
            f"they need more than {size_text(_digits(minimum) * each)} of memory; {size_text(memory)} is allowed"
        )
        enough = _enough(rules, fields, max_positions(rules))
        is_known = enough <= LARGEST or minimum * each > HOPELESS
        raise insufficient_memory(fact, enough if is_known else None, helps=_what_helps(rules))


def _size(rules: Rules, fields: int, moves: float) -> float:
    """Return the number of bytes that solving a game needs for a position with `moves` moves."""
    return POSITION_BYTES + FIELD_BYTES * fields + (CHANCE_MOVE_BYTES if has_chance(rules) else MOVE_BYTES) * moves


def _enough(rules: Rules, fields: int, maximum: int) -> float:
    """Return a sufficient number of bytes for solving a game with `maximum` positions.

    The function returns infinity if the number of positions is unknown (`maximum` is 0), or if `maximum` is too large
    for any table.
    """
    return maximum * _size(rules, fields, limits(rules).moves) if 0 < maximum <= WIDEST else math.inf


def _digits(number: int) -> int:
    """Return the number rounded down to two significant digits."""
    step: int = 10 ** max(len(str(number)) - 2, 0)
    return number // step * step


def _what_helps(rules: Rules) -> str:
    """Return advice on what to do about a game with too many positions, for an error message."""
    if has_chance(rules):
        return SMALLER
    proving = ", prove single positions (petteia prove)" if limits(rules).plies else ""
    return f"{SMALLER}{proving} or measure players near the ends of games (petteia.regret with a function `over`)"
