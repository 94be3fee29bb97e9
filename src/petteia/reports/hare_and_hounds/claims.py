"""What the thesis says, in our words, and the rule by which each claim is judged; and what cannot be judged here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

import numpy as np

from petteia.analysis.curves import always_from, first_reach
from petteia.experiments.scatter import MANY
from petteia.reports.engine.claims import Claim, most_below
from petteia.reports.engine.estimates import FEWEST
from petteia.reports.engine.figures import Figure, difference, ratio
from petteia.reports.engine.rules import Above, AsPrinted, Below, Every, Finding, Judged, Most, Not, above, below, every
from petteia.reports.hare_and_hounds import figures, plan
from petteia.reports.hare_and_hounds.evidence import Evidence
from petteia.reports.hare_and_hounds.figures import HIGH, followed, level, most_score_more, most_stay_high, scatter
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, EPSILONS, GAMMA, TRIED, Setting, random_moves, rates

LEARNING, TRYING, LOWEST, CONVERGING, CONCLUDING = (
    "Learning rate and discount",
    "Random moves",
    "The simple hare",
    "Converging values",
    "What the thesis concludes",
)
RESTLESS, SPREAD = 2.0, 0.03
"""who scatters more, in units of chance or plainly, is unstable; chance makes at most 2.2 % of 500 games"""
ALIKE, ALIKE_AT_FIRST, MOVED = 0.03, 0.1, 0.05
ALL = 0.999
AT_ONCE = 250.0
"""games: a twentieth of what the thesis took until all were won"""
FIRST_PART = 1.0 / 12.0
"""25,000 of 300,000 games"""
OTHERS = tuple(epsilon for epsilon in EPSILONS if epsilon != EPSILON)
NINE = tuple(rates(alpha, gamma) for alpha in TRIED for gamma in TRIED)


def unstable(settings: Sequence[Setting]) -> Every:
    """Each scatters more than so many times as much as chance."""
    return Every(tuple(Above(scatter(each), RESTLESS) for each in settings))


def spread_widely(settings: Sequence[Setting]) -> Every:
    """Each spreads more than so many points."""
    return Every(tuple(Above(figures.plain_spread(each), SPREAD) for each in settings))


def _of_alpha(alpha: float) -> tuple[Setting, ...]:
    return tuple(rates(alpha, gamma) for gamma in TRIED)


def reaches(setting: Setting) -> Most:
    """Most trainings of a setting reach a high score."""
    return Most(
        f"the score reaches {HIGH:.0%}",
        lambda evidence: [each is not None for each in first_reach(evidence.cell(setting), HIGH)],
        setting.words,
    )


def sooner(games: Callable[[Setting], Figure]) -> Every:
    """With each other epsilon it takes more games."""
    ours = games(random_moves(EPSILON))
    return Every(tuple(Above(ratio(games(random_moves(other)), ours), 1.0) for other in OTHERS))


def clearly_better(other: Setting, ours: Setting, evidence: Evidence) -> list[str]:
    """By which of the thesis's criteria a setting is better than ours for certain."""
    found = {
        "fast": below(
            ratio(figures.games_to_stay_high(other), figures.games_to_stay_high(ours)).interval(evidence), 1.0
        ),
        "much": above(difference(level(other), level(ours)).interval(evidence), 0.0),
        "stable": below(difference(figures.plain_spread(other), figures.plain_spread(ours)).interval(evidence), 0.0),
    }
    return [name for name, answer in found.items() if answer]


def is_best(evidence: Evidence) -> Finding:
    """Whether no other setting is clearly better by two of the three criteria."""
    ours = random_moves(EPSILON)
    others = {name: each for name, each in plan.SETTINGS.items() if each != ours}
    better = {name: clearly_better(each, ours, evidence) for name, each in others.items()}
    by_two = [f"{name} ({', '.join(each)})" for name, each in better.items() if len(each) > 1]
    by_one = [f"{name} ({each[0]})" for name, each in better.items() if len(each) == 1]
    words = f"clearly better in two: {'; '.join(by_two) or 'none'}; in one: {'; '.join(by_one) or 'none'}"
    return Finding(words, not by_two, evidence.seeds >= FEWEST)


def suits_other_games(evidence: Evidence) -> Finding:
    """Whether the parameters are, in most trainings, nearly as good as the best combination in each of two games."""
    words, answers = [], []
    for name in plan.ELSEWHERE:
        ours = Setting("ours", name, {"alpha": ALPHA, "gamma": GAMMA, "epsilon": EPSILON})
        cells = {
            ", ".join(f"{key} {value:g}" for key, value in cell.combination.values.items()): Setting(
                "", name, cell.combination.values
            )
            for cell in evidence.experiments[name].cells
        }
        top = max(cells, key=lambda each: level(cells[each]).mean(evidence))
        pairs = [*zip(level(ours).values(evidence), level(cells[top]).values(evidence), strict=True)]
        near = {name: [best - mine < ALIKE for mine, best in pairs]}
        answers.append(Most("it is as good", itemgetter(name)).judge(near).answer)
        mine, best = (np.mean(each) for each in zip(*pairs, strict=True))
        words.append(
            f"{evidence.experiments[name].plan.declaration.title}: {mine:.1%}, best of {len(cells)} {best:.1%} ({top})"
        )
    return Finding("; ".join(words), every(answers))


OfPaper = partial(Claim, needs_paper=True)
STATED = (
    OfPaper(
        *("only-one-stays", LEARNING, "Of the nine combinations only alpha 0.1 with gamma 0.9 stays above 90 %."),
        Every(
            (
                most_stay_high(rates(ALPHA, GAMMA)),
                *(Not(most_stay_high(each)) for each in NINE if each != rates(ALPHA, GAMMA)),
            )
        ),
    ),
    OfPaper(
        *("large-alpha-is-worse", LEARNING, "With alpha 0.9 the hounds learn worse than with lower ones."),
        Every(tuple(most_score_more(rates(low, gamma), rates(0.9, gamma)) for low in (0.1, 0.5) for gamma in TRIED)),
    ),
    OfPaper(
        *("high-gamma-is-needed", LEARNING, "A high gamma is needed, as plans are long."),
        Every(tuple(most_score_more(rates(alpha, GAMMA), rates(alpha, low)) for alpha in TRIED for low in TRIED[:2])),
    ),
    OfPaper(
        *("gamma-at-middle-rate", LEARNING, "With alpha 0.5, gamma 0.5 is like 0.1, and 0.9 is far better."),
        Above(figures.bend(0.5), 0.0),
    ),
    OfPaper(
        *("gamma-matters-less", LEARNING, "With alpha 0.9, gamma matters less."),
        Above(difference(figures.rise(0.5), figures.rise(0.9)), 0.0),
    ),
    OfPaper(
        *("average-at-high-rate", LEARNING, "With alpha 0.9 the score is about 70 % on average."),
        AsPrinted(figures.mean_of_all_points(0.9), 0.7, give=0.05, of_games=MANY),
    ),
    OfPaper(
        *("unstable-at-middle-rate", LEARNING, "With alpha 0.5 learning is unstable, whatever gamma is."),
        unstable(_of_alpha(0.5)),
    ),
    OfPaper(
        "middle-rate-by-spread", LEARNING, "The same, by the plain spread of the points.", spread_widely(_of_alpha(0.5))
    ),
    OfPaper("unstable-at-high-rate", LEARNING, "With alpha 0.9 learning is unstable.", unstable(_of_alpha(0.9))),
    OfPaper(
        "high-rate-by-spread", LEARNING, "The same, by the plain spread of the points.", spread_widely(_of_alpha(0.9))
    ),
    OfPaper(
        *("stable-at-low-rate", LEARNING, "With alpha 0.1 learning is stable, whatever gamma is."),
        Every(tuple(Below(scatter(each), RESTLESS) for each in _of_alpha(0.1))),
    ),
    OfPaper(
        *("low-rate-by-spread", LEARNING, "The same, by the plain spread of the points."),
        Every(tuple(Below(figures.plain_spread(each), SPREAD) for each in _of_alpha(0.1))),
    ),
    OfPaper(
        *("settles-only-with-high-gamma", LEARNING),
        "Elsewhere: with alpha 0.1, gamma 0.9 settles in the end, the smaller ones do not.",
        Every((Below(scatter(rates(0.1, GAMMA)), RESTLESS), *unstable([rates(0.1, low) for low in TRIED[:2]]).rules)),
    ),
    OfPaper(
        *("alike-at-first", LEARNING, "In the first 25,000 games all nine look alike."),
        Below(figures.first_differences(FIRST_PART), ALIKE_AT_FIRST),
    ),
    OfPaper(
        *("meets-all", LEARNING, "With enough games against the random hare, the whole state space is met."),
        Most(
            f"the table has met {ALL:.1%} of the positions that can be reached after 300,000 games",
            lambda evidence: [met >= ALL for met in figures.POSITIONS_MET.values(evidence)],
        ),
    ),
    Claim(
        *("all-reach", TRYING, "Epsilon 0.1, 0.5, 0.9 and 1 all reach more than 90 %."),
        Every(tuple(reaches(random_moves(epsilon)) for epsilon in EPSILONS)),
    ),
    Claim("fastest", TRYING, "Epsilon 0.5 is the first to get there.", sooner(figures.games_to)),
    OfPaper("soonest-stable", TRYING, "Epsilon 0.5 is the soonest to be stable.", sooner(figures.games_to_settle)),
    OfPaper(
        "soonest-stable-above", TRYING, "It is the soonest to be stable above 90 %.", sooner(figures.games_to_stay_high)
    ),
    Claim(
        *("simple-is-beaten", LOWEST, "In the end the hounds win every game."),
        Most(
            "every game is won to the end",
            lambda evidence: [each is not None for each in always_from(evidence.cell(plan.AGAINST_SIMPLE), 1.0)],
        ),
    ),
    Claim(
        *("simple-takes-so-long", LOWEST, "That takes about 5,000 games."),
        AsPrinted(figures.games_to_win_all, 5000.0, give=2500.0),
    ),
    Claim(
        *("learned-at-once", LOWEST, "Once a few games are won, the winning way is learned at once."),
        most_below(figures.GAMES_OF_RISE, AT_ONCE),
    ),
    Claim(
        *("winning-move", CONVERGING, "The value of a move that wins at once goes to 1."),
        Most("it is above 0.99 in the last quarter", lambda evidence: [v > 0.99 for v in followed(0).values(evidence)]),
    ),
    Claim(
        "good-move", CONVERGING, "The value of a move that puts a hound on 5 becomes positive.", Above(followed(1), 0.0)
    ),
    Claim(
        *("bad-move", CONVERGING, "The value of a move that probably lets the hare escape becomes negative."),
        Below(followed(2), 0.0),
    ),
    OfPaper(
        "values-settle", CONVERGING, "All three settle within 150,000 games.", most_below(figures.LAST_MOVES, MOVED)
    ),
    OfPaper(
        *("table-settles", CONVERGING, "So the whole table has converged by 150,000 games."),
        Every((most_below(figures.LARGEST_MOVE, MOVED), most_below(figures.DISTANCE, MOVED))),
    ),
    OfPaper(
        *("best-parameters", CONCLUDING),
        "Best of all is alpha 0.1, gamma 0.9, epsilon 0.5: it learns fast, much and stably.",
        Judged(
            "no other combination is clearly better in two of three: the games until it stays above 90 %, the score in "
            "the last quarter, and the spread there",
            is_best,
        ),
    ),
    OfPaper(
        *("suits-other-games", CONCLUDING, "These parameters are probably good for other board games, too."),
        Judged(
            f"in each of two other games they score, in more than half of the trainings, within {ALIKE:.0%} of the "
            "combination that is best in the mean",
            suits_other_games,
        ),
    ),
    Claim(
        *("is-optimal", CONCLUDING, "The table is assumed to be the ultimate strategy."),
        Above(figures.PERFECT_MOVES, 0.999),
    ),
)
SAID = {
    LEARNING: "its experiment with alpha and gamma",
    TRYING: "its experiment with epsilon",
    LOWEST: "its experiment with the simple hare",
    CONVERGING: "its experiment on convergence",
    CONCLUDING: "its conclusions",
}
"""where the thesis says what"""
CLAIMS = tuple(replace(each, where=SAID[each.part]) for each in STATED)
