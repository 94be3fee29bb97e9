"""A game as an environment of PettingZoo, in which the agents are the two players and act in turn.

J. K. Terry et al. 2021, "PettingZoo: Gym for multi-agent reinforcement learning".
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
    """The bare environment: `petteia.env` adds what ends a game at an illegal action, and checks the order of calls.

    An observation is a dictionary: `observation`, one row of numbers as the agent sees the game (see
    `petteia.environments.encoding`), and `action_mask`, int8 with 1 for each action that is possible; all 0 for the
    agent that is not to act. Rewards come at the end.
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
        """What an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; all dice of this one and of those that follow come from `seed`, if it is given."""
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
        """What the agent sees now."""
        side = self.possible_agents.index(agent)
        mask = self.game.mask() if self.game.side == side else np.zeros(self.game.encoding.actions, np.int8)
        return {"observation": self.game.observation(side), "action_mask": mask}

    def step(self, action: int) -> None:
        """Let the agent whose turn it is act; ValueError for an action that is not possible."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if not self.game.act(int(action)):
            raise ValueError(f"action {action}: is not possible; the action mask says which are")
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Note whose turn it is, and how the game has ended if it has."""
        game = self.game
        if game.is_over:
            self.rewards = {agent: game.reward(side) for side, agent in enumerate(self.possible_agents)}
        self.terminations = dict.fromkeys(self.agents, game.is_over)
        self.truncations = dict.fromkeys(self.agents, game.is_cut_short)
        self.agent_selection = self.possible_agents[0 if game.side is None else game.side]

    def render(self) -> str | None:
        """The board in plain text: returned with `ansi`, printed with `human`."""
        text = board_text(self.game.rules, self.game.state, moves=False)
        if self.render_mode == "human":
            print(text)
            return None
        return text
