"""Openings that are near even: random positions, of which the most even ones are chosen.

Opening `i` is the same however many are drawn.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.arena.valuation import valuation
from petteia.core.protocol import CHANCE, Rules, State, has_chance, is_over, to_move
from petteia.core.random import RandomState, stream
from petteia.players.player import scratch
from petteia.policies.play_games import draw_opening, play_chance
from petteia.policies.policy import Scratch
from petteia.provenance.live import cached_by_code
from petteia.solver.expectation import TOLERANCE

MAX_BALANCED = 500
"""different openings; a match of more pairs begins again with the first"""
SEARCHED, LOOKED_UP = 10, 200
"""positions at most from which an opening is chosen, by how their values are found"""


class Balanced(NamedTuple):
    """Openings, and how even they are."""

    starts: tuple[State, ...]
    """the positions, different ones as far as there are enough"""
    values: tuple[float, ...]
    """the values of these positions, player 0's, in points"""
    is_exact: bool
    """whether values are those of best play"""

    def note(self, nodes: int) -> str:
        """How even they are, in a sentence."""
        how = "exactly" if self.is_exact else f"by a search of {nodes:,} nodes"
        even = sum(abs(value) <= TOLERANCE for value in self.values)
        maximum = max(abs(value) for value in self.values)
        openings = f"{len(self.starts):,} balanced openings, valued {how}"
        return f"{openings}: {even:,} are even, none is more than {maximum:.4g} points off"


@cached_by_code(maxsize=4)
def draw_balanced(rules: Rules, start: State, plies: int, nodes: int, key: int, count: int) -> Balanced:
    """So many openings of `plies` random plies from `start`; the same key gives the same ones.

    For each opening random positions are looked at, until one is as even as any opening before it, or exactly even;
    if none is, the most even of them is taken. A position is taken again only where no other was found.
    """
    value, is_exact = valuation(rules, start, nodes)
    tries, work = LOOKED_UP if is_exact else SEARCHED, scratch(rules)
    values: dict[State, float] = {}
    starts: list[State] = []
    minimum = 0.0
    for number in range(min(count, MAX_BALANCED)):
        random = [stream(key, number)]
        found, taken = list[State](), set(starts)
        for _ in range(tries):
            state = _draw(rules, start, plies, random, work)
            if state not in values:
                values[state] = value(state)
            found.append(state)
            if state not in taken and abs(values[state]) <= minimum + TOLERANCE:
                break
        starts.append(min(found, key=lambda state: (state in taken, abs(values[state]))))
        minimum = min(abs(values[state]) for state in starts)
    return Balanced(tuple(starts), tuple(values[state] for state in starts), is_exact)


def _draw(rules: Rules, start: State, plies: int, random: RandomState, work: Scratch) -> State:
    """A random position in which somebody is to move: where it is chance's turn, its outcomes are drawn, too."""
    state = draw_opening(rules, start, plies, random, work)
    while has_chance(rules) and not is_over(rules, state) and to_move(rules, state) == CHANCE:
        state = play_chance(rules, state, random, work)
    return start if is_over(rules, state) else state
