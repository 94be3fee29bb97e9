"""Learned weights of features, and the weights that were saved during the training."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.protocol import Rules
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import ReportFeatures
from petteia.games import game as rules_of
from petteia.players.settings import learned_weights, rules_learned
from petteia.players.theta import REPORT, shipped_agent
from petteia.records.weights import Weights, load_weights, of_kind
from petteia.value_functions.linear_file import KIND, load_linear
from petteia.value_functions.report_weights import REPORT_RULES, report_weights


class WeightHistory(NamedTuple):
    """The weights of features after a training run, and at earlier times in the run.

    `pandas.DataFrame(found.history, found.games, found.names)` converts a `WeightHistory` called `found` to a table
    with a row for each saved weight vector and a column for each feature.
    """

    game: str
    """the text form of the rules of the training"""
    features: str
    """the text form of the feature set"""
    names: tuple[str, ...]
    """the names of the features"""
    last: Floats
    """the weights after the training: float64[features]"""
    games: Ints
    """the numbers of games after which weights were saved, in ascending order: int64[saved]"""
    history: Floats
    """the weights after each of these numbers of games: float64[saved, features]"""


def weights(agent: str | Path | None = None, *, game: str | Rules | None = None) -> WeightHistory:
    """Read the learned weights of features, and the weights that were saved during the training.

    A training run saves its weights after every hundredth game and after each of the last 2000 games. If its option
    `marks` is a list of game numbers, it also saves the weights after each of the thousand games around each of these
    numbers. With the option `standardise`, the weights apply to centred and scaled features.

    Args:
        agent: a run, a weights file, or `report` for the published weights of a report on Mancala, which have no
            history; default: the weights that the package contains for `game`
        game: the rules, or their text form, for which weights in the package are read if no agent is given; default:
            `kalah`

    Raises:
        UsageError: the game is unknown, the package has no weights for it, or `agent` and `game` are both given
        NotFoundError: there is no such run or file
        InvalidError: the run or file is damaged, its game is unknown, it does not contain weights of features, or the
            names of the features have changed

    Examples:
        >>> learned = petteia.weights("report")
        >>> learned.names[0], float(learned.last[0])
        ('south_to_move.south.can_get_another_move', 0.1904)

    """
    if agent is None:
        return _shipped(name_of(type(rules_of("kalah" if game is None else game))))
    if game is not None:
        raise UsageError(f"agent {agent}: the agent already determines the game; omit the argument game")
    if agent == REPORT:
        called, last = names(ReportFeatures(), REPORT_RULES), report_weights()
        nothing = np.zeros((0, len(last)))
        return WeightHistory(format_game(REPORT_RULES), REPORT, called, last, np.zeros(0, np.int64), nothing)
    return _held(learned_weights(agent))


def _shipped(game: str) -> WeightHistory:
    with shipped_agent(game) as path:
        if path is None:
            raise UsageError(f"petteia has no built-in agent for {game}; give a run or a weights file")
        return _held(load_weights(path))


def _held(weights: Weights) -> WeightHistory:
    rules = rules_learned(of_kind(weights, KIND))
    learned = load_linear(weights, rules)
    called = names(feature_set_for(rules, learned.features), rules)
    return WeightHistory(
        weights.game, learned.features, called, learned.weights, learned.history_games, learned.history
    )
