"""The rules by which statements of the report are judged, one function each; `claims` says them in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.declaration import Findings
from petteia.experiments.tournament.findings import Finding as Odd
from petteia.experiments.tournament.findings import find
from petteia.experiments.tournament.results import Cell
from petteia.experiments.training import Training
from petteia.reports.mancala.evidence import (
    CHAINS,
    EVERY,
    GREEDY,
    LOOKING,
    LOWER,
    OPPONENTS,
    OWN,
    READINGS,
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
from petteia.reports.mancala.matches import Bout
from petteia.reports.mancala.published import LOWER_ONLY, PROGRESS
from petteia.reports.mancala.words import counted, extent, points, score, share
from petteia.reports.verdicts import Answer, Finding, above, below, contrary, every, within

EVEN = (0.45, 0.55)
BEATEN, WINS_ALL, LARGE_EDGE = 0.9, 0.95, 0.6
SETTLED = 0.03
EXTREME = 0.02
"""who scores less, or so little less than all, has lost or won all or nothing"""
MANY_EXTREMES = 0.25


def holds(found: Interval, value: float) -> Answer:
    """Whether a figure lies in an interval that has bounds."""
    return found.low <= value <= found.high if math.isfinite(found.low) else None


def mean_of(cells: Sequence[Cell]) -> Interval:
    """The mean score of independent matches."""
    scores = [interval(cell) for cell in cells]
    mean = float(np.mean([each.mean for each in scores]))
    below_it = math.hypot(*(each.mean - each.low for each in scores)) / len(cells)
    above_it = math.hypot(*(each.high - each.mean for each in scores)) / len(cells)
    return Interval(mean, mean - below_it, mean + above_it)


# Players that do not learn.


def random_is_even(evidence: Evidence) -> Finding:
    cell = evidence.met("random", "random")
    return Finding(f"whoever begins scores {score(cell)}", within(interval(cell), *EVEN))


def random_is_beaten(evidence: Evidence) -> Finding:
    cells = [evidence.met(name, "random") for name in OPPONENTS]
    worst = min(cells, key=lambda cell: cell.score)
    words = f"the least that one of {len(cells)} scores against it is {score(worst)}"
    return Finding(words, every(above(interval(cell), BEATEN) for cell in cells))


def short_training_beats_random(evidence: Evidence) -> Finding:
    scores = [
        np.mean([_as_player(evidence, evidence.bouts.against_random(each, seat), seat).score for seat in SEATS])
        for each in evidence.trainings()
    ]
    found = over_seeds(scores)
    return Finding(f"after {evidence.mark_words()[0]} games it scores {share(found)}", above(found, BEATEN))


def chains_matter(evidence: Evidence) -> Finding:
    cell = evidence.balanced("heuristic", "greedy1")
    return Finding(f"it scores {score(cell)}", above(interval(cell), 0.5))


def first_has_the_edge(evidence: Evidence) -> Finding:
    found = mean_of([evidence.met(*pair) for pair in product(OPPONENTS, repeat=2)])
    return Finding(f"whoever begins scores {share(found)} in the mean of the 36 matches", above(found, LARGE_EDGE))


def odd_findings(evidence: Evidence) -> list[Odd]:
    """What is intransitive, and where looking further makes it worse, in all matches with fixed seats."""
    names = (*OPPONENTS, *THETA)
    scores = {(first, second): interval(evidence.met(first, second)) for first, second in product(names, repeat=2)}
    of_greedy = find(scores, Findings(intransitive=True, depth=tuple(GREEDY)))
    return of_greedy + find(scores, Findings(depth=THETA))


def is_not_transitive(evidence: Evidence) -> Finding:
    cases = [each for each in odd_findings(evidence) if each.kind == "intransitive"]
    told = f", such as: {cases[0].words.split(': ')[1]}" if cases else ""
    answer = _any(cases, _met(evidence, (*OPPONENTS, *THETA)))
    return Finding(f"{counted(len(cases), 'case')} in the table of all{told}", answer)


def _met(evidence: Evidence, names: tuple[str, ...]) -> list[Cell]:
    """All cells of the table of all in which one of these plays."""
    pairs = product((*OPPONENTS, *THETA), repeat=2)
    return [evidence.met(*pair) for pair in pairs if not set(names).isdisjoint(pair)]


def _any(cases: Sequence[Odd], cells: Sequence[Cell]) -> Answer:
    """Whether there is a case; if none is seen, there could be one among cells that tell little."""
    return True if cases else None if any(tells_little(cell) for cell in cells) else False


def depth_is_partly_monotone(evidence: Evidence) -> Finding:
    return _monotone(evidence, tuple(GREEDY))


def depth_of_theta(evidence: Evidence) -> Finding:
    return _monotone(evidence, THETA)


def _monotone(evidence: Evidence, ladder: tuple[str, ...]) -> Finding:
    worse = [each for each in odd_findings(evidence) if each.kind == "depth" and each.words.split()[0] in ladder]
    gains = mean_of([evidence.met(ladder[-1], other) for other in OPPONENTS])
    least = mean_of([evidence.met(ladder[0], other) for other in OPPONENTS])
    words = (
        f"in {counted(len(worse), 'cell')} a ply more makes it worse; as first {ladder[-1]} scores {share(gains)} "
        f"against the six that do not learn, {ladder[0]} {share(least)}"
    )
    helps = above(Interval(0, gains.low - least.high, gains.high - least.low), 0)
    return Finding(words, every([_any(worse, _met(evidence, ladder)), helps]))


# Learning.


def _as_player(evidence: Evidence, bout: Bout, seat: int) -> Cell:
    """A match as the player sees it that sat in this seat."""
    return turned(evidence.matches[bout], seat)


def win_shares(evidence: Evidence, trainings: Sequence[Training], mark: int | None, seat: int) -> list[float]:
    """The share of games that theta1 of each training wins against greedy1 in this seat."""
    cells = [evidence.progress(each, mark, seat) for each in trainings]
    return [cell.wins / cell.games for cell in cells]


def seat_means(evidence: Evidence, trainings: Sequence[Training], mark: int | None) -> list[float]:
    """The scores of theta1 of each training against greedy1, the mean of both seats."""
    return [float(np.mean([evidence.progress(each, mark, seat).score for seat in SEATS])) for each in trainings]


def reproduces(reading: str, evidence: Evidence) -> Finding:
    """Whether the report's figures after all games lie where further trainings of this reading would."""
    *_, first, second = progress(reading, evidence)
    means, ranges = zip(*((f"{np.mean(each):.1%}", extent(each, ".1%")) for each, _ in (first, second)), strict=True)
    words = (
        f"after {evidence.mark_words()[-1]} games {means[0]} as first ({ranges[0]} over "
        f"{counted(len(first[0]), 'seed')}), {means[1]} as second ({ranges[1]})"
    )
    return Finding(words, every(holds(of_another(each), printed) for each, printed in (first, second)))


def progress(reading: str, evidence: Evidence) -> list[tuple[list[float], float]]:
    """At each mark and in each seat: the shares of games that theta1 of each training wins, and the report's."""
    trainings = evidence.trainings(READINGS, side=reading)
    return [
        (win_shares(evidence, trainings, mark, seat), printed.wins / 100.0)
        for mark, line in zip(evidence.marks, PROGRESS, strict=True)
        for seat, printed in zip(SEATS, line, strict=True)
    ]


def own_plies_reproduce(evidence: Evidence) -> Finding:
    return reproduces(OWN, evidence)


def every_ply_reproduces(evidence: Evidence) -> Finding:
    return reproduces(EVERY, evidence)


def soon_better(evidence: Evidence) -> Finding:
    mark = evidence.marks[0]
    found = [over_seeds(evidence.progress(each, mark, seat).score for each in evidence.trainings()) for seat in SEATS]
    words = f"after {evidence.mark_words()[0]} games it scores {share(found[0])} as first, {share(found[1])} as second"
    return Finding(words, every(above(each, 0.5) for each in found))


def fewer_are_enough(evidence: Evidence) -> Finding:
    curves = [evidence.curve(READINGS, seat, side=OWN) for seat in SEATS]
    scores = np.mean([curve.scores for curve in curves], axis=0)
    games = np.array(curves[0].games)
    share_of = games / games[-1]
    then, last = (share_of > 0.5) & (share_of <= 0.7), share_of > 0.9
    found = over_seeds(scores[:, last].mean(axis=1) - scores[:, then].mean(axis=1))
    spans = [extent(sorted({*games[each]}), ",") for each in (then, last)]
    words = f"from the mean of {spans[0]} games to that of {spans[1]} the score changes by {points(found)}"
    return Finding(words, within(found, -SETTLED, SETTLED))


# Stages.


def stage_means(evidence: Evidence) -> NDArray[np.float64]:
    """Mean scores [seeds, first or second, marks] of each stage against the others."""
    found = []
    for training in evidence.trainings():
        marks = evidence.marks
        scores = np.full((len(marks), len(marks)), np.nan)
        for i, j in product(range(len(marks)), repeat=2):
            if i != j:
                scores[i, j] = evidence.matches[evidence.bouts.stage(training, marks[i], marks[j])].score
        found.append([np.nanmean(scores, axis=1), 1.0 - np.nanmean(scores, axis=0)])
    return np.array(found)


def early_stage_better_as_first(evidence: Evidence) -> Finding:
    return _better(evidence, 0, (2, 3))


def early_stage_better_as_second(evidence: Evidence) -> Finding:
    return _better(evidence, 1, (2,))


def last_stage_is_best(evidence: Evidence) -> Finding:
    means, words = stage_means(evidence)[:, 0], evidence.mark_words()
    found = [over_seeds(means[:, -1] - means[:, other]) for other in range(len(words) - 1)]
    told = ", ".join(f"{share(over_seeds(column))} after {name}" for column, name in zip(means.T, words, strict=True))
    return Finding(f"as first {told}", every(above(each, 0.0) for each in found))


def _better(evidence: Evidence, seat: int, others: tuple[int, ...]) -> Finding:
    means, words = stage_means(evidence)[:, seat], evidence.mark_words()
    found = {words[other]: over_seeds(means[:, 1] - means[:, other]) for other in others}
    told = ", and ".join(f"{points(each)} from that after {name}" for name, each in found.items())
    return Finding(
        f"its score after {words[1]} games differs by {told}", every(above(each, 0.0) for each in found.values())
    )


def all_or_nothing(evidence: Evidence) -> Finding:
    shares, distinct = [], []
    for training in evidence.trainings():
        cells = stage_cells(evidence, training)
        shares.append(np.mean([not EXTREME < cell.score < 1.0 - EXTREME for cell in cells]))
        distinct += [cell.distinct / cell.games for cell in cells]
    found = over_seeds(shares)
    words = (
        f"{share(found)} of the cells; in the mean {np.mean(distinct):.0%} of the games of a cell are different ones"
    )
    return Finding(words, above(found, MANY_EXTREMES))


def stage_cells(evidence: Evidence, training: Training) -> list[Cell]:
    """All matches of stages of a training."""
    pairs = [(one, other) for one, other in product(evidence.marks, repeat=2) if one != other]
    return [evidence.matches[evidence.bouts.stage(training, *pair)] for pair in pairs]


# One side, traces, chains.


def lower_only_is_weak(evidence: Evidence) -> Finding:
    trainings = evidence.trainings(LOWER)
    shares = win_shares(evidence, trainings, None, 1)
    found = of_another(shares)
    words = (
        f"after {trainings[0].configuration.games:,} games {found.mean:.1%} ({extent(shares, '.1%')} over "
        f"{counted(len(shares), 'seed')})"
    )
    return Finding(words, holds(found, LOWER_ONLY))


def both_sides_help(evidence: Evidence) -> Finding:
    lower = win_shares(evidence, evidence.trainings(LOWER), None, 1)
    both = win_shares(evidence, evidence.trainings()[: len(lower)], None, 1)
    gain = over_seeds(np.subtract(both, lower))
    return Finding(f"the share of games that it wins as second differs by {points(gain)}", above(gain, 0.0))


def lambda_0_wins_what_it_starts(evidence: Evidence) -> Finding:
    found = over_seeds(_against_traces(evidence, 0))
    return Finding(f"it scores {share(found)} over the seeds and depths", above(found, WINS_ALL))


def _against_traces(evidence: Evidence, seat: int) -> list[float]:
    seeds = range(len(evidence.trainings(TRACES)))
    return [
        float(
            np.mean([_as_player(evidence, evidence.bouts.traces(each, depth, seat), seat).score for depth in LOOKING])
        )
        for each in seeds
    ]


def traces_do_not_help(evidence: Evidence) -> Finding:
    with_traces = seat_means(evidence, evidence.trainings(TRACES), None)
    without = seat_means(evidence, evidence.trainings()[: len(with_traces)], None)
    gain = over_seeds(np.subtract(with_traces, without))
    words = f"with traces the score against greedy1, both seats, differs by {points(gain)}"
    return Finding(words, contrary(above(gain, 0.0)))


def traces_weaken(evidence: Evidence) -> Finding:
    trainings = evidence.trainings(TRACES)
    change = np.subtract(seat_means(evidence, trainings, None), seat_means(evidence, trainings, evidence.marks[1]))
    found = over_seeds(change)
    words = f"from {evidence.mark_words()[1]} games to the end the score against greedy1 changes by {points(found)}"
    return Finding(words, below(found, 0.0))


def chain_scores(evidence: Evidence, trainings: Sequence[Training], opponent: str) -> list[float]:
    """The scores of theta1 of each training against one who does not learn, the mean of both seats."""
    return [
        float(np.mean([_as_player(evidence, evidence.bouts.chain(each, opponent, seat), seat).score for seat in SEATS]))
        for each in trainings
    ]


def chains_are_bad(evidence: Evidence) -> Finding:
    trainings = evidence.trainings(CHAINS)
    found = {name: over_seeds(chain_scores(evidence, trainings, name)) for name in ("random", *OPPONENTS)}
    words = ", ".join(f"{each.mean:.0%} against {name}" for name, each in found.items())
    answers = [below(each, 0.5) if name != "random" else above(each, 0.5) for name, each in found.items()]
    games = trainings[0].configuration.games
    return Finding(f"after {games:,} games, both seats together, it scores {words}", every(answers))


def plies_are_better(evidence: Evidence) -> Finding:
    by_chains = evidence.trainings(CHAINS)
    by_plies = evidence.trainings()[: len(by_chains)]
    means = [
        np.mean([chain_scores(evidence, each, name) for name in OPPONENTS], axis=0) for each in (by_plies, by_chains)
    ]
    gain = over_seeds(np.subtract(*means))
    words = (
        f"after {by_chains[0].configuration.games:,} games the score of plies against the six that do not learn "
        f"differs by {points(gain)} from that of whole turns"
    )
    return Finding(words, above(gain, 0.0))


# Theta 1 to 5.


def theta2_and_theta5_win_all(evidence: Evidence) -> Finding:
    cells = {pair: evidence.met(*pair) for pair in product(("theta2", "theta5"), OPPONENTS)}
    player, opponent = min(cells, key=lambda pair: cells[pair].score)
    words = f"the least is {score(cells[player, opponent])}, {player} against {opponent}"
    return Finding(words, every(above(interval(cell), WINS_ALL) for cell in cells.values()))


def theta1_loses_to_deep_greedy(evidence: Evidence) -> Finding:
    cells = {name: evidence.met("theta1", name) for name in ("greedy3", "greedy4", "greedy5")}
    words = ", ".join(f"{score(cell)} against {name}" for name, cell in cells.items())
    return Finding(words, every(below(interval(cell), 0.5) for cell in cells.values()))


def only_theta3_holds(evidence: Evidence) -> Finding:
    cells = {name: turned(evidence.met("heuristic", name), 1) for name in THETA}
    words = ", ".join(f"{name} {cell.score:.0%}" for name, cell in cells.items())
    answers = [(above if name == "theta3" else below)(interval(cell), 0.5) for name, cell in cells.items()]
    return Finding(f"as second {words}", every(answers))


def theta5_loses_as_second(evidence: Evidence) -> Finding:
    cells = {name: evidence.met(name, "theta5") for name in ("greedy3", "greedy5")}
    words = ", ".join(f"{name} scores {score(cell)}" for name, cell in cells.items())
    return Finding(words, every(above(interval(cell), 0.5) for cell in cells.values()))


def changed_signs(evidence: Evidence) -> list[tuple[str, str, Interval, Interval]]:
    """Pairs of whom another is better from random openings than in the table, both clearly, with both scores."""
    found = []
    for one, other in combinations((*OPPONENTS, *THETA), 2):
        table = mean_of([evidence.met(one, other), turned(evidence.met(other, one), 1)])
        opened = interval(evidence.balanced(one, other))
        if (table.low > 0.5 and opened.high < 0.5) or (table.high < 0.5 and opened.low > 0.5):
            found.append((one, other, table, opened))
    return found
