"""Matches between policies. Their games are played entirely by compiled code."""

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
    """A policy that replaces each illegal move of another policy with the first legal move.

    A `Watched` policy also records whether the policy that it watches has chosen an illegal move.
    """

    policy: Policy
    """the policy whose moves are checked"""
    illegal: Ints
    """whether the policy has chosen an illegal move, 1 or 0: int64[1]"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Prepare the policy for a new game."""
        begin(policy.policy, rules, random)

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Return the policy's move if it is legal, otherwise the first legal move."""
        move = choose(policy.policy, rules, state, random, work)
        count = moves(rules, state, work.moves)
        for i in range(count):
            if work.moves[i] == move:
                return int(move)
        policy.illegal[0] = 1
        return int(work.moves[0])


class Compiled(NamedTuple):
    """The two policies of a match that is played by compiled code."""

    policies: tuple[Policy, Policy]
    """the policies of the first-named and of the second-named player"""
    names: tuple[str, str]
    """the names of the players"""
    foreign: tuple[bool, bool]
    """whether each policy is custom"""


def compiled_players(rules: Rules, first: Player, second: Player) -> Compiled | None:
    """Return the policies of both players for a match in compiled code, or None if a player has no policy."""
    one, two = first.policy(rules), second.policy(rules)
    if one is None or two is None:
        return None
    foreign = (isinstance(first, ForeignPolicyPlayer), isinstance(second, ForeignPolicyPlayer))
    return Compiled((one, two), (first.name, second.name), foreign)


def play_compiled(conditions: Conditions, players: Compiled, games: range) -> Ints | None:
    """Play a range of games in compiled code, and return the same table as `petteia.policies.play_games`.

    If games come in pairs, the range must contain both games of each pair. Returns None if a custom policy failed or
    chose an illegal move. The caller must then play the games in a Python loop (`petteia.arena.alternate`), which
    reports the fault. Raises `Stopped` if another thread has requested a stop.
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
    except Exception as error:  # a custom policy can raise anything
        if not any(players.foreign):
            raise
        culprit = players.foreign.index(True)
        explain_compiler(error, players.names[culprit], conditions.rules, players.policies[culprit])
        return None
    return None if illegal[0] else columns


def _numbers(conditions: Conditions, games: range) -> Iterator[range]:
    """Split a range of game numbers into shorter ranges. All games of a shorter range have the same start state."""
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
