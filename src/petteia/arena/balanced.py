"""Balanced openings, which are random openings that lead to positions with a value close to 0.

If more openings are drawn with the same random key, the first openings remain the same.
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
"""the maximum number of different openings; a match with more pairs of games uses the same openings again"""
SEARCHED, LOOKED_UP = 10, 200
"""the maximum number of candidates for an opening: with values from a search, and with values from a table"""


class Balanced(NamedTuple):
    """The positions after balanced openings, with their values."""

    starts: tuple[State, ...]
    """the positions after the openings; they all differ if the game has enough positions"""
    values: tuple[float, ...]
    """the values of these positions for player 0, in points"""
    is_exact: bool
    """whether the values are those of best play, instead of a search"""

    def note(self, nodes: int) -> str:
        """Return a sentence for the user: how many openings have the value 0, and the largest absolute value."""
        how = "exactly" if self.is_exact else f"by a search of {nodes:,} nodes"
        even = sum(abs(value) <= TOLERANCE for value in self.values)
        maximum = max(abs(value) for value in self.values)
        openings = f"{len(self.starts):,} balanced openings, valued {how}"
        return f"{openings}: {even:,} have the value 0, and no value is more than {maximum:.4g} points from 0"


@cached_by_code(maxsize=4)
def draw_balanced(rules: Rules, start: State, plies: int, nodes: int, key: int, count: int) -> Balanced:
    """Choose `count` balanced openings, each of `plies` random plies from `start`. At most `MAX_BALANCED` are chosen.

    The same `key` gives the same openings. For each opening, positions are drawn at random until the value of a
    position is close enough to 0. For the first opening, the value must be 0. For each later opening, its absolute
    value must not exceed the smallest absolute value of the earlier openings. If the maximum number of attempts is
    reached, the drawn position with the value closest to 0 is chosen. A position that is already an opening is chosen
    again only if no other position was drawn.
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
    """Return the state after `plies` random plies. If it is a chance node, draw outcomes until a player is to move.

    If the game ends before a player is to move, the function returns `start`.
    """
    state = draw_opening(rules, start, plies, random, work)
    while has_chance(rules) and not is_over(rules, state) and to_move(rules, state) == CHANCE:
        state = play_chance(rules, state, random, work)
    return start if is_over(rules, state) else state
