"""Claims of the report that only the scale `all` judges, from what it finds beyond the tables."""

from __future__ import annotations

from petteia.arena.statistics import Interval
from petteia.reports.engine.claims import Above, Claim, Every, Finding, Judged
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import Figure, difference
from petteia.reports.mancala import duels
from petteia.reports.mancala.behaviour import LONG
from petteia.reports.mancala.beyond import TRACES, Beyond
from petteia.reports.mancala.questions import different_scores, kinds_of_traces

OPEN = "Left open"
MUCH = 0.1
AS_IT_IS, *OTHERS = duels.OPTIONS


def ends(variant: str) -> Figure:
    """The mean score of theta with such ends, over both seats and all depths, against greedy of the same depth."""
    return Figure(
        "the score against greedy of the same depth",
        SHARE,
        lambda found: duels.by_seed(duels.of(found.duels, duels.ENDS, variant=variant)),
        variant,
    )


def treated(name: str, words: str) -> Figure:
    """How often theta5 treats greedy5 so."""
    return Figure(
        f"the share of games in which it {words} greedy5", SHARE, lambda found: getattr(found.treatment, name)
    )


def traces_coincide(found: Beyond) -> Finding:
    """Whether accumulating and replacing traces lead to the same scores."""
    counts = different_scores(found.experiments[TRACES])
    return Finding(kinds_of_traces(found.experiments[TRACES]).rstrip("."), not any(counts.values()))


CLAIMS = (
    Claim(
        *("traces-coincide", OPEN, "Accumulating and replacing traces coincide, as no state repeats."),
        Judged("all scores of trainings with the two are the same", traces_coincide),
    ),
    Claim(
        *("ends-help", OPEN, "Values of their own for won and lost ends, and preferring early wins, help theta."),
        Every(tuple(Above(difference(ends(AS_IT_IS), ends(other)), 0.0) for other in OTHERS)),
    ),
    Claim(
        *("starves-and-stuffs", OPEN, "Theta starves its opponent, and stuffs its pits."),
        Every((Above(treated("starved", "starves"), 0.0), Above(treated("stuffed", "stuffs"), 0.0))),
    ),
    Claim(
        *("long-chains", OPEN, f"Chains of {LONG} turns come about in games of the heuristic."),
        Above(
            Figure(
                f"the share of its games against random with {LONG} own plies in a row",
                SHARE,
                lambda found: Interval(*found.watched.long_chains),
            ),
            0.0,
        ),
    ),
    Claim(
        *("stopping-early", OPEN, "To stop a game of training when it is decided saves much time."),
        Judged(
            f"more than {MUCH:.0%} of the plies of a game of the heuristic against random come after it is decided",
            lambda found: Finding(
                f"{found.watched.after_decision:.0%} of the plies of {found.watched.games:,} games",
                found.watched.after_decision > MUCH,
            ),
        ),
    ),
)
