"""Games of a match in the compiled loop, where both players follow policies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions
from petteia.arena.tally import Tally
from petteia.core.arrays import Ints
from petteia.core.protocol import Rules, State, moves
from petteia.core.random import RandomState
from petteia.players import Player
from petteia.players.foreign import ForeignPolicyPlayer, explain_compiler
from petteia.policies.play_games import play_games
from petteia.policies.policy import Policy, Scratch, begin, choose

BLOCK = 1 << 16
"""games of which results are held at a time"""


class Watched(NamedTuple):
    """A policy that may not know the rules: should it choose an illegal move, that is noted and a legal one played."""

    policy: Policy
    """the policy that is watched"""
    illegal: Ints
    """1 once there was an illegal move, else 0; [1]"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Tell the policy that a game begins."""
        begin(policy.policy, rules, random)

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """The policy's move if it is legal, else the first that is."""
        move = choose(policy.policy, rules, state, random, work)
        count = moves(rules, state, work.moves)
        for i in range(count):
            if work.moves[i] == move:
                return int(move)
        policy.illegal[0] = 1
        return int(work.moves[0])


def play_compiled(
    conditions: Conditions,
    first: Player,
    second: Player,
    games: range,
    jobs: int,
    tally: Tally,
    advance: Callable[[int], None],
) -> bool:
    """Count the games of these numbers, played by `jobs` threads, in `tally`.

    False if a player has no policy, or if a user's policy did something that only games driven from Python can tell;
    then the tally, which may have some games, is of no use.
    """
    players = (first, second)
    policies = [each.policy(conditions.rules) for each in players]
    if None in policies:
        return False
    illegal = np.zeros(1, np.int64)
    done = 0

    def count(finished: int) -> None:
        nonlocal done
        done += finished
        advance(finished)

    foreign = [isinstance(each, ForeignPolicyPlayer) for each in players]
    watched = [Watched(policy, illegal) if own else policy for policy, own in zip(policies, foreign, strict=True)]
    try:
        for numbers in _numbers(conditions, games):
            tally.add_columns(numbers[0], _duel(conditions, watched, numbers, jobs, count))
            if illegal[0]:
                break
    except Exception as error:  # a user's policy can raise anything
        if not any(foreign):
            raise
        culprit = foreign.index(True)
        explain_compiler(error, players[culprit].name, conditions.rules, policies[culprit])
        illegal[0] = 1
    if illegal[0]:
        advance(-done)
        return False
    return True


def _numbers(conditions: Conditions, games: range) -> Iterator[range]:
    """The numbers of games that are played at a time: those of one start, and no pair is torn apart."""
    size = BLOCK if len(conditions.starts) == 1 else conditions.games_per_opening
    for number in range(games.start, games.stop, size):
        yield range(number, min(number + size, games.stop))


def _duel(
    conditions: Conditions, policies: list[Policy], numbers: range, jobs: int, advance: Callable[[int], None]
) -> Ints:
    return play_games(
        conditions.rules,
        conditions.start(numbers[0]),
        *policies,
        games=len(numbers),
        keys=conditions.keys,
        seats=conditions.seats,
        opening=conditions.opening,
        max_plies=conditions.max_plies,
        first_game=numbers[0],
        jobs=jobs,
        advance=advance,
    )
