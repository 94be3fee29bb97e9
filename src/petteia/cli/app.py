"""The program `petteia` with all its commands."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

from petteia.cli import analysing, beginning, experiments, learning, machine, playing, recorded, rules, solving, web
from petteia.cli.output import INTERRUPTED, say
from petteia.core.hints import with_names

app = typer.Typer(
    name="petteia",
    help="A laboratory for two-player board games: train, search, solve, play and measure the strength of players.",
    epilog="Exit codes: 0 success, 1 failure, 2 usage error, 3 file or run not found, 4 invalid file or position, "
    "130 interrupted (finished work is saved).",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _interruptible(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Wrap a command so that Ctrl-C ends it with a one-line message instead of a traceback.

    If the command has saved work, the message names the run or folder that contains this work.
    """

    @functools.wraps(command)
    def run(*arguments: object, **options: object) -> int | None:
        try:
            return command(*arguments, **options)
        except KeyboardInterrupt as interrupt:
            say(f"interrupted{f'; {interrupt}' if str(interrupt) else ''}")
            return INTERRUPTED

    return run


class _Command(TyperCommand):
    """A command whose help text lists built-in names for some arguments, such as the names of all built-in games."""

    def get_help(self, ctx: Any) -> str:
        """Return the help text. Each placeholder in the text is replaced by a list of names."""
        for each in self.params:
            if isinstance(each, TyperArgument | TyperOption):
                each.help = with_names(each.help or "")
        return super().get_help(ctx)


for room in (rules, beginning, playing, recorded, web, analysing, learning, experiments, solving, machine):
    for name, command in room.COMMANDS.items():
        app.command(name, cls=_Command)(_interruptible(command))


@app.callback(invoke_without_command=True)
def petteia(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Print the version or the help."""
    if version:
        from importlib import metadata

        print(metadata.version("petteia"))
    elif context.invoked_subcommand is None:
        print(context.get_help())
