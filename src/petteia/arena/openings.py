"""Openings of a match: random plies, balanced positions, the initial position, or positions from a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.positions import read_position
from petteia.core.protocol import Rules, State, is_over
from petteia.records.bounds import OPENINGS
from petteia.records.files import read_file

FORM = "must be random:PLIES, balanced, none, or a file of positions"
MAX_PLIES = 1000
BALANCED = re.compile("balanced(?::([0-9]{1,4}))?(?:,nodes=([0-9]{1,9}))?", re.ASCII)
BALANCED_PLIES, BALANCED_NODES = 6, 2000
"""the default number of random plies before a balanced opening, and the default node limit of its search"""


class Openings(NamedTuple):
    """The openings of a match: the start states, and the number of random plies that follow a start state."""

    starts: tuple[State, ...]
    """the start states, used in turn"""
    plies: int
    """the number of random plies after a start, before the players begin"""
    nodes: int | None = None
    """the node limit of the search that evaluates balanced openings; None for other openings"""


def start_state(rules: Rules, position: str | State | None) -> State:
    """Return the start state of a match: `position` as a state, or the initial state if `position` is None.

    Raises InvalidError if `position` is impossible under the rules, or if the game is over in this position.
    """
    state = read_position(rules, position)
    if is_over(rules, state):
        raise InvalidError(f"position {position!r}: the game is over there; choose a position with a legal move")
    return state


def parse_openings(text: str, rules: Rules, position: str | State | None = None) -> Openings:
    """Parse the openings of a match: `random:2`, `none`, `balanced`, or a file with one position per line.

    In `balanced:4,nodes=10000`, 4 is the number of random plies, and a search of 10,000 nodes evaluates the positions
    after these plies (see `petteia.arena.balanced`). Both numbers can be omitted. In a file, `#` begins a comment. If
    `position` is given, all openings that do not come from a file start in this position.

    Raises UsageError if the text is malformed or if `position` is given with a file. Raises NotFoundError if the file
    is missing. Raises InvalidError if the file is not UTF-8 text or contains no position. Also raises InvalidError if
    `position` or a line of the file is not a possible position, or if the game is over in this position.
    """
    if text == "none":
        return Openings((start_state(rules, position),), 0)
    if text == "random" or text.startswith("random:"):
        plies = text.removeprefix("random").removeprefix(":")
        if not re.fullmatch("[0-9]{1,4}", plies, re.ASCII) or int(plies) > MAX_PLIES:
            raise UsageError(f"openings {text!r}: PLIES in random:PLIES must be a whole number in 0..{MAX_PLIES}")
        return Openings((start_state(rules, position),), int(plies))
    if text == "balanced" or text.startswith(("balanced:", "balanced,")):
        return _balanced(text, start_state(rules, position))
    if position is not None:
        raise UsageError(f"openings {text!r}: position cannot be given with a file of openings; leave position out")
    return Openings(_read(Path(text), rules), 0)


def _balanced(text: str, start: State) -> Openings:
    form = BALANCED.fullmatch(text)
    plies, nodes = (int(each) if each else None for each in form.groups()) if form else (0, 0)
    if plies == 0 or nodes == 0 or (plies or 0) > MAX_PLIES:
        raise UsageError(
            f"openings {text!r}: must be balanced:PLIES or balanced:PLIES,nodes=N, with PLIES in 1..{MAX_PLIES} and N "
            "a whole number above 0"
        )
    return Openings((start,), plies or BALANCED_PLIES, nodes or BALANCED_NODES)


def _read(path: Path, rules: Rules) -> tuple[State, ...]:
    try:
        lines = read_file(path, OPENINGS).decode().splitlines()
    except NotFoundError:
        raise NotFoundError(f"openings {str(path)!r}: there is no such file; openings {FORM}") from None
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: not UTF-8 text") from None
    starts = []
    for number, line in enumerate(lines, 1):
        if position := line.partition("#")[0].strip():
            try:
                starts.append(start_state(rules, position))
            except InvalidError as error:
                raise InvalidError(f"{path}, line {number}: {error}") from None
    if not starts:
        raise InvalidError(f"{path}: contains no position; write one position per line")
    return tuple(starts)
