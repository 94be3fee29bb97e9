"""Players as users write them, good and bad."""

from __future__ import annotations

import random as randomness
import time
from typing import NamedTuple

from petteia.core.decision import Decision
from petteia.core.protocol import legal, moves


class Drawing:
    """Draws with the generator of Python's library."""

    def new_game(self, rules, seed):
        self.rules = rules
        self.random = randomness.Random(seed)

    def choose(self, state, limit):
        return self.random.choice(legal(self.rules, state))


class Lower:
    """The lowest move; keeps count of what it is told."""

    def __init__(self, name: str = "nobody") -> None:
        self.name = name
        self.began = self.ended = 0

    def new_game(self, rules, seed):
        assert 0 <= seed < 1 << 63
        self.rules = rules
        self.began += 1

    def choose(self, state, limit):
        return Decision(min(legal(self.rules, state)))

    def end_game(self, state):
        self.ended += 1


class Hound(Lower):
    seats = (0,)


class Cheat(Lower):
    def choose(self, state, limit):
        return 0


class Sleeper(Lower):
    def choose(self, state, limit):
        time.sleep(0.15)
        return super().choose(state, limit)


class Raiser(Lower):
    def choose(self, state, limit):
        return 1 // 0


class Mute(Lower):
    def choose(self, state, limit):
        return None


class NoPlayer:
    def choose(self, state, limit):
        return 0


class Highest(NamedTuple):
    """A policy: the move with the highest code; from game to game the same."""

    bonus: float = 0.5

    def choose(policy, rules, state, random, work):
        count = moves(rules, state, work.moves)
        highest = int(work.moves[0])
        for i in range(1, count):
            highest = max(highest, int(work.moves[i]))
        return highest


class CheatingPolicy(NamedTuple):
    def choose(policy, rules, state, random, work):
        return 0


class RaisingPolicy(NamedTuple):
    zero: int = 0

    def choose(policy, rules, state, random, work):
        return 1 // policy.zero


class UncompiledPolicy(NamedTuple):
    def choose(policy, rules, state, random, work):
        return len(f"{state.side}")
