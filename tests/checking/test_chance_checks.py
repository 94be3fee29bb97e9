"""Dice that a user gets wrong: the check says in one line what, where, and what would be right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tiny_games import DiceRace, Race

from petteia.checking.conformance import run_checks
from petteia.checking.first_use import try_out
from petteia.core.errors import UsageError
from petteia.core.protocol import CHANCE

LOW, RARE = 1e-7, 1e-12


def chances(**changes: Any) -> Any:
    """The dice of the race, fair, with some things changed: `codes`, `shares`, and how many are `said` to be there."""

    def chances(rules: Any, state: Any, moves: Any, probabilities: Any) -> int:
        codes, shares = changes.get("codes", [1, 2, 3]), changes.get("shares", [1 / 3] * 3)
        for i, (code, share) in enumerate(zip(codes, shares, strict=False)):
            moves[i], probabilities[i] = code, share
        return int(changes.get("said", len(codes)))

    return chances


def thrown(face: int, after: Any) -> Any:
    """`play`, but that `after` comes of the outcome `face`."""

    def play(rules: Any, state: Any, move: int) -> Any:
        return after(state) if state.die == 0 and move == face else DiceRace.play(rules, state, move)

    return play


def shares(*values: Any) -> Any:
    return {"chances": chances(shares=values)}


ABOVE = "; must be a float above 0 and at most 1"
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "too little": (shares(0.3, 0.3, 0.3), "the probabilities add up to 0.8999999999999999; must be 1, to within 1e-09"),
    "too much": (shares(0.5, 0.5, 0.5), "the probabilities add up to 1.5; must be 1, to within 1e-09"),
    "nearly one": (
        shares(0.25, 0.25, 0.5 - LOW),
        "the probabilities add up to 0.9999998999999999; must be 1, to within 1e-09",
    ),
    "not a number": (shares(math.nan, 0.5, 0.5), f"chances listed probability nan{ABOVE}"),
    "infinite": (shares(math.inf, 0.5, 0.5), f"chances listed probability inf{ABOVE}"),
    "zero": (shares(0.0, 0.5, 0.5), f"chances listed probability 0.0{ABOVE}"),
    "negative": (shares(-0.5, 0.5, 1.0), f"chances listed probability -0.5{ABOVE}"),
    "above one": (shares(2.0, -0.5, -0.5), f"chances listed probability 2.0{ABOVE}"),
    "counted": (shares(1, 1, 1), f"chances listed probability 1{ABOVE}"),
    "not written": (shares(0.5, 0.5), "chances listed None, of type NoneType; must be an int"),
    "twice": ({"chances": chances(codes=[1, 2, 2])}, "chances listed [1, 2, 2]; all codes must be different"),
    "too large": (
        {"chances": chances(codes=[1, 2, 4])},
        "chances listed code 4; must be in 0..3, as limits(rules) says",
    ),
    "no code": ({"chances": chances(codes=[1, 2, -1])}, "chances listed -1; must be in 0..2^63-1"),
    "too many": (
        {"chances": chances(codes=[0, 1, 2, 3], shares=[0.25] * 4)},
        "chances returned 4; must be at least 1, as is_over is False, and at most limits(rules).moves = 3",
    ),
    "more than listed": ({"chances": chances(said=1_000)}, "chances returned 1000; must be at least 1"),
    "none": ({"chances": chances(said=0)}, "chances returned 0; must be at least 1"),
    "not there": (
        {"has_chance": lambda rules: False},
        "to_move returned 2 (chance), but has_chance returned False; must be True where chance can move",
    ),
    "nearly there": (
        {"has_chance": lambda rules: 1},
        "to_move returned 2 (chance), but has_chance returned 1; must be True where chance can move",
    ),
    "short of plies": (
        {"limits": lambda rules: DiceRace.limits(rules)._replace(plies=8)},
        "the game is not over after the 8 plies of limits(rules)",
    ),
    "no state": ({"play": thrown(2, tuple)}, "play returned (0, 0, 0, 0); must be a Race"),
    "negative state": (
        {"play": thrown(2, lambda state: state._replace(die=-1))},
        "move '2': after play state field die is -1; must be in 0..2^63-1",
    ),
    "impossible state": (
        {"play": thrown(2, lambda state: state._replace(die=9))},
        "first 9': parse_state rejects the text of format_state",
    ),
    "rare impossible state": (
        shares(0.5, RARE, 0.5 - RARE) | {"play": thrown(2, lambda state: state._replace(die=-1))},
        "move '2': after play state field die is -1; must be in 0..2^63-1",
    ),
    "chance on and on": (
        {"play": lambda rules, state, move: state if state.die == 0 else DiceRace.play(rules, state, move)},
        "the game is not over after the 22 plies of limits(rules)",
    ),
    "raises": ({"chances": lambda *_: 1 // 0}, "raised ZeroDivisionError"),
    "numpy": (shares(*np.full(3, 1 / 3)), "chances listed probability np.float64"),
}


LATE = ("short of plies", "impossible state", "rare impossible state", "no state", "negative state", "chance on and on")
"""what shows only in some games, in their texts, or after many plies"""


def mutant(methods: dict[str, Any]) -> Any:
    return type("Mutant", (DiceRace,), methods)()


@pytest.mark.parametrize("name", FAULTS)
def test_wrong_dice_are_found(name: str) -> None:
    methods, message = FAULTS[name]
    failed = [result.message for result in run_checks(mutant(methods), games=30) if not result.passed]
    assert any(message in each for each in failed), failed
    assert all("\n" not in each and each.startswith("Mutant") for each in failed)


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in LATE])
def test_what_shows_at_once_is_refused_before_a_command_begins(name: str) -> None:
    methods, message = FAULTS[name]
    with pytest.raises(UsageError) as raised:
        try_out(mutant(methods), "own:Dice")
    assert message in str(raised.value)
    assert str(raised.value).endswith("; for a full check run: petteia check own:Dice")


def test_whether_chance_can_move_is_true_or_false() -> None:
    never = {"to_move": lambda rules, state: state.side, "initial": lambda rules: Race(0, 0, 0, 1)}
    never["play"] = lambda rules, state, move: DiceRace.play(rules, state, move)._replace(die=1)
    never["has_chance"] = lambda rules: 0
    (failed,) = (each.message for each in run_checks(mutant(never), games=30) if each.name == "chance")
    assert failed == "Mutant: has_chance returned 0; must be True or False"
    never["has_chance"] = lambda rules: True
    (advised,) = (each for each in run_checks(mutant(never), games=30) if each.name == "chance")
    assert advised.passed
    assert advised.message.startswith(
        "Mutant: chance never moved in 30 games; if it cannot, let has_chance(rules) return"
    )
    never["has_chance"] = lambda rules: False
    (silent,) = (each for each in run_checks(mutant(never), games=30) if each.name == "chance")
    assert (silent.passed, silent.message) == (True, "")


def test_sound_dice_pass() -> None:
    """At the end of a race the die could be cast, and dice are listed where a player moves: nobody asks there."""
    race = DiceRace()
    assert race.to_move(Race(6, 0, 0, 0)) == CHANCE
    results = list(run_checks(race, games=30))
    assert all(each.passed for each in results)
    assert [each.message for each in results if each.name == "chance"] == [""]
    thirds = mutant({"chances": chances(shares=[1 / 3 + 1e-10, 1 / 3, 1 / 3])})
    assert next(run_checks(thirds, games=30)).passed
