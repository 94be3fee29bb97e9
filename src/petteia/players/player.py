"""What a player is, and the player that a policy makes."""

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
    """The options of players that have none."""


class Player(ABC):
    """Chooses moves. Before each game it is told so by `new_game`; within a game it may be asked from any state.

    Two players in a row of games never share an object. What is called in which order: `new_game`, `choose` as often as
    it is this player's turn, `end_game`; after the last game `finish`.
    """

    name: str
    """its text form"""
    text: str | None = None
    """the text from which another one like it can be made; None if it was made in Python"""
    seats: tuple[int, ...] = BOTH_SEATS
    """the seats (0, 1) that it can take"""
    independent: bool = True
    """whether its games do not depend on those before, so that several processes can play them"""
    repeatable: bool = True
    """whether the game and the seed decide its moves, unless time does, so that the same games can be played again"""
    plays_legally: bool = False
    """whether it is known to make legal moves only, so that these need not be checked"""
    notice: str | None = None
    """what people should be told before it plays"""
    takes_limit: bool = False
    """whether it keeps to the limits of a move that `choose` is given, in the place of its own of the same kind"""
    tells_lines: bool = False
    """whether it tells more than the best move when it analyses, each with its line"""

    def notices(self, limit: Limit) -> tuple[str, ...]:
        """What people should be told before it plays under `limit`."""
        return () if self.notice is None else (self.notice,)

    def is_timed(self, limit: Limit) -> bool:
        """Whether it thinks for a time of its own, as `limit` says nothing else."""
        return False

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of positions at which it stops looking ahead; None if it has none."""
        return None

    @abstractmethod
    def new_game(self, rules: Rules, seed: int) -> None:
        """A game under `rules` begins. `seed`, a signed 64-bit word, is the start of its random state."""

    def expect(self, rules: Rules, start: State, limit: Limit) -> None:  # noqa: B027  # most players need not know
        """Games from `start` follow whose moves have limits such as `limit`: prepare now what would take time then."""

    @abstractmethod
    def choose(self, state: State, limit: Limit) -> Decision:
        """A move in `state`, which is not over and in which this player is to move.

        A player with `takes_limit` searches within `limit`: an amount that is given there replaces its own. When the
        thread is asked to end its work (`core.stop`), it returns early with a legal move, the best that it has found; a
        player in a child process raises `Stopped`.
        """

    def analyse(self, state: State, limit: Limit, *, lines: int = 1, progress: Progress | None = None) -> Thought:
        """What it thinks of `state`, in which it is to move; unless a player knows more, what it says when it chooses.

        Args:
            state: in which the game is not over
            limit: as of `choose`
            lines: how many of the best moves are told, each with its line
            progress: called, maybe from another thread, whenever a player that searches has gone a ply deeper

        Raises:
            UsageError: it cannot tell so many lines

        """
        if lines > 1:
            raise UsageError(f"lines={lines}: only players that search tell more than the best move")
        clock = time.monotonic()
        decision = self.choose(state, limit)
        seconds = time.monotonic() - clock
        line = decision.line if decision.line[:1] == (decision.move,) else (decision.move,)
        best = Variation(line, decision.value)
        return Thought(decision.depth, (best,), decision.nodes, seconds, False, False, dict(decision.values))

    def explained(self, line: tuple[int, ...]) -> tuple[int, ...]:
        """The moves of `line`, the one that it expects, after which its evaluation tells why; none if it does not."""
        return ()

    def end_game(self, state: State) -> None:  # noqa: B027  # most players need not know
        """The game has ended with `state`, or was stopped there by the limit of plies."""

    def policy(self, rules: Rules) -> Policy | None:
        """The policy that makes exactly the same moves, if there is one."""
        return None

    def dependencies(self, rules: Rules) -> Parts:
        """The code that it plays by, beside that of the rules, see `petteia.provenance.reach`."""
        policy = self.policy(rules)
        return dependencies(type(self) if policy is None else policy)

    def adviser(self) -> Player | None:
        """Another player that knows the same, to be asked for hints; None if there is none."""
        return None

    def finish(self) -> str | None:
        """No more games follow: save what has to be saved. Returns what people should be told about that."""
        return None


def notices(*players: Player, limit: Limit = UNLIMITED) -> tuple[str, ...]:
    """What people should be told before these play under `limit`, each line once."""
    return tuple(dict.fromkeys(words for each in players for words in each.notices(limit)))


def check_limit(limit: Limit, *players: Player) -> None:
    """Raise a UsageError that names the players if a limit is given and none of them takes one."""
    amounts = {"depth": limit.depth, "nodes": limit.nodes, "time": limit.seconds}
    given = [word for word, amount in amounts.items() if amount is not None]
    if not given or any(each.takes_limit for each in players):
        return
    names = list(dict.fromkeys(each.name for each in players))
    who = f"player {names[0]} takes" if len(names) == 1 else f"players {' and '.join(names)} take"
    raise UsageError(f"{who} no limit of {' or '.join(given)}; only players that search do")


class PolicyPlayer(Player):
    """Plays by a policy, run as plain Python: for single games that is sooner done than compiled.

    From the same random states it plays the same games as the compiled loop `petteia.policies.play_games`.
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
        """Begin again from the random state `seed`."""
        self._rules, self._random, self._work = rules, [seed], scratch(rules)
        begin(self._policy, rules, self._random)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move; it takes no limit."""
        with stoppable(*memories(self._policy)):
            return Decision(int(choose(self._policy, self._rules, state, self._random, self._work)))

    def policy(self, rules: Rules) -> Policy:
        """The policy itself."""
        return self._policy

    def adviser(self) -> Player:
        """A player that plays by the same policy."""
        return type(self)(self._policy, self.name, self.seats)


def scratch(rules: Rules) -> Scratch:
    """Scratch lists for plain Python, where they are faster than the arrays of `policies.workspace`."""
    maximum = limits(rules).moves
    return Scratch([0] * maximum, [0.0] * maximum)  # type: ignore[arg-type]  # what writes into them takes any sequence
