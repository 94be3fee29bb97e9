"""Thresholds of quiet moves, as quantiles of how much moves change the evaluation: `threshold=q75`.

`thresholds.toml` holds them for the evaluations of the package's games, for each third of a game, as moves change less
when there is less left to win. `make thresholds` measures them again (`petteia/experiments/thresholds.py`).
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
"""of the thresholds"""
QUANTILES = {"q50": 0.5, "q75": 0.75, "q90": 0.9}
"""the quantiles that are measured, by name"""
THIRDS = 3
"""parts of a game"""
COMMAND = "python -m petteia.experiments.thresholds"
"""measures thresholds of any game"""

Thresholds = tuple[int, ...]
"""A threshold for each third of a game, in units of the evaluation."""


class Threshold(Domain):
    """A threshold as it is given: a whole number of 0 or more, or the name of a quantile."""

    def parse(self, text: str) -> int | str:
        """The number, or the name."""
        return text if text in QUANTILES else self._tried(WHOLE.parse, text)

    def read(self, value: Any) -> int | str:
        """The number, or the name."""
        return str(value) if value in QUANTILES else self._tried(WHOLE.read, value)

    def _tried(self, read: Callable[[Any], int | str], value: Any) -> int | str:
        try:
            return read(value)
        except ValueError:
            raise ValueError(f"must be a whole number, or one of {', '.join(QUANTILES)}") from None


@functools.cache
def measured() -> dict[str, dict[str, dict[str, list[int]]]]:
    """The thresholds by the names of the game, the evaluation and the quantile."""
    return tomllib.loads(PLACE.read_text(encoding="utf-8"))


def thresholds_for(quantile: str, rules: Rules, evaluation: Evaluation, player: str) -> Thresholds:
    """The thresholds by this quantile, under the default rules of a game of the package; UsageError if not known."""
    names = [name for name, known in EVALUATIONS.items() if type(known.value) is type(evaluation)]
    found = measured().get(name_of(type(rules)), {}).get(names[0] if names else "")
    if found is None or rules != type(rules)():
        raise UsageError(
            f"player {player}: threshold={quantile}: is not measured for {format_game(rules)} with this evaluation; "
            f"give a number, such as `{COMMAND} {format_game(rules)} EVALUATION` measures"
        )
    return tuple(found[quantile])


def third_of(rules: Rules, state: State) -> int:
    """The third of a game that a state is in, 0 to 2: by how long random games from it last, and from the start."""
    ahead, all_moves = moves_ahead(rules, state), _moves_of_a_game(rules)
    return min(max(THIRDS * (all_moves - ahead) // all_moves, 0), THIRDS - 1)


@functools.cache
def _moves_of_a_game(rules: Rules) -> int:
    return moves_ahead(rules, initial(rules))
