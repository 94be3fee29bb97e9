"""The report on a British Square program that seemed to learn nothing from its training.

The report repeats the experiment of a student's term project on temporal-difference learning. The report also tests
possible reasons why the project saw no improvement over random play. Unlike the project, the report compares the
learned moves with perfect play.

The module `plan` contains the training runs, the measures, and the rules that test the project's statements. This
module contains what the page shows: the charts, the tables and the declaration of the report. The text is in `page.md`.

The term project reports very many draws, and no improvement over random play. The table `fitting` counts the settings
with which petteia's learner shows both results. Each of these settings may be the setting of the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from petteia.analysis.doctor.examination import doctor
from petteia.core.protocol import format_move, initial, legal, parse_state, play
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.players.perfect import solved
from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.reports.british_square import plan
from petteia.reports.british_square.plan import COMPARED, MOVER, PLACES, PUBLISHED, READINGS, SEATS, regret, share, term
from petteia.reports.engine import truth
from petteia.reports.engine.charts import Curves, Line, points_text
from petteia.reports.engine.declaration import Declaration, by_verdict
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import NOT_JUDGED, UNTOLD, Rule, above, denied
from petteia.reports.engine.tables import Row, table
from petteia.reports.engine.work import usual_time
from petteia.solver.oracle import Oracle

FINISHED = "o.x.x/.x.o./o.x.x/o..o./.xx.o o"
"""a position in which the game is over with each of the three rules, with 7 stones against 6"""
SCORE = "score against random play"


def why(evidence: Evidence) -> str:
    """Draw a bar chart of the games that the second player wins, draws and loses against a random player, as SVG.

    The chart compares two rules that say when a game ends.
    """
    bars = []
    for game in (MOVER, PUBLISHED):
        players = {
            "random play": plan.random_player(game, 1),
            "the project's learner, untrained": term(game, 1, plan.UNTRAINED),
            "the project's learner, trained": term(game, 1),
        }
        maximum = truth.ceiling(game, 1).mean(evidence)
        bars += [
            Bar(f"The rule “{READINGS[game]}”", ()),
            *(Bar(words, tuple(part.mean(evidence) for part in plan.shares(each))) for words, each in players.items()),
            Bar(f"largest possible share: {maximum:.0%} won", (maximum, 0.0, 0.0)),
        ]
    title = "Games of the second player against random play, with two rules for the end of the game"
    return bar_chart(bars, ("won", "drawn", "lost"), title)


# Tables.

PLAYERS = [
    *(("random play", plan.random_player(*place)) for place in COMPARED),
    *((f"the project's learner, search depth {n}", term(*place, depth=n)) for n in (2, 1) for place in COMPARED),
    *(
        ("the project's learner with all changes, search depth 1", plan.suspect(plan.ALL, PUBLISHED, seat))
        for seat in (0, 1)
    ),
    *(("the learner with patterns, search depth 1", plan.working(plan.BEST, seat)) for seat in (0, 1)),
]
"""the players whose moves are compared with perfect play, each with its description"""


def alpha_text(alpha: float) -> str:
    """Return the step size as a string, or `untrained` if it is 0."""
    return "untrained" if alpha == plan.UNTRAINED else f"{alpha:.0e}"


def answer(rule: Rule, evidence: Any) -> str:
    """Return, as text, whether a claim's condition is true: `yes`, `no`, `undecided` or `not judged at this scale`."""
    return by_verdict(rule.judge(evidence).verdict, "yes", "no", UNTOLD, NOT_JUDGED)


@table(
    *("rule", "seat", "games counted", "random play", "untrained", "trained", "trained, search depth 1 in play"),
    *("improves by training", "better than random play"),
)
def gains(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each end-of-game rule and seat, with the learner's results before and after training.

    A result is the share of games won or, if the rules exclude a win in this seat, the share of games lost. The row
    also contains the result of random play. It states whether training clearly improves the learner, and whether the
    trained learner is clearly better than random play.
    """
    for game, seat in PLACES:
        part, learner = plan.decisive(game, seat), term(game, seat)
        players = plan.random_player(game, seat), term(game, seat, plan.UNTRAINED), learner, term(game, seat, depth=1)
        answers = (answer(each, evidence) for each in (plan.learned(game, seat), denied(plan.no_gain(learner, part))))
        yield [READINGS[game], SEATS[seat], part, *(share(each, part) for each in players), *answers]


@table(
    *("rule", "seat", "random play: won / drawn / lost", "untrained: won / drawn / lost"),
    *("trained: won / drawn / lost", "won: range over all trained settings", "lost: range over all trained settings"),
)
def term_project(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each end-of-game rule and seat: the results of games against random play.

    A row contains the shares of games that random play, the untrained learner and the trained learner win, draw and
    lose.
    """
    for game, seat in PLACES:
        players = plan.random_player(game, seat), term(game, seat, plan.UNTRAINED), term(game, seat)
        trained = [term(game, seat, *each) for each in plan.TRAINED]
        means = [[share(each, part).mean(evidence) for each in trained] for part in plan.RESULTS]
        extents = (" to ".join(dict.fromkeys((f"{min(each):.0%}", f"{max(each):.0%}"))) for each in means)
        yield [READINGS[game], SEATS[seat], *map(plan.shares, players), *extents]


@table(
    *("alpha", "update", "the middle", "search depth in play"),
    *(f"{plan.player_of(*each)}: won / drawn / lost" for each in PLACES),
    folded="The table of all settings",
)
def whole_grid(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each combination of settings: the learner's shares of games won, drawn and lost.

    The rows are all combinations of settings that the student's term project may have used. Each combination of an
    end-of-game rule and a seat has its own column.
    """
    for alpha, rule, middle, depth in plan.CHOICES:
        words = alpha_text(alpha), plan.MOMENTS[rule] if alpha else "", plan.MIDDLES[middle], str(depth)
        yield [*words, *(plan.shares(term(*place, alpha, rule, middle, depth)) for place in PLACES)]


@table(
    *("rule", "seat", "alpha"),
    *("settings with both results, only wins counted", "settings with both results, wins and losses counted"),
)
def fitting(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each end-of-game rule, seat and step size: how many settings give the project's result.

    A setting reproduces the result of the term project if the learner draws very often and is not clearly better than
    random play. Each row has two counts of settings. For the first count, a learner is better than random play if it
    wins more games. For the second count, a learner is also better if it loses fewer games. A row is omitted if both
    counts are 0 and no setting is undecided.
    """
    for (game, seat), alpha in product(PLACES, (plan.UNTRAINED, *plan.ALPHAS)):
        group = [term(game, seat, *each) for each in plan.CHOICES if each[0] == alpha]
        ways = [counts((plan.fits(each, parts) for each in group), evidence) for parts in (("won",), plan.RESULTS)]
        if any(each != f"0 of {len(group)}" for each in ways):
            yield [READINGS[game], SEATS[seat], alpha_text(alpha), *ways]


def without_gain(evidence: Evidence) -> str:
    """Return how many trained learners do not win clearly more games than a random player, as text such as `4 of 8`.

    There is a learner for each seat and each combination of settings. All games follow the published rules of British
    Square.
    """
    learners = (term(PUBLISHED, seat, *each) for seat in (0, 1) for each in plan.TRAINED)
    return counts((plan.no_gain(each, "won") for each in learners), evidence)


def counts(rules: Iterable[Rule], evidence: Evidence) -> str:
    """Return how many of the conditions in `rules` are true, as text such as `4 of 8 (1 undecided)`."""
    answers = [answer(each, evidence) for each in rules]
    if NOT_JUDGED in answers:
        return NOT_JUDGED
    unclear = f" ({answers.count(UNTOLD)} {UNTOLD})" if UNTOLD in answers else ""
    return f"{answers.count('yes')} of {len(answers)}{unclear}"


@table(
    "change", *(f"{plan.player_of(*each)}: {what}" for each in COMPARED for what in ("won / drawn / lost", "regret"))
)
def suspects(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each change to the training, with the learner's results against random play and its regret.

    Further rows show the unchanged learner and random play.
    """
    rows = {
        "no change": [term(*each) for each in COMPARED],
        "no change, search depth 1 in play": [term(*each, depth=1) for each in COMPARED],
        "no change, alpha 1e-04": [term(*each, plan.LARGER) for each in COMPARED],
        **{words: [plan.suspect(name, *each) for each in COMPARED] for name, words in plan.CHANGES.items()},
        "random play": [plan.random_player(*each) for each in COMPARED],
    }
    for words, players in rows.items():
        yield [words, *(part for each in players for part in (plan.shares(each), regret(each)))]


@table("change", *(plan.player_of(*each) for each in COMPARED))
def ratios(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each change to the training: the regret, divided by the regret of the unchanged learner."""
    for name, words in plan.COMPARISONS.items():
        yield [words, *(plan.remaining_regret(name, *each) for each in COMPARED)]


def helping(changes: Iterable[str], evidence: Any) -> list[Row]:
    """Return table rows that state whether each change to the training helps.

    A row begins with the name of the change. It has a column for each pair of an end-of-game rule and a seat in
    `COMPARED`.
    """
    return [[plan.CHANGES[name], *(answer(plan.helps(name, *each), evidence) for each in COMPARED)] for name in changes]


@table(
    *("learner", "games won as first player", "games won as second player"),
    *(f"regret at search depth {depth} as {seat} player" for depth in plan.DEPTHS for seat in SEATS),
    "training time",
)
def learners(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each learner that learns both sides of the game: games won, regret and training time."""
    for name, words in plan.LEARNERS.items():
        both, ahead = ([plan.working(name, seat, depth) for seat in (0, 1)] for depth in plan.DEPTHS)
        time = usual_time(evidence.trainings(both[0].setting))
        yield [words, *(share(each, "won") for each in both), *map(regret, (*both, *ahead)), time]


def are_alike(evidence: Evidence) -> bool:
    """Return whether all learners whose only features are stones and open squares have the same regret at depth 1."""
    names = [name for name in plan.LEARNERS if name.startswith("territory")]
    return all(len({regret(plan.working(name, seat)).mean(evidence) for name in names}) == 1 for seat in (0, 1))


def most_harmful(evidence: Any) -> list[tuple[str, str, str, Figure]]:
    """Return the project's suggested change to the training that raises the regret most, for each rule and seat.

    The pairs of an end-of-game rule and a seat are those in `COMPARED`.

    Each entry names the end-of-game rule, the seat and the change. Its last element is the regret with the change,
    divided by the regret of the unchanged learner. A rule and seat have no entry if no suggested change raises the
    regret significantly.
    """
    found = []
    for game, seat in COMPARED:
        every = ((plan.CHANGES[name], plan.remaining_regret(name, game, seat)) for name in plan.SUGGESTED)
        raised = [(words, each) for words, each in every if above(each, 1.0).judge(evidence).answer]
        if raised:
            found.append((READINGS[game], SEATS[seat], *max(raised, key=lambda each: each[1].mean(evidence))))
    return found


@table("rule", "seat", "random play: won / drawn / lost", "won by the best response", "won by the best perfect play")
def ceilings(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each end-of-game rule and seat in `COMPARED`: the results of games against random play.

    A row contains the results of random play, and the largest possible shares of wins: with any moves, and with moves
    without regret.
    """
    for game, seat in COMPARED:
        best, faultless = truth.best_against_random(evidence, game)[seat][:2]
        random = plan.shares(plan.random_player(game, seat))
        yield [READINGS[game], SEATS[seat], random, f"{best.won:.1%}", f"{faultless.won:.1%}"]


@table(
    *("player", "rule", "seat", "regret per move against random play", "regret per move against the perfect player"),
    *("regret per move over the sample", "moves without regret over the sample"),
)
def moves(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each player, with its regret in games against two opponents and in sampled positions.

    The opponents are the random player and the perfect player.
    """
    for words, each in PLAYERS:
        mean = (regret(each, over) for over in ("random", truth.PERFECT, truth.SAMPLE))
        yield [words, READINGS[each.game], SEATS[each.seat], *mean, regret(each, truth.SAMPLE, "faultless")]


@table(
    *("player", "seat", "mean margin against random play", "mean margin against the perfect player"),
    *(f"{games} against the perfect player" for games in ("games won", "games drawn", "games that reach the value")),
)
def perfect(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each learner of the published game: its margins and its results against the perfect player.

    The margins are means over games against the random player and over games against the perfect player.
    """
    for words, each in PLAYERS:
        if each.game == PUBLISHED and each.player != "random":
            results = (truth.meets_perfect(each, plan.JUDGED, part) for part in ("won", "drawn", "full"))
            yield [words, SEATS[each.seat], plan.margin(each, "random"), plan.margin(each, truth.PERFECT), *results]


@table("rank", "a", "b", "c", "d", "e")
def opening_map(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each rank of the board, with the value of each first move for the first player."""
    rules, start = evidence.rules, initial(evidence.rules)
    value = Oracle(rules, table=solved(rules)).value
    values = {format_move(rules, start, move): int(value(play(rules, start, move))) for move in legal(rules, start)}
    for rank in range(5, 0, -1):
        yield [str(rank), *(str(values.get(f"{file}{rank}", "forbidden")) for file in "abcde")]


TABLES = (gains, term_project, fitting, whole_grid, suspects, ratios, learners, ceilings, moves, perfect, opening_map)

# The page.


@kept
def diagnosis(evidence: Evidence, training: Training) -> list[str]:
    """Return a paragraph on each fault that `petteia doctor` finds in a training run: evidence and a suggestion."""
    return [f"{each.wrong} Evidence: {each.evidence}. Suggestion: {each.change}." for each in doctor(training).findings]


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the page's template variables, except the claims, tables and charts."""
    best, first = (evidence.cell(each.setting) for each in (plan.working(plan.BEST, 0), term(MOVER, 0)))
    return {
        "plan": plan,
        "ratios": ratios,
        **{each.__name__: each for each in (are_alike, helping, most_harmful, without_gain)},
        "opposite": plan.opposite(evidence),
        "took_one": usual_time(best.trainings),
        "learner_games": best.trainings[0].configuration.games,
        "training_games": first.trainings[0].configuration.games,
        "first_point": first.games[0],
        "finished_board": board_svg(rules_of(MOVER), parse_state(rules_of(MOVER), FINISHED)),
        "start_board": lambda record: board_svg(record.rules, record.states()[8]),
        "points": points_text([best]),
        "diagnosis": diagnosis(evidence, evidence.trainings(term(*plan.SECOND).setting)[0]),
        "value": int(solved(evidence.rules).values[0]),
        "mover_value": int(solved(rules_of(MOVER)).values[0]),
        "works_seeds": len(best.trainings),
    }


REPORT = Declaration(
    package=__name__,
    game=PUBLISHED,
    experiments=plan.EXPERIMENTS,
    depends=(*truth.DEPENDS, doctor),
    claims=plan.CLAIMS,
    tables=TABLES,
    charts={
        "why": why,
        "term-project": Curves(
            "Scores of the term project's learner during training",
            [Line(plan.player_of(*each), term(*each).setting, each[0]) for each in PLACES],
            SCORE,
        ),
        "learners": Curves(
            "Scores of learners of both sides during training",
            [
                Line(f"{plan.LEARNERS[name]} ({SEATS[seat]} player)", plan.working(name, seat).setting, name)
                for name, seat in product(("counts", "territory", plan.BEST), (0, 1))
            ],
            SCORE,
        ),
    },
    weights={plan.WEIGHTS: plan.working(plan.BEST, 0).setting},
    games={
        "learned": ("random", f"theta:agent={{folder}}/{plan.WEIGHTS},depth=1,weights=last"),
        "best": ("perfect", "perfect"),
    },
    figures=plan.FIGURES,
    answers=plan.QUESTIONS,
    names=names,
)
