"""The compiled loop in which two policies play many games.

Game `i` depends on the keys and on `i` alone, so the games can be cut into chunks and spread over threads at will.
Alternating between players from Python gives the same games: a player seeded with `stream(key, i)` draws the same
numbers.

Games come in pairs, with the sides exchanged. Both games of a pair have one opening, and the same dice: the n-th
outcome of chance that follows moves of player 0 is drawn by one random number in both, and so is the n-th that follows
moves of player 1. So each player has the dice that the other had, however long their turns are. With one row of dice
for the whole game, the first turn that is a cast longer would give all later ones to others, which makes the pairs
scatter more than games alone. Where outcomes differ, what is the same is the quantile.

Source: Law 2015, "Simulation modeling and analysis", chapter 11 (common random numbers, and why each purpose needs a
stream of its own).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from petteia.core import random as randomness
from petteia.core.arrays import Ints
from petteia.core.bits import HALF, mix, wrapping_add
from petteia.core.interrupt import POLL_SECONDS, InterruptLater
from petteia.core.kernel import inline, kernel
from petteia.core.protocol import CHANCE, Rules, State, chances, draw_move, has_chance, is_over, margin, play, to_move
from petteia.core.random import RandomState, draw_index, stream
from petteia.core.stop import check_stop, is_stopped
from petteia.policies.policy import Policy, Scratch, begin, choose, for_thread, workspace
from petteia.search.memory import memories, stoppable

MAX_PLIES = 1000
ATTEMPTS = 100
CHUNK_SECONDS = 0.05
MARGIN, PLIES, ENDED, DIGEST = 0, 1, 2, 3
DICE = 3
"""row of the first of the random states of chance, among those of a game"""


class RngKeys(NamedTuple):
    """The keys of the random numbers of a match."""

    opening: int
    """key of the openings, or of where games of learning start"""
    chance: int
    """key of the outcomes of chance"""
    first: int
    """key of the first player's, or the learner's, random numbers"""
    second: int
    """key of the second player's, or the opponent's, random numbers"""


def match_keys(seed: int) -> RngKeys:
    """Independent keys drawn from one seed."""
    return RngKeys(*randomness.keys(seed, 4))


@inline
def pair_of(seats: Sequence[int] | Ints, game: int) -> int:
    """The number of the pair that game number `game` belongs to; its own number where the seats stay the same.

    `seats` are those of the first-named player in games of even and odd number. What a pair has in common, its opening
    and its dice, is drawn for this number.
    """
    return game if seats[0] == seats[1] else game // 2


@inline
def dice_stream(key: int, pair: int, last: int) -> int:
    """The start of the random state of the outcomes that follow moves of `last`, in the games of this pair.

    `last` is 0 or 1; CHANCE before anybody has moved.
    """
    return stream(key, 3 * pair + last)


def dice_of(key: int, pair: int) -> list[RandomState]:
    """The random states of the outcomes of chance of a game, by who has moved last: 0, 1, CHANCE where nobody has."""
    return [[dice_stream(key, pair, last)] for last in (0, 1, CHANCE)]


@inline
def draw_outcome(rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
    """An outcome of chance, drawn with its probability."""
    count = chances(rules, state, work.moves, work.probabilities)
    return int(work.moves[draw_index(random, work.probabilities, count)])


@inline
def play_chance(rules: Rules, state: State, random: RandomState, work: Scratch) -> State:
    """The state after an outcome of chance, drawn with its probability."""
    return play(rules, state, draw_outcome(rules, state, random, work))


@inline
def draw_opening(rules: Rules, start: State, plies: int, random: RandomState, work: Scratch) -> State:
    """The state after `plies` random plies from `start`.

    An opening that ends the game is drawn again; if a hundred in a row do, they get a ply shorter.
    """
    for length in range(plies, 0, -1):
        for _ in range(ATTEMPTS):
            state = start
            for _ in range(length):
                if is_over(rules, state):
                    break
                if has_chance(rules) and to_move(rules, state) == CHANCE:
                    state = play_chance(rules, state, random, work)
                else:
                    state = play(rules, state, draw_move(rules, state, random, work.moves))
            if not is_over(rules, state):
                return state
    return start


@kernel(purpose="matches")
def _play_chunk(
    rules: Rules,
    start: State,
    one: Policy,
    two: Policy,
    seats: Ints,
    opening: int,
    max_plies: int,
    keys: RngKeys,
    first_game: int,
    results: Ints,
    random: Ints,
    work: Scratch,
) -> None:
    """Play games number `first_game` and on, one for each row of `results`, int64[games, 4], see `play_games`.

    `seats`, int64[2], are the seats of `one` in even and odd games; `random`, int64[6, 1], holds the random states of
    openings, of both players, and three of chance, see `dice_of`.
    """
    for number in range(len(results)):
        game = first_game + number
        seat = seats[game % 2]
        pair = pair_of(seats, game)
        random[0, 0] = stream(keys.opening, pair)
        random[1, 0] = stream(keys.first, game)
        random[2, 0] = stream(keys.second, game)
        for mover in range(3):
            random[DICE + mover, 0] = dice_stream(keys.chance, pair, mover)
        begin(one, rules, random[1])
        begin(two, rules, random[2])
        state = draw_opening(rules, start, opening, random[0], work)
        plies = 0
        digest = 0
        last = CHANCE
        over = is_over(rules, state)
        while not over and plies < max_plies:
            side = to_move(rules, state)
            if has_chance(rules) and side == CHANCE:
                state = play_chance(rules, state, random[DICE + last], work)
            else:
                if side == seat:
                    move = choose(one, rules, state, random[1], work)
                else:
                    move = choose(two, rules, state, random[2], work)
                state = play(rules, state, move)
                digest = mix(wrapping_add(digest, move + 1))
                last = side
            plies += 1
            over = is_over(rules, state)
        results[number, MARGIN] = margin(rules, state) if over else 0
        results[number, PLIES] = plies
        results[number, ENDED] = 1 if over else 0
        results[number, DIGEST] = digest


def play_games(
    rules: Rules,
    start: State,
    one: Policy,
    two: Policy,
    *,
    games: int,
    keys: RngKeys,
    seats: tuple[int, int] = (0, 1),
    opening: int = 0,
    max_plies: int = MAX_PLIES,
    first_game: int = 0,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda games: None,
    compiled: bool = True,
) -> Ints:
    """Let policy `one` play `games` games against policy `two`; returns int64[games, 4].

    `start` is a state that is not over; `seats` are those of `one` in games of even and odd number; `opening` is the
    number of random plies before the policies begin. They and the dice are the same for games 2i and 2i+1 unless the
    seats stay the same.
    The columns are MARGIN (player 0's, 0 for a draw by `max_plies`), PLIES (after the opening), ENDED (0: stopped by
    `max_plies`) and DIGEST (a hash of the moves). `advance` is told of games as they are finished. Unless `compiled`,
    all is plain Python, which checks compare. Raises `Stopped` if the work of this thread is asked to end.
    """
    results = np.zeros((games, 4), np.int64)
    where = np.array(seats, np.int64)

    play_chunk = _play_chunk if compiled else _play_chunk.function
    stopping = threading.Event()

    def run(begin: int, end: int) -> None:
        random, work = np.zeros((6, 1), np.int64), workspace(rules)
        first, second = for_thread(one), for_thread(two)
        size = 16
        with stoppable(*memories((first, second))):
            while begin < end and not stopping.is_set() and not is_stopped():
                clock = time.perf_counter()
                chunk = results[begin : min(begin + size, end)]
                play_chunk(
                    rules,
                    start,
                    first,
                    second,
                    where,
                    int(opening),
                    int(min(max_plies, HALF - 1)),
                    keys,
                    int(first_game + begin),
                    chunk,
                    random,
                    work,
                )
                begin += len(chunk)
                advance(len(chunk))
                # Few calls, since threads meet between them; but none may keep an interrupt waiting.
                seconds = max(time.perf_counter() - clock, 1e-6)
                size = max(1, min(64 * size, int(size * CHUNK_SECONDS / seconds)))

    if jobs <= 1 or games < 2 * jobs:
        run(0, games)
        check_stop()
        return results
    cuts = [games * job // jobs for job in range(jobs + 1)]
    with InterruptLater() as interrupt, ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(partial(copy_context().run, run, *ends)) for ends in pairwise(cuts)}
        try:
            while waiting:
                ended, waiting = wait(waiting, POLL_SECONDS, FIRST_EXCEPTION)
                for each in ended:
                    each.result()
                if interrupt.requested:
                    raise KeyboardInterrupt
        finally:  # an interrupt, or an error in one thread, ends them all
            stopping.set()
    check_stop()
    return results
