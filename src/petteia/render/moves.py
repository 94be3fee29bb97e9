"""Numbered lists of legal moves. A person can type the number of a move instead of the move."""

from __future__ import annotations

from petteia.core.moves import numbered_moves
from petteia.core.protocol import Rules, State, format_move, legal


def list_moves(rules: Rules, state: State, columns: int = 78) -> str:
    """Return the legal moves with their numbers, as text with lines of at most `columns` characters if possible."""
    numbers = {code: number for number, code in numbered_moves(rules, state).items()}
    names = [(numbers.get(code, ""), format_move(rules, state, code)) for code in legal(rules, state)]
    left, right = (max(len(name[side]) for name in names) for side in (0, 1))
    cells = [f"   {number:>{left}}: {name:<{right}}" if left else f"   {name:<{right}}" for number, name in names]
    across = max(1, columns // len(cells[0]))
    return "\n".join("".join(cells[i : i + across]).rstrip() for i in range(0, len(cells), across))
