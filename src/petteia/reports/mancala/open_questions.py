"""The additional section of the page at the scale `all`: its template variables, tables, chart and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from petteia.analysis.curves import settled_from
from petteia.analysis.direct_search import direct_search
from petteia.analysis.settling import settling, swings
from petteia.arena.known_positions import find_endings, solved_positions
from petteia.arena.regret import regret_in
from petteia.render.charts import Curve, line_chart
from petteia.render.html import Html
from petteia.reports.engine.cells import unfolding
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import NUMBER, POINTS, SHARE, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference, known
from petteia.reports.engine.measures import of_each
from petteia.reports.engine.rules import Answer, every, is_above, is_below
from petteia.reports.engine.tables import Rows
from petteia.reports.mancala import boards, duels, further, questions
from petteia.reports.mancala.ablation import CHANGES, FIELDS, gain
from petteia.reports.mancala.behaviour import course, treatment_of
from petteia.reports.mancala.duels import AVERAGING, CHAIN, LOWER, LOWER_LEARNERS, STRONGER, score
from petteia.reports.mancala.further import CHANGE, DISTANCE, EARLY_IS_BETTER, LAST, SEARCHED, TREATED, TREATMENTS
from petteia.reports.mancala.open_claims import CLAIMS, beside, has_no_effect
from petteia.reports.mancala.open_tables import TABLES, by_depth, mean_alpha, swing_of
from petteia.reports.mancala.plan import EARLY, GAME, GREEDY, OWN, SEAT_NAMES, THETA
from petteia.reports.mancala.published import SWINGING, progress
from petteia.reports.mancala.questions import LOWER_EXPLORED, QUESTIONS, STEPS, TRACES, Compared, named, variants
from petteia.reports.mancala.tables import mark_words
from petteia.reports.mancala.weight_measures import away

CLOSE = 0.3
"""The smallest absolute value of a correlation that counts as a correlation."""

# Variants of learning.


def compared(evidence: Evidence) -> dict[str, list[Compared]]:
    """Return every variant of every question, compared with the first variant of its question."""
    first = evidence.experiments[questions.FEATURES]
    rows = {
        name: questions.compare(evidence.experiments[name], ("no traces", first) if name == TRACES else None)
        for name in QUESTIONS
    }
    for name in duels.LOWER_MEETS:  # in the seat in which they never learned
        scores = {
            named(each): score(LOWER, opponent=GREEDY[name], variant=named(each)).values(evidence)
            for each in LOWER_LEARNERS
        }
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
        each.words: of_each("the distance from R's weights", DISTANCE, each, further.far_from_printed)
        for each in variants(evidence, questions.STARTER)
    }


def what_it_lacks(evidence: Evidence) -> dict[str, Any]:
    """Return, for each opponent, whether learning from random moves improves a learner that always plays lower."""
    explored, answers = [], []
    for opponent in dict.fromkeys(each["opponent"] for each in LOWER_LEARNERS):
        without, taught = (
            score(LOWER, part="won", opponent=GREEDY["greedy1"], variant=named(each))
            for each in LOWER_LEARNERS
            if each["opponent"] == opponent
        )
        gained = difference(taught, without)
        answers.append(is_above(gained.interval(evidence), 0.0))
        explored.append({"opponent": opponent, "without": without, "taught": taught, "gained": gained})
    return {"explored": explored, "lacks": every(answers)}


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


def sign(correlation: float) -> Answer:
    """Return whether a correlation is positive, or None if it is nearly zero."""
    return correlation > 0 if abs(correlation) >= CLOSE else None


# The page.


def search_chart(evidence: Evidence) -> str:
    """Draw the score of the elite of the direct search by generation."""
    _, _, elite = further.searched(evidence)
    curve = Curve("elite", range(1, len(elite) + 1), elite)
    return line_chart([curve], "Direct search for weights", "generation", "share of games won by the elite, both seats")


def holding(name: str, evidence: Evidence) -> str:
    """Return in words which theta players with this feature set score more than half as second player."""
    scores = zip(THETA, by_depth(CHAIN, name), strict=True)
    answers = {theta: is_above(each.interval(evidence), 0.5) for theta, each in scores}
    who, unsure = (", ".join(theta for theta, answer in answers.items() if answer is known) for known in (True, None))
    return f"with the features {name}, {who or 'none'}{f' (undecided: {unsure})' if unsure else ''}"


def extent(values: Sequence[float], form: str) -> str:
    """Return the smallest and the largest of the values as text, such as `1 to 3`."""
    minimum, maximum = (f"{bound(values):{form}}" for bound in (min, max))
    return minimum if minimum == maximum else f"{minimum} to {maximum}"


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the template `open.md` that are not claims, tables or charts."""
    of_questions = compared(evidence)
    gains = [row.gain for rows in of_questions.values() for row in rows if row.variant != rows[0].variant]
    known_gains, near = sum(each.is_known for each in gains), nearness(evidence)
    settled, (early, late, beside_marks) = further.settled(evidence), further.between(evidence)
    changes, marks = CHANGE.values(evidence), mark_words(evidence)
    found, games, elite = further.searched(evidence)
    starving = further.WON_STARVING.values(evidence)
    last = [LAST[seat].interval(evidence) for seat in SEAT_NAMES]
    different = [cell.distinct for each in duels.of(CHAIN) for cell in evidence.cells(each.match)]
    return {
        "bouts": {question.replace(" ", "_"): number for question, number in duels.GAMES.items()},
        "differences": known_gains,
        "by_luck": f"{known_gains / 20:.0f}",
        "questions": [asked(rows, name) for name, rows in of_questions.items()],
        "nearness": near,
        "nearest": min(near, key=lambda name: near[name].mean(evidence)),
        "farthest": max(near, key=lambda name: near[name].mean(evidence)),
        **what_it_lacks(evidence),
        "traces": questions.kinds_of_traces(evidence.experiments[TRACES]).ours,
        **rest(evidence),
        "settled": settled,
        "rare": sign(-settled.with_frequency),
        "alike": sign(settled.with_inflation),
        "averaged": beside({each: score(AVERAGING, variant=each) for each in duels.WEIGHTS}, evidence),
        "early": early,
        "late": late,
        "beside_marks": beside_marks,
        "weakens": is_below(CHANGE.interval(evidence), 0.0),
        "change": CHANGE,
        "both_ways": min(changes) < 0.0 < max(changes),
        "progress": progress,
        "early_is_best": every(is_above(more.interval(evidence), 0.0) for more in EARLY_IS_BETTER.values()),
        "stages": [(SEAT_NAMES[seat], marks[other], more) for (seat, other), more in EARLY_IS_BETTER.items()],
        "enough": extent([further.enough(evidence, each) for each in evidence.trainings(OWN)], ","),
        "ends_together": beside(further.END_SCORES, evidence),
        "holding": "; ".join(holding(name, evidence) for name in STRONGER),
        "chains_together": beside({name: score(CHAIN, variant=name) for name in STRONGER}, evidence),
        "different": extent(different, "d"),
        "treated_games": TREATED,
        "treated": TREATMENTS,
        "won_starving": f"{np.mean(starving):.0%}" if starving else "",
        "stuffs": is_above(further.STUFFS_MORE.interval(evidence), 0.0),
        "stuffs_more": further.STUFFS_MORE,
        "swinging": [has_no_effect(how).judge(evidence).answer for how in CHANGES],
        "drawn_value": further.DRAWN_VALUE,
        "draws_together": beside(further.DRAW_SCORES, evidence),
        "searched": SEARCHED,
        "search_games": games,
        "generations": len(elite),
        "last": LAST,
        "search_beats": all(is_above(found[seat], each.high) for seat, each in zip(SEAT_NAMES, last, strict=True)),
        "boards": [
            {"name": each, "about": boards.about(evidence, each), "rows": [*boards.judged(evidence, each)]}
            for each in (*boards.SMALL, boards.LARGE)
        ],
    }


# Files.


def answers(evidence: Evidence) -> Iterator[tuple[str, str, str, Figure]]:
    """Yield the answers to the open questions: topic, variant, description, and measured value."""
    for variant, far in nearness(evidence).items():
        yield "weights", variant, far.words, far
    settled = further.settled(evidence)
    for name, correlation in (("frequency", settled.with_frequency), ("inflation", settled.with_inflation)):
        yield "settling", "", f"correlation of swing and {name}", known("", NUMBER, [correlation])
    marks = evidence.marks(OWN)
    for (seat, other), more in EARLY_IS_BETTER.items():
        pair = f"after {marks[EARLY]} and after {marks[other]} games"
        yield "stages", pair, f"lead in score of the first as {SEAT_NAMES[seat]}", more
    player = f"theta5 in {TREATED} games against greedy5"
    for name, figure in TREATMENTS.items():
        yield "treatment", player, name, figure
    yield "treatment", player, "learned value of positions of drawn games", further.DRAWN_VALUE
    if further.WON_STARVING.values(evidence):
        yield "treatment", player, "won_starving", further.WON_STARVING
    for name, figure in further.ENOUGH.items():
        yield "opponents", name, figure.words, figure
    for name, field, how in product(sorted(SWINGING), FIELDS, CHANGES):
        yield "ablation", f"{name} {how}", f"change of its {field}", gain(field, name, how)
    for who, figure in SEARCHED.items():
        yield "direct search", f"{further.searched(evidence)[1]} games", f"games won as {who}", figure


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


def answer_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each of the `answers`: the measured value with its interval."""
    return [
        {"about": about, "variant": variant, "figure": words, "value": value, "low": low, "high": high}
        for about, variant, words, figure in answers(evidence)
        for value, low, high in [figure.interval(evidence).row("").values()]
    ]


def step_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each step size, with the range of the weights at the end of training."""
    return [
        {
            "alpha": each.values["alpha"],
            "size": mean_alpha(evidence, each),
            **swing_of(each).interval(evidence).row("swing"),
        }
        for each in variants(evidence, STEPS)
    ]


def course_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each training run: its change of score, and the number of games that it needs."""
    early, late, _ = further.between(evidence)
    seeds = zip(CHANGE.values(evidence), evidence.trainings(OWN), strict=True)
    return [
        {"seed": i, "from_games": early, "to_games": late, "change": change, "enough": further.enough(evidence, each)}
        for i, (change, each) in enumerate(seeds, 1)
    ]


def search_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each generation of the direct search for weights."""
    _, _, elite = further.searched(evidence)
    return [{"generation": number, "elite": each} for number, each in enumerate(elite, 1)]


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
        "answers": answer_rows,
        "settling": lambda evidence: [row._asdict() for row in further.settled(evidence).rows],
        "steps": step_rows,
        "course": course_rows,
        "duels": duels.rows,
        "search": search_rows,
        "regret": lambda evidence: evidence.rows()["regret"],
    },
    templates=("open.md",),
)
"""The part of the report that only the scale `all` has."""
