"""Calls to a custom player, with checks of its methods and of the values that they return.

Errors and malformed answers of the player become a one-line `Fault`, which names the file and line of the error. The
module is used in child processes and in the main process.
"""

from __future__ import annotations

import inspect
import math
import operator
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from petteia.core.bits import HALF
from petteia.core.decision import FAULTS, Decision, Fault, Limit
from petteia.core.errors import Stopped, UsageError
from petteia.core.printable import one_line
from petteia.core.protocol import Rules, State, method

POLICY_PARAMETERS = ("policy", "rules", "state", "random", "work")
BOTH_SEATS = (0, 1)
MAX_WORDS = 500
"""the maximum number of characters of the text of an error"""


@contextmanager
def blamed(*spared: type[BaseException]) -> Iterator[None]:
    """Return a context manager that turns errors of custom code into a Fault.

    Exceptions of the types in `spared` are raised unchanged.
    """
    try:
        yield
    except BaseException as error:  # a custom player can raise anything
        if isinstance(error, (*spared, Stopped)) or (isinstance(error, Fault) and error.reason in FAULTS):
            raise
        raise Fault(described(error)) from error


def described(error: BaseException) -> str:
    """Return a description of an error in one line: its file, its line and its text."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    try:
        words = " ".join(str(error).split())[:MAX_WORDS]
    except BaseException:  # __str__ can be custom code
        words = ""
    return one_line(f"{frame.filename}, line {frame.lineno}: {type(error).__name__}{': ' if words else ''}{words}")


def is_policy_class(cls: type) -> bool:
    """Return whether `cls` is a NamedTuple class with the method `choose` of a policy."""
    own = method(cls, "choose") if issubclass(cls, tuple) and hasattr(cls, "_fields") else None
    return own is not None and tuple(inspect.signature(own).parameters) == POLICY_PARAMETERS


def check_player_class(cls: type, name: str) -> None:
    """Raise a UsageError unless `cls` defines `new_game` and `choose`, with the parameters that a player needs."""
    if issubclass(cls, tuple) and (own := method(cls, "choose")) and not hasattr(cls, "new_game"):
        given, right = ", ".join(inspect.signature(own).parameters), ", ".join(POLICY_PARAMETERS)
        raise UsageError(
            f"player {name}: the method `choose` of a policy must have the parameters ({right}), not ({given})"
        )
    for needed, parameters in (("new_game", ("rules", "seed")), ("choose", ("state", "limit"))):
        right = f"{needed}(self, {', '.join(parameters)})"
        if not callable(own := getattr(cls, needed, None)):
            raise UsageError(f"player {name}: {cls.__name__} does not define the method {right}")
        try:
            inspect.signature(own).bind("self", *parameters)
        except TypeError:
            raise UsageError(
                f"player {name}: the method is defined as {needed}{inspect.signature(own)}; must be {right}"
            ) from None


def maker(cls: type, options: dict[str, str], name: str) -> Callable[[], Any]:
    """Return a function that creates objects of `cls`. Raises UsageError if the class does not accept the options."""
    check_player_class(cls, name)
    try:
        inspect.signature(cls).bind(**options)
    except TypeError as error:
        raise UsageError(
            f"player {name}: {cls.__name__} does not accept the options: {error}; its options are "
            f"{inspect.signature(cls)}"
        ) from None
    return lambda: cls(**options)


class OwnPlayer:
    """A custom player object. Errors of the object are raised as Faults."""

    def __init__(self, inner: Any, *spared: type[BaseException]) -> None:
        self.cls = type(inner)
        self._inner = inner
        self._spared = spared

    def seats(self) -> tuple[int, ...]:
        """Return the seats that the player can play. Raises UsageError if the seats are malformed."""
        with blamed(*self._spared):
            given = getattr(self._inner, "seats", BOTH_SEATS)
            if isinstance(given, Sequence) and given and set(given) <= set(BOTH_SEATS):
                return tuple(seat for seat in BOTH_SEATS if seat in given)
            text = one_line(repr(given))
        raise UsageError(f"the attribute `seats` is {text}; must be (0,), (1,) or (0, 1)")

    def new_game(self, rules: Rules, seed: int) -> None:
        """Call the method `new_game` of the player.

        The player receives a non-negative seed, because random number generators may reject negative seeds.
        """
        with blamed(*self._spared):
            self._inner.new_game(rules, seed % HALF)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the player's decision, in which all numbers are converted to plain Python numbers."""
        with blamed(*self._spared):
            answer = self._inner.choose(state, limit)
            given = answer.move if isinstance(answer, Decision) else answer
            try:
                move = operator.index(given)
            except TypeError:
                must = "must return a Decision or the code of a move (an int)"
                raise Fault(
                    one_line(f"the method choose returned {repr(answer)[:MAX_WORDS]}; {must}"), "illegal"
                ) from None
            if not -HALF <= move < HALF:
                raise Fault(
                    f"the method choose returned a number of {move.bit_length()} bits, which is too large for a code",
                    "illegal",
                )
            return _plain(move, answer) if isinstance(answer, Decision) else Decision(move)

    def end_game(self, state: State) -> None:
        """Call the method `end_game` of the player, if it has this method."""
        if hasattr(self._inner, "end_game"):
            with blamed(*self._spared):
                self._inner.end_game(state)

    def finish(self) -> str | None:
        """Call the method `finish` of the player, if it has this method, and return its message for the user."""
        if not hasattr(self._inner, "finish"):
            return None
        with blamed(*self._spared):
            remark = self._inner.finish()
            return None if remark is None else one_line(" ".join(str(remark).split()))


def _plain(move: int, given: Decision) -> Decision:
    """Convert the numbers of a decision to plain Python numbers. Values that are infinite or NaN are removed."""
    return Decision(
        move,
        None if given.value is None or not math.isfinite(given.value) else float(given.value),
        _whole(given.depth),
        _whole(given.nodes),
        float(given.seconds) if math.isfinite(given.seconds) else 0.0,
        tuple(map(_whole, given.line)),
        {_whole(each): float(value) for each, value in given.values.items() if math.isfinite(value)},
    )


def _whole(value: Any) -> int:
    number = operator.index(value)
    if not -HALF <= number < HALF:
        raise ValueError(
            f"a Decision contains an integer of {number.bit_length()} bits; integers may have at most 64 bits"
        )
    return number
