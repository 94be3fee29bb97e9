"""The sections about play: the tables of all against all, stages, traces, chains, and what is one game repeated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.experiments.training import Training
from petteia.reports import page
from petteia.reports.mancala.claims import CHAIN, DEPTH, LAMBDA, PLAYERS, STAGES
from petteia.reports.mancala.comparisons import Compared
from petteia.reports.mancala.evidence import (
    CHAINS,
    DEPTHS,
    FEW,
    LOOKING,
    OPENING,
    OPPONENTS,
    SEATS,
    THETA,
    TRACES,
    Evidence,
    interval,
    of_another,
    over_seeds,
    tells_little,
    turned,
)
from petteia.reports.mancala.judges import chain_scores, changed_signs, holds, stage_means
from petteia.reports.mancala.learning_sections import SEAT_WORDS
from petteia.reports.mancala.published import STAGES as PRINTED_STAGES
from petteia.reports.mancala.shown import Shown
from petteia.reports.mancala.tables import LEGEND, grid, statements, tally
from petteia.reports.mancala.words import counted, extent, share
from petteia.reports.page import Html
from petteia.reports.verdicts import Finding

MOST_LISTED = 12


def players(evidence: Evidence, shown: Shown) -> list[str]:
    """Those that do not learn."""
    table, found = shown.tables["baselines"], evidence.baselines
    misfits = ", ".join(f"{each.row}-{each.column}" for each in table if each.verdict == "differs")
    return [
        page.heading("Seven players that do not learn"),
        page.paragraph(
            f"{LEGEND} {tally(table)}" + (f" Those that differ: {misfits}." if misfits else "") + " The logarithm of "
            f"the likelihood of R's whole table, given ours, is {found.log_likelihood:.1f}."
        ),
        grid("first", table),
        *statements(shown, PLAYERS),
    ]


def depth(evidence: Evidence, shown: Shown) -> list[str]:
    """Theta1 to theta5 against all."""
    first, second = shown.tables["theta-first"], shown.tables["theta-second"]
    extremes = [each for each in (*first, *second) if each.printed is not None and each.printed.wins in (0, 100)]
    ours = [each for each in (*first, *second) if each.ours.wins in (0, each.ours.games)]
    return [
        page.heading("Theta1 to theta5"),
        page.paragraph(
            "Theta looks one to five plies ahead; where it stops, its learned value says what a position is worth, and "
            "before each game it draws one of the last 2000 vectors of weights. "
            f"{tally(first)} The theta of R is another training."
        ),
        grid("first", first),
        page.paragraph(f"All against theta as second. {tally(second)}"),
        grid("first", second),
        page.paragraph(
            f"R has {len(extremes)} of these {len(first) + len(second)} cells at 0 or 100 % of wins, we {len(ours)}. "
            f"Theta of {counted(evidence.seeds, 'seed')} against greedy that looks equally far ahead"
            f"{_scatter(same_depth(evidence))}:"
        ),
        _same_depth(evidence),
        *statements(shown, DEPTH),
    ]


def same_depth(evidence: Evidence) -> NDArray[np.float64]:
    """The scores of theta of each seed, in each seat and at each depth, [seeds, 2, 5]."""
    matches, bouts = evidence.matches, evidence.bouts
    return np.array(
        [
            [[turned(matches[bouts.same_depth(each, depth, seat)], seat).score for depth in DEPTHS] for seat in SEATS]
            for each in evidence.trainings()
        ]
    )


def _scatter(scores: NDArray[np.float64]) -> str:
    """How much the seed matters, in words."""
    if len(scores) == 1:
        return ""
    off = 100 * np.ptp(scores, axis=0)
    return f" (the best and the worst seed are {off.mean():.0f} points apart in the mean, {off.max():.0f} at most)"


def _same_depth(evidence: Evidence) -> str:
    rows = [
        [f"seed {number}, {SEAT_WORDS[seat]}", *(f"{score:.0%}" for score in line)]
        for number, scores in enumerate(same_depth(evidence), 1)
        for seat, line in zip(SEATS, scores, strict=True)
    ]
    return page.table(["score of theta", *(f"theta{depth}-greedy{depth}" for depth in DEPTHS)], rows)


def stages(evidence: Evidence, shown: Shown) -> list[str]:
    """The player at five stages of its training."""
    table, means, words = shown.tables["stages"], stage_means(evidence), evidence.mark_words()
    rows = []
    for i, name in enumerate(words):
        cells: list[object] = [name]
        for seat, printed in zip(SEATS, printed_stages(), strict=True):
            verdict = Finding("", holds(of_another(means[:, seat, i]), printed[i])).verdict
            cells.append(page.compared(share(over_seeds(means[:, seat, i])), [f"R {printed[i]:.0%}"], verdict))
        rows.append(cells)
    best = Counter(words[place] for place in means[:, 0].argmax(axis=1))
    told = ", ".join(f"{name} games in {count}" for name, count in best.most_common())
    return [
        page.heading("Five stages of a training"),
        page.paragraph(f"Theta1 after so many games against itself after others, seed 1. {tally(table)}"),
        grid("first", table),
        page.paragraph(
            "The mean score of each stage against the others, over all seeds. R's agrees if it lies where 95 % of "
            f"further single trainings would. The stage that is best as first: {told} of {evidence.seeds} trainings."
        ),
        page.table(["games", *SEAT_WORDS], rows),
        *statements(shown, STAGES),
    ]


def printed_stages() -> tuple[list[float], list[float]]:
    """The mean scores of the report's stages against the others, as first and as second."""
    scores = np.array([[cell.score for cell in line] for line in PRINTED_STAGES])
    np.fill_diagonal(scores, math.nan)
    return np.nanmean(scores, axis=1).tolist(), (1.0 - np.nanmean(scores, axis=0)).tolist()


def traces(evidence: Evidence, shown: Shown) -> list[str]:
    """Lambda 0 against 0.15."""
    table, seeds = shown.tables["lambda"], len(evidence.trainings(TRACES))
    rows = []
    for depth in LOOKING:
        for seat, starts in zip(SEATS, ("lambda 0 starts", "lambda 0.15 starts"), strict=True):
            cells = [turned(evidence.matches[evidence.bouts.traces(each, depth, seat)], seat) for each in range(seeds)]
            rows.append([f"depth {depth}, {starts}", *(f"{cell.score:.0%}" for cell in cells)])
    return [
        page.heading("Eligibility traces"),
        page.paragraph(f"Lambda 0 against 0.15; figures are those of lambda 0, seed 1. {tally(table)}"),
        grid("search", table),
        page.paragraph("The score of lambda 0 for each seed:"),
        page.table(["", *(f"seed {number + 1}" for number in range(seeds))], rows),
        *statements(shown, LAMBDA),
    ]


def chains(evidence: Evidence, shown: Shown) -> list[str]:
    """Whole turns as actions."""
    by_chains = evidence.trainings(CHAINS)
    games = by_chains[0].configuration.games
    lines = (("by plies", evidence.trainings()[: len(by_chains)]), ("by whole turns", by_chains))
    names = ("random", *OPPONENTS)
    rows = [[words, *(_mean(evidence, trainings, name) for name in names)] for words, trainings in lines]
    return [
        page.heading("Plies, or whole turns"),
        page.paragraph(
            f"An action can be a ply, or a whole turn with all its extra plies. Both learned from {games:,} games, "
            f"with {counted(len(by_chains), 'seed')}; the score of theta1, the mean of both seats and the range:"
        ),
        page.table(["learned", *names], rows),
        *statements(shown, CHAIN),
    ]


def _mean(evidence: Evidence, trainings: Sequence[Training], opponent: str) -> Html:
    scores = chain_scores(evidence, trainings, opponent)
    return page.compared(f"{np.mean(scores):.0%}", [extent(scores, ".0%")])


def repeated(evidence: Evidence, shown: Shown) -> list[str]:
    """What is a property of the players, and what one game repeated."""
    changed = changed_signs(evidence)
    listed = [
        f"{one} against {other}: {share(table)} in the tables, {share(opened)} from random openings"
        for one, other, table, opened in changed[:MOST_LISTED]
    ]
    return [
        page.heading("Players, or one game repeated?"),
        page.paragraph(
            "Without an opening, chance enters only by ties, by the draw of the weights, and by the moves of random. "
            f"{_in_how_many(shown)}{_named(_repeats(shown)[1])} Here is the table again, every game after "
            f"{OPENING.partition(':')[2]} random plies, each opening played from both sides; scores are the row's."
        ),
        _opened(evidence),
        page.paragraph(
            f"{_changing(changed)}: who is clearly better in the tables (the mean of both seats) is clearly worse from "
            "random openings" + (":" if changed else ".")
        ),
        page.bullets(listed),
        page.paragraph(_cycles(evidence)),
    ]


def evidence_pairs() -> list[tuple[str, str]]:
    """All pairs of the table with random openings."""
    names = (*OPPONENTS, *THETA)
    return [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]


def _named(cells: Sequence[Compared]) -> str:
    if not cells:
        return "."
    listed = ", ".join(f"{each.row}-{each.column}" for each in cells[:MOST_LISTED])
    more = f", and {len(cells) - MOST_LISTED} more" if len(cells) > MOST_LISTED else ""
    return f": {listed}{more}. There a percentage says little about the players."


def _repeats(shown: Shown) -> tuple[list[Compared], list[Compared]]:
    """The cells of the tables of all against all, and those with few different games."""
    fixed = [each for name in ("baselines", "theta-first", "theta-second") for each in shown.tables[name]]
    return fixed, [each for each in fixed if tells_little(each.ours)]


def _in_how_many(shown: Shown) -> str:
    fixed, few = _repeats(shown)
    return f"In {len(few) or 'none'} of our {len(fixed)} cells of R's tables at most {FEW} games are different ones"


def _changing(changed: Sequence[object]) -> str:
    verb = "changes" if len(changed) == 1 else "change"
    return f"{counted(len(changed), 'pair')} of {len(evidence_pairs())} {verb} sign"


def _opened(evidence: Evidence) -> str:
    names, rows = (*OPPONENTS, *THETA), []
    for row in names:
        cells: list[object] = [row]
        for column in names:
            if row == column:
                cells.append("")
                continue
            cell = evidence.balanced(row, column)
            cells.append(page.compared(f"{cell.score:.0%}", [f"{cell.low * 100:.0f}–{cell.high * 100:.0f}"]))
        rows.append(cells)
    return page.table(["", *names], rows)


def _cycles(evidence: Evidence) -> str:
    """Whether "better than" goes round in a circle from random openings."""
    names = (*OPPONENTS, *THETA)
    better = {
        (one, other): interval(evidence.balanced(one, other)).low > 0.5
        for one in names
        for other in names
        if one != other
    }
    found = [
        (a, b, c)
        for a in names
        for b in names
        for c in names
        if a == min(a, b, c) and len({a, b, c}) == 3 and better[a, b] and better[b, c] and better[c, a]
    ]
    if not found:
        return "From random openings nobody beats one who beats a third that beats him: no circle is clear."
    a, b, c = found[0]
    there = "there is one circle" if len(found) == 1 else f"there are {len(found)} circles"
    return f"From random openings {there}, such as: {a} beats {b}, {b} beats {c}, and {c} beats {a}."


def in_short(evidence: Evidence, shown: Shown) -> str:
    """How many cells are one game repeated, and how many pairs change sign, in two sentences."""
    changed = changed_signs(evidence)
    told = f", such as {changed[0][0]} and {changed[0][1]}" if changed else ""
    hardly = ": there a percentage is hardly more than one game repeated" if _repeats(shown)[1] else ""
    return f"{_in_how_many(shown)}{hardly}. From random openings {_changing(changed)}{told}."
