"""The files that an experiment leaves: rows as CSV, figures as SVG, a table for LaTeX, and where it all comes from."""

from __future__ import annotations

import csv
import io
import itertools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.experiments.declaration import label, stem
from petteia.experiments.measures import Column, curve_columns, play_columns
from petteia.experiments.results import CellResult, ExperimentResult, Row
from petteia.records.files import write_file
from petteia.records.machine import machine
from petteia.records.runs import TIMES, VERSION, total_times
from petteia.render.charts import Curve, line_chart

LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
"""Signs with a meaning in LaTeX, and how they are written."""


def write_outputs(result: ExperimentResult) -> None:
    """Write all files of the experiment into its folder; its runs are there."""
    files = {
        "experiment.toml": result.plan.text,
        "points.csv": csv_text(result.points),
        "runs.csv": csv_text(result.runs),
        "summary.csv": csv_text(result.summary),
        **tables(result),
        "provenance.txt": provenance(result),
        **figures(result),
        TIMES: total_times([training.run for cell in result.cells for training in cell.trainings]),
    }
    for name, text in files.items():
        write_file(result.folder / name, text)


def csv_text(rows: Sequence[Row]) -> str:
    """Rows, at least one and all with the same columns, as CSV; nothing where there is no value."""
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def figures(result: ExperimentResult) -> dict[str, str]:
    """The figures as SVG by the names of their files: the learning curves, and the values that are followed.

    Lines are means over the seeds, bands go from the lowest seed to the highest. Of five independent seeds, the bands
    hold the median of all seeds 15 times in 16.
    """
    declaration, charts = result.plan.declaration, {}
    by = declaration.figure.by
    if by is None:
        charts["curves.svg"] = score_chart(result.cells, declaration.title)
    else:
        for value in declaration.sweep[by]:
            cells = [cell for cell in result.cells if cell.cell.values[by] == value]
            title = f"{declaration.title}: {by} = {label(value)}"
            charts[f"curves-{stem({by: value})}.svg"] = score_chart(cells, title)
    if declaration.measure.follow:
        charts |= {"-".join(["values", *cell.cell.stems]) + ".svg": value_chart(cell) for cell in result.cells}
    return charts


def score_chart(cells: Sequence[CellResult], title: str) -> str:
    """The learning curves of these combinations in one figure, as SVG; labels name what differs among them."""
    names = dict.fromkeys(name for cell in cells for name in cell.words)
    differing = [name for name in names if len({cell.words.get(name) for cell in cells}) > 1]
    curves = []
    for cell in cells:
        words = [f"{name} = {cell.words[name]}" for name in differing if name in cell.words]
        curves.append(_curve(", ".join(words), cell.games, cell.scores))
    return line_chart(curves, title, "games learned from", f"score: {_over(cells[0])}", y_range=(0.0, 1.0))


def value_chart(cell: CellResult) -> str:
    """The values of the moves that are followed, as SVG."""
    names = [each.name for each in cell.plan.declaration.measure.follow]
    curves = [_curve(name, cell.games, cell.followed[:, :, number]) for number, name in enumerate(names)]
    title = ": ".join(part for part in (cell.plan.declaration.title, cell.cell.label) if part)
    return line_chart(curves, title, "games learned from", f"learned value: {_over(cell)}", y_range=(-1.0, 1.0))


def _over(cell: CellResult) -> str:
    seeds = len(cell.trainings)
    return f"mean and range of {seeds} seeds" if seeds > 1 else "one seed"


def _curve(name: str, games: Sequence[float], values: NDArray[np.float64]) -> Curve:
    """A curve of `values`, [seeds, points]."""
    if len(values) == 1:
        return Curve(name, games, values[0])
    return Curve(name, games, values.mean(axis=0), values.min(axis=0), values.max(axis=0))


def tables(result: ExperimentResult) -> dict[str, str]:
    """The tables by the names of their files: what sums up the curves and, where it is measured, the play."""
    measures = result.plan.declaration.measure
    found = {"table.tex": latex_table(result, "curves", curve_columns(measures))}
    if columns := play_columns(measures):
        found["table-play.tex"] = latex_table(result, "play", columns)
    return found


def latex_table(result: ExperimentResult, name: str, columns: Mapping[str, Column]) -> str:
    """A table for LaTeX (it needs the package booktabs): a row for each combination, means over the seeds."""
    heads, rows = result.table(columns)
    words = len(heads) - len(columns)
    caption = f"{result.plan.declaration.title}: {result.note}."
    lines = [
        f"% made by petteia {VERSION}: {command(result)}",
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering\small",
        f"  \\caption{{{_escaped(caption)}}}",
        f"  \\label{{tab:{re.sub(r'[^A-Za-z0-9-]+', '-', result.plan.name)}-{name}}}",
        f"  \\begin{{tabular}}{{{'l' * words}{'r' * len(columns)}}}",
        r"    \toprule",
        _latex_row(heads),
        r"    \midrule",
        *map(_latex_row, rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(map(_escaped, cells))} \\\\"


def _escaped(text: str) -> str:
    return "".join(LATEX.get(sign, sign) for sign in text)


def command(result: ExperimentResult) -> str:
    """The command that makes the experiment again."""
    options = {"--scale": result.plan.scale, "--seeds": str(result.plan.declaration.seeds)}
    return shlex.join(["petteia", "experiment", result.plan.source, *itertools.chain(*options.items())])


def provenance(result: ExperimentResult) -> str:
    """Where the results come from, in words: version, command, seeds, machine."""
    declaration, plan = result.plan.declaration, result.plan
    first, last = plan.seeds[0], plan.seeds[-1]
    swept = f"{plan.combinations} combinations of {' and '.join(declaration.sweep)}, " if declaration.sweep else ""
    description = result.cells[0].trainings[0].run.description
    learned = sum(cell.games[-1] for cell in result.cells) * declaration.seeds
    facts = {
        "experiment": declaration.title,
        "command": command(result),
        "declaration": "experiment.toml",
        "petteia": VERSION,
        "source code": f"SHA-256 {description.source}",
        "trainings": f"{swept}{plan.runs:,} trainings, {learned:,} games to learn from",
        "seeds": str(first) if first == last else f"{first} to {last} for each combination",
        **machine(),
    }
    return "".join(f"{name}: {value}\n" for name, value in facts.items())
