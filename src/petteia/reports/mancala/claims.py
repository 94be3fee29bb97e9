"""What the report says, in our words, and the rule by which each claim is judged; and what cannot be judged here."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

from petteia.experiments.tournament.declaration import ObservationOptions
from petteia.experiments.tournament.observations import Observation as Odd
from petteia.experiments.tournament.observations import find
from petteia.reports.engine.claims import Claim
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import average, change, difference
from petteia.reports.engine.rules import (
    Finding,
    Rule,
    above,
    all_of,
    as_printed,
    below,
    denied,
    every,
    more_often,
    most_above,
    most_below,
    within,
)
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala import figures, own_games, plan, weight_measures
from petteia.reports.mancala.divergence import LARGE, SMALL, most_diverge, most_do_not
from petteia.reports.mancala.figures import both_seats, mean_of, met, of_stage, of_weights, points, second_met, wins
from petteia.reports.mancala.plan import EARLY, EVERY, GREEDY, LAST, LATE, LATER, OPPONENTS, OWN, SEATS, THETA
from petteia.reports.mancala.published import LOWER_ONLY, progress

PARTS = ("Players", "Reading", "Weights", "Seat", "Depth", "Authors", "Stages", "Lambda", "Chain")
PLAYING, READING, WEIGHTS, SEAT, DEPTH, AUTHORS, STAGES, LAMBDA, CHAIN = PARTS
EVEN = (0.45, 0.55)
BEATEN, WINS_ALL, LARGE_EDGE = 0.9, 0.95, 0.6
SETTLED, LIKENESS, SLIGHTLY = 0.03, 0.5, (0.01, 0.1)
RIGHT_SIGNS, MANY_EXTREMES, CLEARLY_LESS = 0.75, 0.25, 0.1


def odd_findings(evidence: Evidence) -> list[Odd]:
    """What is intransitive, and where looking further makes it worse, among players that do not learn."""
    scores = {(one, other): met(one, other).interval(evidence) for one, other in product(OPPONENTS, repeat=2)}
    return find(scores, ObservationOptions(intransitive=True, depth=tuple(GREEDY)))


def is_not_transitive(evidence: Evidence) -> Finding:
    """Whether somebody clearly loses to one whom a third beats that he beats himself; cells may leave it open."""
    scores = {(one, other): met(one, other).interval(evidence) for one, other in product(plan.PLAYERS, repeat=2)}
    cases = find(scores, ObservationOptions(intransitive=True))
    example = f", such as: {cases[0].words.split(': ')[1]}" if cases else ""
    is_open = any(each.low <= 0.5 <= each.high for each in scores.values())
    return Finding(
        f"{len(cases)} {'case' if len(cases) == 1 else 'cases'} in the table of all{example}",
        True if cases else None if is_open else False,
    )


def depth_is_partly_monotone(evidence: Evidence) -> Finding:
    """Whether greedy is somewhere clearly worse for a ply more, and the deepest is still better than the shallowest."""
    worse = [each for each in odd_findings(evidence) if each.kind == "depth"]
    gain = difference(
        mean_of("greedy5", [met("greedy5", other) for other in OPPONENTS]),
        mean_of("greedy1", [met("greedy1", other) for other in OPPONENTS]),
    )
    helps = above(gain, 0.0).judge(evidence)
    cells = f"{len(worse)} {'cell' if len(worse) == 1 else 'cells'}"
    words = f"in {cells} a ply more makes it worse; as first against the six, {helps.ours}"
    return Finding(words, every([bool(worse), helps.answer]))


def reproduced(reading: Setting) -> Rule:
    """The report's two last figures of progress could be those of a further training of this reading."""
    return all_of(as_printed(wins(reading, seat), progress(LAST, seat).wins / 100.0) for seat in SEATS)


OfPaper = partial(Claim, needs_paper=True)

Scores = tuple[tuple[str, str, int, bool, float], ...]
"""theta, whom it meets, in which seat, and whether it scores more than a bound, or less"""
TOLD_OF_THETA: tuple[tuple[str, str, Scores], ...] = (
    (
        *("theta2-and-theta5-win-all", "Theta2 and theta5 win all games as first, against all that do not learn."),
        tuple((*pair, 0, True, WINS_ALL) for pair in product(("theta2", "theta5"), OPPONENTS)),
    ),
    (
        *("theta1-loses", "Theta1 loses as first to greedy3, greedy4 and greedy5."),
        tuple(("theta1", other, 0, False, 0.5) for other in ("greedy3", "greedy4", "greedy5")),
    ),
    (
        *("only-theta3-holds", "As second only theta3 beats the heuristic; the others lose."),
        tuple((name, "heuristic", 1, name == "theta3", 0.5) for name in sorted(THETA, key="theta3".__ne__)),
    ),
    (
        *("theta5-loses-as-second", "As second even theta5 loses to greedy3 and greedy5."),
        tuple(("theta5", other, 1, False, 0.5) for other in ("greedy3", "greedy5")),
    ),
)
"""name, claim, and what must be so: asked of further trainings, and of the weights that the report prints"""


def of_trainings(name: str, text: str, scores: Scores) -> Claim:
    """Whether it is so of most further trainings."""
    rules = (
        (most_above if is_more else most_below)(met(theta, other) if seat == 0 else second_met(other, theta), bound)
        for theta, other, seat, is_more, bound in scores
    )
    return OfPaper(name, DEPTH, text, all_of(rules))


def of_authors(name: str, text: str, scores: Scores) -> Claim:
    """Whether it is so of the authors' own player."""
    rules = (
        (above if is_more else below)(figures.authored(theta, other, seat), bound)
        for theta, other, seat, is_more, bound in scores
    )
    return OfPaper(
        f"printed-{name}", AUTHORS, f"{text.removesuffix('.')}, by the weights that R prints.", all_of(rules)
    )


STATED = (
    Claim(
        *("random-is-even", PLAYING, "Between random players it is no advantage to begin."),
        within(met("random", "random"), *EVEN),
    ),
    Claim(
        *("random-is-beaten", PLAYING, "Random is easily beaten."),
        all_of(above(met(name, "random"), BEATEN) for name in OPPONENTS),
    ),
    Claim(
        *("chains-matter", PLAYING, "Long chains of extra turns matter."),
        above(figures.balanced("heuristic", "greedy1"), 0.5),
    ),
    Claim(
        *("first-has-the-edge", PLAYING, "Between players that are not random it is a large advantage to begin."),
        above(figures.EDGE, LARGE_EDGE),
    ),
    Claim(
        *("is-not-transitive", PLAYING, "“Better than” is not transitive."),
        Rule(
            "in the table of all against all, theta of all seeds included, somebody clearly loses to one whom a third "
            "beats that he beats himself",
            is_not_transitive,
        ),
    ),
    Claim(
        *("depth-is-partly-monotone", PLAYING, "Looking further helps greedy only partly."),
        Rule(
            "somewhere a ply more clearly makes it worse, and still greedy5 scores more than greedy1",
            depth_is_partly_monotone,
        ),
    ),
    Claim(
        *("ends-help-greedy", PLAYING, "That greedy recognises won and lost ends seems to help it."),
        above(figures.KNOWING_ENDS, 0.5),
    ),
    Claim(
        *("first-games-are-long", READING, "The first games of self-play are long, as neither side knows how to play."),
        above(change(own_games.FIRST_PLIES, own_games.LAST_PLIES), 0.0),
    ),
    Claim(
        *("short-training-beats-random", READING, "A short training beats random."),
        most_above(figures.AFTER_SHORTEST, BEATEN),
    ),
    OfPaper(
        *("own-plies-reproduce", READING),
        "Updates after the learner's own plies: theta1 wins 91 % as first and 89 % as second against greedy1.",
        reproduced(OWN),
    ),
    OfPaper(
        *("every-ply-reproduces", READING),
        "Updates after every ply: theta1 wins 91 % as first and 89 % as second against greedy1.",
        reproduced(EVERY),
    ),
    OfPaper(
        *("soon-better", READING, "Theta1 is better than greedy1 already after 10,000 games."),
        all_of(most_above(points(OWN, seat, 0, "first mark"), 0.5) for seat in SEATS),
    ),
    OfPaper(
        *("fewer-are-enough", READING, "300,000 games might do."),
        within(
            change(
                figures.part_of_curve("the score over the last tenth of the games", 0.9, 1.0),
                figures.part_of_curve("that over 50 to 70 % of them", 0.5, 0.7),
            ),
            *(-SETTLED, SETTLED),
        ),
    ),
    Claim(
        *("large-alpha-diverges", READING, "A larger alpha diverged."),
        all_of((most_diverge(LARGE), most_do_not(SMALL))),
    ),
    OfPaper(
        *("difference-dominates", WEIGHTS, "The difference of the stores dominates."),
        above(
            of_weights("the smaller of its two weights, in units of the largest other", weight_measures.dominance), 1.0
        ),
    ),
    OfPaper(
        *("mover-outweighs", WEIGHTS, "What the side to move could do weighs more than what the other could."),
        above(of_weights("the sum of its weights, in units of that of the other's", weight_measures.mover_weighs), 1.0),
    ),
    OfPaper(
        *(
            "signs",
            WEIGHTS,
            "Most of what the lower side could do counts for it, most of what the upper side could do against it.",
        ),
        most_above(of_weights("the share of right signs", weight_measures.right_signs, SHARE), RIGHT_SIGNS),
    ),
    OfPaper(
        *("captures-weigh", WEIGHTS, "The capture features weigh much."),
        above(
            of_weights(
                "the mean of those three of the side to move, in units of that of its other six",
                weight_measures.captures_weigh,
            ),
            1.0,
        ),
    ),
    OfPaper(
        *("columns-mirror", WEIGHTS),
        "To some degree the side to move has the same weights whichever it is, with the signs turned.",
        below(of_weights("how far they are apart, in units of their mean size", weight_measures.asymmetry), LIKENESS),
    ),
    OfPaper(
        *("player-is-negative", WEIGHTS, "The weight of the player to move is negative."),
        below(of_weights("the weight of the player", weight_measures.player_weight, NUMBER), 0.0),
    ),
    OfPaper(
        *(
            "some-never-settle",
            WEIGHTS,
            "Thirteen weights are the main ones that still swing over the last 50,000 games.",
        ),
        more_often(
            f"the weights that R lists swing by more than {figures.SWING:g} in most of our trainings more often than "
            "others",
            figures.swinging_counts,
        ),
    ),
    OfPaper(
        *("lower-only", SEAT, "A learner that is always lower wins 53 % as second against greedy1."),
        as_printed(figures.ALWAYS_LOWER_WINS, LOWER_ONLY),
    ),
    OfPaper(
        *("both-sides-help", SEAT, "One that learns on both sides wins more."),
        above(difference(wins(OWN, 1, subject="both sides"), figures.ALWAYS_LOWER_WINS), 0.0),
    ),
    OfPaper(
        *("both-sides-same-opponent", SEAT, "The same, where both meet the same opponent in training."),
        above(difference(figures.SAME_OPPONENT_WINS, figures.ALWAYS_LOWER_WINS), 0.0),
    ),
    *(of_trainings(*each) for each in TOLD_OF_THETA),
    *(of_authors(*each) for each in TOLD_OF_THETA),
    OfPaper(
        *("depth-of-theta", DEPTH, "Looking further helps theta only partly."),
        all_of((most_above(figures.LARGEST_FALL, CLEARLY_LESS), most_above(figures.GAIN_OF_DEPTH, 0.0))),
    ),
    OfPaper(
        *("early-as-first", STAGES),
        "As first the player after 100,000 games does better than those after 200,000 and 400,000.",
        all_of(above(change(of_stage(EARLY, 0), of_stage(other, 0)), 0.0) for other in (LATER, LATE)),
    ),
    OfPaper(
        *("early-as-second", STAGES, "As second it does better than the one after 200,000."),
        above(change(of_stage(EARLY, 1), of_stage(LATER, 1)), 0.0),
    ),
    OfPaper(
        *("last-is-best", STAGES, "As first the last stage is the best."),
        all_of(above(change(of_stage(LAST, 0), of_stage(other, 0)), 0.0) for other in range(LAST)),
    ),
    OfPaper(
        *("last-is-best-second", STAGES, "The last stage is the best as second, too."),
        all_of(above(change(of_stage(LAST, 1), of_stage(other, 1)), 0.0) for other in range(LAST)),
    ),
    OfPaper(
        *("gains-as-second", READING, "From 10,000 games on, training gains mainly as second."),
        above(change(figures.gain_of_training(1), figures.gain_of_training(0)), 0.0),
    ),
    OfPaper(
        *("all-or-nothing", STAGES, "Many results are all or nothing, although vectors of weights are drawn."),
        most_above(figures.EXTREME_CELLS, MANY_EXTREMES),
    ),
    OfPaper(
        *("lambda-0-starts", LAMBDA, "Lambda 0 wins all games that it starts against lambda 0.15."),
        most_above(figures.AGAINST_TRACES, WINS_ALL),
    ),
    OfPaper(
        *("traces-do-not-help", LAMBDA, "Eligibility traces do not help."),
        denied(
            above(
                difference(both_seats("with lambda 0.15", plan.WITH_TRACES), both_seats("with 0", plan.WITHOUT_TRACES)),
                0.0,
            )
        ),
    ),
    OfPaper(
        *("traces-weaken", LAMBDA, "With lambda 0.15 the learner gets worse after about 100,000 games."),
        below(
            change(
                both_seats("at the end", plan.WITH_TRACES), both_seats("at the second mark", plan.WITH_TRACES, EARLY)
            ),
            0.0,
        ),
    ),
    OfPaper(
        *("traces-settle", LAMBDA, "With lambda 0.15 the weights seem to settle."),
        most_below(figures.SWING_WITH, figures.SWING),
    ),
    OfPaper(
        *("traces-end-elsewhere", LAMBDA, "With lambda 0.15 the weights end slightly elsewhere."),
        within(figures.TRACES_APART, *SLIGHTLY),
    ),
    OfPaper(
        *("chains-are-bad", CHAIN),
        "Who learns by whole turns, with one block of features and always lower, is worse than all players that do not "
        "learn, but random.",
        all_of(
            (
                *(most_below(figures.BY_CHAINS[name], 0.5) for name in OPPONENTS),
                most_above(figures.BY_CHAINS["random"], 0.5),
            )
        ),
    ),
    OfPaper(
        *("chains-do-not-settle", CHAIN, "Whether what is learned by whole turns converges is in doubt."),
        most_above(figures.CHAIN_SWING, figures.SWING),
    ),
    OfPaper(
        *("plies-are-better", CHAIN, "It is better to learn by plies."),
        above(
            difference(
                average(
                    "the score by plies against those that do not learn", [figures.BY_PLIES[name] for name in OPPONENTS]
                ),
                average("that by whole turns", [figures.BY_CHAINS[name] for name in OPPONENTS]),
            ),
            0.0,
        ),
    ),
)

SAID = {
    "table of the players that do not learn, and what is said of it": (
        *("random-is-even", "random-is-beaten", "chains-matter", "first-has-the-edge", "is-not-transitive"),
        *("depth-is-partly-monotone",),
    ),
    "what is said of the players": ("ends-help-greedy",),
    "what is said of the course of learning": ("short-training-beats-random", "first-games-are-long"),
    "table of theta1 against greedy1 in the course of training": (
        *("own-plies-reproduce", "every-ply-reproduces", "soon-better", "fewer-are-enough", "gains-as-second"),
    ),
    "choice of alpha": ("large-alpha-diverges",),
    "list of the learned weights": (
        *("difference-dominates", "mover-outweighs", "signs", "captures-weigh", "columns-mirror", "player-is-negative"),
    ),
    "plots of the weights, and its list of those that swing": ("some-never-settle",),
    "choice of the learner's side": ("lower-only", "both-sides-help", "both-sides-same-opponent"),
    "table of theta as first": (
        *("theta2-and-theta5-win-all", "theta1-loses", "depth-of-theta"),
        *("printed-theta2-and-theta5-win-all", "printed-theta1-loses"),
    ),
    "table of theta as second": (
        *("only-theta3-holds", "theta5-loses-as-second", "printed-only-theta3-holds", "printed-theta5-loses-as-second"),
    ),
    "table of five stages of the training": (
        *("early-as-first", "early-as-second", "last-is-best", "last-is-best-second", "all-or-nothing"),
    ),
    "comparison of lambda 0 and 0.15": (
        *("lambda-0-starts", "traces-do-not-help", "traces-weaken", "traces-settle", "traces-end-elsewhere"),
    ),
    "first attempts, with chains as actions": ("chains-are-bad", "chains-do-not-settle", "plies-are-better"),
}
"""where R says what"""
CLAIMS = tuple(replace(each, where=next(where for where, said in SAID.items() if each.name in said)) for each in STATED)
