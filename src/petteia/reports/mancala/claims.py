"""The conditions that decide the verdicts on the claims about Kalah in `claims.toml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise, permutations, product

from petteia.experiments.tournament.declaration import ObservationOptions
from petteia.experiments.tournament.observations import Observation as Odd
from petteia.experiments.tournament.observations import find
from petteia.reports.engine.claims import read_claims
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference
from petteia.reports.engine.rules import (
    Finding,
    Rule,
    above,
    all_of,
    as_printed,
    below,
    denied,
    every,
    in_most,
    more_often,
    most_above,
    most_below,
    together,
    within,
)
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala import behaviour, divergence, figures, plan
from petteia.reports.mancala.figures import both_seats, lead, mean_of, mean_of_seats, of_weights, points, score, wins
from petteia.reports.mancala.plan import (
    EARLY,
    EVERY,
    GREEDY,
    LAST,
    LATE,
    LATER,
    OPPONENTS,
    OWN,
    SEAT_WORDS,
    SEATS,
    THETA,
)
from petteia.reports.mancala.published import LOWER_ONLY, progress
from petteia.reports.mancala.weight_measures import PLAYER, asymmetry, captures_weigh, mover_weighs, right_signs

Bound = Callable[[Figure, float], Rule]
"""A function that makes a rule from a `Figure` and its bound, such as `above`."""
WINS_ALL = 0.95
"""A score above this value counts as winning all games."""
MANY = 0.25
"""More than this share of the matches counts as many matches."""
GAIN = "theta1's gain in score against greedy1 during training"
CLEAR_FALL = "one more ply of search clearly lowers theta's score as first player against at least one opponent"


def odd_findings(evidence: Evidence) -> list[Odd]:
    """Find surprising results of players that do not learn: cycles of wins, and lower scores with deeper search.

    In a cycle, each of three players beats the next one, and the last player beats the first. A score counts as lower
    with deeper search if one more ply clearly lowers it against the same opponent.
    """
    scores = {pair: score(*pair).interval(evidence) for pair in figures.PAIRS}
    return find(scores, ObservationOptions(intransitive=True, depth=tuple(GREEDY)))


def is_not_transitive(evidence: Evidence) -> Finding:
    """Judge whether there is a cycle of three players, in which each player clearly beats the next one."""
    scores = {pair: mean_of_seats(*pair).interval(evidence) for pair in permutations(plan.PLAYERS, 2)}
    found = figures.circles(evidence, mean_of_seats)
    example = pairwise((*found[0], found[0][0])) if found else ()
    beaten = ", ".join(f"{one} beats {other} ({scores[one, other].mean:.1%})" for one, other in example)
    is_open = any(each.low <= 0.5 <= each.high for each in scores.values())
    answer = True if found else None if is_open else False
    value = f"{len(found)}, for example: {beaten}" if found else "0"
    return Finding(value, answer, measure="the number of cycles of three players, each better than the next")


def depth_is_partly_monotone(evidence: Evidence) -> Finding:
    """Judge whether deeper search helps the greedy player overall, although one more ply sometimes clearly harms it.

    Deeper search helps overall if `greedy5` (search depth 5) has a higher mean score than `greedy1` (search depth 1).
    """
    worse = sum(each.kind == "depth" for each in odd_findings(evidence))
    words = "the number of comparisons in which one more ply of search clearly lowers greedy's score"
    falls = Finding(str(worse), worse > 0, measure=words)
    deepest, shallowest = (mean_of("", [score(name, other) for other in OPPONENTS]) for name in ("greedy5", "greedy1"))
    gain = lead(
        "the difference in the mean score as first player", "greedy5 minus greedy1", deepest, shallowest, difference
    )
    helps = above(gain, 0.0).judge(evidence)
    return together([falls, helps], every([falls.answer, helps.answer]))


def reproduced(reading: Setting) -> Rule:
    """Return a test of whether the two published final results are plausible for petteia's training runs.

    The two published results are the shares of games that the learned player wins against greedy1, as first and as
    second player. `reading` is the interpretation of the update rule in petteia's training runs.
    """
    return all_of(
        as_printed(wins(reading, seat, subject=f"update rule “{reading.words}”"), progress(LAST, seat).wins / 100.0)
        for seat in SEATS
    )


def of_theta(score: Callable[..., Figure], more: Bound, less: Bound) -> dict[str, Rule]:
    """Return the tests of four claims about the scores of the learned player, theta, by the name of the claim.

    The function `score` returns the score of a match. The function `more` returns a test of whether a score is above a
    bound. The function `less` returns a test of whether a score is below a bound.
    """
    return {
        "theta2-and-theta5-win-all": all_of(
            more(score(name, other), WINS_ALL) for other, name in product(OPPONENTS, ("theta2", "theta5"))
        ),
        "theta1-loses": all_of(less(score("theta1", other), 0.5) for other in ("greedy3", "greedy4", "greedy5")),
        "only-theta3-holds": all_of(
            (more if name == "theta3" else less)(score(name, "heuristic", 1), 0.5)
            for name in sorted(THETA, key="theta3".__ne__)
        ),
        "theta5-loses-as-second": all_of(less(score("theta5", other, 1), 0.5) for other in ("greedy3", "greedy5")),
    }


def better_stage(one: int, others: Iterable[int], seat: int) -> Rule:
    """Return a test of whether training stage `one` has a higher score than each training stage in `others`.

    The score of a stage is the mean score of the learned player after this stage against itself after each other stage.
    `seat` is 0 for the games as first player, and 1 for the games as second player.
    """
    return all_of(above(figures.lead_of_stage(one, other, seat), 0.0) for other in others)


def of_both_sides(setting: Setting, where: str = "") -> Rule:
    """Return a test of whether training on both sides gives more wins than training on the lower side only.

    The sides are the lower side (South) and the upper side (North) of the board. The learners are measured as second
    player against greedy1. `setting` is the training on both sides, and `where` is added to the description of the
    test.
    """
    words = "the difference in the share of games won as second player against greedy1"
    scores = wins(setting, 1), figures.ALWAYS_LOWER_WINS
    subject = f"both sides in training minus only the lower side{where}"
    return above(lead(words, subject, *scores, difference), 0.0)


def gain(seat: int) -> Figure:
    """Return the gain in the learned player's score from the end of the first training stage to the end of training.

    The opponent is greedy1. The learned player is the first (seat 0) or the second player (seat 1).
    """
    return lead(GAIN, f"{SEAT_WORDS[seat]} player", points(OWN, seat), points(OWN, seat, 0))


RULES = {
    # Players.
    "random-is-even": within(score("random", "random"), 0.45, 0.55),
    "random-is-beaten": all_of(above(score(name, "random"), 0.9) for name in OPPONENTS),
    "chains-matter": above(figures.balanced("heuristic", "greedy1"), 0.5),
    "first-has-the-edge": above(figures.EDGE, 0.6),
    "is-not-transitive": Rule(
        "there is at least one cycle of three players in games from the start position (without a cycle, the verdict "
        "is “undecided” if the interval of any score contains 50 %)",
        is_not_transitive,
    ),
    "depth-is-partly-monotone": Rule(
        "greedy5 has a higher mean score than greedy1, but one more ply of search clearly lowers greedy's score in at "
        "least one comparison",
        depth_is_partly_monotone,
    ),
    "ends-help-greedy": above(figures.KNOWING_ENDS, 0.5),
    # The course of learning.
    "first-games-are-long": above(behaviour.SHORTER, 0.0),
    "short-training-beats-random": most_above(figures.AFTER_SHORTEST, 0.5),
    "own-plies-reproduce": reproduced(OWN),
    "every-ply-reproduces": reproduced(EVERY),
    "soon-better": all_of(most_above(points(OWN, seat, 0, "after the first stage of training"), 0.5) for seat in SEATS),
    "fewer-are-enough": within(figures.LATE_CHANGE, -0.03, 0.03),
    "large-alpha-diverges": all_of((divergence.most(divergence.LARGE, True), divergence.most(divergence.SMALL, False))),
    "gains-as-second": above(lead(GAIN, "as second player minus as first player", gain(1), gain(0)), 0.0),
    # Weights.
    "difference-dominates": above(figures.DOMINANCE, 1.0),
    "mover-outweighs": above(
        of_weights(
            "the sum of absolute weights for features of the side to move, divided by the sum for features of the "
            "other side,",
            mover_weighs,
        ),
        1.0,
    ),
    "signs": most_above(of_weights("the share of weights with the claimed sign", right_signs, SHARE), 0.75),
    "captures-weigh": above(
        of_weights(
            "the mean absolute weight of the three capture features, divided by the mean for the six other features,",
            captures_weigh,
        ),
        1.0,
    ),
    "columns-mirror": below(
        of_weights("the mean of |a + b| over the nine features, divided by the mean of |a| and |b|,", asymmetry),
        0.5,
    ),
    "player-is-negative": below(of_weights("the weight of “player”", lambda weights: weights[:, PLAYER], NUMBER), 0.0),
    "some-never-settle": more_often(
        "the share of weights that fluctuate in most training runs is larger in the students' list than among the "
        "other weights",
        "the share of weights that fluctuate in most training runs",
        ("weights in the students' list", "other weights"),
        figures.swinging_counts,
    ),
    # Seats.
    "lower-only": as_printed(figures.ALWAYS_LOWER_WINS, LOWER_ONLY),
    "both-sides-help": of_both_sides(OWN),
    "both-sides-same-opponent": of_both_sides(plan.SAME_OPPONENT, ", with the same opponent in training"),
    # Depth.
    **of_theta(score, most_above, most_below),
    **{f"printed-{name}": rule for name, rule in of_theta(partial(score, table=plan.authored), above, below).items()},
    "depth-of-theta": all_of(
        (
            in_most(CLEAR_FALL, figures.has_clear_fall),
            in_most("theta5 has a higher mean score as first player than theta1", figures.gains_by_depth),
        )
    ),
    # Stages.
    "early-as-first": better_stage(EARLY, (LATER, LATE), 0),
    "early-as-second": better_stage(EARLY, (LATER,), 1),
    "last-is-best": better_stage(LAST, range(LAST), 0),
    "last-is-best-second": better_stage(LAST, range(LAST), 1),
    "all-or-nothing": in_most(
        f"one player scores at least {1.0 - figures.EXTREME:.0%} in more than {MANY:.0%} of the matches",
        lambda evidence: [share > MANY for share in figures.extremes(evidence)],
        "theta1 after one stage against theta1 after another stage",
    ),
    # Traces.
    "lambda-0-starts": most_above(figures.AGAINST_TRACES, WINS_ALL),
    "traces-do-not-help": denied(above(difference(both_seats(plan.WITH_TRACES), both_seats(plan.WITHOUT_TRACES)), 0.0)),
    "traces-weaken": below(figures.CHANGE_WITH_TRACES, 0.0),
    "traces-settle": most_below(figures.SWING_WITH, figures.SWING),
    "traces-end-elsewhere": within(figures.BEYOND_CHANCE, 1.0, 2.0),
    # Whole turns.
    "chains-are-bad": all_of(
        (
            *(most_below(figures.chain_score(plan.BY_CHAINS, name), 0.5) for name in OPPONENTS),
            most_above(figures.chain_score(plan.BY_CHAINS, "random"), 0.5),
        )
    ),
    "chains-do-not-settle": most_above(figures.CHAIN_SWING, figures.SWING),
    "plies-are-better": above(figures.GAIN_BY_PLIES, 0.0),
}
"""The rule of each claim of claims.toml."""
CLAIMS = read_claims("petteia.reports.mancala", "claims.toml", RULES)
