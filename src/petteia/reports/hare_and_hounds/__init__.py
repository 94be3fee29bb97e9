"""The report on Hare and Hounds: hounds that learn by Q-learning to catch the hare, compared with perfect play.

The report repeats the experiments of a Swedish bachelor's thesis on tabular Q-learning, and adds the solution of the
game. The modules of the report are:

- `plan`: the settings of the thesis
- `figures`: statistics of the training runs
- `other_games`: the results of the same learner in other games
- `claims`: the conditions under which the report agrees with the claims of the thesis
- `tables`: the tables of the page

`page.md` contains the text. This module contains the charts, the boards, the games and the declaration of the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from petteia.analysis.curves import last_quarter
from petteia.analysis.truth import ALL, REACHABLE, Truth
from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.charts import GAMES_AXIS, MAXIMUM, Curves, Line, band, points_text
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import of_each
from petteia.reports.engine.work import duration, usual_seconds
from petteia.reports.hare_and_hounds import figures, other_games, plan, tables
from petteia.reports.hare_and_hounds.claims import ANSWERS, CLAIMS, better_by, calm_at_high_rate, verdict_changes
from petteia.reports.hare_and_hounds.figures import judged, judgement, level, scatter, truth
from petteia.reports.hare_and_hounds.plan import BEST, FOLLOWED, HOUNDS_FILE, PERFECT, PERFECT_HOUNDS_FILE, WITH_ALPHA


def followed_moves(evidence: Evidence) -> Iterator[tuple[str, str, str, float]]:
    """Yield the moves whose values are recorded during training: name, position, move, and exact value."""
    settings = evidence.trainings(FOLLOWED)[0].configuration
    for each in evidence.cell(FOLLOWED).plan.declaration.measure.follow:
        exact = truth().value_of(0, settings.opponent, float(settings.learner.gamma), each.position, each.move)
        yield each.name, each.position, each.move, exact


def followed_chart(evidence: Evidence) -> str:
    """Draw the learned values of three example moves during training, with their exact values."""
    cell, curves = evidence.cell(FOLLOWED), []
    for number, (name, _, _, exact) in enumerate(followed_moves(evidence)):
        curves.append(band(name, cell.games, cell.followed[:, :, number], family=name))
        ends = [float(cell.games[0]), float(cell.games[-1])]
        curves.append(Curve(f"exact: {exact:.3f}", ends, [exact, exact], family=name))
    return line_chart(curves, "The learned values of three moves, and their exact values", GAMES_AXIS, "value")


def followed_boards(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield a board with a caption for each move whose value is recorded during training."""
    for number, (name, position, text, exact) in enumerate(followed_moves(evidence)):
        state = parse_state(evidence.rules, position)
        move, learned = parse_move(evidence.rules, state, text), figures.followed(number).mean(evidence)
        yield (
            board_svg(evidence.rules, play(evidence.rules, state, move), move),
            f"The move {text} {name}. The exact value of the move is {exact:.3f}, and its mean learned value in the "
            f"last quarter of training is {learned:.3f}. The position before the move is {position}.",
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
    "goes-on": Curves("One table with changing parameters and opponents", [Line("hounds", plan.GOES_ON)]),
    "learners": Curves("The score by learner", [Line(name, each) for name, each in plan.OTHER_LEARNERS.items()]),
    "both": Curves("Hounds and hare learn from each other", [Line(each.words, each) for each in plan.SIDES]),
    "perfect": Curves("Training against a good hare, scores against the perfect hare", [Line("hounds", PERFECT)]),
}


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables that only this report's page template uses."""
    solution, best, recipe = truth().solution, evidence.cell(BEST), evidence.trainings(PERFECT)
    settings, longest = recipe[0].configuration, solution.longest
    going_on = evidence.cell(plan.GOES_ON).scores
    courses = other_games.by_size(evidence)
    learners = sorted(plan.OTHER_LEARNERS, key=lambda name: level(plan.OTHER_LEARNERS[name]).mean(evidence))
    return {
        "plan": plan,
        "figures": figures,
        "other_games": other_games,
        "best": best,
        "length": lambda setting: f"{evidence.trainings(setting)[0].configuration.games:,}",
        "games_each": f"{best.trainings[0].configuration.games:,}",
        "took_one": duration(usual_seconds(best.trainings)),
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
        "limit": truth().limit_of_learning("random", plan.GAMMA)[REACHABLE],
        "limit_of_recipe": truth().limit_of_learning(settings.opponent, float(settings.learner.gamma))[ALL],
        "recipe": settings,
        "recipe_count": len(recipe),
        "faultless": sum(judgement(evidence, each, 0).sets[REACHABLE].results_lost == 0 for each in recipe),
        "longest": longest and (board_svg(evidence.rules, parse_state(evidence.rules, longest.position)), longest),
        "openings": [each for each in solution.openings if each.value > 0],
        "coverage": truth().coverage(300_000, 0),
        "winners": tables.best_of(evidence),
        "wins_all": float(np.mean(figures.GAMES_TO_WIN_ALL.values(evidence))),
        "stages": [SHARE.text(float(last_quarter(part).mean())) for part in np.array_split(going_on, 4, axis=1)],
        "learners": {name: level(plan.OTHER_LEARNERS[name]) for name in (learners[-1], learners[0])},
        "won_apart": int((truth().reached & (truth().values == 1)).sum()),
        "start_board": board_svg(evidence.rules, initial(evidence.rules)),
        "followed_boards": [*followed_boards(evidence)],
        "followed_values": -(-len(evidence.cell(FOLLOWED).games) // MAXIMUM),
        "points": {name: points_text([evidence.cell(of.lines[0].setting)]) for name, of in CURVES.items()},
    }


def solved(evidence: Evidence) -> dict[str, Any]:
    """Return the solution of the game: its value, and the moves and number of plies of a game with perfect play."""
    return {"value": truth().solution.value, "plies": truth().solution.plies, "line": [*truth().solution.line]}


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    experiments=plan.EXPERIMENTS,
    depends=(Truth, *other_games.DEPENDS),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts={**CURVES, "values": followed_chart},
    weights={HOUNDS_FILE: BEST, PERFECT_HOUNDS_FILE: PERFECT},
    games={
        **{hare: (f"q:agent={{folder}}/{HOUNDS_FILE}", hare) for hare in ("random", "perfect")},
        "best": ("perfect", "perfect"),
    },
    figures={
        "level": level(BEST),
        "perfect_moves": figures.quality(),
        "kept": judged("wins kept"),
        "hounds_win": judged("games won against the perfect opponent"),
        "positions_met": figures.positions_met(plan.ONLY),
        **{field: figures.of_repeated(field) for field in ("largest_change", "error", "tried", "error_often")},
        "meeting": of_each("", SHARE, plan.HOUNDS, figures.meeting),
    },
    answers=ANSWERS,
    names=names,
    summary={"solution": solved},
)
