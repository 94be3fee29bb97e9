"""A game as an OpenSpiel game written in Python. OpenSpiel's algorithms run slowly on such a game.

Source: M. Lanctot et al. 2019, "OpenSpiel: A framework for reinforcement learning in games".
"""

from __future__ import annotations

import re
from typing import Any

import pyspiel

from petteia.core.names import format_game
from petteia.core.protocol import (
    CHANCE,
    Rules,
    chances,
    format_move,
    format_state,
    has_chance,
    initial,
    is_over,
    legal,
    limits,
    margin,
    play,
    to_move,
)

_names: dict[tuple[type, Rules, int], str] = {}
"""the names under which games are registered in OpenSpiel, by the rules and the limit of plies"""


class _SpielState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A state of an OpenSpiel game: a position, and the moves that led to it."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._maximum = game.max_game_length()
        self._state = initial(self._rules)
        self._plies = 0

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        side = int(to_move(self._rules, self._state))
        return int(pyspiel.PlayerId.CHANCE) if side == CHANCE else side

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(legal(self._rules, self._state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        moves, shares = [0] * limits(self._rules).moves, [0.0] * limits(self._rules).moves
        count = chances(self._rules, self._state, moves, shares)
        return list(zip(moves[:count], shares[:count], strict=True))

    def _apply_action(self, action: int) -> None:
        self._state = play(self._rules, self._state, action)
        self._plies += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return format_move(self._rules, self._state, action)

    def is_terminal(self) -> bool:
        return is_over(self._rules, self._state) or self._plies >= self._maximum

    def returns(self) -> list[float]:
        if not is_over(self._rules, self._state):
            return [0.0, 0.0]
        final = int(margin(self._rules, self._state))
        won = float((final > 0) - (final < 0))
        return [won, -won]

    def __str__(self) -> str:
        return format_state(self._rules, self._state)


class _Observer:
    """An observer that shows the position as text."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Do nothing, because this observer provides no numeric observation."""

    def string_from(self, state: Any, player: int) -> str:
        """Return the position as text."""
        return str(state)


def _register(rules: Rules, name: str, max_plies: int) -> None:
    """Register the game in OpenSpiel, where it stays until the process ends."""
    kind = pyspiel.GameType(
        short_name=name,
        long_name=format_game(rules),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(
            pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
            if has_chance(rules)
            else pyspiel.GameType.ChanceMode.DETERMINISTIC
        ),
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
    )
    sizes = limits(rules)
    info = pyspiel.GameInfo(
        num_distinct_actions=sizes.codes,
        max_chance_outcomes=sizes.codes if has_chance(rules) else 0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=max_plies,
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
        """A game of petteia as an OpenSpiel game."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})
            self.rules = rules

        def new_initial_state(self) -> Any:
            return _SpielState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return _Observer()

    pyspiel.register_game(kind, SpielGame)


def openspiel_game(rules: Rules, max_plies: int) -> Any:
    """Return the OpenSpiel game with these rules. A game that is not over after `max_plies` plies is a draw.

    OpenSpiel registers the game under a name that begins with `petteia_`.
    """
    kind = (type(rules), rules, max_plies)
    if kind not in _names:
        words = re.sub(r"[^a-z0-9]+", "_", format_game(rules).lower())
        _names[kind] = f"petteia_{words}_{len(_names)}"
        _register(rules, _names[kind], max_plies)
    return pyspiel.load_game(_names[kind])
