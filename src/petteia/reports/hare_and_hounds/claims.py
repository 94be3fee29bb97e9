"""What the thesis says, in our words, and the rule by which each claim is judged; and what cannot be judged here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from petteia.analysis.curves import always_from, first_reach, last_quarter
from petteia.experiments.scatter import MANY
from petteia.reports.engine import rules
from petteia.reports.engine.claims import Claim, most_below
from petteia.reports.engine.estimates import FEWEST
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.rules import Above, AsPrinted, Below, Every, Finding, Most, Not, Rule
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds import figures, plan
from petteia.reports.hare_and_hounds.figures import HIGH, level, most, most_score_more, most_stay_high, scatter
from petteia.reports.hare_and_hounds.other_games import TITLES, gone, limit_is_size
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, EPSILONS, GAMMA, TRIED, random_moves, rates
from petteia.reports.hare_and_hounds.replays import (
    LARGEST_MOVE,
    MEAN_DISTANCE,
    changed_by_one_game,
    settled,
)

RESTLESS, SPREAD = 2.0, 0.03
"""who scatters more, in units of chance or plainly, is unstable; chance makes at most 2.2 % of 500 games"""
ALIKE, ALIKE_AT_FIRST, MOVED = 0.03, 0.1, 0.05
ALL = 0.999
AT_ONCE = 250.0
"""games: a twentieth of what the thesis took until all were won"""
TURN = 0.5
"""half the way from a draw to a win"""
FIRST_PART = 1.0 / 12.0
"""25,000 of 300,000 games"""
OTHERS = tuple(epsilon for epsilon in EPSILONS if epsilon != EPSILON)
NINE = tuple(rates(alpha, gamma) for alpha in TRIED for gamma in TRIED)


def each_of(
    settings: Iterable[Setting], figure: Callable[[Setting], Figure], rule: type[Above | Below], bound: float
) -> Every:
    """A figure of each setting is above, or below, a bound."""
    return Every(tuple(rule(figure(setting), bound) for setting in settings))


def of_alpha(alpha: float) -> tuple[Setting, ...]:
    """The settings of an alpha."""
    return tuple(rates(alpha, gamma) for gamma in TRIED)


def reaches(setting: Setting) -> Most:
    """Most trainings of a setting reach a high score."""
    words = f"the score reaches {HIGH:.0%}"
    return most(words, setting, lambda cell: [x is not None for x in first_reach(cell, HIGH)], setting.words)


def sooner(games: Callable[[Setting], Figure]) -> Every:
    """With each other epsilon it takes more games."""
    ours = games(random_moves(EPSILON))
    return Every(tuple(Above(ratio(games(random_moves(other)), ours), 1.0) for other in OTHERS))


def clearly_better(other: Setting, ours: Setting, evidence: Evidence) -> list[str]:
    """By which of the thesis's criteria a setting is better than ours for certain."""
    high, spread = figures.games_to_stay_high, figures.plain_spread
    found = {
        "fast": rules.below(ratio(high(other), high(ours)).interval(evidence), 1.0),
        "much": rules.above(difference(level(other), level(ours)).interval(evidence), 0.0),
        "stable": rules.below(difference(spread(other), spread(ours)).interval(evidence), 0.0),
    }
    return [name for name, answer in found.items() if answer]


def is_best(evidence: Evidence) -> Finding:
    """Whether no other setting is clearly better by two of the three criteria."""
    ours = random_moves(EPSILON)
    better = {name: clearly_better(of, ours, evidence) for name, of in plan.SETTINGS.items() if of != ours}
    by_two = [f"{name} ({', '.join(each)})" for name, each in better.items() if len(each) > 1]
    by_one = [f"{name} ({each[0]})" for name, each in better.items() if len(each) == 1]
    words = f"clearly better in two: {'; '.join(by_two) or 'none'}; in one: {'; '.join(by_one) or 'none'}"
    return Finding(words, not by_two, evidence.seeds >= FEWEST)


def suits_other_games(evidence: Evidence) -> Finding:
    """Whether the parameters are, in most trainings, nearly as good as the best combination in each of two games."""
    words, answers = [], []
    for name, title in plan.ELSEWHERE.items():
        ours = level(Setting(name, {"alpha": ALPHA, "gamma": GAMMA, "epsilon": EPSILON})).values(evidence)
        cells = [each.combination for each in evidence.experiments[name].cells]
        scores = [level(Setting(name, each.values)).values(evidence) for each in cells]
        top = max(range(len(cells)), key=lambda number: np.mean(scores[number]))
        answers.append(_most_of(np.subtract(scores[top], ours) < ALIKE))
        best = ", ".join(f"{key} {value:g}" for key, value in cells[top].values.items())
        words.append(f"{title}: {np.mean(ours):.1%}, best of {len(cells)} {np.mean(scores[top]):.1%} ({best})")
    return Finding("; ".join(words), rules.every(answers))


def _most_of(holds: Iterable[bool]) -> rules.Answer:
    return Most("", lambda evidence: [*holds]).judge(None).answer


Said = tuple[str, str, Rule]
"""name, claim, and how it is judged"""
ONLY = rates(ALPHA, GAMMA)
ABOUT_RATES: tuple[Said, ...] = (
    (
        *("only-one-stays", "Of the nine combinations only alpha 0.1 with gamma 0.9 stays above 90 %."),
        Every((most_stay_high(ONLY), *(Not(most_stay_high(each)) for each in NINE if each != ONLY))),
    ),
    (
        *("large-alpha-is-worse", "With alpha 0.9 the hounds learn worse than with lower ones."),
        Every(tuple(most_score_more(rates(low, gamma), rates(0.9, gamma)) for low in (0.1, 0.5) for gamma in TRIED)),
    ),
    (
        *("high-gamma-is-needed", "A high gamma is needed, as plans are long."),
        Every(tuple(most_score_more(rates(alpha, GAMMA), rates(alpha, low)) for alpha in TRIED for low in TRIED[:2])),
    ),
    (
        *("gamma-at-middle-rate", "With alpha 0.5, gamma 0.5 is like 0.1, and 0.9 is far better."),
        Above(figures.bend(0.5), 0.0),
    ),
    (
        *("gamma-matters-less", "With alpha 0.9, gamma matters less."),
        Above(difference(figures.rise(0.5), figures.rise(0.9)), 0.0),
    ),
    (
        *("average-at-high-rate", "With alpha 0.9 the score is about 70 % on average."),
        AsPrinted(figures.mean_of_all_points(0.9), 0.7, give=0.05, of_games=MANY),
    ),
    (
        *("unstable-at-middle-rate", "With alpha 0.5 learning is unstable, whatever gamma is."),
        each_of(of_alpha(0.5), scatter, Above, RESTLESS),
    ),
    (
        *("middle-rate-by-spread", "The same, by the plain spread of the points."),
        each_of(of_alpha(0.5), figures.plain_spread, Above, SPREAD),
    ),
    (
        *("unstable-at-high-rate", "With alpha 0.9 learning is unstable."),
        each_of(of_alpha(0.9), scatter, Above, RESTLESS),
    ),
    (
        *("high-rate-by-spread", "The same, by the plain spread of the points."),
        each_of(of_alpha(0.9), figures.plain_spread, Above, SPREAD),
    ),
    (
        *("stable-at-low-rate", "With alpha 0.1 learning is stable, whatever gamma is."),
        each_of(of_alpha(0.1), scatter, Below, RESTLESS),
    ),
    (
        *("low-rate-by-spread", "The same, by the plain spread of the points."),
        each_of(of_alpha(0.1), figures.plain_spread, Below, SPREAD),
    ),
    (
        "settles-only-with-high-gamma",
        "Elsewhere: with alpha 0.1, gamma 0.9 settles in the end, the smaller ones do not.",
        Every((Below(scatter(ONLY), RESTLESS), *(Above(scatter(rates(0.1, low)), RESTLESS) for low in TRIED[:2]))),
    ),
    (
        *("alike-at-first", "In the first 25,000 games all nine look alike."),
        Below(figures.first_differences(FIRST_PART), ALIKE_AT_FIRST),
    ),
    (
        *("one-game-turns-little", "Low alpha is stable, as one game cannot turn a value that many games have made."),
        Every((Below(changed_by_one_game(ONLY), TURN), Above(changed_by_one_game(rates(0.9, GAMMA)), TURN))),
    ),
    (
        *("meets-all", "With enough games against the random hare, the whole state space is met."),
        Most(
            f"the table has met {ALL:.1%} of the positions that can be reached after 300,000 games",
            lambda evidence: [met >= ALL for met in figures.POSITIONS_MET.values(evidence)],
        ),
    ),
)
ABOUT_RANDOM_MOVES: tuple[Said, ...] = (
    (
        *("all-reach", "Epsilon 0.1, 0.5, 0.9 and 1 all reach more than 90 %."),
        Every(tuple(reaches(random_moves(epsilon)) for epsilon in EPSILONS)),
    ),
    ("fastest", "Epsilon 0.5 is the first to get there.", sooner(figures.games_to)),
    ("soonest-stable", "Epsilon 0.5 is the soonest to be stable.", sooner(figures.games_to_settle)),
    ("soonest-stable-above", "It is the soonest to be stable above 90 %.", sooner(figures.games_to_stay_high)),
    (
        *("repeating-matters", "Epsilon 0.5 is best, as repeating what is known matters as much as exploring."),
        Every(tuple(Above(ratio(settled(random_moves(EPSILON)), settled(random_moves(e))), 1.0) for e in OTHERS)),
    ),
)
ABOUT_THE_SIMPLE_HARE: tuple[Said, ...] = (
    (
        *("simple-is-beaten", "In the end the hounds win every game."),
        most(
            "every game is won to the end",
            plan.AGAINST_SIMPLE,
            lambda cell: [each is not None for each in always_from(cell, 1.0)],
        ),
    ),
    (
        *("simple-takes-so-long", "That takes about 5,000 games."),
        AsPrinted(figures.GAMES_TO_WIN_ALL, 5000.0, give=2500.0),
    ),
    (
        *("learned-at-once", "Once a few games are won, the winning way is learned at once."),
        most_below(figures.GAMES_OF_RISE, AT_ONCE),
    ),
)
ABOUT_VALUES: tuple[Said, ...] = (
    (
        *("winning-move", "The value of a move that wins at once goes to 1."),
        most(
            "it is above 0.99 in the last quarter",
            plan.FOLLOWED,
            lambda cell: last_quarter(cell.followed[:, :, 0]).mean(axis=1) > 0.99,
        ),
    ),
    ("good-move", "The value of a move that puts a hound on 5 becomes positive.", Above(figures.followed(1), 0.0)),
    (
        *("bad-move", "The value of a move that probably lets the hare escape becomes negative."),
        Below(figures.followed(2), 0.0),
    ),
    ("values-settle", "All three settle within 150,000 games.", most_below(figures.LAST_MOVES, MOVED)),
    (
        *("table-settles", "So the whole table has converged by 150,000 games."),
        Every((most_below(LARGEST_MOVE, MOVED), most_below(MEAN_DISTANCE, MOVED))),
    ),
)
CONCLUSIONS: tuple[Said, ...] = (
    (
        *("best-parameters", "Best of all is alpha 0.1, gamma 0.9, epsilon 0.5: it learns fast, much and stably."),
        rules.Judged(
            "no other combination is clearly better in two of three: the games until it stays above 90 %, the score in "
            "the last quarter, and the spread there",
            is_best,
        ),
    ),
    (
        *("suits-other-games", "These parameters are probably good for other board games, too."),
        rules.Judged(
            f"in each of two other games they score, in more than half of the trainings, within {ALIKE:.0%} of the "
            "combination that is best in the mean",
            suits_other_games,
        ),
    ),
    (
        *("works-for-every-game", "Q-learning works for every board game: one only defines the reward."),
        Every(tuple(Above(gone(name), 0.0) for name in TITLES)),
    ),
    (
        *("limit-is-state-space", "The limit is the size of the state space."),
        rules.Judged(
            "the more states a game has, the less of what random play gives away does the table keep (Spearman's rank "
            "correlation over the games, one-sided, p < 0.05)",
            limit_is_size,
        ),
    ),
    ("is-optimal", "The table is assumed to be the ultimate strategy.", Above(figures.PERFECT_MOVES, 0.999)),
)
PARTS: tuple[tuple[str, str, tuple[Said, ...]], ...] = (
    ("Learning rate and discount", "its experiment with alpha and gamma", ABOUT_RATES),
    ("Random moves", "its experiment with epsilon", ABOUT_RANDOM_MOVES),
    ("The simple hare", "its experiment with the simple hare", ABOUT_THE_SIMPLE_HARE),
    ("Converging values", "its experiment on convergence", ABOUT_VALUES),
    ("What the thesis concludes", "its conclusions", CONCLUSIONS),
)
"""what claims are about, and where the thesis says them"""
IN_FEW_GAMES = {
    *("all-reach", "fastest", "simple-is-beaten", "simple-takes-so-long", "learned-at-once"),
    *("winning-move", "good-move", "bad-move", "is-optimal"),
}
"""claims that are judged at the quick scale, too"""
CLAIMS = tuple(
    Claim(name, part, text, rule, name not in IN_FEW_GAMES, where)
    for part, where, said in PARTS
    for name, text, rule in said
)
