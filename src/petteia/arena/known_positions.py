"""Positions in which the values of all moves are known, and the regrets of a player's moves in these positions.

The positions are all positions of a solved game, or a random sample of them. If a game is too large to be solved, the
positions are near the end of random games. A search to the end of the game then computes the values of their moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from petteia.arena.alternate import legal_move
from petteia.arena.judgement import (
    COLUMNS,
    GIVEN,
    MISTAKE,
    REGRET,
    VALUE,
    WORST,
    draw_moves,
    judge_moves,
    judge_policy,
    turns,
)
from petteia.core.arrays import Floats, Ints
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, draw_move, has_chance, initial, is_over, legal, limits, play, to_move
from petteia.core.protocol import seats as seat_names
from petteia.core.random import below, keys, stream
from petteia.features.evaluation import Evaluation
from petteia.features.evaluations import evaluation_for
from petteia.players import Player
from petteia.players.foreign import ForeignPolicyPlayer
from petteia.policies.play_games import MAX_PLIES
from petteia.policies.policy import Policy, probabilities, tells_probabilities, workspace
from petteia.search.alpha_beta import ORDER
from petteia.search.ends import BY_MARGIN
from petteia.search.searcher import Searcher
from petteia.solver.graph import MEMORY, explore
from petteia.solver.tablebase import Tablebase

DRAWS = 2
"""the number of moves that are drawn in each position if the player gives no probabilities of its moves"""
MAX_GAMES = 1000
"""the maximum number of random games in a row without an ending"""
UNLIMITED = Limit()

IsEnding = Callable[[Rules, State], bool]
"""a function that returns whether a state is so near the end of the game that it can be searched completely"""


class KnownPositions(Protocol):
    """The interface of a collection of positions in which the values of all moves are known."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def sides(self) -> Sequence[int]:
        """The numbers of the players that are to move in these positions: 0, 1, or both."""

    @property
    def share(self) -> float:
        """The fraction of all positions that the sample contains, 0..1. It is 1 if no sample was drawn."""

    @property
    def maximum(self) -> float:
        """The largest possible regret, in points."""

    def judge(self, judged: Player, seed: int) -> Floats:
        """Return the regrets of the moves that a player chooses in these positions.

        The function returns an array, float64[positions, samples, COLUMNS]. Its last axis contains the regret and other
        measurements (see `petteia.arena.judgement`).

        If the player can report the probability of each move, `samples` is 1, and the measurements are expected values.
        Otherwise the player chooses `DRAWS` moves in each position. `samples` is then `DRAWS`.
        """


class SolvedPositions(NamedTuple):
    """Positions of a solved game."""

    rules: Rules
    start: State
    """the state in which the game starts"""
    table: Tablebase
    """the table of the solved game"""
    sides: tuple[int, ...]
    states: tuple[Ints, ...]
    """for each side of `sides`, the states in which this side is to move: int64[rows, fields]"""
    total: int
    """the number of all positions of the game, including chance nodes and positions in which the game is over"""
    share: float

    @property
    def maximum(self) -> float:
        """The largest possible regret, in points."""
        return float(self.table.values.max()) - float(self.table.values.min())

    def judge(self, judged: Player, seed: int) -> Floats:
        """Return the regrets of the moves that a player chooses; see `KnownPositions.judge`."""
        found = [self._judge(judged, *each, seed) for each in zip(self.sides, self.states, strict=True)]
        return np.concatenate(found)

    def _judge(self, judged: Player, side: int, states: Ints, seed: int) -> Floats:
        policy = judged.policy(self.rules)
        if policy is not None and tells_probabilities(policy):
            columns, draws = judge_policy(self.rules, self.start, self.table, side, states, policy), 1
        else:
            repeated, draws = np.repeat(states, DRAWS, axis=0), DRAWS
            drawn = drawn_moves(self.rules, judged, self.start, repeated, seed)
            columns = judge_moves(self.rules, self.start, self.table, side, repeated, drawn)
        return columns.reshape(-1, draws, COLUMNS)


def solved_positions(
    rules: Rules,
    start: State,
    table: Tablebase,
    *,
    sides: Sequence[int] = (0, 1),
    numbered: bool = False,
    sample: int | None = None,
    seed: int = 0,
    memory: int = MEMORY,
) -> SolvedPositions:
    """Return all positions of a solved game in which a player is to move, or a random sample of these positions.

    By default, only positions that can be reached from `start` are returned.

    Args:
        rules: the rules
        start: the state in which the game starts
        table: the table of the solved game
        sides: the numbers of one or both players; in each returned position, one of these players is to move
        numbered: whether all positions to which the game assigns a number are also returned, even if they cannot be
            reached from `start`
        sample: the maximum number of positions, drawn without repeats; default: all positions
        seed: the seed of the sample
        memory: the maximum number of bytes to be used

    Raises a UsageError if none of these players is to move in any position. Symmetric positions count separately.

    """
    states = explore(rules, start, folded=False, numbered=numbered, memory=memory).states
    found = [turns(rules, start, side, states) for side in sides]
    size = sum(map(len, found))
    if size == 0:
        names = " or ".join(seat_names(rules)[side] for side in sides)
        raise UsageError(f"{format_game(rules)}: there is no position in which {names} moves")
    if sample is not None and sample < size:
        drawn = np.sort(np.random.default_rng(seed).choice(size, sample, replace=False))
        ends = np.cumsum([len(each) for each in found])
        parts = np.split(drawn, np.searchsorted(drawn, ends[:-1]))
        found = [each[part - end + len(each)] for each, part, end in zip(found, parts, ends, strict=True)]
    share = sum(map(len, found)) / size
    return SolvedPositions(rules, start, table, tuple(sides), tuple(found), len(states), share)


def drawn_moves(rules: Rules, judged: Player, like: State, states: Ints, seed: int) -> Ints:
    """Let a player choose a move in each state of `states`, int64[rows, fields].

    The player starts a new game before each move, so the moves are independent of each other.

    Returns the codes of the chosen moves, int64[rows].
    """
    (key,) = keys(seed, 1)
    policy = None if isinstance(judged, ForeignPolicyPlayer) else judged.policy(rules)
    if policy is not None:
        return draw_moves(rules, like, states, policy, key)
    return np.array([_drawn_move(rules, judged, unpack(like, row), key, i) for i, row in enumerate(states)], np.int64)


def _drawn_move(rules: Rules, judged: Player, state: State, key: int, number: int) -> int:
    judged.new_game(rules, stream(key, number))
    return legal_move(rules, judged, state, judged.choose(state, UNLIMITED).move)


# Endings of games that are too large to be solved.


class Ending(NamedTuple):
    """A position near the end of a game, with the values of its moves."""

    state: State
    """the position, in which a player has a choice"""
    values: dict[int, float]
    """the final margin of player 0 under best play after each legal move"""


class Endings(NamedTuple):
    """Endings of a game that is too large to be solved."""

    rules: Rules
    endings: Sequence[Ending]
    sides: Sequence[int] = (0, 1)
    share: float = 0.0

    @property
    def maximum(self) -> float:
        """The largest possible regret: infinity, because it is not known for endings."""
        return float("inf")

    def judge(self, judged: Player, seed: int) -> Floats:
        """Return the regrets of the moves that a player chooses; see `KnownPositions.judge`."""
        policy = judged.policy(self.rules)
        if policy is not None and tells_probabilities(policy):
            return np.array([[_judged(self.rules, each, _probable(self.rules, policy, each))] for each in self.endings])
        (key,) = keys(seed, 1)

        def drawn(ending: Ending, number: int) -> Floats:
            return _judged(self.rules, ending, {_drawn_move(self.rules, judged, ending.state, key, number): 1.0})

        return np.array([[drawn(each, DRAWS * i + k) for k in range(DRAWS)] for i, each in enumerate(self.endings)])


def _probable(rules: Rules, policy: Policy, ending: Ending) -> dict[int, float]:
    """Return a dictionary that maps the code of each legal move in an ending to its probability under a policy."""
    out, work = np.zeros(limits(rules).moves), workspace(rules)
    count = probabilities(policy, rules, ending.state, 1.0, out, work)
    return {int(work.moves[i]): float(out[i]) for i in range(count)}


def _judged(rules: Rules, ending: Ending, chosen: dict[int, float]) -> Floats:
    """Return the expected regret of a player in an ending, as a row with the columns of `petteia.arena.judgement`.

    `chosen` maps each move that the player may choose to its probability.
    """
    row, sign = np.zeros(COLUMNS), 1.0 if to_move(rules, ending.state) == 0 else -1.0
    best = max(sign * value for value in ending.values.values())
    row[VALUE] = best
    for move, probability in chosen.items():
        value = sign * ending.values[move]
        if value < best and probability > 0.0:
            row[REGRET] += probability * (best - value)
            row[MISTAKE] += probability
            row[WORST] = max(row[WORST], best - value)
            row[GIVEN] += probability * (best > 0 >= value or best == 0)
    return row


def find_endings(
    rules: Rules,
    count: int,
    is_ending: IsEnding,
    seed: int,
    *,
    sides: Sequence[int] = (0, 1),
    evaluation: str | Evaluation | Callable[..., Any] | None = None,
    start: State | None = None,
    advance: Callable[[int], None] = lambda count: None,
) -> Endings:
    """Find positions near the end of random games, and compute the values of all moves in these positions.

    An ending is a position for which `is_ending` returns True. One of the players in `sides` must be to move in the
    ending, and must have at least two legal moves. At most one ending is taken from each random game.

    Each ending is searched to the end of the game, with moves ordered by `evaluation`. `advance` is called with the
    number of endings found so far. Raises a UsageError for a game with chance, or if `MAX_GAMES` random games in a row
    contain no ending.
    """
    if has_chance(rules):
        raise UsageError(f"{format_game(rules)}: endings need a game without chance; choose reachable, all or games")
    searcher = Searcher(rules, evaluation_for(rules, evaluation), options=BY_MARGIN | ORDER)
    endings = list[Ending]()
    for state in _endings(rules, initial(rules) if start is None else start, is_ending, sides, seed):
        thought = searcher.search(state, UNLIMITED, multipv=limits(rules).moves)
        endings.append(Ending(state, thought.values))
        advance(len(endings))
        if len(endings) == count:
            break
    return Endings(rules, endings, sides)


def _endings(rules: Rules, start: State, is_ending: IsEnding, sides: Sequence[int], seed: int) -> Iterator[State]:
    """Yield endings indefinitely, at most one from each random game."""
    (key,) = keys(seed, 1)
    buffer = [0] * limits(rules).moves
    game = without = 0
    while without < MAX_GAMES:
        random, state = [stream(key, game)], start
        seen = []
        for _ in range(MAX_PLIES):
            if is_over(rules, state):
                break
            if to_move(rules, state) in sides and is_ending(rules, state) and len(legal(rules, state)) > 1:
                seen.append(state)
            state = play(rules, state, draw_move(rules, state, random, buffer))
        without = 0 if seen else without + 1
        if seen:
            yield seen[below(random, len(seen))]
        game += 1
    raise UsageError(
        f"{format_game(rules)}: {MAX_GAMES} random games in a row had no ending with two legal moves or more"
    )
