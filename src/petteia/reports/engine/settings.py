"""What a report is about, as data: settings of trainings, the agents that come of them, and the matches that they play.

Nothing is computed here. `petteia.reports.engine.evidence` finds the trainings, and plays the matches when a figure
asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from petteia.reports.engine.outcome import Scale

NO_OPENING = "none"


class Size(NamedTuple):
    """A number that depends on the scale: of games, or of positions."""

    paper: int
    quick: int
    all: int | None = None
    """None: as `paper`"""

    def at(self, scale: Scale) -> int:
        """The number at a scale."""
        found: int | None = getattr(self, scale)
        return self.paper if found is None else found


@dataclass(frozen=True)
class Setting:
    """Trainings of an experiment: those with certain swept values, on a side."""

    experiment: str
    values: Mapping[str, Any] = field(default_factory=dict)
    """of the swept options, those that tell it from others"""
    words: str = ""
    """what it is called"""
    seat: int | None = None
    """the side that learned; None where there is but one"""
    paired_with: str = ""
    """an experiment with fewer trainings, whose seeds alone are meant"""


@dataclass(frozen=True)
class Agent:
    """What trainings have learned, as a player: one for each training."""

    setting: Setting
    options: str = ""
    """of the player besides its agent, such as `depth=2`"""
    algorithm: str = "theta"
    mark: int | None = None
    """the number of the mark of the trainings around which the weights are those that it plays by; None: the end"""


Player = Agent | str
"""an agent, or the text form of a player that has not learned in this report"""


@dataclass(frozen=True)
class Match:
    """A match that may be asked for; its figures are those of the first-named player, the subject."""

    subject: Player
    opponent: Player
    games: int | Size
    seat: int | None = 0
    """of the subject; None: each opening is played from both sides"""
    openings: str = NO_OPENING
    game: str = ""
    """the rules; that of the report unless it is named"""
    words: str = ""
    """whose figures these are"""
    is_turned: bool = False
    """of both sides: whether its figures are those of the second-named player"""

    @property
    def turned(self) -> Match:
        """The same match as the opponent sees it."""
        if self.seat is None:
            return replace(self, is_turned=not self.is_turned)
        return replace(self, subject=self.opponent, opponent=self.subject, seat=1 - self.seat)

    @property
    def agents(self) -> list[Agent]:
        """Who of the two has learned."""
        return [each for each in (self.subject, self.opponent) if isinstance(each, Agent)]


@dataclass(frozen=True)
class Seated:
    """A player in a seat, under certain rules."""

    player: Player
    seat: int
    game: str = ""
    """the rules; that of the report unless it is named"""
    words: str = ""
    """what it is called"""

    @property
    def setting(self) -> Setting:
        """The trainings of a player that has learned."""
        assert isinstance(self.player, Agent), f"{self.player} has not learned"
        return self.player.setting

    def against(self, opponent: Player, games: int | Size) -> Match:
        """A match, whose figures are its own."""
        return Match(self.player, opponent, games, self.seat, game=self.game, words=self.words)
