"""What the report tries: the term project's settings, its suspects, and learners that work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from petteia.reports.engine.settings import Agent, Match, Setting, Size

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
TERM = tuple(f"term-project-{seat}" for seat in SEATS)
SUSPECTS = tuple(f"suspects-{seat}" for seat in SEATS)
WORKING = "british-square-learners"
EXPERIMENTS = (*TERM, *SUSPECTS, WORKING)
GAMES, STRONG, RANDOM = Size(1000, 200), Size(10_000, 500), Size(100_000, 5000)
"""games of a match: of the project's learners, of those that work, and of random play against itself"""
DRAW = 100_000
"""points below any value: so a draw is no better than a game lost, as in the project"""


@dataclass(frozen=True)
class Learner:
    """Trainings in a seat, and how they play by what they have learned."""

    setting: Setting
    seat: int
    game: str
    depth: int = 2
    """plies that it looks ahead: its own move, or the reply, too, as the project's did"""
    is_project: bool = True
    """whether a draw is worth no more to it than a game lost"""

    def at(self, depth: int) -> Learner:
        """The same, looking so many plies ahead when it plays."""
        return replace(self, depth=depth)

    @property
    def agent(self) -> Agent:
        """The player."""
        return Agent(self.setting, f"depth={self.depth},weights=last" + f",draws={-DRAW}" * self.is_project)

    @property
    def against_random(self) -> Match:
        """Its games against random play."""
        games = STRONG if self.setting.experiment == WORKING else GAMES
        return Match(self.agent, "random", games, self.seat, game=self.game, words=self.setting.words)


def random_play(game: str, seat: int) -> Match:
    """Random play against itself."""
    return Match("random", "random", RANDOM, seat, game=game, words=f"random play as {SEATS[seat]} player")


ALPHA, RULE, FEATURES = 1e-5, "rootstrap", "counts"
"""the setting in the middle of the grid"""
ALPHAS = (1e-6, 1e-5, 1e-4)
MOMENTS = {"rootstrap": "before its move", "rootstrap-after": "after its move"}
MIDDLES = {"counts": "all off the edges", "counts-centre": "the centre"}
LOOKS = {1: "own move", 2: "move and reply"}


def term(game: str, seat: int, alpha: float = ALPHA, rule: str = RULE, features: str = FEATURES) -> Learner:
    """The learner of the term project; with alpha 0 it stays as it begins."""
    values = {"game": game, "alpha": alpha, "learner": rule, "features": features}
    words = f"as {SEATS[seat]} player, {BRIEFLY[game]}"
    return Learner(Setting(TERM[seat], values, words, seat), seat, game)


def grid() -> Iterator[tuple[float, str, str, int]]:
    """All that the term project may have been: alpha, when values move, the middle, and plies that it looks ahead."""
    return ((a, rule, middle, depth) for a in ALPHAS for rule in MOMENTS for middle in MIDDLES for depth in LOOKS)


def of_grid(game: str, seat: int, alpha: float, rule: str, middle: str, depth: int) -> Learner:
    """The learner of a setting of the grid."""
    return term(game, seat, alpha, rule, middle).at(depth)


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
OPPONENTS = ("open squares", "open squares ahead", "perfect play")
"""the treatments in which it learns against an opponent with a strategy"""
SANE = ("ends", "ends and first weights", ALL)
"""treatments to which a draw is worth more than a game lost"""


def suspect(treatment: str, game: str, seat: int) -> Learner:
    """The learner of the term project with something changed."""
    values = {"treatment": treatment, "game": game}
    setting = Setting(SUSPECTS[seat], values, TREATMENTS[treatment], seat)
    return Learner(setting, seat, game, is_project=treatment not in SANE)


BEST = "patterns"
"""the learner that is taken for the one that works"""
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


def working(treatment: str, seat: int) -> Learner:
    """A learner of both sides under the rules of the published game."""
    return Learner(Setting(WORKING, {"treatment": treatment}, treatment, seat), seat, PUBLISHED, 1, is_project=False)
