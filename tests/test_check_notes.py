"""What a check of a game tells: all that it finds, advice, and how much it leaves out."""

from __future__ import annotations

import re

import pytest
from solved_games import BlurredMaze, LyingMaze
from tiny_games import Nim, total

from petteia.checking.comparison import keys_differ
from petteia.checking.conformance import run_checks
from petteia.checking.notes import CheckResult, Notes


def results_of(cls: type, **changes: object) -> dict[str, CheckResult]:
    mutant = type("Mutant", (cls,), changes)
    return {result.name: result for result in run_checks(mutant(), games=30)}


def test_all_that_a_check_finds_is_told_and_how_much_is_not():
    def lenient(rules, text):
        return Nim.parse_state(rules, text.strip().lower())

    found = results_of(Nim, parse_state=lenient, seats=lambda rules: ("first", "second", "third"))
    texts = found["texts of states"]
    lines = [texts.message, *(line for line in texts.more if not line.startswith("advice: "))]
    assert not texts.passed
    assert len(lines) == len(set(lines)) == 6
    assert all("must be a ValueError" in line for line in lines[:5])
    assert re.fullmatch(r"and \d+ more of such lines", lines[-1])
    assert not found["names of seats"].passed
    assert found["keys"].passed


def test_lines_of_different_kinds_come_first():
    notes = Notes(Nim())
    for number in range(100):
        notes.fail(f"Nim: move '{number}': is {number}")
    notes.fail("Nim: never ends")
    result = notes.result("moves")
    assert result.message == "Nim: move '0': is 0"
    assert "Nim: never ends" in result.more
    assert result.more[-1] == "and 96 more of such lines"


def test_digits_of_other_alphabets_are_advised_against():
    def worldly(rules, text):
        return Nim.parse_state(rules, "".join(str(int(each)) if each.isdecimal() else each for each in text))

    texts = results_of(Nim, parse_state=worldly)["texts of states"]
    assert texts.passed
    assert "better a ValueError (re.ASCII, or a comparison)" in texts.message
    also_wrong = results_of(Nim, parse_state=lambda rules, text: worldly(rules, text.strip()))["texts of states"]
    assert not also_wrong.passed
    assert "must be a ValueError" in also_wrong.message
    assert any(line.startswith("advice: ") for line in also_wrong.more)


def test_games_that_went_wrong_are_looked_at_as_far_as_they_went():
    def late(rules, state, move):
        after = Nim.play(rules, state, move)
        return after._replace(side=2) if total(rules, after.stones) == 3 else after

    found = results_of(Nim, play=late, seats=lambda rules: ("first", "first"))
    assert not found["random games"].passed
    assert not found["names of seats"].passed
    assert found["counts"].passed


def test_keys_that_collide_are_counted():
    blurred = {result.name: result for result in run_checks(BlurredMaze(size=97, seed=5))}["keys"]
    assert blurred.passed
    assert re.fullmatch(
        r"BlurredMaze:size=97,seed=5: \d+ of \d+ positions have the key of another, such as '.*', whose key \d is also "
        r"that of '.*'; searches and learned tables tell them apart by all fields, solving needs keys that all differ",
        blurred.message,
    )
    assert not {result.name: result for result in run_checks(LyingMaze(size=97, seed=5))}["keys"].passed


def test_keys_that_collide_in_compiled_games_are_counted():
    advised, wrong = Notes(BlurredMaze()), Notes(RarelyLying())
    keys_differ(BlurredMaze(size=97, seed=5), 50, 0, advised)
    assert "positions have the key of another" in next(iter(advised.advice))
    assert not advised.failures
    keys_differ(RarelyLying(size=97, seed=5), 50, 0, wrong)
    assert "must differ, as injective(rules) is True" in next(iter(wrong.failures))


class RarelyLying(BlurredMaze):
    def injective(rules):
        return True


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ({1: 2}, "give each entry a field of its own, or some bits of one int"),
        ([1], "give each entry a field of its own, or some bits of one int"),
        ("first", "number what it can be, and write it out in format_state"),
        (True, "write int(...) around it"),
        (1.0, "divide with //, or write int(...) around it"),
    ],
    ids=str,
)
def test_what_to_write_instead_of_a_field_that_is_no_int(field, hint):
    result = results_of(Nim, initial=lambda rules: Nim.initial(rules)._replace(stones=field))["random games"]
    assert result.message.endswith(f"of type {type(field).__name__}; must be an int: {hint}")
