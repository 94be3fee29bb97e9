"""What every report returns, and how it tells of its progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

Scale = Literal["quick", "paper", "all"]
"""How large a report is; each declaration has the scales that it knows."""

Progress = Callable[[int, int, str], None]
"""Called with the work done, the work in all (in games), and a word on how it stands."""


class Report(NamedTuple):
    """A report that was made."""

    page: Path
    """the page, a file that needs nothing else"""
    summary: dict[str, Any]
    """its figures, also in summary.json beside the page"""
