"""The player that makes no mistake: `perfect`, or `perfect:table=FILE`."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from petteia.core.decision import Decision, Limit
from petteia.core.protocol import Rules, State, legal, play
from petteia.core.provenance import cached_by_code
from petteia.players.player import PolicyPlayer
from petteia.policies.perfect import PerfectPolicy
from petteia.solver import files
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import Tablebase, build

PERFECT_OPTIONS = {"table": "a file that `petteia solve` has written; without it the game is solved at once"}


@cached_by_code(maxsize=4)
def solved(rules: Rules) -> Tablebase:
    """The table of a game, from its first position. Solved once in a process."""
    return build(rules)


class PerfectPlayer(PolicyPlayer):
    """Plays by a table of the solved game, and tells what it knows about the moves."""

    def __init__(self, table: Tablebase, rules: Rules, name: str) -> None:
        super().__init__(PerfectPolicy(table), name)
        self._oracle = Oracle(rules, table=table)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move, with the exact values of all, and the plies to the end."""
        decision = super().choose(state, limit)
        values = {move: float(self._oracle.value(play(self._rules, state, move))) for move in legal(self._rules, state)}
        plies = self._oracle.distance(state) or 0
        return dataclasses.replace(decision, value=values[decision.move], depth=plies, values=values)

    def adviser(self) -> PerfectPlayer:
        """A player by the same table."""
        return PerfectPlayer(self._oracle.table, self._oracle.rules, self.name)


def parse_perfect(options: dict[str, str], rules: Rules, name: str) -> PerfectPlayer:
    """The player with these options, see `PERFECT_OPTIONS`."""
    table = files.load(Path(options["table"]), rules) if "table" in options else solved(rules)
    return PerfectPlayer(table, rules, name)
