"""The sections of the page that only the scale `all` has: the open questions answered, and exact regret."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from petteia.arena.statistics import Interval
from petteia.experiments.results import ExperimentResult
from petteia.reports.engine.claims import above, every
from petteia.reports.engine.parts import Html, heading, paragraph, table
from petteia.reports.mancala import open_answers
from petteia.reports.mancala.beyond import TRACES, Beyond
from petteia.reports.mancala.duels import GAMES, LOWER, Duel, by_seed, of
from petteia.reports.mancala.evidence import GREEDY
from petteia.reports.mancala.questions import (
    LOWER_EXPLORED,
    QUESTIONS,
    STARTER,
    Compared,
    answer,
    gain,
    kinds_of_traces,
    variant_of,
)
from petteia.reports.mancala.words import extent, percent, points, size


def sections(found: Beyond) -> Html:
    """All of them, in order."""
    return Html("\n".join([*_asked(found), *open_answers.sections(found)]))


def _asked(found: Beyond) -> list[str]:
    """The questions that an experiment each answers."""
    others = [row for rows in found.compared.values() for row in rows if row.variant != rows[0].variant]
    count = sum(row.gain.is_known for row in others)
    luck = (
        f"Of {count} such differences about {count / 20:.0f} would be called so by luck alone."
        if count
        else "With one seed no difference can be told."
    )
    parts: list[str] = [
        paragraph(
            "Each question is an experiment that comes with petteia, and <code>petteia experiment NAME</code> runs it. "
            "Scores are over the training seeds, with 95&nbsp;% intervals; a variant is held against the "
            "first one seed by seed, and called better or worse only where the interval of the difference is clear of "
            f"zero. {luck}"
        ),
    ]
    for question in QUESTIONS:
        rows, result = found.compared[question.experiment], found.experiments[question.experiment]
        parts += [heading(question.asks), paragraph(escape(answer(rows)))]
        if question.experiment == LOWER_EXPLORED:
            parts.append(paragraph(escape(_what_it_lacks(result, found.duels))))
        if question.experiment == STARTER:
            parts.append(paragraph(_nearest(found.nearness)))
        if question.experiment == TRACES:
            parts.append(paragraph(escape(kinds_of_traces(result))))
        parts.append(table(["variant", *_columns(rows)], _compared(rows)))
    return parts


def _nearest(nearness: dict[str, Interval]) -> str:
    """Which reading of the training gives weights like R's, and which does not."""
    near, far = (f(nearness, key=lambda name: nearness[name].mean) for f in (min, max))
    told = [f"{name}: {size(found, '.0%')}" for name, found in nearness.items()]
    return (
        f"The weights come out nearest to R's where <em>{escape(near)}</em>, and farthest from them where "
        f"<em>{escape(far)}</em>. How far they are from R's, in per cent of the length of R's vector: "
        f"{escape('; '.join(told))}."
    )


def _what_it_lacks(result: ExperimentResult, played: Sequence[Duel]) -> str:
    """Whether one who is always lower lacks what random moves would teach it, for each opponent in training."""
    swept = ("opponent", "learn_explored")
    names = {tuple(cell.combination.values[name] for name in swept): variant_of(cell) for cell in result.cells}
    answers, told = [], []
    for opponent in dict.fromkeys(opponent for opponent, _ in names):
        without, taught = (
            by_seed(of(played, LOWER, opponent=GREEDY["greedy1"], variant=names[opponent, explored]), "won")
            for explored in (False, True)
        )
        gained = gain(taught, without)
        answers.append(above(gained, 0.0))
        told.append(
            f"trained against {opponent}, {_mean(without):.0%} ({extent(without, '.0%')}) if nothing is learned from "
            f"random moves, and {_mean(taught):.0%} ({extent(taught, '.0%')}) if it is, {points(gained)}"
        )
    verdict = {
        True: "It lacks what random moves would teach it",
        False: "What random moves would teach is not all that it lacks",
        None: "Whether it lacks what random moves would teach cannot be told",
    }[every(answers)]
    return (
        f"{verdict}. As second against greedy1, in {GAMES[LOWER]} games of each seed, it wins: {'; '.join(told)}. The "
        "scores as second in the table are of such games, too; those as first are the experiment's own."
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _columns(rows: Sequence[Compared]) -> list[str]:
    return [f"{seat} against {opponent}" for opponent, seat in dict.fromkeys((row.opponent, row.seat) for row in rows)]


def _compared(rows: Sequence[Compared]) -> list[list[str]]:
    return [
        [variant, *(f"{percent(row.score)} {row.verdict}".strip() for row in rows if row.variant == variant)]
        for variant in dict.fromkeys(row.variant for row in rows)
    ]
