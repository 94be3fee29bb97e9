"""The files of an experiment with training runs: CSV rows, SVG figures, LaTeX tables, and their provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petteia.core.arrays import Floats
from petteia.experiments.declaration import label, stem
from petteia.experiments.formats import command_line, csv_text, facts_text, latex_table
from petteia.experiments.measures import Column, curve_columns, play_columns
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.records.files import write_file
from petteia.records.machine import machine
from petteia.records.times import TIMES, total_times
from petteia.records.version import VERSION
from petteia.render.charts import Curve, line_chart


def write_outputs(result: ExperimentResult) -> None:
    """Write all files of the experiment to its folder, except the run folders."""
    files = {
        "experiment.toml": result.plan.text,
        "points.csv": csv_text(result.points),
        "runs.csv": csv_text(result.runs),
        "summary.csv": csv_text(result.summary),
        **tables(result),
        "provenance.txt": provenance(result),
        **figures(result),
        TIMES: total_times([training.run.times() for cell in result.cells for training in cell.trainings]),
    }
    for name, text in files.items():
        write_file(result.folder / name, text)


def figures(result: ExperimentResult) -> dict[str, str]:
    """Draw the learning curves, and the learned values of selected moves. Return each figure as SVG, by file name.

    The key `follow` in the section `[measure]` of the file selects the moves whose learned values are drawn. Lines show
    the mean over the seeds. Bands extend from the lowest to the highest value of all seeds. With five independent
    seeds, a band contains the median of the distribution with probability 15/16.
    """
    declaration, charts = result.plan.declaration, {}
    by = declaration.figure.by
    if by is None:
        charts["curves.svg"] = score_chart(result.cells, declaration.title)
    else:
        for value in result.plan.tried[by]:
            cells = [cell for cell in result.cells if cell.combination.values[by] == value]
            title = f"{declaration.title}: {by} = {label(value)}"
            charts[f"curves-{stem({by: value})}.svg"] = score_chart(cells, title)
    if declaration.measure.follow:
        charts |= {"-".join(["values", *cell.combination.stems]) + ".svg": value_chart(cell) for cell in result.cells}
    return charts


def score_chart(cells: Sequence[CellResult], title: str) -> str:
    """Draw the learning curves of several combinations of swept values in one figure, as SVG.

    The label of a curve contains only the options whose values differ between the combinations.
    """
    names = dict.fromkeys(name for cell in cells for name in cell.words)
    differing = [name for name in names if len({cell.words.get(name) for cell in cells}) > 1]
    curves = []
    for cell in cells:
        words = [f"{name} = {cell.words[name]}" for name in differing if name in cell.words]
        curves.append(_curve(", ".join(words), cell.games, cell.scores))
    return line_chart(curves, title, "games learned from", f"score: {_over(cells[0])}", y_range=(0.0, 1.0))


def value_chart(cell: CellResult) -> str:
    """Draw how the learned values of selected moves change during training, as SVG."""
    names = [each.name for each in cell.plan.declaration.measure.follow]
    curves = [_curve(name, cell.games, cell.followed[:, :, number]) for number, name in enumerate(names)]
    title = ": ".join(part for part in (cell.plan.declaration.title, cell.combination.label) if part)
    return line_chart(curves, title, "games learned from", f"learned value: {_over(cell)}", y_range=(-1.0, 1.0))


def _over(cell: CellResult) -> str:
    seeds = len(cell.trainings)
    return f"mean and range of {seeds} seeds" if seeds > 1 else "one seed"


def _curve(name: str, games: Sequence[float], values: Floats) -> Curve:
    """Return a curve of the means over all seeds, with a band from the smallest to the largest value."""
    if len(values) == 1:
        return Curve(name, games, values[0])
    return Curve(name, games, values.mean(axis=0), values.min(axis=0), values.max(axis=0))


def tables(result: ExperimentResult) -> dict[str, str]:
    """Return LaTeX tables by file name: statistics of learning curves and, if measured, of play after training."""
    measures = result.plan.declaration.measure
    files = {"table.tex": _table(result, "curves", curve_columns(measures, of_features=result.plan.is_of_features))}
    if columns := play_columns(measures):
        files["table-play.tex"] = _table(result, "play", columns)
    return files


def _table(result: ExperimentResult, name: str, columns: Mapping[str, Column]) -> str:
    """A table for LaTeX: one row for each combination of swept values, with means over the seeds."""
    heads, rows = result.table(columns)
    return latex_table(
        heads,
        rows,
        words=len(result.words),
        caption=f"{result.plan.declaration.title}: {result.note}.",
        label=f"{result.plan.name}-{name}",
        command=command(result),
    )


def command(result: ExperimentResult) -> str:
    """Return the command that repeats the experiment."""
    options = {"--scale": result.plan.scale, "--seeds": str(result.plan.declaration.seeds)}
    return command_line(result.plan.source, options)


def provenance(result: ExperimentResult) -> str:
    """The provenance of the results as a string: version, command, seeds and machine."""
    declaration, plan = result.plan.declaration, result.plan
    first, last = plan.seeds[0], plan.seeds[-1]
    swept = f"{plan.combinations} combinations of {' and '.join(plan.tried)}, " if plan.tried else ""
    description = result.cells[0].trainings[0].run.description
    learned = sum(cell.games[-1] for cell in result.cells) * declaration.seeds
    facts = {
        "experiment": declaration.title,
        "command": command(result),
        "declaration": "experiment.toml",
        "petteia": VERSION,
        "source code": f"SHA-256 {description.code}",
        "trainings": f"{swept}{plan.runs:,} training runs, {learned:,} games to learn from",
        "seeds": str(first) if first == last else f"{first} to {last} for each combination",
        **machine(),
    }
    return facts_text(facts)
