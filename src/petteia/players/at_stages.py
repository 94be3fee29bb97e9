"""A training at several stages, as players: how strong it was after so many games."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from petteia.core.errors import UsageError
from petteia.players.settings import learned_weights, rules_learned, text_by
from petteia.value_functions.linear_file import KIND, load_linear

STAGES = 8
"""of a training; each but the last has learned from about half as many games as the next"""


def players_at_stages(run: str | Path) -> tuple[str, ...]:
    """The text forms of players by the weights of a training after n/128, ..., n/4, n/2 and n of its n games.

    The weights are those that were kept at these stages or just before, as `theta:agent=RUN,games=N` has them.

    Raises UsageError for a training in tables, which keeps the last table alone, or one that has kept no weights on the
    way; NotFoundError or InvalidError if the run is not there, or damaged.
    """
    weights = learned_weights(run)
    if weights.kind != KIND:
        raise UsageError(f"stages of {run}: of a training in tables the last is kept alone; one of features has stages")
    learned = load_linear(weights, rules_learned(weights))
    kept = learned.history_games[learned.history_games > 0]
    if not len(kept):
        raise UsageError(f"stages of {run}: no weights were kept on the way")
    wanted = learned.games / 2.0 ** np.arange(STAGES - 1, -1, -1)
    places = np.searchsorted(kept, wanted, side="right") - 1
    games = dict.fromkeys(int(kept[place]) for place in places if place >= 0)
    return tuple(f"{text_by(run, KIND)},games={each}" for each in games)
