"""What parent and child say to each other, over a pair of sockets that nobody else knows.

A message is a length, four bytes, the highest first, and as many bytes of JSON: nothing that a child says is executed
or unpickled. The parent asks, `[number, verb, ...]`, and waits for the answer of that number before it asks again:

    verb       what follows                                 the answer
    make       options (name -> text), rules                the seats that it takes, [0], [1] or [0, 1]
    new_game   rules, seed                                  null
    choose     state, limit                                 the decision
    end_game   state                                        null
    finish                                                  null, or what people should be told
    code                                                    digests of the code that it plays by, by their names

Rules are `[module, qualified name, fields]`, a state is a list of its fields, a limit `[depth, nodes, seconds]` with
null for none, and a decision `[move]` or `[move, value, depth, nodes, seconds, line, values]`, where `values` are pairs
of move and value. An answer is one of

    [number, "answered", answer]
    [number, "failed", reason, sentence]      the player has done what it must not; `reason` is that of a lost game
    [number, "ended", reason, sentence]       likewise, and the child ends, as it has no memory left
    [number, "refused", code, sentence]       what was asked for is not there (3) or makes no sense (2)

A child's first message, of number 0, says what its class is: "player" or "policy".
"""

from __future__ import annotations

import json
import socket
import struct
from contextlib import suppress
from typing import Any

from petteia.core.decision import Decision, Limit
from petteia.core.protocol import Rules, State

ANSWERED, FAILED, ENDED, REFUSED = "answered", "failed", "ended", "refused"
LENGTH = struct.Struct(">I")
MOST_BYTES = 1 << 24
"""of a message; a decision of a game with thousands of moves is far below it"""
CHUNK = 1 << 16


class Channel:
    """One end of the pair of sockets."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._received = b""

    def send(self, message: list[Any]) -> None:
        """Send a message; an OSError if nobody listens, a TimeoutError if not within the time of the last `receive`."""
        content = json.dumps(message, separators=(",", ":")).encode()
        self._end.sendall(LENGTH.pack(len(content)) + content)

    def receive(self, seconds: float | None = None) -> list[Any]:
        """The next message.

        Raises TimeoutError if it does not come within so many seconds, after which one may wait again; EOFError if the
        other end is closed; ValueError if what comes is no message.
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
        if length > MOST_BYTES:
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
    """The decision that a message says; a ValueError or TypeError if it says none."""
    if len(message) == 1:
        return Decision(_whole_number(message[0]))
    move, value, depth, nodes, seconds, line, values = message
    return Decision(
        _whole_number(move),
        None if value is None else float(value),
        _whole_number(depth),
        _whole_number(nodes),
        float(seconds),
        tuple(map(_whole_number, line)),
        {_whole_number(each): float(worth) for each, worth in values},
    )


def _whole_number(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def unpack_limit(message: list[Any]) -> Limit:
    """The limit that a message says."""
    return Limit(*message)
