"""The report on Hare and Hounds: hounds that learn by Q-learning to catch the hare, compared with perfect play.

The report repeats the experiments of a Swedish bachelor's thesis on tabular Q-learning, and adds the solution of the
game. The modules of the report are:

- `plan`: the settings of the thesis
- `figures`: statistics of the training runs
- `other_games`: the results of the same learner in several games
- `claims`: the conditions under which the report agrees with the claims of the thesis

This module contains the charts, boards, tables and games of the report's page. It also contains the declaration of the
report. The text of the page is in `page.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from petteia.analysis.curves import last_quarter
from petteia.analysis.truth import ALL, REACHABLE, Judgement, Truth
from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.render.html import strong
from petteia.reports.engine.charts import GAMES_AXIS, MAXIMUM, Curves, Line, band, points_text
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import COUNT, POINTS, SHARE, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, combination, known, of_each
from petteia.reports.engine.rules import is_above
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import Row, Table, table
from petteia.reports.engine.work import usual_time
from petteia.reports.hare_and_hounds import figures, other_games, plan
from petteia.reports.hare_and_hounds.claims import ANSWERS, CLAIMS, better_by, calm_at_high_rate, verdict_changes
from petteia.reports.hare_and_hounds.figures import (
    FURTHER,
    MEASURES,
    PERFECT_IN_PLAY,
    TRIES,
    judged,
    level,
    scatter,
    truth,
)
from petteia.reports.hare_and_hounds.other_games import POSITIONS, by_size, title_of
from petteia.reports.hare_and_hounds.plan import BEST, FOLLOWED, GAMMA, PERFECT, SETTINGS, TRIED, WITH_ALPHA

# Charts and boards.


def followed_moves(evidence: Evidence) -> Iterator[tuple[str, str, str, float]]:
    """Yield the name, position, move and exact value of each move whose learned values are recorded during training."""
    settings = evidence.trainings(FOLLOWED)[0].configuration
    for each in evidence.cell(FOLLOWED).plan.declaration.measure.follow:
        exact = truth().value_of(0, settings.opponent, float(settings.learner.gamma), each.position, each.move)
        yield each.name, each.position, each.move, exact


def followed_chart(evidence: Evidence) -> str:
    """Draw a chart of three example moves: their learned values during training, and their exact values."""
    cell, curves = evidence.cell(FOLLOWED), []
    for number, (name, _, _, exact) in enumerate(followed_moves(evidence)):
        curves.append(band(name, cell.games, cell.followed[:, :, number], family=name))
        ends = [float(cell.games[0]), float(cell.games[-1])]
        curves.append(Curve(f"exact: {exact:.3f}", ends, [exact, exact], family=name))
    return line_chart(curves, "The learned values of three moves, and their exact values", GAMES_AXIS, "value")


def followed_boards(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield a drawing of the board and a caption for each move whose learned values are recorded during training."""
    for number, (name, position, text, exact) in enumerate(followed_moves(evidence)):
        state = parse_state(evidence.rules, position)
        move, learned = parse_move(evidence.rules, state, text), figures.followed(number).mean(evidence)
        yield (
            board_svg(evidence.rules, play(evidence.rules, state, move), move),
            f"The move {text} {name}. The exact value of the move is {exact:.3f}, and its mean learned value in the "
            f"last quarter of training is {learned:.3f}.",
        )


CURVES = {
    "curve": Curves("Q-learning hounds against the random hare", [Line("hounds", BEST)]),
    **{
        f"alpha-{alpha:g}": Curves(
            f"Alpha {alpha:g}: the score by gamma", [Line(f"gamma {each.values['gamma']:g}", each) for each in settings]
        )
        for alpha, settings in WITH_ALPHA.items()
    },
    "epsilon": Curves("The score by epsilon", [Line(each.words, each) for each in plan.WITH_EPSILON.values()]),
    "simple": Curves("Q-learning hounds against the simple hare", [Line("hounds", plan.AGAINST_SIMPLE)]),
    "goes-on": Curves("One Q-table with changing parameters and opponents", [Line("hounds", plan.GOES_ON)]),
    "learners": Curves("The score by learner", [Line(name, each) for name, each in plan.OTHER_LEARNERS.items()]),
    "both": Curves("Hounds and hare learn from each other", [Line(each.words, each) for each in plan.SIDES]),
    "perfect": Curves("Training against a good hare, scores against the perfect hare", [Line("hounds", PERFECT)]),
}

# Tables.

OF_SIDE = (
    *("perfect moves in reachable positions", PERFECT_IN_PLAY),
    *(f"games won against the {opponent} opponent" for opponent in plan.OPPONENTS),
)
"""the measures in the tables of learners"""


def best_of(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """Return, for each criterion, the best parameter setting and the settings that are not significantly worse.

    There are four criteria:

    - the speed of learning
    - the standard deviation of the scores
    - this standard deviation relative to the sampling error
    - the share of perfect moves
    """
    criteria: dict[str, tuple[str, Callable[[Setting], Figure | str], float]] = {
        "fast": ("the fastest combination", lambda setting: staying(evidence, setting), 1.0),
        "stable": ("the most stable combination", figures.plain_spread, 1.0),
        "calm": ("the most stable combination relative to the sampling error", scatter, 1.0),
        "good": ("the combination nearest to perfect play", figures.quality, -1.0),
    }
    best = {}
    for criterion, (words, of, sign) in criteria.items():
        found = {name: figure for name, setting in SETTINGS.items() if isinstance(figure := of(setting), Figure)}
        if found:
            name = min(found, key=lambda each: sign * found[each].mean(evidence))
            worse = {each: combination(((sign, found[each]), (-sign, found[name])), "") for each in found}
            rivals = [each for each in found if each != name and not is_above(worse[each].interval(evidence), 0.0)]
            best[criterion] = {"words": words, "name": name, "figure": found[name], "rivals": rivals}
    return best


def in_time(evidence: Evidence, games: Figure, setting: Setting, part: float = 1.0) -> Figure | str:
    """Return `games` if an event comes early enough in every training run, and otherwise a text.

    `games` measures the number of training games until the event in each training run of `setting`. The event comes
    early enough if this number is less than the fraction `part` of all training games. The text states in how many
    training runs the event comes early enough, such as `3 of 10 training runs`.
    """
    end, needed = part * evidence.cell(setting).games[-1], games.values(evidence)
    early = sum(each < end for each in needed)
    return games if early == len(needed) else f"{early} of {len(needed)} training runs"


def staying(evidence: Evidence, setting: Setting) -> Figure | str:
    """Return the number of training games after which the smoothed score stays above 90 % (`HIGH`).

    If the smoothed score does not stay above 90 % for the whole last quarter of every training run, a text is returned
    instead. The text states in how many training runs the score stays above 90 %, such as `3 of 10 training runs`.
    """
    return in_time(evidence, figures.games_to_stay_high(setting), setting, 0.75)


@table(
    *("parameters", "games until the score stays above 90 %", "score in the last quarter"),
    *("standard deviation of the scores", "standard deviation as a multiple of the sampling error"),
    "perfect moves in reachable positions",
)
def combinations(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each parameter setting: speed and stability of training, and quality of play."""
    best = {each["name"] for each in best_of(evidence).values()}
    for name, setting in SETTINGS.items():
        measures = (of(setting) for of in (level, figures.plain_spread, scatter, figures.quality))
        yield [strong(name) if name in best else name, staying(evidence, setting), *measures]


@table("player", *MEASURES)
def against_the_truth(evidence: Evidence) -> Iterator[Row]:
    """Yield table rows that compare learned play, random play and play by exact values with the solution of the game.

    Learned play has a row for each training setting, such as `alpha 0.1, gamma 0.9, epsilon 1`. Each row states the
    quality of the hounds' moves, the error of their values, and the shares of games that they win.
    """
    others = {"training against the simple hare": plan.AGAINST_SIMPLE, "training against a good hare": plan.PERFECT}
    for name, setting in {**SETTINGS, **others}.items():
        yield [name, *(judged(measure, setting) for measure in MEASURES)]
    at_random = figures.random_play(), truth().scores(0, truth().probabilities_of(0, "random"))
    at_limit = truth().limit_of_learning("random", GAMMA), truth().limit_scores("random", GAMMA)
    for name, error, found in (("random hounds", "", at_random), ("exact values", "0", at_limit)):
        exact = {key: unit.text(of(Judgement(*found, 0.0, 0.0))) for key, (unit, of) in MEASURES.items()}
        yield [name, *(exact | {"error of the values": error}).values()]


@table("learner", "score in the last quarter", *OF_SIDE)
def other_learners(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each learning algorithm, such as `sarsa`: its score, perfect moves and games won."""
    for name, setting in plan.OTHER_LEARNERS.items():
        yield [name, level(setting), *(judged(measure, setting) for measure in OF_SIDE)]


@table("side", *OF_SIDE)
def both_sides(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for the hounds and a row for the hare, which learned by playing against each other."""
    for side, setting in enumerate((plan.HOUNDS, plan.HARE)):
        yield [setting.words, *(judged(measure, setting, side) for measure in OF_SIDE)]


def other_game(experiment: str) -> Table:
    """Return a table of an experiment in another game: its five best settings, and the setting chosen by the thesis."""

    def rows(evidence: Evidence) -> Iterator[Row]:
        ranked = figures.ranked(experiment, evidence)
        for place, each in enumerate(ranked, 1):
            is_ours = each.values == plan.CHOSEN
            if is_ours or place <= 5:
                name = figures.options(each)
                yield [f"{place} of {len(ranked)}", strong(name) if is_ours else name, level(each)]

    return Table(experiment, ("place", "parameters", "score in the last quarter"), rows)


@table(
    "alpha",
    f"largest change of a value by a single game ({FURTHER:,} further games, values with at least {TRIES} visits)",
)
def by_alpha(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each learning rate, the largest change that a single game makes to an action value."""
    for alpha in TRIED:
        yield [f"{alpha:g}", figures.of_repeated("by_one_game", plan.rates(alpha, GAMMA))]


@table("gamma", "moves that keep the win, near the win", "moves that keep the win, far from the win")
def by_distance(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each discount factor, how often the hounds' moves keep the win, near the win and far from the win.

    Only reachable positions that are won for the hounds are counted. A move keeps the win if the position is still won
    after it. A position is near the win if perfect hounds need at most six moves (`NEAR`) to win.
    """
    for setting in WITH_ALPHA[plan.ALPHA]:
        yield [f"{setting.values['gamma']:g}", *(figures.kept_at(distance, setting) for distance in (0, 1))]


@table(
    "epsilon",
    "score in the last quarter",
    "games until the score first reaches 90 %, or training runs that reach 90 %",
    "reachable positions visited in training",
)
def by_epsilon(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each exploration rate epsilon, the score, the speed of learning, and the share of positions visited.

    The speed is the number of training games until the score first reaches 90 %. If this happens before the end only in
    some training runs, the number of these training runs is given instead.
    """
    for epsilon, setting in plan.WITH_EPSILON.items():
        reached = in_time(evidence, figures.games_to(setting), setting)
        yield [f"{epsilon:g}", level(setting), reached, figures.positions_met(setting)]


@table("alpha", *(f"score with gamma {gamma:g}" for gamma in TRIED))
def first_games(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each learning rate, the mean scores in the first twelfth of training with three discount factors."""
    for alpha, settings in WITH_ALPHA.items():
        yield [f"{alpha:g}", *map(figures.first_score, settings)]


@table(
    *("game", "positions", "random moves that worsen the result", "learned moves that worsen the result"),
    *("difference", "reduction", "training games"),
)
def every_game(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each game with the effect of training, in ascending order of the number of positions."""
    for game, each in by_size(evidence).items():
        # in a small game all positions are compared, so there is no interval over their choice
        saved = known("results saved", POINTS, each.saved if each.positions > POSITIONS else certain(each.saved.mean))
        random, learned, gone = map(SHARE.text, (each.random, each.learned, each.gone))
        yield [title_of(game), COUNT.text(each.positions), random, learned, saved, gone, COUNT.text(each.games)]


# The page.


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the page template that are specific to the report on Hare and Hounds."""
    solution, best, recipe = truth().solution, evidence.cell(BEST), evidence.trainings(PERFECT)
    settings, longest = recipe[0].configuration, solution.longest
    going_on = evidence.cell(plan.GOES_ON).scores
    courses = by_size(evidence)
    return {
        "plan": plan,
        "figures": figures,
        "other_games": other_games,
        "length": lambda setting: f"{evidence.trainings(setting)[0].configuration.games:,}",
        "took_one": usual_time(best.trainings),
        "first_score": f"{best.scores[:, 0].mean():.0%}",
        "better_by_one": better_by(1, evidence),
        "verdict_changes": verdict_changes(evidence),
        "relative": [f"{scatter(each).mean(evidence):.2f}" for each in WITH_ALPHA[plan.ALPHA]],
        "calm_at_high_rate": calm_at_high_rate(evidence),
        "random_hounds": figures.random_play()[REACHABLE],
        "courses": courses,
        "different_games": len({name.partition(":")[0] for name in courses}),
        "largest_reductions": [SHARE.text(each.gone) for each in [*courses.values()][-2:]],
        "solution": solution,
        "limit": truth().limit_of_learning("random", GAMMA)[REACHABLE],
        "limit_of_recipe": truth().limit_of_learning(settings.opponent, float(settings.learner.gamma))[ALL],
        "recipe": settings,
        "recipe_count": len(recipe),
        "faultless": sum(figures.judgement(evidence, each, 0).sets[REACHABLE].results_lost == 0 for each in recipe),
        "longest": longest and (board_svg(evidence.rules, parse_state(evidence.rules, longest.position)), longest),
        "openings": [each for each in solution.openings if each.value > 0],
        "coverage": truth().coverage(300_000, 0),
        "winners": best_of(evidence),
        "wins_all": float(np.mean(figures.GAMES_TO_WIN_ALL.values(evidence))),
        "stages": [SHARE.text(float(last_quarter(part).mean())) for part in np.array_split(going_on, 4, axis=1)],
        "won_apart": int((truth().reached & (truth().values == 1)).sum()),
        "start_board": board_svg(evidence.rules, initial(evidence.rules)),
        "followed_boards": [*followed_boards(evidence)],
        "followed_values": -(-len(evidence.cell(FOLLOWED).games) // MAXIMUM),
        "points": {name: points_text([evidence.cell(of.lines[0].setting)]) for name, of in CURVES.items()},
    }


def solved(evidence: Evidence) -> dict[str, Any]:
    """Return the value of the game, and the moves and the number of plies of a game with perfect play."""
    return {"value": truth().solution.value, "plies": truth().solution.plies, "line": [*truth().solution.line]}


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    experiments=plan.EXPERIMENTS,
    depends=(Truth, *other_games.DEPENDS),
    claims=CLAIMS,
    tables=(
        *(combinations, against_the_truth, other_learners, both_sides, *map(other_game, plan.ELSEWHERE)),
        *(by_alpha, by_distance, by_epsilon, every_game, first_games),
    ),
    charts={**CURVES, "values": followed_chart},
    weights={plan.HOUNDS_FILE: BEST, plan.PERFECT_HOUNDS_FILE: PERFECT},
    games={
        **{hare: (f"q:agent={{folder}}/{plan.HOUNDS_FILE}", hare) for hare in ("random", "perfect")},
        "best": ("perfect", "perfect"),
    },
    figures={
        "level": level(BEST),
        "perfect_moves": figures.quality(),
        "kept": judged("moves that keep the win"),
        "hounds_win": judged("games won against the perfect opponent"),
        "positions_met": figures.positions_met(plan.ONLY),
        **{field: figures.of_repeated(field) for field in ("largest_change", "error", "tried", "error_often")},
        "meeting": of_each("", SHARE, plan.HOUNDS, figures.meeting),
    },
    answers=ANSWERS,
    names=names,
    summary={"solution": solved},
)
