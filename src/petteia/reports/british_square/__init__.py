"""Report B: a learner that was thought to have learned nothing, why that was so, and how well the game can be learned.

The question and the procedure are those of a term project on temporal-difference learning for British Square; what it
could not know, the solution of the game, is added. In order: `plan` (what the project leaves open, what it suspects,
other ways to learn), `truth` (what moves give away), `claims` (what the project says, and how it is judged), `tables`,
`page.md` (the prose, and where all that stands in it), and here charts, games, and all of it together.
"""

from __future__ import annotations

from typing import Any

from petteia.render import board_svg
from petteia.render.bars import Bar, bar_chart
from petteia.reports.british_square import plan, tables, truth
from petteia.reports.british_square.claims import CLAIMS
from petteia.reports.british_square.plan import (
    BEST,
    EXPERIMENTS,
    LEARNERS,
    PROJECT,
    PUBLISHED,
    SEATS,
    random_play,
    term,
    working,
)
from petteia.reports.engine.charts import Curves, Line, points_text
from petteia.reports.engine.declaration import Declaration, Of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.measures import of_match, shares
from petteia.reports.engine.work import duration, usual_seconds

WEIGHTS = "learner.safetensors"
FIRST, SECOND = working(BEST, 0), working(BEST, 1)
SIZES = {"match": plan.GAMES, "sample": truth.POSITIONS, "judged": truth.JUDGED}


def why(evidence: Evidence) -> str:
    """Games won, drawn and lost in the second seat: what hides that the learner learns."""
    bars = []
    for heading, game in (("The project's rules", PROJECT), ("The published game", PUBLISHED)):
        players = {
            "random play": random_play(game, 1),
            "its learner, untaught": term(game, 1, 0.0).against_random,
            "its learner, taught": term(game, 1).against_random,
        }
        most = truth.ceiling(game, 1).mean(evidence)
        bars.append(Bar(heading, ()))
        bars += [Bar(words, tuple(each.mean(evidence) for each in shares(of))) for words, of in players.items()]
        bars.append(Bar(f"can win at most {most:.0%}", (most, 0.0, 0.0)))
    return bar_chart(
        bars, ("won", "drawn", "lost"), "The same learner, as second player against random play, by two rules"
    )


CHARTS: dict[str, Of] = {
    "why": why,
    "term-project": Curves(
        "The term project's learner",
        [
            Line(f"{SEATS[seat]} player, {words}", term(game, seat).setting, words)
            for words, game in (("the project's rules", PROJECT), ("the published game", PUBLISHED))
            for seat in (0, 1)
        ],
        "score against random play",
    ),
    "learners": Curves(
        "Learners that work",
        [
            Line(f"{LEARNERS[name]} ({SEATS[seat]})", working(name, seat).setting, name)
            for name in ("counts", "territory", BEST)
            for seat in (0, 1)
        ],
        "score against random play",
    ),
}
LEARNERS_THAT_WORK = dict(zip(SEATS, (FIRST, SECOND), strict=True))
WINS = {seat: of_match(each.against_random, "won") for seat, each in LEARNERS_THAT_WORK.items()}
AWAY = {seat: truth.gives_away(each, truth.SAMPLE) for seat, each in LEARNERS_THAT_WORK.items()}


def names(evidence: Evidence) -> dict[str, Any]:
    """What the page names besides."""
    trainings, best = evidence.trainings(FIRST.setting), tables.best_learner(evidence)
    return {
        "taught_loses": of_match(term(PROJECT, 1).against_random, "lost"),
        "random_loses": of_match(random_play(PROJECT, 1), "lost"),
        "project_wins": of_match(term(PROJECT, 0).against_random, "won"),
        "project_random": of_match(random_play(PROJECT, 0), "won"),
        "untaught_draws": of_match(term(PROJECT, 0, 0.0).against_random, "drawn"),
        "published_wins": of_match(term(PUBLISHED, 1).against_random, "won"),
        "published_random": of_match(random_play(PUBLISHED, 1), "won"),
        "wins": WINS,
        "most": [truth.ceiling(PUBLISHED, seat) for seat in (0, 1)],
        "gives_away": truth.gives_away(FIRST, truth.PERFECT),
        "took_one": duration(usual_seconds(trainings)),
        "recipe": trainings[0].configuration,
        "sizes": {each: evidence.size(of) for each, of in SIZES.items()},
        "start_board": lambda record: board_svg(record.rules, record.states()[8]),
        "points": points_text([evidence.cell(FIRST.setting)]),
        "diagnosis": truth.diagnosis(evidence, evidence.trainings(term(PROJECT, 1).setting)[0]),
        "best_learner": LEARNERS[best],
        "works": LEARNERS[BEST],
        "weights": WEIGHTS,
    }


REPORT = Declaration(
    package=__name__,
    game=PUBLISHED,
    experiments=EXPERIMENTS,
    depends=truth.DEPENDS,
    claims=CLAIMS,
    tables=tables.TABLES,
    charts=CHARTS,
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
        **{f"sample_{seat}": figure for seat, figure in AWAY.items()},
    },
)
