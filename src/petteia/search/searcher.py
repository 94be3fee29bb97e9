"""Iterative deepening: a search repeated with increasing depth until a limit is reached or the result is final."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    check_count,
    format_state,
    has_chance,
    initial,
    is_over,
    legal,
    play,
    provides,
    to_move,
)
from petteia.core.random import RandomState
from petteia.core.stop import is_stopped
from petteia.features.evaluation import Evaluation
from petteia.search.alpha_beta import STANDARD, TIES
from petteia.search.certainty import is_certain
from petteia.search.ends import (
    BY_MARGIN,
    BY_RESULT,
    BY_VALUE,
    CERTAIN,
    DECIDED,
    EARLY,
    WON,
    allowed,
    for_player_0,
    units,
)
from petteia.search.memory import (
    DONE,
    GUESSES,
    LISTED,
    MAX_DEPTH,
    MEGABYTE,
    NO_MOVE,
    NODES,
    STOP,
    Memory,
    Root,
    clear,
    memory_for,
    prepare,
    root_for,
    stoppable,
)
from petteia.search.parts import STANDARD_PARTS, Parts, Search, leaves_out, plies_beyond, sees_all
from petteia.search.quiescence import UntilQuiet
from petteia.search.root import is_as_good, list_root, pick, search_root, sort_root
from petteia.search.verification import Verification, is_quiet_move, verify
from petteia.search.worker import Deadline, run_apart

WON_POINTS = 99_999
"""The value of a won game in points."""
UNLIMITED_NODES = 1 << 62
MEGABYTES = 64


class Variation(NamedTuple):
    """A move in the root position with its principal variation and its value."""

    moves: tuple[int, ...]
    """the principal variation that begins with the move"""
    value: float | None
    """value in points, from the perspective of player 0; None if nothing has been searched. A won game has the value
    99,999, minus one for each ply if early wins count"""
    is_won: bool = False
    """whether the winner is certain: player 0 if the value is above 0. It is never certain if a part of the search
    leaves out moves. In games with chance nodes, it means a win within the searched plies for every outcome, and is
    computed only on request at the end of a search"""
    plies_to_end: int | None = None
    """plies to the end of a won game, if known. Early wins must count, and no line may stop at a decided game before
    its end"""


class Thought(NamedTuple):
    """The result of a search: the best moves with their values, the depth reached, and the search effort."""

    depth: int
    """the last depth that was searched completely; 0 if there is none"""
    variations: tuple[Variation, ...]
    """the best moves, best first: the requested number, or all moves if there are fewer"""
    nodes: int
    """the number of visited positions"""
    seconds: float
    """duration of the search"""
    is_final: bool
    """whether a deeper search would find the same result, and no part of the search leaves out moves"""
    was_interrupted: bool
    """whether the user interrupted the search"""
    values: dict[int, float]
    """the value of each legal move in points, from the perspective of player 0; empty unless all values are exact"""


Progress = Callable[[Thought], None]
"""A function that a search calls from another thread with the result of each completed depth."""
Patience = Callable[[Sequence[Thought]], float]
"""A function that is called from another thread with all results so far, and returns the total seconds for the
search."""


def check_choice(rules: Rules, state: State) -> None:
    """Raise InvalidError if no player is to move in a position, because it is terminal or a chance node."""
    if is_over(rules, state):
        raise InvalidError(
            f"position {format_state(rules, state)!r}: the game is over; give a position with a legal move"
        )
    if to_move(rules, state) == CHANCE:
        wrong = f"position {format_state(rules, state)!r} is a chance node, in which no player chooses a move; "
        after = state
        for _ in range(MAX_DEPTH):  # chance may follow chance, and end the game
            if is_over(rules, after) or to_move(rules, after) != CHANCE:
                break
            after = play(rules, after, legal(rules, after)[0])
        is_choice = not is_over(rules, after) and to_move(rules, after) != CHANCE
        example = f", such as {format_state(rules, after)!r}" if is_choice else ""
        raise InvalidError(f"{wrong}give a position with a player to move{example}")


def check_depth(depth: int) -> int:
    """Return `depth` if it is valid. Raises UsageError if it is out of range."""
    if not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"depth={depth}: must be in 1..{MAX_DEPTH}")
    return depth


def check_table(megabytes: int) -> int:
    """Return `megabytes`. Raises UsageError if it is less than 1 or more than the memory of the machine."""
    if megabytes < 1:
        raise UsageError(f"table={megabytes}: must be 1 or more megabytes")
    if megabytes * MEGABYTE > (has := memory_of_machine()):
        raise UsageError(
            f"table={megabytes}: must be at most {has // MEGABYTE:,} megabytes, the memory of this machine"
        )
    return megabytes


def memory_of_machine() -> int:
    """Return the physical memory of this machine in bytes, or a very large number if it is unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):  # not available on every system
        return 1 << 40


class Searcher:
    """A search for positions of one game. Later searches reuse the transposition table until `clear` is called."""

    def __init__(
        self,
        rules: Rules,
        evaluation: Evaluation,
        *,
        options: int = STANDARD,
        megabytes: int = MEGABYTES,
        draws: int = 0,
        parts: Parts = STANDARD_PARTS,
        verification: Verification | None = None,
    ) -> None:
        """Create a search with an empty transposition table.

        Args:
            rules: the rules of the game
            evaluation: the evaluation of the leaves
            options: the options of `alpha_beta`, `ends` and `chance`, as a bit set
            megabytes: size of the transposition table; 0 for none
            draws: value of a draw for the searching player, in units of the search (see `ends.units`)
            parts: the components of the search: its horizon, selection and ordering of moves
            verification: the settings for the verification of the chosen move; default: moves are not verified

        Raises:
            UsageError: `megabytes` is out of range, or the game has too many move codes

        """
        if megabytes:
            check_table(megabytes)
        self.rules = rules
        self.megabytes = megabytes
        self.evaluation = evaluation
        self.draws = draws
        self.parts = parts
        self.verification = verification
        options = allowed(rules, options)
        self.options = options & ~DECIDED if options & (BY_MARGIN | BY_VALUE | BY_RESULT) else options
        self._memory: Memory = memory_for(rules, MAX_DEPTH + plies_beyond(parts.horizon), megabytes)
        self._root: Root = root_for(rules)
        self._is_compiled = False
        self._is_clear = True

    def set_threshold(self, threshold: int) -> None:
        """Set the largest change of the evaluation that counts as quiet, in quiescence search and in verification.

        If the threshold of the quiescence search changes, the stored results of earlier searches are deleted.
        """
        horizon = self.parts.horizon
        if isinstance(horizon, UntilQuiet) and horizon.threshold != threshold:
            self.parts = self.parts._replace(horizon=horizon._replace(threshold=threshold))
            self.clear()
        if self.verification is not None:
            self.verification = self.verification._replace(threshold=threshold)

    @property
    def _search(self) -> Search:
        return Search(self.rules, self.evaluation, self.parts, self.options, self._memory)

    def clear(self) -> None:
        """Delete all results of previous searches, so that a repeated search visits the same nodes."""
        self._compile()
        if not self._is_clear:  # clearing a whole table takes time
            clear(self._memory)
            self._is_clear = True

    def _compile(self) -> None:
        """Compile the search in advance, because compilation must not count as search time."""
        if self._is_compiled:
            return
        self._root.counts[:] = 0  # no moves to search
        start = initial(self.rules)
        search_root(self._search, start, 1, 1, self._root)
        if not is_over(self.rules, start):
            list_root(self._search, start, self._root)
            if self.verification is not None:
                is_quiet_move(self._search, start, int(self._root.moves[0]), 0)
        self._is_compiled = True

    def search(
        self,
        state: State,
        limit: Limit,
        *,
        multipv: int = 1,
        random: RandomState | None = None,
        progress: Progress | None = None,
        patience: Patience | None = None,
        certainty: bool = False,
    ) -> Thought:
        """Search a position with increasing depth. After Ctrl-C or a stop request, return the results found so far.

        Args:
            state: the root position, in which a player is to move
            limit: the limits of depth, nodes and time; the search ends when the first limit is reached
            multipv: number of best moves whose variations are returned
            random: random state that chooses among equally good best moves; requires the option `TIES` and `multipv=1`
            progress: function that is called with the result after each depth
            patience: function that is called at the start and after each depth, with a list of the results so far; it
                returns the time limit of the whole search in seconds
            certainty: whether to also find wins that no outcome of chance can prevent, in games with chance nodes; this
                takes time beyond the limit

        Returns:
            The result of the last completed depth. If the search stopped during the next depth, the best move may come
            from that depth, but only with `multipv=1`.

        Raises:
            InvalidError: the game is over, or chance is to move
            UsageError: the depth is out of range, or `multipv` is less than 1

        """
        check_choice(self.rules, state)
        maximum = MAX_DEPTH if limit.depth is None else check_depth(limit.depth)
        if multipv < 1:
            raise UsageError(f"multipv={multipv}: must be 1 or more")
        self._compile()
        self._is_clear = False
        is_asked = certainty and has_chance(self.rules) and sees_all(self.parts)
        if is_asked:
            is_certain(self.rules, self._memory, state, 0, 0)  # compile in advance, too
        clock = time.monotonic()
        counters = self._memory.counters
        max_nodes = UNLIMITED_NODES if limit.nodes is None else min(limit.nodes, UNLIMITED_NODES)
        prepare(self._memory, max_nodes, for_player_0(self.rules, state, self.draws))
        deadline = Deadline(None if limit.seconds is None else clock + limit.seconds)
        found: list[Thought] = []

        def goes_on() -> bool:
            if patience is not None:
                seconds = patience(found)
                deadline.move(clock + (seconds if limit.seconds is None else min(seconds, limit.seconds)))
            return deadline.left > 0.0

        def note(thought: Thought) -> bool:
            found.append(thought)
            if progress is not None:
                progress(thought)
            return goes_on()

        goes_on()
        with stoppable(self._memory):
            thought, interrupted = run_apart(
                lambda: self._deepen(state, maximum, multipv, clock, random, note), counters, deadline
            )
        thought = thought._replace(was_interrupted=interrupted, seconds=time.monotonic() - clock)
        return self._with_certainty(state, thought) if is_asked else thought

    def _deepen(
        self,
        state: State,
        maximum: int,
        multipv: int,
        clock: float,
        random: RandomState | None,
        note: Callable[[Thought], bool],
    ) -> Thought:
        """Search with increasing depth. After each depth, call `note(result)`, which returns whether to continue."""
        root, memory = self._root, self._memory
        check_count(self.rules, state, int(list_root(self._search, state, root)))
        multipv = min(multipv, int(root.counts[LISTED]))
        thought = Thought(0, (Variation((int(root.moves[0]),), None),), 0, 0.0, False, False, {})
        chosen = 0
        for depth in range(1, maximum + 1):
            memory.counters[GUESSES] = 0
            root.counts[DONE] = 0
            search_root(self._search, state, depth, multipv, root)
            seconds = time.monotonic() - clock
            if memory.counters[STOP]:
                if multipv == 1 and (better := self._better(chosen)) is not None:
                    thought = thought._replace(variations=(self._variation(state, better),))
                return thought._replace(nodes=int(memory.counters[NODES]))
            sort_root(root)
            # The table may contain later ends than this depth, and a deeper search may then find earlier ones.
            is_last = bool(memory.counters[GUESSES] == 0 or np.all(WON - np.abs(root.values[:multipv]) <= depth))
            if self.verification is not None and not is_last:
                verify(self.verification, self._search, state, depth, multipv, root)
            draws = random is not None and multipv == 1 and bool(self.options & TIES)
            chosen = pick(root, random, True) if draws else 0
            variations = tuple(self._variation(state, place) for place in ([chosen] if draws else range(multipv)))
            final = is_last and sees_all(self.parts)
            thought = Thought(
                depth, variations, int(memory.counters[NODES]), seconds, final, False, self._values(state)
            )
            goes_on = note(thought)
            if is_last or not goes_on or memory.counters[STOP]:
                break
        return thought

    def _better(self, chosen: int) -> int | None:
        """Return the index of a root move that turned out better than `chosen` in an unfinished iteration, or None."""
        root, done = self._root, self._root.counts[DONE]
        best = pick(root, [0], False) if done > 0 else 0
        if chosen < done:
            return None if is_as_good(root, chosen, best) else best
        return best if best > 0 else None  # the first move was as good as the chosen one

    def _variation(self, state: State, place: int) -> Variation:
        root = self._root
        rest = root.pvs[place].tolist()
        pv = (int(root.moves[place]), *rest[: rest.index(NO_MOVE)])
        value = int(root.values[place])
        in_points = points(self.evaluation, self.rules, value if to_move(self.rules, state) == 0 else -value)
        is_won = abs(value) >= CERTAIN and sees_all(self.parts)
        plies = WON - abs(value)
        tells_early = provides(self.rules, "decided") or provides(self.rules, "margin_range")
        is_cut_short = self.options & DECIDED != 0 and tells_early
        ends_at_once = value > 0 and plies == 1 and is_over(self.rules, play(self.rules, state, pv[0]))
        is_known = is_won and self.options & EARLY != 0 and (ends_at_once or not is_cut_short)
        return Variation(pv, in_points, is_won, plies if is_known else None)

    def _with_certainty(self, state: State, thought: Thought) -> Thought:
        """Return a copy of `thought` in which `is_won` of each variation states whether its winner is certain."""

        def is_won(variation: Variation) -> bool:
            if not variation.value or thought.depth == 0 or is_stopped():
                return False
            winner = 0 if variation.value > 0 else 1
            after = play(self.rules, state, variation.moves[0])
            return is_certain(self.rules, self._memory, after, winner, thought.depth - 1)

        variations = tuple(each._replace(is_won=is_won(each)) for each in thought.variations)
        return thought._replace(variations=variations)

    def _values(self, state: State) -> dict[int, float]:
        """Return the value of each root move in points, or an empty dictionary if some values are not known exactly."""
        count = int(self._root.counts[LISTED])
        if leaves_out(self.parts.selection) or not self._root.exact[:count].all():
            return {}
        known = [self._variation(state, place) for place in range(count)]
        return {each.moves[0]: each.value for each in known if each.value is not None}


def points(evaluation: Evaluation, rules: Rules, value: int) -> float:
    """Convert the value that a search with this evaluation returns to points. A win has about `WON_POINTS` points."""
    if abs(value) < CERTAIN:
        return value / units(evaluation, rules)
    won = WON_POINTS - (WON - abs(value))
    return float(won if value > 0 else -won)
