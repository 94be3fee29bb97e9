"""What the thesis says, in our words, by which rule each statement is judged, and where we do not do as it did."""

from __future__ import annotations

from petteia.reports.hare_and_hounds.evidence import Evidence
from petteia.reports.hare_and_hounds.judges import (
    RESTLESS,
    alike_at_first,
    all_reach,
    average_at_high_rate,
    bad_move,
    best_parameters,
    cannot_be_beaten,
    fastest,
    gamma_at_middle_rate,
    gamma_matters_less,
    good_move,
    is_optimal,
    only_one_stays,
    settles_only_with_high_gamma,
    simple_is_beaten,
    simple_takes_so_long,
    soonest_stable,
    stable_at_low_rate,
    suits_other_games,
    unstable_at_high_rate,
    unstable_at_middle_rate,
    values_settle,
    winning_move,
)
from petteia.reports.verdicts import Finding, Statement

LEARNING, TRYING, LOWEST, CONVERGING, CONCLUDING = (
    "Learning rate and discount",
    "Random moves",
    "The simple hare",
    "Converging values",
    "What the thesis concludes",
)
CHANCE = (
    "Scatter is the standard deviation over the last quarter of the points, in units of what chance alone makes of it"
)

STATEMENTS = (
    Statement(
        *("only-one-stays", LEARNING),
        "Of the nine combinations only alpha 0.1 with gamma 0.9 stays above 90 %.",
        "at least 95 % of the points of its last quarter lie above 90 %, and of no other's",
        only_one_stays,
    ),
    Statement(
        *("gamma-at-middle-rate", LEARNING),
        "With alpha 0.5, gamma 0.5 is like 0.1, and 0.9 is far better.",
        "in the last quarter the step from 0.5 to 0.9 is more than twice that from 0.1 to 0.5",
        gamma_at_middle_rate,
    ),
    Statement(
        *("unstable-at-middle-rate", LEARNING),
        "With alpha 0.5 and gamma 0.9 learning is unstable.",
        f"it scatters more than {RESTLESS:g} times as much as chance. {CHANCE}",
        unstable_at_middle_rate,
    ),
    Statement(
        *("average-at-high-rate", LEARNING),
        "With alpha 0.9 the score is about 70 % on average.",
        "the mean over all points lies in 65 % to 75 %",
        average_at_high_rate,
    ),
    Statement(
        *("unstable-at-high-rate", LEARNING),
        "With alpha 0.9 learning is unstable.",
        f"all three scatter more than {RESTLESS:g} times as much as chance",
        unstable_at_high_rate,
    ),
    Statement(
        *("gamma-matters-less", LEARNING),
        "With alpha 0.9, gamma matters less.",
        "from gamma 0.1 to 0.9 the score in the last quarter rises by less than with alpha 0.5",
        gamma_matters_less,
    ),
    Statement(
        *("stable-at-low-rate", LEARNING),
        "With alpha 0.1 learning is stable, whatever gamma is.",
        f"all three scatter less than {RESTLESS:g} times as much as chance",
        stable_at_low_rate,
    ),
    Statement(
        *("settles-only-with-high-gamma", LEARNING),
        "Elsewhere: with alpha 0.1, gamma 0.9 settles in the end, the smaller ones do not.",
        f"of the three only gamma 0.9 scatters less than {RESTLESS:g} times as much as chance",
        settles_only_with_high_gamma,
    ),
    Statement(
        *("alike-at-first", LEARNING),
        "In the first 25,000 games all nine look alike.",
        "in the first twelfth of the points the best and the worst differ by less than 10 %",
        alike_at_first,
    ),
    Statement(
        *("all-reach", TRYING),
        "Epsilon 0.1, 0.5, 0.9 and 1 all reach more than 90 %.",
        "with all seeds; it differs if one of the four does so with no seed",
        all_reach,
    ),
    Statement(
        *("fastest", TRYING),
        "Epsilon 0.5 is the first to get there.",
        "each other takes more games to its first point of 90 %",
        fastest,
    ),
    Statement(
        *("soonest-stable", TRYING),
        "Epsilon 0.5 is the soonest to be stable.",
        "each other takes more games until the mean of 20 points stays within 2 % of the last quarter's",
        soonest_stable,
    ),
    Statement(
        *("simple-is-beaten", LOWEST),
        "In the end the hounds win every game.",
        "with all seeds the last points are all 100 %; it differs if with none they are",
        simple_is_beaten,
    ),
    Statement(
        *("simple-takes-so-long", LOWEST),
        "That takes about 5,000 games.",
        "the number of games lies in 2,500 to 7,500",
        simple_takes_so_long,
    ),
    Statement(
        *("winning-move", CONVERGING),
        "The value of a move that wins at once goes to 1.",
        "in the last quarter it is above 0.99",
        winning_move,
    ),
    Statement(
        *("good-move", CONVERGING),
        "The value of a move that puts a hound on 5 becomes positive.",
        "in the last quarter it is above 0",
        good_move,
    ),
    Statement(
        *("bad-move", CONVERGING),
        "The value of a move that probably lets the hare escape becomes negative.",
        "in the last quarter it is below 0",
        bad_move,
    ),
    Statement(
        *("values-settle", CONVERGING),
        "All three settle within 150,000 games.",
        "from the third quarter of 200,000 games to the last they move by less than 0.05",
        values_settle,
    ),
    Statement(
        *("best-parameters", CONCLUDING),
        "Best of all is alpha 0.1, gamma 0.9, epsilon 0.5.",
        "its score in the last quarter is above that of each other combination",
        best_parameters,
    ),
    Statement(
        *("suits-other-games", CONCLUDING),
        "These parameters are probably good for other board games, too.",
        "in two other games they score within 3 % of the best combination",
        suits_other_games,
    ),
    Statement(
        *("cannot-be-beaten", CONCLUDING),
        "Nobody among the authors could beat the trained hounds.",
        "the perfect hare wins less than 1 game in 1,000",
        cannot_be_beaten,
    ),
    Statement(
        *("is-optimal", CONCLUDING),
        "The table is assumed to be the ultimate strategy.",
        "no move in a position that can be reached gives anything away",
        is_optimal,
    ),
)

DEVIATIONS = (
    "The thesis does not say who begins, nor what happens to hounds that cannot move. Here the hounds begin, and lose.",
    "Its figure of the board is lost. The board here is the usual small one of eleven squares and 22 edges, which its "
    "moves fit.",
    "Its table has a place for every combination of squares; here positions get a row when they are met. The "
    "values are the same.",
    "Games count the tenth vertical move in a row as lost even if it traps the hare; the thesis does not say.",
    "The thesis shows one training of each combination; here there are several with different random numbers, and all "
    "combinations of one number meet the same.",
    "The three positions whose values it follows are in a figure that is lost. Three with the same properties were "
    "chosen, and are drawn here.",
    "Its random numbers are Java's; here they are SplitMix64, a stream for each game.",
)


def findings(evidence: Evidence) -> list[tuple[Statement, Finding]]:
    """What was found about each statement."""
    return [(each, each.judge(evidence)) for each in STATEMENTS]
