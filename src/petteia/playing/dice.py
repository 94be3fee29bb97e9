"""Random number generators for the chance outcomes of a session.

With the same seed, a session and the first game of a match use the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

from petteia.core.protocol import CHANCE, Rules, State, chances, to_move
from petteia.core.random import draw_index, next_word
from petteia.players.player import scratch
from petteia.policies.play_games import dice_of


class Dice:
    """The random number generators for the chance outcomes of a session.

    After an undo, the same chance outcomes are drawn again. So nobody gets better dice by taking a move back.
    """

    def __init__(self, rules: Rules, key: int) -> None:
        self._rules, self._key, self._work = rules, key, scratch(rules)
        self.lay_out(())

    def lay_out(self, states: Iterable[State]) -> None:
        """Reset the random number generators to their state after the plies played so far.

        `states` contains, for each ply played so far, the state before the ply.
        """
        self._streams, self._last = dice_of(self._key, 0), CHANCE
        for state in states:
            if to_move(self._rules, state) == CHANCE:
                next_word(self._streams[self._last])
            else:
                self.pass_on(state)

    def pass_on(self, state: State) -> None:
        """Record the player to move in `state` as the last mover. At a chance node, record nothing.

        Chance outcomes are drawn from the random number stream of the side that moved last.
        """
        if (mover := to_move(self._rules, state)) != CHANCE:
            self._last = mover

    def draw(self, state: State) -> int:
        """Draw an outcome of the chance node `state`."""
        count = chances(self._rules, state, self._work.moves, self._work.probabilities)
        return int(self._work.moves[draw_index(self._streams[self._last], self._work.probabilities, count)])
