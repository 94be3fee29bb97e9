"""Report H: hounds that start without knowledge learn to catch the hare, compared with perfect play.

The question, the procedure and the figures are those of a Swedish bachelor's thesis on tabular Q-learning for Hare and
Hounds. The report adds the solution of the game. Its modules are `plan` (the settings of the thesis), `figures`,
`relearned` and `other_games` (measures), `claims` (the rules that judge the claims of the thesis) and `tables`.
`page.md` contains the text. This module adds the charts, the boards, the games and the declaration of the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from petteia.analysis.truth import ALL, REACHABLE, Truth
from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.charts import GAMES_AXIS, Curves, Line, band, points_text
from petteia.reports.engine.declaration import Declaration, Of
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.measures import of_each
from petteia.reports.engine.rules import above
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.work import duration, usual_seconds
from petteia.reports.hare_and_hounds import figures, other_games, plan, relearned, tables
from petteia.reports.hare_and_hounds.claims import CLAIMS
from petteia.reports.hare_and_hounds.figures import judged, judgement, truth
from petteia.reports.hare_and_hounds.plan import BEST, FOLLOWED, PERFECT, TRIED

HOUNDS, PERFECT_HOUNDS, BOTH_SIDES = "hounds.safetensors", "perfect-hounds.safetensors", "both-sides.safetensors"
"""the files beside the page that contain learned tables"""
COVERED = 300_000
"""the number of games of random play whose coverage is measured"""
LEARNERS = ("q", "sarsa", "expected-sarsa", "double-q", "monte-carlo")


def hounds(title: str, setting: Setting) -> Curves:
    """Return a chart of the learning curve of one setting of the hounds."""
    return Curves(title, [Line("hounds", setting)])


def followed_chart(evidence: Evidence) -> str:
    """Draw the learned values of three example moves during training, with their exact values."""
    cell, curves = evidence.cell(FOLLOWED), []
    for number, (name, _, _, exact) in enumerate(followed_moves(evidence)):
        curves.append(band(name, cell.games, cell.followed[:, :, number], family=name))
        ends = [float(cell.games[0]), float(cell.games[-1])]
        curves.append(Curve(f"exact: {exact:.3f}", ends, [exact, exact], family=name))
    return line_chart(curves, "Three learned values, and their exact values", GAMES_AXIS, "value")


def followed_moves(evidence: Evidence) -> Iterator[tuple[str, str, str, float]]:
    """Yield the moves whose values are recorded during training: name, position, move, and exact value."""
    settings = evidence.trainings(FOLLOWED)[0].configuration
    for each in evidence.cell(FOLLOWED).plan.declaration.measure.follow:
        exact = truth().value_of(0, settings.opponent, float(settings.learner.gamma), each.position, each.move)
        yield each.name, each.position, each.move, exact


def followed_boards(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield a board with a caption for each move whose value is recorded during training."""
    for name, position, text, exact in followed_moves(evidence):
        state = parse_state(evidence.rules, position)
        move = parse_move(evidence.rules, state, text)
        board = board_svg(evidence.rules, play(evidence.rules, state, move), move)
        yield board, f"The move {text} {name}. Its exact value is {exact:.3f}. The position before it is {position}."


CHARTS: dict[str, Of] = {
    "curve": hounds("Q-learning hounds against the random hare", BEST),
    **{
        f"alpha-{alpha:g}": Curves(
            f"Alpha {alpha:g}", [Line(f"gamma {gamma:g}", plan.rates(alpha, gamma)) for gamma in TRIED]
        )
        for alpha in TRIED
    },
    "epsilon": Curves(
        "Exploration rates",
        [Line(each.words, each) for each in map(plan.random_moves, (0.0, *plan.EPSILONS))],
    ),
    "simple": hounds("Q-learning hounds against the simple hare", plan.AGAINST_SIMPLE),
    "values": followed_chart,
    "goes-on": hounds("One table with changing parameters and opponents", plan.GOES_ON),
    "learners": Curves("Other learners", [Line(each, Setting(plan.LEARNERS, {"learner": each})) for each in LEARNERS]),
    "both": Curves(
        "Hounds and hare learn from each other", [Line(each.words, each) for each in (plan.HOUNDS, plan.HARE)]
    ),
    "perfect": hounds("Training against a good hare, evaluation against the perfect hare", PERFECT),
}


FIGURES = {
    "level": figures.level(BEST),
    "perfect_moves": figures.PERFECT_MOVES,
    "kept": judged("kept"),
    "hounds_win": judged("perfect"),
    "positions_met": figures.POSITIONS_MET,
    "mean_move": relearned.MEAN_MOVE,
    "distance": relearned.DISTANCE,
    "tried": relearned.TRIED,
    "mean_move_often": relearned.MEAN_MOVE_OFTEN,
    "largest_move_often": relearned.LARGEST_MOVE_OFTEN,
    "distance_often": relearned.DISTANCE_OFTEN,
    "meeting": of_each("", SHARE, plan.HOUNDS, figures.meeting),
    "kept_by_the_recipe": judged("kept", PERFECT),
}
LEARNS = {"learns": above(figures.gain_of_learning(BEST), 0.0)}


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables that only this report's page template uses."""
    solution, best, recipe = truth().solution, evidence.cell(BEST), evidence.trainings(PERFECT)
    settings, longest, simple = recipe[0].configuration, solution.longest, evidence.cell(plan.AGAINST_SIMPLE)
    return {
        "plan": plan,
        "room": other_games.ROOM,
        "decisions": truth().decisions,
        "stones": other_games.STONES,
        "length": lambda setting: f"{evidence.trainings(setting)[0].configuration.games:,}",
        "games_each": f"{best.trainings[0].configuration.games:,}",
        "took_one": duration(usual_seconds(best.trainings)),
        "first_score": f"{best.scores[:, 0].mean():.0%}",
        "first_games": best.games[0],
        "is_perfect": figures.PERFECT_MOVES.mean(evidence) == 1.0,
        "solution": solution,
        "limit": truth().limit_of_learning("random", plan.GAMMA)[REACHABLE],
        "limit_of_recipe": truth().limit_of_learning(settings.opponent, float(settings.learner.gamma))[ALL],
        "recipe": settings,
        "recipe_count": len(recipe),
        "faultless": sum(judgement(evidence, each).sets[REACHABLE].results_lost == 0 for each in recipe),
        "longest": longest and (board_svg(evidence.rules, parse_state(evidence.rules, longest.position)), longest),
        "openings": [each for each in solution.openings if each.value > 0],
        "coverage": truth().coverage(COVERED, 0),
        "winners": tables.best_of(evidence),
        "rise": figures.GAMES_OF_RISE.range_text(evidence),
        "rise_measured_every": simple.games[0],
        "won_apart": int((truth().reached & (truth().values == 1)).sum()),
        "first_extremes": tables.extremes_at_first(evidence),
        "rising_at_first": tables.rising_at_first(evidence),
        "more_is_not_better": tables.more_is_not_better(evidence),
        "start_board": board_svg(evidence.rules, initial(evidence.rules)),
        "followed_boards": [*followed_boards(evidence)],
        "points": points_text([best]),
        "points_perfect": points_text([evidence.cell(PERFECT)]),
        "hounds": HOUNDS,
        "perfect_hounds": PERFECT_HOUNDS,
    }


def solved(evidence: Evidence) -> dict[str, Any]:
    """Return the solution of the game: the value, the number of plies, and the moves of perfect play."""
    return {"value": truth().solution.value, "plies": truth().solution.plies, "line": [*truth().solution.line]}


def limit(evidence: Evidence) -> dict[str, Any]:
    """Return how well hounds play against the random hare if they know the exact value of each move."""
    return {name: each._asdict() for name, each in truth().limit_of_learning("random", plan.GAMMA).items()}


REPORT = Declaration(
    package=__name__,
    game=plan.GAME,
    experiments=plan.EXPERIMENTS,
    depends=(Truth, *other_games.DEPENDS),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts=CHARTS,
    weights={HOUNDS: BEST, PERFECT_HOUNDS: PERFECT, BOTH_SIDES: plan.HOUNDS},
    games={
        "random": (f"q:agent={{folder}}/{HOUNDS}", "random"),
        "perfect": (f"q:agent={{folder}}/{HOUNDS}", "perfect"),
        "best": ("perfect", "perfect"),
    },
    figures=FIGURES,
    answers=LEARNS,
    names=names,
    summary={"solution": solved, "limit_of_learning": limit},
)
