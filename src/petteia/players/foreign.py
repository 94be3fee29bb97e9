"""Players from users' own modules: `module:Name`.

A class with `new_game(rules, seed)` and `choose(state, limit)` is a player; options are passed to it as keywords with
text values. `choose` returns a `Decision` or the code of a move. It may also have `end_game(state)` and `seats`. A
NamedTuple class with `choose(policy, rules, state, random, work)` is a policy; its options are its fields, numbers.
What such a class raises is reported in one line.
"""

from __future__ import annotations

import inspect
import operator
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from petteia.core.bits import HALF
from petteia.core.decision import Decision, Limit
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.fields import parse_fields
from petteia.core.foreign import load_class
from petteia.core.protocol import Rules, State, method
from petteia.core.provenance import Parts, provenance
from petteia.core.text import Call
from petteia.players.player import BOTH_SEATS, Player, PolicyPlayer

POLICY_PARAMETERS = ("policy", "rules", "state", "random", "work")


@contextmanager
def blamed(name: str) -> Iterator[None]:
    """Turn whatever foreign code raises into one line that names the player, and the file and line."""
    try:
        yield
    except PetteiaError:
        raise
    except Exception as error:  # a user's player can raise anything
        frames = traceback.extract_tb(error.__traceback__)
        where = f"{frames[-1].filename}, line {frames[-1].lineno}"
        what = " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())
        raise PetteiaError(f"player {name}: {where}: {what}") from error


class ForeignPlayer(Player):
    """A user's object with `new_game` and `choose`; `make` makes another one like it."""

    def __init__(self, inner: Any, name: str, make: Callable[[], Any] | None = None) -> None:
        self.name = name
        self._inner = inner
        self._make = make
        self.seats = _seats(getattr(inner, "seats", BOTH_SEATS), name)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Pass it on; the seed as a number of 0 or more, which all random generators take."""
        with blamed(self.name):
            self._inner.new_game(rules, seed % HALF)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Pass it on; a PetteiaError if the answer is neither a Decision nor the code of a move."""
        with blamed(self.name):
            answer = self._inner.choose(state, limit)
        given = answer.move if isinstance(answer, Decision) else answer
        try:
            move = operator.index(given)
        except TypeError:
            raise PetteiaError(
                f"player {self.name}: choose returned {answer!r}; it must return a Decision or a move's code (an int)"
            ) from None
        return answer if isinstance(answer, Decision) else Decision(move)

    def end_game(self, state: State) -> None:
        """Pass it on, if it wants to know."""
        if hasattr(self._inner, "end_game"):
            with blamed(self.name):
                self._inner.end_game(state)

    def provenance(self, rules: Rules) -> Parts:
        """That of its class."""
        return provenance(type(self._inner))

    def adviser(self) -> Player | None:
        """A new one, made with the same options."""
        if self._make is None:
            return None
        with blamed(self.name):
            return ForeignPlayer(self._make(), self.name, self._make)


class ForeignPolicyPlayer(PolicyPlayer):
    """Plays by a user's policy."""

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move."""
        with blamed(self.name):
            return super().choose(state, limit)


def _seats(given: Any, name: str) -> tuple[int, ...]:
    if isinstance(given, Sequence) and given and set(given) <= set(BOTH_SEATS):
        return tuple(given)
    raise UsageError(f"player {name}: its seats are {given!r}; they must be (0,), (1,) or (0, 1)")


def is_policy_class(cls: type) -> bool:
    """Whether `cls` is a NamedTuple class with a policy's `choose`."""
    own = method(cls, "choose") if issubclass(cls, tuple) and hasattr(cls, "_fields") else None
    return own is not None and tuple(inspect.signature(own).parameters) == POLICY_PARAMETERS


def parse_foreign(call: Call, name: str) -> Player:
    """The player of class `call.name`, made with the options; `name` is its text form.

    Raises NotFoundError if there is no such class, UsageError if it is no player or does not take the options.
    """
    cls = load_class(call.name, "player")
    if is_policy_class(cls):
        return ForeignPolicyPlayer(parse_fields(cls, call, "player"), name)
    check_player_class(cls, call.name)
    try:
        inspect.signature(cls).bind(**call.options)
    except TypeError as error:
        raise UsageError(f"player {call.name}: {error}; its options are {inspect.signature(cls)}") from None

    def make() -> Any:
        return cls(**call.options)

    with blamed(call.name):
        return ForeignPlayer(make(), name, make)


def check_player_class(cls: type, name: str) -> None:
    """Raise a UsageError unless objects of `cls` have what a player needs."""
    if issubclass(cls, tuple) and (own := method(cls, "choose")) and not hasattr(cls, "new_game"):
        given, right = ", ".join(inspect.signature(own).parameters), ", ".join(POLICY_PARAMETERS)
        raise UsageError(f"player {name}: a policy's choose has the parameters ({right}), not ({given})")
    for needed, parameters in (("new_game", ("rules", "seed")), ("choose", ("state", "limit"))):
        right = f"{needed}(self, {', '.join(parameters)})"
        if not callable(own := getattr(cls, needed, None)):
            raise UsageError(f"player {name}: {cls.__name__} does not define {right}")
        try:
            inspect.signature(own).bind("self", *parameters)
        except TypeError:
            raise UsageError(
                f"player {name}: {needed} is defined as {inspect.signature(own)}; must be {right}"
            ) from None
