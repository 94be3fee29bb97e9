"""Skeleton: a player that evaluates each legal move by random games, and chooses the move with the best results.

This is a complete player. Change how it chooses and see what happens:

    petteia check skeleton:Skeleton --game kalah                    # Is it correct, and how fast is it?
    petteia match kalah skeleton:Skeleton random --games 10         # Is it better than random moves?
    petteia match kalah skeleton:Skeleton:tries=8 random --games 4  # Options follow the name.
    petteia play kalah --against skeleton:Skeleton                  # Can you beat it?

A player is ordinary Python: it can use any library, and store data from move to move. `new_game` starts each game, and
`choose` is called whenever the player is to move. The functions imported below work for every game: `legal` lists the
moves, and `play` makes a move and returns the next state. States are immutable.
"""

from __future__ import annotations

import random
import time

from petteia.core.decision import Decision, Limit
from petteia.core.protocol import CHANCE, Rules, State, chances, is_over, legal, limits, margin, play, to_move

MAX_PLIES = 300
"""the number of plies after which a random game counts as drawn"""


class Skeleton:
    """The player. Its options are the arguments of `__init__`, as strings."""

    def __init__(self, tries: str = "2") -> None:
        self.tries = int(tries)
        """the number of random games for each move"""

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game. If all random numbers are drawn from `seed`, the same seed gives the same moves."""
        self.rules = rules
        self.random = random.Random(seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Choose a legal move in `state`.

        `limit.seconds` is the time limit of the move, and `limit.remaining` is the time left on the player's clock.
        Either is None if there is no such limit.
        """
        begun = time.perf_counter()
        side = to_move(self.rules, state)
        moves = legal(self.rules, state)
        points = dict.fromkeys(moves, 0)
        for _ in range(self.tries):
            for move in moves:
                points[move] += self.result(play(self.rules, state, move), side)
            if limit.seconds is not None and time.perf_counter() - begun > limit.seconds / 2:
                break
        return Decision(max(moves, key=points.__getitem__))

    def result(self, state: State, side: int) -> int:
        """Play random moves to the end. Return 1 if `side` wins, -1 if it loses, and 0 otherwise."""
        for _ in range(MAX_PLIES):
            if is_over(self.rules, state):
                final = margin(self.rules, state)  # from the perspective of player 0
                return 0 if final == 0 else 1 if (final > 0) == (side == 0) else -1
            state = play(self.rules, state, self.any_move(state))
        return 0

    def any_move(self, state: State) -> int:
        """Return a random legal move; at a chance node, return an outcome drawn with its probability."""
        if to_move(self.rules, state) != CHANCE:
            return self.random.choice(legal(self.rules, state))
        maximum = limits(self.rules).moves
        outcomes, probabilities = [0] * maximum, [0.0] * maximum
        count = chances(self.rules, state, outcomes, probabilities)
        return self.random.choices(outcomes[:count], probabilities[:count])[0]
