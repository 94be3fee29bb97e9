"""Series of players that differ only in the value of one numeric option, such as the depth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

NUMBER = re.compile(r"\b([a-z_]+)=([0-9]+(?:\.[0-9]+)?)(?=[,)]|$)", re.ASCII)


class Series(NamedTuple):
    """A group of players that differ only in the value of one numeric option."""

    option: str
    """the option that differs"""
    others: str
    """the common text form of the players, without this option"""
    values: tuple[float, ...]
    """the values of the option, ascending"""
    players: tuple[str, ...]
    """the text form of the player with each of these values"""


def series(players: Sequence[str]) -> list[Series]:
    """Return all groups of two or more players that differ only in the value of one numeric option."""
    groups: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
    for text in players:
        for found in NUMBER.finditer(text):
            place = (found[1], text[: found.start()], text[found.end() :])
            groups.setdefault(place, []).append((float(found[2]), text))
    return [
        Series(option, _joined(before, after), *zip(*sorted(members), strict=True))
        for (option, before, after), members in groups.items()
        if len(members) > 1
    ]


def _joined(before: str, after: str) -> str:
    """Return the string of a player without an option. `before` and `after` are the parts around this option."""
    if after.startswith(",") and before.endswith(":"):
        return before + after[1:]
    return before.rstrip(",:") + after
