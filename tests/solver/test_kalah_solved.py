"""Kalah solved: published values, and those of a slow search by a program of another hand."""

from __future__ import annotations

import kalah_oracle
import pytest
from kalah_oracle import OPTIONS, Game

import petteia
from petteia.core.errors import UsageError
from petteia.core.protocol import max_positions, parse_state
from petteia.games import game
from petteia.solver.oracle import Oracle

IRVING = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWWL", 4: "WWWW", 5: "DD", 6: "W"}
"""Irving, Donkers, Uiterwijk 2000: what the first player gets with so many pits and 1, 2, 3, ... seeds in each, under
`capture=empty,end=either`; as far as all positions fit into memory."""
LARGE = {(3, 5), (3, 6), (4, 2), (4, 3), (4, 4), (5, 1), (5, 2), (6, 1)}
MEMORY = 16_000_000_000


@pytest.mark.parametrize(
    ("pits", "seeds", "result"),
    [
        pytest.param(pits, seeds, result, marks=[pytest.mark.heavy] * ((pits, seeds) in LARGE))
        for pits, results in IRVING.items()
        for seeds, result in enumerate(results, 1)
    ],
)
def test_who_wins_is_as_published(pits, seeds, result):
    found = petteia.solve(f"kalah:pits={pits},seeds={seeds},capture=empty,end=either", memory=MEMORY)
    assert "LDW"[(found.value > 0) - (found.value < 0) + 1] == result


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("seeds", "capture", "value"), [(3, "empty", 8), (3, "nonempty", 6), (4, "empty", 2), (4, "nonempty", 2)]
)
def test_by_how_much_is_as_published(seeds, capture, value):
    found = petteia.solve(f"kalah:pits=4,seeds={seeds},capture={capture},end=either", memory=MEMORY)
    assert found.value == value
    assert max(opening.value for opening in found.openings) == value


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    ("pits", "seeds"),
    [
        (1, 5),
        (2, 2),
        (2, 3),
        (3, 1),
        (3, 2),
        *(pytest.param(*size, marks=pytest.mark.heavy) for size in ((3, 3), (4, 1))),
    ],
)
def test_every_position_is_worth_what_a_slow_search_says(pits, seeds, options):
    slow = Game(pits, seeds, **options)
    known: dict[kalah_oracle.Position, int] = {}
    kalah_oracle.value(slow, slow.start, known)
    words = ",".join(f"{name}={word}" for name, word in options.items())
    oracle = Oracle(f"kalah:pits={pits},seeds={seeds},{words}")
    assert {str(place): oracle.value(str(place)) for place in known} == {str(place): known[place] for place in known}
    assert len(oracle.table.keys) == len(known)


@pytest.mark.parametrize(("pits", "seeds"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_there_are_as_many_positions_as_is_said(pits, seeds):
    rules = game(f"kalah:pits={pits},seeds={seeds}")
    total = 2 * pits * seeds

    def laid(hollows, left):
        if hollows == 1:
            return [[left]]
        return [[first, *rest] for first in range(left + 1) for rest in laid(hollows - 1, left - first)]

    texts = [str(kalah_oracle.Position(tuple(each), side)) for each in laid(2 * pits + 2, total) for side in "sn"]
    assert len({parse_state(rules, text) for text in texts}) == max_positions(rules)


def test_the_number_of_positions_stays_in_a_word():
    assert max_positions(game("kalah")) == 13_132_444_545_150
    assert max_positions(game("kalah:pits=7,seeds=18")) == (1 << 63) - 1


def test_what_does_not_fit_is_refused_with_what_it_would_take():
    with pytest.raises(UsageError) as raised:
        Oracle("kalah", memory=10_000_000)
    assert "has more than 150,000 positions by an estimate from random games" in str(raised.value)
    with pytest.raises(UsageError, match="different positions may have the same key"):
        Oracle("kalah:seeds=6")
