"""Reading what a player's options say: numbers, words, yes or no, whose weights."""

from __future__ import annotations

import math
import re
from pathlib import Path

from petteia.core.errors import UsageError
from petteia.records.runs import open_run

Options = dict[str, str]


def whole_number(options: Options, option: str, player: str) -> int | None:
    """The whole number that an option gives; None if it is not given. Ranges are looked at by whoever uses it."""
    text = options.get(option)
    if text is None:
        return None
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", text, re.ASCII):
        raise UsageError(f"player {player}: {option}={text}: must be a whole number")
    return int(text)


def number(options: Options, option: str, player: str) -> float | None:
    """The number that an option gives; None if it is not given. Ranges are looked at by whoever uses it."""
    text = options.get(option)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"player {player}: {option}={text}: must be a number")
    return value


def weights_file(where: str) -> Path:
    """The weights file that an agent is given as: the file itself, or that of a run. NotFoundError if there is none."""
    path = Path(where)
    return path if path.is_file() else open_run(where).weights


def positive_seconds(options: Options, option: str, player: str) -> float | None:
    """The number of seconds that an option gives, more than 0; None if it is not given."""
    text = options.get(option)
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.0 < seconds < math.inf:
        raise UsageError(f"player {player}: {option}={text}: must be a number of seconds, more than 0")
    return seconds


def word(options: Options, option: str, words: tuple[str, ...], player: str) -> str:
    """The word that an option gives, one of `words`; the first of them if it is not given."""
    text = options.get(option, words[0])
    if text not in words:
        raise UsageError(f"player {player}: {option}={text}: must be one of {', '.join(words)}")
    return text
