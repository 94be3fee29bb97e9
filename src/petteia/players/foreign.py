"""Players from users' own modules: `module:Name`.

A class with `new_game(rules, seed)` and `choose(state, limit)` is a player; options are passed to it as keywords with
text values. `choose` returns a `Decision` or the code of a move. It may also have `end_game(state)`, `finish()` and
`seats`. It plays in a child process (`petteia.player_processes`), unless it is wanted inside or was given as an object.

A NamedTuple class with `choose(policy, rules, state, random, work)` is a policy; its options are its fields, numbers.
Policies are compiled into the loop that plays them, so they are always inside.

What such a class does that it must not is a `Fault` of one line.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from petteia.core.clock import TIME_IS_UP
from petteia.core.decision import Decision, Fault, Limit
from petteia.core.errors import PetteiaError, Stopped, UsageError
from petteia.core.fields import parse_fields
from petteia.core.origin import is_of_package
from petteia.core.protocol import Rules, State, method
from petteia.core.text import Call
from petteia.foreign.diagnosis import diagnose
from petteia.foreign.loading import load_class
from petteia.foreign.sources import foreign_modules
from petteia.player_processes.messages import pack_rules, pack_state
from petteia.player_processes.own import OwnPlayer, blamed, is_policy_class, maker
from petteia.player_processes.process import Child, Children, nobody
from petteia.players.player import Player, PolicyPlayer
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies

FIELDS = (bool, int, float, str)
"""what options of rules can be, to be told to another process"""


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Let a Fault of one's own code, and a refusal of it, name the player."""
    try:
        yield
    except Fault as fault:
        raise Fault(f"player {name}: {fault}", fault.reason) from fault.__cause__
    except UsageError as error:
        message = str(error)
        raise UsageError(message if message.startswith("player ") else f"player {name}: {message}") from None


class ForeignPlayer(Player):
    """A user's object that plays in this process; `make` makes another one like it."""

    takes_limit = True
    repeatable = False

    def __init__(self, inner: Any, name: str, make: Callable[[], Any] | None = None) -> None:
        self.name = name
        self._own = OwnPlayer(inner, KeyboardInterrupt)
        self._make = make
        with naming(name):
            self.seats = self._own.seats()

    def new_game(self, rules: Rules, seed: int) -> None:
        """Tell the user's object that a game begins."""
        with naming(self.name):
            self._own.new_game(rules, seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The decision of the user's object."""
        with naming(self.name):
            return self._own.choose(state, limit)

    def end_game(self, state: State) -> None:
        """Tell the user's object that the game has ended."""
        with naming(self.name):
            self._own.end_game(state)

    def finish(self) -> str | None:
        """Tell the user's object that no more games follow; returns what it says to that."""
        with naming(self.name):
            return self._own.finish()

    def dependencies(self, rules: Rules) -> Parts:
        """The code of the object's class."""
        return dependencies(self._own.cls)

    def adviser(self) -> Player | None:
        """A new player, made with the same options."""
        return None if self._make is None else _inside(self._make, self.name)


class ChildPlayer(Player):
    """A player of a user's module that plays in a child process; one that has died is started again for the next game.

    The process is one of `children`, where it is free for others when no more games follow. Where work is asked to end
    while the player thinks, its process is killed; when it is asked again a new one is told that this game begins.
    """

    takes_limit = True
    repeatable = False

    def __init__(self, call: Call, name: str, rules: Rules, children: Children, child: Child | None = None) -> None:
        self.name = name
        self._call, self._rules, self._children = call, rules, children
        self._child: Child | None = None
        self._game: tuple[Rules, int]
        self._begin(child or children.take(call.name))

    def _begin(self, child: Child) -> None:
        """Make the player in this child."""
        with naming(self.name):
            self.seats = child.ask(
                self._children.allowance.start_timeout, "make", self._call.options, pack_rules(self._rules)
            )
        child.holder = weakref.ref(self)
        self._child = child

    def new_game(self, rules: Rules, seed: int) -> None:
        """Tell the child that a game begins; start a new child if there is none."""
        self._game = (rules, seed)
        if self._child is None or not self._child.is_alive:
            try:
                self._begin(self._children.take(self._call.name))
            except (Fault, Stopped):
                raise
            except PetteiaError as error:
                raise Fault(f"player {self.name}: cannot be started again: {error}") from None
        self._ask(self._children.allowance.start_timeout, "new_game", pack_rules(rules), seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The child's decision; a Fault, and the end of the child, if it takes longer than it may."""
        if self._child is not None and self._child.is_stopped:
            self.new_game(*self._game)
        allowance = self._children.allowance
        maximum = limit.seconds if limit.remaining is None else limit.remaining
        seconds = allowance.move_timeout if maximum is None else maximum + allowance.grace
        try:
            decision: Decision = self._ask(seconds, "choose", pack_state(state), limit)
        except Fault as fault:
            if fault.reason == "timeout" and limit.remaining is not None:
                raise Fault(f"player {self.name}: {TIME_IS_UP}", "timeout") from None
            raise
        return decision

    def end_game(self, state: State) -> None:
        """Tell the child, if there is one, that the game has ended."""
        if self._child is not None and self._child.is_alive:
            self._ask(self._children.allowance.move_timeout, "end_game", pack_state(state))

    def finish(self) -> str | None:
        """Tell the child that no more games follow, and let others have it; returns what it says to that."""
        child, self._child = self._child, None
        if child is None or not child.is_alive:
            return None
        child.holder = nobody
        with naming(self.name):
            remark: str | None = child.ask(self._children.allowance.move_timeout, "finish")
        return remark

    def dependencies(self, rules: Rules) -> Parts:
        """The code of its class, which only the child knows."""
        parts: Parts = self._ask(self._children.allowance.start_timeout, "code")
        return parts

    def adviser(self) -> Player:
        """Another player of the same class, in a child of its own."""
        return ChildPlayer(self._call, self.name, self._rules, self._children)

    def _ask(self, seconds: float, verb: str, *arguments: Any) -> Any:
        if self._child is None:
            raise Fault(f"player {self.name}: {verb}: no game has begun")
        with naming(self.name):
            return self._child.ask(seconds, verb, *arguments)


class ForeignPolicyPlayer(PolicyPlayer):
    """Plays by a user's policy."""

    plays_legally = False

    def new_game(self, rules: Rules, seed: int) -> None:
        """Tell the policy that a game begins."""
        with naming(self.name), blamed(KeyboardInterrupt):
            super().new_game(rules, seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move."""
        with naming(self.name), blamed(KeyboardInterrupt):
            return super().choose(state, limit)


def explain_compiler(error: Exception, name: str, rules: Rules, policy: object) -> None:
    """Raise a UsageError of one line if it is the compiler that failed, and `policy`, named `name`, a user's."""
    own = method(type(policy), "choose")
    if own is None or is_of_package(own) or not type(error).__module__.startswith("numba."):
        return
    files = [sys.modules[module].__file__ or "" for module in foreign_modules({type(rules), type(policy)})]
    raise UsageError(f"player {name}: {diagnose(error, own, type(rules).__name__, files)}") from None


def parse_foreign(call: Call, name: str, rules: Rules, children: Children) -> Player:
    """The player of class `call.name`, made with the options; `name` is its text form.

    The module is imported by a child first, which tells what the class is, unless it is in this process already.
    Raises NotFoundError if there is no such class, UsageError if it is no player or does not take the options.
    """
    if not children.in_process and not _is_here(call.name):
        _check_findable(call.name, name, rules)
        child = children.take(call.name)
        if child.kind == "player":
            return ChildPlayer(call, name, rules, children, child)
        child.close()
    cls = load_class(call.name, "player")
    if is_policy_class(cls):
        return ForeignPolicyPlayer(parse_fields(cls, call, "player"), name)
    return _inside(maker(cls, call.options, call.name), name)


def _inside(make: Callable[[], Any], name: str) -> ForeignPlayer:
    with naming(name), blamed(KeyboardInterrupt):
        inner = make()
    return ForeignPlayer(inner, name, make)


def _is_here(name: str) -> bool:
    """Whether a class is a policy that this process has imported already."""
    module, _, own = name.partition(":")
    cls = getattr(sys.modules.get(module), own, None)
    return isinstance(cls, type) and is_policy_class(cls)


def _check_findable(cls: str, name: str, rules: Rules) -> None:
    """Raise a UsageError if another process can find the player's class, or the rules', nowhere."""
    rules_module = type(rules).__module__
    for module, what in ((cls.partition(":")[0], "a player"), (rules_module, "a game")):
        if module == "__main__":
            raise UsageError(
                f"player {name}: its own process cannot find {what} of a script or notebook; "
                "put it in a module, or keep the player inside with in_process=True"
            )
    for option, value in zip(rules._fields, rules, strict=True):
        if not isinstance(value, FIELDS):
            raise UsageError(f"player {name}: its own process cannot be told that {option} is {value!r}")
