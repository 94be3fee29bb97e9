"""Evaluations of one's own: which numbers they may return, and what search goes by where there is none."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import own_evaluations
import pytest
from own_evaluations import Coins, Counted, Hidden, Row, WinOnly

import petteia
from petteia.cli import main
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.kernel import kernel, runs_plain
from petteia.core.protocol import initial, parse_state
from petteia.features.evaluation import LARGEST, Zero, evaluate, unit
from petteia.features.evaluations import FRACTION, MAXIMUM, evaluation_for
from petteia.features.linear import linear
from petteia.features.margin_so_far import MarginSoFar
from petteia.features.store_difference import StoreDifference
from petteia.games import game
from petteia.games.kalah import Position
from petteia.players import player
from petteia.players.player import UNLIMITED, notices

KALAH = game("kalah")
START = initial(KALAH)
AHEAD = parse_state(KALAH, "0,0,0,0,0,1,27/1,1,1,0,0,0,17 s")
POSITION = "1,0,0,0,0,0,3/0,0,0,0,1,3,40 n"
RARE = Position(south=1, north=1 << 8, south_store=3, north_store=40, side=0)
"""where evaluations fail that rarely do; random games do not come here"""


@kernel
def evaluated(evaluation: Any, rules: Any, state: Any) -> int:
    return evaluate(evaluation, rules, state)


def worth(evaluation: Any, state: Any) -> float:
    """In points."""
    return float(evaluated(evaluation, KALAH, state) / unit(evaluation))


# Whole numbers and fractions.


@pytest.mark.parametrize(
    ("name", "units", "values"),
    [
        ("sometimes_half", FRACTION, (0.0, 5.0, -18.5)),
        ("declared_half", FRACTION, (0.0, 10.0, -36.5)),
        ("in_millions", 1, (0.0, 1e7, -3.7e7)),
        ("is_ahead", 1, (0.0, 1.0, 0.0)),
        ("enormous", FRACTION, (0.0, MAXIMUM, -MAXIMUM)),
    ],
)
def test_what_a_function_returns_decides_in_all_positions(name, units, values):
    evaluation = evaluation_for(KALAH, getattr(own_evaluations, name))
    assert unit(evaluation) == units
    assert tuple(worth(evaluation, state) for state in (START, AHEAD, RARE)) == values


def test_a_fraction_that_no_game_has_shown_is_found_by_the_type():
    """Plain Python, which has no types, asks for a declaration."""
    evaluation = evaluation_for(KALAH, own_evaluations.rarely_half)
    assert worth(evaluation, AHEAD) == 10.0
    if runs_plain():
        with pytest.raises(PetteiaError, match=r"rarely_half: returned a fraction.* by `-> float`; to"):
            worth(evaluation, RARE)
    else:
        assert worth(evaluation, RARE) == -36.5


def test_what_is_declared_must_be_so():
    with pytest.raises(
        UsageError, match=r"declared_whole: Kalah, position '.* s': the evaluation returned 0.0; must be a whole number"
    ):
        evaluation_for(KALAH, own_evaluations.declared_whole)


# What is not finite, and what is too large.


@pytest.mark.parametrize("name", ["rarely_nan", "rarely_infinite"])
def test_what_is_not_finite_is_an_error(name):
    evaluation = evaluation_for(KALAH, getattr(own_evaluations, name))
    assert worth(evaluation, AHEAD) == 5.0
    with pytest.raises(
        PetteiaError,
        match=f"^evaluation own_evaluations:{name}: the function returned a value that is not finite;",
    ):
        worth(evaluation, RARE)


@pytest.mark.slow
def test_best_tells_fractions_and_in_one_line_what_is_not_finite(capsys):
    thinker = "search:table=1,decided=no,evaluation=own_evaluations:rarely_nan"
    assert petteia.best("kalah", player=thinker, depth=1, lines=9).values == {str(pit): 0.5 for pit in range(1, 7)} | {
        "1": 0.0,
        "2": 0.0,
    }
    assert main(["best", "kalah", "--player", thinker, "--depth", "1", "--position", POSITION]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "petteia: evaluation own_evaluations:rarely_nan: the function returned a value that is not finite; all must be "
        "finite; to find the position, run: petteia check own_evaluations:rarely_nan --game GAME"
    )


VECTORS = {
    "large": ([1e300, 1e300], LARGEST),
    "large and negative": ([-1e300, 0.0], -LARGEST),
    "largest": ([0.0, -np.finfo(float).max / 20], -LARGEST),
    "too large together": ([1e308, 0.0], None),
    "infinite": ([math.inf, 0.0], None),
    "opposite": ([math.inf, -math.inf], None),
    "not a number": ([0.0, math.nan], None),
}


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_weights_are_cut_off_with_their_sign_unless_they_are_not_finite(name):
    """The features are the stores, 27 and 17."""
    weights, value = VECTORS[name]
    evaluation = linear(KALAH, own_evaluations.Stores(), np.array(weights))
    if value is not None:
        assert evaluated(evaluation, KALAH, AHEAD) == value
    else:
        with pytest.raises(PetteiaError, match="the sum of features times weights is not finite in some position"):
            evaluated(evaluation, KALAH, AHEAD)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_features_that_are_no_numbers_are_an_error():
    evaluation = linear(KALAH, own_evaluations.Broken(), np.array([2.0, 0.0]))
    assert worth(evaluation, AHEAD) == 2.0
    with pytest.raises(PetteiaError, match="petteia check FEATURES --game GAME"):
        worth(evaluation, RARE)


# Where no evaluation is given.

MARGIN = "uses the margin so far; to use only the results of finished games, choose evaluation=zero"
NOTHING = "uses only the results of finished games"


@pytest.mark.parametrize(
    ("rules", "evaluation", "told"),
    [
        (Coins(), MarginSoFar, MARGIN),
        (Coins(2), MarginSoFar, MARGIN),
        (WinOnly(), Zero, NOTHING),
        (Counted(), Zero, NOTHING),
        (Hidden(), Zero, NOTHING),
        (game("hare-and-hounds"), Zero, None),
        (KALAH, StoreDifference, None),
    ],
    ids=repr,
)
def test_a_game_with_a_score_is_valued_by_it_and_that_is_said_once(rules, evaluation, told):
    assert type(evaluation_for(rules)) is evaluation
    found = [player(name, rules) for name in ("greedy", "greedy:depth=2", "search:depth=2", "search:depth=1")]
    assert all(type(each.evaluation) is evaluation for each in found)
    lines = () if told is None else (f"no evaluation is given for {type(rules).__name__}, so the search {told}",)
    assert notices(*found) == lines
    assert notices(*(player(f"{name}:evaluation=zero", rules) for name in ("greedy", "search")), limit=ONE) == ()


ONE = petteia.Limit(depth=1)


@pytest.mark.slow
def test_the_margin_so_far_is_what_search_sees():
    """The first coin is 3, the last 5: who looks one ply ahead takes the last."""
    for name in ("greedy", "search:depth=1"):
        thinker = player(name, Coins())
        thinker.new_game(Coins(), 3)
        decision = thinker.choose(initial(Coins()), UNLIMITED)
        assert (decision.move, decision.value) == (1, 5.0)


def test_the_margin_can_be_asked_for_by_name_where_it_can_be_told():
    assert evaluation_for(Coins(), "margin") == MarginSoFar()
    assert evaluation_for(KALAH, "margin") == MarginSoFar()
    with pytest.raises(UsageError, match=r"margin \(own_evaluations.py, line \d+\) raised ZeroDivisionError"):
        evaluation_for(Counted(), "margin")


@pytest.mark.slow
def test_best_tells_what_comes_from_no_knowledge(capsys):
    name = "own_evaluations:WinOnly"
    known, unknown = (petteia.best(name, player="search:table=1", depth=depth) for depth in (6, 2))
    assert (known.is_final, known.is_blind) == (True, False)
    assert (unknown.is_final, unknown.is_blind, unknown.value) == (False, True, 0.0)
    assert unknown.notes == (f"no evaluation is given for WinOnly, so the search {NOTHING}",)
    assert petteia.best(name, player="greedy").is_blind
    assert not petteia.best("own_evaluations:Coins", player="search:table=1", depth=2).is_blind
    assert not petteia.best("own_evaluations:Coins", player="random").is_blind

    assert main(["best", name, "--depth", "2", "--player", "search:table=1", "--lines", "2"]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"best move left: value unknown\n", out)
    assert len(re.findall(r"^(left|right) +value unknown +", out, re.MULTILINE)) == 2
    assert "depth 2, unknown, " in err
    assert err.count(NOTHING) == 1
    assert out.endswith("Unknown: the search did not reach the end of the game, and it has no evaluation.\n")


# Positions.


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("0,0,7,0", "position '0,0,7,0': there are 6 coins"),
        (Row(0, 0, 7, 0), "position '0,0,7,0': there are 6 coins"),
        (Row(0, 0, -1, 0), "left must be a whole number in 0..2^63-1"),
        (Row(0, 0, 1 << 63, 0), "left must be a whole number in 0..2^63-1"),
        (Row(0, 0.5, 0, 0), "second must be a whole number in 0..2^63-1"),
        (Row("0", 0, 0, 0), "first must be a whole number in 0..2^63-1"),
        (START, "must be text or a Row"),
        ((0, 0, 0, 0), "must be text or a Row"),
        (7, "position 7: must be text or a Row"),
    ],
    ids=repr,
)
def test_a_state_is_read_as_its_text_is(position, message):
    name = "own_evaluations:Coins"
    calls = (
        lambda: petteia.best(name, position=position, depth=1),
        lambda: petteia.differ(name, "simple", "random", position=position),
        lambda: petteia.match(name, "simple", "random", position=position),
        lambda: petteia.perft(name, 1, position=position),
        lambda: petteia.Oracle(name, position=position),
    )
    for call in calls:
        with pytest.raises(petteia.InvalidError) as raised:
            call()
        assert message in str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_state_with_what_its_text_does_not_say_is_refused():
    odd = START._replace(south=START.south | 1 << 60)
    with pytest.raises(petteia.InvalidError, match=r"^position Position\(.*\)"):
        petteia.best("kalah", position=odd, depth=1)


def test_a_state_may_hold_numbers_of_other_libraries():
    state = Row(*np.array([0, 3, 1, 0]))
    assert petteia.best("own_evaluations:Coins", position=state, depth=1).position == "0,3,1,0"
