"""The program of a child process, which runs a custom player for the parent process; see `messages`.

The child imports the custom module, so that all effects of the import stay in the child. The parent receives all output
of the custom code (see `printed`). The standard input of the child is empty.
"""

from __future__ import annotations

import importlib
import operator
import os
import resource
import socket
import sys
from typing import Any

from petteia.core.decision import Fault
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.protocol import Rules, State, initial
from petteia.foreign.loading import load_class
from petteia.foreign.trust import allow
from petteia.player_processes.lifeline import end_with_parent
from petteia.player_processes.messages import (
    ANSWERED,
    ENDED,
    FAILED,
    MAY_REFUSE,
    REFUSED,
    Channel,
    pack_decision,
    unpack_limit,
)
from petteia.player_processes.own import OwnPlayer, blamed, described, is_policy_class, maker


class Hosted:
    """The class of a custom player that runs in a child process, and the player object in use."""

    player: OwnPlayer
    rules: Rules

    def __init__(self, name: str) -> None:
        self._name = name
        self._cls = load_class(name, "player")
        self._description: list[Any] | None = None

    def kind(self) -> str:
        """Return `policy` if the custom class is a policy, and `player` otherwise."""
        return "policy" if is_policy_class(self._cls) else "player"

    def make(self, options: dict[str, str], rules: list[Any]) -> tuple[int, ...]:
        """Create a player object, which replaces the previous one, and return the seats that it can play."""
        self._understand(rules)
        make = maker(self._cls, options, self._name)
        with blamed():
            self.player = OwnPlayer(make())
        return self.player.seats()

    def new_game(self, rules: list[Any], seed: int) -> None:
        """Unpack the rules, and call the player's `new_game` method."""
        self._understand(rules)
        self.player.new_game(self.rules, seed)

    def choose(self, state: list[int], limit: list[Any]) -> list[Any]:
        """Return the player's decision."""
        return pack_decision(self.player.choose(self._state(state), unpack_limit(limit)))

    def end_game(self, state: list[int]) -> None:
        """Call the player's `end_game` method with the last state of the game."""
        self.player.end_game(self._state(state))

    def finish(self) -> str | None:
        """Call the player's `finish` method, and return its message for the user."""
        return self.player.finish()

    def code(self) -> dict[str, str]:
        """Return digests of the code that the player depends on; see `petteia.provenance.reach`."""
        from petteia.provenance.reach import dependencies  # rarely needed

        return dependencies(self._cls)

    def _understand(self, description: list[Any]) -> None:
        if description != self._description:
            module, name, fields = description
            self.rules = operator.attrgetter(name)(importlib.import_module(module))(*fields)
            self._like = type(initial(self.rules))
            self._description = description

    def _state(self, fields: list[int]) -> State:
        return self._like(*fields)


ASKED = (Hosted.make, Hosted.new_game, Hosted.choose, Hosted.end_game, Hosted.finish, Hosted.code)
VERBS = {verb.__name__: verb for verb in ASKED}


def main(talk: int, line: int, name: str, memory: int, allowed: list[str]) -> None:
    """Answer the requests of the parent process on the socket `talk`, until the parent closes its end of the socket.

    `line` is a pipe that is closed when the parent ends, even if the parent is killed. `memory` is the memory
    limit of this process, in bytes.

    A file that the player reads, such as a weights file, can name custom modules. The child imports such a module only
    if `allowed` contains its name.
    """
    for descriptor in (talk, line):
        os.set_inheritable(descriptor, False)
    end_with_parent(line, group=True)
    _bound(memory)
    allow(allowed)
    try:
        _serve(Channel(socket.socket(fileno=talk)), name)
    except (OSError, ValueError):  # the parent is gone, or custom code closed or read the socket
        sys.exit(1)


def _serve(channel: Channel, name: str) -> None:
    """Answer requests until the parent has closed its end of the socket."""
    try:
        hosted = Hosted(name)
        channel.send([0, ANSWERED, hosted.kind()])
    except PetteiaError as error:
        channel.send([0, REFUSED, error.exit_code, str(error)])
        return
    except KeyboardInterrupt:
        channel.send([0, REFUSED, UsageError.exit_code, f"player {name!r}: its module raises KeyboardInterrupt"])
        return
    while True:
        try:
            number, verb, *arguments = channel.receive()
        except EOFError:
            return
        answer = _answer(hosted, verb, arguments)
        channel.send([number, *answer])
        if answer[0] == ENDED:
            return


def _bound(memory: int) -> None:
    """Limit the memory of the process to `memory` bytes.

    The limit applies to the data of the process, but not to its address space, because compilers reserve much more
    address space than they use.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    maximum = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (maximum, maximum))


def _answer(hosted: Hosted, verb: str, arguments: list[Any]) -> list[Any]:
    try:
        return [ANSWERED, VERBS[verb](hosted, *arguments)]
    except Fault as fault:
        status = ENDED if isinstance(fault.__cause__, MemoryError) else FAILED  # the memory would stay full
        return [status, fault.reason, str(fault)]
    except PetteiaError as error:
        code, sentence = error.exit_code, str(error)
    except BaseException as error:
        code, sentence = UsageError.exit_code, f"its child process cannot load the game: {described(error)}"
    return [REFUSED, code, sentence] if verb in MAY_REFUSE else [FAILED, "crashed", sentence]
