"""The files of a report: its page, its figures as rows, its charts, and what sums it up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from petteia.experiments.formats import csv_text
from petteia.records.files import write_file
from petteia.reports.engine.claims import Judgements
from petteia.reports.engine.outcome import Report

Rows = list[dict[str, Any]]
CLAIMS = "claims"


def claim_rows(judgements: Judgements) -> Rows:
    """A row for each claim: what was said, by which rule it was judged, what was found, and the verdict."""
    return [
        {
            "name": claim.name,
            "part": claim.part,
            "original": claim.text,
            "rule": claim.judged_by.rule(),
            "ours": finding.ours,
            "verdict": finding.verdict,
        }
        for claim, finding in judgements
    ]


def write_report(
    folder: Path,
    html: str,
    *,
    charts: Mapping[str, str],
    rows: Mapping[str, Rows],
    files: Sequence[str],
    summary: Mapping[str, Any],
) -> Report:
    """Write all files into the folder.

    Args:
        folder: of the report
        html: the page
        charts: as SVG, by name
        rows: a file of CSV each, by name
        files: names of all files of rows that any scale has; those that this one has not are removed
        summary: the figures of the report

    """
    for name, chart in charts.items():
        write_file(folder / f"{name}.svg", chart)
    for name in files:
        if name in rows:
            write_file(folder / f"{name}.csv", csv_text(rows[name]))
        else:
            (folder / f"{name}.csv").unlink(missing_ok=True)  # a larger scale's, which this page does not speak of
    write_file(folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    write_file(folder / "index.html", html)
    return Report(folder / "index.html", dict(summary))
