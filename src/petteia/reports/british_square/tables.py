"""The tables of the page."""

from __future__ import annotations

from collections.abc import Iterator

from petteia.core.protocol import format_move, initial, legal, play
from petteia.players.perfect import solved
from petteia.reports.british_square.plan import (
    ALL,
    BEST,
    LEARNERS,
    LOOKS,
    MIDDLES,
    MOMENTS,
    NOTHING,
    PROJECT,
    PUBLISHED,
    RULES,
    SEATS,
    TREATMENTS,
    Learner,
    grid,
    of_grid,
    random_play,
    suspect,
    term,
    working,
)
from petteia.reports.british_square.truth import (
    JUDGED,
    PERFECT,
    POSITIONS,
    RANDOM,
    SAMPLE,
    STAGE_NAMES,
    best_against_random,
    by_game,
    given_away,
    gives_away,
    meets_perfect,
)
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.measures import Part, of_match, shares
from petteia.reports.engine.tables import Row, table
from petteia.reports.engine.work import usual_seconds
from petteia.solver.tablebase import find_known

BOTH = (0, 1)
MEASURED: dict[str, tuple[Learner, Learner]] = {
    "the term project's learner, by its own rules": (term(PROJECT, 0), term(PROJECT, 1)),
    "the term project's learner, by those of the published game": (term(PUBLISHED, 0), term(PUBLISHED, 1)),
    "the same with all suspects changed": (suspect(ALL, PUBLISHED, 0), suspect(ALL, PUBLISHED, 1)),
    "the learner that works": (working(BEST, 0), working(BEST, 1)),
}
"""Learners whose moves are judged, in both seats."""


@table(
    *("the game", "seat", "random play", "untaught", "taught (alpha 1e-05)"),
    *("won, all settings", "lost, all settings"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """Games against the random player under each reading of the rules, in both seats."""
    for game, words in RULES.items():
        for seat in BOTH:
            learned = [of_grid(game, seat, *each).against_random for each in grid()]
            parts: tuple[Part, Part] = ("won", "lost")
            means = [[of_match(each, part).mean(evidence) for each in learned] for part in parts]
            of = (random_play(game, seat), term(game, seat, 0.0).against_random, term(game, seat).against_random)
            extent = (f"{min(each):.0%} to {max(each):.0%}" for each in means)
            yield [words, SEATS[seat], *map(shares, of), *extent]


@table(
    *("alpha", "values move", "the middle", "it looks at", "project, first", "second"),
    *("either blocked, first", "second", "published, first", "second"),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """All settings that the term project may have had."""
    for each in grid():
        alpha, rule, middle, depth = each
        found = (shares(of_grid(game, seat, *each).against_random) for game in RULES for seat in BOTH)
        yield [f"{alpha:g}", MOMENTS[rule], MIDDLES[middle], LOOKS[depth], *found]


@table("changed", "project's rules, first", "second", "published game, first", "second", "given away, first", "second")
def suspects(evidence: Evidence) -> Iterator[Row]:
    """The term project's learner with one thing changed, and with all; and as it is, looking at its own move alone."""
    ways = [(name, words, 2) for name, words in TREATMENTS.items()]
    ways.insert(1, (NOTHING, "nothing, but it looks at its own move alone, not at the reply", 1))
    for name, words, depth in ways:
        project, published = ([suspect(name, game, seat).at(depth) for seat in BOTH] for game in (PROJECT, PUBLISHED))
        away = (gives_away(each, SAMPLE) for each in published)
        yield [words, *(shares(each.against_random) for each in (*project, *published)), *away]


@table("learner", "games won, first", "second", "given away a move, first", "second", "time to learn")
def learners(evidence: Evidence) -> Iterator[Row]:
    """Ways to learn, under the rules of the published game."""
    for name, words in LEARNERS.items():
        of = [working(name, seat) for seat in BOTH]
        won, away = (of_match(each.against_random, "won") for each in of), (gives_away(each, SAMPLE) for each in of)
        yield [words, *won, *away, f"{usual_seconds(evidence.trainings(of[0].setting)):.0f} s"]


def best_learner(evidence: Evidence) -> str:
    """The way to learn whose moves give away least over the sample, both seats together."""
    return min(LEARNERS, key=lambda name: sum(gives_away(working(name, s), SAMPLE).mean(evidence) for s in BOTH))


@table(
    *("the game", "seat", "random play (won / drawn / lost)", "best play against it", "of it without a fault"),
    *("any faultless play", "what the best gives away a move"),
)
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """How often random play can be beaten at all."""
    for game in (PROJECT, PUBLISHED):
        for seat in BOTH:
            found = best_against_random(evidence, game)[seat]
            ways = (f"{each.won:.1%}" for each in found)
            yield [RULES[game], SEATS[seat], shares(random_play(game, seat)), *ways, f"{found[0].regret:.3f}"]


@table("", "seat", "against random, a move", "a game", "against perfect, a move", "a game", "sample, a move")
def moves(evidence: Evidence) -> Iterator[Row]:
    """What moves give away: in games against the random and the perfect player, and over a sample."""
    sizes = {RANDOM: JUDGED, PERFECT: JUDGED, SAMPLE: POSITIONS}
    for seat in BOTH:
        random, perfect, sample = (
            given_away(evidence, "random", PUBLISHED, seat, over, evidence.size(size)) for over, size in sizes.items()
        )
        in_games = (text for each in (random, perfect) for text in (f"{each.mean:.3f}", f"{each.by_game:.2f}"))
        yield ["random play, by the rules of the published game", SEATS[seat], *in_games, f"{sample.mean:.3f}"]
    for words, of in MEASURED.items():
        for each in of:
            found = (measure(each, other) for other in (RANDOM, PERFECT) for measure in (gives_away, by_game))
            yield [words, SEATS[each.seat], *found, gives_away(each, SAMPLE)]


@table("", "seat", *STAGE_NAMES, "moves without a fault")
def stages(evidence: Evidence) -> Iterator[Row]:
    """What moves give away over the sample, by stage of the game."""
    for words, of in MEASURED.items():
        for each in of:
            found = (gives_away(each, SAMPLE, stage) for stage in STAGE_NAMES)
            faultless = gives_away(each, SAMPLE, "faultless", "the share of moves that give nothing away")
            yield [words, SEATS[each.seat], *found, faultless]


@table("", "seat", "won", "drawn", "at full value")
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Games against the perfect player."""
    for words, of in MEASURED.items():
        for each in of if of[0].game == PUBLISHED else ():
            yield [words, SEATS[each.seat], *(meets_perfect(each, part) for part in ("won", "drawn", "full"))]


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
