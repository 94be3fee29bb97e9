"""What a check of a game tells: all that it finds, advice, and how much it leaves out."""

from __future__ import annotations

import re

import pytest
from solved_games import BlurredMaze, LyingMaze
from tiny_games import Nim, total

from petteia.checking.comparison import keys_differ
from petteia.checking.conformance import run_checks
from petteia.checking.notes import CheckResult, Notes
from petteia.core.positions import strict
from petteia.core.protocol import parse_move


def results_of(cls: type, **changes: object) -> dict[str, CheckResult]:
    mutant = type("Mutant", (cls,), changes)
    return {result.name: result for result in run_checks(mutant(), games=30)}


def test_all_that_a_check_finds_is_told_once_of_each_kind_and_how_often():
    def lenient(rules, text):
        return Nim.parse_state(rules, text.strip().lower())

    found = results_of(Nim, parse_state=lenient, seats=lambda rules: ("first", "second", "third"))
    texts = found["texts of states"]
    assert not texts.passed
    assert re.search(r"must be a ValueError, .* \(and \d+ more like this\)", texts.message)
    assert [line[:8] for line in texts.more] == ["advice: "]
    assert not found["names of seats"].passed
    assert found["keys"].passed


def test_lines_of_one_kind_are_one_line_with_their_number():
    notes = Notes(Nim())
    for number in range(1100):
        notes.fail(f"Nim: move '{number}': is {number}, in [{', '.join('1' * (number % 3))}]")
    notes.fail("Nim: never ends")
    result = notes.result("moves")
    assert result.message == "Nim: move '0': is 0, in [] (and 1,099 more like this)"
    assert result.more == ("Nim: never ends",)


def test_of_many_kinds_the_first_are_told():
    notes = Notes(Nim())
    for letter in "abcdefgh":
        notes.fail(f"Nim: {letter}")
    result = notes.result("moves")
    lines = ["Nim: a", "Nim: b", "Nim: c", "Nim: d", "Nim: e", "and 3 more findings of other kinds"]
    assert [result.message, *result.more] == lines


@pytest.mark.parametrize(
    "read",
    [
        lambda text: "".join(str(int(each)) if each.isdecimal() else each for each in text),
        lambda text: re.sub(r"\b0+(?=[0-9])", "", text),
        lambda text: re.sub("[0-9_+]+", lambda found: str(int(found[0])), text),
    ],
    ids=["other scripts", "zeros", "int"],
)
def test_numbers_that_are_written_otherwise_are_one_line_of_advice(read):
    def worldly(rules, text):
        return Nim.parse_state(rules, read(text))

    texts = results_of(Nim, parse_state=worldly)["texts of states"]
    assert texts.passed
    assert re.search(r"a ValueError is better: return strict\(rules, text, state\) .* \(and \d+ more", texts.message)
    assert not texts.more
    also_wrong = results_of(Nim, parse_state=lambda rules, text: worldly(rules, text.strip()))["texts of states"]
    assert not also_wrong.passed
    assert "must be a ValueError" in also_wrong.message
    assert [line[:8] for line in also_wrong.more] == ["advice: "]
    read_back = results_of(Nim, parse_state=lambda rules, text: strict(rules, text, worldly(rules, text)))
    assert read_back["texts of states"] == CheckResult("texts of states", True, "")


def test_moves_whose_numbers_are_written_otherwise_are_advised_against():
    def worldly(rules, state, text):
        return parse_move(Nim(*rules), state, re.sub("0+(?=[0-9])", "", text))

    texts = results_of(Nim, parse_move=worldly)["texts of moves"]
    assert texts.passed
    assert "which is not legal, as" in texts.message


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
        r"BlurredMaze:size=97,seed=5: \d+ of \d+ positions have the same key as another, such as '.*', whose key \d is "
        r"also that of '.*'; searches and learned tables distinguish them by all fields, but solving requires "
        r"different keys",
        blurred.message,
    )
    assert not {result.name: result for result in run_checks(LyingMaze(size=97, seed=5))}["keys"].passed


def test_keys_that_collide_in_compiled_games_are_counted():
    advised, wrong = Notes(BlurredMaze()), Notes(RarelyLying())
    keys_differ(BlurredMaze(size=97, seed=5), 50, 0, advised)
    assert "positions have the same key as another" in next(iter(advised.advice))
    assert not advised.failures
    keys_differ(RarelyLying(size=97, seed=5), 50, 0, wrong)
    assert "the keys must differ, because injective(rules) is True" in next(iter(wrong.failures))


class RarelyLying(BlurredMaze):
    def injective(rules):
        return True


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ({1: 2}, "give each entry a separate field, or some bits of one int"),
        ([1], "give each entry a separate field, or some bits of one int"),
        ("first", "number the possible texts, and write the text in format_state"),
        (True, "convert it with int(...)"),
        (1.0, "divide with //, or convert it with int(...)"),
    ],
    ids=str,
)
def test_what_to_write_instead_of_a_field_that_is_no_int(field, hint):
    result = results_of(Nim, initial=lambda rules: Nim.initial(rules)._replace(stones=field))["random games"]
    assert result.message.endswith(f"of type {type(field).__name__}; must be an int: {hint}")
