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
    gives_away,
    random_play,
    random_player,
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
RANDOM_PLAY = "random play, by the rules of the published game"
MEASURED: dict[str, tuple[Seated, ...]] = {
    "the term project's learner, by its own rules": tuple(plan.term(PROJECT, seat) for seat in BOTH),
    "the term project's learner, by those of the published game": tuple(plan.term(PUBLISHED, seat) for seat in BOTH),
    "the same with all suspects changed": tuple(suspect(plan.ALL, PUBLISHED, seat) for seat in BOTH),
    "the learner that works": tuple(working(plan.BEST, seat) for seat in BOTH),
}
"""Learners whose moves are judged, in both seats."""
EACH = [(words, learner) for words, learners in MEASURED.items() for learner in learners]


@table(
    *("the game", "seat", "random play", "untaught", "taught (alpha 1e-05)"),
    *("won, all settings", "lost, all settings"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """Games against the random player under each reading of the rules, in both seats."""
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
    *("alpha", "values move", "the middle", "it looks at", "project, first", "second"),
    *("either blocked, first", "second", "published, first", "second"),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """All settings that the term project may have had."""
    for alpha, rule, middle, depth in plan.grid():
        learners = (plan.term(game, seat, alpha, rule, middle, depth) for game in plan.RULES for seat in BOTH)
        words = f"{alpha:g}", plan.MOMENTS[rule], plan.MIDDLES[middle], plan.LOOKS[depth]
        yield [*words, *(shares(against_random(each)) for each in learners)]


@table(
    *("changed", "project's rules, first", "second", "given away, second"),
    *("published game, first", "second", "given away, first", "given away, second"),
)
def suspects(evidence: Evidence) -> Iterator[Row]:
    """The term project's learner with one thing changed, and with all; as it is, by its own move alone; random play."""
    ways = [(name, words, 2) for name, words in plan.TREATMENTS.items()]
    ways.insert(1, (plan.NOTHING, "nothing, but it looks at its own move alone, not at the reply", 1))
    for name, words, depth in ways:
        learners = [suspect(name, game, seat, depth) for game in (PROJECT, PUBLISHED) for seat in BOTH]
        yield _by_both_rules(words, learners, [against_random(each) for each in learners])
    players = [random_player(game, seat) for game in (PROJECT, PUBLISHED) for seat in BOTH]
    yield _by_both_rules("random play", players, [random_play(each.game, each.seat) for each in players])


def _by_both_rules(words: str, players: list[Seated], matches: list[Match]) -> Row:
    """Games by the project's and by the published rules, in both seats, and what is given away in three of them."""
    games, given = [shares(each) for each in matches], [gives_away(each) for each in players[1:]]
    return [words, *games[:2], given[0], *games[2:], *given[1:]]


@table("learner", "games won, first", "second", "given away a move, first", "second", "time to learn")
def learners(evidence: Evidence) -> Iterator[Row]:
    """Ways to learn, under the rules of the published game."""
    for name, words in plan.LEARNERS.items():
        both = [working(name, seat) for seat in BOTH]
        won = (of_match(against_random(each), "won") for each in both)
        seconds = usual_seconds(evidence.trainings(both[0].setting))
        yield [words, *won, *map(gives_away, both), f"{seconds:.0f} s"]


def best_learner(evidence: Evidence) -> str:
    """The way to learn whose moves give away least over the sample, both seats together."""
    return min(plan.LEARNERS, key=lambda name: sum(gives_away(working(name, seat)).mean(evidence) for seat in BOTH))


@table(
    *("the game", "seat", "random play (won / drawn / lost)", "best play against it", "of it without a fault"),
    *("any faultless play", "what the best gives away a move"),
)
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """How often random play can be beaten at all."""
    for game in (PROJECT, PUBLISHED):
        for seat, found in enumerate(truth.best_against_random(evidence, game)):
            ways = (f"{each.won:.1%}" for each in found)
            yield [plan.RULES[game], SEATS[seat], shares(random_play(game, seat)), *ways, f"{found[0].regret:.3f}"]


@table("", "seat", "against random, a move", "a game", "against perfect, a move", "a game", "sample, a move")
def moves(evidence: Evidence) -> Iterator[Row]:
    """What moves give away: in games against the random and the perfect player, and over a sample."""
    for words, each in [*((RANDOM_PLAY, random_player(PUBLISHED, seat)) for seat in BOTH), *EACH]:
        in_games = (gives_away(each, over, part) for over in ("random", "perfect") for part in ("mean", "by_game"))
        yield [words, SEATS[each.seat], *in_games, gives_away(each)]


@table("", "seat", *plan.STAGE_NAMES, "moves without a fault")
def stages(evidence: Evidence) -> Iterator[Row]:
    """What moves give away over the sample, by stage of the game."""
    for words, each in EACH:
        parts = (*plan.STAGE_NAMES, "faultless")
        yield [words, SEATS[each.seat], *(gives_away(each, truth.SAMPLE, part) for part in parts)]


@table("", "seat", "won", "drawn", "at full value")
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Games against the perfect player."""
    for words, each in EACH:
        if each.game == PUBLISHED:
            parts = ("won", "drawn", "full")
            yield [words, SEATS[each.seat], *(truth.meets_perfect(each, plan.JUDGED, part) for part in parts)]


@table("", "a", "b", "c", "d", "e")
def opening_map(evidence: Evidence) -> Iterator[Row]:
    """What the game is worth to the first player after each first move, as the board lies."""
    rules, known = evidence.rules, solved(evidence.rules)
    start = initial(rules)
    worth = {
        format_move(rules, start, move): int(known.values[find_known(rules, known, play(rules, start, move))])
        for move in legal(rules, start)
    }
    for rank in range(5, 0, -1):
        yield [str(rank), *(str(worth.get(f"{file}{rank}", "barred")) for file in "abcde")]


TABLES = (term_project, whole_grid, suspects, learners, ceilings, moves, stages, perfect, opening_map)
