"""Charts of values with confidence intervals, one below the other, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petteia.render.charts import PALETTE, drawing, svg_element, wrapped

ROW_INCHES, REST_INCHES = 0.34, 1.2
LETTER_INCHES, SHORT = 0.09, 40
"""The width of a letter of a label in inches, and the maximum number of letters for which the chart keeps its width."""


@dataclass(frozen=True)
class Measured:
    """A row of an interval chart: a label, and a value with its confidence interval. Missing numbers are None."""

    label: str
    value: float | None
    low: float | None
    high: float | None


def interval_chart(rows: Sequence[Measured], title: str, x_label: str, *, width: float = 8.0) -> str:
    """Draw points with their intervals as an SVG element. The output is deterministic.

    Args:
        rows: the values, from the top; an interval without a bound ends in an arrow at the edge
        title: the title above the chart
        x_label: the quantity, with its unit
        width: the approximate width in inches

    Raises:
        PetteiaError: matplotlib is not installed
        ValueError: there is no row

    """
    if not rows:
        raise ValueError("a chart needs at least one row")
    known = [each for row in rows for each in (row.value, row.low, row.high) if each is not None] or [0.0]
    room = 0.06 * (max(known) - min(known)) or 1.0
    left, right = min(known) - room, max(known) + room
    with drawing() as new_figure:
        further = LETTER_INCHES * max(0, max(len(row.label) for row in rows) - SHORT)
        figure = new_figure(width + further, ROW_INCHES * len(rows) + REST_INCHES)
        axes = figure.add_subplot()
        for place, row in enumerate(rows):
            low, high = left if row.low is None else row.low, right if row.high is None else row.high
            axes.plot((low, high), (place, place), color=PALETTE[0], linewidth=1.6)
            if row.value is not None:
                axes.plot(row.value, place, "o", color=PALETTE[0], markersize=6)
            for bound, edge, sign in ((row.low, left, "<"), (row.high, right, ">")):
                if bound is None:
                    axes.plot(edge, place, sign, color=PALETTE[0], markersize=6, clip_on=False)
        axes.set_yticks(range(len(rows)), [row.label for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(left, right)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(wrapped(x_label, width))
        axes.set_title(wrapped(title, width), loc="left", fontsize=13)
        return svg_element(figure, title)
