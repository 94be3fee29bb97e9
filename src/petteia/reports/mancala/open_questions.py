"""The section of the page on open questions, at the scale `all`: its template variables, tables, chart and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from petteia.analysis.curves import settled_from
from petteia.analysis.direct_search import direct_search
from petteia.analysis.settling import settling, swings
from petteia.arena.known_positions import find_endings, solved_positions
from petteia.arena.regret import regret_in
from petteia.render.charts import Curve, line_chart
from petteia.render.html import Html
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import POINTS, SHARE, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, of_each
from petteia.reports.engine.rules import is_above, is_below
from petteia.reports.engine.tables import Rows, unfolding
from petteia.reports.mancala import boards, further, questions
from petteia.reports.mancala.behaviour import course, treatment_of
from petteia.reports.mancala.open_claims import CLAIMS, beside, has_no_effect
from petteia.reports.mancala.open_tables import TABLES, mean_alpha, swing_of
from petteia.reports.mancala.plan import GAME
from petteia.reports.mancala.published import progress
from petteia.reports.mancala.questions import LOWER_EXPLORED, QUESTIONS, STEPS, TRACES, Compared, variants
from petteia.reports.mancala.weight_measures import away

# Variants of learning.


def compared(evidence: Evidence) -> dict[str, list[Compared]]:
    """Return all variants of the training for every question, each compared with the first variant for its question."""
    first = evidence.experiments[questions.FEATURES]
    rows = {
        name: questions.compare(evidence.experiments[name], ("no traces", first) if name == TRACES else None)
        for name in QUESTIONS
    }
    for name in questions.AGAINST:  # in the seat in which they never learned
        learners = variants(evidence, LOWER_EXPLORED)
        scores = {each.words: questions.as_second(each, name).values(evidence) for each in learners}
        rows[LOWER_EXPLORED] += questions.beside_first(scores, name, "second")
    return rows


def asked(rows: Sequence[Compared], experiment: str) -> dict[str, Any]:
    """Return the template variables of a question: its text, its answer, and the rows of its table."""
    cells: dict[str, list[Html | str]] = {row.variant: [row.variant] for row in rows}
    for row in rows:
        notes = [interval_text(row.score, SHARE)]
        if row.variant != rows[0].variant:
            notes.append(f"difference from the first variant: {interval_text(row.gain, POINTS)}")
        cells[row.variant].append(unfolding(f"{SHARE.text(row.score.mean)} {row.verdict}".strip(), notes))
    return {
        "experiment": experiment,
        "asks": QUESTIONS[experiment],
        "answer": questions.answer(rows),
        "matches": [*dict.fromkeys(f"{row.seat} player against {row.opponent}" for row in rows)],
        "rows": [*cells.values()],
    }


def nearness(evidence: Evidence) -> dict[str, Figure]:
    """Return the distance of the final weights from the published weights, for each way to begin the training games."""
    return {
        each.words: of_each("the distance from the original weights", further.DISTANCE, each, further.far_from_printed)
        for each in variants(evidence, questions.STARTER)
    }


def rest(evidence: Evidence) -> dict[str, Any]:
    """Return the template variables that state whether a larger step size makes the weights vary more."""
    settings = sorted(variants(evidence, STEPS), key=lambda each: swing_of(each).mean(evidence))
    minimum, maximum = (swing_of(each).interval(evidence) for each in (settings[0], settings[-1]))
    is_clear = minimum.is_known and maximum.is_known and minimum.high < maximum.low
    sizes = [mean_alpha(evidence, each) for each in settings]
    times = f"{maximum.mean / minimum.mean:,.1f}" if minimum.mean > 0 else "infinitely many"
    return {
        "swings": [str(each.values["alpha"]) for each in settings],
        "farther": f"{times} times as far",
        "rests": sizes == sorted(sizes) if is_clear else None,
    }


# The page.


def search_chart(evidence: Evidence) -> str:
    """Draw the mean score of the elite, the best weight vectors, in each generation of the direct search."""
    _, _, elite = further.searched(evidence)
    curve = Curve("elite", range(1, len(elite) + 1), elite)
    return line_chart([curve], "Direct search for weights", "generation", "share of games won by the elite, both seats")


def extent(values: Sequence[float], form: str) -> str:
    """Return the range of some values as a string, such as `1 to 3`."""
    minimum, maximum = (f"{bound(values):{form}}" for bound in (min, max))
    return minimum if minimum == maximum else f"{minimum} to {maximum}"


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the template `open.md` that are not claims, tables or charts."""
    of_questions, near = compared(evidence), nearness(evidence)
    gains = [row.gain for rows in of_questions.values() for row in rows if row.variant != rows[0].variant]
    found, games, elite = further.searched(evidence)
    last = [each.interval(evidence) for each in questions.LAST]
    return {
        "questions": questions,
        "further": further,
        "progress": progress,
        "weakens": is_below(further.CHANGE.interval(evidence), 0.0),
        "together": {name: beside(scores, evidence).values for name, scores in questions.SCORES.items()},
        "stuffs": is_above(further.STUFFS_MORE.interval(evidence), 0.0),
        "differences": sum(each.is_known for each in gains),
        "searched": found,
        "search_games": games,
        "generations": len(elite),
        "search_beats": all(is_above(one, other.high) for one, other in zip(found, last, strict=True)),
        "asked": [asked(rows, name) for name, rows in of_questions.items()],
        "nearness": near,
        "nearest": min(near, key=lambda name: near[name].mean(evidence)),
        "farthest": max(near, key=lambda name: near[name].mean(evidence)),
        "traces": questions.kinds_of_traces(evidence.experiments[TRACES]).values,
        **rest(evidence),
        "swinging": [has_no_effect(how).judge(evidence).answer for how in further.CHANGES],
        "boards": boards,
    }


def compared_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each variant of the training, compared with the first variant for its question."""
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
    depends=(
        *(direct_search, find_endings, solved_positions, regret_in, settling, swings, settled_from, away),
        *(course, treatment_of),
    ),
    claims=CLAIMS,
    tables=TABLES,
    charts={"search": search_chart},
    names=names,
    rows={
        "questions": compared_rows,
        "settling": lambda evidence: [row._asdict() for row in further.settled(evidence).rows],
        "search": lambda evidence: [
            {"generation": number, "elite": each} for number, each in enumerate(further.searched(evidence)[2], 1)
        ],
        "regret": lambda evidence: evidence.rows()["regret"],
    },
    templates=("open.md",),
)
"""The part of the report that only the scale `all` has."""
