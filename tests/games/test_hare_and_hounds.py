"""Hare and Hounds against a naive oracle on every position, and against published results."""

from __future__ import annotations

import functools
import random

import hare_oracle
import pytest
from hare_oracle import Hunt

from petteia.checking.comparison import compare_from
from petteia.checking.sample import pick_evenly
from petteia.core.perft import perft
from petteia.core.protocol import (
    format_move,
    format_state,
    initial,
    is_over,
    legal,
    limits,
    margin,
    parse_state,
    play,
    position,
    positions,
)
from petteia.games import HareAndHounds, game

MARGIN = {"hounds": 1, "hare": -1}
VARIANTS = [{}] + [{"escape": escape, "stall": stall} for escape in ("past", "level", "end") for stall in (0, 1, 2)]


def rules_for(variant: dict[str, str | int]) -> HareAndHounds:
    options = ",".join(f"{name}={value}" for name, value in variant.items())
    return game(f"hare-and-hounds:{options}" if options else "hare-and-hounds")


@pytest.mark.parametrize("variant", [pytest.param({}, marks=pytest.mark.slow), *VARIANTS[1:]], ids=str)
def test_every_position_is_as_the_oracle_has_it(variant):
    rules, hunt = rules_for(variant), Hunt(**variant)
    seen = set()
    for place in hunt.places():
        text = str(place)
        state = parse_state(rules, text)
        seen.add(state)
        winner = hunt.winner(place)
        assert is_over(rules, state) == (winner is not None), text
        if winner:
            assert margin(rules, state) == MARGIN[winner], text
            assert legal(rules, state) == [], text
            continue
        steps = {f"{origin}-{to}": str(hunt.after(place, (origin, to))) for origin, to in hunt.steps(place)}
        found = {
            format_move(rules, state, move): format_state(rules, play(rules, state, move))
            for move in legal(rules, state)
        }
        assert found == steps, text
    assert seen == {position(rules, i) for i in range(positions(rules))}


def test_the_number_of_positions():
    assert positions(game("hare-and-hounds")) == 27720
    assert positions(game("hare-and-hounds:stall=0")) == 2640  # without the count, as published


@pytest.mark.parametrize("first", ["hounds", "hare"])
@pytest.mark.parametrize("hare", [2, 5, 10])
def test_the_start(first, hare):
    rules = rules_for({"first": first, "hare": hare})
    assert format_state(rules, initial(rules)) == str(Hunt(first=first, hare=hare).start)


def test_perft_known_from_elsewhere():
    rules = game("hare-and-hounds:escape=end")
    assert [perft(rules, initial(rules), depth) for depth in range(1, 6)] == [7, 21, 133, 443, 2879]


@pytest.mark.parametrize("variant", [{}, {"escape": "level", "stall": 1}, {"first": "hare", "stall": 0}], ids=str)
def test_perft_of_the_oracle(variant):
    rules, hunt = rules_for(variant), Hunt(**variant)
    for depth in range(1, 6):
        assert perft(rules, initial(rules), depth) == hare_oracle.perft(hunt, hunt.start, depth)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [{"stall": 0}, {}], ids=str)
def test_the_hounds_win_in_the_published_number_of_plies_whoever_begins(variant):
    """Berlekamp, Conway, Guy: the hounds win. The count of stalling moves changes nothing."""
    starts = [Hunt(first=first, **variant).start for first in ("hounds", "hare")]
    assert hare_oracle.solve(Hunt(**variant), starts) == [("hounds", 23), ("hounds", 24)]


@pytest.mark.slow
@pytest.mark.parametrize("variant", [each for each in VARIANTS if each.get("stall") != 0], ids=str)
def test_no_game_from_anywhere_is_longer_than_the_limit(variant):
    """Exactly: by the longest way through all positions, which have no cycle where stalling is counted."""
    rules = rules_for(variant)

    @functools.cache
    def longest(state):
        return (
            0 if is_over(rules, state) else 1 + max(longest(play(rules, state, move)) for move in legal(rules, state))
        )

    found = max(longest(position(rules, i)) for i in range(positions(rules)))
    assert 0.8 * limits(rules).plies <= found <= limits(rules).plies


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_compiled_games_from_anywhere_are_the_plain_ones(variant):
    rules = rules_for(variant)
    for number, i in enumerate(pick_evenly(range(positions(rules)), 100)):
        compare_from(rules, position(rules, i), number)


@pytest.mark.heavy
def test_compiled_games_from_many_random_positions_are_the_plain_ones():
    draw = random.Random(0)
    for number in range(100_000):
        rules = rules_for(draw.choice(VARIANTS))
        compare_from(rules, position(rules, draw.randrange(positions(rules))), number)
