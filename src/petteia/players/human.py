"""A person who types moves, and how what they type is read."""

from __future__ import annotations

from collections.abc import Callable

from petteia.core.decision import Decision, Limit
from petteia.core.protocol import Rules, State, format_move, format_state, legal, parse_move
from petteia.players.player import Player

Read = Callable[[str], str]
"""Shows a prompt and returns the line that is typed; EOFError at the end of input, as `input` does."""
Write = Callable[[str], None]
"""Shows a text, of one or more lines."""


def numbered_moves(rules: Rules, state: State) -> dict[str, int]:
    """The legal moves by what may be typed for them: 1, 2, ...; none where moves are themselves written as numbers."""
    codes = legal(rules, state)
    if any(format_move(rules, state, code).isdecimal() for code in codes):
        return {}
    return {str(number): code for number, code in enumerate(codes, 1)}


def list_moves(rules: Rules, state: State, columns: int = 78) -> str:
    """The legal moves with their numbers, in as many columns as fit."""
    numbers = {code: number for number, code in numbered_moves(rules, state).items()}
    names = [(numbers.get(code, ""), format_move(rules, state, code)) for code in legal(rules, state)]
    left, right = (max(len(name[side]) for name in names) for side in (0, 1))
    cells = [f"   {number:>{left}}: {name:<{right}}" if left else f"   {name:<{right}}" for number, name in names]
    across = max(1, columns // len(cells[0]))
    return "\n".join("".join(cells[i : i + across]).rstrip() for i in range(0, len(cells), across))


def read_move(rules: Rules, state: State, text: str) -> int:
    """The legal move that `text`, a number of the list or the move's notation, stands for; a ValueError for others."""
    numbers = numbered_moves(rules, state)
    if text in numbers:
        return numbers[text]
    if numbers and text.isdecimal():
        raise ValueError(f"there is no move number {text}; the moves are numbered 1 to {len(numbers)}")
    return parse_move(rules, state, text)


class HumanPlayer(Player):
    """Asks for each move through `read`, and says through `write` what is wrong with it."""

    independent = False
    _rules: Rules

    def __init__(self, read: Read = input, write: Write = print, name: str = "human") -> None:
        self.name = name
        self._read, self._write = read, write

    def new_game(self, rules: Rules, seed: int) -> None:
        """Remember the rules."""
        self._rules = rules

    def choose(self, state: State, limit: Limit) -> Decision:
        """Show the position and the moves, and ask until a legal one is typed."""
        self._write(format_state(self._rules, state))
        self._write(list_moves(self._rules, state))
        while True:
            try:
                return Decision(read_move(self._rules, state, self._read("your move: ").strip()))
            except ValueError as error:
                self._write(str(error))
