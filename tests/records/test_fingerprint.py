"""The fingerprint of rules depends on what they do, not on how they are written."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from petteia.core.options import Range
from petteia.core.protocol import Limits
from petteia.games import game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.records.fingerprint import fingerprint

RULES = game("hare-and-hounds")


class Backwards(HareAndHounds):
    """Hare and Hounds with its moves listed in another order."""

    def moves(rules, state, out):
        count = HareAndHounds.moves(rules, state, out)
        out[:count] = out[:count][::-1]
        return count


class OtherKeys(HareAndHounds):
    def key(rules, state):
        return HareAndHounds.key(rules, state) ^ 1


class OtherMargins(HareAndHounds):
    def margin(rules, state):
        return 2 * HareAndHounds.margin(rules, state)


class Coin(NamedTuple):
    """A state of Toss: tosses left, and what was won."""

    left: int
    won: int


class Toss(NamedTuple):
    """Nothing but chance: heads of a coin are counted."""

    bias: Annotated[int, Range(1, 9)] = 5
    tosses: Annotated[int, Range(1, 500)] = 5

    def initial(rules):
        return Coin(rules.tosses, 0)

    def to_move(rules, state):
        return 2

    def chances(rules, state, moves, probabilities):
        moves[0], moves[1] = 0, 1
        probabilities[0], probabilities[1] = 1 - rules.bias / 10, rules.bias / 10
        return 2

    def play(rules, state, move):
        return Coin(state.left - 1, state.won + move)

    def is_over(rules, state):
        return state.left == 0

    def margin(rules, state):
        return state.won

    def key(rules, state):
        return state.left << 16 | state.won

    def limits(rules):
        return Limits(2, 2, rules.tosses)


def test_the_fingerprint_depends_on_behaviour_alone() -> None:
    same = fingerprint(HareAndHounds())
    assert same == fingerprint(HareAndHounds())
    assert len(same) == 16
    others = [cls() for cls in (Backwards, OtherKeys, OtherMargins)]
    others += [game(f"hare-and-hounds:{option}") for option in ("first=hare", "stall=3", "escape=level", "hare=8")]
    assert len({same, *map(fingerprint, others)}) == 1 + len(others)
    assert fingerprint(Toss(5)) != fingerprint(Toss(6))
    assert fingerprint(Toss(5, 300)) == fingerprint(Toss(5, 300))
