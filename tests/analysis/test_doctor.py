"""The findings of the doctor for a few training runs, their wording, and invalid input.

`test_doctor_faults` tests how many faults are found. More than 400 lines stand here because the tests share training
runs.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import Run
from doctor_recipes import HARE, KALAH_SMALL, NO_WIN_3, REPORT
from flat_options import configure, train
from folders import ROOT
from matching_checksums import mend

import petteia
from petteia import LinearLearner, TableLearner
from petteia.analysis.doctor import faults, signs, trials
from petteia.analysis.doctor.advice import ON, OTHER, advised, filled, in_words
from petteia.analysis.doctor.evidence import Evidence
from petteia.checking.notes import CheckResult
from petteia.core.errors import InvalidError, PetteiaError
from petteia.experiments import settings, training
from petteia.experiments.options import LEARNERS, OPTIONS
from petteia.experiments.training import Training, begin
from petteia.records.runs import digest

TABLE: dict[str, Any] = {"games": 10_000, "evaluate_every": 250, "evaluation_games": 200, "name": "run"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A table that has learned what it can."""
    return train(HARE, runs=tmp_path_factory.mktemp("sound"), **TABLE | {"games": 20_000})


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A table that has hardly moved."""
    return train(HARE, runs=tmp_path_factory.mktemp("frozen"), alpha=1e-7, **TABLE)


# The faults as data.


def test_every_fault_is_there_once_for_each_kind_of_learner() -> None:
    for kind in LEARNERS:
        names = [fault.name for fault in faults.FAULTS if issubclass(kind, fault.learners)]
        assert len(names) == len(set(names))
        assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)
    assert len({fault.name for fault in faults.FAULTS}) >= 10


FILLED: dict[str, Any] = {"alpha": "0.05", "games": 30_000, "more": 30_000, "other": "hare", "better": "0.95"}
WHOLE = ("games", "evaluation_games", "initial", "win_reward", "max_plies")
FILLED |= {
    "opponent": "simple",
    "stranger": "greedy",
    "set": "squares+turn",
    "rule": "sarsa",
    "usual": "1000",
    "left_out": "alpha, gamma",
}


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        (TableLearner, {"alpha": 0.3, "gamma": 0.5, "temperature": 2, "initial": 1, "opponent": "greedy:depth=2"}),
        (
            LinearLearner,
            {
                "features": "squares",
                "alpha": 0.3,
                "gamma": 0.5,
                "weights": 1,
                "win_reward": 2,
                "epsilon": 0.1,
                "learner": "sarsa",
                "opponent": "greedy",
            },
        ),
    ],
)
def test_a_training_takes_all_that_is_to_be_tried(learner: type, options: dict[str, Any], tmp_path: Path) -> None:
    """Of every fault, as words of the command line."""
    options |= {"position": "1,8,9/10 hounds 0", "max_plies": 50, "evaluation_games": 100, "games": 1_000}
    _, configuration = configure(HARE, **options)
    seen = Evidence(begin(*configure(HARE, **options), 1, tmp_path))
    flags = {option.options[0].flag: key for key, option in OPTIONS.items()}
    for fault in faults.FAULTS:
        if not issubclass(learner, fault.learners) or fault.name == "draw-reward":  # which needs a single side
            continue
        for change in fault.tries:
            filled_in = filled(change, FILLED)
            tried = next(iter(advised(seen, [filled_in])), {})
            assert tried, (fault.name, change)
            words = shlex.split(in_words([tried]))
            assert {flags[word.rstrip(",")] for word in words if word.startswith("--")} == tried.keys(), fault.name
            given = {key: value for key, value in tried.items() if value not in (None, OTHER, ON)}
            switches = {key: True for key, value in tried.items() if value == ON}
            kept = {key: value for key, value in options.items() if key not in tried}
            if "epsilon" in given:
                kept.pop("temperature", None)
            if "features" in given and learner is TableLearner:
                kept = {key: value for key, value in kept.items() if OPTIONS[key].options[0].owner not in LEARNERS}
            numbers = {key: int(value) for key, value in given.items() if value.isdigit() and key in WHOLE}
            assert (
                OTHER in tried.values() or configure(HARE, **kept | given | numbers | switches)[1] != configuration
            ), fault.name


def test_a_draw_with_the_reward_of_a_win(tmp_path: Path) -> None:
    options = {"features": "squares", "side": "hounds", "opponent": "random", "games": 1_000}
    for draw, is_named in ((1.0, True), (0.5, False)):
        training = train(HARE, runs=tmp_path, draw_reward=draw, **options)
        found = {each.fault: each.options for each in petteia.doctor(training).findings}
        assert ("draw-reward" in found) == is_named
        assert found.get("draw-reward", "leave out --draw-reward") == "leave out --draw-reward"


def test_what_is_so_already_or_refused_is_not_advised(tmp_path: Path) -> None:
    seen = Evidence(begin(*configure(HARE, games=1_000, epsilon=0.5, alpha=0.2), 1, tmp_path))
    no_numbers = "mixed:first=(own_players:Silent),second=random,share=0.5"
    changes: list[dict[str, str | None]] = [{"epsilon": "0.5"}, {"opponent": no_numbers}, {"fold": ON, "alpha": None}]
    assert advised(seen, changes) == [{"fold": ON, "alpha": None}]
    assert (
        in_words([{"fold": ON, "alpha": None}, {"features": OTHER}]) == "--fold without --alpha, or another --features"
    )
    assert in_words([{"alpha": None, "gamma": None}]) == "leave out --alpha, --gamma"


def test_every_fault_has_a_word_in_the_page() -> None:
    page = (ROOT / "docs" / "doctor.md").read_text(encoding="utf-8")
    assert {fault.name for fault in faults.FAULTS} == {*re.findall(r"^\| `([a-z-]+)`", page, re.MULTILINE)}


# Diagnoses.


def test_a_sound_training_has_no_fault_and_all_is_examined(sound: Training) -> None:
    found = petteia.doctor(sound)
    assert found.names == ()
    assert {each.fault for each in found.examined if not each.why_not} >= {"unordered-moves", "few-games", "no-winner"}
    assert (found.games, found.wanted, found.game) == (20_000, 20_000, HARE)


def test_a_fault_is_told_with_what_shows_it_and_what_to_try(frozen: Training) -> None:
    found = petteia.doctor(frozen)
    assert found.names == ("frozen-values", "small-steps")
    assert found.findings[0].figures["moved"] < 0.01  # type: ignore[operator]  # a number
    assert found.findings[1].options == "--alpha 0.1"
    assert found.findings[0].options == "leave out --alpha", "epsilon is 0.5 already"
    assert "2. small-steps: " in str(found)
    assert max(map(len, found.text(60).splitlines())) <= 60
    assert "10,000 games" in found.findings[1].evidence


def test_the_same_run_gives_the_same_words_and_is_left_as_it_is(frozen: Training) -> None:
    before = digest(frozen.run)
    assert petteia.doctor(frozen.run.path) == petteia.doctor("run", runs=frozen.run.path.parent)
    assert digest(frozen.run) == before


@pytest.mark.slow
def test_the_command_says_the_same(run: Run, sound: Training, frozen: Training) -> None:
    ran = run("doctor", str(frozen.run.path))
    assert (ran.code, ran.err) == (0, "")
    assert "1. frozen-values: Almost nothing was learned" in ran.out
    assert "2. small-steps: " in ran.out
    assert max(map(len, ran.out.splitlines())) <= 120
    assert "2 problems found (" in ran.out
    assert re.search(r"^No problems found \(\d+ checks", run("doctor", str(sound.run.path)).out, re.MULTILINE)
    listed = run("doctor", str(frozen.run.path), "--checks").out
    assert re.search(r"^found {9}whether the values", listed, re.MULTILINE)
    assert re.search(r"^ok {12}whether", listed, re.MULTILINE)
    document = run("doctor", str(frozen.run.path), "--json").document
    assert [finding["fault"] for finding in document["findings"]] == ["frozen-values", "small-steps"]
    assert document["games"] == 10_000
    assert json.loads(json.dumps(document)) == document


def test_what_cannot_be_examined_is_told(tmp_path: Path) -> None:
    rules, configuration = configure(HARE, games=3_000)
    begun = begin(rules, configuration, 1, tmp_path)
    found = petteia.doctor(begun)
    assert found.names == ()
    reasons = {each.fault: each.why_not for each in found.examined}
    assert reasons["frozen-values"] == "the training has finished only 0 of 3,000 games"
    assert reasons["small-evaluation"] == "the learning curve of the run has no points yet"
    assert reasons["games-cut-off"] == ""


@pytest.mark.slow
def test_a_side_that_never_wins(tmp_path: Path) -> None:
    training = train(NO_WIN_3, side="second", runs=tmp_path, **TABLE)
    (found,) = (each for each in petteia.doctor(training).findings if each.fault == "no-winner")
    assert "the side “second” never wins" in found.wrong
    assert re.search(r"none of all [0-9]+ positions is won for it", found.evidence)
    assert found.options == "--side first"


# What would have been possible.


@pytest.mark.parametrize(
    ("broken", "left_out"),
    [({"learner": "sarsa", "temperature": 5}, "--temperature"), ({"initial": 1, "alpha": "visits"}, "--initial")],
)
def test_a_setting_that_costs_much_is_found_by_trials(broken: dict[str, Any], left_out: str, tmp_path: Path) -> None:
    *_, found = petteia.doctor(train(HARE, games=20_000, runs=tmp_path, **broken)).findings
    assert (found.fault, found.options) == ("costly-settings", f"leave out {left_out}")
    assert f"with {left_out} " in found.evidence


def test_a_weak_result_is_told_where_nothing_explains_it(sound: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "WEAK", 1.1)
    monkeypatch.setattr(trials, "FAR", 0.0)
    (found,) = petteia.doctor(sound).findings
    assert found.fault == "weak-result"
    assert "best play scores 100.0%" in found.evidence
    assert found.options == "--games 100000"


def test_rules_that_break_a_promise_end_the_examination(sound: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "GAMES", ())
    monkeypatch.setattr(signs, "run_checks", lambda *_: [CheckResult("keys", False, "two positions have key 3")])
    found = petteia.doctor(sound)
    assert (found.names, found.strength, len(found.examined)) == (("broken-rules",), None, 1)
    assert found.findings[0].evidence == "keys: two positions have key 3"
    assert "petteia check hare-and-hounds" in found.findings[0].change


# Plain failure.


ALONE: dict[str, Any] = {"games": 20_000, "opponent": "simple"}
SPENT: dict[str, Any] = {"games": 50_000, "alpha": "0.1,1e-6@600"}
BLIND: dict[str, Any] = {"games": 20_000, "epsilon": 0, "initial": -1}


@pytest.mark.parametrize(
    ("fault", "broken", "advice"),
    [
        ("no-gain", BLIND, {"epsilon": 0.5, "initial": 0, "games": 100_000}),
        ("early-steps", SPENT, {}),
        ("one-opponent", ALONE, {"opponent": "mixed:first=(simple),second=random,share=0.5"}),
        ("one-opponent", ALONE, {"opponent": None, "side": "both"}),
    ],
)
def test_plain_failure_is_named_and_the_advice_helps(
    fault: str, broken: dict[str, Any], advice: dict[str, Any], tmp_path: Path
) -> None:
    before = petteia.doctor(train(HARE, runs=tmp_path, **broken))
    assert fault in before.names
    without = {} if fault == "early-steps" else broken
    after = petteia.doctor(train(HARE, runs=tmp_path, **{"games": broken["games"]} | without | advice))
    assert after.names == ()
    assert before.strength is not None
    assert after.strength is not None
    assert after.strength.scores["random"] > before.strength.scores["random"] + 0.1


def test_a_training_from_another_position_than_the_start_is_named(tmp_path: Path) -> None:
    """Unless what it has learned helps from the start, too."""
    near_the_end, first, second = "1,8,9/10 hounds 0", "0,1,3/10 hounds 0", "0,1,5/10 hare 0"
    found = petteia.doctor(train(HARE, games=20_000, position=near_the_end, runs=tmp_path))
    assert (found.names, found.findings[0].options) == (("other-start",), "leave out --position")
    for position in (f"{near_the_end}; {first}", second):
        assert "other-start" not in petteia.doctor(train(HARE, games=20_000, position=position, runs=tmp_path)).names


@pytest.mark.slow
@pytest.mark.parametrize(("of", "names"), [("OfMover", ("mover-features",)), ("OfFirst", ())])
def test_features_of_the_mover_are_named(of: str, names: tuple[str, ...], tmp_path: Path) -> None:
    options = {"features": f"doctor_features:{of}", "evaluate_against": "random"}
    found = petteia.doctor(train("tiny_games:DiceRace", games=3_000, runs=tmp_path, **options))
    assert tuple(name for name in found.names if name == "mover-features") == names
    assert all("mover_ahead" in each.evidence for each in found.findings if each.fault == "mover-features")


@pytest.mark.slow
def test_how_strong_the_result_is(sound: Training, frozen: Training, tmp_path: Path) -> None:
    """Of a solved game, of one too large, whose endings are searched, and of nothing saved."""
    strong, weak = petteia.doctor(sound).strength, petteia.doctor(frozen).strength
    assert strong is not None
    assert weak is not None
    assert set(strong.scores) == {"random", "greedy", "greedy:depth=3"}
    assert strong.scores["random"] > 0.9 > weak.scores["random"]
    assert strong.regret is not None
    assert weak.regret is not None
    assert strong.regret.results_lost < weak.regret.results_lost
    assert "positions of random games" in str(strong)
    for turns in ("ply", "chain"):
        kalah = petteia.doctor(train(KALAH_SMALL, **REPORT, games=500, turns=turns, runs=tmp_path)).strength
        assert kalah is not None
        assert "endings of random games" in str(kalah)
        assert kalah.untaught == {}
    one = petteia.doctor(train(KALAH_SMALL, **REPORT, games=500, side="south", opponent="random", runs=tmp_path))
    assert one.strength is not None
    assert [*one.strength.untaught] == ["north"]
    assert "as north, which has not learned, " in str(one.strength)
    assert petteia.doctor(begin(*configure(HARE, games=3_000), 1, tmp_path)).strength is None


@pytest.mark.slow
def test_a_game_of_ones_own(tmp_path: Path) -> None:
    found = petteia.doctor(train("tiny_games:Nim", games=3_000, runs=tmp_path))
    assert found.names == ()
    cut = train("tiny_games:Nim", games=3_000, max_plies=2, runs=tmp_path)
    assert "games-cut-off" in petteia.doctor(cut).names


@pytest.mark.slow
def test_features_of_ones_own_in_a_game_with_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where values are asked for the die is to be cast, so that the feature that says so never changes.

    So it cannot tell a step from a run either, one of which is better by its expected margin.
    """
    options: dict[str, Any] = {"features": "own_features:Faces", "evaluate_against": "random"}
    run = train("tiny_games:DiceRace", games=300, runs=tmp_path, **options)
    assert petteia.doctor(run).names == ("constant-features", "lacking-features", "unordered-moves", "no-gain")
    monkeypatch.setattr("petteia.analysis.doctor.judging.MEMORY", 1)
    found = petteia.doctor(run)
    assert found.names == ("constant-features", "no-gain")
    reasons = {each.fault: each.why_not for each in found.examined}
    assert "the game has chance and was not solved" in str(reasons["unordered-moves"])


@pytest.mark.slow
def test_features_that_are_always_0(tmp_path: Path) -> None:
    training = train("tiny_games:Nim", games=500, features="doctor_features:Nothing", runs=tmp_path)
    found = petteia.doctor(training)
    assert {"frozen-values", "small-steps", "constant-features"} <= {*found.names}
    assert "features in all: 2" in next(x.evidence for x in found.findings if x.fault == "constant-features")


@pytest.mark.slow
def test_a_training_that_has_ended_because_it_diverged(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match=r"learning diverged in game ([0-9,]+)") as raised:
        train(KALAH_SMALL, **REPORT, alpha=1, games=2_000, name="run", runs=tmp_path)
    (game,) = re.findall(r"in game ([0-9,]+)", str(raised.value))
    found = petteia.doctor(tmp_path / "run")
    assert found.names[:2] == ("diverging-weights", "large-steps")
    assert found.findings[0].evidence == f"it diverges in game {game}"
    assert not list((tmp_path / "run").glob("results*"))


@pytest.mark.slow
def test_linear_trainings_sound_and_broken(tmp_path: Path) -> None:
    trained = {
        alpha: train(KALAH_SMALL, **REPORT, alpha=alpha, games=2_000, runs=tmp_path) for alpha in (None, 0.15, 1e-8)
    }
    assert petteia.doctor(trained[None]).names == ()
    assert petteia.doctor(trained[0.15]).names == ("large-steps",)
    assert petteia.doctor(trained[1e-8]).names[:2] == ("frozen-values", "small-steps")


# What is no training.


def test_what_is_no_training_is_refused_in_a_line(run: Run, sound: Training, tmp_path: Path) -> None:
    def refused(code: int, *words: str, name: str) -> None:
        ran = run("doctor", name)
        assert (ran.code, ran.out) == (code, "")
        assert ran.err.count("\n") == 1
        assert all(word in ran.err for word in words), ran.err

    refused(3, "there is no run 'nothing'", name="nothing")
    experiment = tmp_path / "experiment"
    (experiment / "runs").mkdir(parents=True)
    shutil.copytree(sound.run.path, experiment / "runs" / "one")
    refused(4, "an experiment with 1 training runs; give one of them", "one", name=str(experiment))
    refused(4, "a folder of runs; give one of them", "one", name=str(experiment / "runs"))
    damaged = tmp_path / "damaged"
    shutil.copytree(sound.run.path, damaged)
    points = damaged / "points.jsonl"
    points.write_text(points.read_text().replace('"draws":0', '"draws":1', 1))
    refused(4, "points.jsonl, line 1", name=str(damaged))
    tournament = tmp_path / "tournament"
    shutil.copytree(sound.run.path, tournament)
    description = tournament / "run.json"
    description.write_text(description.read_text().replace('"kind": "train"', '"kind": "tournament"'))
    refused(4, "a run of kind 'tournament', not a training", name=str(tournament))


def test_weights_of_another_run_are_refused(sound: Training, frozen: Training, tmp_path: Path) -> None:
    shutil.copytree(sound.run.path, tmp_path / "run")
    shutil.copy(frozen.run.weights, tmp_path / "run")
    with pytest.raises(InvalidError, match=r"weights\.safetensors"):
        petteia.doctor(tmp_path / "run")


def test_a_run_is_doubted_before_anything_takes_long(
    run: Run, sound: Training, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rules and settings, also where all checksums match: no player is made, which may solve the game first."""

    def made(*arguments: Any) -> None:
        raise AssertionError("a player is made")

    for module in (training, settings):
        monkeypatch.setattr(module, "player", made)
    changed, file = tmp_path / "changed", tmp_path / "changed" / "run.json"
    shutil.copytree(sound.run.path, changed)
    (changed / "results.json").unlink()
    content = json.loads(file.read_text())

    def refused(words: str, **others: Any) -> None:
        file.write_text(json.dumps(content | others))
        mend(changed)
        for command in ("resume", "doctor"):
            ran = run(command, str(changed))
            assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1), ran.err
            assert words in ran.err

    place = {"configuration": content["configuration"] | {"position": "0,1,3/3 hounds 0"}}
    refused("run.json: position '0,1,3/3 hounds 0': a hound and the hare both stand on square 3", **place)
    refused("run.json: there is no game 'chess'", game="chess")
    refused("the rules of hare-and-hounds", fingerprint="0" * 16)
    points = {"configuration": content["configuration"] | {"evaluate_every": 300}}
    refused("points.jsonl, line 1: damaged; expected the point of the learning curve after 300 games", **points)


def test_evidence_is_measured_when_it_is_asked_for(frozen: Training) -> None:
    seen = Evidence(frozen)
    assert "random_play" not in seen.__dict__
    assert seen.steps == seen.random_play.decisions((0,))
    assert "solution" not in seen.__dict__
