"""The declaration of a report, and its production: learn, measure, judge, and write the page and its files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from petteia.experiments.formats import csv_text
from petteia.playing.begin import session
from petteia.records import bounds
from petteia.records.files import read_file, write_file
from petteia.records.game_record import GameRecord
from petteia.records.lock import locked
from petteia.render.html import Html
from petteia.reports.engine.charts import BANDS
from petteia.reports.engine.claims import Claim, Judgements, claim_rows, judge_all, tally
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.outcome import Progress, Report, Scale
from petteia.reports.engine.page import Page
from petteia.reports.engine.rules import Rule
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import MatchTable, Rows, Table
from petteia.reports.engine.work import begin, duration, seconds_of

SCHEMA = 4
Of = Callable[[Any], Any]
"""A function that takes the evidence (the saved measurements of a report) as its only argument."""


@dataclass(frozen=True)
class Declaration:
    """The definition of a report: its experiments, claims, tables, charts, and page template."""

    package: str
    """The package that contains the page of the report."""
    game: str
    """The text form of the rules of the game."""
    experiments: Sequence[str] = ()
    """The names of experiments with training runs, and of tournaments. The first one gives the number of seeds."""
    depends: Sequence[Any] = ()
    """Functions and classes on which saved results depend. If their code changes, the results are computed again."""
    claims: Sequence[Claim] = ()
    tables: Sequence[Table | MatchTable] = ()
    charts: Mapping[str, Of] = field(default_factory=dict)
    """The charts as SVG, by name."""
    weights: Mapping[str, Setting] = field(default_factory=dict)
    """Files beside the page with the weights of the first training of a setting."""
    games: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The players of the games on the page, by the name of the game. A file of a player is `{folder}/FILE`."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """Figures that the text names. They are also in summary.json."""
    answers: Mapping[str, Rule] = field(default_factory=dict)
    """Rules whose verdicts the text uses, besides those of the claims."""
    names: Callable[[Any], Mapping[str, Any]] = lambda evidence: {}
    """The function that returns the other names that the page uses."""
    summary: Mapping[str, Of] = field(default_factory=dict)
    """The entries of summary.json besides claims and figures."""
    rows: Mapping[str, Callable[[Any], Rows]] = field(default_factory=dict)
    """The files of rows by name, besides those of every report."""
    scales: tuple[Scale, ...] = ("quick", "paper")
    templates: Sequence[str] = ("page.md",)
    """The templates of its page, in their order."""
    beyond: Declaration | None = None
    """The part that only the scale `all` has. Its page replaces the name `beyond`."""

    @property
    def template(self) -> str:
        """The concatenated text of the Markdown templates of the page."""
        package = resources.files(self.package)
        return "\n".join((package / each).read_text(encoding="utf-8") for each in self.templates)

    def make(
        self,
        folder: Path,
        scale: Scale,
        seeds: int | None,
        jobs: int | None,
        progress: Progress | None,
        cluster: str | None = None,
    ) -> Report:
        """Make or resume the report. See `petteia.reports.report` for the arguments."""
        every = [self, *([self.beyond] if self.beyond else [])]
        parts = every if scale == "all" else [self]
        depends = ([name for part in every for name in part.experiments], [x for part in every for x in part.depends])
        work = begin(folder, "quick" if scale == "quick" else "paper", seeds, jobs, progress, depends)
        with locked(work.folder):
            results = work.experiments([name for part in parts for name in part.experiments], cluster)
            evidence = Evidence(self.game, work, results, scale)
            for name, setting in self.weights.items():
                learned = evidence.trainings(setting)[0].run.weights
                write_file(folder / name, read_file(learned, bounds.WEIGHTS))
            return _written(self, parts, evidence, folder)


def _written(whole: Declaration, parts: Sequence[Declaration], evidence: Evidence, folder: Path) -> Report:
    """Write the page of a report and the files next to it, and return the finished `Report`."""
    judgements = [each for part in parts for each in judge_all(part.claims, evidence, evidence.scale)]
    charts = {name: draw(evidence) for part in parts for name, draw in part.charts.items()}
    tables = [each for part in parts for each in part.tables]
    known = {
        **names_of(parts, evidence, judgements, folder, evidence.scale),
        "games": {name: _game(evidence, players, folder) for name, players in whole.games.items()},
    }
    page = Page(evidence, judgements, charts, tables)
    beyond = [page.filled(part.template, {**known, **part.names(evidence)}) for part in parts[1:]]
    document = page.document(whole.template, {**known, "beyond": Html("".join(beyond)), **whole.names(evidence)})
    for name, record in known["games"].items():
        write_file(folder / f"game-{name}.txt", record.write())
    for name, chart in charts.items():
        write_file(folder / f"{name}.svg", chart)
    files = {  # those without rows are not written
        "claims": claim_rows(judgements),
        "tables": [row for each in tables if isinstance(each, MatchTable) for row in each.figures(evidence)],
        "figures": [row for each in tables if isinstance(each, Table) for row in each.figures(evidence)],
        **{name: rows(evidence) for part in parts for name, rows in part.rows.items()},
        **evidence.rows(),
    }
    every = [*files, *(whole.beyond.rows if whole.beyond else ())]
    for name in every:
        if files.get(name):
            write_file(folder / f"{name}.csv", csv_text(files[name]))
        else:
            (folder / f"{name}.csv").unlink(missing_ok=True)  # left by a larger scale
    summary = {
        "schema": SCHEMA,
        "scale": evidence.scale,
        "seeds": evidence.seeds,
        "claims": files["claims"],
        "figures": {name: _summed(of, evidence) for part in parts for name, of in part.figures.items()},
        **{name: of(evidence) for part in parts for name, of in part.summary.items()},
    }
    write_file(folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    write_file(folder / "index.html", document)
    return Report(folder / "index.html", summary)


def names_of(
    parts: Sequence[Declaration], evidence: Evidence, judgements: Judgements, folder: Path, scale: Scale
) -> dict[str, Any]:
    """Return the variables that every page template can use."""
    original, added = (
        [finding.verdict for claim, finding in judgements if claim.is_original is said] for said in (True, False)
    )
    return {
        **{name: each for part in parts for name, each in part.figures.items()},
        "evidence": evidence,
        "scale": scale,
        "folder": folder,
        "count": len(original),
        "tally": tally(original),
        "added": len(added),
        "added_tally": tally(added),
        "verdict": {
            **{claim.name: finding.verdict for claim, finding in judgements},
            **{name: rule.judge(evidence).verdict for part in parts for name, rule in part.answers.items()},
        },
        "took": duration(seconds_of(evidence.all_trainings)),
        "bands": BANDS,
    }


def _game(evidence: Evidence, players: tuple[str, str], folder: Path) -> GameRecord:
    first, second = (each.format(folder=folder) for each in players)
    with session(evidence.rules, (first, second)) as played:
        played.advance()
    return played.record()


def _summed(of: Figure, evidence: Evidence) -> dict[str, Any]:
    """Return a `Figure` as JSON data: its mean, its interval, and its value in each training run."""
    interval = of.interval(evidence).row("").items()
    return {**{name.strip("_"): bound for name, bound in interval}, "trainings": [*of.values(evidence)]}
