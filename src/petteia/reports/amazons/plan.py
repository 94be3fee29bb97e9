"""The student exercise's two experiments with their printed results, and the matches that this report plays.

The report repeats both experiments. Further matches compare variants of quiescence search and several evaluations. The
last matches compare the player `search` of this package with players of the exercise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from petteia.core.decision import Limit
from petteia.experiments.tournament.by_limit import score_of_player
from petteia.reports.engine.round_robins import Asked, RoundRobin, may_be_best
from petteia.reports.engine.settings import Size

GAME = "amazons"

# The student exercise and its printed results.

SECONDS = (2, 10, 50)
"""the time limits of the student exercise: the seconds that the clock gives a player for `MOVES` moves"""
MOVES = 5
"""the number of moves for which the clock of the student exercise gives a player its time"""
RUNS = 3
"""the number of times that the student exercise plays each experiment"""
ORIGINAL_BEST = {2: 0.25, 10: 0.5, 50: 0.75}
"""the best share w in the student exercise, for each of its time limits in seconds"""


class Games(NamedTuple):
    """The games of one printed table of the student exercise. Each pair of players meets twice."""

    names: dict[str, str]
    """the names of the players by their letters"""
    winners: dict[int, str]
    """the letters of the winners of the games in order, for each time limit in seconds; winners in parentheses are
    missing in the printed table, and are inferred from its sums"""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """A pair of player letters for each game, in the order of the printed table."""
        return [(one, other) for one in self.names for other in self.names if one != other]

    def won_by(self, seconds: int) -> str:
        """Return the winners of all games at a time limit in seconds, as a string with one letter per game."""
        return self.winners[seconds].replace("(", "").replace(")", "")

    def printed(self, seconds: int, number: int) -> str:
        """Return the letter of the winner of game `number` at a time limit of `seconds` seconds.

        The first game has the number 0. The letter is in parentheses if the printed table does not show the winner.
        """
        won = self.won_by(seconds)[number]
        return f"({won})" if number >= self.winners[seconds].index("(") else won

    def wins(self, seconds: int, letter: str) -> int:
        """Return how many games the player `letter` won at a time limit of `seconds` seconds."""
        return self.won_by(seconds).count(letter)


SELECTION = Games(
    {"A": "w = 1", "B": "w = 0.75", "C": "w = 0.5", "D": "w = 0.25"},
    {2: "AADBBDCCCD(DD)", 10: "BADBCBCCCA(BC)", 50: "BAAABBABCD(BD)"},
)
PLAYERS = Games(
    {"S": "simple", "L": "selective", "U": "upgraded simple", "W": "upgraded selective"},
    {2: "LUSLLWSUW(WLW)", 10: "LSSSLLS(LWSWW)", 50: "SSWLLLS(LWSLW)"},
)
PRINTED = {"selection": SELECTION, "players": PLAYERS}
"""the games of both experiments of the student exercise, by the names of the experiments"""
ALL_MOVES, *_, SMALLEST = SELECTION.names.values()
SIMPLY, SELECTIVELY, UPGRADED_SIMPLE, UPGRADED = PLAYERS.names.values()

# The players and the limits of their moves.

SHARES = (1.0, 0.75, 0.5, 0.25)
"""the shares w of the moves that the players of experiment 1 search"""
SIMPLE = "search:evaluation=mobility,manager=even"
RANKED = "order=queen_distance,group=2"
"""the options of the move ordering in the student exercise, which ranks amazon moves without their arrows"""
THRESHOLD = 7
"""the largest change of the value, in queen moves, by a quiet move"""
QUIET = f"quiet=built,threshold={THRESHOLD}"
"""the options of the upgraded players; with this threshold, three quarters of the moves are quiet in 20 games of the
simple player with 3,000 nodes per move"""


class Effort(NamedTuple):
    """A node limit or time limit for the moves of each player, and the number of games between each pair of players."""

    amount: int
    """nodes per move, or with a clock, seconds for five moves"""
    games: Size
    seconds: int = 0
    """the time limit of the student exercise that corresponds to this limit; 0 if there is none"""
    has_clock: bool = False

    @property
    def words(self) -> str:
        """The limit as text, such as `12,000 nodes`."""
        return f"{self.amount} s" if self.has_clock else f"{self.amount:,} nodes"

    def meet(self, players: Mapping[str, str], seed: int) -> RoundRobin:
        """Create a round robin between players under this limit. Its games are played when a result is first needed.

        `players` maps the names of the players to their text forms.
        """
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
"""the node limits; the last three have the ratio 1 : 5 : 25, like the time limits of the student exercise"""
FAR = Effort(1_500_000, Size(16, 2))
"""a further limit, which is shown in charts but not used by claims"""


def efforts(evidence: Any) -> tuple[Effort, ...]:
    """Return the search limits with which this report plays the experiments.

    A report has one of the sizes (scales) `quick`, `paper` and `all`. At the scale `paper`, the limits are the time
    limits of the student exercise. At the other scales, they are node limits.
    """
    return {"quick": NODES, "paper": CLOCKS, "all": (*NODES, FAR)}[evidence.scale]


def effort_for(evidence: Any, seconds: int) -> Effort:
    """Return the search limit that corresponds to the student exercise's time limit of `seconds` seconds."""
    return next(each for each in efforts(evidence) if each.seconds == seconds)


def keeping(share: float) -> str:
    """Return the text form of a player that searches a given share of the legal moves, such as 0.5 for half of them."""
    return SIMPLE if share == 1.0 else f"{SIMPLE},keep={share:g},{RANKED}"


SHARE_OF = {keeping(share): share for share in SHARES}
"""the share of each selective player"""
SELECTIVE = dict(zip(SELECTION.names.values(), SHARE_OF, strict=True))
"""the players of experiment 1 by name"""


def with_upgrades(share: float) -> dict[str, str]:
    """Return a dictionary from the names of the four players of experiment 2 to their text forms.

    The players `simple` and `selective` have no quiescence search. The players `upgraded simple` and `upgraded
    selective` have one. The two selective players search only the given `share` of the legal moves.
    """
    texts = [f"{each}{upgrade}" for upgrade in ("", f",{QUIET}") for each in (SIMPLE, keeping(share))]
    return dict(zip(PLAYERS.names.values(), texts, strict=True))


def shares(evidence: Any, effort: Effort) -> RoundRobin:
    """Return experiment 1: a round robin between players that search different shares of the moves."""
    return effort.meet(SELECTIVE, 1)


def highest(evidence: Any, effort: Effort, among: Sequence[float] = SHARES) -> float:
    """Return the share of moves that the highest-scoring player of experiment 1 searches.

    Only players whose share of moves is in `among` are compared.
    """
    table = evidence.round_robin(shares(evidence, effort))
    return max(among, key=lambda share: score_of_player(table, keeping(share)).mean)


def possibly_best(evidence: Any, effort: Effort) -> list[float]:
    """Return the shares of moves that may be best in experiment 1.

    Each player of experiment 1 searches a different share of the legal moves. A share may be best if no other player
    scores significantly higher than the player with this share.
    """
    return [SHARE_OF[text] for text in may_be_best(evidence.round_robin(shares(evidence, effort)))]


def best_share(evidence: Any, effort: Effort) -> float:
    """Return the share of the legal moves that the selective players of experiment 2 search.

    The result is the best share below 1. Under a time limit, this is the share that scored best in the student
    exercise. Under a node limit, it is the share with the highest score in experiment 1 of this report.
    """
    return ORIGINAL_BEST[effort.seconds] if effort.has_clock else highest(evidence, effort, SHARES[1:])


def players(evidence: Any, effort: Effort) -> RoundRobin:
    """Return experiment 2, a round robin: full or selective search, each with and without quiescence search."""
    return effort.meet(with_upgrades(best_share(evidence, effort)), 2)


EXPERIMENTS = {"selection": shares, "players": players}
"""the functions that return the round robins of both experiments, by the names of the experiments"""


def at(experiment: str, seconds: int) -> Asked:
    """Return a function that takes the evidence of the report and returns an experiment's round robin.

    The evidence contains the saved measurements of the report. `experiment` is a key of `EXPERIMENTS`. The search limit
    of the round robin corresponds to the student exercise's time limit of `seconds` seconds.
    """
    return lambda evidence: EXPERIMENTS[experiment](evidence, effort_for(evidence, seconds))


def winners(evidence: Any, experiment: str, seconds: int, pair: tuple[str, str]) -> str:
    """Return the letters of the winners of the first games between two players in this report.

    `pair` contains the letters of the two players in the printed table of the experiment. Only games in which the first
    of these players made the first move are used. The search limit corresponds to the student exercise's time limit of
    `seconds` seconds. At most `RUNS` games are used, because the exercise plays each experiment `RUNS` times.
    """
    asked, names = at(experiment, seconds)(evidence), PRINTED[experiment].names
    one, other = (asked.players[names[letter]] for letter in pair)
    began = int(pair[0] != min(pair, key=[*names].index))
    won = evidence.round_robin(asked).crosstable[one, other].letters[began : 2 * RUNS : 2]
    return " ".join(won.translate(str.maketrans("VX", "".join(pair))))


# The other matches.

QUIET_SHARES = {"q50": "50 % quiet", "q75": "75 % quiet", "q90": "90 % quiet"}
"""thresholds of quiet moves that are quantiles, with the words for them in the names of players"""
FORMS = {"built": "quiescence search of every line", "repaired": "quiescence search of the best move only"}
"""the two forms of quiescence search, with the words for them in the names of players"""
BUILT = f"{UPGRADED}, threshold {THRESHOLD}"


def repaired(threshold: int | str, repeat: int) -> str:
    """Return the display name of a player that uses the variant `repaired` of quiescence search.

    A move is quiet if it changes the evaluation by at most `threshold`. The threshold is a number of queen moves, or
    the name of a quantile of the changes in games, such as `q75`. `repeat` is the maximum number of plies that the
    quiescence search adds.
    """
    words = QUIET_SHARES.get(str(threshold), f"threshold {threshold}")
    return f"best move only, {words}, {repeat} {'ply' if repeat == 1 else 'plies'}"


def repairs(evidence: Any) -> RoundRobin:
    """Return a round robin of selective players: one has no quiescence search, the others use two variants of it."""
    half = keeping(0.5)
    players = {SELECTIVELY: half, BUILT: f"{half},{QUIET}"}
    players[f"{UPGRADED}, {QUIET_SHARES['q75']}"] = f"{half},quiet=built,threshold=q75"
    thresholds: tuple[int | str, ...] = (THRESHOLD, *QUIET_SHARES)
    for threshold, repeat in product(thresholds, (1, 3)):
        players[repaired(threshold, repeat)] = f"{half},quiet=repaired,threshold={threshold},repeat={repeat}"
    return RoundRobin(players, Size(20, 2, 60), Limit(nodes=NODES[1].amount), seed=4)


# The strength of the search of this package, compared with these players.

SHIPPED = "search:evaluation=mix"
"""the player `search` without options"""
OURS = "search"


def evaluations(evidence: Any) -> RoundRobin:
    """Return a round robin of players that differ only in their evaluation."""
    names = ("mix", "queen-distance", "king-distance", "mobility", "zero")
    players = {each: f"search:evaluation={each}" for each in names}
    return RoundRobin(players, Size(20, 2, 100), Limit(nodes=NODES[1].amount), seed=6)


def strength(evidence: Any) -> RoundRobin:
    """Return matches of the package's player `search` against variants of itself and two players of the exercise."""
    best = best_share(evidence, effort_for(evidence, 10))
    variants = {f"{OURS}, w = {share:g}": f"{SHIPPED},keep={share:g},{RANKED}" for share in SHARES[1:]}
    variants |= {f"{OURS}, {words}": f"{SHIPPED},quiet={each},threshold=q75" for each, words in FORMS.items()}
    players = {OURS: SHIPPED} | variants | {SIMPLY: SIMPLE, f"{SELECTIVELY}, w = {best:g}": keeping(best)}
    return RoundRobin(players, Size(20, 2, 100), Limit(nodes=NODES[2].amount), seed=7, pairing="gauntlet")
