"""Compare how well the features of a run and the full state of the game predict the values of positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.judging import NODES, results
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.sampling import sample_features
from petteia.core.arrays import Floats, Ints
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.hashing import EMPTY
from petteia.core.protocol import State, has_chance
from petteia.features.evaluations import evaluation_for
from petteia.search.searcher import Searcher
from petteia.solver.tablebase import find

POSITIONS, MIN_POSITIONS, FOLDS = 800, 30, 5
"""The maximum and the minimum number of positions, and the number of folds of the cross-validation."""
PENALTIES = 10.0 ** np.arange(-3.0, 2.0)
"""The penalties of the ridge regression, of which the best one counts."""
DEGREES = (1, 2, 4)
"""The degrees of the polynomials in the bits of a state, of which the best one counts."""
MAX_FEATURES = 3_000
"""The maximum size of a feature set. Its features become a dense matrix."""
BITS = 64
"""The number of bits of a field of a state."""


class Explained(NamedTuple):
    """The results of two regressions that predict values of positions: from features, and from the full state.

    Cross-validation measures which share of the variance of the values each regression explains. If the share is 0 or
    less, the regression predicts no better than the mean of the values.
    """

    by_features: float
    """the share that a linear function of the features predicts"""
    by_state: float
    """the share that a polynomial in the bits of the state predicts"""
    positions: int
    """the number of positions"""
    source: str
    """the source of the values: best play or a search"""


def explained(seen: Evidence) -> Explained:
    """Measure how well the features of a run predict the values of positions, compared with the full state of the game.

    The positions come from random games. The regression on the state needs no knowledge of the game. It is a kernel
    ridge regression on polynomials in the bits of the state.

    Source: Saunders, Gammerman, Vovk 1998, "Ridge regression learning algorithm in dual variables".
    """
    value, source = _judge(seen)
    game_of = dict[State, int]()
    for number, game in enumerate(seen.random_play.games):
        for state in game.afterstates:
            game_of.setdefault(state, number)
    states, games, values = list[State](), list[int](), list[float]()
    every = [*game_of]
    for place in np.random.default_rng(0).permutation(len(every))[:POSITIONS]:
        state = every[place]
        if (worth := value(state)) is not None:
            states.append(state)
            games.append(game_of[state])
            values.append(worth)
    folds = np.array(games, dtype=np.int64) % FOLDS
    if len(states) < MIN_POSITIONS or len(set(values)) < 2 or len(set(folds)) < 2:
        raise UnexaminedError("there are too few positions with different values, or from different games")
    sample = sample_features(seen.rules, seen.feature_set, states)
    if sample.matrix.shape[1] > MAX_FEATURES:
        raise UnexaminedError(f"the set has more than {MAX_FEATURES:,} features")
    worths = np.array(values)
    finite = np.abs(worths[np.isfinite(worths)])
    largest = max(1.0, finite.max(initial=0.0))
    worths = np.clip(worths, -largest, largest)
    of_features, of_state = (1.0 + products(each) for each in (sample.matrix.toarray(), bits(states)))
    return Explained(
        predicted(of_features, worths, folds),
        max(predicted(of_state**degree, worths, folds) for degree in DEGREES),
        len(states),
        source,
    )


def products(rows: Floats) -> Floats:
    """Return the inner product of each pair of rows of a matrix, divided by the number of columns; float64[rows, rows].

    Before the multiplication, all columns are standardised to mean 0 and standard deviation 1. Constant columns are
    left out, and are not counted.
    """
    varied = rows[:, np.ptp(rows, axis=0) > 0.0]
    if not varied.shape[1]:
        return np.zeros((len(rows), len(rows)))
    scaled = (varied - varied.mean(axis=0)) / varied.std(axis=0)
    return np.asarray(scaled @ scaled.T / scaled.shape[1])


def bits(states: list[State]) -> Floats:
    """Return the bits of all fields of each state, float64[states, bits]."""
    fields = np.array(states, dtype=np.int64)
    return (fields[:, :, None] >> np.arange(BITS) & 1).reshape(len(states), -1).astype(np.float64)


def predicted(kernel: Floats, values: Floats, folds: Ints) -> float:
    """Return the share of the variance of `values` that kernel ridge regression explains in cross-validation.

    `kernel`, float64[positions, positions], contains the inner product of each pair of positions. `values`,
    float64[positions], contains the value of each position. `folds`, int64[positions], contains the number of the fold
    to which each position belongs; there are at least two folds.
    """
    squared_errors, variation = np.zeros(len(PENALTIES)), 0.0
    for fold in np.unique(folds):
        known, left_out = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        mean = values[known].mean()
        scales, vectors = np.linalg.eigh(kernel[np.ix_(known, known)])
        parts = vectors.T @ (values[known] - mean)
        across = kernel[np.ix_(left_out, known)] @ vectors
        for i, penalty in enumerate(PENALTIES):
            errors = values[left_out] - mean - across @ (parts / (np.maximum(scales, 0.0) + penalty))
            squared_errors[i] += errors @ errors
        variation += float(np.square(values[left_out] - mean).sum())
    return float(1.0 - squared_errors.min() / variation)


def _judge(seen: Evidence) -> tuple[Callable[[State], float | None], str]:
    """Return a function that computes the value of a position for player 0, and the source of these values."""
    rules, table = seen.rules, seen.solution
    if table is not None:
        worths = results(rules, table)

        def known(state: State) -> float | None:
            row = find(rules, table, state)
            return None if row == EMPTY else float(worths[row])

        return known, "best play"
    if has_chance(rules):
        raise UnexaminedError("the game has chance and was not solved, so the values of its positions are unknown")
    try:
        searcher, limit = Searcher(rules, evaluation_for(rules, None), megabytes=1), Limit(nodes=NODES)
    except UsageError as error:
        raise UnexaminedError(str(error)) from None

    def searched(state: State) -> float | None:
        searcher.clear()
        best = searcher.search(state, limit).variations[0]
        if best.value is None or not best.is_won:
            return best.value
        return float(np.copysign(np.inf, best.value))

    return searched, "a search"
