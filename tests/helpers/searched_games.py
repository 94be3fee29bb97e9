"""What searches are tried on: games with positions of all kinds, evaluations good and bad, and games of one's own."""

from __future__ import annotations

import math
import random
from typing import Any, NamedTuple

from petteia.core.bits import mix
from petteia.core.kernel import inline
from petteia.core.protocol import (
    initial,
    is_over,
    key,
    legal,
    play,
    position,
    positions,
    provides,
)
from petteia.games import game
from petteia.games.kalah import Kalah, Position

DEPTHS = {
    "kalah": 4,
    "kalah:end=either,capture=empty": 4,
    "kalah:pits=2,seeds=2": 8,
    "kalah:pits=3,seeds=2,end=either,leftovers=nobody": 7,
    "kalah:pits=4,seeds=3,capture=without_capturer": 6,
    "kalah:pits=1,seeds=3,end=either": 9,
    "hare-and-hounds": 5,
    "hare-and-hounds:stall=3,first=hare": 5,
    "hare-and-hounds:stall=0,escape=end": 5,
    "tiny_games:Nim": 6,
    "tiny_games:Nim:heaps=4,size=2,end=misere": 6,
    "solved_games:Maze:size=97,seed=5": 7,
    "solved_games:BlurredMaze:size=97,seed=5": 7,
}
"""The games, and how many plies minimax looks ahead in them without taking long."""


class Noise(NamedTuple):
    """Of every position anything: the fewer values there are, the more often moves are equally good."""

    count: int = 5
    size: int = 1
    units: int = 1

    def evaluate(evaluation, rules: Any, state: Any) -> int:
        number = (mix(key(rules, state) + 1) & 0xFFFF) % evaluation.count
        return (number - evaluation.count // 2) * evaluation.size

    def unit(evaluation) -> int:
        return evaluation.units


class Guess(NamedTuple):
    """Of every position anything from -`size` to `size`, which is as much as a margin can be."""

    size: int = 3
    units: int = 1
    largest: int = 0
    """what is said to be the bound; 0: nothing is"""

    def evaluate(evaluation, rules: Any, state: Any) -> int:
        return (mix(key(rules, state) + 1) & 0xFFFF) % (2 * evaluation.size + 1) - evaluation.size

    def unit(evaluation) -> int:
        return evaluation.units

    def bound(evaluation, rules: Any) -> int:
        return evaluation.largest


def boards(rules: Kalah, random: random.Random) -> Position:
    """Kalah's stones thrown anywhere."""
    south, north, stores = 0, 0, [0, 0]
    share = random.choice((0.2, 0.8))
    for _ in range(2 * rules.pits * rules.seeds):
        pit = random.randrange(rules.pits)
        if random.random() < share:
            stores[random.randrange(2)] += 1
        elif random.random() < 0.5:
            south += 1 << 8 * pit
        else:
            north += 1 << 8 * pit
    return Position(south, north, *stores, random.randrange(2))


def draw_state(rules: Any, random: random.Random) -> Any:
    """A position that is not over: one of all, or one that random play has led to."""
    while True:
        if isinstance(rules, Kalah) and random.random() < 0.5:
            state = boards(rules, random)
        elif provides(rules, "positions"):
            state = position(rules, random.randrange(positions(rules)))
        else:
            state = initial(rules)
            for _ in range(random.randrange(30)):
                if is_over(rules, state):
                    break
                state = play(rules, state, random.choice(legal(rules, state)))
        if not is_over(rules, state):
            return state


def states(name: str, count: int, seed: int = 0) -> tuple[Any, list[Any]]:
    """The rules of this name, and `count` random positions that are not over."""
    rules, generator = game(name), random.Random(f"{name} {seed}")
    return rules, [draw_state(rules, generator) for _ in range(count)]


# Evaluations as users write them, good and bad.


@inline
def lead(rules, state):
    return state.south_store - state.north_store


def part(rules, state):
    """A part of the lead; a large one is worth everything."""
    ahead = lead(rules, state)
    return ahead / 8 if -3 < ahead < 3 else math.copysign(1e300, ahead)


def one_parameter(state):
    return 0


def failing(rules, state):
    return 1 // state.south_store


def wordy(rules, state):
    return "good"


def forgetful(rules, state):
    if state.south_store > 3:
        return None
    return 0


def listing(rules, state):
    return len([state.south_store])


class Doubled(NamedTuple):
    factor: int = 2

    def evaluate(evaluation, rules: Any, state: Any) -> int:
        return evaluation.factor * lead(rules, state)


class Needy(NamedTuple):
    factor: int

    def evaluate(evaluation, rules: Any, state: Any) -> int:
        return evaluation.factor


class Plain:
    pass
