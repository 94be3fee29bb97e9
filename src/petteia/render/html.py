"""Functions that create self-contained HTML pages from plain values.

All text is escaped, unless it is already HTML (`Html`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from petteia.core.protocol import CHANCE, format_move, play, seats, to_move
from petteia.records.game_record import GameRecord
from petteia.render.boards import board_svg

BUTTONS = (
    ("first", "|◀", "to the start"),
    ("back", "◀", "one move back"),
    ("on", "▶", "one move forward"),
    ("last", "▶|", "to the end"),
)


class Html(str):
    """A string of HTML code. Other strings are escaped when they are inserted into a page."""

    __slots__ = ()


def drawing(svg: str, caption: str) -> Html:
    """Return an SVG drawing with a caption, as HTML."""
    return Html(f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>")


def small(part: Html) -> Html:
    """Return a small version of a drawing, as used for boards."""
    return Html(f'<div class="small">{part}</div>')


def gallery(drawings: Iterable[tuple[str, str]]) -> Html:
    """Small drawings side by side, each with a caption."""
    return Html(f'<div class="gallery">{"".join(drawing(svg, caption) for svg, caption in drawings)}</div>')


def strong(text: str) -> Html:
    """Bold text."""
    return Html(f"<strong>{escape(text)}</strong>")


def table(header: Sequence[str], rows: Iterable[Sequence[object]], note: str = "", folded: str = "") -> Html:
    """Return a table as HTML, with an optional note above it. A wide table can be scrolled.

    If `folded` is not empty, the table is collapsed. The reader sees `folded` as its summary, and clicks it to open the
    table.
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{inner_html(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    start = '<div class="wide" tabindex="0" role="region" aria-label="a table">'
    above = f'<p class="note">{escape(note)}</p>' if note else ""
    whole = f"{start}<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>"
    return Html(above + (fold(folded, Html(whole)) if folded else whole))


def fold(summary: str, part: Html) -> Html:
    """Return a collapsible section of a page. It opens when its summary is clicked, and needs no script."""
    return Html(f'<details class="fold"><summary>{escape(summary)}</summary>{part}</details>')


def inner_html(cell: object) -> str:
    """Convert a table cell or a line of text to HTML. Values of the class `Html` are not escaped."""
    return cell if isinstance(cell, Html) else escape(str(cell))


def bullets(lines: Iterable[str]) -> Html:
    """A bulleted list of lines of text."""
    return Html(f"<ul>{''.join(f'<li>{inner_html(line)}</li>' for line in lines)}</ul>")


def commands(lines: Iterable[str]) -> Html:
    """Shell commands as preformatted text."""
    return Html(f"<pre>{escape(chr(10).join(lines))}</pre>")


def game(record: GameRecord) -> Html:
    """Return a recorded game as HTML: buttons and boards to step through the game, and the record as text.

    Without JavaScript, all boards are shown in a row.
    """
    rules, state = record.rules, record.start
    boards = [drawing(board_svg(rules, state), "The start.")]
    for number, move in enumerate(record.moves, 1):
        mover = to_move(rules, state)
        who = "chance" if mover == CHANCE else seats(rules)[mover]
        before, text = state, format_move(rules, state, move)
        state = play(rules, before, move)
        caption = f"Ply {number}, {who}: {text}"
        outcome = record.outcome
        if number == len(record.moves) and outcome is not None and outcome.winner is not None:
            caption += f". Winner: {seats(rules)[outcome.winner]}."
        boards.append(drawing(board_svg(rules, state, move, before), caption))
    buttons = "".join(
        f'<button name="{name}" title="{hint}" aria-label="{hint}">{sign}</button>' for name, sign, hint in BUTTONS
    )
    joined = "\n".join(boards)
    return Html(
        f'<div class="game" tabindex="0">\n<div class="buttons" hidden>{buttons}<output></output></div>\n'
        f'<div class="frames">\n{joined}\n</div>'
        f"<details><summary>Record of this game</summary><pre>{escape(record.write())}</pre></details></div>"
    )


def document(title: str, body: str) -> str:
    """Return a complete HTML page with a style sheet and a script. `title` is plain text, and `body` is HTML."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{head}<style>\n{_file("style.css")}</style></head>\n'
        f"<body>\n{body}<script>\n{_file('steps.js')}</script>\n</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return (resources.files("petteia.render") / name).read_text(encoding="utf-8")
