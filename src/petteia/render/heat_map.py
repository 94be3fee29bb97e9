"""Heat maps as SVG: tables with shaded cells and coloured marks, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petteia.render.charts import PALETTE, drawing, svg_element, wrapped

LIGHT, DARK = "#FBFBFB", "#A9B4BE"
"""The shades for the values 0 and 1. They are grey, so that marks are visible, and light enough for black text."""
SIGNS = ("o", "^", "s", "D")
"""The shapes of the marks by their kinds. They distinguish the kinds for readers who do not see the colours."""
CELL_WIDTH, CELL_HEIGHT = 0.95, 0.62  # inches
NARROWEST = 4.0  # the minimum width in inches, for the title


@dataclass(frozen=True)
class Square:
    """A cell of a heat map: its text, its shade from 0 (light) to 1 (dark), and the kinds of its coloured marks."""

    text: str
    value: float
    marks: frozenset[int] = frozenset()


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    squares: Sequence[Sequence[Square]],
    title: str,
    *,
    row_label: str,
    column_label: str,
    marks: Sequence[str] = (),
) -> str:
    """Draw a table as an SVG element on a white background. The output is deterministic.

    Args:
        rows: the names of the rows, one or more
        columns: the names of the columns, one or more
        squares: the cells of each row, as one sequence per row
        title: the title above the table
        row_label: the label of the rows
        column_label: the label of the columns
        marks: the meanings of the kinds of coloured marks, for the legend; at most four kinds

    Raises:
        PetteiaError: matplotlib is not installed
        ValueError: the numbers of squares, rows and columns do not match, or there are too many kinds of marks

    """
    if len(squares) != len(rows) or {len(row) for row in squares} != {len(columns)}:
        raise ValueError(f"squares: give one square for each cell of the {len(rows)} rows and {len(columns)} columns")
    if len(marks) > len(SIGNS):
        raise ValueError(f"marks: there are {len(marks)} kinds of marks; use at most {len(SIGNS)}")
    with drawing() as new_figure:
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.lines import Line2D

        # The axes fill the whole figure; labels around them get the room that they need when it is saved.
        figure = new_figure(CELL_WIDTH * len(columns), CELL_HEIGHT * len(rows))
        figure.set_layout_engine("none")
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.grid(visible=False)
        values = [[square.value for square in row] for row in squares]
        shades = LinearSegmentedColormap.from_list("shades", [LIGHT, DARK])
        axes.pcolormesh(values, cmap=shades, vmin=0.0, vmax=1.0, edgecolors="white", linewidth=1.5)
        for y, row in enumerate(squares):
            for x, square in enumerate(row):
                axes.text(x + 0.5, y + 0.42, square.text, ha="center", va="center", fontsize=10)
                for mark in sorted(square.marks):
                    place = x + 0.5 + 0.2 * (mark - (len(marks) - 1) / 2)
                    axes.plot(place, y + 0.8, SIGNS[mark], color=PALETTE[mark], markersize=6)
        axes.invert_yaxis()
        axes.xaxis.set_ticks_position("top")
        axes.xaxis.set_label_position("top")
        axes.set_xticks([x + 0.5 for x in range(len(columns))], columns, rotation=30, ha="left", rotation_mode="anchor")
        axes.set_yticks([y + 0.5 for y in range(len(rows))], rows)
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.set_xlabel(column_label, labelpad=10)
        axes.set_ylabel(row_label, labelpad=10)
        axes.set_title(wrapped(title, max(CELL_WIDTH * len(columns), NARROWEST)), loc="left", fontsize=13, pad=10)
        if marks:
            signs = [
                Line2D([], [], linestyle="", marker=SIGNS[number], color=PALETTE[number], label=words)
                for number, words in enumerate(marks)
            ]
            axes.legend(handles=signs, loc="upper left", bbox_to_anchor=(0.0, 0.0), borderaxespad=0.5, frameon=False)
        return svg_element(figure, title)
