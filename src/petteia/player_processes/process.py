"""The parent's side of child processes: it starts them, sends them requests, and terminates them.

The parent starts a supervisor process, which starts the child process and ends when the child ends; see `supervisor`.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from petteia.core.decision import ALLOWANCE, Allowance, Fault, Reason
from petteia.core.errors import PetteiaError, Stopped, UsageError
from petteia.core.hints import argument
from petteia.core.stop import calling, check_stop
from petteia.foreign.trust import allowed
from petteia.player_processes.messages import FIRST, Channel, Failed, read_answer
from petteia.player_processes.printed import Printed

START = """
import json, sys
told = json.loads(sys.argv[1])
sys.path[:], sys.argv[:] = told.pop("path"), told.pop("argv")
from petteia.player_processes.supervisor import supervise
supervise(told["line"], told["talk"])
from petteia.player_processes.child import main
main(**told)
"""
"""the program that a child runs; it gives the child the same import path and command line as this process"""
SLICE = 0.5
"""the time, in seconds, between two checks whether a child that does not answer is still alive"""
PATIENCE = 1.0
"""the time, in seconds, that a child has to exit by itself, for example to write its output"""
MAX_SECONDS = 5.0
"""the time, in seconds, that a supervisor has to end a child and its processes"""
CHUNK, MAX_CHUNKS = 1 << 16, 16
"""the number of bytes that are read at a time (the size of a pipe), and the maximum number of reads in a row"""


class Child:
    """A child process that runs the custom class `name`, of the form `module:Name`.

    Raises UsageError or NotFoundError if the class does not exist, or if the import of its module raises an error,
    exits, or takes too long.
    """

    kind: str
    """the kind of the class, `player` or `policy`"""
    holder: Callable[[], object | None]
    """a function that returns the player that uses the child, or None if the child is free"""

    def __init__(self, name: str, allowance: Allowance, printed: Printed) -> None:
        if os.name != "posix":
            option = argument("in_process=True", "in_process = true", "--in-process")
            raise UsageError(f"player {name}: this system does not support players in child processes; use {option}")
        self.name = name
        self.holder = nobody
        self.is_stopped = False
        """whether the child was killed because the computation was stopped"""
        self._number = 0
        self._printed = printed
        ours, theirs = socket.socketpair()
        line, holding = os.pipe()
        settings = {"talk": theirs.fileno(), "line": line, "name": name, "memory": int(allowance.memory)}
        settings |= {"path": sys.path, "argv": sys.argv, "allowed": sorted(allowed())}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-u", "-c", START, json.dumps(settings)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                pass_fds=(theirs.fileno(), line),
                start_new_session=True,
            )
        except BaseException:
            os.close(holding)
            ours.close()
            raise
        finally:
            theirs.close()
            os.close(line)
        self._channel = Channel(ours)
        self._end = weakref.finalize(self, _end, self._process, self._channel, holding, os.getpid())
        self._sources = selectors.PollSelector()
        self._sources.register(self._channel, selectors.EVENT_READ)
        self._sources.register(self._output, selectors.EVENT_READ)
        os.set_blocking(self._output.fileno(), False)
        module = name.partition(":")[0]
        try:
            self.kind = self._answer(FIRST, time.monotonic() + allowance.start_timeout)
        except TimeoutError:
            self._end()
            more = argument("start_timeout", "start_timeout", "--start-timeout")
            raise UsageError(
                f"player {name!r}: importing module {module!r} takes longer than {allowance.start_timeout:g} s; make "
                f"the import faster, or increase {more}"
            ) from None
        except Fault as fault:
            raise UsageError(f"player {name!r}: module {module!r} cannot be imported: {fault}") from None
        except BaseException:
            self._end()
            raise

    @property
    def is_alive(self) -> bool:
        """Whether the child process still runs and can answer requests."""
        return not self.is_stopped and self._end.alive and self._process.poll() is None

    @property
    def _output(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def ask(self, seconds: float, verb: str, *arguments: Any) -> Any:
        """Send a request to the child, and return the answer. `verb` is the name of the method that the child calls.

        Raises Fault if the player fails, if the answer takes longer than `seconds`, or if the process has ended. If the
        answer is late, the child is killed.

        If another thread stops this computation before the child has answered, the child is killed and `Stopped` is
        raised.
        """
        check_stop()
        self._number += 1
        until = time.monotonic() + seconds
        try:
            with suppress(ConnectionError):  # reported while waiting for the answer
                self._channel.send([self._number, verb, *arguments], seconds)
            return self._answer(verb, until)
        except TimeoutError:
            raise self._fault(f"{verb} took longer than {seconds:g} s", "timeout") from None
        except PetteiaError:
            raise
        except BaseException:  # an interrupt: a later answer would belong to no request
            self._end()
            raise

    def _answer(self, verb: str, until: float) -> Any:
        try:
            with calling(self._stop):
                answer = read_answer(self._message(until), self._number, verb)
        except EOFError:
            if self.is_stopped:
                self._end()
                raise Stopped from None
            raise self._fault(self._gone()) from None
        except ValueError as error:
            raise self._fault(f"its process sent a malformed message: {error}") from None
        if isinstance(answer, Failed):
            if answer.has_ended:
                self._end()
            raise answer.error
        return answer.value

    def _message(self, until: float) -> list[Any]:
        """Return the next message of the child.

        The method also checks repeatedly whether the child process has ended. The socket alone does not show this,
        because other processes may have inherited the child's end of the socket and keep it open.
        """
        while True:
            left = max(until - time.monotonic(), 0.0)
            self._sources.select(min(SLICE, left))
            self._listen()
            is_gone = self._process.poll() is not None
            try:
                return self._channel.receive(0.0)
            except BlockingIOError:
                if is_gone:
                    raise EOFError from None
                if left == 0.0:
                    raise TimeoutError from None

    def _listen(self) -> None:
        """Read the output that the child has written so far, so that the child never waits because a pipe is full."""
        for _ in range(MAX_CHUNKS):
            try:
                content = os.read(self._output.fileno(), CHUNK)
            except BlockingIOError:
                return
            if not content:  # no process holds the other end of the pipe
                with suppress(KeyError):
                    self._sources.unregister(self._output)
                return
            self._printed.add(content)

    def _gone(self) -> str:
        """Return a description of how the child process has ended, for an error message."""
        try:
            code = self._process.wait(SLICE)
        except subprocess.TimeoutExpired:
            return "its process has closed the connection to this process"
        finally:
            self._listen()
        return (
            f"its process was ended by {_signal(-code)}" if code < 0 else f"its process has ended with exit code {code}"
        )

    def _stop(self) -> None:
        """Mark the child as stopped, and end it.

        Any thread can call `_stop`. The thread that waits for an answer of the child then cleans up.
        """
        self.is_stopped = True
        if self._process.returncode is None:
            self._process.terminate()

    def _fault(self, what: str, reason: Reason = "crashed") -> Fault:
        self._end()
        return Fault(what, reason)

    def close(self) -> None:
        """End the child process. If it does not exit by itself in time, kill it."""
        if self._end.alive:
            self._channel.end()
            with suppress(OSError, ValueError, EOFError):
                self._message(time.monotonic() + PATIENCE)
            self._listen()
            self._end()


def _end(process: subprocess.Popen[bytes], channel: Channel, holding: int, owner: int) -> None:
    """End a child and all its processes. Do nothing in a forked copy of the process that started the child."""
    if os.getpid() != owner:
        return
    os.close(holding)
    try:
        process.wait(MAX_SECONDS)
    except subprocess.TimeoutExpired:  # custom code blocks it, or starts processes faster than they end
        process.kill()
        process.wait()
    channel.close()
    if process.stdout is not None:
        process.stdout.close()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def nobody() -> None:
    """Return None, which means that no player uses the child process.

    This function is the `holder` of a child process before its first player, and after a player has released it.
    """


class Children:
    """The child processes of the custom players in one or more matches. Idle processes are reused.

    With `in_process`, there are no child processes, because custom players run in this process.
    """

    def __init__(self, allowance: Allowance = ALLOWANCE, *, in_process: bool = False) -> None:
        self.allowance = allowance.checked()
        self.in_process = in_process
        self._started = list[Child]()
        self._printed = dict[str, Printed]()

    def take(self, name: str) -> Child:
        """Return an idle child process that runs the class `name`, or start a new one.

        Raises UsageError or NotFoundError if a new process has to be started and cannot load the class `name`.
        """
        self._started = [child for child in self._started if child.is_alive]
        for child in self._started:
            if child.name == name and child.holder() is None:
                return child
        child = Child(name, self.allowance, self._printed.setdefault(name, Printed(name)))
        self._started.append(child)
        return child

    def close(self) -> None:
        """End all child processes, and report how many output lines of their players were not shown."""
        for child in self._started:
            child.close()
        self._started.clear()
        for printed in self._printed.values():
            printed.tell()
        self._printed.clear()

    def __enter__(self) -> Children:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()
