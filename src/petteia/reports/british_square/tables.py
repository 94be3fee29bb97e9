"""The tables of the report on British Square."""

from __future__ import annotations

from collections.abc import Iterator

from petteia.core.protocol import format_move, initial, legal, play
from petteia.players.perfect import solved
from petteia.reports.british_square import plan
from petteia.reports.british_square.claims import BOTH_SEATS
from petteia.reports.british_square.explanations import fitting, words_of_alpha
from petteia.reports.british_square.plan import (
    MOVER,
    PUBLISHED,
    READINGS,
    SEATS,
    against_random,
    random_play,
    random_player,
    regret,
    shares,
    suspect,
    working,
)
from petteia.reports.engine import truth
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.measures import of_match
from petteia.reports.engine.settings import Seated
from petteia.reports.engine.tables import Row, table
from petteia.reports.engine.work import usual_seconds
from petteia.solver.tablebase import find_known

ALONE = ", search depth 1"
MEASURED: dict[str, tuple[Seated, ...]] = {
    f"the project's learner, {READINGS[game]}{words}": tuple(plan.term(game, seat, depth=depth) for seat in BOTH_SEATS)
    for game in (MOVER, PUBLISHED)
    for depth, words in ((2, ""), (1, ALONE))
} | {
    f"the project's learner with all changes, {READINGS[PUBLISHED]}{ALONE}": tuple(
        suspect(plan.ALL, PUBLISHED, seat) for seat in BOTH_SEATS
    ),
    f"the strong learner{ALONE}": tuple(working(plan.BEST, seat) for seat in BOTH_SEATS),
}
"""learners whose regret is measured, in both seats"""
PLACES = [(game, seat) for game in (MOVER, PUBLISHED) for seat in BOTH_SEATS]
"""the readings and seats in which changes are compared"""
EACH = [(words, learner) for words, learners in MEASURED.items() for learner in learners]


@table(
    *("the game ends", "seat", "random play: won / drawn / lost", "untrained: won / drawn / lost"),
    *("trained (alpha 1e-05): won / drawn / lost", "won, lowest to highest setting", "lost, lowest to highest setting"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """Yield the results against random play for each interpretation of the rules, in both seats."""
    for game, words in READINGS.items():
        for seat in BOTH_SEATS:
            learned = [shares(against_random(plan.term(game, seat, *each))) for each in plan.grid()]
            won, _, lost = zip(*([figure.mean(evidence) for figure in each] for each in learned), strict=True)
            matches = (
                random_play(game, seat),
                *(against_random(plan.term(game, seat, a)) for a in (plan.UNTRAINED, plan.ALPHA)),
            )
            extents = (_extent(min(each), max(each)) for each in (won, lost))
            yield [words, SEATS[seat], *map(shares, matches), *extents]


@table(
    *("alpha", "update", "the middle", "search depth in play"),
    *(f"{words}, {seat}: won / drawn / lost" for words in READINGS.values() for seat in SEATS),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """Results of all settings that the term project may have used."""
    for alpha, rule, middle, depth in (*plan.untrained(), *plan.grid()):
        learners = (plan.term(game, seat, alpha, rule, middle, depth) for game in READINGS for seat in BOTH_SEATS)
        words = words_of_alpha(alpha), plan.MOMENTS[rule] if alpha else "", plan.MIDDLES[middle], str(depth)
        yield [*words, *(shares(against_random(each)) for each in learners)]


@table(
    *(
        "change",
        "mover blocked: won / drawn / lost, first",
        "mover blocked: won / drawn / lost, second",
        "mover blocked: regret, first",
        "mover blocked: regret, second",
    ),
    *("both blocked: won / drawn / lost, first", "both blocked: won / drawn / lost, second"),
    *("both blocked: regret, first", "both blocked: regret, second"),
)
def suspects(evidence: Evidence) -> Iterator[Row]:
    """Yield the results and the regret of the term project's learner with each change, and of random play."""
    ways = [(name, words, 2) for name, words in plan.TREATMENTS.items()]
    ways.insert(1, (plan.NOTHING, f"no change{ALONE}", 1))
    rows = {words: [suspect(name, *place, depth) for place in PLACES] for name, words, depth in ways}
    for words, players in (rows | {"random play": [random_player(*place) for place in PLACES]}).items():
        games, regrets = [shares(against_random(each)) for each in players], [regret(each) for each in players]
        yield [words, *games[:2], *regrets[:2], *games[2:], *regrets[2:]]


@table(
    *("learner", "games won as first", "games won as second", "regret as first", "regret as second"),
    *("regret at search depth 2 as first", "regret at search depth 2 as second", "training time"),
)
def learners(evidence: Evidence) -> Iterator[Row]:
    """Results and regret of the learners of both sides under the rules of the published game."""
    for name, words in plan.LEARNERS.items():
        both = [working(name, seat) for seat in BOTH_SEATS]
        won = (of_match(against_random(each), "won") for each in both)
        seconds = usual_seconds(evidence.trainings(both[0].setting))
        ahead = (regret(working(name, seat, 2)) for seat in BOTH_SEATS)
        yield [words, *won, *map(regret, both), *ahead, f"{seconds:.0f} s"]


def _extent(low: float, high: float) -> str:
    ends = dict.fromkeys((f"{low:.0%}", f"{high:.0%}"))
    return " to ".join(ends)


def are_alike(evidence: Evidence) -> bool:
    """Return whether all learners with features of stones and open squares have the same regret at depth 1."""
    names = [name for name in plan.LEARNERS if name.startswith("territory")]
    return len({tuple(regret(working(name, seat)).mean(evidence) for seat in BOTH_SEATS) for name in names}) == 1


@table(
    "the game ends",
    "seat",
    "random play: won / drawn / lost",
    "won by the best response",
    "won by the best perfect play",
)
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """The largest shares of games that can be won against random play."""
    for game in (MOVER, PUBLISHED):
        for seat, found in enumerate(truth.best_against_random(evidence, game)):
            ways = (f"{each.won:.1%}" for each in found[:2])
            yield [READINGS[game], SEATS[seat], shares(random_play(game, seat)), *ways]


@table(
    *("player", "seat", "against random play, per move", "against random play, per game"),
    *("against the perfect player, per move", "against the perfect player, per game", "over the sample, per move"),
)
def moves(evidence: Evidence) -> Iterator[Row]:
    """Yield the regret of each player against the random and the perfect player, and over sampled positions."""
    players = [(f"random play, {READINGS[game]}", random_player(game, seat)) for game, seat in PLACES]
    for words, each in [*players, *EACH]:
        in_games = (regret(each, over, part) for over in ("random", "perfect") for part in ("mean", "by_game"))
        yield [words, SEATS[each.seat], *in_games, regret(each)]


@table("player", "seat", *plan.STAGE_NAMES, "moves without regret")
def stages(evidence: Evidence) -> Iterator[Row]:
    """Regret of the learners over the sample, by stage of the game."""
    for words, each in EACH:
        parts = (*plan.STAGE_NAMES, "faultless")
        yield [words, SEATS[each.seat], *(regret(each, truth.SAMPLE, part) for part in parts)]


@table("player", "seat", "games won", "games drawn", "games with a margin of at least the value of the game")
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Results of the learners in games against the perfect player."""
    for words, each in EACH:
        if each.game == PUBLISHED:
            parts = ("won", "drawn", "full")
            yield [words, SEATS[each.seat], *(truth.meets_perfect(each, plan.JUDGED, part) for part in parts)]


@table("rank", "a", "b", "c", "d", "e")
def opening_map(evidence: Evidence) -> Iterator[Row]:
    """The value of the game for the first player after each first move, arranged like the board."""
    rules, known = evidence.rules, solved(evidence.rules)
    start = initial(rules)
    values = {
        format_move(rules, start, move): int(known.values[find_known(rules, known, play(rules, start, move))])
        for move in legal(rules, start)
    }
    for rank in range(5, 0, -1):
        yield [str(rank), *(str(values.get(f"{file}{rank}", "forbidden")) for file in "abcde")]


TABLES = (term_project, fitting, whole_grid, suspects, learners, ceilings, moves, stages, perfect, opening_map)
