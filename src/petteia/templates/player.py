"""Skeleton: a player that tries each of its moves out in games of random moves, and plays the one that won most.

This is a complete player to start from. Change how it thinks and look at what happens:

    petteia check skeleton:Skeleton --game kalah                    does it keep its promises, how long does it think?
    petteia match kalah skeleton:Skeleton random --games 10         is it better than chance?
    petteia match kalah skeleton:Skeleton:tries=8 random --games 4  an option goes behind the name
    petteia play kalah --against skeleton:Skeleton                  can you beat it?

A player is ordinary Python: it may use any library, keep what it likes from move to move, and take its time. It is told
of each game by `new_game`, and asked by `choose` as often as it is to move. The verbs imported below work for every
game: `legal` lists the moves, `play` makes one and returns another state; states never change.
"""

from __future__ import annotations

import random
import time

from petteia.core.decision import Decision, Limit
from petteia.core.protocol import CHANCE, Rules, State, chances, is_over, legal, limits, margin, play, to_move

MAX_PLIES = 300
"""a game that is tried out counts as drawn then"""


class Skeleton:
    """The player. Its options are the arguments of `__init__`; they come as text."""

    def __init__(self, tries: str = "2") -> None:
        self.tries = int(tries)
        """games that are tried out for each move"""

    def new_game(self, rules: Rules, seed: int) -> None:
        """A game begins. Who draws all random numbers from `seed` plays the same game again when asked to."""
        self.rules = rules
        self.random = random.Random(seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """A legal move in `state`.

        `limit.seconds`, if it is not None, is how long this may take, `limit.remaining` what is left on the clock.
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
        """Play on with random moves: 1 if `side` wins, -1 if it loses, else 0."""
        for _ in range(MAX_PLIES):
            if is_over(self.rules, state):
                final = margin(self.rules, state)  # player 0's
                return 0 if final == 0 else 1 if (final > 0) == (side == 0) else -1
            state = play(self.rules, state, self.any_move(state))
        return 0

    def any_move(self, state: State) -> int:
        """A random move; where chance moves, an outcome with its probability."""
        if to_move(self.rules, state) != CHANCE:
            return self.random.choice(legal(self.rules, state))
        maximum = limits(self.rules).moves
        outcomes, probabilities = [0] * maximum, [0.0] * maximum
        count = chances(self.rules, state, outcomes, probabilities)
        return self.random.choices(outcomes[:count], probabilities[:count])[0]
