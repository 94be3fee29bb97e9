"""Thresholds for quiet moves, given as quantiles of measured changes of the evaluation, such as `threshold=q75`.

A move is quiet if it changes the evaluation by at most the threshold. With `q75`, about three quarters of the measured
moves are quiet. `thresholds.toml` contains the thresholds for the package's games and evaluations. Each third of a game
has its own threshold, because moves change the evaluation less towards the end of the game. `make thresholds` measures
the thresholds again (`petteia/experiments/thresholds.py`).
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any

from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.options import WHOLE, Domain
from petteia.core.protocol import Rules, State, initial
from petteia.features.evaluation import Evaluation
from petteia.features.evaluations import EVALUATIONS
from petteia.players.time_share import moves_ahead

PLACE = resources.files("petteia.players").joinpath("thresholds.toml")
"""the file that contains the measured thresholds"""
QUANTILES = {"q50": 0.5, "q75": 0.75, "q90": 0.9}
"""the quantiles that are measured, by name"""
THIRDS = 3
"""the number of parts of a game that have different thresholds"""
COMMAND = "python -m petteia.experiments.thresholds"
"""the command that measures thresholds for any game"""

Thresholds = tuple[int, ...]
"""the threshold for each third of a game, in units of the evaluation"""


class Threshold(Domain):
    """The domain of the option `threshold`: a non-negative integer, or the name of a quantile."""

    def parse(self, text: str) -> int | str:
        """Parse the value of the option: a number or the name of a quantile."""
        return text if text in QUANTILES else self._tried(WHOLE.parse, text)

    def read(self, value: Any) -> int | str:
        """Return the value if it is a valid number or the name of a quantile."""
        return str(value) if value in QUANTILES else self._tried(WHOLE.read, value)

    def _tried(self, read: Callable[[Any], int | str], value: Any) -> int | str:
        try:
            return read(value)
        except ValueError:
            raise ValueError(f"must be a whole number, or one of {', '.join(QUANTILES)}") from None


@functools.cache
def measured() -> dict[str, dict[str, dict[str, list[int]]]]:
    """Return the measured thresholds, as nested dictionaries with the keys game, evaluation and quantile."""
    return tomllib.loads(PLACE.read_text(encoding="utf-8"))


def thresholds_for(quantile: str, rules: Rules, evaluation: Evaluation, player: str) -> Thresholds:
    """Return the thresholds of quiet moves for a quantile. Raises UsageError if none were measured for these rules."""
    names = [name for name, known in EVALUATIONS.items() if type(known.value) is type(evaluation)]
    found = measured().get(name_of(type(rules)), {}).get(names[0] if names else "")
    if found is None or rules != type(rules)():
        raise UsageError(
            f"player {player}: threshold={quantile}: this quantile was not measured for {format_game(rules)} with this "
            f"evaluation; give a number, such as one printed by `{COMMAND} {format_game(rules)} EVALUATION`"
        )
    return tuple(found[quantile])


def third_of(rules: Rules, state: State) -> int:
    """Estimate to which third of a game a state belongs: 0, 1 or 2.

    The number of remaining moves is estimated by random games from the state.
    """
    ahead, all_moves = moves_ahead(rules, state), _moves_of_a_game(rules)
    return min(max(THIRDS * (all_moves - ahead) // all_moves, 0), THIRDS - 1)


@functools.cache
def _moves_of_a_game(rules: Rules) -> int:
    return moves_ahead(rules, initial(rules))
