"""Records of a player's positions and moves in games.

If both players follow policies of petteia, the games are played in compiled code, otherwise in a Python loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions, GameRow, alternate, legal_move
from petteia.core.arrays import Ints
from petteia.core.decision import Decision, Fault, Limit
from petteia.core.packing import pack
from petteia.core.protocol import Rules, State
from petteia.core.random import RandomState
from petteia.players import Player
from petteia.players.foreign import ForeignPolicyPlayer
from petteia.policies.play_games import DIGEST, play_games
from petteia.policies.policy import Policy, Scratch, begin, choose

CHUNK, ROOM = 64, 4096
"""the number of games per call, and the initial number of moves for which there is memory"""
MADE, BEGUN = 0, 1


class Recorded(NamedTuple):
    """The positions and moves of a player in some games, in the order in which they were played."""

    states: Ints
    """the positions in which the player moved: int64[moves, fields]"""
    moves: Ints
    """the move that the player chose in each position: int64[moves]"""
    games: Ints
    """the number of the game of each move: int64[moves]"""
    digests: Ints
    """a hash of the moves of each game, including games in which the player did not move: int64[games]"""


class Noting(NamedTuple):
    """A policy that records its positions and moves in arrays. Moves that do not fit are only counted."""

    policy: Policy
    """the policy whose moves are recorded"""
    states: Ints
    """the positions in which the player moved, [room, fields]"""
    moves: Ints
    """the player's move in each position, [room]"""
    games: Ints
    """the number of the game of each move, [room]"""
    counts: Ints
    """the number of moves, at index MADE, and of games, at index BEGUN: int64[2]"""

    def begin(policy, rules: Rules, random: RandomState) -> None:
        """Prepare the recorded policy for a new game, and count the game."""
        policy.counts[BEGUN] += 1
        begin(policy.policy, rules, random)

    def choose(policy, rules: Rules, state: State, random: RandomState, work: Scratch) -> int:
        """Choose a move with the recorded policy, and record it."""
        move = int(choose(policy.policy, rules, state, random, work))
        row = policy.counts[MADE]
        if row < len(policy.moves):
            pack(state, policy.states[row])
            policy.moves[row] = move
            policy.games[row] = policy.counts[BEGUN] - 1
        policy.counts[MADE] += 1
        return move


def record(conditions: Conditions, subject: Player, opponent: Player, games: int) -> Iterator[Recorded]:
    """Play `games` games and yield the positions and moves of `subject`, the first-named player, in batches.

    Raises a Fault if a player makes an illegal move or fails.
    """
    one, two = (_policy(each, conditions.rules) for each in (subject, opponent))
    if one is None or two is None:
        yield from _driven(conditions, subject, opponent, games)
    else:
        yield from _compiled(conditions, one, two, games)


def _policy(player: Player, rules: Rules) -> Policy | None:
    """Return the policy of a player, or None if there is no policy or if the policy is custom."""
    return None if isinstance(player, ForeignPolicyPlayer) else player.policy(rules)


def _compiled(conditions: Conditions, subject: Policy, opponent: Policy, games: int) -> Iterator[Recorded]:
    first, room = 0, ROOM
    while first < games:
        fields = len(conditions.starts[0])
        noting = Noting(
            policy=subject,
            states=np.zeros((room, fields), np.int64),
            moves=np.zeros(room, np.int64),
            games=np.zeros(room, np.int64),
            counts=np.zeros(2, np.int64),
        )
        played = play_games(
            conditions.rules,
            conditions.start(first),
            noting,
            opponent,
            games=min(CHUNK, games - first),
            keys=conditions.keys,
            seats=conditions.seats,
            opening=conditions.opening,
            max_plies=conditions.max_plies,
            first_game=first,
        )
        made = int(noting.counts[MADE])
        if made > room:  # play the same games again with more room
            room = 2 * made
            continue
        yield Recorded(noting.states[:made], noting.moves[:made], noting.games[:made] + first, played[:, DIGEST])
        first += len(played)


class _Noted(Player):
    """A player whose positions and moves are recorded."""

    def __init__(self, inner: Player) -> None:
        self.name, self.seats, self.independent = inner.name, inner.seats, inner.independent
        self._inner = inner
        self._game = -1
        self.forget()

    def forget(self) -> None:
        """Clear the recorded positions and moves."""
        self.states, self.moves, self.games = list[State](), list[int](), list[int]()

    def new_game(self, rules: Rules, seed: int) -> None:
        """Inform the player that a game begins."""
        self._rules = rules
        self._game += 1
        self._inner.new_game(rules, seed)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the player's decision and record it."""
        decision = self._inner.choose(state, limit)
        self.states.append(state)
        self.moves.append(legal_move(self._rules, self, state, decision.move))
        self.games.append(self._game)
        return decision

    def end_game(self, state: State) -> None:
        """Inform the player that the game has ended."""
        self._inner.end_game(state)


def _driven(conditions: Conditions, subject: Player, opponent: Player, games: int) -> Iterator[Recorded]:
    noted = _Noted(subject)
    for first in range(0, games, CHUNK):
        noted.forget()
        rows = list(map(_sound, alternate(conditions, noted, opponent, range(first, min(first + CHUNK, games)))))
        states = np.zeros((len(noted.states), len(conditions.starts[0])), np.int64)
        for state, row in zip(noted.states, states, strict=True):
            pack(state, row)
        yield Recorded(
            states, *(np.array(each, np.int64) for each in (noted.moves, noted.games, [row.digest for row in rows]))
        )


def _sound(row: GameRow) -> GameRow:
    if row.fault:
        raise Fault(row.fault, row.reason)
    return row
