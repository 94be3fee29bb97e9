"""The definition of a report, and the code that runs its experiments, tests its claims, and writes its page and files.

Jinja2 fills the Markdown template of a page with texts, measured values, tables, claims and charts. At first, a
placeholder stands for each part that is already HTML. Then the Markdown is converted to HTML, and the placeholders are
replaced by their parts. An unknown name in the template is an error. The text shows a measured value with its
confidence interval. In a table, a click on the value shows the interval.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from importlib import resources
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from petteia.core.errors import InvalidError
from petteia.experiments.formats import csv_text
from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.experiments.work import Progress
from petteia.playing.begin import session
from petteia.records import bounds
from petteia.records.files import read_file, write_file
from petteia.records.game_record import GameRecord
from petteia.records.lock import locked
from petteia.render import html
from petteia.render.html import Html
from petteia.reports.engine.charts import BANDS
from petteia.reports.engine.claims import Claim, Judgements, claim_rows, judge_all, tally
from petteia.reports.engine.estimates import SHARE, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import NOT_JUDGED, Answer, Finding, Rule, capitalised
from petteia.reports.engine.settings import Scale, Setting
from petteia.reports.engine.tables import KINDS, MatchTable, Rows, Table, table_html
from petteia.reports.engine.work import begin, duration

SCHEMA = 4
Of = Callable[[Any], Any]
"""A function that takes the evidence (the saved measurements of a report) as its only argument."""
MARK = re.compile("<p>\ue000([0-9]+)\ue001</p>|\ue000([0-9]+)\ue001")
MEANT = re.compile(r"([\\`*_\[\]<>|~#])")
"""The characters that have a meaning in Markdown. They are escaped in figures."""


class Report(NamedTuple):
    """A finished report: the path of its page, and its measured values, which are also saved in summary.json."""

    page: Path
    """The page, a self-contained file."""
    summary: dict[str, Any]
    """The values of the report's figures, which are also in summary.json beside the page."""


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
        """Run the report, or resume it if it was interrupted. See `petteia.reports.report` for the arguments."""
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
    """Return the template variables of a page: the report's figures by name, and variables that all reports have."""
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
        "took": duration(sum(each.run.times().processor for each in evidence.all_trainings)),
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


# Pages.


@dataclass(frozen=True)
class Page:
    """The content that a page can show: the evidence, claims, charts and tables of a report."""

    evidence: Any = None
    """The evidence from which the figures on the page are computed."""
    judgements: Judgements = ()
    """The claims with their findings."""
    charts: Mapping[str, str] = field(default_factory=dict)
    """The charts as SVG, by name."""
    tables: Sequence[Table | MatchTable] = ()
    """The declared tables."""

    def document(self, template: str, names: Mapping[str, Any]) -> str:
        """Fill a template, and return the complete HTML page. The template's first line is the title. See `filled`."""
        return html.document(template.partition("\n")[0].lstrip("# "), self.filled(template, names))

    def filled(self, template: str, names: Mapping[str, Any]) -> Html:
        """Fill a Markdown template with the variables `names`. Raises InvalidError if a variable is missing."""
        from jinja2 import Environment, StrictUndefined, TemplateError
        from markdown_it import MarkdownIt

        placed: list[Html] = []

        def place(value: Any) -> str:
            if isinstance(value, Html):
                placed.append(value)
                return f"\ue000{len(placed) - 1}\ue001"
            text = value.text(self.evidence) if isinstance(value, Figure) else str(value)  # an error if undefined
            return MEANT.sub(r"\\\1", text)

        environment = Environment(
            undefined=StrictUndefined, finalize=place, trim_blocks=True, lstrip_blocks=True, autoescape=False
        )
        environment.filters["share"] = lambda interval: interval_text(interval, SHARE)
        environment.filters["percent"] = lambda figure: f"{figure.mean(self.evidence):.0%}"
        environment.filters["mean"] = lambda figure: figure.unit.text(figure.mean(self.evidence))
        environment.filters["thousands"] = lambda number: f"{number:,}"
        own = {each.__name__: each for each in (self.declared, self.claims, self.chart)}
        own["table"] = partial(table_html, self.evidence)
        try:
            text = environment.from_string(template).render({**PARTS, **own, **names})
        except TemplateError as error:
            raise InvalidError(f"the template of the report is invalid: {error}") from None
        body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
        return Html(MARK.sub(lambda mark: placed[int(mark[1] or mark[2])], body))

    def declared(self, name: str) -> Html:
        """Return the table `name` of the report as HTML."""
        table: Table | MatchTable = _named(name, "table", {each.name: each for each in self.tables})
        return table.html(self.evidence)

    def claims(self, part: str) -> Html:
        """Return all claims of one section of the report as HTML, with their verdicts."""
        judged = [claim(each, finding) for each, finding in self.judgements if each.part == part]
        if not judged:
            raise InvalidError(
                f"the template of the report uses the claims of the section {part!r}, but this section has no claims"
            )
        return Html("\n".join(judged))

    def chart(self, name: str, caption: str) -> Html:
        """Return the chart `name` of the report as HTML, with a caption."""
        return html.drawing(_named(name, "chart", self.charts), caption)


def _named(name: str, kind: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        hint = f"choose from {', '.join(known)}" if known else f"the report has no {kind}s"
        raise InvalidError(f"the template of the report uses the unknown {kind} {name!r}; {hint}")
    return known[name]


def claim(each: Claim, finding: Finding) -> Html:
    """Return a claim as HTML: its source, its verdict and the measured values. A click shows how it is judged."""
    where = f" <small>({escape(each.where)})</small>" if each.where else ""
    shown, conditions = "".join(starmap(_values, finding.values.items())), each.judged_by.conditions
    rule = f"The verdict is “agrees” if {escape(conditions[0])}."
    if len(conditions) > 1:
        rule = f"The verdict is “agrees” if all these conditions are true:{html.bullets(map(capitalised, conditions))}"
    return Html(
        f'<div class="claim"><span class="verdict {KINDS[finding.verdict]}">{finding.verdict}</span>'
        f"<p><strong>{escape(each.text)}</strong>{where}</p>{shown}"
        f'<details class="rule"><summary>How it is judged</summary>{rule}</details></div>'
    )


def _values(measure: str, values: Sequence[str]) -> str:
    """Return measured values as HTML, after the name of their measure. Without a name, the values are sentences."""
    if not measure:
        return "".join(f"<p>{escape(capitalised(each))}.</p>" for each in values)
    if len(values) == 1:
        return f"<p>{escape(measure)}: {escape(values[0])}</p>"
    return f"<p>{escape(measure)}:</p>{html.bullets(map(capitalised, values))}"


def by_verdict(verdict: str, agrees: str, differs: str, unknown: str = "is undecided", unjudged: str = "") -> str:
    """Return the text for a verdict: one of the arguments `agrees`, `differs`, `unknown` and `unjudged`.

    The text is `unknown` for all verdicts other than AGREES, DIFFERS and NOT_JUDGED. If `unjudged` is empty, the text
    for NOT_JUDGED is `is not judged at this scale`.
    """
    words = {AGREES: agrees, DIFFERS: differs, NOT_JUDGED: unjudged or f"is {NOT_JUDGED}"}
    return words.get(verdict, unknown)


def by_answer(answer: Answer, so: str, not_so: str, unknown: str) -> str:
    """Return `so` if the answer is True, `not_so` if it is False, and `unknown` if it is None."""
    return unknown if answer is None else so if answer else not_so


PARTS: Mapping[str, Any] = {
    **{name: getattr(html, name) for name in ("drawing", "small", "gallery", "bullets", "commands", "game")},
    "by_answer": by_answer,
    "by_verdict": by_verdict,
}
"""The functions that every page can use, besides those that depend on the evidence."""
