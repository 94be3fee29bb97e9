"""A game as a Gymnasium environment. The agent plays one side, and a player of petteia plays the other side."""

from __future__ import annotations

import weakref
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from petteia.arena.alternate import legal_move
from petteia.core.decision import Limit
from petteia.environments.encoding import Mask, Observation
from petteia.environments.game_in_play import ILLEGAL, GameInPlay
from petteia.environments.spaces import observation_space
from petteia.player_processes.process import Children
from petteia.render import board_text

RenderMode = Literal["ansi"]


class OpponentEnv(gymnasium.Env[Observation, np.int64]):
    """A single-agent environment in which the agent plays games against a player of petteia.

    Use `petteia.gym_env` to create the environment. The mask of the legal actions is in `info["action_mask"]` and
    `action_masks()`, as required by sb3-contrib. An illegal action loses the game with a reward of -1. `info["seat"]`
    is the seat of the agent.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        game: GameInPlay,
        opponent: Any,
        sides: tuple[int, ...],
        limit: Limit,
        children: Children,
        render_mode: RenderMode | None,
    ) -> None:
        self.game = game
        self.render_mode = render_mode
        self.opponent = opponent
        self.side = sides[0]
        """the seat of the agent, 0 or 1"""
        self._sides = sides
        self._limit = limit
        self._children = children
        self._end = weakref.finalize(self, children.close)
        self.observation_space = observation_space(game)
        self.action_space = spaces.Discrete(game.encoding.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game, and let the opponent move until the agent is to move."""
        super().reset(seed=seed)
        while True:
            dice, opponents, side = (int(number) for number in self.np_random.integers(1 << 62, size=3))
            self.side = self._sides[side % len(self._sides)]
            self.game.begin(dice)
            self.opponent.new_game(self.game.rules, opponents)
            self._let_opponent_move()
            if not self._has_ended:  # a game can end before the agent's first turn
                return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Perform an action, and let the opponent move until the agent is to move or the game is over."""
        if not self.game.act(int(action)):
            observation, info = self._seen()
            return observation, ILLEGAL, True, False, {**info, "illegal": True}
        self._let_opponent_move()
        if self._has_ended:
            self.opponent.end_game(self.game.state)
        observation, info = self._seen()
        return observation, self.game.reward(self.side), self.game.is_over, self.game.is_cut_short, info

    def action_masks(self) -> Mask:
        """The action mask, int8[actions]: 1 for each legal action, otherwise 0."""
        return self.game.mask()

    def render(self) -> str | None:
        """Return the board as plain text."""
        return board_text(self.game.rules, self.game.state, moves=False) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the child process of a custom opponent."""
        self._end()

    @property
    def _has_ended(self) -> bool:
        return self.game.is_over or self.game.is_cut_short

    def _let_opponent_move(self) -> None:
        game = self.game
        while not self._has_ended and game.side != self.side:
            move = self.opponent.choose(game.state, self._limit).move
            game.play(legal_move(game.rules, self.opponent, game.state, move))

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        return self.game.observation(self.side), {"action_mask": self.game.mask(), "seat": self.side}
