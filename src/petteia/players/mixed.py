"""A player that moves like one of two players, drawn for each move: `mixed:first=perfect,second=random,share=0.7`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.options import SHARE, TEXT
from petteia.core.protocol import Rules, State
from petteia.core.random import RandomState, next_word, uniform
from petteia.players.foreign import ForeignPolicyPlayer
from petteia.players.player import UNLIMITED, Player, PolicyPlayer, notices
from petteia.policies.mixed_policy import MixedPolicy
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies


class MixedOptions(NamedTuple):
    """The options of `mixed`; None means that an option is not given."""

    first: Annotated[str | None, TEXT, "first player; in parentheses if it has options"] = None
    second: Annotated[str | None, TEXT, "second player, in the same form"] = None
    share: Annotated[float | None, SHARE, "probability of the first player's move, 0..1"] = None


class MixedPlayer(Player):
    """A player that plays its first player's move with probability `share`, and otherwise its second player's move."""

    _random: RandomState

    def __init__(self, first: Player, second: Player, share: float, name: str, seats: tuple[int, ...]) -> None:
        self.name = name
        self.seats = seats
        self.independent = first.independent and second.independent
        self.repeatable = first.repeatable and second.repeatable
        self.plays_legally = first.plays_legally and second.plays_legally
        self.takes_limit = first.takes_limit or second.takes_limit
        self._players = (first, second)
        self._share = share

    def notices(self, limit: Limit) -> tuple[str, ...]:
        """Return the messages of both players that the user sees before games with the limits `limit`."""
        return notices(*self._players, limit=limit)

    def is_timed(self, limit: Limit) -> bool:
        """Return whether at least one of the two players uses its own time limit in games with the limits `limit`."""
        return any(each.is_timed(limit) for each in self._players)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game for both players, each with its own seed."""
        self._random = [seed]
        for each in self._players:
            each.new_game(rules, next_word(self._random))

    def expect(self, rules: Rules, start: State, limit: Limit) -> None:
        """Let both players prepare for games that start in `start`, with the limits `limit`."""
        for each in self._players:
            each.expect(rules, start, limit)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Draw one of the two players at random, and return its decision."""
        return self._players[0 if uniform(self._random) < self._share else 1].choose(state, limit)

    def end_game(self, state: State) -> None:
        """Inform both players that the game has ended."""
        for each in self._players:
            each.end_game(state)

    def dependencies(self, rules: Rules) -> Parts:
        """Return digests of the code that this player and its two players depend on."""
        first, second = (each.dependencies(rules) for each in self._players)
        return dependencies(type(self)) | first | second

    def finish(self) -> str | None:
        """Call the method `finish` of both players, and return their messages for the user."""
        remarks = [words for each in self._players if (words := each.finish())]
        return "; ".join(remarks) or None


class MixedPolicyPlayer(PolicyPlayer):
    """A player that follows the mixture of two players' policies.

    If a limit is given for a move, one of the two players is drawn at random and chooses the move within the limit.
    """

    def __init__(self, policy: MixedPolicy, mixed: MixedPlayer) -> None:
        super().__init__(policy, mixed.name, mixed.seats)
        self.takes_limit = mixed.takes_limit
        self._mixed = mixed

    def notices(self, limit: Limit) -> tuple[str, ...]:
        """Return the messages of both players that the user sees before games with the limits `limit`."""
        return self._mixed.notices(limit)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game. `seed` is the initial state of the random number generator."""
        self._mixed.new_game(rules, seed)
        super().new_game(rules, seed)  # last, because players that draw weights share them with their policies

    def expect(self, rules: Rules, start: State, limit: Limit) -> None:
        """Let both players prepare for games that start in `start`, with the limits `limit`."""
        self._mixed.expect(rules, start, limit)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the policy's move. If a limit is given, return the decision of one of the two players instead."""
        return super().choose(state, limit) if limit == UNLIMITED else self._mixed.choose(state, limit)

    def adviser(self) -> Player:
        """Return a player that gives hints according to the same policy."""
        return PolicyPlayer(self._policy, self.name, self.seats)


def make_mixed(options: MixedOptions, rules: Rules, name: str, first: Player, second: Player) -> Player:
    """Create a player that makes a move of `first` with the probability `share`, otherwise a move of `second`.

    Raises UsageError if `share` is missing, or if there is no seat that both players can play.
    """
    if options.share is None:
        raise UsageError(
            f"player {name}: option share is missing; give it as in mixed:first=perfect,second=random,share=0.7"
        )
    seats = tuple(seat for seat in first.seats if seat in second.seats)
    if not seats:
        raise UsageError(
            f"player {name}: {first.name} and {second.name} do not play the same side; choose two players that play "
            "the same side"
        )
    mixed = MixedPlayer(first, second, options.share, name, seats)
    if not (_plays_by_policy(first) and _plays_by_policy(second)):
        return mixed
    return MixedPolicyPlayer(MixedPolicy(first.policy(rules), second.policy(rules), options.share), mixed)


def _plays_by_policy(player: Player) -> bool:
    """Return whether the player follows a policy of the package. Such a policy makes only legal moves."""
    return isinstance(player, PolicyPlayer) and not isinstance(player, ForeignPolicyPlayer)
