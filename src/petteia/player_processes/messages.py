"""What parent and child say to each other, over a pair of sockets that nobody else knows.

A message is a length, four bytes, the highest first, and as many bytes of JSON: nothing that a child says is executed
or unpickled. The parent asks, `[number, verb, ...]`, and waits for the answer of that number before it asks again:

    verb       what follows                                 the answer
    make       options (name -> text), rules                the seats that it takes, [0], [1] or [0, 1]
    new_game   rules, seed                                  null
    choose     state, limit                                 the decision
    end_game   state                                        null
    finish                                                  null, or a line that people should be told
    code                                                    digests of the code that it plays by, by their names

Rules are `[module, qualified name, fields]`, a state is a list of its fields, a limit `[depth, nodes, seconds,
remaining, moves_left, increment]` with null for none, and a decision `[move]` or `[move, value, depth, nodes, seconds,
line, values]`, where `values` are pairs of move and value. An answer is one of

    [number, "answered", answer]
    [number, "failed", reason, sentence]      the player has done what it must not; `reason` is that of a lost game
    [number, "ended", reason, sentence]       likewise, and the child ends, as it has no memory left
    [number, "refused", code, sentence]       what was asked for cannot be had; the code is that of the error; only for
                                              `make`, `code` and the first message: who refuses to play loses

A child's first message, of number 0, says what its class is: "player" or "policy".

A user's module can send whatever it likes in its child's place, so nothing is taken for granted: `Channel.receive`
returns a list, `read_answer` what it says, and both raise a ValueError for all else.
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
"""of a message; a decision of a game with thousands of moves is far below it"""
CHUNK = 1 << 16
FIRST = "first message"
"""stands for a verb where the child's first message is read"""
MAY_REFUSE = (FIRST, "make", "code")
REFUSALS = {error.exit_code: error for error in (PetteiaError, UsageError, NotFoundError, InvalidError)}


class Channel:
    """One end of the pair of sockets."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._received = b""

    def fileno(self) -> int:
        """The number of the socket."""
        return self._end.fileno()

    def send(self, message: list[Any], seconds: float | None = None) -> None:
        """Send a message; an OSError if nobody listens, a TimeoutError if it is not taken within so many seconds."""
        content = json.dumps(message, separators=(",", ":")).encode()
        self._end.settimeout(seconds)
        self._end.sendall(LENGTH.pack(len(content)) + content)

    def receive(self, seconds: float | None = None) -> list[Any]:
        """The next message.

        Raises TimeoutError if it does not come within so many seconds (BlockingIOError for 0), after which one may wait
        again; EOFError if the other end is closed; ValueError if what comes is no message.
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
            raise ValueError("nested too deeply") from None
        if not isinstance(message, list) or len(message) < 2:
            raise ValueError("a message is a list of two or more")
        return message

    def _whole(self) -> bytes | None:
        """The bytes of the first message, if they are all there; they are taken away."""
        if len(self._received) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack_from(self._received)
        end = LENGTH.size + length
        if length > MAX_BYTES:
            raise ValueError(f"{length} bytes long")
        if len(self._received) < end:
            return None
        content, self._received = self._received[LENGTH.size : end], self._received[end:]
        return content

    def end(self) -> None:
        """Say that nothing more will be said."""
        with suppress(OSError):
            self._end.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close it: nothing more is heard."""
        self._end.close()


def pack_rules(rules: Rules) -> list[Any]:
    """Rules as a message says them."""
    cls = type(rules)
    return [cls.__module__, cls.__qualname__, list(rules)]


def pack_state(state: State) -> list[int]:
    """A state as a message says it."""
    return [*map(int, state)]


def pack_decision(decision: Decision) -> list[Any]:
    """A decision as a message says it."""
    move, value, depth, nodes, seconds, line, values = (getattr(decision, name) for name in Decision.__match_args__)
    if decision == Decision(move):
        return [move]
    return [move, value, depth, nodes, seconds, line, [*values.items()]]


def unpack_decision(message: Any) -> Decision:
    """The decision that a message says; a ValueError if it says none."""
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
    raise ValueError("a decision has one part or seven")


def _move_and_value(pair: Any) -> tuple[int, float]:
    match pair:
        case [move, value]:
            return _whole_number(move), _number(value)
    raise ValueError("values are pairs of a move and a number")


def _whole_number(value: Any) -> int:
    if type(value) is not int or not -HALF <= value < HALF:
        raise ValueError("a whole number of 64 bits is missing")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
        raise ValueError("a finite number is missing")
    return float(value)


def _kind(value: Any) -> str:
    if value not in ("player", "policy"):
        raise ValueError("a class is a player or a policy")
    return str(value)


def _seats(value: Any) -> tuple[int, ...]:
    if value not in ([0], [1], [0, 1]):
        raise ValueError("seats are [0], [1] or [0, 1]")
    return tuple(map(int, value))


def _nothing(value: Any) -> None:
    if value is not None:
        raise ValueError("there is nothing to be answered")


def _remark(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("a remark is text")
    return value and one_line(value)


def _digests(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise ValueError("digests are texts by their names")
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
"""What is read of the answer to each verb."""


class Answered(NamedTuple):
    """An answer."""

    value: Any
    """what the verb's reader has read"""


class Failed(NamedTuple):
    """The player has done what it must not, or refuses."""

    error: PetteiaError
    """a Fault, or what a refusal is"""
    has_ended: bool
    """whether the child ends"""


def read_answer(message: list[Any], number: int, verb: str) -> Answered | Failed:
    """What a message says to `verb`, asked with this number; a ValueError if it is no answer to that."""
    match message:
        case [given, *_] if type(given) is not int or given != number:
            raise ValueError("it was not asked")
        case [_, "answered", value]:
            return Answered(READERS[verb](value))
        case [_, "failed" | "ended" as status, str(reason), str(sentence)] if reason in FAULTS:
            return Failed(Fault(one_line(sentence), reason), status == ENDED)
        case [_, "refused", int(code), str(sentence)] if code in REFUSALS and verb in MAY_REFUSE:
            return Failed(REFUSALS[code](one_line(sentence)), has_ended=False)
    raise ValueError(f"no answer to {verb}")


def unpack_limit(message: list[Any]) -> Limit:
    """The limit that a message says."""
    return Limit(*message)
