"""The settings of the training runs, and the matches and measures of the report.

The training runs are of three kinds: the term project as it stands, the term project with one change, and learners of
both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from petteia.core.arrays import Ints
from petteia.games.british_square import Position
from petteia.reports.engine import truth
from petteia.reports.engine.estimates import Unit, certain
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.settings import Agent, Match, Seated, Setting, Size

MOVER, EITHER, PUBLISHED = (
    "british-square:end=first_blocked,centre_ban=no",
    "british-square:end=any_blocked,centre_ban=no",
    "british-square:end=both_blocked,centre_ban=yes",
)
"""two readings of the project's rules, and the rules of the published game, which are a third reading"""
READINGS = {MOVER: "mover blocked", EITHER: "either blocked", PUBLISHED: "both blocked"}
"""the names of the readings, which tell when a game ends"""
SEATS = ("first", "second")
TERM, SUSPECTS = (tuple(f"{name}-{seat}" for seat in SEATS) for name in ("term-project", "suspects"))
WORKING = "british-square-learners"
EXPERIMENTS = (*TERM, *SUSPECTS, WORKING)
LOSING_TOO = ",draws=-100000"
"""the option of a player by which a draw counts less than any value, like a loss, as in the project"""
ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the step size, learning algorithm and features of the standard settings"""
UNTRAINED, *ALPHAS = 0.0, 1e-6, 1e-5, 1e-4
"""Step sizes. With step size 0 the program keeps its initial weights, as if it never loaded its learned weights."""
MOMENTS = {"rootstrap": "before the move", "rootstrap-after": "after the move"}
MIDDLES = {"counts": "nine inner squares", "counts-centre": "the centre"}
DEPTHS = (1, 2)
"""search depths in play, in plies"""
NOTHING, ALL = "nothing", "all"
TREATMENTS = {
    NOTHING: "no change",
    "features": "features: only stones and open squares, alpha 1e-04",
    "random play": "opponent: itself (one of ten moves is random)",
    "open squares": "opponent: greedy for open squares, search depth 1",
    "open squares ahead": "opponent: greedy for open squares, search depth 2",
    "perfect play": "opponent: the perfect player",
    "ends": "rewards: 1 for a win, 0 for a draw, -1 for a loss",
    "first weights": "initial weights: 0",
    "ends and first weights": "rewards: 1, 0 and -1; initial weights: 0",
    "target": "target: the result of the game, search depth 1 in training",
    ALL: "all together, search depth 1 in play",
}
"""the changes to the term project's learner, with their words"""
OPPONENTS = ("open squares", "open squares ahead", "perfect play")
"""the treatments in which the opponent has a strategy"""
SANE = ("ends", "ends and first weights", ALL)
"""the treatments in which a draw has a higher reward than a loss"""
BEST = "patterns"
"""the treatment of the strong learner"""
LEARNERS = {
    "counts": "the eight features, self-play, reward by result",
    "territory": "stones and open squares, self-play, reward by result",
    "territory-margin": "stones and open squares, self-play, reward by margin",
    "territory-traces": "stones and open squares, self-play, reward by margin, TD with traces (lambda 0.7)",
    "territory-search": "stones and open squares, self-play, reward by margin, search depth 2 in training",
    "territory-greedy": "stones and open squares, against greedy for stones, reward by margin",
    "territory-perfect": "stones and open squares, against the perfect player, reward by margin",
    "patterns-result": "tables of patterns, self-play, reward by result",
    BEST: "tables of patterns, self-play, reward by margin",
}
"""the learners of both sides, with their words"""


def term(
    game: str, seat: int, alpha: float = ALPHA, rule: str = RULE, features: str = FEATURES, depth: int = 2
) -> Seated:
    """Return the learner of the term project; with alpha 0 it keeps its initial weights."""
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    setting = Setting(TERM[seat], values, f"as {SEATS[seat]} player, {READINGS[game]}", seat)
    return _seated(setting, game, f"depth={depth},weights=last{LOSING_TOO}")


def untrained() -> Iterator[tuple[float, str, str, int]]:
    """Yield the settings of a program that plays with its initial weights."""
    return ((UNTRAINED, RULE, middle, depth) for middle in MIDDLES for depth in DEPTHS)


def grid() -> Iterator[tuple[float, str, str, int]]:
    """Yield all settings that the term project leaves open: alpha, algorithm, features and search depth."""
    return ((a, rule, middle, depth) for a in ALPHAS for rule in MOMENTS for middle in MIDDLES for depth in DEPTHS)


def suspect(treatment: str, game: str, seat: int, depth: int = 2) -> Seated:
    """Return the learner of the term project with the change to its training that `treatment` names."""
    setting = Setting(SUSPECTS[seat], {"treatment": treatment, "game": game}, TREATMENTS[treatment], seat)
    draws = "" if treatment in SANE else LOSING_TOO
    if treatment == ALL:
        depth = 1  # its weights are separate for each side to move, and it learns only those after its own moves
    return _seated(setting, game, f"depth={depth},weights=last{draws}")


def working(treatment: str, seat: int, depth: int = 1) -> Seated:
    """Return a learner that was trained for both sides, by the rules of the published game."""
    setting = Setting(WORKING, {"treatment": treatment}, treatment, seat)
    return _seated(setting, PUBLISHED, f"depth={depth},weights=last")


def _seated(setting: Setting, game: str, options: str) -> Seated:
    return Seated(Agent(setting, options), setting.seat or 0, game, setting.words)


# Measures.

GAMES, STRONG, RANDOM = Size(1000, 200), Size(10_000, 500), Size(100_000, 5000)
"""games of a match of the project's learners, of the stronger learners, and of random play against itself"""
POSITIONS, JUDGED = Size(20_000, 2000), Size(1000, 100)
"""positions of the sample for each side to move; games in which regret is measured"""
STAGES = (6, 12)
"""numbers of stones at which the middle and the end of a game begin"""


def against_random(player: Seated) -> Match:
    """Return the match of a player against the random player."""
    if isinstance(player.player, str):
        return player.against("random", RANDOM)
    return player.against("random", STRONG if player.setting.experiment == WORKING else GAMES)


def random_player(game: str, seat: int) -> Seated:
    """Return the random player in a seat."""
    return Seated("random", seat, game, "random play")


def random_play(game: str, seat: int) -> Match:
    """Return the match of the random player against itself."""
    return against_random(random_player(game, seat))


IMPOSSIBLE = {(game, *result) for game in (MOVER, EITHER) for result in ((0, "lost"), (1, "won"))}
"""Results that the rules exclude. Stones are placed in turn, so the second player never has more than the first."""


def share(match: Match, part: Part) -> Figure:
    """Return the share of the games of a match that have one result, such as `won`.

    It is exactly 0 if the rules exclude the result.
    """
    found = of_match(match, part)
    return replace(found, of=lambda _: certain(0.0)) if (match.game, match.seat, part) in IMPOSSIBLE else found


def shares(match: Match) -> tuple[Figure, ...]:
    """Return the games won, drawn and lost by the subject of a match, for one cell of a table."""
    return tuple(share(match, part) for part in ("won", "drawn", "lost"))


def stage(states: Ints) -> Ints:
    """Return the stage of the game for each state, which depends on the number of stones.

    `states` is int64[rows, fields], and the result is int64[rows].
    """
    first, second = (states[:, Position._fields.index(name)] for name in ("first", "second"))
    return np.asarray(np.digitize(np.bitwise_count(first | second), STAGES), np.int64)


STONES = Unit(".3f", " stones", minimum=0.0)
STAGE_NAMES = ("opening", "middle", "end")


def regret(learner: Seated, over: str = truth.SAMPLE, part: str = "mean") -> Figure:
    """Return the regret of a learner in stones, over sampled positions or in games against an opponent."""
    amount = POSITIONS if over == truth.SAMPLE else JUDGED
    return truth.gives_away(learner, over, amount, part, truth.Stages(stage, STAGE_NAMES), STONES)
