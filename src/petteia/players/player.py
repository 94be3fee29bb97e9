"""The base class of players, and the player that follows a policy."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import NamedTuple

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, limits
from petteia.core.random import RandomState
from petteia.features.evaluation import Evaluation
from petteia.policies.policy import Policy, Scratch, begin, choose
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.search.memory import memories, stoppable
from petteia.search.searcher import Progress, Thought, Variation

BOTH_SEATS = (0, 1)
UNLIMITED = Limit()


class NoOptions(NamedTuple):
    """An empty set of options, for players that have none."""


class Player(ABC):
    """The base class of players. `new_game` begins each game, and `choose` can then be called in any state of the game.

    The two players of a game are always different objects. The order of calls in a game is: `new_game`, `choose` at
    each turn of this player, `end_game`. `finish` follows after the last game.
    """

    name: str
    """the text form of the player"""
    text: str | None = None
    """the text from which the same player can be created again; None if it was created from a Python object"""
    seats: tuple[int, ...] = BOTH_SEATS
    """the seats that the player can play, as a tuple of 0 and 1"""
    independent: bool = True
    """whether the player's moves do not depend on earlier games, so that several processes can share the games"""
    repeatable: bool = True
    """whether the game and the seed determine the moves, unless time is limited, so that games can be repeated"""
    plays_legally: bool = False
    """whether the player is certain to make only legal moves, so that they need not be checked"""
    notice: str | None = None
    """a notice that the user should see before the game"""
    takes_limit: bool = False
    """whether the player obeys the limits passed to `choose`, which replace its own limits of the same kind"""
    tells_lines: bool = False
    """whether the player can report several best moves with their principal variations"""

    def notices(self, limit: Limit) -> tuple[str, ...]:
        """Return the player's messages that the user sees before games with the limits `limit`."""
        return () if self.notice is None else (self.notice,)

    def is_timed(self, limit: Limit) -> bool:
        """Return whether the player uses its own time limit in games with the limits `limit`.

        If `limit` contains a time limit, the games are timed in any case, and this method is not called. Otherwise the
        games are timed if at least one of the players uses its own time limit.
        """
        return False

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation that the player's search uses at its leaves, or None if the player has no evaluation."""
        return None

    @abstractmethod
    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game under `rules`. `seed`, a signed 64-bit integer, determines the random numbers."""

    def expect(self, rules: Rules, start: State, limit: Limit) -> None:  # noqa: B027  # most players prepare nothing
        """Prepare for games that start in `start`, with the limits `limit`. This does not count as thinking time."""

    @abstractmethod
    def choose(self, state: State, limit: Limit) -> Decision:
        """Choose a move in `state`. The game must not be over in `state`, and this player must be to move.

        A player with `takes_limit` searches within `limit`. Each field that is set in `limit`, such as `depth`,
        replaces the player's own value of this field. If the thread is stopped (`core.stop`), the player returns early
        with the best legal move found so far. A player in a child process raises `Stopped` instead.
        """

    def analyse(self, state: State, limit: Limit, *, lines: int = 1, progress: Progress | None = None) -> Thought:
        """Analyse `state`, in which this player is to move. The base class returns the decision of `choose`.

        Args:
            state: a state in which the game is not over
            limit: as in `choose`
            lines: the number of best moves that are reported, each with its principal variation
            progress: called after each completed depth of a search, possibly from another thread

        Raises:
            UsageError: the player cannot report as many best moves as `lines`

        """
        if lines > 1:
            raise UsageError(f"lines={lines}: only players that search report more than the best move; use lines=1")
        clock = time.monotonic()
        decision = self.choose(state, limit)
        seconds = time.monotonic() - clock
        line = decision.line if decision.line[:1] == (decision.move,) else (decision.move,)
        best = Variation(line, decision.value)
        return Thought(decision.depth, (best,), decision.nodes, seconds, False, False, dict(decision.values))

    def explained(self, line: tuple[int, ...]) -> tuple[int, ...]:
        """Return the moves at the start of `line` whose effect on the features explains the player's choice.

        The default is an empty tuple, which means that features do not explain the player's choice.
        """
        return ()

    def end_game(self, state: State) -> None:  # noqa: B027  # most players need no notification
        """Inform the player that the game has ended in `state`, by the rules or after the maximum number of plies."""

    def policy(self, rules: Rules) -> Policy | None:
        """Return a policy that makes exactly the same moves as the player, or None if there is no such policy."""
        return None

    def dependencies(self, rules: Rules) -> Parts:
        """Return digests of the code that the player depends on, except the rules; see `petteia.provenance.reach`."""
        policy = self.policy(rules)
        return dependencies(type(self) if policy is None else policy)

    def adviser(self) -> Player | None:
        """Return a player that gives hints with the knowledge of this player, such as its table or its evaluation.

        The result is None if there is no such player.
        """
        return None

    def finish(self) -> str | None:
        """Save results after the last game. Return a message for the user, or None if there is no message."""
        return None


def notices(*players: Player, limit: Limit = UNLIMITED) -> tuple[str, ...]:
    """Return the players' messages that the user sees before games with the limits `limit`, without duplicates."""
    return tuple(dict.fromkeys(words for each in players for words in each.notices(limit)))


def check_limit(limit: Limit, *players: Player) -> None:
    """Raise a UsageError if a limit is given that none of the players supports. The message names the players."""
    amounts = {"depth": limit.depth, "nodes": limit.nodes, "time": limit.seconds}
    given = [word for word, amount in amounts.items() if amount is not None]
    if not given or any(each.takes_limit for each in players):
        return
    names = list(dict.fromkeys(each.name for each in players))
    who = f"player {names[0]} takes" if len(names) == 1 else f"players {' and '.join(names)} take"
    raise UsageError(f"{who} no limit of {' or '.join(given)}; only players that search accept one")


class PolicyPlayer(Player):
    """A player that follows a policy in plain Python. For a few games, this is faster than compiled code.

    With the same seed, the policy plays the same games as in the compiled loop `petteia.policies.play_games`.
    """

    plays_legally = True
    _rules: Rules
    _random: RandomState
    _work: Scratch

    def __init__(self, policy: Policy, name: str, seats: tuple[int, ...] = BOTH_SEATS) -> None:
        self.name = name
        self.seats = seats
        self._policy = policy

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game. `seed` is the initial state of the random number generator."""
        self._rules, self._random, self._work = rules, [seed], scratch(rules)
        begin(self._policy, rules, self._random)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the policy's move. Limits are ignored."""
        with stoppable(*memories(self._policy)):
            return Decision(int(choose(self._policy, self._rules, state, self._random, self._work)))

    def policy(self, rules: Rules) -> Policy:
        """Return the policy of this player."""
        return self._policy

    def adviser(self) -> Player:
        """Return a player that gives hints according to the same policy."""
        return type(self)(self._policy, self.name, self.seats)


def scratch(rules: Rules) -> Scratch:
    """Create the scratch space of a policy as lists, which are faster than NumPy arrays in plain Python."""
    maximum = limits(rules).moves
    return Scratch([0] * maximum, [0.0] * maximum)  # type: ignore[arg-type]  # writers accept any sequence
