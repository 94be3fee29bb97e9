"""Stages of a training run with different opponents, and their representation as a string.

`greedy:depth=2 for 100000, then simple` plays the first 100,000 games against greedy and all others against simple.
`self` is the learner itself, with its current weights and without exploration. `self:every=10000` uses a copy of the
weights that is renewed every 10,000 games.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from petteia.experiments.options import wrong

SELF = re.compile(r"self(?::every=([0-9]{1,12}))?", re.ASCII)
STAGE = re.compile(r"(.+) for ([0-9]{1,12})", re.ASCII)
UNPARTED = re.compile(r" for [0-9]+(?:,| then\b)", re.ASCII)
THEN = ", then "
EXAMPLE = "'random for 1000, then greedy'"


class Stage(NamedTuple):
    """A part of a training run in which all games are against the same opponent."""

    opponent: str
    """the text form of a player, or `self`"""
    end: int
    """the number of the game with which the next stage begins"""

    @property
    def every(self) -> int | None:
        """The number of games between updates of the opponent, if the opponent is a copy of the learner.

        The number is 0 if the opponent always has the current weights of the learner. It is None if the opponent is not
        a copy of the learner.
        """
        match = SELF.fullmatch(self.opponent)
        return None if match is None else int(match[1] or 0)


def parse_stages(text: str, games: int) -> list[Stage]:
    """Parse the stages of a training run.

    Raises UsageError for a malformed string, and for stages that do not fit the number of games.
    """
    stages = []
    begin = 0
    parts = text.split(THEN)
    for number, part in enumerate(parts):
        match = STAGE.fullmatch(part)
        if match is None and UNPARTED.search(part):
            raise wrong("opponent", f"stages must be separated by '{THEN}', as in {EXAMPLE}", text)
        if match is None and number < len(parts) - 1:
            raise wrong("opponent", f"stage {number + 1} must have a number of games, as in {EXAMPLE}", text)
        length = games - begin if match is None else int(match[2])
        if length < 1:
            left = "has no games" if match else f"begins after all {games:,} games"
            raise wrong("opponent", f"stage {number + 1} {left}; a stage must have 1 or more", text)
        begin += length
        who = part if match is None else match[1]
        if not who.strip():
            raise wrong("opponent", f"stage {number + 1} has no opponent, as in {EXAMPLE}", text)
        if who.startswith("self:") and not SELF.fullmatch(who):
            raise wrong("opponent", "self has only the option every, as in self:every=10000", text)
        stages.append(Stage(who, begin))
    if begin != games:
        raise wrong("opponent", f"the stages have {begin:,} games, the training {games:,}; make them equal", text)
    return stages


def stage_of(stages: Sequence[Stage], game: int) -> int:
    """Return the index of the stage that contains game number `game`. Stages and games are numbered from 0."""
    return next(number for number, stage in enumerate(stages) if game < stage.end)
