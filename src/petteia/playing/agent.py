"""An agent: a player of one game, asked for one move after the other."""

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
    """A player of one game that chooses a move in a position. `petteia.agent` and `petteia.load` create one.

    It can be given wherever a player can. It is not thread-safe.
    """

    def __init__(self, player: Player, rules: Rules, side: int | str | None = None) -> None:
        """An agent that plays by `player`; `side`: the only one that it plays; default: all that the player does.

        Raises UsageError for a side that the player does not play, or one that learns while it plays.
        """
        self.rules = rules
        self._player = player
        self._names = seat_names(rules)
        self._sides = player.seats if side is None else (parse_seat(rules, side),)
        self._has_begun = False
        if not player.independent:
            raise UsageError(f"player {player.name}: learns from whole games; let it play in a match or a session")
        if not set(self._sides) <= set(player.seats):
            plays = self._names[player.seats[0]]
            raise UsageError(f"side={side!r}: player {player.name} only plays {plays}; choose side={plays!r}")

    @property
    def name(self) -> str:
        """The name of the player: its text form, such as `q:agent=runs/hare`, or the name of its class."""
        return self._player.name

    @property
    def game(self) -> str:
        """The text form of the rules."""
        return format_game(self.rules)

    @property
    def seats(self) -> tuple[str, ...]:
        """The sides that it plays, as the game calls them."""
        return tuple(self._names[side] for side in self._sides)

    def reset(self, seed: int = 0) -> None:
        """Begin a new game: forget the one before, and start the random numbers at `seed`, 0..2^63-1.

        Raises UsageError for another seed, PetteiaError for a player that fails.
        """
        self._player.new_game(self.rules, checked_seed(seed))
        self._has_begun = True

    def choose(self, position: Position | str | State, stop: Stop | None = None) -> str:
        """The move in a position, as written. The first call begins a game, as `reset()` does.

        Args:
            position: a position of this game, its text or its state
            stop: ends the thought, once set; the move is then the best found so far

        Raises:
            InvalidError: a position of another game, or one in which the game is over or chance moves
            UsageError: a side that the agent does not play
            Stopped: `stop` was set before a player in a child process had a move
            PetteiaError: a player that fails, or makes an illegal move

        """
        rules = self.rules
        if isinstance(position, Position) and same_rules(position.rules, rules):
            state = position.state
        else:
            state = read_position(rules, position)
        if is_over(rules, state):
            raise InvalidError("position: the game is over there")
        side = to_move(rules, state)
        if side not in self._sides:
            if side == CHANCE:
                raise InvalidError("position: chance is to move there")
            raise UsageError(f"position: {self._names[side]} is to move there; {self!r} only plays {self.seats[0]}")
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
        """The player, for games under `rules`, made anew where that can be done, so that both share nothing.

        Raises UsageError for other rules than the agent's.
        """
        if not same_rules(rules, self.rules):
            raise UsageError(f"{self!r}: does not play {format_game(rules)}")
        made = self._player if self._player.text is None else read_player(self._player.text, rules)
        if self._sides != made.seats:
            made.seats = self._sides
        return made

    def __repr__(self) -> str:
        return f"<Agent {self.name} of {self.game}>"


def agent(player: str | Any, game: str | Rules) -> Agent:
    """Create an agent, a player of one game that chooses moves in positions.

    Args:
        player: its text form; the path or the name of a run, or the path of a weights file; a training; or a player or
            a policy made in Python
        game: the rules or their text

    Raises:
        UsageError: an unknown game, player or option; a player that learns while it plays
        NotFoundError: a module, class, run or file that is not there
        InvalidError: a run or file that is damaged, or was learned for other rules

    """
    rules = rules_of(game)
    return Agent(read_player(player, rules), rules)


def load(where: str | Path) -> Agent:
    """Load an agent that plays by the learned weights of a run or a file.

    Args:
        where: the folder or the name of a run, or a weights file; of a training that goes on: what it has saved so far

    Raises:
        UsageError: no path or name
        NotFoundError: there is no such run or file, or nothing has been saved in it yet
        InvalidError: it is damaged, its code has changed, or it names code that nobody vouches for

    """
    if not isinstance(where, str | Path):
        raise UsageError(f"where={where!r}: must be the path or the name of a run, or the path of a weights file")
    held = learned_weights(where)
    rules = rules_learned(held)
    return Agent(read_player(text_by(where, held.kind), rules), rules)
