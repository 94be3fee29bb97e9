"""Standard statistics of matches, learning curves, weights, and single training runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from petteia.arena.statistics import Interval, interval_of
from petteia.core.arrays import Floats
from petteia.experiments.results import CellResult
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.training import Training
from petteia.reports.engine.cells import score_of
from petteia.reports.engine.estimates import SHARE, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.engine.settings import Match, Setting

Part = Literal["score", "won", "drawn", "lost"]
RESULTS: tuple[Part, ...] = ("won", "drawn", "lost")
WORDS: dict[Part, str] = {"score": "the score", **{part: f"the share of games {part}" for part in RESULTS}}


def part_of(cell: Cell, part: Part) -> float:
    """Return the share of the games of a match that were won, drawn or lost, or the score."""
    return cell.score if part == "score" else cell.counts[RESULTS.index(part)] / cell.games


def of_match(match: Match, part: Part = "score", words: str = "") -> Figure:
    """Return the score of the subject of a match, or its share of games won, drawn or lost.

    The returned `Figure` has a value for each training run. If no player of the match has learned, it has an interval
    instead.
    """

    def figure(part: Part, words: str, others: tuple[Figure, ...] = ()) -> Figure:
        def of(evidence: Evidence) -> Values | Interval:
            cells = evidence.cells(match)
            if match.agents:
                return [part_of(cell, part) for cell in cells]
            if part == "score":
                return score_of(cells[0])
            share, games = part_of(cells[0], part), cells[0].games
            return interval_of(share, games * share * (1.0 - share), games)

        return Figure(words, SHARE, of, match.words, lambda evidence: evidence.cells(match)[0].games, others=others)

    others = () if part == "score" else tuple(figure(each, "") for each in RESULTS if each != part)
    return figure(part, words or WORDS[part], others)


def of_each(
    words: str,
    unit: Unit,
    setting: Setting,
    value: Callable[[Evidence, Training], float],
    *,
    subject: str | None = None,
) -> Figure:
    """Return a `Figure` with the result of `value` for each training run of a setting."""

    def of(evidence: Evidence) -> Values:
        return [float(value(evidence, each)) for each in evidence.trainings(setting)]

    return Figure(words, unit, of, setting.words if subject is None else subject)


def of_curves(words: str, unit: Unit, measure: Callable[[CellResult], Values]) -> Callable[[Setting], Figure]:
    """Return a function that makes a `Figure` from the learning curves of a setting, one value per training run."""
    return lambda setting: Figure(words, unit, lambda evidence: measure(evidence.cell(setting)), setting.words)


def of_weights(words: str, unit: Unit, setting: Setting, measure: Callable[[Floats], Values]) -> Figure:
    """Return a `Figure` with the result of `measure` for the final weights of the training runs of a setting.

    The function `measure` gets the final weights as float64[training runs, weights].
    """
    return Figure(words, unit, lambda evidence: measure(evidence.weights(setting)), setting.words)
