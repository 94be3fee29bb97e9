"""The additional section of the page at the scale `all`: its template variables, tables, chart and files."""

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
from petteia.reports.engine.cells import unfolding
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import POINTS, SHARE, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.measures import of_each
from petteia.reports.engine.rules import is_above, is_below
from petteia.reports.engine.tables import Rows
from petteia.reports.mancala import boards, duels, further, questions
from petteia.reports.mancala.ablation import CHANGES
from petteia.reports.mancala.behaviour import course, treatment_of
from petteia.reports.mancala.figures import over
from petteia.reports.mancala.open_claims import CLAIMS, beside, has_no_effect
from petteia.reports.mancala.open_tables import TABLES, mean_alpha, swing_of
from petteia.reports.mancala.plan import GAME
from petteia.reports.mancala.published import progress
from petteia.reports.mancala.questions import LOWER_EXPLORED, QUESTIONS, STEPS, TRACES, Compared, variants
from petteia.reports.mancala.weight_measures import away

# Variants of learning.


def compared(evidence: Evidence) -> dict[str, list[Compared]]:
    """Return every variant of every question, compared with the first variant of its question."""
    first = evidence.experiments[questions.FEATURES]
    rows = {
        name: questions.compare(evidence.experiments[name], ("no traces", first) if name == TRACES else None)
        for name in QUESTIONS
    }
    for name in questions.AGAINST:  # in the seat in which they never learned
        learners = variants(evidence, LOWER_EXPLORED)
        scores = {each.words: duels.as_second(each, name).values(evidence) for each in learners}
        rows[LOWER_EXPLORED] += questions.beside_first(scores, name, "second")
    return rows


def asked(rows: Sequence[Compared], experiment: str) -> dict[str, Any]:
    """Return a question, its answer in words, and its table: a row for each variant and a cell for each match."""
    return {
        "experiment": experiment,
        "asks": QUESTIONS[experiment],
        "answer": questions.answer(rows),
        "matches": [*dict.fromkeys(f"{row.seat} against {row.opponent}" for row in rows)],
        "rows": [
            [variant, *(_cell(row, is_first=variant == rows[0].variant) for row in rows if row.variant == variant)]
            for variant in dict.fromkeys(row.variant for row in rows)
        ],
    }


def _cell(row: Compared, *, is_first: bool) -> Html:
    notes = [interval_text(row.score, SHARE)]
    if not is_first:
        notes.append(f"difference from the first {interval_text(row.gain, POINTS)}")
    return unfolding(f"{SHARE.text(row.score.mean)} {row.verdict}".strip(), notes)


def nearness(evidence: Evidence) -> dict[str, Figure]:
    """Return the distance of the final weights from the original report's, by interpretation of the training."""
    return {
        each.words: of_each("the distance from the original weights", further.DISTANCE, each, further.far_from_printed)
        for each in variants(evidence, questions.STARTER)
    }


def rest(evidence: Evidence) -> dict[str, Any]:
    """Return the template variables on how much the weights still change with each step size."""
    settings = sorted(variants(evidence, STEPS), key=lambda each: swing_of(each).mean(evidence))
    minimum, maximum = (swing_of(each).interval(evidence) for each in (settings[0], settings[-1]))
    is_clear = minimum.is_known and maximum.is_known and minimum.high < maximum.low
    sizes = [mean_alpha(evidence, each) for each in settings]
    return {
        "swings": [str(each.values["alpha"]) for each in settings],
        "farther": f"{maximum.mean / minimum.mean:,.1f} times as far"
        if minimum.mean > 0
        else "infinitely many times as far",
        "rests": sizes == sorted(sizes) if is_clear else None,
    }


# The page.


def search_chart(evidence: Evidence) -> str:
    """Draw the score of the elite of the direct search by generation."""
    _, _, elite = further.searched(evidence)
    curve = Curve("elite", range(1, len(elite) + 1), elite)
    return line_chart([curve], "Direct search for weights", "generation", "share of games won by the elite, both seats")


def extent(values: Sequence[float], form: str) -> str:
    """Return the smallest and the largest of the values as text, such as `1 to 3`."""
    minimum, maximum = (f"{bound(values):{form}}" for bound in (min, max))
    return minimum if minimum == maximum else f"{minimum} to {maximum}"


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the template `open.md` that are not claims, tables or charts."""
    of_questions, near, settled = compared(evidence), nearness(evidence), further.settled(evidence)
    gains = [row.gain for rows in of_questions.values() for row in rows if row.variant != rows[0].variant]
    found, games, elite = further.searched(evidence)
    last = [each.interval(evidence) for each in duels.LAST]
    return {
        "duels": duels,
        "further": further,
        "progress": progress,
        "weakens": is_below(further.CHANGE.interval(evidence), 0.0),
        "between": further.between(evidence),
        "averaged": beside(duels.SCORES[duels.AVERAGING], evidence),
        "chains_together": beside({name: over("", matches, name) for name, matches in duels.CHAIN.items()}, evidence),
        "stuffs": is_above(further.STUFFS_MORE.interval(evidence), 0.0),
        "searched": [interval_text(each, SHARE) for each in found],
        "search_games": games,
        "generations": len(elite),
        "search_beats": all(is_above(one, other.high) for one, other in zip(found, last, strict=True)),
        "differences": sum(each.is_known for each in gains),
        "questions": [asked(rows, name) for name, rows in of_questions.items()],
        "nearness": near,
        "nearest": min(near, key=lambda name: near[name].mean(evidence)),
        "farthest": max(near, key=lambda name: near[name].mean(evidence)),
        "traces": questions.kinds_of_traces(evidence.experiments[TRACES]).text,
        **rest(evidence),
        "settled": settled,
        "ends_together": beside(duels.SCORES[duels.ENDS], evidence),
        "draws_together": beside(duels.SCORES[duels.DRAWS], evidence),
        "treated_games": further.TREATED,
        "treated": further.TREATMENTS,
        "swinging": [has_no_effect(how).judge(evidence).answer for how in CHANGES],
        "drawn_value": further.DRAWN_VALUE,
        "boards": {
            each: (boards.about(evidence, each), [*boards.judged(evidence, each)])
            for each in (*boards.SMALL, boards.LARGE)
        },
    }


def compared_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each variant, compared with the first variant of its question."""
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
