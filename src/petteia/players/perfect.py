"""The player `perfect`, which plays perfectly by the table of the solved game: `perfect`, `perfect:table=FILE`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, NamedTuple

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.options import TEXT, WHOLE
from petteia.core.protocol import Rules, State, legal, play
from petteia.players.player import PolicyPlayer
from petteia.policies.perfect_policy import PerfectPolicy
from petteia.provenance.live import cached_by_code
from petteia.solver import files
from petteia.solver.graph import MEMORY
from petteia.solver.memory_errors import MEGABYTE, InsufficientMemoryError
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import Tablebase, build


class PerfectOptions(NamedTuple):
    """The options of `perfect`; None means that an option is not given."""

    table: Annotated[
        str | None, TEXT, "file written by `petteia solve --table` (default: the game is solved first)"
    ] = None
    memory: Annotated[
        int | None, WHOLE, f"memory limit for solving and for the table, in megabytes (default {MEMORY // MEGABYTE})"
    ] = None


def solved(rules: Rules, memory: int = MEMORY) -> Tablebase:
    """Return the table of a solved game, built with at most `memory` bytes. The process caches the table.

    Raises UsageError if the game cannot be solved within `memory` bytes, even if the cache contains a table that was
    built with more memory.
    """
    kept = _kept(rules)
    if not kept or memory < kept[0][0]:
        kept[:] = [(memory, build(rules, memory=memory))]
    return kept[0][1]


@cached_by_code(maxsize=4)
def _kept(rules: Rules) -> list[tuple[int, Tablebase]]:
    """Return the cached table of a game: a list that is empty or contains one pair, the memory limit and the table.

    For a game without a cached table, the list is empty. The caller adds the pair to this list, and later calls return
    the same list.
    """
    return []


class PerfectPlayer(PolicyPlayer):
    """A player that plays perfectly by the table of the solved game, and reports the exact values of all moves."""

    def __init__(self, table: Tablebase, rules: Rules, name: str) -> None:
        super().__init__(PerfectPolicy(table), name)
        self._oracle = Oracle(rules, table=table)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the policy's move, with the exact values of all moves and the number of plies to the end."""
        decision = super().choose(state, limit)
        values = {move: float(self._oracle.value(play(self._rules, state, move))) for move in legal(self._rules, state)}
        plies = self._oracle.distance(state) or 0
        return dataclasses.replace(decision, value=values[decision.move], depth=plies, values=values)

    def adviser(self) -> PerfectPlayer:
        """Return another player that uses the same solved table, for hints."""
        return PerfectPlayer(self._oracle.table, self._oracle.rules, self.name)


def make_perfect(options: PerfectOptions, rules: Rules, name: str, memory: int | None = None) -> PerfectPlayer:
    """Create the player `perfect`. If the options set no memory limit, `memory` is the limit in bytes."""
    allowed = options.memory
    if allowed == 0:
        raise UsageError(f"player {name}: memory=0: must be 1 or more megabytes")
    size = allowed * MEGABYTE if allowed is not None else memory or MEMORY
    try:
        table = solved(rules, size) if options.table is None else files.load(Path(options.table), rules, memory=size)
    except InsufficientMemoryError as error:
        if allowed is None and memory is not None:
            raise
        others = [] if options.table is None else [f"table={options.table}"]
        raise error.by(f"perfect:{','.join([*others, 'memory={}'])}", f"player {name}") from None
    return PerfectPlayer(table, rules, name)
