"""The command line: thin calls of the public functions.

In order: `streams` (standard input and output), `parameters` (what commands take), `output` (what they give), `bench`
(what `petteia bench` measures), `rules`, `playing`, `learning`, `experiments`, `solving`, `machine` and `web` (the
commands), `app` (all of them together), `entry` (running one: errors and exit codes). Nothing here imports numba,
NumPy, SciPy or pydantic before a command runs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # nothing is imported before Ctrl-C is heard quietly
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (without the program's name; default: this process's); return its exit code."""
    if arguments is None:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _quit)  # there is nothing to save yet

    from petteia.cli.entry import run

    return run(arguments)


def _quit(number: int, frame: object) -> None:
    """End without a word of Python's on where it was."""
    import os

    os.write(2, b"petteia: interrupted\n")
    os._exit(130)
