"""A game inside an environment, with its incomplete move and its random number generator for chance outcomes."""

from __future__ import annotations

from typing import Literal

from petteia.arena.openings import start_state
from petteia.core.decision import check_amounts
from petteia.core.errors import UsageError
from petteia.core.protocol import CHANCE, Rules, State, chances, is_over, limits, margin, play, to_move
from petteia.core.random import RandomState, draw_index
from petteia.environments.encoding import Mask, Observation, encoding_for

Reward = Literal["result", "margin"]
REWARDS: tuple[Reward, ...] = ("result", "margin")
ILLEGAL = -1.0
"""the reward of a player for an illegal action, which ends the game"""


class GameInPlay:
    """The state of the game that an environment plays. Actions are numbers, and chance outcomes are drawn at random.

    Args:
        rules: the rules of the games
        position: the start position, as a state or text; None for the initial position
        reward: the reward at the end of a game: `result` (1, 0, -1) or `margin` (the points of the margin)
        max_plies: the number of plies, including chance outcomes, after which a game is stopped without a reward

    Raises UsageError for an argument out of range, and for a game whose moves or positions cannot be encoded as
    numbers.

    """

    def __init__(self, rules: Rules, position: str | State | None, reward: Reward, max_plies: int) -> None:
        if reward not in REWARDS:
            raise UsageError(f"reward={reward!r}: must be one of {', '.join(REWARDS)}")
        check_amounts(max_plies=max_plies)
        self.rules = rules
        self.encoding = encoding_for(rules)
        self.start = start_state(rules, position)
        self._reward: Reward = reward
        self._max_plies = max_plies
        self._buffers = [0] * limits(rules).moves, [0.0] * limits(rules).moves
        self._begun: tuple[int, ...] = ()
        self._options: dict[int, int | None] = {}
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin a game, with chance outcomes drawn from `seed`, a signed 64-bit integer."""
        self.state = self.start
        self.plies = 0
        self._random: RandomState = [seed]
        self._settle()

    @property
    def side(self) -> int | None:
        """The player to act, 0 or 1; None if the game is over."""
        return None if self.is_over else int(to_move(self.rules, self.state))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return is_over(self.rules, self.state)

    @property
    def is_cut_short(self) -> bool:
        """Whether the game was truncated because it reached the maximum number of plies."""
        return not self.is_over and self.plies >= self._max_plies

    def mask(self) -> Mask:
        """The action mask, int8[actions]: 1 for each legal action, otherwise 0."""
        return self.encoding.mask(self._options)

    def observation(self, side: int) -> Observation:
        """The observation of player `side`, as a vector of numbers."""
        return self.encoding.observation(self.state, side, self._begun)

    def reward(self, side: int) -> float:
        """Return the reward of player `side`: its result or margin if the game is over, otherwise 0."""
        if not self.is_over:
            return 0.0
        won = int(margin(self.rules, self.state)) * (1 if side == 0 else -1)
        return float(won if self._reward == "margin" else (won > 0) - (won < 0))

    def act(self, action: int) -> bool:
        """Perform an action, and return True. If the action is illegal, do nothing and return False."""
        if action not in self._options:
            return False
        move = self._options[action]
        if move is None:
            self._begun = (*self._begun, action)
            self._options = self.encoding.options(self.state, self._begun)
        else:
            self.play(move)
        return True

    def play(self, move: int) -> None:
        """Make a legal move."""
        self.state = play(self.rules, self.state, move)
        self.plies += 1
        self._settle()

    def _settle(self) -> None:
        """Draw chance outcomes until a player is to move or the game is over, and list the legal actions."""
        moves, probabilities = self._buffers
        while not is_over(self.rules, self.state) and to_move(self.rules, self.state) == CHANCE:
            count = chances(self.rules, self.state, moves, probabilities)
            drawn = moves[draw_index(self._random, probabilities, count)]
            self.state = play(self.rules, self.state, drawn)
            self.plies += 1
        self._begun = ()
        self._options = {} if self.is_over else self.encoding.options(self.state, ())
