"""The tables of the page: the report's cell by cell beside ours, and rows of what else is told of trainings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.matches import shown as per_cent
from petteia.features.kalah_potentials import POTENTIALS
from petteia.learned.report_weights import report_weights
from petteia.reports.engine.cells import (
    Beside,
    Compared,
    ComparedTable,
    judge_table,
    of_trainings,
)
from petteia.reports.engine.estimates import NUMBER
from petteia.reports.engine.figures import Figure, average
from petteia.reports.engine.printed import Printed, PrintedTable
from petteia.reports.mancala import figures, plan, published
from petteia.reports.mancala.drawings import COLUMNS, REST
from petteia.reports.mancala.evidence import Evidence, authors, six_stones, stage, traces
from petteia.reports.mancala.figures import balanced, met, of, second_met, wins
from petteia.reports.mancala.plan import (
    BASIC,
    LOOKING,
    LOWER,
    OPPONENTS,
    OWN,
    PLAYERS,
    READINGS,
    SEAT_WORDS,
    SEATS,
    THETA,
    learns,
)
from petteia.reports.mancala.published import SWINGING, progress

Row = list[str | Figure | Beside]

# The report's tables, and that of random openings, which it does not have.


def compared(evidence: Evidence) -> dict[str, ComparedTable]:
    """All of them, by name."""
    learned = {name: judge_table(cells, evidence.is_judged) for name, cells in of_learned(evidence).items()}
    return {
        "baselines": judge_table(baselines(evidence)),
        **learned,
        **{
            name: judge_table(authored(evidence, seat)) for seat, name in enumerate(("authors-first", "authors-second"))
        },
        "six": judge_table(six(evidence)),
        "openings": judge_table(openings(evidence)),
    }


def baselines(evidence: Evidence) -> list[Compared]:
    """Players that do not learn, each against each."""
    compared = []
    for (row, column), each in zip(product(BASIC, repeat=2), evidence.baselines.compared, strict=True):
        wins, draws, _ = (100.0 * count / sum(each.published) for count in each.published)
        printed = Printed(wins, draws, sum(each.published))
        compared.append(Compared("baselines", row, column, each.cell, (), printed))
    return compared


@dataclass(frozen=True)
class Authored(Compared):
    """A cell of the authors' own player, beside what is printed and what further trainings come to."""

    further: str = ""
    """what these come to"""

    @property
    def notes(self) -> list[str]:
        """What a cell unfolds."""
        return [*super().notes, self.further]


def authored(evidence: Evidence, seat: int) -> list[Authored]:
    """Theta by the weights that the report prints, in this seat, against those that do not learn."""
    pairs = [*product(THETA, OPPONENTS)] if seat == 0 else [*product(OPPONENTS, THETA)]
    name, printed = (("authors-first", published.THETA_FIRST), ("authors-second", published.THETA_SECOND))[seat]
    further = (f"trainings {met(*pair).text(evidence)}" for pair in pairs)
    return [
        Authored(name, *pair, evidence.matches[authors(evidence, *pair)], (), printed.cells[pair], None, words)
        for pair, words in zip(pairs, further, strict=True)
    ]


def far_off(evidence: Evidence) -> list[Row]:
    """Results far from print by the printed weights: both, and how much drawing vectors changes in our trainings."""
    printed = published.THETA_FIRST.cells | published.THETA_SECOND.cells
    return [
        [
            f"{first}-{second}",
            printed[first, second].text,
            per_cent(evidence.matches[authors(evidence, first, second)]),
            figures.drawing(first, second),
        ]
        for first, second in plan.FAR_OFF
    ]


def six(evidence: Evidence) -> list[Compared]:
    """Players that do not learn, each against each, with six stones a pit."""
    return [Compared("six", a, b, evidence.six[six_stones(evidence, a, b)]) for a, b in product(BASIC, repeat=2)]


def of_learned(evidence: Evidence) -> dict[str, list[Compared]]:
    """The tables of those that learn."""
    marks, words, trainings = evidence.marks, evidence.mark_words(), evidence.trainings()

    def table(
        name: str,
        rows: Sequence[str],
        columns: Sequence[str],
        ours: Callable[[int, int], Sequence[Cell]],
        printed: Callable[[int, int], Printed | None],
        nobody: Iterable[tuple[str, str]] = (),
    ) -> list[Compared]:
        """A cell for each row and column, but where nobody plays; what is ours and what is printed by their numbers."""
        return [
            of_trainings(name, row, column, ours(i, j), printed(i, j))
            for i, row in enumerate(rows)
            for j, column in enumerate(columns)
            if (row, column) not in nobody
        ]

    def of_theta(name: str, known: PrintedTable) -> list[Compared]:
        rows, columns = known.rows, known.columns
        return table(
            *(name, rows, columns),
            lambda i, j: evidence.met(rows[i], columns[j]),
            lambda i, j: known.cells[rows[i], columns[j]],
        )

    return {
        "progress": table(
            *("progress", [f"theta1 at {each}" for each in words], SEAT_WORDS),
            lambda i, seat: [evidence.progress(each, marks[i], seat) for each in trainings],
            progress,
        ),
        "theta-first": of_theta("theta-first", published.THETA_FIRST),
        "theta-second": of_theta("theta-second", published.THETA_SECOND),
        "stages": table(
            *("stages", words, words),
            lambda i, j: [evidence.matches[stage(evidence, each, marks[i], marks[j])] for each in trainings],
            published.stage,
            [*zip(words, words, strict=True)],
        ),
        "lambda": table(
            *("lambda", [f"depth {depth}" for depth in LOOKING], ["lambda 0 starts", "lambda 0.15 starts"]),
            lambda i, seat: [
                evidence.seen_by(traces(evidence, seed, LOOKING[i], seat), seat)
                for seed in range(len(evidence.trainings(plan.TRACES)))
            ],
            lambda i, seat: published.LAMBDA[LOOKING[i], seat],
        ),
    }


def openings(evidence: Evidence) -> list[Compared]:
    """All from random openings."""
    compared = []
    for row, column in permutations(PLAYERS, 2):
        cells = evidence.balanced(row, column)
        if learns(row, column):
            compared.append(of_trainings("openings", row, column, cells, None))
        else:
            compared.append(Compared("openings", row, column, cells[0]))
    return compared


def changed_signs(evidence: Evidence) -> list[tuple[str, str, Interval, Interval]]:
    """Pairs of whom another is better from random openings than in the table, both clearly, with both scores."""
    pairs = []
    for one, other in combinations(PLAYERS, 2):
        seats = [met(one, other), second_met(other, one)]
        fixed = (average("", seats) if learns(one, other) else figures.mean_of("", seats)).interval(evidence)
        free = balanced(one, other).interval(evidence)
        if (fixed.low > 0.5 and free.high < 0.5) or (fixed.high < 0.5 and free.low > 0.5):
            pairs.append((one, other, fixed, free))
    return pairs


def circles(evidence: Evidence) -> list[tuple[str, str, str]]:
    """Who beats one who beats a third that beats him, from random openings, all clearly."""
    better = {pair for pair in permutations(PLAYERS, 2) if balanced(*pair).interval(evidence).low > 0.5}
    return [
        (a, b, c) for a, b, c in permutations(PLAYERS, 3) if a == min(a, b, c) and {(a, b), (b, c), (c, a)} <= better
    ]


# Rows of trainings.


def in_course(side: str) -> list[Beside]:
    """The ten figures of progress by a reading, beside the report's."""
    return [
        Beside(wins("", of(READINGS, side=side), seat, number), printed.wins / 100.0, printed.games)
        for number in range(len(published.PROGRESS.rows))
        for seat in SEATS
        for printed in [progress(number, seat)]
    ]


def distance(evidence: Evidence, side: str) -> float:
    """How far the means of a reading are from the report's ten figures of progress, in the mean."""
    return float(np.mean([abs(each.figure.mean(evidence) - each.printed) for each in in_course(side)]))


def readings(evidence: Evidence) -> list[Row]:
    """Games won by theta1 against greedy1 in the course of training, by both readings."""
    names = [
        [f"{words}, {SEAT_WORDS[seat]}", progress(number, seat).text]
        for number, words in enumerate(evidence.mark_words())
        for seat in SEATS
    ]
    return [[*name, *cells] for name, *cells in zip(names, *map(in_course, plan.READING_WORDS), strict=True)]


def weight(number: int, side: str = OWN) -> Beside:
    """A weight of the trainings of a reading, beside the report's."""
    figure = Figure("", NUMBER, lambda evidence: evidence.weights(READINGS, side=side)[:, number])
    return Beside(figure, float(report_weights()[number]))


def weights(side: str) -> list[Row]:
    """The weights of a reading in the order of the report: its four columns."""
    starts = [start for _, start in COLUMNS.values()]
    return [[name, *(weight(start + i, side) for start in starts)] for i, name in enumerate(POTENTIALS)]


def rest(side: str) -> Row:
    """The other four weights of a reading."""
    return [weight(number, side) for number in REST]


def plain(name: str) -> str:
    """The name of a weight in words: R's lower side is South, its upper one North."""
    mover, _, rest = name.replace("south", "lower").replace("north", "upper").partition(".")
    return name if not rest else f"{mover.replace('_', ' ')}: {rest.replace('.', ' ')}"


def unsettled(evidence: Evidence) -> list[Row]:
    """The weights that still swing at the end, in print or here."""
    return [
        [plain(name), "yes" if name in SWINGING else "no", f"{count} of {evidence.seeds}"]
        for name, count in figures.swinging(evidence).items()
        if name in SWINGING or count
    ]


def lower_only() -> list[Row]:
    """Learners that were always lower, beside those that learned on both sides: as first, and as second."""
    own, same, lower = (of(name, side=side) for name, side in ((READINGS, OWN), (LOWER, "random"), (LOWER, "south")))
    return [
        ["both sides, against itself", wins("", own, 0), Beside(wins("", own, 1), published.BOTH_SIDES)],
        ["both sides, the opponent of the next", wins("", same, 0), wins("", same, 1)],
        ["always lower", wins("", lower, 0), Beside(wins("", lower, 1), published.LOWER_ONLY)],
    ]


def stage_means(evidence: Evidence) -> list[Row]:
    """The mean score of each stage against the others, over all seeds: as first, and as second."""
    numbers, rows = range(len(evidence.marks)), list[Row]()
    for number, words in enumerate(evidence.mark_words()):
        first = [each.score for j in numbers if (each := published.stage(number, j))]
        second = [1.0 - each.score for j in numbers if (each := published.stage(j, number))]
        printed = zip(SEATS, (first, second), strict=True)
        cells = (Beside(figures.of_stage(number, seat), float(np.mean(scores))) for seat, scores in printed)
        averages = (published.AVERAGES.cells[published.AVERAGES.rows[number], each].text for each in ("row", "column"))
        rows.append([words, *cells, *averages])
    return rows


def chains() -> list[Row]:
    """Scores of those that learned by whole turns, and by plies, in each seat and in both, against each opponent."""
    return [
        [f"{words}, {seat}", *(figures.chain_score("", some, name, seats) for name in BASIC)]
        for words, some in figures.TAUGHT.items()
        for seat, seats in ((SEAT_WORDS[0], (0,)), (SEAT_WORDS[1], (1,)), ("both seats", SEATS))
    ]
