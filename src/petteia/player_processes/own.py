"""A user's player as it is driven: what it must have, what it is asked, and how its answers are looked at.

What its code raises, and answers that are none, become a `Fault` of one line, with the file and line where it happened.
The same here, in this process, as in a child process.
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
"""characters of what an error says"""


@contextmanager
def blamed(*spared: type[BaseException]) -> Iterator[None]:
    """Turn whatever a user's code raises into a Fault that says where and what; those `spared` are let through."""
    try:
        yield
    except BaseException as error:  # a user's player can raise anything
        if isinstance(error, (*spared, Stopped)) or (isinstance(error, Fault) and error.reason in FAULTS):
            raise
        raise Fault(described(error)) from error


def described(error: BaseException) -> str:
    """One line that says where an error was raised, and what it says."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    try:
        words = " ".join(str(error).split())[:MAX_WORDS]
    except BaseException:  # which a user may have written, too
        words = ""
    return one_line(f"{frame.filename}, line {frame.lineno}: {type(error).__name__}{': ' if words else ''}{words}")


def is_policy_class(cls: type) -> bool:
    """Whether `cls` is a NamedTuple class with a policy's `choose`."""
    own = method(cls, "choose") if issubclass(cls, tuple) and hasattr(cls, "_fields") else None
    return own is not None and tuple(inspect.signature(own).parameters) == POLICY_PARAMETERS


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


def maker(cls: type, options: dict[str, str], name: str) -> Callable[[], Any]:
    """What makes objects of `cls` with these options; a UsageError if they are not what its `__init__` takes."""
    check_player_class(cls, name)
    try:
        inspect.signature(cls).bind(**options)
    except TypeError as error:
        raise UsageError(f"player {name}: {error}; its options are {inspect.signature(cls)}") from None
    return lambda: cls(**options)


class OwnPlayer:
    """A user's object that plays; what it does wrong is raised as a Fault."""

    def __init__(self, inner: Any, *spared: type[BaseException]) -> None:
        self.cls = type(inner)
        self._inner = inner
        self._spared = spared

    def seats(self) -> tuple[int, ...]:
        """The seats that it takes; a UsageError if what it says are none."""
        with blamed(*self._spared):
            given = getattr(self._inner, "seats", BOTH_SEATS)
            if isinstance(given, Sequence) and given and set(given) <= set(BOTH_SEATS):
                return tuple(seat for seat in BOTH_SEATS if seat in given)
            text = one_line(repr(given))
        raise UsageError(f"its seats are {text}; they must be (0,), (1,) or (0, 1)")

    def new_game(self, rules: Rules, seed: int) -> None:
        """Tell it; the seed as a number of 0 or more, which all random generators take."""
        with blamed(*self._spared):
            self._inner.new_game(rules, seed % HALF)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Its decision, in plain numbers."""
        with blamed(*self._spared):
            answer = self._inner.choose(state, limit)
            given = answer.move if isinstance(answer, Decision) else answer
            try:
                move = operator.index(given)
            except TypeError:
                must = "it must return a Decision or a move's code (an int)"
                raise Fault(one_line(f"choose returned {repr(answer)[:MAX_WORDS]}; {must}"), "illegal") from None
            if not -HALF <= move < HALF:
                raise Fault(f"choose returned a number of {move.bit_length()} bits, which is no move's code", "illegal")
            return _plain(move, answer) if isinstance(answer, Decision) else Decision(move)

    def end_game(self, state: State) -> None:
        """Tell it, if it wants to know."""
        if hasattr(self._inner, "end_game"):
            with blamed(*self._spared):
                self._inner.end_game(state)

    def finish(self) -> str | None:
        """Let it save what it has, if it wants to; returns what people should be told about that."""
        if not hasattr(self._inner, "finish"):
            return None
        with blamed(*self._spared):
            remark = self._inner.finish()
            return None if remark is None else one_line(" ".join(str(remark).split()))


def _plain(move: int, given: Decision) -> Decision:
    """The decision with numbers of Python's own, whatever it was made with; values that are not finite are left out."""
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
        raise ValueError(f"a number of a Decision has {number.bit_length()} bits; 64 is the most")
    return number
