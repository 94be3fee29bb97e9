"""Iterative deepening: the same search again, a ply deeper each time, until a limit is reached or all is found."""

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
"""what a won end is worth in points"""
UNLIMITED_NODES = 1 << 62
MEGABYTES = 64


class Variation(NamedTuple):
    """A move of the position searched, and what follows."""

    moves: tuple[int, ...]
    """the best line of play that begins with it"""
    value: float | None
    """player 0's, in points: an end that is won is worth 99,999, less one for each ply to it if early wins count; None
    if nothing has been searched"""
    is_won: bool = False
    """whether it is certain who wins, player 0 if the value is above 0; never if a part of the search leaves moves out.
    Where chance can move: whether that player can win within the plies searched whatever falls; told if it is asked
    for, and at the end of a search"""
    plies_to_end: int | None = None
    """of a won game, where they are known: if early wins count, as they do not where chance can move, and no other line
    could be cut short, as those are that lead to a game decided before its end"""


class Thought(NamedTuple):
    """What a search has found."""

    depth: int
    """plies that were searched in full; 0: not even one"""
    variations: tuple[Variation, ...]
    """the best moves, best first; as many as were asked for, if there are so many moves"""
    nodes: int
    """positions that were looked at"""
    seconds: float
    """how long the search took"""
    is_final: bool
    """whether a deeper search would find the same, and no part of the search leaves moves out"""
    was_interrupted: bool
    """whether the user interrupted it"""
    values: dict[int, float]
    """the value of each legal move, player 0's in points, if all are known"""


Progress = Callable[[Thought], None]
"""Called, from another thread, whenever a depth has been searched."""
Patience = Callable[[Sequence[Thought]], float]
"""The seconds that a search may take in all, by what has been found at each depth; asked from another thread."""


def check_choice(rules: Rules, state: State) -> None:
    """Raise an InvalidError for a position in which there is nothing to choose."""
    if is_over(rules, state):
        raise InvalidError(f"position {format_state(rules, state)!r}: the game is over; there is nothing to search")
    if to_move(rules, state) == CHANCE:
        wrong = f"position {format_state(rules, state)!r}: chance is to move, so there is nothing to choose; "
        after = state
        for _ in range(MAX_DEPTH):  # chance may follow chance, and end the game
            if is_over(rules, after) or to_move(rules, after) != CHANCE:
                break
            after = play(rules, after, legal(rules, after)[0])
        is_choice = not is_over(rules, after) and to_move(rules, after) != CHANCE
        example = f", such as {format_state(rules, after)!r}" if is_choice else ""
        raise InvalidError(f"{wrong}give one in which a player is{example}")


def check_depth(depth: int) -> int:
    """The depth itself; a UsageError if it is out of range."""
    if not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"depth={depth}: must be in 1..{MAX_DEPTH}")
    return depth


def check_table(megabytes: int) -> int:
    """The size itself; a UsageError if it is less than one megabyte or more than what this machine has."""
    if megabytes < 1:
        raise UsageError(f"table={megabytes}: must be 1 or more megabytes")
    if megabytes * MEGABYTE > (has := memory_of_machine()):
        raise UsageError(f"table={megabytes}: is more than the {has // MEGABYTE:,} megabytes that this machine has")
    return megabytes


def memory_of_machine() -> int:
    """The bytes of memory that this machine has; very many where that is not known."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):  # not on every system
        return 1 << 40


class Searcher:
    """Searches positions of one game, and remembers between searches what it has found until `clear`."""

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
        """Args as in `alpha_beta`, `memory`, `parts` and `verification`; errors as in `check_table`.

        `megabytes`: of the table, 0 for none; `draws`: what a draw is worth for who searches, in units.
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
        """Let moves be quiet up to this change of value, where that matters, and forget what was found by another."""
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
        """Forget all that was found: the same search then finds the same in the same number of nodes."""
        self._compile()
        if not self._is_clear:  # writing to a whole table takes time
            clear(self._memory)
            self._is_clear = True

    def _compile(self) -> None:
        """Compile what searches, which must not count as thought."""
        if self._is_compiled:
            return
        self._root.counts[:] = 0  # no moves to look at
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
        """Search until `limit`, all of which counts. Ctrl-C, or a stop, ends it sooner, with what has been found.

        So does `patience`, which is asked at first and after each depth how many seconds the search may take in all.
        With the option `TIES` and a `random` state, a single line is drawn from all that are best. With `certainty` it
        also tells who wins for sure where chance can move, for which each variation takes a while beyond the limit.

        Raises an InvalidError if the game is over, a UsageError for a depth out of range or a `multipv` below 1.
        """
        check_choice(self.rules, state)
        maximum = MAX_DEPTH if limit.depth is None else check_depth(limit.depth)
        if multipv < 1:
            raise UsageError(f"multipv={multipv}: must be 1 or more")
        self._compile()
        self._is_clear = False
        is_asked = certainty and has_chance(self.rules) and sees_all(self.parts)
        if is_asked:
            is_certain(self.rules, self._memory, state, 0, 0)  # compiles, which must not count as thought either
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
        """Search deeper and deeper; `note` takes what each depth has found, and says whether the search goes on."""
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
            # The table may hold ends that come later than at this depth, and a deeper search may find earlier ones.
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
        """The place of the best move of an iteration that was stopped, if the chosen one is known to be worse."""
        root, done = self._root, self._root.counts[DONE]
        best = pick(root, [0], False) if done > 0 else 0
        if chosen < done:
            return None if is_as_good(root, chosen, best) else best
        return best if best > 0 else None  # the first one was as good as the chosen one

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
        """The same thought, whose variations tell who wins for sure."""

        def is_won(variation: Variation) -> bool:
            if not variation.value or thought.depth == 0 or is_stopped():
                return False
            winner = 0 if variation.value > 0 else 1
            after = play(self.rules, state, variation.moves[0])
            return is_certain(self.rules, self._memory, after, winner, thought.depth - 1)

        variations = tuple(each._replace(is_won=is_won(each)) for each in thought.variations)
        return thought._replace(variations=variations)

    def _values(self, state: State) -> dict[int, float]:
        """The value of each move, if all are known."""
        count = int(self._root.counts[LISTED])
        if leaves_out(self.parts.selection) or not self._root.exact[:count].all():
            return {}
        known = [self._variation(state, place) for place in range(count)]
        return {each.moves[0]: each.value for each in known if each.value is not None}


def points(evaluation: Evaluation, rules: Rules, value: int) -> float:
    """A value of a search with this evaluation in points."""
    if abs(value) < CERTAIN:
        return value / units(evaluation, rules)
    won = WON_POINTS - (WON - abs(value))
    return float(won if value > 0 else -won)
