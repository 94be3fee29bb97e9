"""Report B: a learner that seemed to learn nothing, possible reasons, and how well the game can be learned.

The question and the procedure are those of a term project on temporal-difference learning for British Square. The
report adds the solution of the game. Its modules are `plan` (settings, matches and measures), `claims` (the rules that
judge the project's statements), `explanations` (the settings that show the project's results) and `tables`. `page.md`
contains the text. This module adds the charts, the games and the declaration of the report.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from petteia.analysis.doctor.examination import doctor
from petteia.core.protocol import parse_state
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.players.perfect import solved
from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.reports.british_square import explanations, plan, tables
from petteia.reports.british_square.claims import (
    BOTH_SEATS,
    CLAIMS,
    IN_NAMES,
    QUESTIONS,
    SELF_PLAY,
    SUGGESTED,
    decisive,
    named,
    remaining_regret,
)
from petteia.reports.british_square.plan import (
    BEST,
    LEARNERS,
    MOVER,
    PUBLISHED,
    READINGS,
    SEATS,
    UNTRAINED,
    against_random,
    random_play,
    share,
    shares,
    suspect,
    term,
    working,
)
from petteia.reports.engine import truth
from petteia.reports.engine.charts import Curves, Line, points_text
from petteia.reports.engine.declaration import Declaration, Of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.kept import kept
from petteia.reports.engine.work import duration, usual_seconds

WEIGHTS = "learner.safetensors"
FINISHED = "o.x.x/.x.o./o.x.x/o..o./.xx.o o"
"""a position in which the game is finished under each reading of the rules, with 7 stones to 6"""
SANE_ENDS = "ends and first weights"
"""the treatment in which a draw has a higher reward than a loss, and all weights start at 0"""
FIRST, SECOND = BOTH = working(BEST, 0), working(BEST, 1)


def why(evidence: Evidence) -> str:
    """Draw the games won, drawn and lost by the second player under two interpretations of the rules."""
    bars = []
    for game in (MOVER, PUBLISHED):
        players = {
            "random play": random_play(game, 1),
            "the project's learner, untrained": against_random(term(game, 1, UNTRAINED)),
            "the project's learner, trained": against_random(term(game, 1)),
        }
        maximum = truth.ceiling(game, 1).mean(evidence)
        bars.append(Bar(READINGS[game], ()))
        bars += [Bar(words, tuple(each.mean(evidence) for each in shares(of))) for words, of in players.items()]
        bars.append(Bar(f"largest possible share: {maximum:.0%} won", (maximum, 0.0, 0.0)))
    title = "The same learner as second player against random play, under two sets of rules"
    return bar_chart(bars, ("won", "drawn", "lost"), title)


def curves(title: str, lines: Iterable[Line]) -> Curves:
    """Return a chart of learning curves against random play."""
    return Curves(title, [*lines], "score against random play")


CHARTS: dict[str, Of] = {
    "why": why,
    "term-project": curves(
        "The term project's learner",
        (
            Line(f"{SEATS[seat]} player, {words}", term(game, seat).setting, words)
            for game, words in READINGS.items()
            for seat in BOTH_SEATS
        ),
    ),
    "learners": curves(
        "Learners of both sides",
        (
            Line(f"{LEARNERS[name]} ({SEATS[seat]})", working(name, seat).setting, name)
            for name in ("counts", "territory", BEST)
            for seat in BOTH_SEATS
        ),
    ),
}


def compared(game: str, seat: int) -> dict[str, Figure]:
    """Return, for each program in a seat, its share of games won or lost against random play.

    The games lost are counted if the rules exclude a win.
    """
    part = decisive(game, seat)
    matches = {
        "random": random_play(game, seat),
        "untrained": against_random(term(game, seat, UNTRAINED)),
        "trained": against_random(term(game, seat)),
        "alone": against_random(term(game, seat, depth=1)),
    }
    return {f"{name}_{IN_NAMES[game]}_{SEATS[seat]}": share(each, part) for name, each in matches.items()}


def remaining(name: str, treatment: str, over: str = truth.SAMPLE) -> dict[str, Figure]:
    """Return the regret after a change to the training divided by the regret without it, in both seats."""
    return {f"{name}_{SEATS[seat]}": remaining_regret(treatment, PUBLISHED, seat, over) for seat in BOTH_SEATS}


def drawn(treatment: str) -> Figure:
    """Return the share of draws of the second player after a change to its training, under the rules `MOVER`."""
    return share(against_random(suspect(treatment, MOVER, 1)), "drawn")


FIGURES = {
    **{name: each for game in READINGS for seat in BOTH_SEATS for name, each in compared(game, seat).items()},
    **{f"random_draws_{IN_NAMES[game]}": share(random_play(game, 0), "drawn") for game in READINGS},
    "untrained_draws": share(against_random(term(MOVER, 0, UNTRAINED)), "drawn"),
    "unchanged_draws": drawn(plan.NOTHING),
    "features_draws": drawn("features"),
    "sane_draws": drawn(SANE_ENDS),
    "features_wins": share(against_random(suspect("features", PUBLISHED, 1)), "won"),
    **remaining("self_play_regret", SELF_PLAY),
    **remaining("self_play_in_games", SELF_PLAY, truth.PERFECT),
    **remaining("target_regret", "target"),
    **remaining("features_regret", "features"),
    **remaining("all_regret", plan.ALL),
    "zero_regret": remaining_regret("first weights", MOVER, 1),
    **{f"unchanged_regret_{SEATS[seat]}": plan.regret(suspect(plan.NOTHING, PUBLISHED, seat)) for seat in BOTH_SEATS},
    "regret": plan.regret(FIRST, truth.PERFECT),
    "regret_project": plan.regret(term(PUBLISHED, 0), truth.PERFECT),
    **{f"wins_{SEATS[each.seat]}": share(against_random(each), "won") for each in BOTH},
    "max_second": truth.ceiling(PUBLISHED, 1),
}


@kept
def diagnosis(evidence: Evidence, training: Training) -> list[str]:
    """Return the faults that `petteia doctor` finds in a training run, with evidence and a suggestion for each."""
    return [f"{each.wrong} Evidence: {each.evidence}. Suggestion: {each.change}." for each in doctor(training).findings]


def names(evidence: Evidence) -> dict[str, Any]:
    """Return the variables of the page template that are not claims, tables or charts."""
    trainings, first = evidence.trainings(FIRST.setting), evidence.cell(term(MOVER, 0).setting)
    changes = {named(each): words for each, words in plan.TREATMENTS.items() if each not in (plan.NOTHING, SELF_PLAY)}
    suggested = [*map(named, SUGGESTED)]
    return {
        "took_one": duration(usual_seconds(trainings)),
        "recipe": trainings[0].configuration,
        "settings": len(explanations.SETTINGS),
        "explanations": explanations.summary(evidence),
        "no_gain_both": explanations.without_gain(evidence),
        "counted": {
            f"{IN_NAMES[game]}-{SEATS[seat]}": decisive(game, seat) for game in READINGS for seat in BOTH_SEATS
        },
        "suggested": {name: changes[name] for name in suggested},
        "others": {name: words for name, words in changes.items() if name not in suggested},
        "training_games": first.trainings[0].configuration.games,
        "first_point": first.games[0],
        "match_games": evidence.size(plan.GAMES),
        "strong_games": evidence.size(plan.STRONG),
        "judged_games": evidence.size(plan.JUDGED),
        "sampled": evidence.size(plan.POSITIONS),
        "finished_board": board_svg(rules_of(MOVER), parse_state(rules_of(MOVER), FINISHED)),
        "start_board": lambda record: board_svg(record.rules, record.states()[8]),
        "points": points_text([evidence.cell(FIRST.setting)]),
        "diagnosis": diagnosis(evidence, evidence.trainings(term(MOVER, 1).setting)[0]),
        "alike": tables.are_alike(evidence),
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
    weights={WEIGHTS: FIRST.setting},
    games={
        "learned": ("random", f"theta:agent={{folder}}/{WEIGHTS},depth=1,weights=last"),
        "best": ("perfect", "perfect"),
    },
    figures=FIGURES,
    answers=QUESTIONS,
    names=names,
    summary={
        "ceilings": lambda evidence: {game: truth.best_against_random(evidence, game) for game in (MOVER, PUBLISHED)},
    },
)
