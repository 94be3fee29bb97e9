"""The section of the report's page on open questions of the original report: matches, claims, tables and a chart.

Only the largest version of the report (scale `all`) has this section. In its matches, learned players play with further
options. The conditions in `RULES` decide the verdicts on the claims in `open.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from petteia.arena.known_positions import find_endings, solved_positions
from petteia.render.charts import Curve, line_chart
from petteia.render.html import Html
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import POINTS, SHARE, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, change, of_match, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, below, is_above, is_below, together, within
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.engine.tables import Row, Rows, Table, table, unfolding
from petteia.reports.mancala import behaviour, boards, questions
from petteia.reports.mancala.figures import lead, over
from petteia.reports.mancala.plan import DEPTHS, GAME, GREEDY, SEAT_WORDS, SEATS, THETA, theta
from petteia.reports.mancala.published import SWINGING, progress
from petteia.reports.mancala.questions import CHANGES, FEATURES, OPPONENTS, QUESTIONS, STEPS, TRACES, variants
from petteia.reports.mancala.tables import plain

# Other ways to play: matches of learned players, with fixed seats and without openings.

AVERAGING, ENDS, DRAWS = "averaging", "ends", "draws"
GAMES, LOWER_GAMES = 80, 300
"""The numbers of games of a match: with other options, and of other learners."""
OPTIONS = {
    AVERAGING: {
        "random recent weights": "",
        "weights after the last game": "weights=last",
        "mean weights of the second half": "weights=mean",
    },
    ENDS: {
        "standard theta": "",
        "theta without exact scores of finished games": "ends=value",
        "theta without preference for early wins": "early=no",
    },
    DRAWS: {f"draw value {each}": f"draws={each}" if each else "" for each in (0, -0.5, -0.25, 0.25, 0.5)},
}
"""The variants of the player by question, each with its option."""


def score(variant: str, option: str, seats: Sequence[int] = SEATS, depths: Sequence[int] = DEPTHS) -> Figure:
    """Return the mean score of the learned player with `option` against greedy players of the same search depth.

    The mean is over the given seats and search depths. `variant` describes the option.
    """
    matches = [
        Match(theta(depth=depth, options=option), GREEDY[f"greedy{depth}"], GAMES, seat)
        for depth, seat in product(depths, seats)
    ]
    return over("theta's mean score against greedy players of the same search depth", matches, variant)


CHAIN = {
    words: [
        Match(theta(Setting(FEATURES, {"features": name}, seat=0), depth), "heuristic", GAMES, 1) for depth in DEPTHS
    ]
    for words, name in (("forty features", "report"), ("forty features and chain features", "report+chain"))
}
"""The matches of theta1 to theta5 as second player against the heuristic, by set of features."""
LAST = [of_match(Match(theta(options="weights=last"), GREEDY["greedy1"], LOWER_GAMES, seat), "won") for seat in SEATS]
"""The shares of games that theta1 wins against greedy1 with its last weights, in each seat."""
MEAN_SCORE = "theta's mean score as first and second player, over all search depths"
SCORES = {
    question: {variant: replace(score(variant, option), words=MEAN_SCORE) for variant, option in options.items()}
    for question, options in OPTIONS.items()
} | {
    "chain": {
        name: over("theta's mean score as second player against the heuristic, over all search depths", matches, name)
        for name, matches in CHAIN.items()
    }
}
"""The mean score of each variant over all depths and its seats, by question."""

# Claims.

NO_EFFECT = 0.02
"""The largest difference in score that counts as no effect."""


def beside(figures: Mapping[str, Figure], evidence: Evidence) -> Finding:
    """Compare the mean score of each variant of the learned player with the mean score of the first variant."""
    first, *others = questions.beside_first({name: each.values(evidence) for name, each in figures.items()}, "", "")
    words = {"better": "is a clear gain", "worse": "is a clear loss", "": "may be due to chance"}
    measure = f"the change in {figures[first.variant].words}, compared with “{first.variant}”"
    parts = [
        Finding(
            f"{interval_text(row.gain, POINTS)}, which {words[row.verdict]}",
            None,
            measure=measure,
            case=f"“{row.variant}”",
        )
        for row in others
    ]
    return together(parts, None)


def has_no_effect(how: str) -> Rule:
    """Return a test of whether weights that never settle in training have no effect on the learned player's score.

    The weights are those in the list of the original report. Each of them is changed separately, and the score of the
    learned player is measured. `how` states the change: `set to 0` or `set to its mean`.
    """
    return all_of(within(questions.gain("score", name, how), -NO_EFFECT, NO_EFFECT) for name in sorted(SWINGING))


def another_draw_is_better(evidence: Evidence) -> Finding:
    """Judge whether at least one draw value other than 0 in the search clearly raises the learned player's score."""
    worth_0, *others = SCORES[DRAWS].values()
    gains = [change(each, worth_0).interval(evidence) for each in others]
    better = any(each.is_known and each.low > 0.0 for each in gains)
    none = all(each.is_known and each.high < NO_EFFECT for each in gains)
    return beside(SCORES[DRAWS], evidence)._replace(answer=True if better else False if none else None)


STANDARD, *OTHERS = SCORES[ENDS].values()
OPTIONAL = {each.subject.removeprefix("theta without "): each for each in OTHERS}
"""The scores of theta without an option, by the name of this option."""
RULES = {
    "traces-coincide": Rule(
        "training runs with accumulating traces and training runs with replacing traces have exactly the same scores",
        lambda evidence: questions.kinds_of_traces(evidence.experiments[TRACES]),
    ),
    "ends-help": all_of(
        above(lead(f"the gain in {MEAN_SCORE}", option, STANDARD, other), 0.0) for option, other in OPTIONAL.items()
    ),
    "starves-and-stuffs": all_of(above(behaviour.TREATMENTS[each], 0.0) for each in ("starved", "stuffed")),
    "draws-are-not-0": Rule(
        "theta's mean score is clearly higher with at least one draw value other than 0", another_draw_is_better
    ),
    "greedy2-shortens": below(
        replace(
            ratio(questions.enough_against("greedy:depth=2 for 20000, then self"), questions.enough_against("self")),
            words="the number of training games with greedy2 first, divided by the number with self-play only",
            subject="",
        ),
        1.0,
    ),
    "swinging-has-no-effect": has_no_effect(CHANGES[0]),
    "long-chains": above(behaviour.LONG_CHAINS, 0.0),
    "stopping-early": above(behaviour.AFTER_DECISION, 0.1),
}
"""The rule of each claim of open.toml."""
CLAIMS = read_claims("petteia.reports.mancala", "open.toml", RULES)

# Tables.


@table(
    "alpha", "mean alpha in the last quarter of the games", "mean range of the weights in the last quarter of the games"
)
def steps(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each step size, with the mean range of the weights at the end of training.

    The range of a weight is its largest minus its smallest value in the last quarter of the training games.
    """
    for each in variants(evidence, STEPS):
        yield [
            each.words.removeprefix("alpha "),
            f"{questions.mean_alpha(evidence, each):.2g}",
            questions.swing_of(each),
        ]


@table("feature", "range of its weight", "positions in which the feature is not zero", "variance inflation factor")
def restless(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each of the ten features whose weights vary most at the end of training."""
    for row in questions.settled(evidence).rows[:10]:
        yield [plain(row.feature), f"{row.swing:.3f}", f"{row.frequency:.0%}", f"{row.inflation:,.1f}"]


@table("opponent in training", "training games until theta1's score stays within two points of its final value")
def enough_of(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each opponent in training, the number of training games until the score stays near its final value."""
    for each in variants(evidence, OPPONENTS):
        yield [each.words.removeprefix("against "), questions.enough_against(str(each.values["opponent"]))]


@table("weight", *(f"change in theta1's {field}, weight {how}" for field in questions.FIELDS for how in CHANGES))
def ablated(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each weight that never settles, the effect on score and regret of setting it to 0 or to its mean.

    The weights are those in the list of the original report.
    """
    for name in sorted(SWINGING):
        yield [plain(name), *(questions.gain(field, name, how) for field in questions.FIELDS for how in CHANGES)]


def by_option(question: str, corner: str) -> Table:
    """Return a table of the learned player's scores, with a row for each option and seat.

    The table has a column for each search depth from 1 to 5. The players with these depths are called `theta1` to
    `theta5`. `question` is a key of `OPTIONS`, and `corner` is the heading of the first column.
    """

    def rows(evidence: Evidence) -> Iterator[Row]:
        for (variant, option), seat in product(OPTIONS[question].items(), SEATS):
            yield [f"{variant}, {SEAT_WORDS[seat]}", *(score(variant, option, [seat], [depth]) for depth in DEPTHS)]

    return Table(question, (corner, *THETA), rows)


@table("moves", "share of moves that stuff the opponent")
def stuffing(evidence: Evidence) -> Iterator[Row]:
    """Yield table rows with the shares of moves that fill all empty pits of the opponent.

    Three rows are about the moves that a player plays. One row is about all legal moves of theta5. Only moves in
    positions in which the opponent has an empty pit are counted.
    """
    yield ["moves played by theta5", behaviour.TREATMENTS["stuffed"]]
    yield ["moves played by greedy5", behaviour.TREATMENTS["was_stuffed"]]
    yield ["all legal moves of theta5", behaviour.TREATMENTS["stuffing"]]
    by_chance = behaviour.treatment_by_chance(evidence, behaviour.TREATED)["stuffed"]
    yield ["moves played by “random” against greedy5", SHARE.text(by_chance or 0.0)]


@table("quantity", "mean over the training runs")
def course(evidence: Evidence) -> Iterator[Row]:
    """Yield two table rows about training: a change in score, and the number of games until the score is stable.

    The first row contains the change in score between two training stages. The score is stable when the smoothed score
    stays within two points of its final value.
    """
    early, late, _ = questions.between(evidence)
    yield [f"score after {late:,} games minus score after {early:,} games", questions.CHANGE]
    yield ["games until the score stays within two points of its final value", questions.ENOUGH]


@table("features", *THETA)
def with_chains(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each of two feature sets, with the learned player's scores against the heuristic player.

    The learned player is the second player, and a row contains its scores for the search depths 1 to 5. One of the two
    feature sets describes chains of turns, and the other does not. A chain of turns consists of several plies of one
    player in a row.
    """
    for name, matches in CHAIN.items():
        yield [name, *map(of_match, matches)]


CORNERS = ("weights of theta, and seat", "player and seat", "draw value, and seat")
TABLES = (
    *(steps, restless, enough_of, ablated, stuffing, course, with_chains),
    *(by_option(question, corner) for question, corner in zip(OPTIONS, CORNERS, strict=True)),
)

# Variants of learning.


def compared(evidence: Evidence) -> dict[str, list[questions.Compared]]:
    """Compare every variant of the training, such as a step size, with the first variant for the same question.

    The result contains the comparisons for each open question.
    """
    first = evidence.experiments[FEATURES]
    rows = {
        name: questions.compare(evidence.experiments[name], ("no traces", first) if name == TRACES else None)
        for name in QUESTIONS
    }
    for name in questions.AGAINST:  # in the seat in which they never learned
        scores = {
            each.words: of_match(Match(theta(each), GREEDY[name], LOWER_GAMES, 1)).values(evidence)
            for each in variants(evidence, questions.LOWER_EXPLORED)
        }
        rows[questions.LOWER_EXPLORED] += questions.beside_first(scores, name, "second")
    return rows


def beside_each_other(rows: Sequence[questions.Compared]) -> tuple[list[str], list[list[Html | str]]]:
    """Return the headings and the rows of a table that compares the variants of the training for one question."""
    matches = dict.fromkeys(f"{row.seat} player against {row.opponent}" for row in rows)
    cells: dict[str, list[Html | str]] = {row.variant: [row.variant] for row in rows}
    for row in rows:
        notes = [interval_text(row.score, SHARE)]
        if row.variant != rows[0].variant:
            notes.append(f"difference from the first variant: {interval_text(row.gain, POINTS)}")
        cells[row.variant].append(unfolding(f"{SHARE.text(row.score.mean)} {row.verdict}".strip(), notes))
    return ["variant", *matches], [*cells.values()]


def rest(evidence: Evidence) -> dict[str, Any]:
    """Return the template variables that state whether a larger step size makes the weights vary more."""
    settings = sorted(variants(evidence, STEPS), key=lambda each: questions.swing_of(each).mean(evidence))
    minimum, maximum = (questions.swing_of(each).interval(evidence) for each in (settings[0], settings[-1]))
    is_clear = minimum.is_known and maximum.is_known and minimum.high < maximum.low
    sizes = [questions.mean_alpha(evidence, each) for each in settings]
    times = f"{maximum.mean / minimum.mean:,.1f}" if minimum.mean > 0 else "infinitely many"
    return {
        "swings": [each.words.removeprefix("alpha ") for each in settings],
        "farther": f"{times} times as large",
        "rests": sizes == sorted(sizes) if is_clear else None,
    }


# The page.


def search_chart(evidence: Evidence) -> str:
    """Draw the mean score of the best weight vectors (the elite) in each generation of the search for weights."""
    _, _, elite = questions.searched(evidence)
    curve = Curve("elite", range(1, len(elite) + 1), elite)
    return line_chart([curve], "Direct search for weights", "generation", "share of games won by the elite")


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the template `open.md` that are not claims, tables or charts."""
    of_questions = compared(evidence)
    near = {each.words: questions.far(each) for each in variants(evidence, questions.STARTER)}
    gains = [row.gain for rows in of_questions.values() for row in rows if row.variant != rows[0].variant]
    found, games, elite = questions.searched(evidence)
    last = [each.interval(evidence) for each in LAST]
    return {
        "questions": questions,
        "behaviour": behaviour,
        "option_games": GAMES,
        "lower_games": LOWER_GAMES,
        "last": LAST,
        "progress": progress,
        "weakens": is_below(questions.CHANGE.interval(evidence), 0.0),
        "together": {name: beside(scores, evidence).values for name, scores in SCORES.items()},
        "stuffs": is_above(behaviour.STUFFS_MORE.interval(evidence), 0.0),
        "differences": sum(each.is_known for each in gains),
        "searched": found,
        "search_games": games,
        "generations": len(elite),
        "search_beats": all(is_above(one, other.high) for one, other in zip(found, last, strict=True)),
        "compared": of_questions,
        "beside_each_other": beside_each_other,
        "labelled": lambda values: [value.split(": ", 1) for value in values],
        "nearness": near,
        "nearest": min(near, key=lambda name: near[name].mean(evidence)),
        "farthest": max(near, key=lambda name: near[name].mean(evidence)),
        "traces": questions.kinds_of_traces(evidence.experiments[TRACES]).values,
        **rest(evidence),
        "swinging": [has_no_effect(how).judge(evidence).answer for how in CHANGES],
        "boards": boards,
    }


def compared_rows(evidence: Evidence) -> Rows:
    """Return CSV rows that compare each variant of the training with the first variant for the same question."""
    return [
        {
            "experiment": name,
            **{field: getattr(row, field) for field in ("variant", "opponent", "seat")},
            **row.score.row("score"),
            **row.gain.row("gain"),
            "verdict": row.verdict,
        }
        for name, rows in compared(evidence).items()
        for row in rows
    ]


BEYOND = Declaration(
    package="petteia.reports.mancala",
    game=GAME,
    experiments=tuple(QUESTIONS),
    depends=(*questions.DEPENDS, find_endings, solved_positions, behaviour.course, behaviour.treatment_of),
    claims=CLAIMS,
    tables=TABLES,
    charts={"search": search_chart},
    names=names,
    rows={
        "questions": compared_rows,
        "settling": lambda evidence: [row._asdict() for row in questions.settled(evidence).rows],
        "search": lambda evidence: [
            {"generation": number, "elite": each} for number, each in enumerate(questions.searched(evidence)[2], 1)
        ],
        "regret": lambda evidence: evidence.rows()["regret"],
    },
    templates=("open.md",),
)
"""The part of the report that only the scale `all` has."""
