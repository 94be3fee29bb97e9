"""Agents: players of one game that choose a move in a given position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petteia.arena.alternate import legal_move
from petteia.core.errors import InvalidError, UsageError
from petteia.core.names import format_game, parse_seat
from petteia.core.positions import read_position, same_rules
from petteia.core.protocol import CHANCE, Rules, State, format_move, is_over, to_move
from petteia.core.protocol import seats as seat_names
from petteia.core.random import checked_seed
from petteia.core.stop import Stop, obeying
from petteia.games import game as rules_of
from petteia.players import Player
from petteia.players import player as read_player
from petteia.players.player import UNLIMITED
from petteia.players.settings import learned_weights, rules_learned, text_by
from petteia.playing.position import Position


class Agent:
    """A player of one game that chooses a move in a given position.

    `petteia.agent` and `petteia.load` create agents.

    Functions that accept a player also accept an agent. An agent is not thread-safe.

    Examples:
        >>> kalah = petteia.agent("greedy:depth=2", "kalah")
        >>> kalah.name, kalah.game, kalah.seats
        ('greedy:depth=2', 'kalah', ('south', 'north'))
        >>> kalah.choose(petteia.position("kalah").play("3"))
        '5'

    """

    def __init__(self, player: Player, rules: Rules, side: int | str | None = None) -> None:
        """Create an agent for `player`.

        `side` is the only side that the agent plays. By default, the agent plays all sides that the player can play.
        Raises UsageError for a side that the player does not play, and for a player that learns while it plays.
        """
        self.rules = rules
        self._player = player
        self._names = seat_names(rules)
        self._sides = player.seats if side is None else (parse_seat(rules, side),)
        self._has_begun = False
        if not player.independent:
            raise UsageError(f"player {player.name} learns from whole games; let it play in a match or a session")
        if not set(self._sides) <= set(player.seats):
            plays = self._names[player.seats[0]]
            raise UsageError(f"side={side!r}: player {player.name} only plays {plays}; choose side={plays!r}")

    @property
    def name(self) -> str:
        """The text form of the player, such as `q:agent=runs/hare`, or the name of its class."""
        return self._player.name

    @property
    def game(self) -> str:
        """The text form of the rules, such as `kalah:seeds=3`."""
        return format_game(self.rules)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the sides that the agent plays."""
        return tuple(self._names[side] for side in self._sides)

    def reset(self, seed: int = 0) -> None:
        """Begin a new game. The agent forgets the previous game and seeds its random numbers with `seed`, 0..2^63-1.

        Raises UsageError for a seed out of range, and PetteiaError if the player fails.
        """
        self._player.new_game(self.rules, checked_seed(seed))
        self._has_begun = True

    def choose(self, position: Position | str | State, stop: Stop | None = None) -> str:
        """Return the text of the move that the agent chooses in a position. The first call also calls `reset()`.

        Args:
            position: a position of the agent's game, as a position object, a state or text
            stop: ends the computation when it is set; the move is then the best one found so far

        Raises:
            InvalidError: a position of another game, a finished game, or a chance node
            UsageError: the agent does not play the side to move
            Stopped: `stop` was set before a player in a child process returned a move
            PetteiaError: the player fails or makes an illegal move

        """
        rules = self.rules
        if isinstance(position, Position) and same_rules(position.rules, rules):
            state = position.state
        else:
            state = read_position(rules, position)
        if is_over(rules, state):
            raise InvalidError("position: the game is over; give a position in which a player is to move")
        side = to_move(rules, state)
        if side not in self._sides:
            if side == CHANCE:
                raise InvalidError("position: it is a chance node; play an outcome first")
            mover = self._names[side]
            raise UsageError(f"position: {mover} is to move, but {self!r} only plays {self.seats[0]}")
        if not self._has_begun:
            self.reset()
        if stop is None:
            move = self._player.choose(state, UNLIMITED).move
        else:
            with obeying(stop):
                move = self._player.choose(state, UNLIMITED).move
        if not self._player.plays_legally:
            legal_move(rules, self._player, state, move)
        return format_move(rules, state, move)

    def as_player(self, rules: Rules) -> Player:
        """Return the player that chooses the agent's moves, for example to play a match under `rules`.

        If possible, the returned player is a new instance that shares no state with this agent.

        Raises UsageError if the rules are not those of the agent.
        """
        if not same_rules(rules, self.rules):
            raise UsageError(f"{self!r} does not play {format_game(rules)}")
        made = self._player if self._player.text is None else read_player(self._player.text, rules)
        if self._sides != made.seats:
            made.seats = self._sides
        return made

    def __repr__(self) -> str:
        return f"<Agent {self.name} of {self.game}>"


def agent(player: str | Any, game: str | Rules) -> Agent:
    """Create an agent: a player of one game that chooses moves in given positions.

    Args:
        player: text such as `search:depth=4`; the path or name of a run; the path of a weights file; a training run;
            or a player or policy as a Python object
        game: the rules, or their text form such as `kalah:seeds=3`

    Raises:
        UsageError: the game, the player or an option is unknown, or the player learns while it plays
        NotFoundError: a module, a class, a run or a file is missing
        InvalidError: a run or file is damaged, or was trained under other rules

    Examples:
        >>> hounds = petteia.agent("perfect", "hare-and-hounds")
        >>> hounds.choose("0,1,3/10 hounds 0")
        '1-5'

    """
    rules = rules_of(game)
    return Agent(read_player(player, rules), rules)


def load(where: str | Path) -> Agent:
    """Load an agent that uses the trained weights of a run or a weights file.

    Args:
        where: the folder or the name of a run, or the path of a weights file. If the training of the run is unfinished,
            the agent uses its last saved weights

    Raises:
        UsageError: `where` is neither a path nor a name
        NotFoundError: there is no such run or file, or the run has no saved weights yet
        InvalidError: the run or file is damaged, its code has changed, or it names code that is not trusted

    Examples:
        >>> training = petteia.train("hare-and-hounds", games=1000, name="hounds")
        >>> petteia.load("runs/hounds").seats
        ('hounds',)

    """
    if not isinstance(where, str | Path):
        raise UsageError(f"where={where!r}: must be the path or the name of a run, or the path of a weights file")
    held = learned_weights(where)
    rules = rules_learned(held)
    return Agent(read_player(text_by(where, held.kind), rules), rules)
