"""Claims: what somebody has said, and the rule by which it is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from petteia.reports.engine.figures import Figure, share_of_trainings
from petteia.reports.engine.outcome import Scale
from petteia.reports.engine.rules import AGREES, DIFFERS, NOT_JUDGED, UNTOLD, Above, Finding, Rule

HALF = 0.5
"""what more than half of all trainings do, most do"""


@dataclass(frozen=True)
class Claim:
    """What somebody has said."""

    name: str
    part: str
    """what it is about: claims of one part stand together"""
    text: str
    """the claim, in our words"""
    judged_by: Rule
    needs_paper: bool = False
    """whether it speaks of numbers of games that the quick scale does not have"""


def most_above(figure: Figure, bound: float) -> Above:
    """Of most trainings the figure is more than a bound."""
    words = f"the share of trainings in which {figure.words} is above {figure.unit.text(bound)}"
    return most(words, lambda evidence: [value > bound for value in figure.values(evidence)], figure.subject)


def most_below(figure: Figure, bound: float) -> Above:
    """Of most trainings the figure is less than a bound."""
    words = f"the share of trainings in which {figure.words} is below {figure.unit.text(bound)}"
    return most(words, lambda evidence: [value < bound for value in figure.values(evidence)], figure.subject)


def most(words: str, holds: Callable[[Any], Sequence[bool]], subject: str = "") -> Above:
    """Something holds of most trainings; `words` are those of their share."""
    return Above(share_of_trainings(words, holds, subject), HALF)


Judgements = Sequence[tuple[Claim, Finding]]


def judge_all(claims: Iterable[Claim], evidence: Any, scale: Scale) -> list[tuple[Claim, Finding]]:
    """What was found about each claim; what needs more games than the quick scale has is not judged there."""
    judgements = []
    for each in claims:
        finding = each.judged_by.judge(evidence)
        judgements.append((each, finding._replace(is_judged=scale != "quick" or not each.needs_paper)))
    return judgements


def tally(verdicts: Iterable[str]) -> str:
    """How many verdicts there are of each kind, in words."""
    counts = Counter(verdicts)
    parts = [f"{counts[AGREES]} agree{'s' if counts[AGREES] == 1 else ''}"]
    parts += [f"{counts[DIFFERS]} differ{'s' if counts[DIFFERS] == 1 else ''}"]
    parts += [f"of {counts[UNTOLD]} it cannot be told"]
    if counts[NOT_JUDGED]:
        parts.append(f"{counts[NOT_JUDGED]} {'is' if counts[NOT_JUDGED] == 1 else 'are'} not judged at this scale")
    return listed(parts)


def listed(words: Sequence[str]) -> str:
    """Words one after the other: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
