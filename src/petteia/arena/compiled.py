"""Games of a match in the compiled loop, where both players follow policies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions
from petteia.core.arrays import Ints
from petteia.core.errors import Stopped
from petteia.core.protocol import Rules, State, moves
from petteia.core.random import RandomState
from petteia.players import Player
from petteia.players.foreign import ForeignPolicyPlayer, explain_compiler
from petteia.policies.play_games import play_games
from petteia.policies.policy import Policy, Scratch, begin, choose


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


class Compiled(NamedTuple):
    """What the compiled loop needs to know of two players that follow policies."""

    policies: tuple[Policy, Policy]
    """those of the first-named and of the second-named player"""
    names: tuple[str, str]
    """the names of the players"""
    foreign: tuple[bool, bool]
    """whether they are users' policies"""


def compiled_players(rules: Rules, first: Player, second: Player) -> Compiled | None:
    """What the compiled loop needs to know of these players; None if one of them has no policy."""
    one, two = first.policy(rules), second.policy(rules)
    if one is None or two is None:
        return None
    foreign = (isinstance(first, ForeignPolicyPlayer), isinstance(second, ForeignPolicyPlayer))
    return Compiled((one, two), (first.name, second.name), foreign)


def play_compiled(conditions: Conditions, players: Compiled, games: range) -> Ints | None:
    """The games of these numbers as columns, see `play_games`; no pair of them is torn apart.

    None if a user's policy did something that only games driven from Python can tell. Raises `Stopped` if the work of
    this thread is asked to end.
    """
    illegal = np.zeros(1, np.int64)
    policies = [
        Watched(policy, illegal) if own else policy
        for policy, own in zip(players.policies, players.foreign, strict=True)
    ]
    try:
        columns = np.concatenate([_duel(conditions, policies, numbers) for numbers in _numbers(conditions, games)])
    except Stopped:
        raise
    except Exception as error:  # a user's policy can raise anything
        if not any(players.foreign):
            raise
        culprit = players.foreign.index(True)
        explain_compiler(error, players.names[culprit], conditions.rules, players.policies[culprit])
        return None
    return None if illegal[0] else columns


def _numbers(conditions: Conditions, games: range) -> Iterator[range]:
    """The numbers of games that are played at a time: those of one start."""
    size = len(games) if len(conditions.starts) == 1 else conditions.games_per_opening
    for number in range(games.start, games.stop, size):
        yield range(number, min(number + size, games.stop))


def _duel(conditions: Conditions, policies: list[Policy], numbers: range) -> Ints:
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
    )
