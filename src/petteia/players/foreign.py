"""Custom players and policies: classes in modules of users, with names of the form `module:Name`.

A class with `new_game(rules, seed)` and `choose(state, limit)` is a player. Its options are passed as keyword
arguments, whose values are strings. `choose` returns a `Decision` or the code of a move. The class can also have
`end_game(state)`, `finish()` and `seats`. The player runs in a child process (`petteia.player_processes`). If
`in_process` is set, or if a player object is given instead of its name, the player runs in this process.

A NamedTuple class with `choose(policy, rules, state, random, work)` is a policy. Its options are its fields, which are
numbers. Policies are compiled together with the loop that plays the games, so they always run in this process.

Errors in the code of custom players and policies are reported as a one-line `Fault`.
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
"""the types of the option values that can be sent to a child process"""


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Return a context manager that adds the player's name to the message of a Fault or UsageError."""
    try:
        yield
    except Fault as fault:
        raise Fault(f"player {name}: {fault}", fault.reason) from fault.__cause__
    except UsageError as error:
        message = str(error)
        raise UsageError(message if message.startswith("player ") else f"player {name}: {message}") from None


class ForeignPlayer(Player):
    """A player that calls a custom player object in this process.

    `make` is a function that creates another player object of the same class, to give hints. `make` is None if the user
    passed a player object instead of the text form of a player. Then no second object can be created.
    """

    takes_limit = True
    repeatable = False

    def __init__(self, inner: Any, name: str, make: Callable[[], Any] | None = None) -> None:
        self.name = name
        self._own = OwnPlayer(inner, KeyboardInterrupt)
        self._make = make
        with naming(name):
            self.seats = self._own.seats()

    def new_game(self, rules: Rules, seed: int) -> None:
        """Call the method `new_game` of the custom player object."""
        with naming(self.name):
            self._own.new_game(rules, seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the decision of the custom player object."""
        with naming(self.name):
            return self._own.choose(state, limit)

    def end_game(self, state: State) -> None:
        """Call the method `end_game` of the custom player object, if it has this method."""
        with naming(self.name):
            self._own.end_game(state)

    def finish(self) -> str | None:
        """Call the method `finish` of the custom player object, if it has this method, and return its message."""
        with naming(self.name):
            return self._own.finish()

    def dependencies(self, rules: Rules) -> Parts:
        """Return digests of the code on which the class of the player depends."""
        return dependencies(self._own.cls)

    def adviser(self) -> Player | None:
        """Return a new player that gives hints with the same options; None if the player was given as an object."""
        return None if self._make is None else _inside(self._make, self.name)


class ChildPlayer(Player):
    """A custom player that runs in a child process. If the process dies, another one is started for the next game.

    The child process is one of the processes in `children`. After the player's last game, another player may use this
    process. If a move is interrupted, the process is killed. A new process then continues the game at the player's next
    move.
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
        """Create the player object in the child process `child`."""
        with naming(self.name):
            self.seats = child.ask(
                self._children.allowance.start_timeout, "make", self._call.options, pack_rules(self._rules)
            )
        child.holder = weakref.ref(self)
        self._child = child

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game in the child process. A new process is started if no process is alive."""
        self._game = (rules, seed)
        if self._child is None or not self._child.is_alive:
            try:
                self._begin(self._children.take(self._call.name))
            except (Fault, Stopped):
                raise
            except PetteiaError as error:
                raise Fault(f"player {self.name}: its process cannot be started again: {error}") from None
        self._ask(self._children.allowance.start_timeout, "new_game", pack_rules(rules), seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the child's decision. If the process exceeds its time limit, kill it and raise a Fault."""
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
        """End the game in the child process, if the process is alive."""
        if self._child is not None and self._child.is_alive:
            self._ask(self._children.allowance.move_timeout, "end_game", pack_state(state))

    def finish(self) -> str | None:
        """Call the player's method `finish` in the child process, release the process, and return the message."""
        child, self._child = self._child, None
        if child is None or not child.is_alive:
            return None
        child.holder = nobody
        with naming(self.name):
            remark: str | None = child.ask(self._children.allowance.move_timeout, "finish")
        return remark

    def dependencies(self, rules: Rules) -> Parts:
        """Return digests of the code that the player depends on, as reported by the child process."""
        parts: Parts = self._ask(self._children.allowance.start_timeout, "code")
        return parts

    def adviser(self) -> Player:
        """Return a player that gives hints. It has the same class and options, and its own child process."""
        return ChildPlayer(self._call, self.name, self._rules, self._children)

    def _ask(self, seconds: float, verb: str, *arguments: Any) -> Any:
        if self._child is None:
            raise Fault(f"player {self.name}: {verb} was called, but no game has begun")
        with naming(self.name):
            return self._child.ask(seconds, verb, *arguments)


class ForeignPolicyPlayer(PolicyPlayer):
    """A player that follows a custom policy."""

    plays_legally = False

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game. `seed` is the initial state of the random number generator."""
        with naming(self.name), blamed(KeyboardInterrupt):
            super().new_game(rules, seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the policy's move."""
        with naming(self.name), blamed(KeyboardInterrupt):
            return super().choose(state, limit)


def explain_compiler(error: Exception, name: str, rules: Rules, policy: object) -> None:
    """Raise a one-line UsageError if the compiler failed because of the custom code of `policy`.

    The error message contains `name`, the name of the player.
    """
    own = method(type(policy), "choose")
    if own is None or is_of_package(own) or not type(error).__module__.startswith("numba."):
        return
    files = [sys.modules[module].__file__ or "" for module in foreign_modules({type(rules), type(policy)})]
    raise UsageError(f"player {name}: {diagnose(error, own, type(rules).__name__, files)}") from None


def parse_foreign(call: Call, name: str, rules: Rules, children: Children) -> Player:
    """Create the custom player of the class `call.name` with the given options.

    `name` is the text form of the player, which error messages contain.

    A child process first imports the module, and reports whether the class is a player or a policy. A player then runs
    in the child process, but a policy is imported by this process. No child process is started if this process has
    already imported the policy, or if `children.in_process` is set. Raises NotFoundError if there is no such class, and
    UsageError if the class is not a player or rejects the options.
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
    """Return whether `name` is the name of a policy class that this process has already imported."""
    module, _, own = name.partition(":")
    cls = getattr(sys.modules.get(module), own, None)
    return isinstance(cls, type) and is_policy_class(cls)


def _check_findable(cls: str, name: str, rules: Rules) -> None:
    """Raise a UsageError if the class of the player or the rules cannot be passed to a child process.

    This is the case if the class or the rules are defined in a script or notebook, or if the value of an option of the
    rules is not of a type in `FIELDS`.
    """
    rules_module = type(rules).__module__
    for module, what in ((cls.partition(":")[0], "player"), (rules_module, "game")):
        if module == "__main__":
            raise UsageError(
                f"player {name}: a child process cannot import a {what} that is defined in a script or notebook; "
                f"define the {what} in a module, or use in_process=True"
            )
    for option, value in zip(rules._fields, rules, strict=True):
        if not isinstance(value, FIELDS):
            raise UsageError(
                f"player {name}: the value of option {option}={value!r} cannot be sent to the child process; "
                "use in_process=True"
            )
