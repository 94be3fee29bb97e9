"""What commands give: results on stdout as text or as one JSON document, all else on stderr."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = 1
FAILED, INTERRUPTED = 1, 130
"""exit codes besides those of errors"""
ENDLESS = 10_000
"""columns of what is not a terminal: nothing is cut or wrapped there"""


def print_json(command: str, **document: Any) -> None:
    """Print the one JSON document of a command."""
    print(json.dumps({"schema": SCHEMA, "command": command, **document}, indent=2, ensure_ascii=False, allow_nan=False))


def say(*messages: str) -> None:
    """Tell the person what is no part of the result, a line each."""
    for message in messages:
        print(f"petteia: {message}", file=sys.stderr, flush=True)


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows of text and numbers, numbers to the right; on a terminal as wide as that, else as wide as need be."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, column in zip(head, zip(*rows, strict=True) if rows else [()] * len(head), strict=True):
        table.add_column(name, justify="right" if all(isinstance(value, int | float) for value in column) else "left")
    for row in rows:
        table.add_row(*(Text(f"{value:,}" if isinstance(value, int) else str(value)) for value in row))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else ENDLESS)
    console.print(table)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr, if that is a terminal; gives the function to call as games are finished.

    It takes, by name, any of `advance` (games since the last call), `completed` (games in all), `total` (games wanted)
    and `note` (a word on how it goes).
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Games a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} games/s" if task.speed else "")

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    console = Console(stderr=True)
    shown = Progress(*columns, TextColumn("{task.fields[note]}"), console=console, transient=True)
    shown.disable = not console.is_terminal
    with shown as bar:
        yield functools.partial(bar.update, bar.add_task(what, total=total, note=""))
