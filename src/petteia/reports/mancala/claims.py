"""What the report says, in our words, by which rule each statement is judged, and where we do not do as it did."""

from __future__ import annotations

from petteia.reports.mancala import judges, weight_judges
from petteia.reports.mancala.evidence import CHAINS, LOWER, Evidence
from petteia.reports.mancala.judges import BEATEN, EVEN, LARGE_EDGE, MANY_EXTREMES, SETTLED, WINS_ALL
from petteia.reports.mancala.published import STAGE_GAMES, THETA_GAMES
from petteia.reports.mancala.weight_judges import LIKENESS, RIGHT_SIGNS
from petteia.reports.mancala.words import met_by
from petteia.reports.verdicts import Finding, Statement

PLAYERS, READING, WEIGHTS, SEAT = "players", "reading", "weights", "seat"
DEPTH, STAGES, LAMBDA, CHAIN = "depth", "stages", "lambda", "chain"
FURTHER = "lies where 95 % of further single trainings would, judged by the scatter of ours"
BOTH = "the mean of both seats"

STATEMENTS = (
    Statement(
        *("random-is-even", PLAYERS),
        "Between random players it is no advantage to begin.",
        f"whoever begins scores {EVEN[0]:.0%} to {EVEN[1]:.0%}",
        judges.random_is_even,
    ),
    Statement(
        *("random-is-beaten", PLAYERS),
        "Random is easily beaten.",
        f"the heuristic and greedy1 to greedy5 each score more than {BEATEN:.0%} against it, as first",
        judges.random_is_beaten,
    ),
    Statement(
        *("chains-matter", PLAYERS),
        "Long chains of extra turns matter.",
        "from random openings and both sides the heuristic, which starts the longest chain and never looks at the "
        "reply, scores more than half against greedy1",
        judges.chains_matter,
    ),
    Statement(
        *("first-has-the-edge", PLAYERS),
        "Between players that are not random it is a large advantage to begin.",
        f"in the mean of all pairs whoever begins scores more than {LARGE_EDGE:.0%}",
        judges.first_has_the_edge,
    ),
    Statement(
        *("is-not-transitive", PLAYERS),
        "“Better than” is not transitive.",
        "in the table of all against all, theta included, somebody clearly loses to one whom a third beats that he "
        "beats himself",
        judges.is_not_transitive,
    ),
    Statement(
        *("depth-is-partly-monotone", PLAYERS),
        "Looking further helps greedy only partly.",
        "somewhere it clearly makes it worse, and still greedy5 scores more than greedy1",
        judges.depth_is_partly_monotone,
    ),
    Statement(
        *("short-training-beats-random", READING),
        "A short training beats random.",
        f"theta1 at the first mark scores more than {BEATEN:.0%} against it, {BOTH}",
        judges.short_training_beats_random,
    ),
    Statement(
        *("own-plies-reproduce", READING),
        "Updates after the learner's own plies: theta1 wins 91 % as first and 89 % as second against greedy1.",
        f"each of the two {FURTHER}",
        judges.own_plies_reproduce,
    ),
    Statement(
        *("every-ply-reproduces", READING),
        "Updates after every ply: theta1 wins 91 % as first and 89 % as second against greedy1.",
        f"each of the two {FURTHER}",
        judges.every_ply_reproduces,
    ),
    Statement(
        *("soon-better", READING),
        "Theta1 is better than greedy1 already after 10,000 games.",
        "at the first mark it scores more than half in each seat",
        judges.soon_better,
    ),
    Statement(
        *("fewer-are-enough", READING),
        "300,000 games might do.",
        f"from there (50 to 70 % of the games) to the last tenth the score changes by less than {SETTLED:.0%}",
        judges.fewer_are_enough,
    ),
    Statement(
        *("difference-dominates", WEIGHTS),
        "The difference of the stores dominates.",
        "each of its two weights is larger than all others",
        weight_judges.store_difference_dominates,
    ),
    Statement(
        *("mover-outweighs", WEIGHTS),
        "What the side to move could do weighs more than what the other could.",
        "the sum of the sizes of its weights is larger",
        weight_judges.mover_outweighs,
    ),
    Statement(
        *("signs", WEIGHTS),
        "What the lower side could do counts for it, what the upper side could do against it.",
        f"more than {RIGHT_SIGNS:.0%} of the 36 weights have that sign",
        weight_judges.signs_are_right,
    ),
    Statement(
        *("captures-weigh", WEIGHTS),
        "The capture features weigh much.",
        "those three of the side to move weigh more than its other six, in the mean",
        weight_judges.captures_weigh_much,
    ),
    Statement(
        *("columns-mirror", WEIGHTS),
        "The side to move has nearly the same weights whichever it is, with the signs turned.",
        f"they differ by less than {LIKENESS:.0%} of their mean size",
        weight_judges.columns_mirror,
    ),
    Statement(
        *("player-is-negative", WEIGHTS),
        "The weight of the player to move is negative.",
        "it is below 0",
        weight_judges.player_is_negative,
    ),
    Statement(
        *("lower-only", SEAT),
        "A learner that is always lower wins 53 % as second against greedy1.",
        f"that {FURTHER}",
        judges.lower_only_is_weak,
    ),
    Statement(
        *("both-sides-help", SEAT),
        "One that learns on both sides wins more.",
        "the difference, seed by seed, is above 0",
        judges.both_sides_help,
    ),
    Statement(
        *("theta2-and-theta5-win-all", DEPTH),
        "Theta2 and theta5 win all games as first, against all that do not learn.",
        f"each of the twelve scores is more than {WINS_ALL:.0%}",
        judges.theta2_and_theta5_win_all,
    ),
    Statement(
        *("theta1-loses", DEPTH),
        "Theta1 loses as first to greedy3, greedy4 and greedy5.",
        "each score is below one half",
        judges.theta1_loses_to_deep_greedy,
    ),
    Statement(
        *("only-theta3-holds", DEPTH),
        "As second only theta3 beats the heuristic; the others lose.",
        "its score is above one half, and those of the other four are below",
        judges.only_theta3_holds,
    ),
    Statement(
        *("theta5-loses-as-second", DEPTH),
        "As second even theta5 loses to greedy3 and greedy5.",
        "both score more than half",
        judges.theta5_loses_as_second,
    ),
    Statement(
        *("depth-of-theta", DEPTH),
        "Looking further helps theta only partly.",
        "somewhere it clearly makes it worse, and still theta5 scores more than theta1",
        judges.depth_of_theta,
    ),
    Statement(
        *("early-as-first", STAGES),
        "As first the player after 100,000 games does better than those after 200,000 and 400,000.",
        "the differences of their mean scores against the other stages are above 0",
        judges.early_stage_better_as_first,
    ),
    Statement(
        *("early-as-second", STAGES),
        "As second it does better than the one after 200,000.",
        "the difference of their mean scores is above 0",
        judges.early_stage_better_as_second,
    ),
    Statement(
        *("last-is-best", STAGES),
        "As first the last stage is the best.",
        "its mean score is above that of each other",
        judges.last_stage_is_best,
    ),
    Statement(
        *("all-or-nothing", STAGES),
        "Many results are all or nothing, although vectors of weights are drawn.",
        f"in more than {MANY_EXTREMES:.0%} of the cells the score is below 2 % or above 98 %",
        judges.all_or_nothing,
    ),
    Statement(
        *("lambda-0-starts", LAMBDA),
        "Lambda 0 wins all games that it starts against lambda 0.15.",
        f"it scores more than {WINS_ALL:.0%}",
        judges.lambda_0_wins_what_it_starts,
    ),
    Statement(
        *("traces-do-not-help", LAMBDA),
        "Eligibility traces do not help.",
        "with lambda 0.15 the score against greedy1 is not higher, seed by seed; it differs if it is",
        judges.traces_do_not_help,
    ),
    Statement(
        *("traces-weaken", LAMBDA),
        "With lambda 0.15 the learner gets worse after about 100,000 games.",
        "its score against greedy1 falls from the second mark to the end",
        judges.traces_weaken,
    ),
    Statement(
        *("chains-are-bad", CHAIN),
        "Who learns by whole turns is worse than all players that do not learn, but random.",
        f"against each of them it scores less than half, {BOTH}, and more against random",
        judges.chains_are_bad,
    ),
    Statement(
        *("plies-are-better", CHAIN),
        "It is better to learn by plies.",
        f"after as many games, of the same seeds, plies score more against those that do not learn, {BOTH}",
        judges.plies_are_better,
    ),
)


def deviations(evidence: Evidence) -> list[str]:
    """Where we do not do as the report did, or had to guess what it did."""
    seeds = f"there are {evidence.seeds}" if evidence.seeds > 1 else "there is one"
    chains = evidence.trainings(CHAINS)[0]
    return [
        "R's rules are read as its table of baselines and its weights say: captures that bring stones only, the side "
        "to move ends the game, stones left over count for nobody. Its text would let the capturing stone stay.",
        "R says neither who begins a game of training nor how long a stage of self-play is. Here either side begins, "
        f"and the opponent is {met_by(evidence.agent)}; where the learner is always lower, it is "
        f"{met_by(evidence.trainings(LOWER)[0])}. The experiment mancala-starter tries what else could be meant.",
        "Whether an update is made after the learner's own plies or after every ply is open in R; both are done.",
        f"R has one training; here {seeds} of each reading, with random numbers of our own. Who plays as theta in the "
        "tables was chosen beforehand: seed 1 of the first reading.",
        f"R says that a cell of its tables of theta is {STAGE_GAMES:,} games. All its draws there are multiples of "
        f"half a per cent, so verdicts take it for {THETA_GAMES}.",
        "R's block of features is single where whole turns are actions. Here both blocks stay, one for each player; "
        f"and these trainings have {chains.configuration.games:,} games against {met_by(chains)}, with the steps that "
        "the others have up to there.",
        "Its random numbers are Matlab's; here they are SplitMix64, a stream for each game.",
    ]


def findings(evidence: Evidence) -> list[tuple[Statement, Finding]]:
    """What was found about each statement."""
    return [(each, each.judge(evidence)) for each in STATEMENTS]
