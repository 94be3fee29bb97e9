"""How the claims about what R has left open are judged: a rule for each claim of open.toml."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import POINTS, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, change, ratio
from petteia.reports.engine.rules import Finding, Rule, above, all_of, below, within
from petteia.reports.mancala.ablation import CHANGES, gain
from petteia.reports.mancala.duels import ZERO
from petteia.reports.mancala.further import (
    DRAW_SCORES,
    END_SCORES,
    ENOUGH,
    FIRST_GREEDY2,
    ITSELF,
    LONG_CHAINS,
    TREATMENTS,
    WATCHED,
    watched,
)
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.questions import TRACES, beside_first, kinds_of_traces

MUCH = 0.1
NO_EFFECT = 0.02
"""who scores as little more or less is as good"""
AS_IT_IS, *OTHERS = END_SCORES.values()


def beside(figures: Mapping[str, Figure], evidence: Evidence) -> str:
    """By how much variants score more than the first, seed by seed, in words."""
    first, *others = beside_first({name: each.values(evidence) for name, each in figures.items()}, "", "")
    luck = {"better": "clearly more", "worse": "clearly less", "": "which can be luck"}
    gains = (f"{row.variant} {interval_text(row.gain, POINTS)}, {luck[row.verdict]}" for row in others)
    return f"beside {first.variant}: {'; '.join(gains)}"


def has_no_effect(how: str) -> Rule:
    """Theta1 scores as much where any of the weights that R lists is changed so."""
    return all_of(within(gain("score", name, how), -NO_EFFECT, NO_EFFECT) for name in sorted(SWINGING))


def another_draw_is_better(evidence: Evidence) -> Finding:
    """Whether theta scores clearly more with a draw that is not worth 0."""
    gains = [change(each, DRAW_SCORES[ZERO]).interval(evidence) for name, each in DRAW_SCORES.items() if name != ZERO]
    better = any(each.is_known and each.low > 0.0 for each in gains)
    none = all(each.is_known and each.high < NO_EFFECT for each in gains)
    return Finding(beside(DRAW_SCORES, evidence), True if better else False if none else None)


def much_comes_late(evidence: Evidence) -> Finding:
    """Whether a large part of a game comes after it is decided."""
    late = watched(evidence, WATCHED)["after_decision"]
    return Finding(f"{late:.0%} of the plies of {WATCHED:,} games", late > MUCH)


RULES = {
    "traces-coincide": Rule(
        "all scores of trainings with the two are the same",
        lambda evidence: kinds_of_traces(evidence.experiments[TRACES]),
    ),
    "ends-help": all_of(above(change(AS_IT_IS, other), 0.0) for other in OTHERS),
    "starves-and-stuffs": all_of((above(TREATMENTS["starved"], 0.0), above(TREATMENTS["stuffed"], 0.0))),
    "draws-are-not-0": Rule("with another value of a draw theta scores more", another_draw_is_better),
    "greedy2-shortens": below(ratio(ENOUGH[FIRST_GREEDY2], ENOUGH[ITSELF]), 1.0),
    "swinging-has-no-effect": has_no_effect(CHANGES[0]),
    "long-chains": above(LONG_CHAINS, 0.0),
    "stopping-early": Rule(
        f"more than {MUCH:.0%} of the plies of a game of the heuristic against random come after it is decided",
        much_comes_late,
    ),
}
"""How each claim of open.toml is judged."""
CLAIMS = read_claims("petteia.reports.mancala", "open.toml", RULES)
