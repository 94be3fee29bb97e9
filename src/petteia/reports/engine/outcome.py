"""The result of a report, and the types of its scale and of its progress function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

Scale = Literal["quick", "paper", "all"]
"""The size of a report. Each declaration lists its scales."""

Progress = Callable[[int, int, str], None]
"""A function of the work done, the whole work (in games), and a note on the state of the work."""


class Report(NamedTuple):
    """A finished report: its page, and its measured values, which are also in summary.json beside the page."""

    page: Path
    """The page, a self-contained file."""
    summary: dict[str, Any]
    """The values of the report's figures, which are also in summary.json beside the page."""
