"""What the report tries: the term project's settings, its suspects, learners that work; and how it measures them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from petteia.core.arrays import Ints
from petteia.games.british_square import Position
from petteia.reports.engine import truth
from petteia.reports.engine.estimates import Unit
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.settings import Agent, Match, Seated, Setting, Size

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
SEATS = ("first", "second")
TERM, SUSPECTS = (tuple(f"{name}-{seat}" for seat in SEATS) for name in ("term-project", "suspects"))
WORKING = "british-square-learners"
EXPERIMENTS = (*TERM, *SUSPECTS, WORKING)
LOSING_TOO = ",draws=-100000"
"""what tells a player that a draw is worth no more than a game lost, as in the project: less than any value"""
ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the setting in the middle of the grid"""
ALPHAS = (1e-6, 1e-5, 1e-4)
MOMENTS = {"rootstrap": "before its move", "rootstrap-after": "after its move"}
MIDDLES = {"counts": "all off the edges", "counts-centre": "the centre"}
LOOKS = {1: "own move", 2: "move and reply"}
"""by the plies that it looks ahead when it plays: the project's did two"""
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
    ALL: "all of these; it looks at its own move alone, as it did while it learned",
}
OPPONENTS = ("open squares", "open squares ahead", "perfect play")
"""the treatments in which it learns against an opponent with a strategy"""
SANE = ("ends", "ends and first weights", ALL)
"""treatments to which a draw is worth more than a game lost"""
BEST = "patterns"
"""the learner that is taken for the one that works"""
LEARNERS = {
    "counts": "the eight features, self-play, how games ended",
    "territory": "stones and squares left, self-play, how games ended",
    "territory-margin": "stones and squares left, self-play, by the margin",
    "territory-traces": "stones and squares left, self-play, TD with traces",
    "territory-search": "stones and squares left, self-play, looking two plies ahead while learning",
    "territory-greedy": "stones and squares left, against greedy",
    "territory-perfect": "stones and squares left, against the perfect player",
    "patterns-result": "tables of patterns, how games ended",
    BEST: "tables of patterns, by the margin",
}


def term(
    game: str, seat: int, alpha: float = ALPHA, rule: str = RULE, features: str = FEATURES, depth: int = 2
) -> Seated:
    """The learner of the term project; with alpha 0 it stays as it begins."""
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    setting = Setting(TERM[seat], values, f"as {SEATS[seat]} player, {BRIEFLY[game]}", seat)
    return _seated(setting, game, f"depth={depth},weights=last{LOSING_TOO}")


def grid() -> Iterator[tuple[float, str, str, int]]:
    """All that the term project may have been: alpha, when values move, the middle, and plies that it looks ahead."""
    return ((a, rule, middle, depth) for a in ALPHAS for rule in MOMENTS for middle in MIDDLES for depth in LOOKS)


def suspect(treatment: str, game: str, seat: int, depth: int = 2) -> Seated:
    """The learner of the term project with something changed."""
    setting = Setting(SUSPECTS[seat], {"treatment": treatment, "game": game}, TREATMENTS[treatment], seat)
    draws = "" if treatment in SANE else LOSING_TOO
    depth = 1 if treatment == ALL else depth  # of each turn's weights it learns those of its own moves alone
    return _seated(setting, game, f"depth={depth},weights=last{draws}")


def working(treatment: str, seat: int) -> Seated:
    """A learner of both sides under the rules of the published game."""
    setting = Setting(WORKING, {"treatment": treatment}, treatment, seat)
    return _seated(setting, PUBLISHED, "depth=1,weights=last")


def _seated(setting: Setting, game: str, options: str) -> Seated:
    return Seated(Agent(setting, options), setting.seat or 0, game, setting.words)


# Measures.

GAMES, STRONG, RANDOM = Size(1000, 200), Size(10_000, 500), Size(100_000, 5000)
"""games of a match: of the project's learners, of those that work, and of random play against itself"""
POSITIONS, JUDGED = Size(20_000, 2000), Size(1000, 100)
"""positions of the sample, of each side; games in which moves are judged"""
STAGES = (6, 12)
"""stones on the board with which the middle and the end of a game begin"""


def against_random(learner: Seated) -> Match:
    """The games of a learner against random play."""
    return learner.against("random", STRONG if learner.setting.experiment == WORKING else GAMES)


def random_player(game: str, seat: int) -> Seated:
    """The player that draws its moves by lot."""
    return Seated("random", seat, game, f"random play as {SEATS[seat]} player")


def random_play(game: str, seat: int) -> Match:
    """Random play against itself."""
    return random_player(game, seat).against("random", RANDOM)


def stage(states: Ints) -> Ints:
    """The stage of the game of each of `states`, int64[rows, fields], by the stones on the board."""
    first, second = (states[:, Position._fields.index(name)] for name in ("first", "second"))
    return np.asarray(np.digitize(np.bitwise_count(first | second), STAGES), np.int64)


STONES = Unit(".3f", " stones", minimum=0.0)
STAGE_NAMES = ("opening", "middle", "end")


def gives_away(learner: Seated, over: str = truth.SAMPLE, part: str = "mean") -> Figure:
    """What a learner gives away, in stones: over the sample, or in games against a player."""
    amount = POSITIONS if over == truth.SAMPLE else JUDGED
    return truth.gives_away(learner, over, amount, part, truth.Stages(stage, STAGE_NAMES), STONES)
