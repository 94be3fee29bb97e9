"""A position of a game as an object: its moves, what follows them, its board, and what players say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from petteia.core import protocol
from petteia.core.moves import read_move
from petteia.core.names import format_game
from petteia.core.positions import read_position, same_rules
from petteia.core.protocol import CHANCE, Rules, State, format_move, format_state, legal, limits, margin, seats
from petteia.games import game as rules_of
from petteia.render import Board

if TYPE_CHECKING:
    from petteia.arena.analysis import Analysis
    from petteia.core.stop import Stop


class Result(NamedTuple):
    """The result of a game by its rules. Text forms are `south won by 6`, `hare won` and `draw`."""

    winner: str | None
    """what the game calls the player who won; None for a draw"""
    margin: int
    """player 0's final margin"""

    def __str__(self) -> str:
        if self.winner is None:
            return "draw"
        return f"{self.winner} won" + (f" by {abs(self.margin)}" if abs(self.margin) > 1 else "")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position:
    """An immutable position of a game. `petteia.position` creates one, `play` returns the next.

    Two positions are equal if their rules and their states are.
    """

    rules: Rules
    """the rules of the game"""
    state: State
    """the state under these rules"""
    last: tuple[State, int] | None = None
    """the state before the last move and that move's code, which the board shows; None: no move is known"""

    @property
    def game(self) -> str:
        """The text form of the rules, such as `kalah:seeds=3`."""
        return format_game(self.rules)

    @property
    def text(self) -> str:
        """The position as text, in the notation of the game."""
        return format_state(self.rules, self.state)

    @property
    def to_move(self) -> str | None:
        """What the game calls the player to move; `chance` where chance moves, None if the game is over."""
        if self.is_over:
            return None
        side = protocol.to_move(self.rules, self.state)
        return "chance" if side == CHANCE else seats(self.rules)[side]

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves, as written; none where chance moves or the game is over."""
        if self.is_over or protocol.to_move(self.rules, self.state) == CHANCE:
            return ()
        return tuple(format_move(self.rules, self.state, move) for move in legal(self.rules, self.state))

    @property
    def chances(self) -> dict[str, float]:
        """The outcomes of chance, as written, with their probabilities; none where a player moves."""
        if self.is_over or protocol.to_move(self.rules, self.state) != CHANCE:
            return {}
        maximum = limits(self.rules).moves
        codes, probabilities = [0] * maximum, [0.0] * maximum
        count = protocol.chances(self.rules, self.state, codes, probabilities)
        written = (format_move(self.rules, self.state, code) for code in codes[:count])
        return dict(zip(written, probabilities[:count], strict=True))

    def play(self, *moves: str) -> Position:
        """The position after these moves, or outcomes of chance, one after the other.

        Raises InvalidError for a move that is not legal; the message lists the legal ones.
        """
        position = self
        for move in moves:
            position = position.after(read_move(self.rules, position.state, move))
        return position

    def after(self, code: int) -> Position:
        """The position after the legal move with this code, which is not checked."""
        return Position(self.rules, protocol.play(self.rules, self.state, code), (self.state, code))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(protocol.is_over(self.rules, self.state))

    @property
    def outcome(self) -> Result | None:
        """Who has won, and by how much; None if the game is not over."""
        if not self.is_over:
            return None
        won = int(margin(self.rules, self.state))
        return Result(None if won == 0 else seats(self.rules)[won < 0], won)

    def best(
        self,
        player: str | Any = "search",
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Analysis:
        """The best move, as a player sees it: what `petteia.best` returns for this position.

        Args:
            player: who thinks: its text, or a player; one that searches thinks for three seconds if no limit is given
            depth: most plies
            nodes: most positions looked at
            seconds: most time
            lines: how many of the best moves a player that searches tells, each with its line
            seed: of the player's random numbers
            stop: ends the thought, once set

        Returns:
            The move, its value, and what else the player knows. After Ctrl-C, or once `stop` is set, what it had found
            until then.

        Raises:
            UsageError: an unknown player or option; a limit or number out of range
            NotFoundError: a module, class or file that is not there
            InvalidError: a position in which no player moves
            PetteiaError: a player that fails, takes too long, or makes an illegal move
            Stopped: `stop` was set before there was a move, as `petteia.best` says

        """
        from petteia.arena.analysis import best

        limit = {"depth": depth, "nodes": nodes, "seconds": seconds}
        return best(self.rules, position=self.state, player=player, lines=lines, seed=seed, stop=stop, **limit)  # type: ignore[arg-type]  # as declared above

    def evaluate(self, player: str | Any) -> float:
        """The value of the position itself, without looking ahead: player 0's, in points.

        The value after looking ahead is `best(player).value`.

        Args:
            player: whose value: a player that searches (`theta`, `greedy`, ...) values the position as it values those
                where its search stops, any other player by the value that it tells with its move; or an evaluation
                (`margin`, `my_module:function`)

        Returns:
            The value. Of a finished game it is the margin.

        Raises:
            UsageError: an unknown player, evaluation or option; a player that tells no value
            NotFoundError: a module, class or file that is not there
            InvalidError: a position in which no player moves, for a player that does not search
            PetteiaError: a player that fails, takes too long, or makes an illegal move

        """
        from petteia.arena.analysis import evaluate

        return evaluate(self.rules, self.state, player)

    @property
    def board(self) -> Board:
        """The board, which shows itself: drawn in notebooks, in plain text elsewhere; with the last move if known."""
        before, move = self.last or (None, None)
        return Board(self.rules, self.state, move, before)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return same_rules(self.rules, other.rules) and bool(self.state == other.state)

    def __hash__(self) -> int:
        return hash((type(self.rules), self.rules, self.state))

    def __repr__(self) -> str:
        return f"petteia.position({self.game!r}, {self.text!r})"


def position(game: str | Rules, position: str | State | Position | None = None) -> Position:
    """A position of a game.

    Args:
        game: the rules or their text, such as `kalah:seeds=3`
        position: a state, its text, or a position of this game; default: the first of the game

    Raises:
        UsageError: an unknown game or option
        NotFoundError: a module or class that is not there
        InvalidError: a malformed or impossible position, or one of another game

    """
    rules = rules_of(game)
    return Position(rules, read_position(rules, position))
