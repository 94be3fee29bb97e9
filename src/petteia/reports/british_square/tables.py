"""The tables of the report on British Square.

The table `fitting` counts the settings in which both results of the project hold: very many draws, and no gain over
random play. Each such setting is a possible explanation of the project's results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from petteia.core.protocol import format_move, initial, legal, play
from petteia.players.perfect import solved
from petteia.reports.british_square import plan
from petteia.reports.british_square.claims import RESULTS, decisive, fits, learned, no_gain, remaining_regret
from petteia.reports.british_square.plan import COMPARED, PLACES, PUBLISHED, READINGS, SEATS, regret, share, term
from petteia.reports.engine import truth
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.measures import Part
from petteia.reports.engine.page import by_answer
from petteia.reports.engine.rules import NOT_JUDGED, Rule, above, denied
from petteia.reports.engine.tables import Row, table
from petteia.reports.engine.work import duration, usual_seconds
from petteia.solver.tablebase import find_known

LEARNED = [
    *(
        (f"the project's learner, {READINGS[game]}{words}", term(game, seat, depth=depth))
        for depth, words in ((2, ""), (1, ", search depth 1"))
        for game, seat in COMPARED
    ),
    *(
        ("the project's learner, all changes, search depth 1", plan.suspect(plan.ALL, PUBLISHED, seat))
        for seat in (0, 1)
    ),
    *(("the learner with patterns, search depth 1", plan.working(plan.BEST, seat)) for seat in (0, 1)),
]
"""learners whose moves are compared with perfect play, with their words"""


def alpha_text(alpha: float) -> str:
    """Return the step size as text."""
    return "untrained" if alpha == plan.UNTRAINED else f"{alpha:.0e}"


@table(
    *("the rule", "seat", "share of games", "random play", "untrained", "trained", "trained, search depth 1 in play"),
    *("gains by training", "better than random play"),
)
def gains(evidence: Evidence) -> Iterator[Row]:
    """Yield the decisive share of games of random play and of the learner, and whether the learner gains."""
    for game, seat in PLACES:
        part, learner = decisive(game, seat), term(game, seat)
        players = plan.random_player(game, seat), term(game, seat, plan.UNTRAINED), learner, term(game, seat, depth=1)
        found = [each.judge(evidence) for each in (learned(game, seat), denied(no_gain(learner, part)))]
        answers = (by_answer(each.answer, "yes", "no", "undecided") if each.is_judged else NOT_JUDGED for each in found)
        yield [READINGS[game], SEATS[seat], part, *(share(each, part) for each in players), *answers]


@table(
    *("the rule", "seat", "random play: won / drawn / lost", "untrained: won / drawn / lost"),
    *("trained (alpha 1e-05): won / drawn / lost", "won, lowest to highest setting", "lost, lowest to highest setting"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """Yield the results against random play for each reading of the rules, in both seats."""
    for game, seat in PLACES:
        players = plan.random_player(game, seat), term(game, seat, plan.UNTRAINED), term(game, seat)
        trained = [term(game, seat, *each) for each in plan.CHOICES if each[0] != plan.UNTRAINED]
        means = [[share(each, part).mean(evidence) for each in trained] for part in RESULTS]
        extents = (" to ".join(dict.fromkeys((f"{min(each):.0%}", f"{max(each):.0%}"))) for each in means)
        yield [READINGS[game], SEATS[seat], *map(plan.shares, players), *extents]


@table(
    *("alpha", "update", "the middle", "search depth in play"),
    *(f"{READINGS[game]}, {SEATS[seat]}: won / drawn / lost" for game, seat in PLACES),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """Results of all settings that the term project may have used."""
    for alpha, rule, middle, depth in plan.CHOICES:
        words = alpha_text(alpha), plan.MOMENTS[rule] if alpha else "", plan.MIDDLES[middle], str(depth)
        yield [*words, *(plan.shares(term(*place, alpha, rule, middle, depth)) for place in PLACES)]


@table(
    *("the rule", "seat", "alpha"),
    *("settings with both results, if only wins are counted", "settings with both results, if losses count, too"),
)
def fitting(evidence: Evidence) -> Iterator[Row]:
    """Yield the number of settings with both results, for each group in which at least one setting can have them."""
    counted: tuple[tuple[Part, ...], ...] = RESULTS[:1], RESULTS
    for (game, seat), alpha in product(PLACES, (plan.UNTRAINED, *plan.ALPHAS)):
        group = [term(game, seat, *each) for each in plan.CHOICES if each[0] == alpha]
        ways = [counts((fits(each, parts) for each in group), evidence) for parts in counted]
        if any(each != f"0 of {len(group)}" for each in ways):
            yield [READINGS[game], SEATS[seat], alpha_text(alpha), *ways]


def without_gain(evidence: Evidence) -> str:
    """Return the number of settings of the published game in which a trained program shows no gain in games won."""
    trained = [each for each in plan.CHOICES if each[0] != plan.UNTRAINED]
    learners = (term(PUBLISHED, seat, *each) for seat in (0, 1) for each in trained)
    return counts((no_gain(each, "won") for each in learners), evidence)


def counts(rules: Iterable[Rule], evidence: Evidence) -> str:
    """Return in words how many rules are true, of how many."""
    found = [each.judge(evidence) for each in rules]
    if not all(each.is_judged for each in found):
        return NOT_JUDGED
    answers = [each.answer for each in found]
    unclear = f" ({answers.count(None)} undecided)" if None in answers else ""
    return f"{answers.count(True)} of {len(answers)}{unclear}"


@table(
    "change",
    *(
        f"{words}: {what}, {seat}"
        for words in ("mover blocked", "both blocked")
        for what in ("won / drawn / lost", "regret")
        for seat in SEATS
    ),
)
def suspects(evidence: Evidence) -> Iterator[Row]:
    """Yield the results and the regret of the term project's learner with each change, and of random play."""
    rows = {
        "no change": [term(*each) for each in COMPARED],
        "no change, search depth 1 in play": [term(*each, depth=1) for each in COMPARED],
        "no change, alpha 1e-04": [term(*each, plan.ALPHAS[-1]) for each in COMPARED],
        **{words: [plan.suspect(name, *each) for each in COMPARED] for name, words in plan.CHANGES.items()},
        "random play": [plan.random_player(*each) for each in COMPARED],
    }
    for words, players in rows.items():
        games, regrets = [*map(plan.shares, players)], [*map(regret, players)]
        yield [words, *games[:2], *regrets[:2], *games[2:], *regrets[2:]]


@table(
    *("learner", "games won as first", "games won as second", "regret as first", "regret as second"),
    *("regret at search depth 2 as first", "regret at search depth 2 as second", "training time"),
)
def learners(evidence: Evidence) -> Iterator[Row]:
    """Results and regret of the learners of both sides under the rules of the published game."""
    for name, words in plan.LEARNERS.items():
        both = [plan.working(name, seat) for seat in (0, 1)]
        ahead = [regret(plan.working(name, seat, 2)) for seat in (0, 1)]
        time = duration(usual_seconds(evidence.trainings(both[0].setting)))
        yield [words, *(share(each, "won") for each in both), *map(regret, both), *ahead, time]


def are_alike(evidence: Evidence) -> bool:
    """Return whether all learners with features of stones and open squares have the same regret at depth 1."""
    names = [name for name in plan.LEARNERS if name.startswith("territory")]
    return all(len({regret(plan.working(name, seat)).mean(evidence) for name in names}) == 1 for seat in (0, 1))


def most_harmful(changes: Iterable[str], evidence: Any) -> list[tuple[str, str, str, Figure]]:
    """Return the change that raises the regret most, for each reading and seat in which a change certainly raises it.

    Each result consists of the words of the reading, the seat and the change, and of the ratio of the regrets.
    """
    found = []
    for game, seat in COMPARED:
        ratios = {name: remaining_regret(name, game, seat) for name in changes}
        raised = [name for name, each in ratios.items() if above(each, 1.0).judge(evidence).answer]
        if raised:
            name = max(raised, key=lambda each: ratios[each].mean(evidence))
            found.append((READINGS[game], SEATS[seat], plan.CHANGES[name], ratios[name]))
    return found


def at_equal_depth(evidence: Any) -> list[str]:
    """Return whether all changes together `lower` or `raise` the regret in each seat, both learners at search depth 1.

    The answer is empty if some training runs of the two learners contradict it. The rules are those of the published
    game.
    """
    found = []
    for seat in (0, 1):
        changed = regret(plan.suspect(plan.ALL, PUBLISHED, seat)).values(evidence)
        before = regret(term(PUBLISHED, seat, depth=1)).values(evidence)
        found.append("lower" if max(changed) < min(before) else "raise" if min(changed) > max(before) else "")
    return found


@table(
    *("the rule", "seat", "random play: won / drawn / lost", "won by the best response"),
    "won by the best perfect play",
)
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """The largest shares of games that can be won against random play."""
    for game, seat in COMPARED:
        best, faultless = truth.best_against_random(evidence, game)[seat][:2]
        random = plan.shares(plan.random_player(game, seat))
        yield [READINGS[game], SEATS[seat], random, f"{best.won:.1%}", f"{faultless.won:.1%}"]


@table(
    *("player", "seat", "regret per move against random play", "regret per move against the perfect player"),
    *("regret per move over the sample", "moves without regret over the sample"),
)
def moves(evidence: Evidence) -> Iterator[Row]:
    """Yield the regret of each player against the random and the perfect player, and over sampled positions."""
    random = [(f"random play, {READINGS[game]}", plan.random_player(game, seat)) for game, seat in COMPARED]
    for words, each in [*random, *LEARNED]:
        mean = (regret(each, over) for over in ("random", truth.PERFECT, truth.SAMPLE))
        yield [words, SEATS[each.seat], *mean, regret(each, truth.SAMPLE, "faultless")]


@table(
    *("player", "seat", "mean margin against random play", "mean margin against the perfect player"),
    *("games won against the perfect player", "games drawn", "games with at least the value of the game"),
)
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Mean margins of the learners, and their results in games against the perfect player."""
    for words, each in LEARNED:
        if each.game == PUBLISHED:
            results = (truth.meets_perfect(each, plan.JUDGED, part) for part in ("won", "drawn", "full"))
            yield [words, SEATS[each.seat], plan.margin(each, "random"), plan.margin(each, truth.PERFECT), *results]


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


TABLES = (gains, term_project, fitting, whole_grid, suspects, learners, ceilings, moves, perfect, opening_map)
