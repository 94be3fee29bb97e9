"""The entry point of the command line.

Every failure is reported as one line on stderr and an exit code, without a traceback.

The exit codes: 0 success, 1 failure, 2 wrong usage, 3 file or run not found, 4 invalid file or position, 130
interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence

import typer

from petteia.cli.output import FAILED, INTERRUPTED, say
from petteia.cli.streams import make_ready
from petteia.core.errors import PetteiaError
from petteia.core.interrupt import is_something_left_behind
from petteia.core.printable import lines


def run(arguments: Sequence[str] | None) -> int:
    """Run a command line and return its exit code. If `arguments` is None, run the command line of this process."""
    if arguments is not None:
        return _main(arguments)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # `nohup` ignores it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    make_ready()
    code = _main(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # let Python end without interruption
    if is_something_left_behind():  # Python would end slowly with a busy thread
        sys.stdout.flush()
        os._exit(code)
    return code


def _main(arguments: Sequence[str]) -> int:
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has ended, as `head` does; the flush at exit must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        return INTERRUPTED
    except PetteiaError as error:
        return _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        return _fail(_usage(error), error.exit_code)
    except OSError as error:
        return _fail(": ".join(str(part) for part in (error.filename, error.strerror) if part) or str(error), FAILED)
    except MemoryError as error:
        return _fail(
            f"not enough memory{f': {error}' if str(error) else ''}; use options that need less memory", FAILED
        )
    except Exception as error:  # an error of petteia is also reported in one line
        if os.environ.get("PETTEIA_DEBUG", "0") not in ("", "0"):
            print(lines(traceback.format_exc()), file=sys.stderr)
        return _fail(_place(error), FAILED)
    return code


def _run(arguments: Sequence[str]) -> int:
    from petteia.cli.app import app
    from petteia.core.hints import arguments_given
    from petteia.foreign.trust import allow, modules_named

    allow(modules_named(*arguments))
    with arguments_given("on the command line"):
        result = typer.main.get_command(app).main(arguments, prog_name="petteia", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _fail(message: str, code: int) -> int:
    try:
        say(" ".join(message.split()))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return code


def _usage(error: typer.TyperException) -> str:
    """Return a one-line message about an error in the command line. It names the command that shows the help."""
    message = error.format_message().removesuffix(".").removeprefix("Invalid value for ")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "petteia"
    return f"{message[:1].lower()}{message[1:]} (see '{command} --help')"


def _place(error: Exception) -> str:
    """Return a one-line message about an unexpected error, with the file and line of its cause if they are known.

    For an error in custom code, the message names the file and line in the custom code. For any other error, it names
    the file and line in petteia. Compiled code has no line numbers, so for an error in compiled code the message names
    the game or the custom components that were compiled.
    """
    from petteia.foreign.places import place_of

    message = f"{type(error).__name__}: {error}"
    for note in getattr(error, "__notes__", ()):
        return f"{message}, {note}"
    place = place_of(error)
    if place is None:
        return f"internal error: {message}"
    if place.is_users:
        return f"{place.file}, line {place.line}: {message} (in {place.function})"
    if place.game:
        find = f"to find the error, run: petteia check {place.game}"
        return f"{message}, raised in compiled code under the rules of {place.game}; {find}"
    report = "please report this error with the traceback, which is shown if PETTEIA_DEBUG=1 is set"
    return f"internal error at {place.file}, line {place.line}: {message}; {report}"
