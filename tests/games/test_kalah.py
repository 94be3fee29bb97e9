"""Kalah against a slow oracle on random positions, and against published numbers."""

from __future__ import annotations

import random
from typing import Any

import kalah_oracle
import pytest
from kalah_oracle import OPTIONS, Game

from petteia.checking.comparison import compare_from
from petteia.cli import main
from petteia.core.perft import perft
from petteia.core.protocol import (
    decided,
    format_move,
    format_state,
    initial,
    is_over,
    key,
    legal,
    limits,
    margin,
    moves,
    parse_move,
    parse_state,
    play,
    swapped,
)
from petteia.games import Kalah, game

SIZES = (
    *((6, 4), (1, 4), (2, 1), (2, 3), (3, 2), (4, 3), (5, 6), (7, 4)),
    *((1, 127), (2, 63), (3, 42), (4, 20), (6, 21), (7, 18)),  # as many stones as fit: several laps
)
VARIANTS = [{"pits": pits, "seeds": seeds} | options for options in OPTIONS for pits, seeds in SIZES]


def rules_for(variant: dict[str, Any]) -> Kalah:
    rules = game(f"kalah:{','.join(f'{name}={value}' for name, value in variant.items())}")
    assert isinstance(rules, Kalah)
    return rules


def compare(variant: dict[str, Any], seed: int) -> Kalah:
    """Hold a random position, and what follows from it, against the oracle; the rules."""
    rules, oracle = rules_for(variant), Game(**variant)
    place = oracle.draw(random.Random(seed))
    text = str(place)
    state = parse_state(rules, text)
    assert format_state(rules, state) == text
    assert is_over(rules, state) == oracle.is_over(place), text
    assert margin(rules, state) == oracle.margin(place), text
    mirrored = parse_state(rules, str(oracle.exchanged(place)))
    assert swapped(rules, state) == mirrored, text
    names = list(oracle.moves(place))
    assert rules.count(state) == len(names), text
    out = [0] * limits(rules).moves
    assert [format_move(rules, state, move) for move in out[: moves(rules, state, out)]] == names, text
    assert legal(rules, state) == ([] if oracle.is_over(place) else out[: len(names)]), text
    for move, hollow in zip(out, oracle.moves(place).values(), strict=False):
        after = play(rules, state, move)
        assert format_state(rules, after) == str(oracle.after(place, hollow)), (text, move)
        assert swapped(rules, after) == play(rules, mirrored, move), (text, move)
    return rules


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_random_positions_are_as_the_oracle_has_them(variant):
    for seed in range(15):
        compare(variant, seed)


@pytest.mark.heavy
def test_many_random_positions_are_as_the_oracle_has_them():
    draw = random.Random(1)
    for seed in range(100_000):
        sizes = dict(zip(("pits", "seeds"), draw.choice(SIZES), strict=True))
        if draw.randrange(2):
            sizes["pits"] = draw.randint(1, 7)
            sizes["seeds"] = draw.randint(1, 255 // (2 * sizes["pits"]))
        compare(sizes | draw.choice(OPTIONS), seed)


@pytest.mark.parametrize("variant", VARIANTS[::5], ids=str)
def test_compiled_games_from_anywhere_are_the_plain_ones(variant):
    rules, oracle = rules_for(variant), Game(**variant)
    for seed in range(10):
        place = oracle.draw(random.Random(seed))
        compare_from(rules, parse_state(rules, str(place)), seed)


@pytest.mark.heavy
def test_compiled_games_from_many_random_positions_are_the_plain_ones():
    draw = random.Random(2)
    for number in range(20_000):
        variant = draw.choice(VARIANTS)
        compare_from(rules_for(variant), parse_state(rules_for(variant), str(Game(**variant).draw(draw))), number)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("pits", "seeds"), [(1, 3), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_what_is_said_to_be_decided_is_certain_however_the_game_goes_on(options, pits, seeds):
    """Every game from every position that can be reached; and their keys tell them apart."""
    variant = {"pits": pits, "seeds": seeds} | options
    rules, oracle = rules_for(variant), Game(**variant)
    ends: dict[kalah_oracle.Position, frozenset[int]] = {}
    kalah_oracle.final_margins(oracle, oracle.start, ends)
    early = 0
    for place, margins in ends.items():
        state = parse_state(rules, str(place))
        if decided(rules, state):
            signs = {(each > 0) - (each < 0) for each in (*margins, margin(rules, state))}
            assert len(signs) == 1, place
            early += not is_over(rules, state)
        else:
            assert not is_over(rules, state), place
    assert early > 0 or pits * seeds < 6
    assert rules.injective()
    assert len({key(rules, parse_state(rules, str(place))) for place in ends}) == len(ends)


def test_keys_are_promised_to_differ_exactly_where_they_fit():
    for pits, seeds in SIZES:
        rules, oracle = Kalah(pits, seeds), Game(pits, seeds)
        draw = random.Random(0)
        found = {key(rules, parse_state(rules, str(oracle.draw(draw)))) for _ in range(300)}
        assert min(found) >= 0
        assert max(found).bit_length() <= 63
        assert rules.injective() == (2 * pits * (seeds + 1) + 2 <= 63)
    assert [Kalah(6, 4).injective(), Kalah(4, 6).injective(), Kalah(4, 7).injective()] == [True, True, False]


def test_perft_known_from_elsewhere():
    counts = [6, 35, 185, 942, 4690, 23233, 114430, 563055, 2763490]
    rules = game("kalah")
    assert [perft(rules, initial(rules), depth) for depth in range(1, 10)] == counts


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_perft_of_the_oracle(variant):
    rules, oracle = rules_for(variant), Game(**variant)
    depth = 6 if variant["pits"] < 4 else 4
    assert perft(rules, initial(rules), depth) == kalah_oracle.perft(oracle, oracle.start, depth)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("4,4,4,4,4,0/4,4,4,4,4,4,0 s", "South has 5 pits; must have 6 pits and a store"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0,0 s", "North has 7 pits; must have 6 pits and a store"),
        ("4,4,4,4,4,-4,0/4,4,4,4,4,4,8 s", "must look like '4,4,4,4,4,4,0/4,4,4,4,4,4,0 s'"),
        ("4,4,4,4,4,4,1/4,4,4,4,4,4,0 s", "the stones add up to 49; must be 48"),
        ("0,0,0,0,0,0,0/0,0,0,0,0,1,0 n", "the stones add up to 1; must be 48"),
        ("0,0,0,0,0,0,49/0,0,0,0,0,0,0 n", "South's store contains more stones than the game has (48)"),
        ("0,0,0,0,0,0,0/0,0,0,0,0,0,999999999 n", "North's store contains more stones than the game has (48)"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0", "must look like"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 south", "must look like"),
        ("4,4,4,4,4,04,0/4,4,4,4,4,4,0 s", "must look like"),
        ("", "must look like"),
    ],
)
def test_wrong_positions_are_refused_in_one_line(position, message, capsys):
    assert main(["perft", "kalah", "2", "--position", position]) == 4
    out, error = capsys.readouterr()
    assert message in error
    assert (out, error.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("pits=8", "must be in 1..7"),
        ("pits=0", "must be in 1..7"),
        ("seeds=128", "must be in 1..127"),
        ("seeds=22", "seeds=22: must be in 1..21 if each side has 6 pits"),
        ("capture=all", "must be one of nonempty, empty, without_capturer"),
        ("ends=mover", "has no option 'ends'"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options, message, capsys):
    assert main(["perft", f"kalah:{options}", "2"]) == 2
    out, error = capsys.readouterr()
    assert message in error
    assert (out, error.count("\n")) == ("", 1)


def test_a_move_from_an_empty_pit_is_refused_in_one_line(capsys):
    assert main(["perft", "kalah", "2", "--position", "0,0,0,0,0,0,24/4,4,4,4,4,4,0 s"]) == 0
    rules = game("kalah")
    state = parse_state(rules, "0,5,5,5,5,4,0/4,4,4,4,4,4,0 s")
    with pytest.raises(ValueError, match="choose from 2 3 4 5 6"):
        parse_move(rules, state, "1")
    with pytest.raises(ValueError, match="move '7' is not legal"):
        parse_move(rules, state, "7")
