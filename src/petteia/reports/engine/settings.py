"""Data classes for the plan of a report: settings of training runs, agents that learn in them, and matches.

This module computes nothing. `petteia.reports.engine.evidence` finds the training runs, and plays a match when a figure
needs it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Literal, NamedTuple

Scale = Literal["quick", "paper", "all"]
"""The size of a report. Each declaration lists its scales."""


class Size(NamedTuple):
    """A number of games or positions for each size of a report: `quick`, `paper` and `all`."""

    paper: int
    quick: int
    all: int | None = None
    """The number at the scale `all`. None: the number at the scale `paper`."""

    def at(self, scale: Scale) -> int:
        """Return the number of games or positions for one size of the report: `quick`, `paper` or `all`."""
        found: int | None = getattr(self, scale)
        return self.paper if found is None else found


def read_toml(package: str, file: str) -> dict[str, Any]:
    """Read a TOML file in the package of a report, and return its content."""
    return tomllib.loads((resources.files(package) / file).read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Setting:
    """A selection of the training runs of an experiment, by the values of its options and the side that learns."""

    experiment: str
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of the swept options that distinguish it from other settings."""
    words: str = ""
    """The name of the setting in texts."""
    seat: int | None = None
    """The side that learned, or None if the experiment has only one learning side."""
    paired_with: str = ""
    """The name of an experiment with fewer training runs. Only training runs with its seeds are used."""


@dataclass(frozen=True)
class Agent:
    """A player that has learned. It has separate weights or values for each training run of its setting."""

    setting: Setting
    options: str = ""
    """The options of the player besides its agent, such as `depth=2`."""
    algorithm: str = "theta"
    mark: int | None = None
    """The number of the mark of the training runs at which its weights were saved. None: the end of the training
    runs."""


Player = Agent | str
"""An agent, or the text form of a player that has not learned in this report."""


@dataclass(frozen=True)
class Match:
    """A match between two players. Its statistics describe the first-named player, which is called the subject."""

    subject: Player
    opponent: Player
    games: int | Size
    seat: int | None = 0
    """The seat of the subject. None: each opening is played from both sides."""
    openings: str = "none"
    game: str = ""
    """The text form of the rules; if empty, the rules of the report."""
    words: str = ""
    """The subject and its opponent in words, such as `theta1 against greedy1`."""
    is_turned: bool = False
    """Whether the figures describe the second-named player, in a match whose openings are played from both sides."""

    @property
    def turned(self) -> Match:
        """The same match from the perspective of the opponent."""
        if self.seat is None:
            return replace(self, is_turned=not self.is_turned)
        return replace(self, subject=self.opponent, opponent=self.subject, seat=1 - self.seat)

    @property
    def agents(self) -> list[Agent]:
        """The players of the match that have learned."""
        return [each for each in (self.subject, self.opponent) if isinstance(each, Agent)]


@dataclass(frozen=True)
class Seated:
    """A player together with its seat and the rules of the game."""

    player: Player
    seat: int
    game: str = ""
    """The text form of the rules; if empty, the rules of the report."""
    words: str = ""
    """The name of the player, for texts."""

    @property
    def setting(self) -> Setting:
        """The setting of the training runs in which the player learned."""
        assert isinstance(self.player, Agent), f"{self.player} has not learned"
        return self.player.setting

    def against(self, opponent: Player, games: int | Size) -> Match:
        """Return a match against an opponent, with this player as its subject."""
        return Match(self.player, opponent, games, self.seat, game=self.game, words=self.words)
