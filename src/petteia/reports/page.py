"""What the page of a report is made of: HTML in one file, without a line from elsewhere.

Parts are functions from plain values to HTML. Text is escaped unless it is said to be HTML.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from html import escape

from petteia.reports.verdicts import AGREES, DIFFERS, UNTOLD, Finding, Statement

STYLE = """
:root { color-scheme: light dark; --ink: #26241f; --paper: #fffdf8; --line: #d8d3c8; --accent: #9a4f16 }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7db; --paper: #1c1a17; --line: #4a463d; --accent: #e2a46f } }
body { color: var(--ink); background: var(--paper); font: 17px/1.6 Georgia, serif; margin: 0 auto; max-width: 46rem;
       padding: 2rem 1rem 4rem }
h1, h2 { line-height: 1.2; font-weight: 600 } h1 { font-size: 2rem } h2 { font-size: 1.35rem; margin-top: 2.5rem }
figure { margin: 1.5rem 0 } figure svg { display: block; max-width: 100%; height: auto; margin: auto }
figcaption { font-size: 0.9rem; text-align: center; opacity: 0.8 }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left }
pre, code { font: 0.88em/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; padding: 0.8rem 1rem }
.frames > figure { border-top: 1px solid var(--line); padding-top: 0.8rem } .frames svg { max-width: 30rem }
.buttons { display: flex; gap: 0.5rem; justify-content: center; align-items: center }
.buttons[hidden] { display: none }
.buttons button { font: inherit; padding: 0.1rem 0.9rem; cursor: pointer }
a { color: var(--accent) }
.wide { overflow-x: auto } .wide table { font-size: 0.84rem; line-height: 1.35 }
.wide th { vertical-align: bottom } .wide th, .wide td { padding: 0.3rem 0.45rem }
.small svg { max-width: 30rem }
.gallery { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)) }
.gallery figure { margin: 0.5rem 0 }
.statement { border-top: 1px solid var(--line); margin: 0; padding: 0.7rem 0 }
.statement p { margin: 0.2rem 0 } .statement .rule { font-size: 0.85rem; opacity: 0.75 }
.verdict { border-radius: 1rem; color: #fff; float: right; font: 600 0.75rem/1.6 system-ui, sans-serif;
           margin-left: 1rem; padding: 0 0.7rem }
.agrees { background: #00704f } .differs { background: #b34700 } .untold { background: #6b6b6b }
.cell { border-left: 4px solid var(--line); display: block; padding-left: 0.4rem; white-space: nowrap }
.cell small { display: block; opacity: 0.75 }
.cell.agrees, .cell.differs, .cell.untold { background: none }
.cell.agrees { border-color: #00704f } .cell.differs { border-color: #b34700 } .cell.untold { border-color: #6b6b6b }
.short { border-left: 4px solid var(--accent); margin: 1.5rem 0; padding: 0.1rem 1.2rem }
"""

SCRIPT = """
for (const game of document.querySelectorAll(".game")) {
  const frames = [...game.querySelectorAll(".frames > figure")];
  const buttons = game.querySelector(".buttons");
  const place = buttons.querySelector("output");
  let current = 0;
  const show = (number) => {
    current = Math.max(0, Math.min(frames.length - 1, number));
    frames.forEach((frame, i) => { frame.hidden = i !== current; });
    place.textContent = `${current} / ${frames.length - 1}`;
  };
  const step = { first: () => show(0), back: () => show(current - 1), on: () => show(current + 1),
                 last: () => show(frames.length - 1) };
  for (const button of buttons.querySelectorAll("button")) button.onclick = step[button.name];
  game.onkeydown = (event) => {
    if (event.key === "ArrowRight") step.on();
    if (event.key === "ArrowLeft") step.back();
  };
  buttons.hidden = false;
  show(0);
}
"""

KINDS = {AGREES: "agrees", DIFFERS: "differs", UNTOLD: "untold"}
"""How the parts of a verdict are called in the style."""

BUTTONS = (("first", "|◀", "to the start"), ("back", "◀", "a move back"), ("on", "▶", "a move on"))
LAST = ("last", "▶|", "to the end")


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def page(title: str, parts: Iterable[str]) -> str:
    """The whole document."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{head}<style>{STYLE}</style></head>\n'
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def heading(text: str) -> str:
    """The heading of a section."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(html: str) -> str:
    """A paragraph; `html` is HTML."""
    return f"<p>{html}</p>"


def figure(svg: str, caption: str) -> str:
    """A drawing with a caption."""
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def small(drawing: str) -> str:
    """A figure at the size of the boards of a game."""
    return f'<div class="small">{drawing}</div>'


def gallery(drawings: Iterable[tuple[str, str]]) -> str:
    """Small drawings side by side, each with a caption."""
    return f'<div class="gallery">{"".join(figure(svg, caption) for svg, caption in drawings)}</div>'


def strong(text: str) -> Html:
    """Text that stands out."""
    return Html(f"<strong>{escape(text)}</strong>")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of text; on narrow screens it scrolls."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>'


def _cell(cell: object) -> str:
    return cell if isinstance(cell, Html) else escape(str(cell))


def short(lines: Iterable[str]) -> str:
    """What there is to remember, a paragraph each; `lines` are HTML."""
    return f'<div class="short">{"".join(map(paragraph, lines))}</div>'


def bullets(lines: Iterable[str]) -> str:
    """A list of text."""
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def compared(ours: str, notes: Iterable[str], verdict: str | None = None) -> Html:
    """A cell of a table: our figure, small lines below it, and at its side the colour of the verdict."""
    kind = "" if verdict is None else f" {KINDS[verdict]}"
    told = "" if verdict is None else f' title="{verdict}"'
    lines = "".join(f"<small>{escape(note)}</small>" for note in notes)
    return Html(f'<span class="cell{kind}"{told}>{escape(ours)}{lines}</span>')


def statement(each: Statement, found: Finding) -> str:
    """What somebody has said, what was found, and the verdict with its rule."""
    return (
        f'<div class="statement"><span class="verdict {KINDS[found.verdict]}">{found.verdict}</span>'
        f"<p><strong>{escape(each.claim)}</strong></p><p>Here: {escape(found.ours)}.</p>"
        f'<p class="rule">It agrees if {escape(each.rule)}.</p></div>'
    )


def commands(lines: Iterable[str]) -> str:
    """Lines to type at a prompt."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def game(frames: Iterable[tuple[str, str]]) -> str:
    """A game to step through: boards as SVG, each with a caption. Without scripts all boards are shown in a row."""
    buttons = "".join(
        f'<button name="{name}" title="{hint}" aria-label="{hint}">{sign}</button>'
        for name, sign, hint in itertools.chain(BUTTONS, [LAST])
    )
    boards = "\n".join(figure(svg, caption) for svg, caption in frames)
    return (
        f'<div class="game" tabindex="0">\n<div class="buttons" hidden>{buttons}<output></output></div>\n'
        f'<div class="frames">\n{boards}\n</div></div>'
    )
