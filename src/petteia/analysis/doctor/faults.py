"""The faults that are looked for, as data: the name of each, what it examines, its sign, and what is said of it.

A further one is a function in `signs` and an entry here. Words in braces are filled with the figures of the sign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from petteia.analysis.doctor import signs, signs_of_play, trials
from petteia.analysis.doctor.advice import ON, OTHER, THESE, Change
from petteia.analysis.doctor.evidence import Evidence
from petteia.experiments.options import LEARNERS
from petteia.learn.learners import LinearLearner, TableLearner
from petteia.learn.linear_targets import USUAL


class Fault(NamedTuple):
    """A way in which a training goes wrong."""

    name: str
    """what it is called"""
    examines: str
    """what is looked at, in words"""
    sign: Callable[[Evidence], signs.Figures | None]
    """figures that show it; None if it is not there"""
    wrong: str
    """what is wrong, in words"""
    evidence: str
    """what shows it"""
    change: str
    """what to try, in words"""
    tries: tuple[Change, ...] = ()
    """the same as options of `petteia train`, where there are such: one of these changes"""
    learners: type | tuple[type, ...] = LEARNERS
    """the kinds of learners that can have it"""
    ends_all: bool = False
    """whether nothing else can be looked at where it is there"""
    beside: tuple[str, ...] | None = None
    """it is only asked where no other faults than these were found; None: always"""
    of_measured: bool = False
    """whether it is seen in games without learning at points of a curve, which a run of games played has not"""


ORDER = (
    "Kendall's tau between them and {against} is {tau:.2f} (at most {high:.2f}) in {positions} positions of random "
    "games; 1 is the same order, 0 none. Against {other} they score {score:.1%}, what knows nothing {without:.1%}"
)
"""What shows that values do not order moves, of tables and of weights."""

MIXED = "mixed:first=({opponent}),second={stranger},share=0.5"
"""An opponent beside whom another is met."""

SYMPTOMS = ("no-gain", "few-games", "small-evaluation", "blind-evaluation", "one-opponent")
"""Faults that say how weak a result is, or how little of it shows, and not by which setting it came about."""

FAULTS: tuple[Fault, ...] = (
    Fault(
        "broken-rules",
        "whether the rules keep what they promise",
        signs.broken_rules,
        "The rules break a promise that all else rests on, so nothing more was looked at.",
        "{check}: {message}",
        "the whole list of what is wrong, from: petteia check {game}",
        ends_all=True,
    ),
    Fault(
        "diverging-weights",
        "whether weights stay within bounds",
        signs.diverging,
        "The weights grow beyond all bounds, so what they say of positions means nothing.",
        "{how}",
        "smaller steps: the default, or a tenth of it",
        ({"alpha": None},),
        LinearLearner,
    ),
    Fault(
        "frozen-values",
        "whether anything was learned at all",
        signs.frozen,
        "Next to nothing was learned: values are what they were at the beginning.",
        "values have moved by {moved:.2g} wins {how}",
        "larger steps; if they are the defaults, let somebody win now and then, and not all moves be random",
        ({"alpha": None}, {"epsilon": "0.5"}),
    ),
    Fault(
        "large-steps",
        "how large steps are beside the features",
        signs.large_steps,
        "Steps are so large that a value follows the last games, and never settles.",
        "a step at the end moves a value by {part:.0%} of its error, as the squares of the features add up to "
        "{length:.3g}{swings}",
        "smaller steps that fall",
        ({"alpha": "{alpha}"},),
        LinearLearner,
    ),
    Fault(
        "large-steps",
        "how large steps are",
        signs.large_alpha,
        "Each value is that of the last game in which it was met, although the next may end otherwise.",
        "alpha is {alpha:.2g} at the end, and {why}",
        "smaller steps, so that values are means of many games",
        ({"alpha": "0.1"}, {"alpha": "visits^0.7"}),
        TableLearner,
    ),
    Fault(
        "small-steps",
        "how far steps lead in so many games",
        signs.small_steps,
        "Steps are so small that values cannot have come to where they belong.",
        "all steps of {games:,} games together go {reached:.0%} of the way",
        "larger steps, or more games",
        ({"alpha": "{alpha}"},),
        LinearLearner,
    ),
    Fault(
        "small-steps",
        "how far steps lead in so many games",
        signs.small_alpha,
        "Steps are so small that values cannot have come to where they belong.",
        "of a first move, all steps of {games:,} games together go {reached:.0%} of the way",
        "larger steps, or more games",
        ({"alpha": "{alpha}"},),
        TableLearner,
    ),
    Fault(
        "early-steps",
        "when steps are taken",
        signs.early_steps,
        "Steps are spent early: what is met later is hardly learned from.",
        "the first {games:,} games, a tenth of all, have {spent:.1%} of all step sizes; alpha is {early:.2g} there in "
        "the mean, and {late:.2g} later",
        "steps that last, or fall slowly",
        ({"alpha": None},),
    ),
    Fault(
        "constant-features",
        "whether features vary",
        signs.constants,
        "Features that are the same in every position tell nothing, and the steps go into their weights.",
        "{count} of them have one value in all positions looked at, and make up {part:.0%} of the square length: "
        "{features}",
        "a set without them, but for a single one that is 1; or one that is centred",
        ({"standardise": ON}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "lost-features",
        "whether features are more than rounded fractions",
        signs.whole_numbers,
        "Features are 0, or 0 and -1, in all positions, as fractions are that were rounded down; they tell nothing.",
        "{count} are never anything else in {positions} positions: {features}",
        "to divide with / where the features are divided with //; or features that vary",
        ({"features": OTHER},),
        LinearLearner,
    ),
    Fault(
        "collinear-features",
        "whether features are multiples of each other",
        signs.twins,
        "Features that are multiples of each other are one feature with several weights: nothing tells whose they are.",
        "{count} are a multiple of another in all of {positions} positions: {pairs}",
        "a set with one of each",
        ({"features": OTHER},),
        LinearLearner,
    ),
    Fault(
        "mover-features",
        "whether features are seen from one side",
        signs.mover_view,
        "Features are counted for whoever is to move, but values are those of {first}: a weight that is right after "
        "moves of one side is wrong after those of the other.",
        "{count} go with wins of {first} in one way when {first} is to move, and in the other way when {second} is: "
        "{features}; the first has correlations of {one:.2f} and {other:.2f}",
        "the same features counted for {first}, whoever is to move; or, without chance, weights for each side to move",
        ({"features": "({set})*turn"}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "unordered-moves",
        "whether values order moves as they should be",
        signs_of_play.no_order,
        "The values do not tell good moves from bad ones.",
        ORDER,
        "features that tell what matters before and after a move; and the end of the game as the target",
        ({"learner": USUAL}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "unordered-moves",
        "whether values order moves as they should be",
        signs_of_play.no_order,
        "The values do not tell good moves from bad ones.",
        ORDER,
        "more games, a larger gamma, or an opponent that takes chances that it is given",
        ({"games": "{more}"}, {"gamma": "0.9"}, {"opponent": "greedy"}),
        TableLearner,
    ),
    Fault(
        "little-exploration",
        "how much of the game was seen",
        signs_of_play.little_exploration,
        "It has learned from the same few games over and over, and knows nothing of others.",
        "{how}",
        "more random moves while it learns, or an opponent that plays in many ways",
        ({"epsilon": "0.5"}, {"opponent": "random"}),
    ),
    Fault(
        "weak-opponent",
        "whether the opponent can be beaten without learning",
        signs_of_play.weak_opponent,
        "The opponent loses to random moves, so that nothing is to be learned from beating it.",
        "random moves score {score:.1%} as {side} against {opponent}",
        "another opponent, or both sides",
        ({"side": "both", "opponent": None}, {"opponent": OTHER}),
    ),
    Fault(
        "strong-opponent",
        "whether the opponent ever loses",
        signs_of_play.strong_opponent,
        "Nobody beats the opponent, so that all that was tried looks equally bad.",
        "what was learned scores {score:.1%} as {side} against {opponent}, and random moves no more",
        "an opponent that makes mistakes",
        ({"opponent": "random"}, {"opponent": MIXED}),
    ),
    Fault(
        "no-winner",
        "whether the side that learns can win",
        signs_of_play.no_winner,
        "By these rules, from there, {side} never wins; it can only learn how not to lose.",
        "in {games} random games, and in all of its evaluation, it has won none{exact}",
        "the other side, or other rules",
        ({"side": "{other}"},),
    ),
    Fault(
        "one-sided-rules",
        "whether whoever is met can win",
        signs_of_play.one_sided,
        "By these rules, from there, {side} never wins, so {other} can learn nothing but not to draw.",
        "in {games} random games {side} has won none, and of all {positions:,} positions none is won for it",
        "to look at the margin of the rules: it is above 0 where player 0 has won, and below 0 where player 1 has",
    ),
    Fault(
        "one-opponent",
        "whether it also does well against somebody it has not met",
        signs_of_play.one_opponent,
        "It has learned to beat {opponent}, and little that helps against others.",
        "as {side} it scores {known:.1%} against {opponent}, and {strange:.1%} against {stranger}, whom it has not "
        "met; random moves score {known_without:.1%} and {strange_without:.1%}",
        "both sides, or an opponent that plays in many ways",
        ({"side": "both", "opponent": None}, {"opponent": MIXED}),
    ),
    Fault(
        "other-start",
        "whether it also plays well from the start of the game",
        signs_of_play.other_start,
        "Its games begin at other positions than the game does, and what it has learned does not help from the start.",
        "as {side} against random moves it scores {there:.1%} from the position of its games, and {score:.1%} from the "
        "start of the game; random moves score {there_without:.1%} and {without:.1%}",
        "games from the start of the game, unless only these positions matter",
        ({"position": None},),
    ),
    Fault(
        "reward-scale",
        "whether rewards and values are of one size",
        signs.other_unit,
        "The reward of a win and the values that learning begins with are of different sizes: one drowns the other.",
        "values were {began:.3g} in the mean at first, and a win is {reward:.3g}",
        "one unit for both",
        ({"win_reward": "1", "weights": "0"},),
        LinearLearner,
    ),
    Fault(
        "initial-weights",
        "whether the weights it began with are overcome",
        signs.first_weights,
        "What it plays by are still the weights that it began with, not what it has learned.",
        "values were {began:.3g} wins in the mean at first, and have moved by {moved:.0%} of that",
        "to begin with nothing, or with larger steps",
        ({"weights": "0"},),
        LinearLearner,
    ),
    Fault(
        "small-evaluation",
        "whether points of the curve tell a gain",
        signs_of_play.wide_evaluation,
        "The points of the curve are so uncertain that no gain can be seen in them.",
        "of {games} games each, their 95 % intervals are {width:.0%} wide in the mean",
        "more games without learning at each point",
        ({"evaluation_games": "500"},),
        of_measured=True,
    ),
    Fault(
        "blind-evaluation",
        "whether the player that measures can show a gain",
        signs_of_play.blind_evaluation,
        "The player that measures loses or wins all games from the first point on, so the curve cannot show what was "
        "learned.",
        "against {other} all {points} points are at an end of the scale: {ends} in the mean",
        "somebody else who measures",
        ({"evaluate_against": OTHER},),
        of_measured=True,
    ),
    Fault(
        "games-cut-off",
        "whether games come to their ends",
        signs_of_play.cut_off,
        "Games are stopped before their ends, without a reward, so that nothing is learned from them.",
        "after {plies:,} plies {random:.0%} of random games are not over, and {learned:.0%} of its own",
        "longer games",
        ({"max_plies": None},),
    ),
    Fault(
        "few-games",
        "whether learning has come to rest",
        signs.still_rising,
        "It is still learning, or still meeting what it has never seen.",
        "{how}",
        "more games; or, of a table, features that tell of positions never met",
        ({"games": "{games}"},),
        of_measured=True,
    ),
    Fault(
        "small-gamma",
        "how much of a reward is felt where a game begins",
        signs.small_gamma,
        "What comes later counts for so little that the end of a game is not felt where it begins.",
        "gamma {gamma:g} leaves {left:.1g} of a reward over the {steps:.0f} steps of a game",
        "a gamma nearer to 1",
        ({"gamma": "{better}"},),
    ),
    Fault(
        "no-gain",
        "whether it plays better than random moves",
        signs_of_play.no_better,
        "What was learned plays hardly better than random moves, or worse.",
        "as {side} it scores {score:.1%} against random moves, and random moves in its place {without:.1%}, in "
        "{games:,} games each{best}",
        "more random moves while it learns, values that begin at 0, and more games; or features, where a table cannot "
        "hold all that is met",
        ({"epsilon": "0.5", "initial": "0", "games": "{more}"},),
        TableLearner,
    ),
    Fault(
        "no-gain",
        "whether it plays better than random moves",
        signs_of_play.no_better,
        "What was learned plays hardly better than random moves, or worse.",
        "as {side} it scores {score:.1%} against random moves, and random moves in its place {without:.1%}, in "
        "{games:,} games each{best}",
        "what is usual: both sides, random moves, steps of the default; else other features",
        ({"opponent": None, "epsilon": None, "alpha": None}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "costly-settings",
        "whether the default settings reach more",
        trials.costly_settings,
        "With a setting put back to its default the same training reaches more.",
        "with {settings} it scores {score:.1%} against random moves; without, after {games:,} games, {better:.1%} or "
        "more from {seeds} seeds",
        "the default",
        ({THESE: None},),
        beside=SYMPTOMS,
    ),
    Fault(
        "weak-result",
        "whether the result is near what is possible",
        trials.far_from_best,
        "The result is far from what is possible, and no other sign says why.",
        "as {side} it scores {score:.1%} against random moves, where best play scores {best:.1%} and random moves "
        "{without:.1%}{suspects}",
        "more games, another opponent, other features; or, of a table, features in its place",
        ({"games": "{more}"},),
        beside=("small-evaluation", "blind-evaluation"),
    ),
)
"""All faults, in the order in which they are told: what spoils most comes first."""
