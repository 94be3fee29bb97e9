"""Players as users write them, good and bad."""

from __future__ import annotations

import random as randomness
import time
from typing import NamedTuple

from petteia.core.decision import Decision
from petteia.core.protocol import key, legal, moves
from petteia.core.random import below, uniform


class Drawing:
    """Draws with the generator of Python's library."""

    def new_game(self, rules, seed):
        self.rules = rules
        self.random = randomness.Random(seed)

    def choose(self, state, limit):
        return self.random.choice(legal(self.rules, state))


class Unseeded(Drawing):
    """Draws other moves in each game, whatever its seed."""

    def new_game(self, rules, seed):
        self.rules = rules
        self.random = randomness.SystemRandom()


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


class Honest(NamedTuple):
    """A policy: any move but the first, if there is another; tells how likely."""

    first: float = 0.0

    def choose(policy, rules, state, random, work):
        count = moves(rules, state, work.moves)
        if count == 1 or uniform(random) < policy.first:
            return int(work.moves[0])
        return int(work.moves[1 + below(random, count - 1)])

    def probabilities(policy, rules, state, share, out, work):
        count = moves(rules, state, work.moves)
        if count == 1:
            out[0] += share
            return count
        out[0] += share * policy.first
        for i in range(1, count):
            out[i] += share * (1.0 - policy.first) / (count - 1)
        return count


class Liar(NamedTuple):
    """Says that it never plays the first move."""

    choose = Highest.choose
    bonus: float = 0.5

    def probabilities(policy, rules, state, share, out, work):
        count = moves(rules, state, work.moves)
        for i in range(count):
            out[i] += share / count
        return count


class TooSure(NamedTuple):
    choose = Honest.choose
    first: float = 0.0

    def probabilities(policy, rules, state, share, out, work):
        out[0] += 2.0 * share
        return moves(rules, state, work.moves)


class Setting(NamedTuple):
    """Writes its probabilities over what is there."""

    choose = Honest.choose
    first: float = 0.0

    def probabilities(policy, rules, state, share, out, work):
        count = moves(rules, state, work.moves)
        for i in range(count):
            out[i] = share / count
        return count


class ForgetfulPolicy(NamedTuple):
    def choose(policy, rules, state, random, work):
        return randomness.choice(legal(rules, state))


turns = [0]


class CountingPolicy(NamedTuple):
    """Remembers what it must not."""

    def choose(policy, rules, state, random, work):
        turns[0] += 1
        return int(work.moves[turns[0] % moves(rules, state, work.moves)])


class OverflowingPolicy(NamedTuple):
    """Compiled numbers have 64 bits."""

    def choose(policy, rules, state, random, work):
        count = moves(rules, state, work.moves)
        return int(work.moves[(key(rules, state) + 1) * 3**38 % 1000003 % count])


class WrittenPolicy(NamedTuple):
    def choose(policy, rules, state, random, work):
        return int(work.moves[len(f"{moves(rules, state, work.moves)}") - 1])


class OtherParameters(NamedTuple):
    def choose(policy, rules, state, random):
        return 0


class NoSeed(Drawing):
    def new_game(self, rules, seed):
        self.rules = rules
        self.random = randomness.Random()


class OneArgument(Drawing):
    def choose(self, state):
        return 0


class NeverStarts(Lower):
    def __init__(self):
        time.sleep(60)


class Slow(Lower):
    def choose(self, state, limit):
        time.sleep(0.1)
        return super().choose(state, limit)


class Endless(Lower):
    def choose(self, state, limit):
        while True:
            pass
