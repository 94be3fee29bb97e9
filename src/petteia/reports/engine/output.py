"""The files of a report: its page, its figures as rows, its charts, and what sums it up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from petteia.experiments.formats import csv_text
from petteia.records.files import write_file
from petteia.reports.engine.charts import BANDS
from petteia.reports.engine.claims import Judgements, claim_rows, tally
from petteia.reports.engine.outcome import Report
from petteia.reports.engine.page import page
from petteia.reports.engine.tables import Rows

CLAIMS = "claims"


def write_report(
    folder: Path,
    package: str,
    names: Mapping[str, Any],
    *,
    evidence: Any,
    judgements: Judgements,
    charts: Mapping[str, str],
    rows: Mapping[str, Rows],
    files: Sequence[str],
    summary: Mapping[str, Any],
) -> Report:
    """Write all files into the folder.

    Args:
        folder: of the report
        package: in which its `page.md` lies
        names: that this names, besides what every page may name
        evidence: what figures are of
        judgements: what was found about the claims
        charts: as SVG, by name
        rows: a file of CSV each, by name, besides that of the claims
        files: names of all files of rows that any scale has; those that this one has not are removed
        summary: the figures of the report, besides the claims

    """
    claims = claim_rows(judgements)
    every = {CLAIMS: claims, **rows}
    known = {
        "evidence": evidence,
        "count": len(judgements),
        "tally": tally(finding.verdict for _, finding in judgements),
        "bands": BANDS,
    }
    template = (resources.files(package) / "page.md").read_text(encoding="utf-8")
    html = page(template, {**known, **names}, evidence, judgements, charts)
    for name, chart in charts.items():
        write_file(folder / f"{name}.svg", chart)
    for name in files:
        if name in every:
            write_file(folder / f"{name}.csv", csv_text(every[name]))
        else:
            (folder / f"{name}.csv").unlink(missing_ok=True)  # a larger scale's, which this page does not speak of
    whole = {"scale": evidence.work.scale, "seeds": evidence.seeds, "claims": claims, **summary}
    write_file(folder / "summary.json", json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    write_file(folder / "index.html", html)
    return Report(folder / "index.html", whole)
