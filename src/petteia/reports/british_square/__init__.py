"""Report B: a learner that seemed to learn nothing, the reasons, and the best play that can be learned.

The question and the procedure are those of a term project on temporal-difference learning for British Square. The
report adds the solution of the game. Its modules are `plan` (settings, matches and measures), `claims` (the rules that
judge the project's statements) and `tables`. `page.md` contains the text. This module adds the charts, the games and
the declaration of the report.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from petteia.analysis.doctor.examination import doctor
from petteia.core.protocol import parse_state
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.reports.british_square import plan, tables
from petteia.reports.british_square.claims import CLAIMS, QUESTIONS, STATEMENTS, change_in_games, remaining_regret
from petteia.reports.british_square.plan import BEST, LEARNERS, PROJECT, PUBLISHED, SEATS, random_play, term, working
from petteia.reports.engine import truth
from petteia.reports.engine.charts import Curves, Line, points_text
from petteia.reports.engine.declaration import Declaration, Of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import Part, of_match, shares
from petteia.reports.engine.rules import above
from petteia.reports.engine.work import duration, usual_seconds

WEIGHTS = "learner.safetensors"
FINISHED = "..o.x/xx.o./xx..o/..xx./oo..o o"
"""a finished game by the project's rules, 7 stones to 6"""
SANE_ENDS = "ends and first weights"
"""the treatment in which a draw has a higher reward than a loss, and all weights start at 0"""
FIRST, SECOND = BOTH = working(BEST, 0), working(BEST, 1)


def why(evidence: Evidence) -> str:
    """Draw the games won, drawn and lost in the second seat by both rules."""
    bars = []
    for heading, game in (("The project's rules", PROJECT), ("The published game", PUBLISHED)):
        players = {
            "random play": random_play(game, 1),
            "its learner, untrained": plan.against_random(term(game, 1, 0.0)),
            "its learner, trained": plan.against_random(term(game, 1)),
        }
        maximum = truth.ceiling(game, 1).mean(evidence)
        bars.append(Bar(heading, ()))
        bars += [Bar(words, tuple(each.mean(evidence) for each in shares(of))) for words, of in players.items()]
        bars.append(Bar(f"maximum: {maximum:.0%} won", (maximum, 0.0, 0.0)))
    return bar_chart(
        bars, ("won", "drawn", "lost"), "The same learner, as second player against random play, by two rules"
    )


def curves(title: str, lines: Iterable[Line]) -> Curves:
    """Return a chart of learning curves against random play."""
    return Curves(title, [*lines], "score against random play")


CHARTS: dict[str, Of] = {
    "why": why,
    "term-project": curves(
        "The term project's learner",
        (
            Line(f"{SEATS[seat]} player, {plan.BRIEFLY[game]}", term(game, seat).setting, plan.BRIEFLY[game])
            for game in (PROJECT, PUBLISHED)
            for seat in (0, 1)
        ),
    ),
    "learners": curves(
        "Stronger learners",
        (
            Line(f"{LEARNERS[name]} ({SEATS[seat]})", working(name, seat).setting, name)
            for name in ("counts", "territory", BEST)
            for seat in (0, 1)
        ),
    ),
}


def of_term(part: Part, game: str, seat: int, alpha: float = plan.ALPHA) -> Figure:
    """Return a share of the games of the project's learner against random play."""
    return of_match(plan.against_random(term(game, seat, alpha)), part)


FIGURES = {
    "trained_loses": of_term("lost", PROJECT, 1),
    "random_loses": of_match(random_play(PROJECT, 1), "lost"),
    "project_wins": of_term("won", PROJECT, 0),
    "project_random": of_match(random_play(PROJECT, 0), "won"),
    "trained_draws": of_term("drawn", PROJECT, 1),
    "untrained_draws": of_term("drawn", PROJECT, 0, 0.0),
    "min_draws": of_term("drawn", PROJECT, 0, plan.ALPHAS[0]),
    "min_wins": of_term("won", PROJECT, 0, plan.ALPHAS[0]),
    "published_wins": of_term("won", PUBLISHED, 1),
    "published_random": of_match(random_play(PUBLISHED, 1), "won"),
    **{
        name: of_match(plan.against_random(plan.suspect(treatment, PROJECT, 1)), "drawn")
        for name, treatment in (
            ("unchanged_draws", plan.NOTHING),
            ("features_draws", "features"),
            ("sane_draws", SANE_ENDS),
        )
    },
    "any_loses": of_term("lost", plan.ANY, 1),
    "any_random": of_match(random_play(plan.ANY, 1), "lost"),
    **{f"self_play_regret_{SEATS[seat]}": remaining_regret("random play", PUBLISHED, seat) for seat in (0, 1)},
    **{f"self_play_in_games_{SEATS[seat]}": change_in_games("random play", seat) for seat in (0, 1)},
    **{
        f"second_regret_{name}": plan.regret(learner)
        for name, learner in (
            ("unchanged", plan.suspect(plan.NOTHING, PUBLISHED, 1)),
            ("all", plan.suspect(plan.ALL, PUBLISHED, 1)),
            ("features", plan.suspect("features", PUBLISHED, 1)),
            ("features_alone", working("territory", 1)),
        )
    },
    "regret": plan.regret(FIRST, "perfect"),
    **{f"wins_{SEATS[each.seat]}": of_match(plan.against_random(each), "won") for each in BOTH},
    **{f"max_{SEATS[each.seat]}": truth.ceiling(PUBLISHED, each.seat) for each in BOTH},
}
GAINS = {"published-gains": above(difference(FIGURES["published_wins"], FIGURES["published_random"]), 0.0)}


@kept
def diagnosis(evidence: Evidence, training: Training) -> list[str]:
    """Return the faults of a training in words."""
    return [f"{each.wrong} Evidence: {each.evidence}. Suggestion: {each.change}." for each in doctor(training).findings]


def names(evidence: Evidence) -> dict[str, Any]:
    """Return further names for the page."""
    trainings, best = evidence.trainings(FIRST.setting), tables.best_learner(evidence)
    return {
        "took_one": duration(usual_seconds(trainings)),
        "recipe": trainings[0].configuration,
        "match_games": evidence.size(plan.GAMES),
        "judged_games": evidence.size(plan.JUDGED),
        "sampled": evidence.size(plan.POSITIONS),
        "finished_board": board_svg(rules_of(PROJECT), parse_state(rules_of(PROJECT), FINISHED)),
        "start_board": lambda record: board_svg(record.rules, record.states()[8]),
        "points": points_text([evidence.cell(FIRST.setting)]),
        "diagnosis": diagnosis(evidence, evidence.trainings(term(PROJECT, 1).setting)[0]),
        "best_learner": LEARNERS[best],
        "same_moves": tables.learners_with_same_regret(evidence),
        "works": LEARNERS[BEST],
        "works_seeds": len(trainings),
        "weights": WEIGHTS,
        "statements": STATEMENTS,
    }


REPORT = Declaration(
    package=__name__,
    game=PUBLISHED,
    experiments=plan.EXPERIMENTS,
    depends=(*truth.DEPENDS, doctor),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts=CHARTS,
    weights={WEIGHTS: FIRST.setting},
    games={
        "learned": ("random", f"theta:agent={{folder}}/{WEIGHTS},depth=1,weights=last"),
        "best": ("perfect", "perfect"),
    },
    figures=FIGURES,
    answers=GAINS | QUESTIONS,
    names=names,
    summary={
        "ceilings": lambda evidence: {game: truth.best_against_random(evidence, game) for game in (PROJECT, PUBLISHED)},
    },
)
