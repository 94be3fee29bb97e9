"""All faults that a diagnosis can find: their names, tests, messages and suggested changes of settings.

To add a fault, write a test for this fault in the module `signs`, and add an entry to the table in this file. Names in
braces in a message are replaced by the values that the test returns.

A diagnosis reports faults in the order of this table. The file has more than 400 lines, because one table contains all
faults.
"""

from __future__ import annotations

from petteia.analysis.doctor import signs, signs_of_features, signs_of_play, trials
from petteia.analysis.doctor.advice import ON, OTHER, THESE
from petteia.analysis.doctor.fault import Fault
from petteia.learn.learners import LinearLearner, TableLearner
from petteia.learn.linear_targets import USUAL

ORDER = (
    "Kendall's tau between the learned values of moves and {against} is {tau:.2f} on average over {positions} "
    "positions of random games (upper end of the 95 % interval: {high:.2f}); 1 is the same order, 0 a random one. "
    "Against {other}, the trained player scores {score:.1%}, and a player without learned values scores {without:.1%}"
)
"""The text of the evidence that values do not order moves. It serves tables and weights."""

AGAINST_RANDOM = (
    "as {side} it scores {score:.1%} against random moves, and random moves in its place score {without:.1%}, in "
    "{games:,} games each{best}"
)
"""The text of the evidence that training gained nothing. It serves tables and weights."""

MIXED = "mixed:first=({opponent}),second={stranger},share=0.5"
"""The text form of an opponent that is replaced by another one in half of the games."""

RULES = ("no-winner", "one-sided-rules")
"""Faults of the rules that explain why nothing can be learned."""

SYMPTOMS = ("broken-texts", "no-gain", "few-games", "small-evaluation", "blind-evaluation", "one-opponent")
"""Faults that describe a weak or unclear result, but do not name a setting as its cause."""

REPEATED_GAMES = (
    "little-exploration",
    "how many different positions were visited",
    signs_of_play.little_exploration,
    "The agent has repeated a few games, and has learned nothing about others.",
    "{how}",
)
"""The first fields of a fault that tables and weights have in common. Only its advice differs."""

FAULTS: tuple[Fault, ...] = (
    Fault(
        "broken-rules",
        "whether the rules pass the checks of petteia check",
        signs.broken_rules,
        "The rules fail a check on which all other checks depend, so no other check was made.",
        "{check}: {message}",
        "list all failures of the rules with: petteia check {game}",
        ends_all=True,
    ),
    Fault(
        "broken-texts",
        "whether the rules read the text forms that they write",
        signs.broken_texts,
        "The text form of a position or of a move fails a check. The training does not depend on it, but commands that "
        "read positions and moves do.",
        "{check}: {message}",
        "list all failures of the rules with: petteia check {game}",
    ),
    Fault(
        "no-winner",
        "whether the side that learns can win",
        signs_of_play.no_winner,
        "Under these rules, the side “{side}” never wins from the starting position. It can only learn not to lose.",
        "it has won none of {games} random games, and no evaluation game{exact}",
        "{remedy}",
        ({"side": "{other}"},),
    ),
    Fault(
        "one-sided-rules",
        "whether the other side can win",
        signs_of_play.one_sided,
        "Under these rules, the side “{side}” never wins from the starting position, so “{other}” cannot lose.",
        "“{side}” has won none of {games} random games, and none of all {positions:,} positions is won for it",
        "check the moves of each side, and the margin: it is above 0 if player 0 has won, below 0 if player 1 has won",
        explained_by=("no-winner",),
    ),
    Fault(
        "games-cut-off",
        "whether games are played to the end",
        signs_of_play.cut_off,
        "Games are stopped before they end, without a reward, so the agent learns nothing from them.",
        "{random:.0%} of random games are not over after {plies:,} plies, and {learned:.0%} of the agent's own games",
        "{remedy}",
        ({"max_plies": "{usual}"},),
    ),
    Fault(
        "diverging-weights",
        "whether weights stay within bounds",
        signs.diverging,
        "The weights diverge, so the learned values are meaningless.",
        "{how}",
        "a smaller step size: the default, or a tenth of it",
        ({"alpha": None},),
        LinearLearner,
    ),
    Fault(
        "frozen-values",
        "whether the values have changed",
        signs.frozen,
        "Almost nothing was learned: the values have hardly changed.",
        "values have changed by {moved:.2g} wins {how}",
        "a larger step size; with the default, an opponent that sometimes loses, and fewer random moves",
        ({"alpha": None}, {"epsilon": "0.5"}),
        explained_by=RULES,
    ),
    Fault(
        "large-steps",
        "whether step sizes suit the size of the features",
        signs.large_steps,
        "The step size is so large that values follow the last games and never converge.",
        "at the end, one step corrects {part:.0%} of the error of a value, as the squares of the features add up to "
        "{length:.3g}{swings}",
        "a smaller step size that decays",
        ({"alpha": "{alpha}"},),
        LinearLearner,
    ),
    Fault(
        "large-steps",
        "whether step sizes are small enough to average over games",
        signs.large_alpha,
        "Each value is the result of the last game through its state, although results vary from game to game.",
        "alpha is {alpha:.2g} at the end, and {why}",
        "a smaller step size, so that values are averages of many games",
        ({"alpha": "visits^0.7"}, {"alpha": "0.1"}),
        TableLearner,
    ),
    Fault(
        "small-steps",
        "whether the steps are large enough for the number of games",
        signs.small_steps,
        "The step size is too small for values to converge in this number of games.",
        "all steps of {games:,} games together cover {reached:.0%} of the distance to the target",
        "a larger step size, or more games",
        ({"alpha": "{alpha}"},),
        LinearLearner,
    ),
    Fault(
        "small-steps",
        "whether the steps are large enough for the number of games",
        signs.small_alpha,
        "The step size is too small for values to converge in this number of games.",
        "for a first move, all steps of {games:,} games together cover {reached:.0%} of the distance to the target",
        "a larger step size, or more games",
        ({"alpha": "{alpha}"},),
        TableLearner,
    ),
    Fault(
        "early-steps",
        "how step sizes are distributed over the games",
        signs.early_steps,
        "The step size decays too early: the agent hardly learns from later games.",
        "the first {games:,} games, a tenth of all, use {spent:.1%} of the sum of all step sizes; alpha is {early:.2g} "
        "there on average, and {late:.2g} later",
        "a constant step size, or a slower decay",
        ({"alpha": None},),
    ),
    Fault(
        "constant-features",
        "whether features vary",
        signs.constants,
        "Features that are the same in every position carry no information, and their weights take most of each step.",
        "one value in all sampled positions, and {part:.0%} of the squared length: {features} "
        "(features in all: {count})",
        "a feature set with at most one constant feature of 1; or standardised features",
        ({"standardise": ON}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "lost-features",
        "whether all features are computed, and are more than rounded fractions",
        signs.lost,
        "Features are never computed, or are only 0 and -1, like fractions that were rounded down. They carry no "
        "information.",
        "{how} in {positions} positions: {features} (features in all: {count})",
        "{remedy}",
        ({"features": OTHER},),
        LinearLearner,
    ),
    Fault(
        "collinear-features",
        "whether some features are exact multiples of other features",
        signs.twins,
        "Some features are multiples of each other, so their separate weights are undetermined.",
        "one is a multiple of the other in all of {positions} positions: {pairs} (pairs in all: {count})",
        "check whether a line was copied and not changed; if not, a feature set with only one feature of each pair",
        ({"features": OTHER},),
        LinearLearner,
    ),
    Fault(
        "unequal-features",
        "whether features have similar sizes",
        signs.scales,
        "Some features are so much smaller than others that their weights hardly change. No step size suits both.",
        "{large} is {high:.3g} where it is not 0 (root mean square), and {small} is {low:.3g}; more than "
        "1,000 times smaller than the largest feature: {features} (features in all: {count})",
        "standardised features; or features of similar size, such as shares between 0 and 1",
        ({"standardise": ON}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "mover-features",
        "whether features are defined for player 0",
        signs.mover_view,
        "Features are defined for the player to move, but values are those of {first}. The same weight cannot be "
        "right for both sides.",
        "correlated with wins of {first} with one sign when {first} is to move, and with the other sign when {second} "
        "is: {features} (features in all: {count}); {feature} has the correlations {one:.2f} and {other:.2f}",
        "the same features, defined for {first}; or, in games without chance, separate weights for each side to move",
        ({"features": "({set})*turn"}, {"features": OTHER}),
        LinearLearner,
    ),
    Fault(
        "initial-values",
        "whether learned values have replaced the initial ones",
        signs_of_play.initial_values,
        "The initial values are larger than any reward, and the steps were too small or too few to correct them.",
        "initial values are {initial:g}, and rewards are at most 1; in {part:.0%} of {positions:,} positions of random "
        "games, the value of the best move is still above 1",
        "initial values of 0; or larger steps and more games",
        ({"initial": None},),
        TableLearner,
    ),
    Fault(
        "small-gamma",
        "whether rewards reach the first moves",
        signs.small_gamma,
        "The discount factor is so small that the result of a game does not reach its first moves.",
        "a discount factor of {gamma:g} leaves {left:.1g} of a reward after the {steps:.0f} steps of a game",
        "a discount factor closer to 1",
        ({"gamma": "{better}"},),
    ),
    Fault(
        "lacking-features",
        "whether features describe as much of a position as its state",
        signs_of_features.lacking_features,
        "Features leave out information that decides games, or are computed wrongly.",
        "a linear function of the features explains {features:.0%} of the variation of the values that {source} gives "
        "to {positions} positions of random games; a regression on the bits of the state explains {state:.0%}. As "
        "{side} the agent scores {score:.1%} against random moves, and {search} scores {reference:.1%}",
        "check the features of a few positions by hand (signs, indices, copied lines, rounding); or other features"
        "{table}",
        ({"features": OTHER},),
        LinearLearner,
        explained_by=("mover-features", "lost-features", "small-gamma"),
    ),
    Fault(
        "weak-side",
        "whether the agent plays both sides equally well",
        signs_of_features.weak_side,
        "The agent plays one side much worse than the other.",
        "as {side} it scores {score:.1%} against random moves, and {search} scores {reference:.1%}; as {strong} it "
        "scores {strong_score:.1%}, and {search} {strong_reference:.1%}",
        "check whether features describe the chances of {side} as well as those of {strong} (signs, copied lines, "
        "limits); or, in games without chance, separate weights for each side to move",
        ({"features": "{set}"},),
        LinearLearner,
        explained_by=("mover-features", "lost-features", "small-gamma", "lacking-features"),
    ),
    Fault(
        "unordered-moves",
        "whether values rank good moves above bad ones",
        signs_of_play.no_order,
        "The values do not distinguish good moves from bad ones.",
        ORDER,
        "features that change with the important effects of a move{target}",
        ({"learner": USUAL}, {"features": OTHER}),
        LinearLearner,
        explained_by=("small-gamma",),
    ),
    Fault(
        "unordered-moves",
        "whether values rank good moves above bad ones",
        signs_of_play.no_order,
        "The values do not distinguish good moves from bad ones.",
        ORDER,
        "more games, a larger discount factor, or an opponent that punishes mistakes",
        ({"games": "{more}"}, {"gamma": "0.9"}, {"opponent": "greedy"}),
        TableLearner,
        explained_by=("initial-values", "small-gamma"),
    ),
    Fault(
        *REPEATED_GAMES,
        "an opponent with varied play, or a larger exploration rate",
        ({"opponent": "random"}, {"epsilon": "0.5"}),
        TableLearner,
    ),
    Fault(
        *REPEATED_GAMES,
        "a larger exploration rate, or an opponent with varied play",
        ({"epsilon": "0.5"}, {"opponent": "random"}),
        LinearLearner,
    ),
    Fault(
        "weak-opponent",
        "whether random moves beat the opponent",
        signs_of_play.weak_opponent,
        "The opponent loses even to random moves, so there is little to learn from it.",
        "random moves score {score:.1%} as {side} against {opponent}",
        "another opponent, or self-play for both sides",
        ({"side": "both", "opponent": None}, {"opponent": OTHER}),
        explained_by=RULES,
    ),
    Fault(
        "strong-opponent",
        "whether the opponent can lose",
        signs_of_play.strong_opponent,
        "Nothing beats the opponent, so all moves look equally bad.",
        "as {side}, the trained agent scores {score:.1%} against {opponent}; random moves also score next to nothing",
        "an opponent that makes mistakes",
        ({"opponent": "random"}, {"opponent": MIXED}),
    ),
    Fault(
        "one-opponent",
        "whether the agent plays well against an unknown opponent",
        signs_of_play.one_opponent,
        "The agent has learned to beat {opponent}, but little that helps against other players.",
        "as {side} it scores {known:.1%} against {opponent}, and {strange:.1%} against {stranger}, which is not an "
        "opponent of the training; random moves score {known_without:.1%} and {strange_without:.1%}",
        "self-play for both sides, or an opponent with varied play",
        ({"side": "both", "opponent": None}, {"opponent": MIXED}),
    ),
    Fault(
        "other-start",
        "whether the agent plays well from the start of the game",
        signs_of_play.other_start,
        "Training games begin at other positions than the game, and the agent plays badly from the start of the game.",
        "as {side} it scores {there:.1%} against random moves from the position of its games, and {score:.1%} from the "
        "start of the game; random moves in its place score {there_without:.1%} and {without:.1%}{best}",
        "begin at the start of the game, unless only these positions matter",
        ({"position": None},),
    ),
    Fault(
        "reward-scale",
        "whether rewards and initial values have the same scale",
        signs.other_unit,
        "The reward of a win and the initial values have different scales, and the larger one dominates.",
        "initial values were {began:.3g} on average, and the reward of a win is {reward:.3g}",
        "the same scale for both",
        ({"win_reward": "1", "weights": "0"},),
        LinearLearner,
    ),
    Fault(
        "draw-reward",
        "whether a win has a larger reward than a draw",
        signs.draws_as_wins,
        "A draw has the same reward as a win, or a larger one, so the agent does not learn to win.",
        "the reward of a draw is {draw:g}, and the reward of a win is {win:g}",
        "no reward for a draw",
        ({"draw_reward": None},),
        LinearLearner,
    ),
    Fault(
        "initial-weights",
        "whether the initial weights have changed",
        signs.first_weights,
        "The agent still plays by its initial weights.",
        "initial values were {began:.3g} wins on average, and have changed by {moved:.0%} of that",
        "initial weights of 0, or a larger step size",
        ({"weights": "0"},),
        LinearLearner,
    ),
    Fault(
        "small-evaluation",
        "whether the points of the curve are accurate enough",
        signs_of_play.wide_evaluation,
        "The points of the curve are too uncertain to show progress.",
        "with {games} games per point, the 95 % intervals are {width:.0%} wide on average",
        "more evaluation games at each point",
        ({"evaluation_games": "500"},),
        of_measured=True,
    ),
    Fault(
        "blind-evaluation",
        "whether the evaluation opponent can show progress",
        signs_of_play.blind_evaluation,
        "The evaluation opponent loses or wins nearly all games from the first point on, so the curve cannot show "
        "progress.",
        "against {other} all {points} points are at an end of the scale: {ends} on average",
        "another evaluation opponent",
        ({"evaluate_against": OTHER},),
        explained_by=RULES,
        of_measured=True,
    ),
    Fault(
        "few-games",
        "whether learning has converged",
        signs.still_rising,
        "The agent is still improving, or still meets new states.",
        "{how}",
        "{remedy}",
        ({"features": "{set}", "alpha": None}, {"games": "{more}"}),
        explained_by=("other-start",),
        of_measured=True,
    ),
    Fault(
        "no-gain",
        "whether the agent plays better than random moves",
        signs_of_play.no_better,
        "The agent plays hardly better than random moves, or worse.",
        AGAINST_RANDOM,
        "{remedy}",
        (
            {"learner": "{rule}"},
            {"epsilon": "0.5", "initial": "0", "games": "{more}"},
            {"features": "{set}", "alpha": None},
        ),
        TableLearner,
        explained_by=("no-winner", "small-gamma", "initial-values"),
    ),
    Fault(
        "no-gain",
        "whether the agent plays better than random moves",
        signs_of_play.no_better,
        "The agent plays hardly better than random moves, or worse.",
        AGAINST_RANDOM,
        "the defaults for learner, opponent, exploration rate and step size; or other features",
        ({"learner": None, "opponent": None, "epsilon": None, "alpha": None}, {"features": OTHER}),
        LinearLearner,
        explained_by=("no-winner", "small-gamma", "unequal-features"),
    ),
    Fault(
        "costly-settings",
        "whether default settings give a better result",
        trials.costly_settings,
        "The same training run is better with a setting at its default.",
        "with {settings} it scores {score:.1%} against random moves; with the default, it scores {better:.1%} or more "
        "after "
        "{games:,} games, for each of {seeds} seeds",
        "the default",
        ({THESE: None},),
        beside=SYMPTOMS,
    ),
    Fault(
        "weak-result",
        "whether the result is close to best play",
        trials.far_from_best,
        "The result is far from best play, and no other check explains it.",
        "as {side} it scores {score:.1%} against random moves; best play scores {best:.1%}, and random moves score "
        "{without:.1%}{suspects}",
        "{remedy}",
        ({"games": "{more}"},),
        beside=("broken-texts", "small-evaluation", "blind-evaluation"),
    ),
    Fault(
        "loses-to-greedy",
        "whether the agent plays as well as a player without learning",
        trials.loses_to_greedy,
        "The agent plays worse than greedy, which searches as deeply and does not learn.",
        "{verdict} of {games} games",
        "{remedy}",
        learners=LinearLearner,
        beside=("broken-texts", "few-games", "small-evaluation", "blind-evaluation"),
    ),
)
"""All faults, in the order in which they are reported: the most serious first."""
