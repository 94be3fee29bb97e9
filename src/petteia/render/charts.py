"""Line charts as SVG, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

import math
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.render.picture import save_drawing

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6D31")
"""Colours that colour-blind readers can distinguish (Okabe and Ito 2008, "Color Universal Design", without yellow)."""
DASHES = ("-", "--", "-.", ":")
"""The dashes of curves. When all colours have been used, they are used again with the next dashes."""

LACKING = "Glyph .* missing from font"
"""The beginning of matplotlib's warnings about characters that a font lacks."""
NOT_OF_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
MAX_TICKS = 9
"""The maximum number of ticks on a logarithmic axis."""
LEGEND_ROW = 0.22  # inches

STYLE = {
    "svg.hashsalt": "petteia",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.labelcolor": "#333333",
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "text.parse_math": False,
}
"""The settings of matplotlib.

Text is drawn as paths, so that a chart looks the same everywhere. Ids are reproducible.
"""


@dataclass(frozen=True)
class Curve:
    """A curve of a chart: `y` over `x`, with a band from `low` to `high` if both are given.

    The sequences `x` and `y` have equal lengths. `low` and `high`, if given, have the same length as `x` and `y`.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    family: str = ""
    """the family of the curve; curves of one family have the same colour and different dashes; empty for no family"""


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart that displays itself in notebooks."""

    svg: str
    """the drawing, an SVG element"""

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the chart to an SVG or PNG file, depending on the suffix of its name.

        See `Board.save` for the arguments and errors.
        """
        save_drawing(path, self.svg)

    def __repr__(self) -> str:
        return f"<Chart, {len(self.svg):,} characters of SVG>"


def line_chart(
    curves: Sequence[Curve],
    title: str,
    x_label: str,
    y_label: str,
    *,
    y_range: tuple[float, float] | None = None,
    width: float = 8.0,
    height: float = 4.5,
    families: Sequence[str] = (),
    is_logarithmic: bool = False,
    bars: bool = False,
    x_words: Sequence[str] = (),
) -> str:
    """Draw curves in one chart, as an SVG element on a white background. The output is deterministic.

    Args:
        curves: one or more curves; two or more are explained by a legend below the chart
        title: the title above the chart; a long title is broken into lines
        x_label: the quantity on the `x` axis, with its unit
        y_label: the quantity on the `y` axis, with its unit
        y_range: the lowest and the highest `y` that is shown; default: the range of the data
        width: the approximate width in inches
        height: the approximate height in inches, without the legend
        is_logarithmic: whether the `x` axis is logarithmic; all `x` must then be positive
        bars: whether each point is drawn as a marker with an error bar from `low` to `high`, instead of a band
        x_words: labels for 0, 1, 2, ... on the `x` axis, instead of numbers
        families: the families that get the first colours, even if the chart has no curve of a family, so that several
            charts use the same colours

    Raises:
        PetteiaError: matplotlib is not installed
        ValueError: there is no curve; or a curve has no points, sequences of different lengths, or only one of `low`
            and `high`

    """
    if not curves:
        raise ValueError("a chart needs at least one curve")
    for curve in curves:
        _check(curve)
    with drawing() as new_figure:
        columns = _columns(curves, width)
        rows = math.ceil(len(curves) / columns) if len(curves) > 1 else 0
        figure = new_figure(width, height + LEGEND_ROW * rows)
        axes = figure.add_subplot()
        for curve, (colour, dashes) in zip(curves, _looks(curves, families), strict=True):
            (_draw_bars if bars else _draw)(axes, curve, colour, dashes)
        axes.set_title(wrapped(title, width), loc="left", fontsize=13)
        axes.set_xlabel(wrapped(x_label, width))
        axes.set_ylabel(wrapped(y_label, height))
        if is_logarithmic:
            axes.set_xscale("log")
            values = sorted({value for curve in curves for value in curve.x})
            axes.set_xticks(values if len(values) <= MAX_TICKS else values[:: -(-len(values) // MAX_TICKS)])
            axes.minorticks_off()
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, place: f"{value:,.10g}")
        if x_words:
            axes.set_xticks(range(len(x_words)), x_words)
        axes.margins(x=0.03 if bars else 0.01)
        if y_range is not None:
            axes.set_ylim(y_range)
        if rows > 0:
            figure.legend(loc="outside lower center", ncols=columns, frameon=False)
        return svg_element(figure, title)


@contextmanager
def drawing() -> Iterator[Callable[[float, float], Any]]:
    """Return a context manager that applies the chart style and yields a function that creates figures.

    The arguments of the yielded function are the width and the height of the figure in inches.

    Raises PetteiaError if matplotlib is not installed.
    """
    try:
        import matplotlib
        import matplotlib.style
        from matplotlib.figure import Figure
    except ImportError:
        raise PetteiaError("charts need matplotlib; install it with: pip install 'petteia[plot]'") from None
    with matplotlib.style.context(["default", STYLE]):
        yield lambda width, height: Figure(figsize=(width, height), layout="constrained")


def svg_element(figure: Any, title: str) -> str:
    """Return the figure as an SVG element that can be inserted into a page. The output is deterministic.

    If the font lacks a character, such as a Chinese character, the texts of the figure are not converted to paths. The
    reader's browser then draws the texts in its own fonts.
    """
    import matplotlib

    with warnings.catch_warnings():
        warnings.filterwarnings("error", LACKING)
        try:
            return _element(_document(figure, title))
        except UserWarning:
            warnings.filterwarnings("ignore", LACKING)
        with matplotlib.rc_context({"svg.fonttype": "none"}):
            return _element(_document(figure, title))


def _document(figure: Any, title: str) -> str:
    out = StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None, "Title": title})
    return NOT_OF_XML.sub("\ufffd", out.getvalue())


def _check(curve: Curve) -> None:
    if len(curve.x) == 0:
        raise ValueError(f"curve {curve.label!r} has no points")
    if (curve.low is None) != (curve.high is None):
        raise ValueError(f"curve {curve.label!r}: `low` and `high` must be given together")
    for name in ("y", "low", "high"):
        values = getattr(curve, name)
        if values is not None and len(values) != len(curve.x):
            raise ValueError(f"curve {curve.label!r}: {name} has {len(values)} values, but x has {len(curve.x)} values")


def _looks(curves: Sequence[Curve], first: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a colour and a dash style for each curve.

    Curves with the same `family` have the same colour and different dashes.

    `first` contains the names of the families that get the first colours of the palette.
    """
    members = dict.fromkeys(first, -1)
    for number, curve in enumerate(curves):
        family = curve.family or f"its own {number}"
        member = members[family] = members.get(family, -1) + 1
        place = list(members).index(family)
        cycle = place // len(PALETTE)  # families that share a colour use every other dash style
        yield PALETTE[place % len(PALETTE)], DASHES[(2 * cycle + member) % len(DASHES)]


def _draw(axes: Any, curve: Curve, colour: str, dashes: str) -> None:
    alone = len(curve.x) == 1  # a line with a single point is invisible
    axes.plot(curve.x, curve.y, dashes, color=colour, linewidth=1.6, marker="o" if alone else "", label=curve.label)
    if curve.low is not None and curve.high is not None:
        axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.25, linewidth=0)


def _draw_bars(axes: Any, curve: Curve, colour: str, dashes: str) -> None:
    style = {"color": colour, "linewidth": 1.6, "marker": "o", "markersize": 5, "capsize": 3, "elinewidth": 1.2}
    below = above = None
    if curve.low is not None and curve.high is not None:
        below = [value - low for value, low in zip(curve.y, curve.low, strict=True)]
        above = [high - value for value, high in zip(curve.y, curve.high, strict=True)]
    axes.errorbar(curve.x, curve.y, None if below is None else [below, above], fmt=dashes, label=curve.label, **style)


def _columns(curves: Sequence[Curve], inches: float) -> int:
    """Return the number of columns of the legend of a chart, estimated from the longest label."""
    longest = max(len(curve.label) for curve in curves)
    return max(1, min(len(curves), math.floor(12 * inches) // (longest + 6)))


def wrapped(text: str, inches: float) -> str:
    """Return the text broken into lines that are at most `inches` wide."""
    return "\n".join(textwrap.wrap(text, math.floor(inches * 9)))


def _element(document: str) -> str:
    """Extract the svg element from a document written by matplotlib.

    The document contains a CSS rule for all elements. The function restricts this rule to charts, so that the rule does
    not affect other elements of a page.
    """
    element = document[document.index("<svg") :].replace("<svg ", '<svg class="petteia-chart" role="img" ', 1)
    element = re.sub(r' height="[0-9.]+pt"', "", element, count=1)  # it follows from the width
    return re.sub(r"<style[^>]*>\*\{([^}]*)\}</style>", r"<style>svg.petteia-chart *{\1}</style>", element, count=1)
