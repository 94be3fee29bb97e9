"""The output of commands: results on stdout as text or as one JSON document, and all other messages on stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from petteia.cli.tables import Column, Fitted, broken, fit
from petteia.core.printable import UNPRINTABLE, lines, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = 1
FAILED, INTERRUPTED = 1, 130
"""The exit codes that no error class defines."""
ENDLESS = 10_000
"""A width for lines that are never broken."""


def print_json(command: str, **document: Any) -> None:
    """Print the result of a command as JSON. Unprintable characters in strings are escaped."""
    document = {"schema": SCHEMA, "command": command, **document}
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    print("\n".join(UNPRINTABLE.sub(lambda match: json.dumps(match[0])[1:-1], line) for line in text.split("\n")))


def show(*texts: str) -> None:
    """Print lines of a command's result to stdout."""
    for text in texts:
        print(lines(text), flush=True)


def say(*messages: str) -> None:
    """Print messages for the user on stderr, one per line."""
    for message in messages:
        print(f"petteia: {one_line(message)}", file=sys.stderr, flush=True)


def ask(prompt: str) -> str:
    """Read the line that the user types after the prompt."""
    return input(one_line(prompt))


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[object]], *, keys: int = 1, wide: bool | None = None
) -> None:
    """Print a table, fitted to the width of the terminal.

    Without a terminal, the table is printed at its full width.

    Args:
        head: the headings of the columns
        rows: the cells; numbers are aligned right
        keys: the number of columns at the left that identify each row. They are repeated if the table is split
        wide: whether the table is printed at its full width; None if the command has no option `--wide`

    """
    columns = [
        Column(
            one_line(name),
            [_cell(row[i]) for row in rows],
            bool(rows) and all(isinstance(row[i], int | float) for row in rows),
        )
        for i, name in enumerate(head)
    ]
    width = None if wide else terminal_width()
    fitted = Fitted([], [columns]) if width is None else fit(columns, width, keys)
    for name, cell in fitted.common:
        show(broken(f"the same in all rows: {name} {cell}", width or ENDLESS))
    for number, block in enumerate(fitted.blocks):
        if number or fitted.common:
            show("")
        _print_block(block)
    if wide is False and (fitted.common or len(fitted.blocks) > 1):
        say("the table is folded to fit the terminal; --wide prints it at full width")


def points(value: float) -> str:
    """Return a value in points as text that begins with the sign, such as `+1.5`."""
    return f"{value:+,.6g}" if abs(value) < 10_000 else f"{value:+,.0f}"


def terminal_width() -> int | None:
    """Return the width of the terminal in characters. The environment variable COLUMNS overrides this width.

    Return None if the output is not a terminal and COLUMNS is not set. Tables and lines are then printed at their
    full width.
    """
    if sys.stdout.isatty() or os.environ.get("COLUMNS"):
        return shutil.get_terminal_size().columns
    return None


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else one_line(str(value))


def _print_block(columns: Sequence[Column]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(Text(column.head), justify="right" if column.is_number else "left", no_wrap=True)
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, row))
    Console(highlight=False, width=ENDLESS).print(table)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show a progress bar on stderr, if stderr is a terminal.

    The context manager yields a callback, which the caller calls whenever games have been finished.

    The keyword arguments of the callback are `advance` (games since the last call), `completed` (games so far), `total`
    (all games) and `note` (a status message).
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
    from rich.table import Column as TableColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """The column of a progress bar that shows the number of games per second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} games/s" if task.speed else "")

    columns = (TextColumn(what), BarColumn(bar_width=15), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    rest = TableColumn(no_wrap=True, overflow="ellipsis", ratio=1)
    note = TextColumn("{task.fields[note]}", markup=False, table_column=rest)
    console = Console(stderr=True)
    shown = Progress(*columns, note, console=console, transient=True, expand=True)
    shown.disable = not console.is_terminal
    with shown as bar:
        task = bar.add_task(what, total=total, note="")

        def update(**changes: Any) -> None:
            if "note" in changes:
                changes["note"] = one_line(changes["note"])
            bar.update(task, **changes)

        yield update
