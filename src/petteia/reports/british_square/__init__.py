"""The report on a British Square program that seemed to learn nothing from its training.

The report repeats the experiment of a student's term project on temporal-difference learning, and tests possible
reasons for its result. Unlike the project, the report also uses the solution of the game.

The module `plan` contains the settings, matches and measures. The module `claims` contains the conditions that decide
the verdicts on the project's statements. The module `tables` contains the tables, and `page.md` the text. This module
contains the charts and the declaration of the report.
"""

from __future__ import annotations

from typing import Any

from petteia.analysis.doctor.examination import doctor
from petteia.core.protocol import parse_state
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.players.perfect import solved
from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.reports.british_square import plan, tables
from petteia.reports.british_square.claims import CLAIMS, QUESTIONS, opposite, remaining_regret, results
from petteia.reports.british_square.plan import EITHER, MOVER, PUBLISHED, SEATS, regret, share, term, working
from petteia.reports.engine import truth
from petteia.reports.engine.charts import Curves, Line, points_text
from petteia.reports.engine.declaration import Declaration, Of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.kept import kept
from petteia.reports.engine.work import duration, usual_seconds

WEIGHTS = "learner.safetensors"
FINISHED = "o.x.x/.x.o./o.x.x/o..o./.xx.o o"
"""a position in which the game is over with each of the three rules, with 7 stones against 6"""
SCORE = "score against random play"


def why(evidence: Evidence) -> str:
    """Return a bar chart of the games won, drawn and lost by the second player, as SVG.

    The chart compares two rules for the end of the game.
    """
    bars = []
    for game in (MOVER, PUBLISHED):
        players = {
            "random play": plan.random_player(game, 1),
            "the project's learner, untrained": term(game, 1, plan.UNTRAINED),
            "the project's learner, trained": term(game, 1),
        }
        maximum = truth.ceiling(game, 1).mean(evidence)
        bars += [
            Bar(f"The rule “{plan.READINGS[game]}”", ()),
            *(Bar(words, tuple(part.mean(evidence) for part in plan.shares(each))) for words, each in players.items()),
            Bar(f"largest possible share: {maximum:.0%} won", (maximum, 0.0, 0.0)),
        ]
    title = "Games of the second player against random play, with two rules for the end of the game"
    return bar_chart(bars, ("won", "drawn", "lost"), title)


CHARTS: dict[str, Of] = {
    "why": why,
    "term-project": Curves(
        "Scores of the term project's learner during training",
        [Line(plan.player_of(*each), term(*each).setting, each[0]) for each in plan.PLACES],
        SCORE,
    ),
    "learners": Curves(
        "Scores of learners of both sides during training",
        [
            Line(f"{plan.LEARNERS[name]} ({SEATS[seat]} player)", working(name, seat).setting, name)
            for name in ("counts", "territory", plan.BEST)
            for seat in (0, 1)
        ],
        SCORE,
    ),
}
SECOND, FASTER = (MOVER, 1), plan.ALPHAS[-1]
FIGURES: dict[str, Figure] = {
    "lost_mover": share(term(*SECOND), "lost"),
    "random_lost_mover": share(plan.random_player(*SECOND), "lost"),
    "won_both": share(term(PUBLISHED, 1), "won"),
    "random_won_both": share(plan.random_player(PUBLISHED, 1), "won"),
    "untrained_won": share(term(MOVER, 0, plan.UNTRAINED), "won"),
    **{f"random_draws_{plan.SHORT[game]}": share(plan.random_player(game, 0), "drawn") for game in plan.READINGS},
    "untrained_draws": share(term(MOVER, 0, plan.UNTRAINED), "drawn"),
    "unchanged_draws": share(term(*SECOND, FASTER), "drawn"),
    "features_draws": share(plan.suspect("features", *SECOND), "drawn"),
    "sane_draws": share(plan.suspect("ends-and-first-weights", *SECOND), "drawn"),
    "features_wins": share(plan.suspect("features", PUBLISHED, 1), "won"),
    "unchanged_wins": share(term(PUBLISHED, 1, FASTER), "won"),
    "shallow_drawn": share(term(EITHER, 1, depth=1), "drawn"),
    "shallow_lost": share(term(EITHER, 1, depth=1), "lost"),
    "random_lost_either": share(plan.random_player(EITHER, 1), "lost"),
    "max_second": truth.ceiling(PUBLISHED, 1),
    **{
        f"{name}_{SEATS[seat]}": each
        for seat in (0, 1)
        for name, each in {
            "self_play_in_games": remaining_regret(plan.SELF_PLAY, PUBLISHED, seat, truth.PERFECT),
            "wins": share(working(plan.BEST, seat), "won"),
            "regret": regret(working(plan.BEST, seat)),
            "regret_ahead": regret(working(plan.BEST, seat, 2)),
            "regret_project": regret(term(PUBLISHED, seat)),
            "regret_faster": regret(term(PUBLISHED, seat, FASTER)),
        }.items()
    },
}


@kept
def diagnosis(evidence: Evidence, training: Training) -> list[str]:
    """Return the faults that `petteia doctor` finds in a training run, with evidence and a suggestion for each."""
    return [f"{each.wrong} Evidence: {each.evidence}. Suggestion: {each.change}." for each in doctor(training).findings]


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the page template that are not claims, tables or charts."""
    best, first = working(plan.BEST, 0).setting, evidence.cell(term(MOVER, 0).setting)
    trainings = evidence.trainings(best)
    return {
        "took_one": duration(usual_seconds(trainings)),
        "learner_games": trainings[0].configuration.games,
        "results": results(),
        "opposite": opposite(evidence),
        "tables": tables,
        "plan": plan,
        "training_games": first.trainings[0].configuration.games,
        "first_point": first.games[0],
        "finished_board": board_svg(rules_of(MOVER), parse_state(rules_of(MOVER), FINISHED)),
        "start_board": lambda record: board_svg(record.rules, record.states()[8]),
        "points": points_text([evidence.cell(best)]),
        "diagnosis": diagnosis(evidence, evidence.trainings(term(*SECOND).setting)[0]),
        "value": int(solved(evidence.rules).values[0]),
        "mover_value": int(solved(rules_of(MOVER)).values[0]),
        "works_seeds": len(trainings),
        "weights": WEIGHTS,
    }


REPORT = Declaration(
    package=__name__,
    game=PUBLISHED,
    experiments=plan.EXPERIMENTS,
    depends=(*truth.DEPENDS, doctor),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts=CHARTS,
    weights={WEIGHTS: working(plan.BEST, 0).setting},
    games={
        "learned": ("random", f"theta:agent={{folder}}/{WEIGHTS},depth=1,weights=last"),
        "best": ("perfect", "perfect"),
    },
    figures=FIGURES,
    answers=QUESTIONS,
    names=names,
)
