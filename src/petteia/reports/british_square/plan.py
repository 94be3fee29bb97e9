"""The settings of the trainings, and the matches and measures of the report.

The trainings are those of the term project, those with one choice changed, and those of stronger learners.
"""

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
"""the rules of the term project, another reading of them, and the rules of the published game"""
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
"""the option of a player by which a draw counts less than any value, like a loss, as in the project"""
ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the step size, learning algorithm and features of the middle of the grid"""
ALPHAS = (1e-6, 1e-5, 1e-4)
MOMENTS = {"rootstrap": "before its move", "rootstrap-after": "after its move"}
MIDDLES = {"counts": "all off the edges", "counts-centre": "the centre"}
LOOKS = {1: "own move", 2: "move and reply"}
"""search depths in play, in plies, with their words; the project's program used 2"""
NOTHING, ALL = "nothing", "all"
TREATMENTS = {
    NOTHING: "nothing",
    "features": "features: stones, and squares open to one player or to both",
    "random play": "opponent: itself, with one random move in ten",
    "open squares": "opponent: greedy for open squares, depth 1",
    "open squares ahead": "opponent: greedy for open squares, depth 2",
    "perfect play": "opponent: the perfect player",
    "ends": "rewards: 1, 0 and -1 for a win, draw and loss",
    "first weights": "initial weights: 0",
    "ends and first weights": "these rewards and these initial weights",
    "target": "target: the result of the game",
    ALL: "all together, depth 1 as in training",
}
"""the changes to the term project's learner, with their words"""
OPPONENTS = ("open squares", "open squares ahead", "perfect play")
"""the treatments with an opponent that has a strategy"""
SANE = ("ends", "ends and first weights", ALL)
"""the treatments in which a draw has a higher reward than a loss"""
BEST = "patterns"
"""the treatment of the strong learner"""
LEARNERS = {
    "counts": "the eight features, self-play, reward by result",
    "territory": "stones and open squares, self-play, reward by result",
    "territory-margin": "stones and open squares, self-play, reward by margin",
    "territory-traces": "stones and open squares, self-play, TD with eligibility traces",
    "territory-search": "stones and open squares, self-play, search depth 2 in training",
    "territory-greedy": "stones and open squares, against greedy",
    "territory-perfect": "stones and open squares, against the perfect player",
    "patterns-result": "tables of patterns, reward by result",
    BEST: "tables of patterns, reward by margin",
}
"""the stronger learners, with their words"""


def term(
    game: str, seat: int, alpha: float = ALPHA, rule: str = RULE, features: str = FEATURES, depth: int = 2
) -> Seated:
    """Return the learner of the term project; with alpha 0 it keeps its initial weights."""
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    setting = Setting(TERM[seat], values, f"as {SEATS[seat]} player, {BRIEFLY[game]}", seat)
    return _seated(setting, game, f"depth={depth},weights=last{LOSING_TOO}")


def grid() -> Iterator[tuple[float, str, str, int]]:
    """Yield all combinations that the term project leaves open: alpha, algorithm, features and search depth."""
    return ((a, rule, middle, depth) for a in ALPHAS for rule in MOMENTS for middle in MIDDLES for depth in LOOKS)


def suspect(treatment: str, game: str, seat: int, depth: int = 2) -> Seated:
    """Return the learner of the term project with one treatment."""
    setting = Setting(SUSPECTS[seat], {"treatment": treatment, "game": game}, TREATMENTS[treatment], seat)
    draws = "" if treatment in SANE else LOSING_TOO
    depth = (
        1 if treatment == ALL else depth
    )  # its features are separate for each side to move, and it learns only those after its own moves
    return _seated(setting, game, f"depth={depth},weights=last{draws}")


def working(treatment: str, seat: int) -> Seated:
    """Return a learner of both sides by the rules of the published game."""
    setting = Setting(WORKING, {"treatment": treatment}, treatment, seat)
    return _seated(setting, PUBLISHED, "depth=1,weights=last")


def _seated(setting: Setting, game: str, options: str) -> Seated:
    return Seated(Agent(setting, options), setting.seat or 0, game, setting.words)


# Measures.

GAMES, STRONG, RANDOM = Size(1000, 200), Size(10_000, 500), Size(100_000, 5000)
"""games of a match of the project's learners, of the stronger learners, and of random play against itself"""
POSITIONS, JUDGED = Size(20_000, 2000), Size(1000, 100)
"""positions of the sample for each side to move; games in which regret is measured"""
STAGES = (6, 12)
"""numbers of stones at which the middle and the end of a game begin"""


def against_random(learner: Seated) -> Match:
    """Return the match of a learner against the random player."""
    return learner.against("random", STRONG if learner.setting.experiment == WORKING else GAMES)


def random_player(game: str, seat: int) -> Seated:
    """Return the random player in a seat."""
    return Seated("random", seat, game, f"random play as {SEATS[seat]} player")


def random_play(game: str, seat: int) -> Match:
    """Return the match of the random player against itself."""
    return random_player(game, seat).against("random", RANDOM)


def stage(states: Ints) -> Ints:
    """Return the stage of the game, int64[rows], of each of `states`, int64[rows, fields], by the number of stones."""
    first, second = (states[:, Position._fields.index(name)] for name in ("first", "second"))
    return np.asarray(np.digitize(np.bitwise_count(first | second), STAGES), np.int64)


STONES = Unit(".3f", " stones", minimum=0.0)
STAGE_NAMES = ("opening", "middle", "end")


def regret(learner: Seated, over: str = truth.SAMPLE, part: str = "mean") -> Figure:
    """Return the regret of a learner in stones, over the sample or in games against an opponent."""
    amount = POSITIONS if over == truth.SAMPLE else JUDGED
    return truth.gives_away(learner, over, amount, part, truth.Stages(stage, STAGE_NAMES), STONES)
