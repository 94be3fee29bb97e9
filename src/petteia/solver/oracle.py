"""Values, distances and best moves of positions in a solved game."""

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
    """A solved game. It gives the values, the best moves and the distances to the end under perfect play.

    Values are final margins under perfect play, from the perspective of player 0: +1, 0 or -1 in games without a score.
    Infinite play has the value 0. In games with chance nodes, values are expected values, which count as equal if
    they differ by at most 1e-9 (`expectation.TOLERANCE`). Positions can be given as states or texts.

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
        """Solve the game, or use an existing table.

        Args:
            game: the rules or their text form
            table: a table of the game, or its file; default: the game is solved
            position: the start of the game; default: the initial position
            memory: number of bytes that solving may use

        Raises:
            UsageError: the game or option is unknown, or the game cannot be solved or does not fit into memory
            NotFoundError: the module, class or file does not exist
            InvalidError: the position is impossible, or the table is damaged or belongs to other rules

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
        """Return the final margin under perfect play, from the perspective of player 0.

        In games with chance nodes, the result is the expected final margin. In other games, the final margin is an int.
        Raises InvalidError if the table does not contain the position.
        """
        value: float = self.table.values[self._row(self._state(state))].item()
        return value

    def distance(self, state: str | State) -> int | None:
        """Return the number of plies to the end if the winner wins as fast and the loser loses as slowly as possible.

        The distance is None for non-terminal positions with the value 0, and for all non-terminal positions of games
        with chance nodes. Raises InvalidError if the table does not contain the position.
        """
        distance = int(self.table.distances[self._row(self._state(state))])
        return None if distance < 0 else distance

    def best_moves(self, state: str | State) -> list[int]:
        """Return the codes of the best moves: of the moves with the best value, those that win fastest or lose slowest.

        The list of best moves is empty if no player is to move. Raises InvalidError if the table does not contain the
        position.
        """
        position = self._state(state)
        side = to_move(self.rules, position)
        if is_over(self.rules, position) or side == CHANCE:
            return []
        moves = legal(self.rules, position)
        worths = [worth(self.table, self._row(play(self.rules, position, move)), side) for move in moves]
        return [move for move, each in zip(moves, worths, strict=True) if not is_better(max(worths), each)]

    def regret(self, state: str | State, move: int) -> float:
        """Return the regret of a legal move: the points of the margin that it loses compared with the best move.

        `move` is the code of the move. The regret is 0 for a move that keeps the value, even if the move delays a win.
        Raises UsageError at a chance node.
        """
        position = self._state(state)
        side = to_move(self.rules, position)
        if side == CHANCE:
            text = format_state(self.rules, position)
            raise UsageError(f"position {text!r} is a chance node; choose a position in which a player is to move")
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
                f"position {text!r} is not in the table, because it cannot be reached from the start of the table; "
                "solve the game from this position"
            )
        return row
