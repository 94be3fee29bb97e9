"""Feature sets and evaluations of a user's that fail deep inside: one line says whose fault it is and where to look."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import petteia
from petteia.cli import main
from petteia.core.errors import UsageError
from petteia.core.kernel import kernel, runs_plain
from petteia.foreign.blame import blame

compiled_only = pytest.mark.skipif(runs_plain(), reason="plain Python knows the place")
FAILING = [
    ("match", "kalah", "greedy:evaluation=own_faults:rare", "random"),
    ("match", "kalah", "search:evaluation=own_faults:RareValue,depth=2", "random", "--games", "20"),
    ("best", "kalah", "--player", "search:evaluation=own_faults:rare", "--position", "1,1,0,0,4,0,9/0,3,4,13,4,0,9 s"),
    ("train", "kalah", "--features", "own_faults:Rare+pits", "--games", "2000", "--alpha", "0.001"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("command", FAILING, ids=" ".join)
def test_who_fails_in_compiled_code_is_named_with_the_check_that_finds_it(command, capsys):
    assert main(command) == 1
    (name,) = re.findall(r"own_faults:\w+", " ".join(command))
    assert re.fullmatch(
        rf"petteia: ZeroDivisionError: (integer )?division by zero, raised in compiled code by {name}; "
        rf"to find the line, run: petteia check {name} --game GAME",
        capsys.readouterr().err.splitlines()[-1],
    )


def test_what_fails_before_learning_begins_is_one_line_with_the_position(capsys):
    assert main(["train", "kalah", "--features", "own_faults:Rare+pits"]) == 2
    found = (
        r"petteia: --features: Kalah, position '.*': features \(own_faults\.py, line \d+\) raised ZeroDivisionError.*\n"
    )
    assert re.fullmatch(found, capsys.readouterr().err)


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("options", [["--opponent"], ["--features", "squares", "--opponent"], ["--evaluate-against"]])
def test_a_training_names_a_policy_that_cannot_be_compiled(options, capsys):
    assert main(["train", "hare-and-hounds", "--games", "10", *options, "own_faults:ByWords"]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.match(r"petteia: player own_faults:ByWords: own_faults\.py, line \d+: cannot compile a dictionary", last)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rare", "RareValue", "Rare"])
def test_the_check_finds_it(name, capsys):
    assert main(["check", f"own_faults:{name}", "--game", "kalah"]) == 1
    out, err = capsys.readouterr()
    assert "FAIL" in out
    found = r"petteia: Kalah, position '[\d,/ sn]*': \w+ \(own_faults\.py, line \d+\) raised ZeroDivisionError"
    assert re.match(found, err), err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["own_faults:sound", "store", "zero"])
def test_a_sound_evaluation_passes(name):
    results = list(petteia.check("kalah", evaluation=name, games=30))
    assert all(result.passed for result in results)
    checks = ["random games", "evaluation", "constancy", "compiled evaluation"]
    assert [result.name for result in results] == checks[: 3 if runs_plain() else 4]


@compiled_only
def test_an_evaluation_that_is_another_when_compiled():
    *_, last = petteia.check("kalah", evaluation="own_faults:too_large", games=30)
    both = r"-?\d+ in plain Python, but -?\d+ in compiled code; both values must be the same"
    words = rf"Kalah, position '.*': the evaluation returned {both}"
    assert (last.name, last.passed) == ("compiled evaluation", False)
    assert re.fullmatch(words, last.message)


def test_an_evaluation_that_changes():
    *_, last = petteia.check("kalah", evaluation="own_faults:changing", games=30)
    assert (last.name, last.passed) == ("constancy", False)
    assert re.fullmatch(
        r"Kalah, position '.*': the evaluation returned \d+ and then \d+; both values must be the same", last.message
    )


def test_a_fraction_is_told_as_it_was_returned():
    *_, last = petteia.check("kalah", evaluation="own_faults:changing_fraction", games=30)
    assert re.fullmatch(
        r"Kalah, position '.*': the evaluation returned 0\.\d+ and then 0\.\d+; both values must be the same",
        last.message,
    )


@compiled_only
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mean", "a list passed to mean; compiled code has no lists: compute the result in a for loop"),
        ("looked_up", "a dictionary, a set or hash(...); keep constants in tuples, and go over them in a for loop"),
        ("written", "text; an evaluation works on numbers alone"),
    ],
)
def test_what_cannot_be_compiled_in_an_evaluation(name, words):
    with pytest.raises(UsageError, match=rf"own_faults\.py, line \d+: cannot compile {re.escape(words)}$"):
        petteia.best("kalah", player=f"search:evaluation=own_faults:{name}", depth=1)


@pytest.mark.parametrize(
    ("name", "what", "shown"),
    [
        ("own_faults:Rare", "a feature set", "own_faults:Rare"),
        ("own_faults:rare", "an evaluation", "own_faults:rare"),
        ("own_faults:RareValue", "an evaluation", "own_faults:RareValue"),
        ("report", "a feature set", "report"),
        ("zero", "an evaluation", "zero"),
        ("(report+pits)*phases", "a feature set", "'(report+pits)*phases'"),
    ],
)
def test_without_its_game_nothing_can_be_checked(name, what, shown, capsys):
    assert main(["check", name]) == 2
    said = f"{name} is {what}, not a game; name the game too: petteia check {shown} --game GAME"
    assert capsys.readouterr().err == f"petteia: {said}\n"
    with pytest.raises(UsageError, match=re.escape(said)):
        petteia.check(name)


@pytest.mark.parametrize("name", ["own_faults:Nix", "nowhere:Nim", "kalah:pits=9", "kalha"])
def test_other_names_are_taken_for_games(name):
    with pytest.raises(petteia.PetteiaError, match=r"^(game|there is no game) "):
        petteia.check(name)


def test_one_thing_is_checked_at_a_time():
    with pytest.raises(UsageError, match="features and evaluation: only one component"):
        petteia.check("kalah", features="store", evaluation="store")


@kernel
def divide(number: int, by: int) -> int:
    return number // by


def test_errors_without_a_user_are_left_as_they_are():
    with pytest.raises(ZeroDivisionError) as raised:
        divide(1, 0)
    assert not hasattr(raised.value, "__notes__")
    error = ValueError("a")
    blame(error, (petteia.game("kalah"), 3))
    assert not hasattr(error, "__notes__")
    blame(error, (petteia.game("tiny_games:DiceRace"), 3))
    blame(error, (petteia.game("tiny_games:DiceRace"), 3))
    assert error.__notes__ == [
        "raised in compiled code by tiny_games:DiceRace; to find the line, run: petteia check tiny_games:DiceRace"
    ]
