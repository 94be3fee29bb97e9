"""Proofs of the value of a position, by searches from the position to the end of the game.

Proofs are meant for games with too many positions to be solved. A proof uses no evaluation and no limit of depth, so
its results are certain. Each step is an alpha-beta search with a null window, which tests whether the margin under
perfect play reaches a given value. The result narrows the bounds of the margin, and the steps are repeated until the
bounds meet. A transposition table stores results. Symmetric positions share an entry.

Moves that leave the opponent the fewest replies are searched first, because they lead to short proofs. With this
ordering, the proof for 6x6 British Square visits 120 million nodes. With the history heuristic, it visits more than
2,000 million. Sources: Plaat, Schaeffer, Pijls, de Bruin 1996, "Best-first fixed-depth minimax algorithms" (null
windows and memory, MTD); Allis, van der Meulen, van den Herik 1994, "Proof-number search" (few replies first).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from petteia.core.errors import InvalidError, UsageError
from petteia.core.kernel import inline, kernel
from petteia.core.names import format_game
from petteia.core.packing import distinct_key
from petteia.core.positions import read_position
from petteia.core.protocol import (
    Rules,
    State,
    format_move,
    format_state,
    has_chance,
    is_over,
    legal,
    limits,
    margin,
    margin_range,
    move_kind,
    moves,
    play,
    to_move,
    without_score,
)
from petteia.core.stop import Stop, is_stopped, obeying
from petteia.core.symmetry import canonical
from petteia.features.evaluation import LARGEST
from petteia.games import game as rules_of
from petteia.search.ends import INFINITE, cut_off
from petteia.search.memory import (
    EXACT,
    MEGABYTE,
    NO_MOVE,
    NODES,
    STOP,
    Memory,
    memory_for,
    move_of,
    must_stop,
    note,
    prepare,
    recall,
    stoppable,
    value_of,
)
from petteia.search.ordering import bring_best
from petteia.search.proof_order import score_for_proof
from petteia.search.searcher import UNLIMITED_NODES, check_choice, memory_of_machine
from petteia.search.worker import Deadline, run_apart

MEMORY = 200_000_000
"""The default maximum size of the table in bytes."""
LONGEST = 1000
"""The maximum length of a line in plies."""
NO_MOVES, TOO_LONG = 2, 3
"""Values of `counters[STOP]`: a non-terminal position has no moves; a game has too many plies."""


class ProvedMove(NamedTuple):
    """A legal move, with proved bounds of player 0's margin under perfect play."""

    move: str
    """the move as text"""
    low: int | None
    """the margin is at least this; None if nothing is proved"""
    high: int | None
    """the margin is at most this; None if nothing is proved"""

    @property
    def value(self) -> int | None:
        """The margin under perfect play if both bounds are equal, and otherwise None."""
        return self.low if self.low == self.high else None


class Proof(NamedTuple):
    """Proved bounds of the margin of a position under perfect play, from the perspective of player 0."""

    game: str
    """the text form of the rules"""
    position: str
    """the position as text"""
    low: int | None
    """the margin is at least this; None if nothing is proved"""
    high: int | None
    """the margin is at most this; None if nothing is proved"""
    move: str | None
    """a move with which the player to move obtains at least the proved bound; None if nothing is proved"""
    openings: tuple[ProvedMove, ...]
    """the legal moves with their bounds; empty if they were not requested"""
    nodes: int
    """the number of visited positions"""
    seconds: float
    """the duration of the search"""
    was_interrupted: bool
    """whether Ctrl-C or a `Stop` has ended the search"""

    @property
    def value(self) -> int | None:
        """The margin under perfect play if both bounds are equal, and otherwise None."""
        return self.low if self.low == self.high else None


MINIMUM, MAXIMUM = -(1 << 15), (1 << 15) - 1
"""The numbers that mean unknown bounds in an entry of the table. Margins beyond them are proved, but not stored."""


@inline
def low_of(known: int) -> int:
    """Return the lower bound that a table entry stores, for the player to move; MINIMUM if it is unknown."""
    return value_of(known) >> 16


@inline
def high_of(known: int) -> int:
    """Return the upper bound that a table entry stores, for the player to move; MAXIMUM if it is unknown."""
    return (value_of(known) & 0xFFFF) + MINIMUM


@inline
def bits_of(number: int) -> int:
    """Return the number of binary digits of a number, which must not be negative."""
    bits = 0
    while number > 0:
        number >>= 1
        bits += 1
    return bits


@kernel(purpose="proofs")
def reaches(rules: Rules, memory: Memory, state: State, ply: int, goal: int) -> int:
    """Test whether the player to move obtains a margin of at least `goal` under perfect play.

    The result is a bound of the margin for the player to move. If the result is at least `goal`, it is a lower bound,
    and otherwise an upper bound. `ply` is the distance from the root. If `memory.counters[STOP]` is set, the result is
    meaningless.
    """
    if must_stop(memory):
        return 0
    nodes_before = memory.counters[NODES]
    memory.counters[NODES] += 1
    side = to_move(rules, state)
    if ply > 0:  # the root must return a move
        low, high = margin_range(rules, state)
        if side != 0:
            low, high = -high, -low
        if low >= goal:
            return low
        if high < goal:
            return high
    stripped, score = without_score(rules, state)
    name = distinct_key(rules, canonical(rules, stripped))
    known = recall(memory.slots, name)
    first = NO_MOVE
    if known != 0:
        if low_of(known) > MINIMUM and low_of(known) + score >= goal:
            return low_of(known) + score
        if high_of(known) < MAXIMUM and high_of(known) + score < goal:
            return high_of(known) + score
        first = move_of(known)

    if ply + 1 == len(memory.moves):
        memory.counters[STOP] = TOO_LONG
        return 0
    count = moves(rules, state, memory.moves[ply])
    if count < 1:
        memory.counters[STOP] = NO_MOVES
        return 0
    score_for_proof(rules, state, memory, ply, count, first)
    best = -INFINITE
    best_move = NO_MOVE
    for i in range(count):
        bring_best(memory, ply, i, count)
        move = int(memory.moves[ply, i])
        child = play(rules, state, move)
        value = 0
        if is_over(rules, child):
            value = cut_off(margin(rules, child))
            if side != 0:
                value = -value
        elif to_move(rules, child) == side:
            value = reaches(rules, memory, child, ply + 1, goal)
        else:
            value = -reaches(rules, memory, child, ply + 1, 1 - goal)
        if memory.counters[STOP] != 0:
            return 0
        if value > best:
            best = value
            best_move = move
            if value >= goal:
                if ply == 0:
                    memory.pv[0, 0] = move
                memory.history[side, move_kind(rules, move)] += 1
                break

    # The table keeps the results of the largest searches: the size of the search replaces the depth of an entry.
    size = bits_of(memory.counters[NODES] - nodes_before)
    known = recall(memory.slots, name)
    low, high = MINIMUM, MAXIMUM
    if known != 0:
        low, high = low_of(known), high_of(known)
    if best >= goal:
        low = min(max(best - score, MINIMUM), MAXIMUM)
    else:
        high = min(max(best - score, MINIMUM), MAXIMUM)
        if low > MINIMUM:  # another move has obtained the lower bound
            best_move = move_of(known)
    note(memory.slots, name, low << 16 | high - MINIMUM, best_move, size, 0, EXACT)
    return best


Bounds = tuple[int | None, int | None]
"""The lower and the upper bound of a margin, from the perspective of player 0; None for an unknown bound."""
Progress = Callable[[str | None, Bounds, int, float], None]
"""A function that is called from another thread after each proof of a bound, with the text of a move (None for the
position itself), the bounds, the nodes and the seconds."""


def prove(
    game: str | Rules,
    *,
    position: str | State | None = None,
    openings: bool = False,
    seconds: float | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Proof:
    """Prove the value of a position by search. Ctrl-C ends the search and returns the bounds found so far.

    The keys of the game need not be injective. If the keys are not injective, any two positions have the same key with
    a probability of 2^-63.

    Args:
        game: the rules or their text form; the game must always end, and must have no chance nodes
        position: a state or its text form; default: the initial position
        openings: whether to prove the value of each legal move, too
        seconds: time limit; default: none
        memory: maximum size of the transposition table in bytes
        progress: function that is called after each proof of a bound
        stop: an event; when it is set, the search ends and the bounds found so far are returned

    Returns:
        The proof: bounds of the margin, a move that obtains the proved bound, and the search effort. pandas accepts the
        proof as a row.

    Raises:
        UsageError: the game or option is unknown; the game has chance nodes, may last forever or for more than 1,000
            plies, or has margins of 2^29 - 1 or more; `seconds` or `memory` is out of range
        NotFoundError: the module or class does not exist
        InvalidError: the position is malformed, impossible or finished, or the game exceeds its limits

    Examples:
        >>> proof = petteia.prove("british-square:size=3")
        >>> proof.low, proof.high, proof.move
        (1, 1, 'a1')

    """
    rules = rules_of(game)
    state = read_position(rules, position)
    _check(rules, seconds, memory)
    check_choice(rules, state)
    with obeying(stop):
        return _Prover(rules, memory, progress).prove(state, openings, seconds)


def _check(rules: Rules, seconds: float | None, memory: int) -> None:
    name = format_game(rules)
    if has_chance(rules):
        raise UsageError(f"{name}: proofs do not support chance nodes; use `petteia solve` or `petteia best`")
    if limits(rules).plies == 0:
        raise UsageError(
            f"{name}: a game may last forever according to the method `limits`, so a proof cannot follow every game; "
            "use `petteia solve`, or choose rules under which every game ends"
        )
    if seconds is not None and not seconds > 0:
        raise UsageError(f"seconds={seconds}: must be more than 0")
    if not MEGABYTE <= memory <= memory_of_machine():
        raise UsageError(
            f"memory={memory}: must be {MEGABYTE} to {memory_of_machine()} bytes (the memory of this machine); on the "
            f"command line, --memory takes 1 to {memory_of_machine() // MEGABYTE} megabytes"
        )


class _Prover:
    """A search that proves values of positions of one game, and stores its results in a table."""

    def __init__(self, rules: Rules, memory: int, progress: Progress | None) -> None:
        self.rules = rules
        self.progress = progress
        rows = min(limits(rules).plies, LONGEST) + 1
        scratch = np.zeros((2, rows, limits(rules).moves), np.int64)
        self.memory = memory_for(rules, 1, memory // MEGABYTE)._replace(moves=scratch[0], scores=scratch[1])
        self.clock = 0.0
        self.bounds: Bounds = (None, None)
        self.move: int | None = None
        self.openings: dict[int, Bounds] = {}

    def prove(self, state: State, openings: bool, seconds: float | None) -> Proof:
        """Return the proof for a non-terminal state within the time limit. Compile time does not count."""
        prepare(self.memory, 0, 0)
        reaches(self.rules, self.memory, state, 0, 0)  # stops at once
        prepare(self.memory, UNLIMITED_NODES, 0)
        self.clock = time.monotonic()
        until = None if seconds is None else self.clock + seconds
        with stoppable(self.memory):
            _, interrupted = run_apart(lambda: self._prove(state, openings), self.memory.counters, Deadline(until))
        return Proof(
            format_game(self.rules),
            format_state(self.rules, state),
            *self.bounds,
            None if self.move is None else format_move(self.rules, state, self.move),
            tuple(ProvedMove(format_move(self.rules, state, move), *bounds) for move, bounds in self.openings.items()),
            int(self.memory.counters[NODES]),
            time.monotonic() - self.clock,
            interrupted or is_stopped(),
        )

    def _prove(self, state: State, openings: bool) -> None:
        for bounds in self._narrowed(state):
            self.bounds = bounds
            self._tell(None, bounds)
            best = int(self.memory.pv[0, 0])
            self.move = None if best == NO_MOVE else best
        if not openings:
            return
        self.openings = dict.fromkeys(legal(self.rules, state), (None, None))
        proved: dict[int, Bounds] = {}
        for move in self.openings:
            child = play(self.rules, state, move)
            if is_over(self.rules, child):
                self.openings[move] = (margin(self.rules, child),) * 2
                continue
            name = distinct_key(self.rules, canonical(self.rules, child))
            if name not in proved:  # otherwise a symmetric position was proved
                for bounds in self._narrowed(child):
                    proved[name] = bounds
                    self._tell(format_move(self.rules, state, move), bounds)
            self.openings[move] = proved.get(name, (None, None))

    def _narrowed(self, state: State) -> Iterator[Bounds]:
        """Yield increasingly tight bounds on the margin, until both bounds are equal or the search must stop."""
        low = high = None
        goal = 1
        while low is None or low != high:
            value = reaches(self.rules, self.memory, state, 0, goal)
            self._check_game()
            if self.memory.counters[STOP] != 0:
                return
            if abs(value) >= LARGEST:
                raise UsageError(
                    f"{format_game(self.rules)}: the margins of the game are too large; all must be below {LARGEST:,}"
                )
            if value >= goal:
                low = value
                goal = value + 1
            else:
                high = goal = value
            yield (low, high) if to_move(self.rules, state) == 0 else (_negative(high), _negative(low))

    def _check_game(self) -> None:
        """Raise an error if the search stopped because a position has no legal moves or a game is too long."""
        name, plies, stop = format_game(self.rules), limits(self.rules).plies, self.memory.counters[STOP]
        if stop == NO_MOVES:
            raise InvalidError(f"{name}: a non-terminal position has no moves; to find it, run: petteia check {name}")
        if stop == TOO_LONG and plies <= LONGEST:
            raise InvalidError(
                f"{name}: a game is longer than the {plies:,} plies that the method `limits` declares; "
                f"to find the game, run: petteia check {name}"
            )
        if stop == TOO_LONG:
            raise UsageError(
                f"{name}: a game is longer than {LONGEST:,} plies, the limit of proofs; use `petteia solve` instead"
            )

    def _tell(self, move: str | None, bounds: Bounds) -> None:
        if self.progress is not None:
            self.progress(move, bounds, int(self.memory.counters[NODES]), time.monotonic() - self.clock)


def _negative(bound: int | None) -> int | None:
    return None if bound is None else -bound
