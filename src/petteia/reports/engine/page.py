"""Pages: Markdown templates that Jinja2 fills with text, measured values, tables, claims and charts.

First the template is filled, with a mark in place of each part that is HTML. Then the text is converted to HTML, and
the marks are replaced. An unknown name in the template is an error. A figure in the text is shown with its interval. A
figure in a table is a cell that shows the interval after a click.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from itertools import starmap
from typing import Any

from petteia.core.errors import InvalidError
from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.render import html
from petteia.render.html import Html, document
from petteia.reports.engine.cells import KINDS
from petteia.reports.engine.claims import Claim, Judgements
from petteia.reports.engine.estimates import SHARE, interval_text
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import NOT_JUDGED, Answer, Finding, capitalised
from petteia.reports.engine.tables import MatchTable, Table, table_html

MARK = re.compile("<p>\ue000([0-9]+)\ue001</p>|\ue000([0-9]+)\ue001")
MEANT = re.compile(r"([\\`*_\[\]<>|~#])")
"""The characters that have a meaning in Markdown. They are escaped in figures."""


@dataclass(frozen=True)
class Page:
    """The evidence, claims, charts and tables that a page can show."""

    evidence: Any = None
    """The evidence from which the figures on the page are computed."""
    judgements: Judgements = ()
    """The claims with their findings."""
    charts: Mapping[str, str] = field(default_factory=dict)
    """The charts as SVG, by name."""
    tables: Sequence[Table | MatchTable] = ()
    """The declared tables."""

    def document(self, template: str, names: Mapping[str, Any]) -> str:
        """Return the complete HTML page of a template, whose first line is the title. See `filled`."""
        return document(template.partition("\n")[0].lstrip("# "), self.filled(template, names))

    def filled(self, template: str, names: Mapping[str, Any]) -> Html:
        """Fill a Markdown template with its names. Raises InvalidError if a name is missing."""
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
            raise InvalidError(f"the page: {error}") from None
        body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
        return Html(MARK.sub(lambda mark: placed[int(mark[1] or mark[2])], body))

    def declared(self, name: str) -> Html:
        """Return the declared table with this name."""
        table: Table | MatchTable = _named(name, "table", {each.name: each for each in self.tables})
        return table.html(self.evidence)

    def claims(self, part: str) -> Html:
        """Return all claims of one section of the report as HTML, with their verdicts."""
        judged = [claim(each, finding) for each, finding in self.judgements if each.part == part]
        if not judged:
            raise InvalidError(f"the page: there are no claims about {part!r}")
        return Html("\n".join(judged))

    def chart(self, name: str, caption: str) -> Html:
        """Return a chart with its caption."""
        return html.drawing(_named(name, "chart", self.charts), caption)


def _named(name: str, kind: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        raise InvalidError(f"the page: there is no {kind} {name!r}")
    return known[name]


def claim(each: Claim, finding: Finding) -> Html:
    """Return a claim as HTML: its source, its verdict and the measured result. A click shows its rule."""
    where = f" <small>({escape(each.where)})</small>" if each.where else ""
    shown, conditions = "".join(starmap(_values, finding.values.items())), each.judged_by.conditions
    rule = f"The verdict is “agrees” if this condition is true: {escape(conditions[0])}."
    if len(conditions) > 1:
        rule = f"The verdict is “agrees” if all these conditions are true:{html.bullets(map(capitalised, conditions))}"
    return Html(
        f'<div class="claim"><span class="verdict {KINDS[finding.verdict]}">{finding.verdict}</span>'
        f"<p><strong>{escape(each.text)}</strong>{where}</p>{shown}"
        f'<details class="rule"><summary>How it is judged</summary>{rule}</details></div>'
    )


def _values(measure: str, values: Sequence[str]) -> str:
    """Return the values of a measure as HTML. Without the name of a measure, the values are sentences."""
    if not measure:
        return "".join(f"<p>{escape(capitalised(each))}.</p>" for each in values)
    if len(values) == 1:
        return f"<p>{escape(measure)}: {escape(values[0])}</p>"
    return f"<p>{escape(measure)}:</p>{html.bullets(map(capitalised, values))}"


def by_verdict(verdict: str, agrees: str, differs: str, unknown: str = "is undecided", unjudged: str = "") -> str:
    """Return the argument that belongs to a verdict: `agrees`, `differs`, `unknown` or `unjudged`."""
    words = {AGREES: agrees, DIFFERS: differs, NOT_JUDGED: unjudged or f"is {NOT_JUDGED}"}
    return words.get(verdict, unknown)


def by_answer(answer: Answer, so: str, not_so: str, unknown: str) -> str:
    """Return `so`, `not_so` or `unknown` for the answer True, False or None."""
    return unknown if answer is None else so if answer else not_so


PARTS: Mapping[str, Any] = {
    **{name: getattr(html, name) for name in ("drawing", "small", "gallery", "bullets", "commands", "game")},
    "by_answer": by_answer,
    "by_verdict": by_verdict,
}
"""The functions that every page can use, besides those that depend on the evidence."""
