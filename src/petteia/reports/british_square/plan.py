"""What the report tries: the term project's settings, its suspects, and learners that work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

PROJECT, ANY, PUBLISHED = (
    "british-square:end=first_blocked,centre_ban=no",
    "british-square:end=any_blocked,centre_ban=no",
    "british-square:end=both_blocked,centre_ban=yes",
)
"""The rules of the term project, another reading of them, and those of the published game."""
RULES = {
    PROJECT: "it ends when the player to move is blocked (the project)",
    ANY: "it ends when either player is blocked (another reading)",
    PUBLISHED: "it ends when both are blocked (the published game)",
}
BRIEFLY = {PROJECT: "the project's rules", ANY: "either blocked", PUBLISHED: "the published game"}
CODES = {PROJECT: "project", ANY: "any", PUBLISHED: "published"}
"""the rules in names of files"""
SEATS = ("first", "second")
TERM = tuple(f"term-project-{seat}" for seat in SEATS)
OPPONENTS = ("open squares", "open squares ahead", "perfect play")
"""the treatments in which it learns against an opponent with a strategy"""
SUSPECTS = tuple(f"suspects-{seat}" for seat in SEATS)
WORKING = "british-square-learners"
EXPERIMENTS = (*TERM, *SUSPECTS, WORKING)
ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the setting in the middle of the grid"""
ALPHAS = (1e-6, 1e-5, 1e-4)
NOTHING, ALL = "nothing", "all"
TREATMENTS = {
    NOTHING: "nothing: as it stands",
    "features": "the features: stones, and squares left to one player or to both",
    "random play": "all-random play: against itself, one move in ten random",
    "open squares": "its opponent: one that goes for the most open squares",
    "open squares ahead": "its opponent: the same, looking at the reply, too",
    "perfect play": "its opponent: the perfect player",
    "ends": "the worth of ends: 1, 0 and -1 for a game won, drawn and lost",
    "first weights": "the first weights: 0",
    "ends and first weights": "both of these",
    "target": "the target: how the game ended",
    ALL: "all of these",
}
DEPTHS = (1, 2)
"""plies that the learner may look ahead: its own move, or the reply, too, as the project's did"""
BEST = "patterns"
"""the learner that is taken for the one that works"""
DRAW = 100_000
"""points below any value: so a draw is no better than a game lost, as in the project"""


class Setting(NamedTuple):
    """Trainings of an experiment with certain swept values, in a seat, and what they are called."""

    words: str
    experiment: str
    values: Mapping[str, Any]
    game: str
    seat: int
    depth: int = 1
    """plies that it looks ahead when it plays"""
    is_project: bool = True
    """whether a draw is worth no more to it than a game lost"""


def term(game: str, seat: int, alpha: float = ALPHA, rule: str = RULE, features: str = FEATURES) -> Setting:
    """The learner of the term project; with alpha 0 it stays as it begins."""
    words = f"as {SEATS[seat]} player, {BRIEFLY[game]}"
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    return Setting(words, TERM[seat], values, game, seat, 2)


def suspect(treatment: str, game: str, seat: int) -> Setting:
    """The learner of the term project with something changed."""
    values = {"treatment": treatment, "game": game}
    return Setting(TREATMENTS[treatment], SUSPECTS[seat], values, game, seat, 2, treatment not in SANE)


SANE = ("ends", "ends and first weights", ALL)
"""treatments to which a draw is worth more than a game lost"""


def working(treatment: str, seat: int) -> Setting:
    """A learner of both sides under the rules of the published game."""
    return Setting(treatment, WORKING, {"treatment": treatment}, PUBLISHED, seat, is_project=False)


def grid(game: str, seat: int) -> list[Setting]:
    """All that the term project may have been."""
    return [
        term(game, seat, alpha, rule, features)
        for alpha in ALPHAS
        for rule in ("rootstrap", "rootstrap-after")
        for features in ("counts", "counts-centre")
    ]


MOMENTS = {"rootstrap": "before its move", "rootstrap-after": "after its move"}
MIDDLES = {"counts": "all off the edges", "counts-centre": "the centre"}
LOOKS = {1: "own move", 2: "move and reply"}
LEARNERS = {
    "counts": "the eight features, self-play, how games ended",
    "territory": "stones and squares left, self-play, how games ended",
    "territory-margin": "the same, by the margin",
    "territory-traces": "the same, TD with traces",
    "territory-search": "the same, looking two plies ahead while learning",
    "territory-greedy": "the same, against greedy",
    "territory-perfect": "the same, against the perfect player",
    "patterns-result": "tables of patterns, how games ended",
    "patterns": "tables of patterns, by the margin",
}
