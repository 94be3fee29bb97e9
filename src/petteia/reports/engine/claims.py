"""Claims: what somebody has said, and the rule by which it is judged."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from petteia.core.errors import InvalidError
from petteia.experiments.verdicts import AGREES, DIFFERS, ODD
from petteia.reports.engine.outcome import Scale
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY, UNTOLD, Finding, Rule


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
    where: str = ""
    """where the original says it: a chapter, a table, a question"""


def read_claims(package: str, file: str, rules: Mapping[str, Rule]) -> tuple[Claim, ...]:
    """The claims of a TOML file in a package, each with the rule of its name; InvalidError where one of the two lacks.

    [[said]]
    part = "Play"
    where = "its table of results"
    needs_paper = true
    [said.claims]
    wins = "It beats greedy."
    """
    parts = tomllib.loads((resources.files(package) / file).read_text(encoding="utf-8"))["said"]
    said = [(name, text, part) for part in parts for name, text in part["claims"].items()]
    if odd := {name for name, _, _ in said} ^ rules.keys():
        raise InvalidError(f"{file}: has no claim, or there is no rule, of the name {', '.join(sorted(odd))}")
    return tuple(
        Claim(name, part["part"], text, rules[name], part.get("needs_paper", False), part["where"])
        for name, text, part in said
    )


Judgements = Sequence[tuple[Claim, Finding]]


def judge_all(claims: Iterable[Claim], evidence: Any, scale: Scale) -> list[tuple[Claim, Finding]]:
    """What was found about each claim; what needs more games than the quick scale has is not judged there."""
    judgements = []
    for each in claims:
        finding = each.judged_by.judge(evidence)
        is_judged = finding.is_judged and (scale != "quick" or not each.needs_paper)
        judgements.append((each, finding._replace(is_judged=is_judged)))
    return judgements


def claim_rows(judgements: Judgements) -> list[dict[str, Any]]:
    """A row for each claim: what was said, by which rule it was judged, what was found, and the verdict."""
    return [
        {
            "name": claim.name,
            "part": claim.part,
            "original": claim.text,
            "where": claim.where,
            "rule": claim.judged_by.words,
            "ours": finding.ours,
            "verdict": finding.verdict,
        }
        for claim, finding in judgements
    ]


TALLIED = {
    AGREES: ("agrees", "agree"),
    DIFFERS: ("differs", "differ"),
    ODD: ("is odd", "are odd"),
    UNTOLD: ("cannot be told", "cannot be told"),
    TOO_WIDELY: ("cannot be told, as trainings scatter too widely", "cannot be told, as trainings scatter too widely"),
    NOT_JUDGED: ("is not judged at this scale", "are not judged at this scale"),
}
"""verdicts in a sentence, of one and of several"""


def tally(verdicts: Iterable[str]) -> str:
    """How many verdicts there are of each kind, in words."""
    counts = Counter(verdicts)
    return listed(
        [
            f"{counts[verdict]} {one if counts[verdict] == 1 else more}"
            for verdict, (one, more) in TALLIED.items()
            if counts[verdict]
        ]
    )


def listed(words: Sequence[str]) -> str:
    """Words one after the other: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
