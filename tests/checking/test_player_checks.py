"""`petteia check` on players and policies: sound ones pass, and what is wrong is said in one line, with the place."""

from __future__ import annotations

import re

import pytest

import petteia
from petteia.checking.notes import CheckResult
from petteia.cli import main
from petteia.core.errors import PetteiaError
from petteia.core.kernel import runs_plain
from petteia.policies.policy import Lowest

RACE = "tiny_games:DiceRace:goal=4"
PLAIN = ["effects", "games", "constancy"]
TELLS = ["probabilities", "draws"]
compiled_only = pytest.mark.skipif(runs_plain(), reason="there is no compiler")


def checked(name: object, game: str = RACE, games: int = 20) -> list[CheckResult]:
    return list(petteia.check(game, player=name, games=games))


def names(results: list[CheckResult]) -> list[str]:
    return [result.name for result in results]


@pytest.mark.parametrize("name", ["own_players:Drawing", "own_players:Lower", "own_players:Hound"])
def test_a_sound_player_passes_and_its_time_is_told(name: str) -> None:
    results = checked(name)
    assert names(results) == ["games", "no change", "constancy"]
    assert all(result.passed for result in results)
    assert re.fullmatch(r"20 games; a move takes \S+ ms, at most \S+ ms", results[0].message)
    assert [result.message for result in results[1:]] == ["", ""]


def test_moves_that_do_not_repeat_are_no_failure() -> None:
    *_, last = checked("own_players:NoSeed", "kalah")
    assert (last.name, last.passed) == ("constancy", True)
    found = (
        r"Kalah, position '.*': the player played \d, and \d when the game was played again; for repeatable results, .*"
    )
    assert re.fullmatch(found, last.message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "own_players:Raiser",
            r"DiceRace:goal=4, position '.*': player own_players:Raiser: .*own_players\.py, line \d+: Zero",
        ),
        (
            "own_players:Mute",
            r"position '.*': player own_players:Mute: the method choose returned None; must return a Decision",
        ),
    ],
)
def test_a_player_that_fails(name: str, message: str) -> None:
    (result,) = checked(name)
    assert (result.name, result.passed) == ("games", False)
    assert re.search(message, result.message)
    assert "\n" not in result.message


def test_a_move_that_is_not_legal() -> None:
    (result,) = checked("own_players:Cheat", "tiny_games:Nim")
    legal = r"must be the code of a legal move: 1 \(1-1\), 2 \(1-2\), 3 \(1-3\), 17 \(2-1\), .*"
    assert re.fullmatch(rf"Nim, position '3,3,3 first': the method `choose` returned 0; {legal}", result.message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_players:NoPlayer", "NoPlayer does not define the method new_game(self, rules, seed)"),
        (
            "own_players:OneArgument",
            "the method is defined as choose(self, state); must be choose(self, state, limit)",
        ),
        (
            "own_players:OtherParameters",
            "the method `choose` of a policy must have the parameters (policy, rules, state, random, work), not (",
        ),
        ("own_players:Nix", "module 'own_players' has no class 'Nix'"),
    ],
)
def test_what_is_no_player_is_not_begun(name: str, message: str) -> None:
    with pytest.raises(PetteiaError, match=re.escape(message)):
        checked(name)


@pytest.mark.parametrize(
    ("name", "extra", "compiled"),
    [
        ("own_players:Highest", [], ["choose compiles"]),
        ("own_players:Honest:first=0.25", TELLS, ["choose compiles", "probabilities compiles"]),
        (Lowest(), TELLS, ["choose compiles", "probabilities compiles"]),
    ],
)
def test_a_sound_policy_passes(name: object, extra: list[str], compiled: list[str]) -> None:
    results = checked(name)
    assert [result for result in results if not result.passed] == []
    assert names(results) == PLAIN + extra + ([] if runs_plain() else [*compiled, "compiled games"])


@pytest.mark.parametrize(
    ("name", "check", "message"),
    [
        (
            "ForgetfulPolicy",
            "effects",
            r"own_players\.py, line \d+: choose uses randomness; a policy must have no",
        ),
        (
            "CheatingPolicy",
            "games",
            r"Nim, position '3,3,3 first': the method `choose` returned 0; must be the code of a legal move: ",
        ),
        (
            "RaisingPolicy",
            "games",
            r"Nim, position '3,3,3 first': choose \(own_players\.py, line \d+\) raised ZeroDivision",
        ),
        (
            "CountingPolicy",
            "constancy",
            r"Nim, position '.*': the policy played \d-\d and then \d-\d from the same random state",
        ),
        (
            "Liar",
            "draws",
            r"Nim, position '.*', move \S+: the method `choose` returned this move \d+ times in 400, but "
            r"according to the method `probabilities`, the probability of the move is 0\.\d+",
        ),
        (
            "TooSure",
            "probabilities",
            r"Nim, position '.*': the method `probabilities` wrote probabilities with the sum 2\.0; the sum must be 1",
        ),
        (
            "Setting",
            "probabilities",
            r"the method `probabilities` changed the sum of out from 1 to 0\.5\d*; with share 0\.5, the new sum",
        ),
        pytest.param(
            "WrittenPolicy", "choose compiles", r"cannot compile a string; a policy can only use", marks=compiled_only
        ),
        pytest.param(
            *(
                "OverflowingPolicy",
                "compiled games",
                r"Nim, position '.*': the policy played different moves in compiled code and in plain",
            ),
            marks=compiled_only,
        ),
    ],
)
def test_a_policy_that_is_not_sound(name: str, check: str, message: str) -> None:
    *before, last = checked(f"own_players:{name}", "tiny_games:Nim")
    assert all(result.passed for result in before)
    assert (last.name, last.passed) == (check, False)
    assert re.search(message, last.message), last.message
    assert "\n" not in last.message


def test_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "own_players:Drawing", "--game", RACE, "--games", "3"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"ok    games: 3 games; a move takes \S+ ms, at most \S+ ms", said[0])
    assert said[1:] == ["ok    no change", "ok    constancy", "own_players:Drawing passes all 3 checks"]
    assert main(["check", "own_players:Cheat", "--game", "tiny_games:Nim"]) == 1
    assert capsys.readouterr().out == "FAIL  games\n"
    assert main(["check", "own_players:Drawing"]) == 2
    said = (
        "own_players:Drawing is a player, not a game; name the game too: petteia check own_players:Drawing --game GAME"
    )
    assert capsys.readouterr().err == f"petteia: {said}\n"


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("own_players:Nix", 3, "own_players:Nix: module 'own_players' does not define 'Nix'"),
        ("nowhere:Bot", 3, "nowhere:Bot: there is no module 'nowhere' in the working directory or on Python's path"),
        (
            "own_players:randomness",
            2,
            "own_players:randomness: must be a feature set, an evaluation",
        ),
        (
            "gredy",
            2,
            "gredy: there is no component with this name; give the name of a feature set, an evaluation",
        ),
    ],
)
def test_what_is_nothing_for_a_game(name: str, code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", name, "--game", "kalah"]) == code
    assert message in capsys.readouterr().err


def test_a_player_of_the_package_can_be_checked_too() -> None:
    results = checked("mixed:first=simple,second=random,share=0.5")
    assert names(results)[:5] == PLAIN + TELLS
    assert all(result.passed for result in results)
