"""A page is prose with places: Markdown in which Jinja2 puts text, figures, tables, claims and charts.

The template is filled first, and what is HTML leaves a mark where it stands; then the text becomes HTML, in which
nothing but those marks is taken for HTML; then the marks are filled. A name that the template does not know is an
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from importlib import resources
from typing import Any

from petteia.core.errors import InvalidError
from petteia.reports.engine import parts
from petteia.reports.engine.claims import Judgements
from petteia.reports.engine.parts import Html

MARK = re.compile("<p>\ue000([0-9]+)\ue001</p>|\ue000([0-9]+)\ue001")
MEANT = re.compile(r"([\\`*_\[\]<>|~#])")
"""signs with a meaning in Markdown, which have none in a figure"""
PARTS: dict[str, Callable[..., Html]] = {
    name: getattr(parts, name)
    for name in ("drawing", "small", "gallery", "strong", "table", "bullets", "unfolding", "commands", "game", "grid")
}
"""what every page may use"""


def page(template: str, names: Mapping[str, Any]) -> str:
    """The whole document: a Markdown template whose first line is its title, filled with what it names.

    Raises InvalidError if it uses a name that is not there.
    """
    from jinja2 import Environment, StrictUndefined, TemplateError
    from markdown_it import MarkdownIt

    placed: list[Html] = []

    def place(value: Any) -> str:
        if isinstance(value, Html):
            placed.append(value)
            return f"\ue000{len(placed) - 1}\ue001"
        return MEANT.sub(r"\\\1", str(value)) if not isinstance(value, StrictUndefined) else str(value)

    environment = Environment(
        undefined=StrictUndefined, finalize=place, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    try:
        text = environment.from_string(template).render({**PARTS, **names})
    except TemplateError as error:
        raise InvalidError(f"the page: {error}") from None
    title = text.partition("\n")[0].lstrip("# ")
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = MARK.sub(lambda mark: placed[int(mark[1] or mark[2])], body)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{head}<style>\n{_file("style.css")}</style></head>\n'
        f"<body>\n{body}<script>\n{_file('steps.js')}</script>\n</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return (resources.files("petteia.reports.engine") / name).read_text(encoding="utf-8")


def claims_of(judgements: Judgements) -> Callable[[str], Html]:
    """What a page shows the claims of a part by; InvalidError if there is no such part."""

    def claims(part: str) -> Html:
        found = [parts.claim(each, finding) for each, finding in judgements if each.part == part]
        if not found:
            raise InvalidError(f"the page: there are no claims about {part!r}")
        return Html("\n".join(found))

    return claims


def charts_of(charts: Mapping[str, str]) -> Callable[[str, str], Html]:
    """What a page shows a chart by, with a caption; InvalidError if there is no such chart."""

    def chart(name: str, caption: str) -> Html:
        if name not in charts:
            raise InvalidError(f"the page: there is no chart {name!r}")
        return parts.drawing(charts[name], caption)

    return chart
