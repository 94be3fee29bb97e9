"""Players that differ in one number alone, such as their depth, or the games that they have learned from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

NUMBER = re.compile(r"\b([a-z_]+)=([0-9]+(?:\.[0-9]+)?)(?=[,)]|$)", re.ASCII)


class Series(NamedTuple):
    """Players whose texts are the same but for one number."""

    option: str
    """the option that differs"""
    others: str
    """the text of each without that option"""
    values: tuple[float, ...]
    """the values of the option, ascending"""
    players: tuple[str, ...]
    """the players with these values"""


def series(players: Sequence[str]) -> list[Series]:
    """All groups of two players or more that differ in one number alone."""
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
    """What is left of a text without one of its options."""
    if after.startswith(",") and before.endswith(":"):
        return before + after[1:]
    return before.rstrip(",:") + after
