"""Players of graded strength, from a beginner to the strongest player of the package, such as `level:3`.

Each level of a game is a different player. A weak level does not search less deeply than a good player, but replaces
some of the good player's moves by random moves. The weaker the level, the more of its moves are random.

`levels.toml` contains the levels of each game of the package, and `make levels` measures them again. The levels of
`ANY_GAME` are used for custom games, and for games with other options than those in `levels.toml`.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Annotated, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.options import WHOLE
from petteia.core.protocol import Rules

PLACE = resources.files("petteia.players").joinpath("levels.toml")
"""the file that contains the levels of the package's games"""
STRONG = "search:nodes=3000"
ANY_GAME = (
    ("Beginner", "random"),
    *(
        (name, f"mixed:first=({STRONG}),second=random,share={share:g}")
        for name, share in (("Novice", 0.35), ("Casual", 0.6), ("Skilled", 0.75), ("Strong", 0.87))
    ),
    ("Expert", STRONG),
    ("Master", "search:nodes=30000"),
)
"""the levels for games without levels of their own, each with its name and player; up to Expert, each level has at
least a third fewer random moves than the level before"""


class LevelOptions(NamedTuple):
    """The options of `level`."""

    number: Annotated[int | None, WHOLE, "number of the level, as in level:3; 1 is the weakest"] = None


class Level(NamedTuple):
    """A level of play in a game: its number, its name and its player."""

    number: int
    """the number of the level; the weakest level has the number 1"""
    name: str
    """the name, such as `Novice`"""
    player: str
    """the text form of the player"""


def levels(rules: Rules) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest one first."""
    declared = ladders().get(name_of(type(rules)))
    fits = declared is not None and all(getattr(rules, option) == value for option, value in declared.rules.items())
    ladder = declared.levels if declared is not None and fits else ANY_GAME
    return tuple(Level(number, *each) for number, each in enumerate(ladder, 1))


def level_text(options: LevelOptions, rules: Rules) -> str:
    """Return the text form of the player of the chosen level. Raises UsageError if the game has no such level."""
    found = levels(rules)
    if options.number is None or not 1 <= options.number <= len(found):
        given = "level" if options.number is None else f"level:{options.number}"
        raise UsageError(
            f"player {given}: must be level:1 ({found[0].name}) to level:{len(found)} ({found[-1].name}) in the game "
            f"{format_game(rules)}"
        )
    return found[options.number - 1].player


class Ladder(NamedTuple):
    """The levels of a game, and the values of the options of the game for which the levels were measured."""

    rules: dict[str, int]
    """the values that the options of the game must have for these levels, by the name of the option"""
    levels: tuple[tuple[str, str], ...]
    """the name of each level, and the text form of its player"""


@functools.cache
def ladders() -> dict[str, Ladder]:
    """Return the levels of all games of the package. The keys are the names of the games."""
    return {
        game: Ladder(found["rules"], tuple((each["name"], each["player"]) for each in found["levels"]))
        for game, found in tomllib.loads(PLACE.read_text(encoding="utf-8")).items()
    }
