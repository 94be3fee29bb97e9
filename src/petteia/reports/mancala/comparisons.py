"""The tables of the report cell by cell beside ours: what it prints, what was found, and whether they agree.

Whether a printed cell agrees is told by the exact test of `petteia.experiments.tournament.comparison`, from its number
of games and ours: `fits` agrees, `misfit` differs, and what is doubtful cannot be told. The report's theta is another
training than ours, so its cells may differ though nothing is wrong; that is what the spread over seeds is shown for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.results import Cell
from petteia.reports.mancala.evidence import LOOKING, OPPONENTS, SEATS, THETA, Evidence, turned
from petteia.reports.mancala.published import (
    LAMBDA,
    PROGRESS,
    STAGE_GAMES,
    STAGES,
    THETA_FIRST,
    THETA_GAMES,
    THETA_SECOND,
    Printed,
)
from petteia.reports.verdicts import AGREES, DIFFERS, UNTOLD

VERDICTS = {"fits": AGREES, "doubtful": UNTOLD, "misfit": DIFFERS}


class Compared(NamedTuple):
    """A cell of a table."""

    table: str
    row: str
    column: str
    ours: Cell
    printed: Printed | None
    """what the report has; None where it has nothing"""
    printed_games: int
    p_value: float | None
    verdict: str | None

    def figures(self) -> dict[str, Any]:
        """The row of tables.csv."""
        ours = self.ours._asdict()
        names = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
        printed = self.printed
        return {
            "table": self.table,
            "first": self.row,
            "second": self.column,
            **{name: ours[name] for name in names},
            "printed_wins": None if printed is None else printed.wins,
            "printed_draws": None if printed is None else printed.draws,
            "printed_games": self.printed_games or None,
            "p_value": self.p_value,
            "verdict": self.verdict,
        }


class Wanted(NamedTuple):
    """A cell that is to be compared."""

    row: str
    column: str
    ours: Cell
    printed: Printed | None
    games: int


def compare(table: str, wanted: Sequence[Wanted]) -> list[Compared]:
    """The cells of a table, held against what the report prints."""
    known = sum(each.printed is not None for each in wanted)
    found = []
    for row, column, ours, printed, games in wanted:
        if printed is None:
            found.append(Compared(table, row, column, ours, None, 0, None, None))
            continue
        likely = agreement(ours.counts, printed.counts(games))
        verdict = VERDICTS[likely.verdict(known)]
        found.append(Compared(table, row, column, ours, printed, games, likely.p_value, verdict))
    return found


def baselines(evidence: Evidence) -> list[Compared]:
    """The seven players that do not learn."""
    names = ("random", *OPPONENTS)
    pairs = [(row, column) for row in names for column in names]
    found = []
    for pair, each in zip(pairs, evidence.baselines.compared, strict=True):
        games = sum(each.published)
        printed = Printed(*(100 * count / games for count in each.published[:2]))
        verdict = VERDICTS[each.verdict]
        found.append(Compared("baselines", *pair, each.cell, printed, games, each.agreement.p_value, verdict))
    return found


def theta_first(evidence: Evidence) -> list[Compared]:
    """Theta1..5 against those that do not learn."""
    return compare("theta-first", list(_table(evidence, THETA, OPPONENTS, THETA_FIRST)))


def theta_second(evidence: Evidence) -> list[Compared]:
    """All against theta1..5."""
    return compare("theta-second", list(_table(evidence, (*OPPONENTS, *THETA), THETA, THETA_SECOND)))


def _table(
    evidence: Evidence, rows: Sequence[str], columns: Sequence[str], printed: Sequence[Sequence[Printed]]
) -> Iterator[Wanted]:
    for row, line in zip(rows, printed, strict=True):
        for column, cell in zip(columns, line, strict=True):
            yield Wanted(row, column, evidence.met(row, column), cell, THETA_GAMES)


def stages(evidence: Evidence) -> list[Compared]:
    """The five stages of the agent against each other."""
    names, marks, wanted = evidence.mark_words(), evidence.marks, []
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            if i != j:
                ours = evidence.matches[evidence.bouts.stage(evidence.agent, marks[i], marks[j])]
                wanted.append(Wanted(row, column, ours, STAGES[i][j], STAGE_GAMES))
    return compare("stages", wanted)


def progress(evidence: Evidence) -> list[Compared]:
    """Theta1 of the agent against greedy1, at the five marks and in both seats; figures are theta's."""
    wanted = []
    for mark, name, line in zip(evidence.marks, evidence.mark_words(), PROGRESS, strict=True):
        for seat, printed in zip(SEATS, line, strict=True):
            ours = evidence.progress(evidence.agent, mark, seat)
            wanted.append(Wanted(f"theta1 at {name}", ("as first", "as second")[seat], ours, printed, STAGE_GAMES))
    return compare("progress", wanted)


def traces(evidence: Evidence) -> list[Compared]:
    """Lambda 0 against 0.15, of the first seed; figures are those of lambda 0."""
    wanted = []
    for depth in LOOKING:
        games, *line = LAMBDA[depth]
        for seat, printed in zip(SEATS, line, strict=True):
            ours = turned(evidence.matches[evidence.bouts.traces(0, depth, seat)], seat)
            wanted.append(
                Wanted(f"depth {depth}", ("lambda 0 starts", "lambda 0.15 starts")[seat], ours, printed, games)
            )
    return compare("lambda", wanted)


def opened(evidence: Evidence) -> list[Compared]:
    """All against all from random openings, both sides: R has no such table."""
    names = (*OPPONENTS, *THETA)
    pairs = [(row, column) for row in names for column in names if row != column]
    return compare("openings", [Wanted(*pair, evidence.balanced(*pair), None, 0) for pair in pairs])


TABLES: dict[str, Callable[[Evidence], list[Compared]]] = {
    "baselines": baselines,
    "progress": progress,
    "theta-first": theta_first,
    "theta-second": theta_second,
    "stages": stages,
    "lambda": traces,
    "openings": opened,
}
"""The tables by name."""
