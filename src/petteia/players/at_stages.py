"""Players with the weights from several stages of a training run. They show how the learner became stronger."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from petteia.core.errors import UsageError
from petteia.players.settings import learned_weights, rules_learned, text_by
from petteia.value_functions.linear_file import KIND, load_linear

STAGES = 8
"""the number of stages of a training run; each stage has twice the number of games of the stage before"""


def players_at_stages(run: str | Path) -> tuple[str, ...]:
    """Return the text forms of players that use the weights at eight stages of a training run.

    The stages are after n/128, ..., n/4, n/2 and n games, where n is the number of training games. Each player, such as
    `theta:agent=RUN,games=N`, uses the last weights that were saved at or before its number of games. If two players
    would use the same saved weights, only one of them is returned.

    Raises UsageError if the run learned a table, because only the last table of a run is saved. Also raises UsageError
    if no weights were saved before the end of the training. Raises NotFoundError or InvalidError if the run is missing
    or damaged.
    """
    weights = learned_weights(run)
    if weights.kind != KIND:
        raise UsageError(
            f"stages of {run}: a run with a table saves only its last table; give a run trained with --features"
        )
    learned = load_linear(weights, rules_learned(weights))
    kept = learned.history_games[learned.history_games > 0]
    if not len(kept):
        raise UsageError(f"stages of {run}: the run saved no weights during training; give another run")
    wanted = learned.games / 2.0 ** np.arange(STAGES - 1, -1, -1)
    places = np.searchsorted(kept, wanted, side="right") - 1
    games = dict.fromkeys(int(kept[place]) for place in places if place >= 0)
    return tuple(f"{text_by(run, KIND)},games={each}" for each in games)
