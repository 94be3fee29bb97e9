"""The player `human`, a person who types moves at the terminal."""

from __future__ import annotations

from collections.abc import Callable

from petteia.core.decision import Decision, Limit
from petteia.core.moves import typed_move
from petteia.core.protocol import Rules, State, format_state
from petteia.players.player import Player
from petteia.render.moves import list_moves

Read = Callable[[str], str]
"""A function that shows a prompt and returns the typed line. It raises EOFError at the end of input, like `input`."""
Write = Callable[[str], None]
"""A function that shows a text of one or more lines."""


class HumanPlayer(Player):
    """A player whose moves are typed by a person. `read` reads a typed line, and `write` shows text to the person."""

    independent = False
    repeatable = False
    _rules: Rules

    def __init__(self, read: Read = input, write: Write = print, name: str = "human") -> None:
        self.name = name
        self._read, self._write = read, write

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game and store the rules."""
        self._rules = rules

    def choose(self, state: State, limit: Limit) -> Decision:
        """Show the position and the legal moves, and ask for a move until a legal one is typed."""
        self._write(format_state(self._rules, state))
        self._write(list_moves(self._rules, state))
        while True:
            try:
                return Decision(typed_move(self._rules, state, self._read("your move: ").strip()))
            except ValueError as error:
                self._write(str(error))
