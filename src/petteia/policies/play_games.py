"""The compiled loop in which two policies play many games.

Game `i` depends only on the random keys of the match and on `i`, so the games can be divided among threads in any way.
The same game can be played in plain Python: a player with the seed `stream(key, i)` draws the same random numbers.

Games come in pairs with exchanged seats. Both games of a pair have the same opening and the same dice.

The chance outcomes after moves of player 0 and after moves of player 1 come from two separate sequences of random
numbers. Both games of a pair use the same two sequences. Because the seats are exchanged, each policy gets the dice
that its opponent gets in the other game, even if their turns differ in length. If both players shared one sequence, a
longer turn would shift all later dice. The results of pairs would then vary more than those of single games.

If the n-th chance nodes of the two games have different possible outcomes, the same random number selects the
outcome at the same quantile.

Source: Law 2015, "Simulation modeling and analysis", chapter 11 (common random numbers, and why each purpose needs a
separate stream of random numbers).
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
"""The index of the first random number generator for chance outcomes, among all generators of a game."""


class RngKeys(NamedTuple):
    """The keys from which the random numbers of a match are derived."""

    opening: int
    """the key of the openings, or of the starts of training games"""
    chance: int
    """the key of the outcomes of chance"""
    first: int
    """the key of the first player's random numbers, or the learner's"""
    second: int
    """the key of the second player's random numbers, or the opponent's"""


def match_keys(seed: int) -> RngKeys:
    """Return independent keys that are drawn from one seed."""
    return RngKeys(*randomness.keys(seed, 4))


@inline
def pair_of(seats: Sequence[int] | Ints, game: int) -> int:
    """Return the number of the pair to which a game belongs. If seats are not exchanged, each game is its own pair.

    The policy `one` of `play_games` has the seat `seats[0]` in games with even numbers, and `seats[1]` in games with
    odd numbers. All games of a pair have the same opening and the same dice.
    """
    return game if seats[0] == seats[1] else game // 2


@inline
def dice_stream(key: int, pair: int, last: int) -> int:
    """Return the initial state of the random number generator for chance outcomes after moves of player `last`.

    `key` is the random key for all chance outcomes of the match, and `pair` is the number of the pair of games. Before
    the first move of a game, `last` is CHANCE instead of a player.
    """
    return stream(key, 3 * pair + last)


def dice_of(key: int, pair: int) -> list[RandomState]:
    """Return the initial states of the three random number generators for chance outcomes in a pair of games.

    The first generator draws the outcomes after moves of player 0, and the second generator draws the outcomes after
    moves of player 1. The third generator draws the outcomes before the first move.
    """
    return [[dice_stream(key, pair, last)] for last in (0, 1, CHANCE)]


@inline
def draw_outcome(rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
    """Draw an outcome of chance according to the probabilities of the outcomes."""
    count = chances(rules, state, work.moves, work.probabilities)
    return int(work.moves[draw_index(random, work.probabilities, count)])


@inline
def play_chance(rules: Rules, state: State, random: RandomState, work: Scratch) -> State:
    """Return the state after a random outcome of chance."""
    return play(rules, state, draw_outcome(rules, state, random, work))


@inline
def draw_opening(rules: Rules, start: State, plies: int, random: RandomState, work: Scratch) -> State:
    """Return the state after `plies` random plies from `start`.

    If the game ends during the random plies, the opening is drawn again. If this happens a hundred times, the opening
    becomes one ply shorter, and new openings are drawn.
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
    """Play one game for each row of `results`, int64[games, 4], beginning with number `first_game`.

    `seats`, int64[2], contains the two seats of the policy `one`: first the seat in games with even numbers, then the
    seat in games with odd numbers. `random`, int64[6, 1], is a scratch array for the states of random number
    generators. One generator is for the opening, two are for the players, and three are for chance outcomes (see
    `dice_of`).
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
    """Play `games` games of policy `one` against policy `two`.

    Args:
        rules: the rules of the game
        start: the state in which the games start; the game must not be over in it
        one: the first policy
        two: the second policy
        games: number of games
        keys: the keys of the random numbers
        seats: two seats of `one`: first its seat in games with even numbers, then its seat in games with odd numbers
        opening: number of random plies before the policies play. If the two seats in `seats` differ, games 2i and 2i+1
            have the same opening and dice
        max_plies: the maximum length of a game in plies; a longer game is a draw
        first_game: the number of the first game; the number of a game determines its random numbers
        jobs: number of threads
        advance: called with the number of games that have just finished
        compiled: whether the code is compiled; False runs the same code in plain Python, for comparison

    Returns:
        int64[games, 4] with the columns MARGIN (from the perspective of player 0), PLIES (after the opening), ENDED (0
        if `max_plies` stopped the game) and DIGEST (a hash of the moves).

    Raises:
        Stopped: another thread has requested that the games stop

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
                # Threads wait for each other between calls, so calls are few, but short enough for an interrupt.
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
        finally:  # an interrupt or an error in one thread ends all threads
            stopping.set()
    check_stop()
    return results
