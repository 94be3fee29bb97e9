"""A page is prose with places: Markdown in which Jinja2 puts text, figures, tables, claims and charts.

The template is filled first, and what is HTML leaves a mark where it stands; then the text becomes HTML, in which
nothing but those marks is taken for HTML; then the marks are filled. A name that the template does not know is an
error. A figure that stands in the prose is told with its interval, in a table it is a cell that unfolds that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from petteia.core.errors import InvalidError
from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.render import html
from petteia.render.html import Html, document
from petteia.reports.engine import parts
from petteia.reports.engine.claims import Judgements
from petteia.reports.engine.estimates import SHARE, interval_text
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import NOT_JUDGED, Answer
from petteia.reports.engine.tables import MatchTable, Row, Table, table_html

MARK = re.compile("<p>\ue000([0-9]+)\ue001</p>|\ue000([0-9]+)\ue001")
MEANT = re.compile(r"([\\`*_\[\]<>|~#])")
"""signs with a meaning in Markdown, which have none in a figure"""
PARTS = {name: getattr(html, name) for name in ("drawing", "small", "gallery", "bullets", "commands", "game")}
"""what every page may use, besides what depends on what was found"""


def page(
    template: str,
    names: Mapping[str, Any],
    evidence: Any = None,
    judgements: Judgements = (),
    charts: Mapping[str, str] | None = None,
    tables: Sequence[Table | MatchTable] = (),
) -> str:
    """The whole document: a Markdown template whose first line is its title, filled with what it names.

    Args:
        template: the prose with its places
        names: all that it names, besides the parts that every page may use
        evidence: what its figures are of
        judgements: what was found about the claims, which it shows part by part
        charts: as SVG, by name
        tables: those that are declared, which it shows by name

    Raises:
        InvalidError: it uses a name that is not there

    """
    title = template.partition("\n")[0].lstrip("# ")
    return document(title, filled(template, names, evidence, judgements, charts, tables))


def filled(
    template: str,
    names: Mapping[str, Any],
    evidence: Any,
    judgements: Judgements = (),
    charts: Mapping[str, str] | None = None,
    tables: Sequence[Table | MatchTable] = (),
) -> Html:
    """A part of a page; arguments as of `page`."""
    from jinja2 import Environment, StrictUndefined, TemplateError
    from markdown_it import MarkdownIt

    placed: list[Html] = []

    def place(value: Any) -> str:
        if isinstance(value, Html):
            placed.append(value)
            return f"\ue000{len(placed) - 1}\ue001"
        if isinstance(value, StrictUndefined):
            return str(value)  # raises the error
        return MEANT.sub(r"\\\1", value.text(evidence) if isinstance(value, Figure) else str(value))

    def table(header: Sequence[str], rows: Iterable[Row], folded: str = "") -> Html:
        return table_html(header, rows, evidence, folded)

    def declared(name: str) -> Html:
        for each in tables:
            if each.name == name:
                return each.html(evidence)
        raise InvalidError(f"the page: there is no table {name!r}")

    def claims(part: str) -> Html:
        judged = [parts.claim(each, finding) for each, finding in judgements if each.part == part]
        if not judged:
            raise InvalidError(f"the page: there are no claims about {part!r}")
        return Html("\n".join(judged))

    def chart(name: str, caption: str) -> Html:
        if name not in (charts or {}):
            raise InvalidError(f"the page: there is no chart {name!r}")
        return html.drawing((charts or {})[name], caption)

    environment = Environment(
        undefined=StrictUndefined, finalize=place, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters["share"] = lambda interval: interval_text(interval, SHARE)
    environment.filters["percent"] = lambda figure: f"{figure.mean(evidence):.0%}"
    environment.filters["mean"] = lambda figure: figure.unit.text(figure.mean(evidence))
    environment.filters["thousands"] = lambda number: f"{number:,}"
    known = {
        **PARTS,
        "table": table,
        "declared": declared,
        "claims": claims,
        "chart": chart,
        "by_answer": by_answer,
        "by_verdict": by_verdict,
        **names,
    }
    try:
        text = environment.from_string(template).render(known)
    except TemplateError as error:
        raise InvalidError(f"the page: {error}") from None
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Html(MARK.sub(lambda mark: placed[int(mark[1] or mark[2])], body))


def by_verdict(verdict: str, agrees: str, differs: str, unknown: str = "cannot be told", unjudged: str = "") -> str:
    """Words for a verdict."""
    words = {AGREES: agrees, DIFFERS: differs, NOT_JUDGED: unjudged or f"is {NOT_JUDGED}"}
    return words.get(verdict, unknown)


def by_answer(answer: Answer, so: str, not_so: str, unknown: str) -> str:
    """Words for an answer."""
    return unknown if answer is None else so if answer else not_so
