"""Formats of experiments: CSV rows, LaTeX tables, lines `name: value` for facts, and TOML for declarations."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from petteia.records.version import VERSION

LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
"""special characters of LaTeX, with their replacements"""


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as a string in CSV format.

    The list `rows` must not be empty, and all rows must have the same columns. The value None becomes an empty cell.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def latex_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int, caption: str, label: str, command: str
) -> str:
    """Return a table for LaTeX, scaled down to the width of the page. It needs the packages booktabs and graphicx.

    Args:
        heads: the headings of the columns
        rows: the cells; special characters of LaTeX are escaped
        words: the number of columns at the left that contain text, aligned left; all others contain numbers, aligned
            right
        caption: the caption above the table
        label: the label for references, after `tab:`
        command: the command that made the table

    """
    lines = [
        f"% made by petteia {VERSION}: {command}",
        r"% needs \usepackage{booktabs,graphicx}",
        r"\begin{table}",
        r"  \centering\small",
        f"  \\caption{{{_escaped(caption)}}}",
        f"  \\label{{tab:{re.sub(r'[^A-Za-z0-9-]+', '-', label)}}}",
        r"  \resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        f"  \\begin{{tabular}}{{{'l' * words}{'r' * (len(heads) - words)}}}",
        r"    \toprule",
        _latex_row(heads),
        r"    \midrule",
        *map(_latex_row, rows),
        r"    \bottomrule",
        r"  \end{tabular}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(map(_escaped, cells))} \\\\"


def _escaped(text: str) -> str:
    return "".join(LATEX.get(sign, sign) for sign in text)


def command_line(source: str, options: Mapping[str, str]) -> str:
    """Return the shell command that runs the experiment `source` with the given command-line options."""
    return shlex.join(["petteia", "experiment", source, *itertools.chain(*options.items())])


def facts_text(facts: Mapping[str, str]) -> str:
    """Return facts about an experiment, such as its version and seeds, as lines `name: value`."""
    return "".join(f"{name}: {value}\n" for name, value in facts.items())


def toml_text(content: Mapping[str, Any]) -> str:
    """Return the dictionary `content` as the text of a TOML file. Each value that is a dictionary becomes a section."""
    sections = {name: value for name, value in content.items() if isinstance(value, Mapping)}
    lines = [f"{name} = {_value(value)}" for name, value in content.items() if name not in sections]
    for name, section in sections.items():
        lines += ["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """Return a string, a number, a boolean or a list of these in TOML syntax.

    The syntax of these values is the same in TOML and in JSON.
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
