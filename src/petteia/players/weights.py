"""What a player like `theta` has learned, to be looked at: its weights by name, and how they came about."""

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
    """The weights of features, the last and those on the way there.

    `pandas.DataFrame(found.history, found.games, found.names)` has a column for each feature.
    """

    game: str
    """text form of the rules that they were learned under"""
    features: str
    """text form of the feature set"""
    names: tuple[str, ...]
    """what the features are called"""
    last: Floats
    """the weight of each at the end, [features]"""
    games: Ints
    """the numbers of games after which weights were kept, ascending, [kept]"""
    history: Floats
    """the weights after so many games, [kept, features]"""


def weights(agent: str | Path | None = None, *, game: str | Rules | None = None) -> WeightHistory:
    """Read learned weights by feature name, with their history during the training.

    Those of a training are kept after every hundredth game, after each of the last 2000, and around its marks. Of what
    was learned with `standardise` they are weights of the features as they were centred and scaled then.

    Args:
        agent: as `theta` takes it: a run, a weights file, or `report`, what a report on Mancala has published, which
            has no history; default: the agent that comes with the package
        game: for which game that is, rules or their text; default: kalah

    Raises:
        UsageError: no agent comes for the game, or there is none of this name; a game where an agent is named
        NotFoundError: there is no such run or file
        InvalidError: it is damaged, of a game that is not known, does not hold weights of features, or these are called
            otherwise now

    """
    if agent is None:
        return _shipped(name_of(type(rules_of("kalah" if game is None else game))))
    if game is not None:
        raise UsageError(f"agent {agent}: says itself what game it is for; leave game out")
    if agent == REPORT:
        called, last = names(ReportFeatures(), REPORT_RULES), report_weights()
        nothing = np.zeros((0, len(last)))
        return WeightHistory(format_game(REPORT_RULES), REPORT, called, last, np.zeros(0, np.int64), nothing)
    return _held(learned_weights(agent))


def _shipped(game: str) -> WeightHistory:
    with shipped_agent(game) as path:
        if path is None:
            raise UsageError(f"no agent comes with petteia for {game}; name one: a run or a weights file")
        return _held(load_weights(path))


def _held(weights: Weights) -> WeightHistory:
    rules = rules_learned(of_kind(weights, KIND))
    learned = load_linear(weights, rules)
    called = names(feature_set_for(rules, learned.features), rules)
    return WeightHistory(
        weights.game, learned.features, called, learned.weights, learned.history_games, learned.history
    )
