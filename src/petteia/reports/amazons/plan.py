"""What the report tries: how much thought a move may take, and the players of its two experiments."""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.decision import Limit
from petteia.experiments.tournament.by_limit import score_of_player
from petteia.reports.amazons.published import PLAYERS, SECONDS, SELECTION
from petteia.reports.engine.round_robins import Asked, RoundRobin
from petteia.reports.engine.settings import Size

GAME = "amazons"
MOVES = 5
"""that share the time of the original's clock"""
RUNS = 3
"""of each experiment in the original"""
SHARES = (1.0, 0.75, 0.5, 0.25)
"""of the moves that are kept, w"""
ORIGINAL_BEST = {2: 0.25, 10: 0.5, 50: 0.75}
"""the best w by the original, by the seconds"""
SIMPLE = "search:evaluation=mobility,manager=even"
RANKED = "order=queen_distance,group=2"
"""the ranking that the original chose: of amazon moves without their arrows"""
THRESHOLD = 7
"""queen moves by which a quiet move changes the value at most"""
QUIET = f"quiet=built,threshold={THRESHOLD}"
"""three quarters of the moves of 20 games of the simple player, 3,000 nodes a move, change the value by no more"""
ALL_MOVES, *PARTS = SELECTION.names.values()
SIMPLY, SELECTIVELY, UPGRADED_SIMPLE, UPGRADED = PLAYERS.names.values()


class Effort(NamedTuple):
    """How much thought a move may take, and how many games each two players play."""

    amount: int
    """nodes of a move; with a clock: seconds of five moves"""
    games: Size
    seconds: int = 0
    """those of the original as which it is judged; 0: it is not"""
    has_clock: bool = False

    @property
    def words(self) -> str:
        """The effort, for people."""
        return f"{self.amount} s" if self.has_clock else f"{self.amount:,} nodes"

    def meet(self, players: dict[str, str], seed: int) -> RoundRobin:
        """All players meet each other under it."""
        if self.has_clock:
            return RoundRobin(players, self.games, clock=f"{MOVES}/{self.amount}", openings="none")
        return RoundRobin(players, self.games, Limit(nodes=self.amount), seed=seed)


CLOCKS = tuple(Effort(seconds, Size(2 * RUNS, 2), seconds, has_clock=True) for seconds in SECONDS)
NODES = (
    Effort(3_000, Size(400, 10)),
    Effort(12_000, Size(400, 20), 2),
    Effort(60_000, Size(400, 6), 10),
    Effort(300_000, Size(150, 2), 50),
)
"""the original's times are to each other as 1 : 5 : 25"""
FAR = Effort(1_500_000, Size(16, 2))
"""drawn, not judged"""


def efforts(evidence: Any) -> tuple[Effort, ...]:
    """The efforts at a scale: at `paper` the original's clocks."""
    return CLOCKS if evidence.scale == "paper" else (*NODES, FAR) if evidence.scale == "all" else NODES


def judged(evidence: Any) -> list[Effort]:
    """The efforts that stand for the original's times."""
    return [each for each in efforts(evidence) if each.seconds]


def keeping(share: float) -> str:
    """The player that searches a share of the moves."""
    return SIMPLE if share == 1.0 else f"{SIMPLE},keep={share:g},{RANKED}"


SHARE_OF = {keeping(share): share for share in SHARES}
"""the shares by the players that search them"""


def shares(effort: Effort) -> RoundRobin:
    """Experiment 1: the shares meet each other."""
    return effort.meet(dict(zip(SELECTION.names.values(), map(keeping, SHARES), strict=True)), 1)


def best_share(evidence: Any, effort: Effort) -> float:
    """The share below 1 by which the selective players search: at `paper` the original's best, else ours."""
    if effort.has_clock:
        return ORIGINAL_BEST[effort.seconds]
    table = evidence.round_robin(shares(effort))
    return max(SHARES[1:], key=lambda share: score_of_player(table, keeping(share)).mean)


def players(evidence: Any, effort: Effort) -> RoundRobin:
    """Experiment 2: simple, selective, and both upgraded meet each other."""
    selective = keeping(best_share(evidence, effort))
    texts = (SIMPLE, selective, f"{SIMPLE},{QUIET}", f"{selective},{QUIET}")
    return effort.meet(dict(zip(PLAYERS.names.values(), texts, strict=True)), 2)


def shares_at(seconds: int) -> Asked:
    """Experiment 1 under what stands for so many seconds of the original."""
    return lambda evidence: shares(_effort(evidence, seconds))


def players_at(seconds: int) -> Asked:
    """Experiment 2 under what stands for so many seconds of the original."""
    return lambda evidence: players(evidence, _effort(evidence, seconds))


def _effort(evidence: Any, seconds: int) -> Effort:
    return next(each for each in efforts(evidence) if each.seconds == seconds)


THRESHOLDS, REPEATS = (THRESHOLD, "q50", "q75", "q90"), (1, 3)
"""of quiet moves, in queen moves, or quantiles of how much moves change the value; plies that are searched on"""
BUILT = "as built"


def repaired(threshold: int | str, repeat: int) -> str:
    """What a player with the repair is called."""
    return f"repaired, threshold {threshold}, repeat {repeat}"


def repairs(evidence: Any) -> RoundRobin:
    """Selective, the improvement as it was built, and the repair that the original proposes, over a grid."""
    half = keeping(0.5)
    built = {BUILT: f"{half},{QUIET}", f"{BUILT}, threshold q75": f"{half},quiet=built,threshold=q75"}
    grid = {
        repaired(threshold, repeat): f"{half},quiet=repaired,threshold={threshold},repeat={repeat}"
        for threshold in THRESHOLDS
        for repeat in REPEATS
    }
    return RoundRobin({SELECTIVELY: half} | built | grid, Size(20, 2, 60), Limit(nodes=NODES[1].amount), seed=4)


# How strong the search of this package is beside these players.

EVALUATIONS = ("mix", "queen-distance", "king-distance", "mobility", "zero")
SHIPPED = "search:evaluation=mix"
"""what `search` is without options"""
OURS = "search"
TIMED = ((0.1, 200), (1.0, 40))
"""seconds of a move, and games, of the matches by time, which want an idle machine and are no part of the report"""


def evaluations(evidence: Any) -> RoundRobin:
    """The same search with each evaluation."""
    players = {each: f"search:evaluation={each}" for each in EVALUATIONS}
    return RoundRobin(players, Size(20, 2, 100), Limit(nodes=NODES[1].amount), seed=6)


def strength(evidence: Any) -> RoundRobin:
    """The package's search meets its own variants, the simple player, and the selective player with the best share."""
    best = best_share(evidence, _effort(evidence, 10))
    variants = {f"{OURS}, w = {share:g}": f"{SHIPPED},keep={share:g},{RANKED}" for share in SHARES[1:]}
    variants |= {f"{OURS}, {each}": f"{SHIPPED},quiet={each},threshold=q75" for each in ("built", "repaired")}
    players = {OURS: SHIPPED} | variants | {SIMPLY: SIMPLE, f"{SELECTIVELY}, w = {best:g}": keeping(best)}
    return RoundRobin(players, Size(20, 2, 100), Limit(nodes=NODES[2].amount), seed=7, pairing="gauntlet")


def timed(evidence: Any) -> list[str]:
    """The commands that play the package's search by time against the simple player and the best selective one."""
    opponents = SIMPLE, keeping(best_share(evidence, _effort(evidence, 50)))
    return [
        f"petteia match amazons {SHIPPED} {opponent} --time {seconds:g} --games {games} --jobs 1"
        for seconds, games in TIMED
        for opponent in opponents
    ]
