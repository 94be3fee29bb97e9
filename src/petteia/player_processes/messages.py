"""The message protocol between the parent process and a child process, over a private socket pair.

A message is JSON text, preceded by its length in bytes as a big-endian 4-byte integer. Data from a child is never
executed or unpickled. The parent numbers its requests `[number, method, ...]`, and waits for the answer with the same
number. These are the methods, with their arguments and their answers:

- `make` has two arguments: the options, as an object that maps names to text, and the rules. The answer is the list of
  the seats that the player can play: [0], [1] or [0, 1].
- `new_game` has two arguments: the rules and the seed. The answer is null.
- `choose` has two arguments: the state and the limit. The answer is the decision.
- `end_game` has one argument: the state. The answer is null.
- `finish` has no arguments. The answer is null, or a one-line message for the user.
- `code` has no arguments. The answer maps names to digests of the code that the player uses.

Rules are sent as `[module, qualified name, fields]`, and a state as the list of its fields. A limit is `[depth, nodes,
seconds, remaining, moves_left, increment]`, with null for each limit that is not set. A decision is `[move]` or `[move,
value, depth, nodes, seconds, line, values]`, where `values` contains pairs of a move and its value. An answer has
one of these forms:

- `[number, "answered", answer]`: the child has called the method.
- `[number, "failed", reason, sentence]`: the player failed and loses the game for this `reason`.
- `[number, "ended", reason, sentence]`: the player failed, and the child ends because its memory is full.
- `[number, "refused", code, sentence]`: the request is impossible, and `code` is the exit code of the error class. Only
  answers to `make` and `code`, and the first message of a child, have this form.

The first message of a child has the number 0. It contains the string "player" or "policy", depending on whether the
custom class is a player or a policy.

A custom module can send arbitrary data, so all data is checked. `Channel.receive` returns a message as a list, and
`read_answer` returns the content of an answer. Both raise ValueError for malformed data.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from petteia.core.bits import HALF
from petteia.core.decision import FAULTS, Decision, Fault, Limit
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.printable import one_line
from petteia.core.protocol import Rules, State

ANSWERED, FAILED, ENDED, REFUSED = "answered", "failed", "ended", "refused"
LENGTH = struct.Struct(">I")
MAX_BYTES = 1 << 24
"""the maximum length of a message in bytes; a decision in a game with thousands of moves is far shorter"""
CHUNK = 1 << 16
FIRST = "first message"
"""the name that stands in place of a method for the first message of the child"""
MAY_REFUSE = (FIRST, "make", "code")
REFUSALS = {error.exit_code: error for error in (PetteiaError, UsageError, NotFoundError, InvalidError)}


class Channel:
    """One end of the socket pair between the parent process and a child process."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._received = b""

    def fileno(self) -> int:
        """The file descriptor of the socket."""
        return self._end.fileno()

    def send(self, message: list[Any], seconds: float | None = None) -> None:
        """Send a message. Raises OSError if the other end is closed, and TimeoutError after `seconds`."""
        content = json.dumps(message, separators=(",", ":")).encode()
        self._end.settimeout(seconds)
        self._end.sendall(LENGTH.pack(len(content)) + content)

    def receive(self, seconds: float | None = None) -> list[Any]:
        """Return the next message.

        Raises TimeoutError if no message arrives within `seconds`, or BlockingIOError if `seconds` is 0. The call can
        then be repeated. Raises EOFError if the other end is closed, and ValueError if the data is not a message.
        """
        self._end.settimeout(seconds)
        while (content := self._whole()) is None:
            try:
                more = self._end.recv(CHUNK)
            except ConnectionError:
                more = b""
            if not more:
                raise EOFError
            self._received += more
        try:
            message = json.loads(content)
        except RecursionError:
            raise ValueError("the message is nested too deeply") from None
        if not isinstance(message, list) or len(message) < 2:
            raise ValueError("a message must be a list of two or more items")
        return message

    def _whole(self) -> bytes | None:
        """Remove the first message from the received bytes, and return it. Return None if it is incomplete."""
        if len(self._received) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack_from(self._received)
        end = LENGTH.size + length
        if length > MAX_BYTES:
            raise ValueError(f"the message has {length:,} bytes; the maximum is {MAX_BYTES:,}")
        if len(self._received) < end:
            return None
        content, self._received = self._received[LENGTH.size : end], self._received[end:]
        return content

    def end(self) -> None:
        """Close the connection for sending. Messages can still be received."""
        with suppress(OSError):
            self._end.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close the socket."""
        self._end.close()


def pack_rules(rules: Rules) -> list[Any]:
    """Return rules as JSON data: the module and name of their class, and their field values."""
    cls = type(rules)
    return [cls.__module__, cls.__qualname__, list(rules)]


def pack_state(state: State) -> list[int]:
    """Return a state as JSON data: a list of plain Python integers."""
    return [*map(int, state)]


def pack_decision(decision: Decision) -> list[Any]:
    """Return a decision as a message to the parent process."""
    move, value, depth, nodes, seconds, line, values = (getattr(decision, name) for name in Decision.__match_args__)
    if decision == Decision(move):
        return [move]
    return [move, value, depth, nodes, seconds, line, [*values.items()]]


def unpack_decision(message: Any) -> Decision:
    """Convert a message from a child process to a `Decision`. Raises ValueError for malformed data."""
    match message:
        case [move]:
            return Decision(_whole_number(move))
        case [move, value, depth, nodes, seconds, [*line], [*values]]:
            return Decision(
                _whole_number(move),
                None if value is None else _number(value),
                _whole_number(depth),
                _whole_number(nodes),
                _number(seconds),
                tuple(map(_whole_number, line)),
                dict(map(_move_and_value, values)),
            )
    raise ValueError("a decision must be a list of one move, or of seven items of which the last two are lists")


def _move_and_value(pair: Any) -> tuple[int, float]:
    match pair:
        case [move, value]:
            return _whole_number(move), _number(value)
    raise ValueError("the values of moves must be pairs of a move and a number")


def _whole_number(value: Any) -> int:
    if type(value) is not int or not -HALF <= value < HALF:
        raise ValueError("a move, a depth or a number of nodes is not a 64-bit integer")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
        raise ValueError("a value or a number of seconds is not a finite number")
    return float(value)


def _kind(value: Any) -> str:
    if value not in ("player", "policy"):
        raise ValueError("the kind of a class must be 'player' or 'policy'")
    return str(value)


def _seats(value: Any) -> tuple[int, ...]:
    if value not in ([0], [1], [0, 1]):
        raise ValueError("the attribute `seats` must be [0], [1] or [0, 1]")
    return tuple(map(int, value))


def _nothing(value: Any) -> None:
    if value is not None:
        raise ValueError("the answer to this request must be null")


def _remark(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("the answer to the method `finish` must be a string or null")
    return value and one_line(value)


def _digests(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise ValueError("the answer to the method `code` must be a JSON object whose values are strings")
    return value


READERS: dict[str, Callable[[Any], Any]] = {
    FIRST: _kind,
    "make": _seats,
    "new_game": _nothing,
    "choose": unpack_decision,
    "end_game": _nothing,
    "finish": _remark,
    "code": _digests,
}
"""the function that checks and converts the answer to each method"""


class Answered(NamedTuple):
    """The answer of a child process that has executed a request successfully."""

    value: Any
    """the content of the answer, converted by the function of the method in `READERS`"""


class Failed(NamedTuple):
    """The answer of a child process that reports a failure of the player, or refuses the request."""

    error: PetteiaError
    """a Fault of the player, or the error that explains the refusal"""
    has_ended: bool
    """whether the child process ends"""


def read_answer(message: list[Any], number: int, verb: str) -> Answered | Failed:
    """Return the child's answer to request `number`, a call of the method `verb`.

    Raises ValueError for malformed data.
    """
    match message:
        case [given, *_] if type(given) is not int or given != number:
            raise ValueError("the answer does not have the number of the request")
        case [_, "answered", value]:
            return Answered(READERS[verb](value))
        case [_, "failed" | "ended" as status, str(reason), str(sentence)] if reason in FAULTS:
            return Failed(Fault(one_line(sentence), reason), status == ENDED)
        case [_, "refused", int(code), str(sentence)] if code in REFUSALS and verb in MAY_REFUSE:
            return Failed(REFUSALS[code](one_line(sentence)), has_ended=False)
    what = verb if verb == FIRST else f"valid answer to the method `{verb}`"
    raise ValueError(f"the message is not a {what}")


def unpack_limit(message: list[Any]) -> Limit:
    """Convert a message from the parent process to a `Limit`."""
    return Limit(*message)
