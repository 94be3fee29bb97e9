"""What one position is worth, proved by searching from it to the ends of games.

For games that have too many positions to list. A search asks no evaluation and stops at no depth, so that what it
finds holds: each test is alpha-beta with a null window, which tells whether the margin under best play is at least so
much, and remembers what it has found, images of a position counted as one. Test follows test until the bounds meet.

The moves that leave the opponent fewest replies are tried first, as they lead to short proofs: 6x6 British Square takes
120 million nodes so, and more than 2,000 million in the order by which moves have been good elsewhere. Sources:
Plaat, Schaeffer, Pijls, de Bruin 1996, "Best-first fixed-depth minimax algorithms" (null windows and memory, MTD);
Allis, van der Meulen, van den Herik 1994, "Proof-number search" (few replies first).
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
"""bytes of the table, at most"""
LONGEST = 1000
"""plies of a line of play that a search follows"""
NO_MOVES, TOO_LONG = 2, 3
"""what `counters[STOP]` is where a position that is not over has no moves, or a game goes on for too many plies"""


class ProvedMove(NamedTuple):
    """A legal move, and what has been proved of it. Margins are those under best play after it, player 0's."""

    move: str
    """the move as text"""
    low: int | None
    """the margin is at least this; None if nothing is proved"""
    high: int | None
    """the margin is at most this; None if nothing is proved"""

    @property
    def value(self) -> int | None:
        """The margin, where the bounds have met."""
        return self.low if self.low == self.high else None


class Proof(NamedTuple):
    """What has been proved of a position. Margins are those under best play, player 0's."""

    game: str
    """the text form of the rules"""
    position: str
    """the position as text"""
    low: int | None
    """the margin is at least this; None if nothing is proved"""
    high: int | None
    """the margin is at most this; None if nothing is proved"""
    move: str | None
    """a move by which its mover gets what is proved that it gets at least; None if nothing is"""
    openings: tuple[ProvedMove, ...]
    """the legal moves, if they were asked for and looked at in time"""
    nodes: int
    """positions that were looked at"""
    seconds: float
    """how long it took"""
    was_interrupted: bool
    """whether Ctrl-C or a stop has ended it"""

    @property
    def value(self) -> int | None:
        """The margin, where the bounds have met."""
        return self.low if self.low == self.high else None


MINIMUM, MAXIMUM = -(1 << 15), (1 << 15) - 1
"""bounds in an entry of the table that say nothing; margins beyond them are proved, but not remembered"""


@inline
def low_of(known: int) -> int:
    """What the mover gets at least, by an entry of the table; MINIMUM if that is not known."""
    return value_of(known) >> 16


@inline
def high_of(known: int) -> int:
    """What the mover gets at most; MAXIMUM if that is not known."""
    return (value_of(known) & 0xFFFF) + MINIMUM


@inline
def bits_of(number: int) -> int:
    """How many binary digits a number that is not negative has."""
    bits = 0
    while number > 0:
        number >>= 1
        bits += 1
    return bits


@kernel(purpose="proofs")
def reaches(rules: Rules, memory: Memory, state: State, ply: int, goal: int) -> int:
    """Whether the mover of a state that is not over gets a margin of `goal` or more under best play.

    If so, the margin that is proved is returned, the mover's (a lower bound); if not, one below `goal` that it cannot
    exceed (an upper bound). `ply` is the distance from the root. When `memory.counters[STOP]` is set the value means
    nothing.
    """
    if must_stop(memory):
        return 0
    nodes_before = memory.counters[NODES]
    memory.counters[NODES] += 1
    side = to_move(rules, state)
    if ply > 0:  # a move is wanted at the root
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

    # The table keeps what took longest to find: the size of the search is in the place of a depth.
    size = bits_of(memory.counters[NODES] - nodes_before)
    known = recall(memory.slots, name)
    low, high = MINIMUM, MAXIMUM
    if known != 0:
        low, high = low_of(known), high_of(known)
    if best >= goal:
        low = min(max(best - score, MINIMUM), MAXIMUM)
    else:
        high = min(max(best - score, MINIMUM), MAXIMUM)
        if low > MINIMUM:  # it was reached by another move
            best_move = move_of(known)
    note(memory.slots, name, low << 16 | high - MINIMUM, best_move, size, 0, EXACT)
    return best


Bounds = tuple[int | None, int | None]
"""Of a margin, player 0's: at least and at most; None for what is not known."""
Progress = Callable[[str | None, Bounds, int, float], None]
"""Called, from another thread, whenever a bound has been proved: with a move's text, or None for the position itself,
the bounds, nodes and seconds."""


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
    """Prove the value of a position by search; Ctrl-C ends the search with the bounds found so far.

    A game whose keys are not injective is searched, too: there two positions are taken for one with a probability of
    2^-63.

    Args:
        game: the rules or their text; without chance, and with games that come to an end
        position: a state or its text; default: the game's first position
        openings: prove the value of each legal move, too
        seconds: how long it may take; default: until all is proved
        memory: bytes that the table of positions may take
        progress: who is told whenever a bound has been proved
        stop: ends it, once set, with the bounds found so far

    Returns:
        The bounds, a row that pandas takes.

    Raises:
        UsageError: an unknown game or option; a game with chance, whose games may last for ever or go on for more than
            1,000 plies, or with margins of 2^29 - 1 or more; `seconds` or `memory` out of range
        NotFoundError: a module or class that is not there
        InvalidError: a malformed or impossible position, or one where the game is over; a game that does not keep to
            its limits

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
        raise UsageError(f"{name}: has chance, where margins are expectations; use petteia solve or petteia best")
    if limits(rules).plies == 0:
        raise UsageError(
            f"{name}: by its limits a game may last for ever, so that no search comes to the ends of all; "
            "use petteia solve, or rules that end every game"
        )
    if seconds is not None and not seconds > 0:
        raise UsageError(f"seconds={seconds}: must be more than 0")
    if not MEGABYTE <= memory <= memory_of_machine():
        raise UsageError(
            f"memory={memory}: must be in {MEGABYTE}..{memory_of_machine()} bytes, as many as there are here; "
            f"by --memory 1 to {memory_of_machine() // MEGABYTE}"
        )


class _Prover:
    """Proves positions of one game, and remembers what it has found."""

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
        """What is proved of a state that is not over in so many seconds; compiling does not count."""
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
            if name not in proved:  # else an image of it was
                for bounds in self._narrowed(child):
                    proved[name] = bounds
                    self._tell(format_move(self.rules, state, move), bounds)
            self.openings[move] = proved.get(name, (None, None))

    def _narrowed(self, state: State) -> Iterator[Bounds]:
        """The bounds of the margin as they are proved, closer each time, until they meet or time is up."""
        low = high = None
        goal = 1
        while low is None or low != high:
            value = reaches(self.rules, self.memory, state, 0, goal)
            self._check_game()
            if self.memory.counters[STOP] != 0:
                return
            if abs(value) >= LARGEST:
                raise UsageError(f"{format_game(self.rules)}: has margins of {LARGEST:,} or more, which are not proved")
            if value >= goal:
                low = value
                goal = value + 1
            else:
                high = goal = value
            yield (low, high) if to_move(self.rules, state) == 0 else (_negative(high), _negative(low))

    def _check_game(self) -> None:
        """Raise an error if it is the game that has ended the search."""
        name, plies, stop = format_game(self.rules), limits(self.rules).plies, self.memory.counters[STOP]
        if stop == NO_MOVES:
            raise InvalidError(f"{name}: a position that is not over has no moves; to see where: petteia check {name}")
        if stop == TOO_LONG and plies <= LONGEST:
            raise InvalidError(
                f"{name}: a game goes on for more than the {plies:,} plies of limits(rules); "
                f"to see where: petteia check {name}"
            )
        if stop == TOO_LONG:
            raise UsageError(
                f"{name}: games go on for more than {LONGEST:,} plies, as far as proofs follow them; use petteia solve"
            )

    def _tell(self, move: str | None, bounds: Bounds) -> None:
        if self.progress is not None:
            self.progress(move, bounds, int(self.memory.counters[NODES]), time.monotonic() - self.clock)


def _negative(bound: int | None) -> int | None:
    return None if bound is None else -bound
