"""Report B: a learner that was thought to have learned nothing, why that was so, and how well the game can be learned.

The question and the procedure are those of a term project on temporal-difference learning for British Square; what it
could not know, the solution of the game, is added. In order: `plan` (what the project leaves open, what it suspects,
other ways to learn), `claims` (what the project says, and how it is judged), `tables`,
`page.md` (the prose, and where all that stands in it), and here charts, games, and all of it together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from petteia.analysis.doctor.examination import doctor
from petteia.experiments.training import Training
from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.reports.british_square import plan, tables
from petteia.reports.british_square.claims import CLAIMS
from petteia.reports.british_square.plan import BEST, LEARNERS, PROJECT, PUBLISHED, SEATS, random_play, term, working
from petteia.reports.engine import truth
from petteia.reports.engine.charts import Curves, Line, points_text
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import of_match, shares
from petteia.reports.engine.settings import Seated
from petteia.reports.engine.work import duration, usual_seconds

WEIGHTS = "learner.safetensors"
FIRST, SECOND = BOTH = working(BEST, 0), working(BEST, 1)


def why(evidence: Evidence) -> str:
    """Games won, drawn and lost in the second seat: what hides that the learner learns."""
    bars = []
    for heading, game in (("The project's rules", PROJECT), ("The published game", PUBLISHED)):
        players = {
            "random play": random_play(game, 1),
            "its learner, untaught": plan.against_random(term(game, 1, 0.0)),
            "its learner, taught": plan.against_random(term(game, 1)),
        }
        most = truth.ceiling(game, 1).mean(evidence)
        bars.append(Bar(heading, ()))
        bars += [Bar(words, tuple(each.mean(evidence) for each in shares(of))) for words, of in players.items()]
        bars.append(Bar(f"can win at most {most:.0%}", (most, 0.0, 0.0)))
    return bar_chart(
        bars, ("won", "drawn", "lost"), "The same learner, as second player against random play, by two rules"
    )


def curves(title: str, lines: Iterable[tuple[str, str, Seated]]) -> Curves:
    """Learning curves, by their names, the colours that they share, and whose they are."""
    return Curves(title, [Line(name, of.setting, family) for name, family, of in lines], "score against random play")


PROJECT_CURVES = curves(
    "The term project's learner",
    (
        (f"{SEATS[seat]} player, {words}", words, term(game, seat))
        for words, game in (("the project's rules", PROJECT), ("the published game", PUBLISHED))
        for seat in (0, 1)
    ),
)
WORKING_CURVES = curves(
    "Learners that work",
    (
        (f"{LEARNERS[name]} ({SEATS[seat]})", name, working(name, seat))
        for name in ("counts", "territory", BEST)
        for seat in (0, 1)
    ),
)


@kept
def diagnosis(evidence: Evidence, training: Training) -> list[str]:
    """What is wrong with a training, in words."""
    return [f"{each.wrong} Seen: {each.evidence}. To try: {each.change}." for each in doctor(training).findings]


WINS = {SEATS[each.seat]: of_match(plan.against_random(each), "won") for each in BOTH}


def names(evidence: Evidence) -> dict[str, Any]:
    """What the page names besides."""
    trainings, best = evidence.trainings(FIRST.setting), tables.best_learner(evidence)
    return {
        "taught_loses": of_match(plan.against_random(term(PROJECT, 1)), "lost"),
        "random_loses": of_match(random_play(PROJECT, 1), "lost"),
        "project_wins": of_match(plan.against_random(term(PROJECT, 0)), "won"),
        "project_random": of_match(random_play(PROJECT, 0), "won"),
        "untaught_draws": of_match(plan.against_random(term(PROJECT, 0, 0.0)), "drawn"),
        "published_wins": of_match(plan.against_random(term(PUBLISHED, 1)), "won"),
        "published_random": of_match(random_play(PUBLISHED, 1), "won"),
        "wins": WINS,
        "most": [truth.ceiling(PUBLISHED, seat) for seat in (0, 1)],
        "gives_away": plan.gives_away(FIRST, "perfect"),
        "took_one": duration(usual_seconds(trainings)),
        "recipe": trainings[0].configuration,
        "match_games": evidence.size(plan.GAMES),
        "judged_games": evidence.size(plan.JUDGED),
        "sampled": evidence.size(plan.POSITIONS),
        "start_board": lambda record: board_svg(record.rules, record.states()[8]),
        "points": points_text([evidence.cell(FIRST.setting)]),
        "diagnosis": diagnosis(evidence, evidence.trainings(term(PROJECT, 1).setting)[0]),
        "best_learner": LEARNERS[best],
        "works": LEARNERS[BEST],
        "weights": WEIGHTS,
    }


REPORT = Declaration(
    package=__name__,
    game=PUBLISHED,
    experiments=plan.EXPERIMENTS,
    depends=(*truth.DEPENDS, doctor),
    claims=CLAIMS,
    tables=tables.TABLES,
    charts={"why": why, "term-project": PROJECT_CURVES, "learners": WORKING_CURVES},
    weights={WEIGHTS: FIRST.setting},
    games={
        "learned": ("random", f"theta:agent={{folder}}/{WEIGHTS},depth=1,weights=last"),
        "best": ("perfect", "perfect"),
    },
    names=names,
    rows={"moves": lambda evidence: evidence.rows(truth.given_away)},
    summary={
        "ceilings": lambda evidence: {game: truth.best_against_random(evidence, game) for game in (PROJECT, PUBLISHED)},
        **{f"won_{seat}": figure for seat, figure in WINS.items()},
        **{f"given_away_{SEATS[each.seat]}": plan.gives_away(each) for each in BOTH},
        **{f"won_against_perfect_{SEATS[each.seat]}": truth.meets_perfect(each, plan.JUDGED, "won") for each in BOTH},
    },
)
