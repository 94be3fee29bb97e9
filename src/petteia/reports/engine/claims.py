"""Claims: statements about games and players, each with a rule that tests it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from petteia.core.errors import InvalidError
from petteia.experiments.verdicts import AGREES, BORDERLINE, DIFFERS, RARE
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY, UNTOLD, Finding, Rule
from petteia.reports.engine.settings import Scale, read_toml


@dataclass(frozen=True)
class Claim:
    """A statement about games or players that a report tests."""

    name: str
    part: str
    """The part of the page that shows this claim."""
    text: str
    """The claim in our words."""
    judged_by: Rule
    needs_paper: bool = False
    """Whether the claim is about numbers of games that the quick scale does not reach."""
    where: str = ""
    """The source of the claim in the original, such as a chapter, a table or a question."""
    is_original: bool = True
    """Whether the original makes this claim. It is False for a statement that the report adds."""

    def judged(self, evidence: Any, scale: Scale) -> Finding:
        """Apply the claim's rule to the evidence. At the scale `quick`, claims with `needs_paper` are not judged."""
        finding = self.judged_by.judge(evidence)
        return finding._replace(is_judged=finding.is_judged and (scale != "quick" or not self.needs_paper))


def read_claims(package: str, file: str, rules: Mapping[str, Rule]) -> tuple[Claim, ...]:
    """Read the claims in a TOML file of a package, and attach to each claim the rule with the same name.

    A section `said` contains claims of the original work, whose experiments the report repeats. A section `added` has
    the same form. It contains further statements that the report adds to those of the original work. This is an example
    of a section:

    [[said]]
    part = "Play"
    where = "its table of results"
    needs_paper = true
    [said.claims]
    wins = "It beats greedy."

    Raises InvalidError if a claim has no rule or a rule has no claim.
    """
    sections = read_toml(package, file)
    parts = [(part, kind == "said") for kind in ("said", "added") for part in sections.get(kind, ())]
    if odd := {name for part, _ in parts for name in part["claims"]} ^ rules.keys():
        raise InvalidError(
            f"{file}: each claim needs a rule, and each rule needs a claim; only one of the two exists for "
            f"{', '.join(sorted(odd))}"
        )
    return tuple(
        Claim(name, part["part"], text, rules[name], part.get("needs_paper", False), part["where"], is_original)
        for part, is_original in parts
        for name, text in part["claims"].items()
    )


Judgements = Sequence[tuple[Claim, Finding]]


def judge_all(claims: Iterable[Claim], evidence: Any, scale: Scale) -> list[tuple[Claim, Finding]]:
    """Apply the rule of each claim to the evidence, and return the claims with their findings."""
    return [(each, each.judged(evidence, scale)) for each in claims]


def claim_rows(judgements: Judgements) -> list[dict[str, Any]]:
    """Return a CSV row for each claim: its text and source, its rule, the measured values, and the verdict."""
    return [
        {
            "name": claim.name,
            "part": claim.part,
            "claim": claim.text,
            "of_original": claim.is_original,
            "where": claim.where,
            "rule": claim.judged_by.words,
            "ours": finding.text,
            "verdict": finding.verdict,
        }
        for claim, finding in judgements
    ]


TALLIED = {
    AGREES: ("agrees", "agree"),
    DIFFERS: ("differs", "differ"),
    BORDERLINE: tuple(f"{be} borderline (p < {RARE:g} before correction)" for be in ("is", "are")),
    **{verdict: (f"is {verdict}", f"are {verdict}") for verdict in (UNTOLD, TOO_WIDELY)},
    NOT_JUDGED: tuple(f"{need} more games or training runs for a verdict" for need in ("needs", "need")),
}
"""The words for each verdict, about one claim and about several claims."""


def tally(verdicts: Iterable[str]) -> str:
    """Count the verdicts of each kind, and return the counts as text, such as `1 agrees and 2 differ`."""
    counts = Counter(verdicts)
    known = ((counts[verdict], words) for verdict, words in TALLIED.items() if counts[verdict])
    return listed([f"{count} {one if count == 1 else more}" for count, (one, more) in known])


def listed(words: Sequence[str]) -> str:
    """Join words into a list: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
