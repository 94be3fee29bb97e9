"""The command line of petteia. Each command is a thin wrapper around public functions.

- `streams`: the setup of standard input and output
- `parameters`: the arguments and options that several commands share
- `output`: functions that print results and messages
- `bench`: the measurements of the command `petteia bench`
- `rules`, `playing`, `recorded`, `analysing`, `learning`, `experiments`, `solving`, `machine`, `beginning`, `web`: the
  commands
- `app`: the program with all commands
- `entry`: runs a command line, reports errors, and returns the exit code

No module imports numba, NumPy, SciPy or pydantic before a command runs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # nothing is imported before the handler of Ctrl-C is set
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line of `petteia` and return its exit code.

    By default, the arguments are those with which this process was started.
    """
    if arguments is None:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _quit)  # there is nothing to save yet

    from petteia.cli.entry import run

    return run(arguments)


def _quit(number: int, frame: object) -> None:
    """Handle a signal: print `interrupted` and end the process without a traceback."""
    import os

    os.write(2, b"petteia: interrupted\n")
    os._exit(130)
