"""The rules that judge the claims in `open.toml`, about questions that the original report leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import POINTS, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, change, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, below, within
from petteia.reports.mancala.ablation import CHANGES, gain
from petteia.reports.mancala.duels import DRAWS, ENDS, SCORES, ZERO
from petteia.reports.mancala.further import LONG_CHAINS, TREATMENTS, enough_against
from petteia.reports.mancala.own_games import AFTER_DECISION
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.questions import TRACES, beside_first, kinds_of_traces

NO_EFFECT = 0.02
"""The largest difference in score that counts as no effect."""


def beside(figures: Mapping[str, Figure], evidence: Evidence) -> str:
    """Describe the score differences between each variant and the first one, paired by seed, in words."""
    first, *others = beside_first({name: each.values(evidence) for name, each in figures.items()}, "", "")
    words = {"better": "clearly more", "worse": "clearly less", "": "which can be chance"}
    gains = (f"“{row.variant}” {interval_text(row.gain, POINTS)}, {words[row.verdict]}" for row in others)
    return f"the differences from “{first.variant}” are: {'; '.join(gains)}"


def has_no_effect(how: str) -> Rule:
    """Return a rule that tests whether the score of theta1 stays the same if a single weight is changed.

    It tests each weight that never settles according to the original report. `how` names the change.
    """
    return all_of(within(gain("score", name, how), -NO_EFFECT, NO_EFFECT) for name in sorted(SWINGING))


def another_draw_is_better(evidence: Evidence) -> Finding:
    """Judge whether theta scores clearly more with a value of a draw other than 0."""
    scores = SCORES[DRAWS]
    gains = [change(each, scores[ZERO]).interval(evidence) for name, each in scores.items() if name != ZERO]
    better = any(each.is_known and each.low > 0.0 for each in gains)
    none = all(each.is_known and each.high < NO_EFFECT for each in gains)
    return Finding(beside(scores, evidence), True if better else False if none else None)


STANDARD, *OTHERS = SCORES[ENDS].values()
RULES = {
    "traces-coincide": Rule(
        "training runs with accumulating traces and training runs with replacing traces have exactly the same scores",
        lambda evidence: kinds_of_traces(evidence.experiments[TRACES]),
    ),
    "ends-help": all_of(above(change(STANDARD, other), 0.0) for other in OTHERS),
    "starves-and-stuffs": all_of((above(TREATMENTS["starved"], 0.0), above(TREATMENTS["stuffed"], 0.0))),
    "draws-are-not-0": Rule("theta scores more with another value of a draw than 0", another_draw_is_better),
    "greedy2-shortens": below(
        replace(
            ratio(enough_against("greedy:depth=2 for 20000, then self"), enough_against("self")),
            words="the number of training games until the score against greedy1 stays near its final value, with "
            "greedy2 as the first opponent, divided by the same number with self-play alone,",
            subject="",
        ),
        1.0,
    ),
    "swinging-has-no-effect": has_no_effect(CHANGES[0]),
    "long-chains": above(LONG_CHAINS, 0.0),
    "stopping-early": above(AFTER_DECISION, 0.1),
}
"""The rule of each claim of open.toml."""
CLAIMS = read_claims("petteia.reports.mancala", "open.toml", RULES)
