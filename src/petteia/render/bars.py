"""Stacked bar charts of shares that add up to 100 %, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petteia.render.charts import drawing, svg_element, wrapped

COLOURS = ("#0072B2", "#BBBBBB", "#D55E00", "#E69F00", "#56B4E9")
"""The colours of the parts, in the order of the parts."""
BAR_INCHES, REST_INCHES = 0.38, 1.2
SMALLEST_WRITTEN = 0.04
"""The smallest share whose part of the bar is large enough to show the number."""


@dataclass(frozen=True)
class Bar:
    """A bar of a chart: the label, and the shares of the parts, which add up to 1."""

    label: str
    shares: Sequence[float]


def bar_chart(bars: Sequence[Bar], parts: Sequence[str], title: str, *, width: float = 8.0) -> str:
    """Draw bars from 0 to 100 %, one below the other, as an SVG element. The output is deterministic.

    Args:
        bars: the bars, from the top; each bar has a label and the shares of its parts, and a label without shares is a
            heading
        parts: the names of the parts of each bar, for the legend
        title: the title above the chart
        width: the approximate width in inches

    Raises:
        PetteiaError: matplotlib is not installed
        ValueError: there is no bar, or a bar has the wrong number of parts

    """
    if not any(bar.shares for bar in bars):
        raise ValueError("a chart needs at least one bar")
    if any(bar.shares and len(bar.shares) != len(parts) for bar in bars):
        raise ValueError(f"each bar must have {len(parts)} shares, one for each part")
    with drawing() as new_figure:
        figure = new_figure(width, BAR_INCHES * len(bars) + REST_INCHES)
        axes = figure.add_subplot()
        for place, bar in enumerate(bars):
            begin = 0.0
            for share, colour in zip(bar.shares, COLOURS, strict=False):
                axes.barh(place, share, left=begin, color=colour, height=0.72)
                if share >= SMALLEST_WRITTEN:
                    centre = begin + share / 2.0
                    axes.text(centre, place, f"{share:.0%}", ha="center", va="center", color="white", fontsize=9)
                begin += share
        axes.set_yticks(range(len(bars)), [bar.label for bar in bars])
        for label, bar in zip(axes.get_yticklabels(), bars, strict=True):
            label.set_fontweight("normal" if bar.shares else "bold")
        axes.invert_yaxis()
        axes.set_xlim(0.0, 1.0)
        axes.xaxis.set_major_formatter(lambda value, place: f"{value:.0%}")
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.set_title(wrapped(title, width), loc="left", fontsize=13)
        squares = [axes.barh(0, 0.0, color=colour) for colour in COLOURS[: len(parts)]]
        figure.legend(squares, parts, loc="outside lower center", ncols=len(parts), frameon=False)
        return svg_element(figure, title)
