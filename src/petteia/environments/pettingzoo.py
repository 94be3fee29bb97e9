"""A game as a PettingZoo environment, in which the two players are agents that act in turn.

Source: J. K. Terry et al. 2021, "PettingZoo: Gym for multi-agent reinforcement learning".
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from petteia.environments.game_in_play import GameInPlay
from petteia.environments.spaces import observation_space
from petteia.render import board_text

RenderMode = Literal["ansi", "human"]


class PettingZooEnv(AECEnv[str, Any, int]):  # type: ignore[misc]  # it has no types
    """A game as a PettingZoo environment, without the wrappers that `petteia.env` adds.

    `petteia.env` adds wrappers that check the order of calls, and that end the game after an illegal action.

    An observation is a dictionary. Its entry `observation` is one row of numbers from the perspective of the agent (see
    `petteia.environments.encoding`). Its entry `action_mask`, int8, is 1 for each legal action, and 0 everywhere if the
    agent is not to act. Rewards are given at the end of the game.
    """

    def __init__(self, game: GameInPlay, name: str, render_mode: RenderMode | None) -> None:
        super().__init__()
        self.metadata = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "name": name}
        self.render_mode = render_mode
        self.game = game
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._seen = spaces.Dict(
            {
                "observation": observation_space(game),
                "action_mask": spaces.Box(0, 1, (game.encoding.actions,), np.int8),
            }
        )
        self._observation_spaces = dict.fromkeys(self.possible_agents, self._seen)
        self._action_spaces = {agent: spaces.Discrete(game.encoding.actions) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of an agent."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of an agent."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. A `seed` determines the chance outcomes of this game and of all games until the next `seed`."""
        if self._random is None or seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.agents = self.possible_agents[:]
        self.game.begin(int(self._random.integers(1 << 62)))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the current observation of an agent."""
        side = self.possible_agents.index(agent)
        mask = self.game.mask() if self.game.side == side else np.zeros(self.game.encoding.actions, np.int8)
        return {"observation": self.game.observation(side), "action_mask": mask}

    def step(self, action: int) -> None:
        """Perform an action of the agent whose turn it is. Raises ValueError for an illegal action."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if not self.game.act(int(action)):
            raise ValueError(f"action {action} is illegal; choose an action that the action mask allows")
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Select the agent that acts next, or set the rewards if the game is over."""
        game = self.game
        if game.is_over:
            self.rewards = {agent: game.reward(side) for side, agent in enumerate(self.possible_agents)}
        self.terminations = dict.fromkeys(self.agents, game.is_over)
        self.truncations = dict.fromkeys(self.agents, game.is_cut_short)
        self.agent_selection = self.possible_agents[0 if game.side is None else game.side]

    def render(self) -> str | None:
        """Render the board as plain text. The mode `human` prints the text, and the mode `ansi` returns it."""
        text = board_text(self.game.rules, self.game.state, moves=False)
        if self.render_mode == "human":
            print(text)
            return None
        return text
