"""The conditions for the verdicts on the claims in `open.toml`, on questions that the original report leaves open."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import POINTS, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, change, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, below, together, within
from petteia.reports.mancala.further import CHANGES, LONG_CHAINS, TREATMENTS, enough_against, gain
from petteia.reports.mancala.own_games import AFTER_DECISION
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.questions import DRAWS, ENDS, SCORES, TRACES, beside_first, kinds_of_traces

NO_EFFECT = 0.02
"""The largest difference in score that counts as no effect."""


def beside(figures: Mapping[str, Figure], evidence: Evidence) -> Finding:
    """Compare the mean score of each variant of the player with that of the first variant."""
    first, *others = beside_first({name: each.values(evidence) for name, each in figures.items()}, "", "")
    words = {"better": "clearly more", "worse": "clearly less", "": "which may be due to chance"}
    measure = f"the difference from “{first.variant}” in {figures[first.variant].words}"
    parts = [
        Finding(
            f"{interval_text(row.gain, POINTS)}, {words[row.verdict]}", None, measure=measure, case=f"“{row.variant}”"
        )
        for row in others
    ]
    return together(parts, None)


def has_no_effect(how: str) -> Rule:
    """Return the test of the claim that no weight that the students list as unsettled affects the score.

    The score is that of the learned player. `how`, one of CHANGES, states how each of the weights is changed.
    """
    return all_of(within(gain("score", name, how), -NO_EFFECT, NO_EFFECT) for name in sorted(SWINGING))


def another_draw_is_better(evidence: Evidence) -> Finding:
    """Judge whether the learned player scores clearly more if its search gives draws a value other than 0."""
    worth_0, *others = SCORES[DRAWS].values()
    gains = [change(each, worth_0).interval(evidence) for each in others]
    better = any(each.is_known and each.low > 0.0 for each in gains)
    none = all(each.is_known and each.high < NO_EFFECT for each in gains)
    return beside(SCORES[DRAWS], evidence)._replace(answer=True if better else False if none else None)


STANDARD, *OTHERS = SCORES[ENDS].values()
RULES = {
    "traces-coincide": Rule(
        "training runs with accumulating traces and training runs with replacing traces have exactly the same scores",
        lambda evidence: kinds_of_traces(evidence.experiments[TRACES]),
    ),
    "ends-help": all_of(above(change(STANDARD, other), 0.0) for other in OTHERS),
    "starves-and-stuffs": all_of((above(TREATMENTS["starved"], 0.0), above(TREATMENTS["stuffed"], 0.0))),
    "draws-are-not-0": Rule("theta scores clearly more if a draw has a value other than 0", another_draw_is_better),
    "greedy2-shortens": below(
        ratio(
            enough_against("greedy:depth=2 for 20000, then self", "“greedy2, then self-play”"),
            enough_against("self", "“self-play only”"),
        ),
        1.0,
    ),
    "swinging-has-no-effect": has_no_effect(CHANGES[0]),
    "long-chains": above(LONG_CHAINS, 0.0),
    "stopping-early": above(AFTER_DECISION, 0.1),
}
"""The rule of each claim of open.toml."""
CLAIMS = read_claims("petteia.reports.mancala", "open.toml", RULES)
