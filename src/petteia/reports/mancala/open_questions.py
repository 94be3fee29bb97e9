"""What only the scale `all` has: figures and claims of what was found, the names of `open.md`, and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from petteia.arena.regret import Regret
from petteia.render.charts import Curve, line_chart
from petteia.render.html import Html
from petteia.reports.engine.declaration import Declaration
from petteia.reports.engine.estimates import COUNT, NUMBER, POINTS, SHARE, Unit, interval_text
from petteia.reports.engine.figures import Figure, difference, known
from petteia.reports.engine.parts import unfolding
from petteia.reports.engine.rules import Answer, every, is_above, is_below
from petteia.reports.engine.tables import Rows
from petteia.reports.mancala import questions
from petteia.reports.mancala.ablation import CHANGES, FIELDS, gain
from petteia.reports.mancala.beyond import SEED_WORD, TREATED, Beyond, Step, gather
from petteia.reports.mancala.duels import (
    AVERAGING,
    CHAIN,
    DRAWS,
    ENDS,
    GAMES,
    LOWER,
    OPTIONS,
    STRONGER,
    WEIGHTS,
    WORTH,
    score,
)
from petteia.reports.mancala.open_claims import (
    CHANGE,
    CLAIMS,
    DRAW_SCORES,
    DRAWN_VALUE,
    END_SCORES,
    ENOUGH,
    LAST,
    SEARCHED,
    STUFFING,
    STUFFS_MORE,
    TREATMENTS,
    beside,
    has_no_effect,
)
from petteia.reports.mancala.plan import DEPTHS, GAME, GREEDY, SEAT_NAMES
from petteia.reports.mancala.published import SWINGING, progress
from petteia.reports.mancala.questions import LOWER_EXPLORED, QUESTIONS, TRACES, Compared, answer, kinds_of_traces
from petteia.reports.mancala.tables import plain

RESTLESS = 10
"""features that are listed by how much their weights swing"""
CLOSE = 0.3
"""a correlation of less than this is none to speak of"""
SWING, DISTANCE = Unit(".3f", least=0.0), Unit(".0%", least=0.0)
REGRET_FIELDS = ("player", "positions", "perfect_share", "mean", "low", "high", "given_away")

# The page.


def search_chart(beyond: Beyond) -> str:
    """The elite's score by generation."""
    curve = Curve("elite", range(1, len(beyond.direct.curve) + 1), beyond.direct.curve)
    return line_chart([curve], "Direct search", "generation", "games won by its elite, both seats")


def names(beyond: Beyond) -> dict[str, Any]:
    """All that the prose names, but claims and charts."""
    gains = [row.gain for rows in beyond.compared.values() for row in rows if row.variant != rows[0].variant]
    known_gains = sum(each.is_known for each in gains)
    near = {name: known("", DISTANCE, values) for name, values in beyond.nearness.items()}
    swings = sorted(
        ((each, known("", SWING, each.swing)) for each in beyond.steps), key=lambda each: each[1].mean(None)
    )
    settling, course = beyond.settling, beyond.course
    stages = [(SEAT_NAMES[seat], games, known("", POINTS, values)) for seat, games, values in course.stages]
    chained = {name: {depth: score(CHAIN, variant=name, depth=depth) for depth in DEPTHS} for name in STRONGER}
    searched, learned = ([each[seat].interval(beyond) for seat in SEAT_NAMES] for each in (SEARCHED, LAST))
    starving = [each["won_starving"] for each in beyond.treatment if each["won_starving"] is not None]
    return {
        "beyond": beyond,
        "bouts": {question.replace(" ", "_"): games for question, games in GAMES.items()},
        "differences": known_gains,
        "by_luck": f"{known_gains / 20:.0f}",
        "questions": [_asked(beyond.compared[name], name, asks) for name, asks in QUESTIONS.items()],
        "nearness": near,
        "nearest": min(near, key=lambda name: near[name].mean(None)),
        "farthest": max(near, key=lambda name: near[name].mean(None)),
        **_what_it_lacks(beyond),
        "traces": kinds_of_traces(beyond.experiments[TRACES]).ours,
        "swings": [step for step, _ in swings],
        **_rest(swings),
        "rare": _sign(-settling.with_frequency),
        "alike": _sign(settling.with_inflation),
        "steps": [[each.alpha, f"{each.size:.2g}", known("", SWING, each.swing)] for each in beyond.steps],
        "restless": [
            [row.feature, f"{row.swing:.3f}", f"{row.frequency:.0%}", f"{row.inflation:,.1f}"]
            for row in settling.rows[:RESTLESS]
        ],
        "averaged": beside({weights: score(AVERAGING, variant=weights) for weights in WEIGHTS}, beyond),
        "averaging": [
            [weights, *(score(AVERAGING, variant=weights, seat=seat) for seat in SEAT_NAMES)] for weights in WEIGHTS
        ],
        "weakens": is_below(CHANGE.interval(beyond), 0.0),
        "change": CHANGE,
        "both_ways": min(course.changes) < 0.0 < max(course.changes),
        "progress": progress,
        "early_is_best": every(is_above(more.interval(None), 0.0) for *_, more in stages),
        "stages": stages,
        "enough": extent(course.enough, ","),
        "ends_together": beside(END_SCORES, beyond),
        "ends": [
            [f"{name}, as {seat}", *(score(ENDS, variant=name, seat=seat, depth=depth) for depth in DEPTHS)]
            for name in OPTIONS
            for seat in SEAT_NAMES
        ],
        "holding": "; ".join(_holding(name, cells, beyond) for name, cells in chained.items()),
        "chains_together": beside({name: score(CHAIN, variant=name) for name in STRONGER}, beyond),
        "different": extent([each.distinct for each in beyond.duels if each.question == CHAIN], "d"),
        "chains": [[name, *cells.values()] for name, cells in chained.items()],
        "treated_games": TREATED,
        "treated": TREATMENTS,
        "stuffs": is_above(STUFFS_MORE.interval(beyond), 0.0),
        "stuffs_more": STUFFS_MORE,
        "swinging": [has_no_effect(how).judge(beyond).answer for how in CHANGES],
        "stuffing": [[who, share] for who, share in STUFFING.items()],
        "drawn_value": DRAWN_VALUE,
        "draws_together": beside(DRAW_SCORES, beyond),
        "drawn": [
            [f"{x}, as {seat}", *(score(DRAWS, variant=x, seat=seat, depth=depth) for depth in DEPTHS)]
            for x in WORTH
            for seat in SEAT_NAMES
        ],
        "enough_of": [
            [name.removeprefix("opponent "), known("", COUNT, values)] for name, values in beyond.enough.items()
        ],
        "without": [
            [plain(name), *(gain(field, name, how) for field in FIELDS for how in CHANGES)] for name in sorted(SWINGING)
        ],
        "won_starving": f"{np.mean(starving):.0%}" if starving else "",
        "searched": SEARCHED,
        "last": LAST,
        "search_beats": all(is_above(each, other.high) for each, other in zip(searched, learned, strict=True)),
        "boards": [{"name": each.name, "about": each.about, "rows": _judged(each.judged)} for each in beyond.boards],
    }


def _asked(rows: Sequence[Compared], experiment: str, asks: str) -> dict[str, Any]:
    """A question, its answer, and a row for each variant with a cell for each match."""
    return {
        "experiment": experiment,
        "asks": asks,
        "answer": answer(rows),
        "matches": [*dict.fromkeys(f"{row.seat} against {row.opponent}" for row in rows)],
        "rows": [
            [variant, *(_cell(row, is_first=variant == rows[0].variant) for row in rows if row.variant == variant)]
            for variant in dict.fromkeys(row.variant for row in rows)
        ],
    }


def _cell(row: Compared, *, is_first: bool) -> Html:
    notes = [interval_text(row.score, SHARE)]
    if not is_first:
        notes.append(f"beside the first {interval_text(row.gain, POINTS)}")
    return unfolding(f"{SHARE.text(row.score.mean)} {row.verdict}".strip(), notes)


def _what_it_lacks(beyond: Beyond) -> dict[str, Any]:
    """Whether one who is always lower lacks what random moves would teach it, for each opponent in training."""
    names = {
        (cell.combination.values["opponent"], cell.combination.values["learn_explored"]): questions.variant_of(cell)
        for cell in beyond.experiments[LOWER_EXPLORED].cells
    }
    explored, answers = [], []
    for opponent in dict.fromkeys(opponent for opponent, _ in names):
        without, taught = (
            score(LOWER, of_games="won", opponent=GREEDY["greedy1"], variant=names[opponent, explores])
            for explores in (False, True)
        )
        gained = difference(taught, without)
        answers.append(is_above(gained.interval(beyond), 0.0))
        explored.append({"opponent": opponent, "without": without, "taught": taught, "gained": gained})
    return {"explored": explored, "lacks": every(answers)}


def _rest(swings: Sequence[tuple[Step, Figure]]) -> dict[str, Any]:
    """Whether weights come to rest when the step size does: its order is that of the swings, and their ends differ."""
    (_, first), (_, last) = swings[0], swings[-1]
    least, most = first.interval(None), last.interval(None)
    is_clear = least.is_known and most.is_known and least.high < most.low
    sizes = [step.size for step, _ in swings]
    return {
        "farther": f"{most.mean / least.mean:,.1f} times as far" if least.mean > 0 else "without comparison",
        "rests": sizes == sorted(sizes) if is_clear else None,
    }


def _sign(correlation: float) -> Answer:
    """Whether a correlation is positive; None where there is none to speak of."""
    return correlation > 0 if abs(correlation) >= CLOSE else None


def _holding(name: str, cells: Mapping[int, Figure], beyond: Beyond) -> str:
    """Which theta with these features score more than half as second."""
    answers = {f"theta{depth}": is_above(each.interval(beyond), 0.5) for depth, each in cells.items()}
    who, unsure = (", ".join(theta for theta, answer in answers.items() if answer is known) for known in (True, None))
    return f"with {name}, {who or 'none'}{f' (it cannot be told of {unsure})' if unsure else ''}"


def extent(values: Sequence[float], form: str) -> str:
    """From the least of some values to the most, or the only one."""
    least, most = (f"{bound(values):{form}}" for bound in (min, max))
    return least if least == most else f"{least} to {most}"


def _judged(judged: Sequence[Regret]) -> list[list[str]]:
    return [
        [
            each.player,
            f"{each.perfect_share:.1%}",
            unfolding(f"{each.mean:.3f}", [f"{each.low:.3f} to {each.high:.3f}"]),
            f"{each.given_away / each.positions:.1%}",
        ]
        for each in of_all_seeds(judged)
    ]


def of_all_seeds(judged: Sequence[Regret]) -> list[Regret]:
    """The players, those of several training seeds taken together: means, and the range of their mean regrets."""
    merged = []
    for name in dict.fromkeys(each.player.partition(SEED_WORD)[0] for each in judged):
        mine = [each for each in judged if each.player.partition(SEED_WORD)[0] == name]
        together = mine[0]._replace(player=name)
        if len(mine) > 1:
            perfect, mean, spoiled = np.mean(
                [(each.perfect_share, each.mean, each.given_away) for each in mine], axis=0
            )
            low, high = (bound(each.mean for each in mine) for bound in (min, max))
            together = together._replace(
                perfect_share=float(perfect), mean=float(mean), low=low, high=high, given_away=float(spoiled)
            )
        merged.append(together)
    return merged


# Files.


def _answers(beyond: Beyond) -> Iterator[tuple[str, str, str, Figure]]:
    """What each is about, the variant, its words, and the figure."""
    for variant, far in beyond.nearness.items():
        yield "weights", variant, "distance from those of the report", known("", DISTANCE, far)
    for name, correlation in (
        ("frequency", beyond.settling.with_frequency),
        ("inflation", beyond.settling.with_inflation),
    ):
        yield "settling", "", f"correlation of swing and {name}", known("", NUMBER, [correlation])
    for number, games, more in beyond.course.stages:
        pair = f"after {beyond.course.early} and after {games} games"
        yield "stages", pair, f"by how much the first scores more as {SEAT_NAMES[number]}", known("", POINTS, more)
    player = f"theta5 in {TREATED} games against greedy5"
    for name, figure in TREATMENTS.items():
        yield "treatment", player, name, figure
    yield "treatment", player, "learned value of positions of drawn games", DRAWN_VALUE
    for name, figure in ENOUGH.items():
        yield "opponents", name, figure.words, figure
    for name, field, how in product(sorted(SWINGING), FIELDS, CHANGES):
        yield "ablation", f"{name} {how}", f"change of its {field}", gain(field, name, how)
    if starving := [each["won_starving"] for each in beyond.treatment if each["won_starving"] is not None]:
        yield "treatment", player, "won_starving", known("", SHARE, starving)
    for seat, figure in SEARCHED.items():
        yield "direct search", f"{beyond.direct.games} games", f"games won as {seat}", figure


def _course_rows(beyond: Beyond) -> Rows:
    course = beyond.course
    return [
        {"seed": seed, "from_games": course.early, "to_games": course.late, "change": change, "enough": enough}
        for seed, (change, enough) in enumerate(zip(course.changes, course.enough, strict=True), 1)
    ]


def _compared_rows(beyond: Beyond) -> Rows:
    return [
        {
            "experiment": name,
            **{field: getattr(row, field) for field in ("variant", "opponent", "seat")},
            **row.score.row("score"),
            **row.gain.row("gain"),
            "verdict": row.verdict,
        }
        for name, rows in beyond.compared.items()
        for row in rows
    ]


def _answer_rows(beyond: Beyond) -> Rows:
    return [
        {"about": about, "variant": variant, "figure": words, "value": value, "low": low, "high": high}
        for about, variant, words, figure in _answers(beyond)
        for value, low, high in [figure.interval(beyond).row("").values()]
    ]


ROWS: dict[str, Callable[[Beyond], Rows]] = {
    "questions": _compared_rows,
    "answers": _answer_rows,
    "settling": lambda beyond: [row._asdict() for row in beyond.settling.rows],
    "steps": lambda beyond: [
        {"alpha": each.alpha, "size": each.size, **known("", SWING, each.swing).interval(None).row("swing")}
        for each in beyond.steps
    ],
    "course": _course_rows,
    "duels": lambda beyond: [each._asdict() for each in beyond.duels],
    "search": lambda beyond: [
        {"generation": number, "elite": elite} for number, elite in enumerate(beyond.direct.curve, 1)
    ],
    "regret": lambda beyond: [
        {"board": board.name, **{name: getattr(each, name) for name in REGRET_FIELDS}}
        for board in beyond.boards
        for each in board.judged
    ],
}
"""all rows, by the names of their files"""

BEYOND = Declaration(
    package="petteia.reports.mancala",
    game=GAME,
    experiments=tuple(QUESTIONS),
    found=gather,
    claims=CLAIMS,
    charts={"search": search_chart},
    names=names,
    rows=ROWS,
    template="open.md",
)
"""What only the scale `all` has."""
