"""What the page shows besides the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from petteia.records.game_record import GameRecord
from petteia.reports.verdicts import Finding, Statement

HOUNDS, PERFECT_HOUNDS, BOTH_SIDES = "hounds.safetensors", "perfect-hounds.safetensors", "both-sides.safetensors"
"""Tables that lie beside the page, to play against."""

Found = Sequence[tuple[Statement, Finding]]


class Shown(NamedTuple):
    """What the page shows besides the evidence."""

    folder: Path
    found: Found
    games: dict[str, GameRecord]
    """against the random hare, against the perfect one, and the game of perfect play, by name"""
    charts: dict[str, str]
    """figures as SVG by name"""
