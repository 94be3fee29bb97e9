"""Update rules of a user's own: they learn what ours learn, are kept and resumed, and say in one line what is wrong."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from flat_options import train

from petteia.cli import main
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.kernel import runs_plain
from petteia.experiments.training import open_training
from petteia.learn.targets import UPDATE_RULES
from petteia.learn.update_rules import update_rule_for
from petteia.records.weights import load_weights
from petteia.templates.writing import new_file

NIM = "tiny_games:Nim:heaps=2"
SHORT = {"games": 300, "evaluate_every": 100, "evaluation_games": 10}

compiled_only = pytest.mark.skipif(runs_plain(), reason="there is no compiler")


@pytest.mark.slow
@pytest.mark.lanes
@pytest.mark.parametrize(("own", "ours"), [("MyExpectedSarsa", "expected-sarsa"), ("MyDoubleQ", "double-q")])
def test_a_copy_of_ours_learns_the_same_bytes(own: str, ours: str, tmp_path: Path) -> None:
    one, other = (
        train(NIM, learner=name, runs=tmp_path, side="both", alpha="visits^0.8", **SHORT)
        for name in (f"own_rules:{own}", ours)
    )
    learned = [load_weights(each.run.weights).tensors for each in (one, other)]
    assert {name: part.tobytes() for name, part in learned[0].items()} == {
        name: part.tobytes() for name, part in learned[1].items()
    }
    assert one.points == other.points
    assert one.configuration.name == f"own_rules:{own}"
    assert one.run.name == f"tiny-games-nim-own-rules-{own.lower()}-0001"
    assert open_training(one.run.path).is_finished


def test_its_numbers_are_options() -> None:
    assert update_rule_for("own_rules:Cautious:trust=0.25,floor=0") == (0.25, 0)
    assert update_rule_for("q") is UPDATE_RULES["q"]


@pytest.mark.slow
def test_an_option_makes_a_difference(tmp_path: Path) -> None:
    one, other = (
        train(NIM, learner=f"own_rules:Cautious:trust={trust}", runs=tmp_path, **SHORT) for trust in (0.1, 0.9)
    )
    assert one.run.weights.read_bytes() != other.run.weights.read_bytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sarsaa", "there is no learner 'sarsaa'; did you mean 'sarsa'?"),
        (
            "mine",
            "there is no learner 'mine'; choose from q, sarsa, expected-sarsa, double-q, monte-carlo, or",
        ),
        ("own_rules:Nix", "learner 'own_rules:Nix': module 'own_rules' has no class 'Nix'"),
        (
            "nowhere:Rule",
            "learner 'nowhere:Rule': there is no module 'nowhere' in the working directory or on Python's path",
        ),
        ("own_rules:NoTuple", "learner own_rules:NoTuple: NoTuple must be a class derived from NamedTuple"),
        (
            "own_rules:Nothing",
            "defines neither next_value(rule, learner, values, step, rates, work) nor update_step",
        ),
        (
            "own_rules:OtherParameters",
            "the method `next_value` has the parameters (self, learner, values, step, rates, work)",
        ),
        ("own_rules:Three", "learner own_rules:Three: the method `tables` returned 3; it must return 1 or 2"),
        ("own_rules:Cautious:trust=high", "learner own_rules:Cautious: trust=high: must be a finite number"),
        ("own_rules:Cautious:hope=1", "learner own_rules:Cautious has no option 'hope'; its options are trust, floor"),
        ("own_rules:Raises", "next_value (own_rules.py, line 59) raised IndexError: index 100"),
        ("own_rules:Draws", "own_rules.py, line 68: next_value uses randomness; an update rule must only compute"),
        ("own_rules:Explodes", "a learned value is"),
        ("own_rules:Remembers", "a second training on the same games gives other values; they must be the same"),
        ("own_rules:Branch", "own_rules.py, line 105: next_value returned None; must be a number"),
        pytest.param("own_rules:NumpyList", "cannot compile a list passed to mean; compiled", marks=compiled_only),
        pytest.param("own_rules:NumpyMax", "cannot compile max here, which makes an array", marks=compiled_only),
        pytest.param("own_rules:Lists", "cannot compile a list or set; keep numbers in fields", marks=compiled_only),
        pytest.param("own_rules:Texts", "cannot compile text; an update rule works on", marks=compiled_only),
        pytest.param("own_rules:Returns", "it must return nothing", marks=compiled_only),
    ],
)
def test_what_is_wrong_is_told_before_a_run_is_made(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match=re.escape(message)) as raised:
        train(NIM, learner=name, runs=tmp_path / "runs", **SHORT)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_a_training_by_a_rule_that_has_been_edited_does_not_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    rule = new_file("update-rule", "edited_rule", game=NIM).path
    run = train(NIM, learner="edited_rule:EditedRule", runs=tmp_path, **SHORT).run.path
    (run / "results.json").unlink()
    assert main(["resume", str(run)]) == 0
    (run / "results.json").unlink()
    rule.write_text(rule.read_text().replace("total += values[i]", "total += 2.0 * values[i]"))
    del sys.modules["edited_rule"]
    capsys.readouterr()
    assert main(["resume", str(run)]) == 4
    said = capsys.readouterr().err
    assert re.fullmatch(r"petteia: .*edited_rule.* changed since the run was begun.*; begin a new run\n", said), said
    del sys.modules["edited_rule"]


def test_it_is_of_tables() -> None:
    with pytest.raises(UsageError, match="a custom update rule works only with tables; leave out features"):
        train("kalah", learner="own_rules:Cautious", features="store")


def test_checked_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "own_rules:MyDoubleQ", "--game", NIM]) == 0
    said = capsys.readouterr().out.splitlines()
    checks = ["effects", "learning", "constancy", "update_step compiles", "update_end compiles", "compiled learning"]
    checks = checks[:3] if runs_plain() else checks
    assert said == [*(f"ok    {check}" for check in checks), f"own_rules:MyDoubleQ passes all {len(checks)} checks"]
    assert main(["check", "own_rules:Remembers", "--game", NIM]) == 1
    assert capsys.readouterr().out.endswith("FAIL  constancy\n")
    assert main(["check", "own_rules:MyDoubleQ"]) == 2
    assert "is an update rule, not a game; name the game too" in capsys.readouterr().err
