"""The tables of the page: the report's cell by cell beside ours, and what else is told of trainings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.results import Cell
from petteia.features.kalah_potentials import POTENTIALS
from petteia.learned.report_weights import report_weights
from petteia.reports.engine.cells import VERDICTS, Compared, compare_learned, compare_matches
from petteia.reports.engine.claims import AGREES, NOT_JUDGED, Answer, could_be, verdict_of
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.figures import Figure, average
from petteia.reports.engine.matches import is_one_game
from petteia.reports.engine.parts import Html, table, unfolding
from petteia.reports.engine.printed import Printed, PrintedTable
from petteia.reports.mancala.drawings import COLUMNS, REST
from petteia.reports.mancala.evidence import (
    LOOKING,
    LOWER,
    OPPONENTS,
    OWN,
    PLAYERS,
    READING_WORDS,
    READINGS,
    SEATS,
    TRACES,
    Evidence,
    learns,
    stage,
    traces,
)
from petteia.reports.mancala.figures import (
    ALWAYS_LOWER_WINS,
    BY_CHAINS,
    BY_PLIES,
    SAME_OPPONENT_WINS,
    SEAT_WORDS,
    Some,
    balanced,
    mean_of,
    met,
    of,
    of_stage,
    second_met,
    swinging,
    weight_names,
    wins,
)
from petteia.reports.mancala.published import (
    BOTH_SIDES,
    LAMBDA,
    LOWER_ONLY,
    PROGRESS,
    SWINGING,
    THETA_FIRST,
    THETA_SECOND,
    progress,
)
from petteia.reports.mancala.published import stage as printed_stage

# The report's tables.


def compared(evidence: Evidence) -> dict[str, list[Compared]]:
    """All of them, by name, and that of random openings, which the report does not have."""
    return {
        "baselines": _baselines(evidence),
        "progress": _progress(evidence),
        "theta-first": _met(evidence, "theta-first", THETA_FIRST),
        "theta-second": _met(evidence, "theta-second", THETA_SECOND),
        "stages": _stages(evidence),
        "lambda": _traces(evidence),
        "openings": _openings(evidence),
    }


def _baselines(evidence: Evidence) -> list[Compared]:
    names = ("random", *OPPONENTS)
    pairs, found = [(row, column) for row in names for column in names], []
    for pair, each in zip(pairs, evidence.baselines.compared, strict=True):
        games = sum(each.published)
        wins, draws, _ = (100.0 * count / games for count in each.published)
        printed = Printed(wins, draws, games)
        found.append(Compared("baselines", *pair, each.cell, (), printed, VERDICTS[each.verdict]))
    return found


def _learned(
    evidence: Evidence, name: str, row: str, column: str, cells: Sequence[Cell], printed: Printed | None
) -> Compared:
    found = compare_learned(name, row, column, cells, printed)
    return found if evidence.is_judged or printed is None else found._replace(verdict=NOT_JUDGED)


def verdict(figure: Figure, evidence: Evidence, printed: float) -> str:
    """Whether a further training could have a printed figure, where the scale allows to ask."""
    return verdict_of(could_be(figure, evidence, printed)) if evidence.is_judged else NOT_JUDGED


def _met(evidence: Evidence, name: str, printed: PrintedTable) -> list[Compared]:
    return [
        _learned(evidence, name, row, column, evidence.met(row, column), printed.cells[row, column])
        for row in printed.rows
        for column in printed.columns
    ]


def _progress(evidence: Evidence) -> list[Compared]:
    found = []
    for number, words in enumerate(evidence.mark_words()):
        for seat in SEATS:
            cells = [evidence.progress(each, evidence.marks[number], seat) for each in evidence.trainings()]
            found.append(
                _learned(evidence, "progress", f"theta1 at {words}", SEAT_WORDS[seat], cells, progress(number, seat))
            )
    return found


def _stages(evidence: Evidence) -> list[Compared]:
    words, marks, found = evidence.mark_words(), evidence.marks, []
    for i, row in enumerate(words):
        for j, column in enumerate(words):
            if i != j:
                cells = [evidence.matches[stage(evidence, each, marks[i], marks[j])] for each in evidence.trainings()]
                found.append(_learned(evidence, "stages", row, column, cells, printed_stage(i, j)))
    return found


def _traces(evidence: Evidence) -> list[Compared]:
    seeds, found = range(len(evidence.trainings(TRACES))), []
    for depth in LOOKING:
        for seat, starts in zip(SEATS, ("lambda 0 starts", "lambda 0.15 starts"), strict=True):
            cells = [evidence.seen_by(traces(evidence, seed, depth, seat), seat) for seed in seeds]
            found.append(_learned(evidence, "lambda", f"depth {depth}", starts, cells, LAMBDA[depth, seat]))
    return found


def _openings(evidence: Evidence) -> list[Compared]:
    found = []
    for row in PLAYERS:
        for column in PLAYERS:
            if row != column and learns(row, column):
                found.append(compare_learned("openings", row, column, evidence.balanced(row, column), None))
            elif row != column:
                found += compare_matches("openings", [(row, column, evidence.balanced(row, column)[0], None)])
    return found


def certain_cells(tables: dict[str, list[Compared]]) -> list[str]:
    """The matches that are one game, again and again."""
    return [f"{each.row}-{each.column}" for each in tables["baselines"] if is_one_game(each.ours)]


def changed_signs(evidence: Evidence) -> list[tuple[str, str, Interval, Interval]]:
    """Pairs of whom another is better from random openings than in the table, both clearly, with both scores."""
    found = []
    for one, other in combinations(PLAYERS, 2):
        seats = [met(one, other), second_met(other, one)]
        fixed = (average("", seats) if learns(one, other) else mean_of("", seats)).interval(evidence)
        free = balanced(one, other).interval(evidence)
        if (fixed.low > 0.5 and free.high < 0.5) or (fixed.high < 0.5 and free.low > 0.5):
            found.append((one, other, fixed, free))
    return found


def circles(evidence: Evidence) -> list[tuple[str, str, str]]:
    """Who beats one who beats a third that beats him, from random openings, all clearly."""
    better = {(a, b): balanced(a, b).interval(evidence).low > 0.5 for a in PLAYERS for b in PLAYERS if a != b}
    return [
        (a, b, c)
        for a in PLAYERS
        for b in PLAYERS
        for c in PLAYERS
        if a == min(a, b, c) and len({a, b, c}) == 3 and better[a, b] and better[b, c] and better[c, a]
    ]


# Trainings.


def ranged(figure: Figure, evidence: Evidence, printed: float | None = None) -> Html:
    """A figure, which unfolds its range and what is printed, and whether a further training could have that."""
    notes = [figure.range_text(evidence)]
    found = None
    if printed is not None:
        notes.insert(0, f"printed {figure.unit.text(printed)}")
        found = verdict(figure, evidence, printed)
    return unfolding(figure.unit.text(figure.mean(evidence)), notes, found)


def readings(evidence: Evidence) -> Html:
    """Games won by theta1 against greedy1 in the course of training, by both readings."""
    rows = []
    for number, words in enumerate(evidence.mark_words()):
        for seat in SEATS:
            printed = progress(number, seat)
            cells = [
                ranged(wins("", of(READINGS, side=side), seat, number), evidence, printed.wins / 100.0)
                for side in READING_WORDS
            ]
            rows.append([f"{words}, {SEAT_WORDS[seat]}", printed.text, *cells])
    return table(["games", "printed (wins/draws)", *READING_WORDS.values()], rows)


def inside(evidence: Evidence, side: str) -> list[Answer]:
    """For each of the ten figures of progress, whether a further training of this reading could have it."""
    return [
        could_be(wins("", of(READINGS, side=side), seat, number), evidence, progress(number, seat).wins / 100.0)
        for number in range(len(PROGRESS.rows))
        for seat in SEATS
    ]


def distance(evidence: Evidence, side: str) -> float:
    """How far the means of a reading are from the report's ten figures of progress, in the mean."""
    return float(
        np.mean(
            [
                abs(
                    wins("", of(READINGS, side=side), seat, number).mean(evidence) - progress(number, seat).wins / 100.0
                )
                for number in range(len(PROGRESS.rows))
                for seat in SEATS
            ]
        )
    )


def weight(number: int, side: str = OWN) -> Figure:
    """A weight of the trainings of a reading."""
    return Figure("", NUMBER, lambda evidence: evidence.weights(READINGS, side=side)[:, number].tolist())


def weights(evidence: Evidence, side: str) -> Html:
    """The weights of a reading in the order of the report: its four columns, and the other four."""

    def cell(number: int) -> Html:
        return ranged(weight(number, side), evidence, float(report_weights()[number]))

    columns = list(COLUMNS.values())
    rows = [[name, *(cell(start + i) for _, start in columns)] for i, name in enumerate(POTENTIALS)]
    four = table(["", *(title for title, _ in columns)], rows)
    return Html(f"{four}\n{table(list(REST.values()), [[cell(number) for number in REST]])}")


def weights_inside(evidence: Evidence) -> str:
    """How many of the report's weights a further training could have."""
    printed = report_weights()
    found = Counter(verdict(weight(number), evidence, float(value)) for number, value in enumerate(printed))
    return f"{found[AGREES]} of {len(printed)}"


def plain(name: str) -> str:
    """The name of a weight in words: R's lower side is South, its upper one North."""
    mover, _, rest = name.replace("south", "lower").replace("north", "upper").partition(".")
    return name if not rest else f"{mover.replace('_', ' ')}: {rest.replace('.', ' ')}"


def unsettled(evidence: Evidence) -> Html:
    """The weights that still swing at the end, in print or here."""
    counts = swinging(evidence)
    rows = [
        [plain(name), "yes" if name in SWINGING else "no", f"{counts[name]} of {evidence.seeds}"]
        for name in weight_names(evidence)
        if name in SWINGING or counts[name]
    ]
    return table(["weight", "in R's list", "trainings in which it swings"], rows)


def lower_only(evidence: Evidence) -> Html:
    """Learners that were always lower, beside those that learned on both sides."""
    kinds: Sequence[tuple[str, Some, Figure, float | None]] = (
        ("both sides, against itself", of(READINGS, side=OWN), wins("", of(READINGS, side=OWN), 1), BOTH_SIDES),
        ("both sides, the opponent of the next", of(LOWER, side="random"), SAME_OPPONENT_WINS, None),
        ("always lower", of(LOWER, side="south"), ALWAYS_LOWER_WINS, LOWER_ONLY),
    )
    rows = [
        [words, ranged(wins("", some, 0), evidence), ranged(second, evidence, printed)]
        for words, some, second, printed in kinds
    ]
    return table(["learned on", *SEAT_WORDS], rows)


def stage_means(evidence: Evidence) -> Html:
    """The mean score of each stage against the others, over all seeds."""
    numbers = range(len(evidence.marks))
    rows = []
    for number, words in enumerate(evidence.mark_words()):
        cells = []
        for seat in SEATS:
            others = [printed_stage(*((number, j) if seat == 0 else (j, number))) for j in numbers if j != number]
            scores = [each.score for each in others if each is not None]
            mean = sum(scores) / len(scores)
            cells.append(ranged(of_stage(number, seat), evidence, mean if seat == 0 else 1.0 - mean))
        rows.append([words, *cells])
    return table(["games", *SEAT_WORDS], rows)


def chains(evidence: Evidence) -> Html:
    """Who learned by whole turns, beside who learned by plies."""
    kinds = (("by plies", BY_PLIES), ("by whole turns", BY_CHAINS))
    rows = [[words, *(ranged(each, evidence) for each in figures.values())] for words, figures in kinds]
    return table(["learned", *BY_PLIES], rows)


def score_text(found: Interval) -> str:
    """A share in words, with its interval."""
    return f"{SHARE.text(found.mean)} ({SHARE.text(found.low)} to {SHARE.text(found.high)})"
