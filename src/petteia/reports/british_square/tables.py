"""The tables of the page."""

from __future__ import annotations

from collections.abc import Iterator

from petteia.core.protocol import format_move, initial, legal, play
from petteia.players.perfect import solved
from petteia.reports.british_square import plan
from petteia.reports.british_square.plan import (
    PROJECT,
    PUBLISHED,
    SEATS,
    against_random,
    random_play,
    random_player,
    regret,
    suspect,
    working,
)
from petteia.reports.engine import truth
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.measures import of_match, shares
from petteia.reports.engine.settings import Match, Seated
from petteia.reports.engine.tables import Row, table
from petteia.reports.engine.work import usual_seconds
from petteia.solver.tablebase import find_known

BOTH = range(len(SEATS))
RANDOM_PLAY = "random play, by the published rules"
ALONE = ", search depth 1"
MEASURED: dict[str, tuple[Seated, ...]] = {
    f"the project's learner, {by}{words}": tuple(plan.term(game, seat, depth=depth) for seat in BOTH)
    for game, by in ((PROJECT, "by its own rules"), (PUBLISHED, "by the published rules"))
    for depth, words in ((2, ""), (1, ALONE))
} | {
    f"the project's learner with all changes, by the published rules{ALONE}": tuple(
        suspect(plan.ALL, PUBLISHED, seat) for seat in BOTH
    ),
    f"the strong learner{ALONE}": tuple(working(plan.BEST, seat) for seat in BOTH),
}
"""learners whose regret is measured, in both seats"""
EACH = [(words, learner) for words, learners in MEASURED.items() for learner in learners]


@table(
    *("the game", "seat", "random play", "untrained", "trained (alpha 1e-05)"),
    *("won, all settings", "lost, all settings"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """The results against random play by each reading of the rules, in both seats."""
    for game, words in plan.RULES.items():
        for seat in BOTH:
            learned = [shares(against_random(plan.term(game, seat, *each))) for each in plan.grid()]
            won, _, lost = zip(*([figure.mean(evidence) for figure in each] for each in learned), strict=True)
            matches = (
                random_play(game, seat),
                *(against_random(plan.term(game, seat, a)) for a in (0.0, plan.ALPHA)),
            )
            extents = (f"{min(each):.0%} to {max(each):.0%}" for each in (won, lost))
            yield [words, SEATS[seat], *map(shares, matches), *extents]


@table(
    *("alpha", "update", "the middle", "search", "project, first", "second"),
    *("either blocked, first", "second", "published, first", "second"),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """Results of all settings that the term project may have had."""
    for alpha, rule, middle, depth in plan.grid():
        learners = (plan.term(game, seat, alpha, rule, middle, depth) for game in plan.RULES for seat in BOTH)
        words = f"{alpha:g}", plan.MOMENTS[rule], plan.MIDDLES[middle], plan.LOOKS[depth]
        yield [*words, *(shares(against_random(each)) for each in learners)]


@table(
    *("change", "project's rules, first", "second", "regret, second"),
    *("published game, first", "second", "regret, first", "regret, second"),
)
def suspects(evidence: Evidence) -> Iterator[Row]:
    """Results and regret of the term project's learner with each change, and of random play."""
    ways = [(name, words, 2) for name, words in plan.TREATMENTS.items()]
    ways.insert(1, (plan.NOTHING, f"nothing{ALONE}", 1))
    for name, words, depth in ways:
        learners = [suspect(name, game, seat, depth) for game in (PROJECT, PUBLISHED) for seat in BOTH]
        yield _by_both_rules(words, learners, [against_random(each) for each in learners])
    players = [random_player(game, seat) for game in (PROJECT, PUBLISHED) for seat in BOTH]
    yield _by_both_rules("random play", players, [random_play(each.game, each.seat) for each in players])


def _by_both_rules(words: str, players: list[Seated], matches: list[Match]) -> Row:
    """Return a row: results by both rules in both seats, and the regret in three of the four."""
    games, regrets = [shares(each) for each in matches], [regret(each) for each in players[1:]]
    return [words, *games[:2], regrets[0], *games[2:], *regrets[1:]]


@table("learner", "games won, first", "second", "regret, first", "second", "training time")
def learners(evidence: Evidence) -> Iterator[Row]:
    """Results and regret of the stronger learners, by the published rules."""
    for name, words in plan.LEARNERS.items():
        both = [working(name, seat) for seat in BOTH]
        won = (of_match(against_random(each), "won") for each in both)
        seconds = usual_seconds(evidence.trainings(both[0].setting))
        yield [words, *won, *map(regret, both), f"{seconds:.0f} s"]


def best_learner(evidence: Evidence) -> str:
    """Return the treatment with the lowest regret over the sample, summed over both seats."""
    return min(plan.LEARNERS, key=lambda name: sum(regret(working(name, seat)).mean(evidence) for seat in BOTH))


def learners_with_same_regret(evidence: Evidence) -> int:
    """Return the size of the largest group of learners with the same regret over the sample in both seats."""
    pairs = [tuple(regret(working(name, seat)).mean(evidence) for seat in BOTH) for name in plan.LEARNERS]
    return max(map(pairs.count, pairs))


@table(
    *("the game", "seat", "random play (won / drawn / lost)", "best response", "best perfect play"),
    *("random perfect play", "regret of the best response"),
)
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """The largest shares of games that can be won against random play."""
    for game in (PROJECT, PUBLISHED):
        for seat, found in enumerate(truth.best_against_random(evidence, game)):
            ways = (f"{each.won:.1%}" for each in found)
            yield [plan.RULES[game], SEATS[seat], shares(random_play(game, seat)), *ways, f"{found[0].regret:.3f}"]


@table("", "seat", "against random, per move", "per game", "against perfect, per move", "per game", "sample, per move")
def moves(evidence: Evidence) -> Iterator[Row]:
    """Regret in games against the random and the perfect player, and over the sample."""
    for words, each in [*((RANDOM_PLAY, random_player(PUBLISHED, seat)) for seat in BOTH), *EACH]:
        in_games = (regret(each, over, part) for over in ("random", "perfect") for part in ("mean", "by_game"))
        yield [words, SEATS[each.seat], *in_games, regret(each)]


@table("", "seat", *plan.STAGE_NAMES, "perfect moves")
def stages(evidence: Evidence) -> Iterator[Row]:
    """Regret over the sample by stage of the game."""
    for words, each in EACH:
        parts = (*plan.STAGE_NAMES, "faultless")
        yield [words, SEATS[each.seat], *(regret(each, truth.SAMPLE, part) for part in parts)]


@table("", "seat", "won", "drawn", "at least the value")
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Results against the perfect player."""
    for words, each in EACH:
        if each.game == PUBLISHED:
            parts = ("won", "drawn", "full")
            yield [words, SEATS[each.seat], *(truth.meets_perfect(each, plan.JUDGED, part) for part in parts)]


@table("", "a", "b", "c", "d", "e")
def opening_map(evidence: Evidence) -> Iterator[Row]:
    """The value of the game for the first player after each first move, arranged like the board."""
    rules, known = evidence.rules, solved(evidence.rules)
    start = initial(rules)
    values = {
        format_move(rules, start, move): int(known.values[find_known(rules, known, play(rules, start, move))])
        for move in legal(rules, start)
    }
    for rank in range(5, 0, -1):
        yield [str(rank), *(str(values.get(f"{file}{rank}", "barred")) for file in "abcde")]


TABLES = (term_project, whole_grid, suspects, learners, ceilings, moves, stages, perfect, opening_map)
