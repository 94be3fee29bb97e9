"""Parts of the page of a report: cells that unfold what stands behind a figure, and claims with their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from petteia.experiments.verdicts import AGREES, DIFFERS, ODD
from petteia.render.html import Html
from petteia.reports.engine.claims import Claim
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY, UNTOLD, Finding

KINDS = {
    AGREES: "agrees",
    DIFFERS: "differs",
    ODD: "odd",
    UNTOLD: "untold",
    TOO_WIDELY: "untold",
    NOT_JUDGED: "unjudged",
}
"""How the parts of a verdict are called in the style."""


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
        f'<details class="rule"><summary>How it is judged</summary>It agrees if {escape(each.judged_by.words)}.'
        "</details></div>"
    )
