"""What the page shows besides the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from petteia.records.game_record import GameRecord
from petteia.reports.mancala.comparisons import Compared
from petteia.reports.verdicts import Finding, Statement

AGENT = "theta.safetensors"
"""The learned weights that lie beside the page, to play against."""


class Shown(NamedTuple):
    """What the page shows besides the evidence."""

    folder: Path
    found: Sequence[tuple[Statement, Finding]]
    tables: dict[str, list[Compared]]
    """the tables, cell by cell, by name"""
    charts: dict[str, str]
    """figures as SVG by name"""
    game: GameRecord
    """theta5 against greedy5"""
    data: dict[str, str]
    """the files with the figures: what is in each, by its name without `.csv`"""
