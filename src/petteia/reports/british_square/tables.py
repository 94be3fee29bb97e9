"""The tables of the report on British Square.

The term project reports very many draws and no gain over random play. The table `fitting` counts the settings of the
training and of the rules with which the learner has very many draws and no gain. Each of these settings is a possible
explanation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

from petteia.core.protocol import format_move, initial, legal, play
from petteia.players.perfect import solved
from petteia.reports.british_square import plan
from petteia.reports.british_square.claims import RESULTS, decisive, fits, helps, learned, no_gain, remaining_regret
from petteia.reports.british_square.plan import COMPARED, MOVER, PLACES, PUBLISHED, READINGS, SEATS, regret, share, term
from petteia.reports.engine import truth
from petteia.reports.engine.declaration import by_answer
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import NOT_JUDGED, Rule, above, denied
from petteia.reports.engine.tables import Row, table
from petteia.reports.engine.work import duration, usual_seconds
from petteia.solver.tablebase import find_known

RANDOM = "random play"
KINDS = [
    *((RANDOM, partial(plan.random_player, game)) for game in (MOVER, PUBLISHED)),
    *(
        (f"the project's learner, search depth {depth}", partial(term, game, depth=depth))
        for depth in (2, 1)
        for game in (MOVER, PUBLISHED)
    ),
    ("the project's learner with all changes, search depth 1", partial(plan.suspect, plan.ALL, PUBLISHED)),
    ("the learner with patterns, search depth 1", partial(plan.working, plan.BEST)),
]
"""the description and the function of each kind of player whose moves are compared with perfect play"""
PLAYERS = [(words, kind(seat=seat)) for words, kind in KINDS for seat in (0, 1)]
"""these players in both seats, each with its description"""


def alpha_text(alpha: float) -> str:
    """Return the step size as a string, or `untrained` if it is 0."""
    return "untrained" if alpha == plan.UNTRAINED else f"{alpha:.0e}"


def answer(rule: Rule, evidence: Any) -> str:
    """Return whether a claim's condition is true: `yes`, `no`, `undecided`, or that there are too few training runs."""
    found = rule.judge(evidence)
    return by_answer(found.answer, "yes", "no", "undecided") if found.is_judged else NOT_JUDGED


@table(
    *("rule", "seat", "games counted", "random play", "untrained", "trained", "trained, search depth 1 in play"),
    *("gains by training", "better than random play"),
)
def gains(evidence: Evidence) -> Iterator[Row]:
    """Yield the games won or lost before and after training, and whether gains and leads over random play are clear."""
    for game, seat in PLACES:
        part, learner = decisive(game, seat), term(game, seat)
        players = plan.random_player(game, seat), term(game, seat, plan.UNTRAINED), learner, term(game, seat, depth=1)
        answers = (answer(each, evidence) for each in (learned(game, seat), denied(no_gain(learner, part))))
        yield [READINGS[game], SEATS[seat], part, *(share(each, part) for each in players), *answers]


@table(
    *("rule", "seat", "random play: won / drawn / lost", "untrained: won / drawn / lost"),
    *("trained: won / drawn / lost", "won: range over all trained settings", "lost: range over all trained settings"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """Yield the results of random play and of the learner against random play, by end-of-game rule and seat."""
    for game, seat in PLACES:
        players = plan.random_player(game, seat), term(game, seat, plan.UNTRAINED), term(game, seat)
        trained = [term(game, seat, *each) for each in plan.TRAINED]
        means = [[share(each, part).mean(evidence) for each in trained] for part in RESULTS]
        extents = (" to ".join(dict.fromkeys((f"{min(each):.0%}", f"{max(each):.0%}"))) for each in means)
        yield [READINGS[game], SEATS[seat], *map(plan.shares, players), *extents]


@table(
    *("alpha", "update", "the middle", "search depth in play"),
    *(f"{plan.player_of(*each)}: won / drawn / lost" for each in PLACES),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each combination of settings: the games won, drawn and lost by the learner.

    The rows are all combinations of settings that the student's term project may have used. Each pair of end-of-game
    rule and seat has its own column.
    """
    for alpha, rule, middle, depth in plan.CHOICES:
        words = alpha_text(alpha), plan.MOMENTS[rule] if alpha else "", plan.MIDDLES[middle], str(depth)
        yield [*words, *(plan.shares(term(*place, alpha, rule, middle, depth)) for place in PLACES)]


@table(
    *("rule", "seat", "alpha"),
    *("settings with both results, only wins counted", "settings with both results, wins and losses counted"),
)
def fitting(evidence: Evidence) -> Iterator[Row]:
    """Yield the numbers of settings with very many draws and no gain, for each end-of-game rule, seat and step size.

    A row has two numbers of settings. For the first number, only more wins count as a gain. For the second, fewer
    losses also count as a gain. Rows in which both numbers are certainly 0 are left out.
    """
    for (game, seat), alpha in product(PLACES, (plan.UNTRAINED, *plan.ALPHAS)):
        group = [term(game, seat, *each) for each in plan.CHOICES if each[0] == alpha]
        ways = [counts((fits(each, parts) for each in group), evidence) for parts in (RESULTS[:1], RESULTS)]
        if any(each != f"0 of {len(group)}" for each in ways):
            yield [READINGS[game], SEATS[seat], alpha_text(alpha), *ways]


def without_gain(evidence: Evidence) -> str:
    """Return the number of settings in which a trained program does not win clearly more games than random play.

    All games are played by the rules of the published game.
    """
    learners = (term(PUBLISHED, seat, *each) for seat in (0, 1) for each in plan.TRAINED)
    return counts((no_gain(each, "won") for each in learners), evidence)


def counts(rules: Iterable[Rule], evidence: Evidence) -> str:
    """Return how many of the conditions `rules` are true, such as `4 of 8 (1 undecided)`."""
    found = [each.judge(evidence) for each in rules]
    if not all(each.is_judged for each in found):
        return NOT_JUDGED
    answers = [each.answer for each in found]
    unclear = f" ({answers.count(None)} undecided)" if None in answers else ""
    return f"{answers.count(True)} of {len(answers)}{unclear}"


@table(
    "change", *(f"{plan.player_of(*each)}: {what}" for each in COMPARED for what in ("won / drawn / lost", "regret"))
)
def suspects(evidence: Evidence) -> Iterator[Row]:
    """Yield the results and the regret of the learner with each change to its training, and of random play."""
    rows = {
        "no change": [term(*each) for each in COMPARED],
        "no change, search depth 1 in play": [term(*each, depth=1) for each in COMPARED],
        "no change, alpha 1e-04": [term(*each, plan.ALPHAS[-1]) for each in COMPARED],
        **{words: [plan.suspect(name, *each) for each in COMPARED] for name, words in plan.CHANGES.items()},
        "random play": [plan.random_player(*each) for each in COMPARED],
    }
    for words, players in rows.items():
        yield [words, *(part for each in players for part in (plan.shares(each), regret(each)))]


@table("change", *(plan.player_of(*each) for each in COMPARED))
def ratios(evidence: Evidence) -> Iterator[Row]:
    """Yield the regret with each change to the training, divided by the regret of the unchanged learner."""
    for name, words in plan.COMPARISONS.items():
        yield [words, *(remaining_regret(name, *each) for each in COMPARED)]


def helping(changes: Iterable[str], evidence: Any) -> list[Row]:
    """Return a row for each change to the training: whether it helps, for each end-of-game rule and seat."""
    return [[plan.CHANGES[name], *(answer(helps(name, *each), evidence) for each in COMPARED)] for name in changes]


@table(
    *("learner", "games won as first player", "games won as second player"),
    *(f"regret at search depth {depth} as {seat} player" for depth in plan.DEPTHS for seat in SEATS),
    "training time",
)
def learners(evidence: Evidence) -> Iterator[Row]:
    """Yield the games won and the regret of the learners that learn both sides of the published game."""
    for name, words in plan.LEARNERS.items():
        both = [plan.working(name, seat) for seat in (0, 1)]
        ahead = [regret(plan.working(name, seat, 2)) for seat in (0, 1)]
        time = duration(usual_seconds(evidence.trainings(both[0].setting)))
        yield [words, *(share(each, "won") for each in both), *map(regret, both), *ahead, time]


def are_alike(evidence: Evidence) -> bool:
    """Return whether all learners with features of stones and open squares have the same regret at search depth 1."""
    names = [name for name in plan.LEARNERS if name.startswith("territory")]
    return all(len({regret(plan.working(name, seat)).mean(evidence) for name in names}) == 1 for seat in (0, 1))


def most_harmful(changes: Iterable[str], evidence: Any) -> list[tuple[str, str, str, Figure]]:
    """Return the change to the training that raises the regret most, for each end-of-game rule and seat.

    The last value of a row is the regret with the change, divided by the regret of the unchanged learner. If no change
    certainly raises the regret for a rule and seat, they have no row.
    """
    found = []
    for game, seat in COMPARED:
        every = ((plan.CHANGES[name], remaining_regret(name, game, seat)) for name in changes)
        raised = [(words, each) for words, each in every if above(each, 1.0).judge(evidence).answer]
        if raised:
            found.append((READINGS[game], SEATS[seat], *max(raised, key=lambda each: each[1].mean(evidence))))
    return found


@table("rule", "seat", "random play: won / drawn / lost", "won by the best response", "won by the best perfect play")
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """The largest shares of games that can be won against random play."""
    for game, seat in COMPARED:
        best, faultless = truth.best_against_random(evidence, game)[seat][:2]
        random = plan.shares(plan.random_player(game, seat))
        yield [READINGS[game], SEATS[seat], random, f"{best.won:.1%}", f"{faultless.won:.1%}"]


@table(
    *("player", "rule", "seat", "regret per move against random play", "regret per move against the perfect player"),
    *("regret per move over the sample", "moves without regret over the sample"),
)
def moves(evidence: Evidence) -> Iterator[Row]:
    """Yield each player's regret in games against random play and the perfect player, and in sampled positions."""
    for words, each in PLAYERS:
        mean = (regret(each, over) for over in ("random", truth.PERFECT, truth.SAMPLE))
        yield [words, READINGS[each.game], SEATS[each.seat], *mean, regret(each, truth.SAMPLE, "faultless")]


@table(
    *("player", "seat", "mean margin against random play", "mean margin against the perfect player"),
    *(f"{games} against the perfect player" for games in ("games won", "games drawn", "games that reach the value")),
)
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Mean margins of the learners, and their results in games against the perfect player."""
    for words, each in PLAYERS:
        if each.game == PUBLISHED and words != RANDOM:
            results = (truth.meets_perfect(each, plan.JUDGED, part) for part in ("won", "drawn", "full"))
            yield [words, SEATS[each.seat], plan.margin(each, "random"), plan.margin(each, truth.PERFECT), *results]


@table("rank", "a", "b", "c", "d", "e")
def opening_map(evidence: Evidence) -> Iterator[Row]:
    """Yield the rows of the board, with the value of each first move for the first player."""
    rules, known = evidence.rules, solved(evidence.rules)
    start = initial(rules)
    values = {
        format_move(rules, start, move): int(known.values[find_known(rules, known, play(rules, start, move))])
        for move in legal(rules, start)
    }
    for rank in range(5, 0, -1):
        yield [str(rank), *(str(values.get(f"{file}{rank}", "forbidden")) for file in "abcde")]


TABLES = (gains, term_project, fitting, whole_grid, suspects, ratios, learners, ceilings, moves, perfect, opening_map)
