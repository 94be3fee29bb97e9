"""Positions of a game as immutable objects, with methods for legal moves, play, the board and analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from petteia.core import protocol
from petteia.core.moves import read_move
from petteia.core.names import format_game
from petteia.core.positions import read_position, same_rules
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    format_move,
    format_state,
    legal,
    limits,
    margin,
    score_of,
    seats,
)
from petteia.games import game as rules_of
from petteia.render import Board

if TYPE_CHECKING:
    from petteia.arena.analysis import Analysis
    from petteia.core.stop import Stop


class Result(NamedTuple):
    """The result of a game that ended by its rules. Its text is, for example, `south won by 6`, `hare won` or `draw`.

    Examples:
        >>> position = petteia.position("kalah:pits=1,seeds=1")
        >>> position.play("1").outcome
        Result(winner=None, margin=0, score=(1, 1, 'stone'))

    """

    winner: str | None
    """the seat of the winner, such as `south`; None for a draw"""
    margin: int
    """the final margin, from the perspective of player 0"""
    score: tuple[int, int, str] | None = None
    """the points of players 0 and 1 and the name of the points; None if the game does not define `final_score`"""

    @property
    def points(self) -> str:
        """The score as text with the larger number first, such as `27 stones to 21`; empty if there is no score."""
        if self.score is None:
            return ""
        first, second, unit = self.score
        return f"{max(first, second)} {unit} to {min(first, second)}"

    def __str__(self) -> str:
        if self.winner is None:
            return "draw"
        return f"{self.winner} won" + (f" by {abs(self.margin)}" if abs(self.margin) > 1 else "")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position:
    """An immutable position of a game. `petteia.position` creates a position, and `play` returns a later position.

    Two positions are equal if their rules and their states are equal.

    Examples:
        >>> position = petteia.position("kalah").play("6")
        >>> position.to_move, position.moves
        ('north', ('1', '2', '3', '4', '5', '6'))
        >>> position.best(depth=4).move
        '2'
        >>> print(position.board)
           north   6    5    4    3    2    1
           ┌────┬────┬────┬────┬────┬────┬────┬────┐
           │    │  4 │  4 │  4 │  5 │  5 │  5 │    │
           │  0 ├────┼────┼────┼────┼────┼────┤  1 │
           │    │  4 │  4 │  4 │  4 │  4 │  0 │    │
           └────┴────┴────┴────┴────┴────┴────┴────┘
                   1    2    3    4    5    6  south
        <BLANKLINE>
           north to move

    """

    rules: Rules
    """the rules of the game"""
    state: State
    """the state under these rules"""
    last: tuple[State, int] | None = None
    """the state before the last move and the code of that move, so that the board can show the move; None if unknown"""

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
        """The seat to move, such as `south`; `chance` at a chance node; None if the game is over."""
        if self.is_over:
            return None
        side = protocol.to_move(self.rules, self.state)
        return "chance" if side == CHANCE else seats(self.rules)[side]

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves as text; empty at a chance node, and if the game is over."""
        if self.is_over or protocol.to_move(self.rules, self.state) == CHANCE:
            return ()
        return tuple(format_move(self.rules, self.state, move) for move in legal(self.rules, self.state))

    @property
    def chances(self) -> dict[str, float]:
        """The chance outcomes as text, with their probabilities; empty unless this is a chance node."""
        if self.is_over or protocol.to_move(self.rules, self.state) != CHANCE:
            return {}
        maximum = limits(self.rules).moves
        codes, probabilities = [0] * maximum, [0.0] * maximum
        count = protocol.chances(self.rules, self.state, codes, probabilities)
        written = (format_move(self.rules, self.state, code) for code in codes[:count])
        return dict(zip(written, probabilities[:count], strict=True))

    def play(self, *moves: str) -> Position:
        """Return the position after the given moves or chance outcomes, which are played in order.

        Raises InvalidError for an illegal move; the message lists the legal moves.
        """
        position = self
        for move in moves:
            position = position.after(read_move(self.rules, position.state, move))
        return position

    def after(self, code: int) -> Position:
        """Return the position after the move with this code. The move must be legal, which is not checked."""
        return Position(self.rules, protocol.play(self.rules, self.state, code), (self.state, code))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(protocol.is_over(self.rules, self.state))

    @property
    def outcome(self) -> Result | None:
        """The winner, the margin and the score; None if the game is not over."""
        if not self.is_over:
            return None
        won = int(margin(self.rules, self.state))
        return Result(None if won == 0 else seats(self.rules)[won < 0], won, score_of(self.rules, self.state))

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
        """Let a player find the best move in this position. The result is the same as that of `petteia.best`.

        Args:
            player: the player, as text or object; a player that searches takes three seconds if no limit is given
            depth: the search depth in plies
            nodes: the node limit
            seconds: the time limit
            lines: the number of moves, best first, for which a player that searches reports a principal variation
            seed: seed of the player's random numbers
            stop: ends the computation when it is set

        Returns:
            The best move, its value, and what else the player reports, such as the expected line. If Ctrl-C or `stop`
            ends the computation, these are the results found so far.

        Raises:
            UsageError: the player or an option is unknown, or an argument is out of range
            NotFoundError: a missing module, class or file
            InvalidError: a position in which no player is to move
            PetteiaError: the player fails, takes too long, or makes an illegal move
            Stopped: `stop` was set before there was a move, see `petteia.best`

        """
        from petteia.arena.analysis import best

        limit = {"depth": depth, "nodes": nodes, "seconds": seconds}
        return best(self.rules, position=self.state, player=player, lines=lines, seed=seed, stop=stop, **limit)  # type: ignore[arg-type]  # as declared above

    def evaluate(self, player: str | Any) -> float:
        """Return the static evaluation of the position in points, from the perspective of player 0.

        For the value that a search finds, see `best(player).value`.

        Args:
            player: a player, or an evaluation such as `margin` or `my_module:function`. A player that searches
                (`theta`, `greedy`, ...) gives the evaluation that it uses at the leaves of its search. Any other player
                gives the value that it reports with its move

        Returns:
            The value. For a finished game it is the margin.

        Raises:
            UsageError: the player, the evaluation or an option is unknown, or the player reports no value
            NotFoundError: a module, a class or a file is missing
            InvalidError: the game is over or chance is to move, and the player does not search
            PetteiaError: the player fails, takes too long, or makes an illegal move

        """
        from petteia.arena.analysis import evaluate

        return evaluate(self.rules, self.state, player)

    @property
    def board(self) -> Board:
        """The board with the last move marked. It is a drawing in notebooks, and plain text elsewhere."""
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
    """Create a position of a game.

    Args:
        game: the rules or their text form, such as `kalah:seeds=3`
        position: a state, its text, or a position of this game; default: the initial position

    Raises:
        UsageError: an unknown game or option
        NotFoundError: a missing module or class
        InvalidError: a malformed or impossible position, or a position of another game

    Examples:
        >>> petteia.position("hare-and-hounds:stall=0")
        petteia.position('hare-and-hounds:stall=0', '0,1,3/10 hounds 0')
        >>> petteia.position("kalah", "0,0,0,0,0,2,23/0,0,0,0,2,1,20 s").moves
        ('6',)

    """
    rules = rules_of(game)
    return Position(rules, read_position(rules, position))
