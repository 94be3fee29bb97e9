"""What a table knows about a position."""

from __future__ import annotations

from pathlib import Path

from petteia.core.errors import InvalidError, UsageError
from petteia.core.hashing import EMPTY
from petteia.core.positions import read_position
from petteia.core.protocol import CHANCE, Rules, State, format_state, is_over, legal, parse_state, play, to_move
from petteia.games import game as rules_of
from petteia.solver import files
from petteia.solver.expectation import TOLERANCE
from petteia.solver.graph import MEMORY
from petteia.solver.tablebase import Tablebase, build, find, is_better, worth


class Oracle:
    """A solved game: values of positions and moves, and distances to the end under perfect play.

    Values are final margins under best play, player 0's: +1, 0 or -1 in games without a score; play without end is
    worth 0. Where chance can move they are expectations, fractions that count as equal if they differ by 1e-9
    (`expectation.TOLERANCE`) or less. Positions are given as states or as text.

    Examples:
        >>> oracle = petteia.Oracle("hare-and-hounds")
        >>> start = "0,1,3/10 hounds 0"
        >>> oracle.value(start), oracle.distance(start), oracle.best_moves(start)
        (1, 23, [2, 16, 38])

    """

    def __init__(
        self,
        game: str | Rules,
        *,
        table: Tablebase | str | Path | None = None,
        position: str | State | None = None,
        memory: int = MEMORY,
    ) -> None:
        """Solve the game, or take a table of it.

        Args:
            game: the rules or their text
            table: a table of the game, or the file that holds one; default: the game is solved
            position: what is solved begins here; default: the game's first position
            memory: bytes that solving may use

        Raises:
            UsageError: an unknown game or option; a game that cannot be solved or does not fit into memory
            NotFoundError: a module, class or file that is not there
            InvalidError: an impossible position, a damaged table, or one of other rules

        """
        if memory < 1:
            raise UsageError(f"memory={memory}: must be 1 byte or more")
        self.rules = rules_of(game)
        self.start = read_position(self.rules, position)
        if isinstance(table, Tablebase):
            self.table = table
        elif table is not None:
            self.table = files.load(Path(table), self.rules, memory=memory)
        else:
            self.table = build(self.rules, self.start, memory=memory)

    def value(self, state: str | State) -> float:
        """The final margin under best play, player 0's; InvalidError if the table does not hold the position.

        It is an int in games without chance, the expectation of the margin in others.
        """
        value: float = self.table.values[self._row(self._state(state))].item()
        return value

    def distance(self, state: str | State) -> int | None:
        """Plies to the end when who gets ahead hurries and the other does not; None if neither gets ahead.

        Where chance can move it is None, but at the end.
        """
        distance = int(self.table.distances[self._row(self._state(state))])
        return None if distance < 0 else distance

    def best_moves(self, state: str | State) -> list[int]:
        """The moves of best value that win as fast, or lose as slowly, as can be; none where nobody moves."""
        position = self._state(state)
        side = to_move(self.rules, position)
        if is_over(self.rules, position) or side == CHANCE:
            return []
        moves = legal(self.rules, position)
        worths = [worth(self.table, self._row(play(self.rules, position, move)), side) for move in moves]
        return [move for move, each in zip(moves, worths, strict=True) if not is_better(max(worths), each)]

    def regret(self, state: str | State, move: int) -> float:
        """The part of the final margin that a legal move loses: 0 for a perfect move. Distance does not count.

        Raises UsageError in a chance node, whose outcomes are no player's moves.
        """
        position = self._state(state)
        side = to_move(self.rules, position)
        if side == CHANCE:
            text = format_state(self.rules, position)
            raise UsageError(f"position {text!r}: chance moves there, so no move gives anything away")
        lost = self.value(position) - self.value(play(self.rules, position, move))
        if abs(lost) <= TOLERANCE:
            return 0
        return lost if side == 0 else -lost

    def _state(self, position: str | State) -> State:
        try:
            return parse_state(self.rules, position) if isinstance(position, str) else position
        except ValueError as error:
            raise InvalidError(str(error)) from None

    def _row(self, state: State) -> int:
        row = find(self.rules, self.table, state)
        if row == EMPTY:
            text = format_state(self.rules, state)
            raise InvalidError(
                f"position {text!r} is not in the table, as it cannot be reached from where the table starts; "
                "solve from there"
            )
        return row
