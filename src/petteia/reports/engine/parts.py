"""Parts of a page: functions from plain values to HTML. Text is escaped unless it is HTML already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from petteia.core.protocol import format_move, format_state, play, seats, to_move
from petteia.experiments.verdicts import AGREES, DIFFERS, ODD
from petteia.records.game_record import GameRecord
from petteia.render import board_svg
from petteia.reports.engine.claims import Claim
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY, UNTOLD, Finding, words_of

KINDS = {
    AGREES: "agrees",
    DIFFERS: "differs",
    ODD: "odd",
    UNTOLD: "untold",
    TOO_WIDELY: "untold",
    NOT_JUDGED: "unjudged",
}
"""How the parts of a verdict are called in the style."""

BUTTONS = (
    ("first", "|◀", "to the start"),
    ("back", "◀", "a move back"),
    ("on", "▶", "a move on"),
    ("last", "▶|", "to the end"),
)


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def drawing(svg: str, caption: str) -> Html:
    """A drawing with a caption."""
    return Html(f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>")


def small(part: Html) -> Html:
    """A drawing at the size of the boards of a game."""
    return Html(f'<div class="small">{part}</div>')


def gallery(drawings: Iterable[tuple[str, str]]) -> Html:
    """Small drawings side by side, each with a caption."""
    return Html(f'<div class="gallery">{"".join(drawing(svg, caption) for svg, caption in drawings)}</div>')


def strong(text: str) -> Html:
    """Text that stands out."""
    return Html(f"<strong>{escape(text)}</strong>")


def table(header: Sequence[str], rows: Iterable[Sequence[object]], note: str = "", folded: str = "") -> Html:
    """A table of text, below a note: wider than the text where the window is, and else it scrolls.

    `folded`: what unfolds it, in words; without, it is shown at once.
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{_inner(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    start = '<div class="wide" tabindex="0" role="region" aria-label="a table">'
    above = f'<p class="note">{escape(note)}</p>' if note else ""
    whole = f"{start}<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>"
    if folded:
        whole = f'<details class="fold"><summary>{escape(folded)}</summary>{whole}</details>'
    return Html(above + whole)


def _inner(cell: object) -> str:
    return cell if isinstance(cell, Html) else escape(str(cell))


def bullets(lines: Iterable[str]) -> Html:
    """A list of text."""
    return Html(f"<ul>{''.join(f'<li>{_inner(line)}</li>' for line in lines)}</ul>")


def unfolding(shown: str, notes: Sequence[str], verdict: str | None = None) -> Html:
    """A cell that shows one figure and unfolds the rest; at its side the colour of the verdict."""
    kind = "" if verdict is None else f" {KINDS[verdict]}"
    title = "" if verdict is None else f' title="{verdict}"'
    lines = "".join(f"<small>{escape(note)}</small>" for note in notes)
    inner = f"<details><summary>{escape(shown)}</summary>{lines}</details>" if notes else escape(shown)
    return Html(f'<span class="cell{kind}"{title}>{inner}</span>')


def claim(each: Claim, finding: Finding) -> Html:
    """What somebody has said, and where, the verdict, and what was found; it unfolds the rule."""
    where = f" <small>({escape(each.where)})</small>" if each.where else ""
    return Html(
        f'<div class="claim"><span class="verdict {KINDS[finding.verdict]}">{finding.verdict}</span>'
        f"<p><strong>{escape(each.text)}</strong>{where}</p><p>Here {escape(finding.ours)}.</p>"
        f'<details class="rule"><summary>How it is judged</summary>It agrees if {escape(words_of(each.judged_by))}.'
        "</details></div>"
    )


def commands(lines: Iterable[str]) -> Html:
    """Lines to type at a prompt."""
    return Html(f"<pre>{escape(chr(10).join(lines))}</pre>")


def game(record: GameRecord) -> Html:
    """A recorded game to step through, the start first. Without scripts all boards are shown in a row."""
    rules, state = record.rules, record.start
    boards = [drawing(board_svg(rules, state), "The start.")]
    for number, move in enumerate(record.moves, 1):
        before, who, text = state, seats(rules)[to_move(rules, state)], format_move(rules, state, move)
        state = play(rules, before, move)
        caption = f"{number}. {who}: {text} ({format_state(rules, state)})"
        outcome = record.outcome
        if number == len(record.moves) and outcome is not None and outcome.winner is not None:
            caption += f": won by {seats(rules)[outcome.winner]}"
        boards.append(drawing(board_svg(rules, state, move, before), caption))
    buttons = "".join(
        f'<button name="{name}" title="{hint}" aria-label="{hint}">{sign}</button>' for name, sign, hint in BUTTONS
    )
    joined = "\n".join(boards)
    return Html(
        f'<div class="game" tabindex="0">\n<div class="buttons" hidden>{buttons}<output></output></div>\n'
        f'<div class="frames">\n{joined}\n</div></div>'
    )
