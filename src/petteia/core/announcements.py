"""Messages that inform the user about a compilation and its expected duration.

The expected time is the duration of the previous compilation on this machine. At a terminal, the message also shows the
elapsed seconds. In a notebook, messages are printed on standard output, because notebooks show standard error in red.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from petteia.core.origin import is_of_package
from petteia.core.printable import one_line
from petteia.core.work_time import add_work_time, work_time

KNOWN_BY = ("initial", "evaluate", "features", "choose")
"""The methods by which a game, an evaluation, a feature set or a policy is recognised."""
TICK_SECONDS = 1.0

_of_thread = threading.local()


def subjects(classes: Iterable[type]) -> list[str]:
    """Return the names of the games and custom components among `classes`. A custom class is named `module:Name`."""
    names = set()
    for cls in classes:
        is_foreign = not is_of_package(cls)
        if any(hasattr(cls, name) for name in KNOWN_BY) and (is_foreign or hasattr(cls, "initial")):
            own = getattr(cls, "made_from", f"{cls.__module__}:{cls.__qualname__}")
            names.add(own if is_foreign else cls.__name__)
    return sorted(names, key=lambda name: (":" in name, name))


def duration(seconds: float) -> str:
    """Format a duration for a message, rounded to seconds, such as `12 s`."""
    return f"{seconds:.0f} s" if seconds >= 1 else "a second"


def line(what: str, before: float | None) -> str:
    """Return the message that `what` is being compiled, with the expected duration if it is known.

    `before` is the duration of the previous compilation in seconds, or None if it is unknown.
    """
    return (
        f"compiling {what} (only once)" if before is None else f"compiling {what} (only once, about {duration(before)})"
    )


def announce(message: str) -> None:
    """Print `message` on standard error, or on standard output in a notebook. Programs may replace this function."""
    in_notebook = type(sys.stderr).__module__.partition(".")[0] == "ipykernel"
    print(f"petteia: {one_line(message)}", file=sys.stdout if in_notebook else sys.stderr, flush=True)


@contextmanager
def announced(what: str, times: Path) -> Iterator[None]:
    """Context manager for the compilation of `what`: print a message, and save the duration in the file `times`.

    If one compilation starts another one, only the first is announced.
    """
    if getattr(_of_thread, "is_announcing", False):
        yield
        return
    before = _read(times)
    announce(line(what, before))
    clock, before_it = time.monotonic(), work_time()
    _of_thread.is_announcing = True
    try:
        with _counting(lambda: line(what, before), clock):
            yield
    finally:
        _of_thread.is_announcing = False
        add_work_time(before_it - work_time())
    _write(times, time.monotonic() - clock)


@contextmanager
def _counting(say: Callable[[], str], clock: float) -> Iterator[None]:
    """Context manager that shows the message `say()` with the elapsed time on the terminal, updated every second.

    `clock` is the time at which the compilation began, by the monotonic clock.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def count() -> None:
        while not done.wait(TICK_SECONDS):
            # Move up one line, clear it, and write it again.
            sys.stderr.write(f"\x1b[1A\x1b[2K\rpetteia: {one_line(say())} ({time.monotonic() - clock:.0f} s so far)\n")
            sys.stderr.flush()

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _read(times: Path) -> float | None:
    try:
        return float(times.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _write(times: Path, seconds: float) -> None:
    try:
        times.parent.mkdir(parents=True, exist_ok=True)
        times.write_text(f"{seconds:.1f}\n", encoding="ascii")
    except OSError:
        return  # the disk is full, or no folder is writable
