"""The English texts of the web page, read from `english.toml`, so that a translation needs only one file."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources

from petteia.playing.position import Result


@functools.cache
def words() -> dict[str, str]:
    """Return a dictionary with all texts of the page. A name in braces stands for a value to be inserted."""
    return tomllib.loads((resources.files("petteia.web") / "english.toml").read_text(encoding="utf-8"))


def result_in_words(result: Result) -> str:
    """Return the result of a finished game as text, such as "27 stones to 21, south wins"."""
    texts = words()
    if result.score is not None:
        first, second, unit = result.score
        more, less = max(first, second), min(first, second)
        form = "over_points" if result.winner else "over_equal_points"
        return texts[form].format(more=more, less=less, unit=unit, winner=result.winner)
    form = "over_draw" if result.winner is None else "over_margin" if abs(result.margin) > 1 else "over_win"
    return texts[form].format(winner=result.winner, margin=abs(result.margin))


def counted(name: str, count: int, **values: object) -> str:
    """Return the text `name` with a number filled in. If `count` is 1, the singular text `name_one` is used."""
    return words()[f"{name}_one" if count == 1 else name].format(count=count, **values)
