"""Files to start from: what `petteia new-player` and its sisters write passes its check and works at once."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from petteia.cli import main
from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.games import game
from petteia.templates import writing
from petteia.templates.writing import TEMPLATES, class_name, new_file

RACE = "tiny_games:DiceRace:goal=4"
OF_A_GAME = [kind for kind, template in TEMPLATES.items() if template.game]
EXPERIMENTS = ("experiment", "tournament")
SHORT = ("--games", "300", "--evaluate-every", "300", "--evaluation-games", "10", "--runs", "runs")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty working folder, whose modules are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def command_for(kind: str) -> str:
    return "new-experiment --tournament" if kind == "tournament" else f"new-{kind}"


def run(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    code = main(command.split())
    out, err = capsys.readouterr()
    assert code == 0, f"{command}: {err}"
    return out


@pytest.mark.parametrize("kind", TEMPLATES)
def test_what_stands_in_the_folder_is_what_is_written(kind: str, folder: Path) -> None:
    written = new_file(kind, "my_own")
    text = (writing.FOLDER / TEMPLATES[kind].file).read_text(encoding="utf-8")
    assert written.path.read_text(encoding="utf-8") == text.replace("Skeleton", "MyOwn").replace("skeleton", "my_own")
    assert not re.search("skeleton", written.path.read_text(encoding="utf-8"), re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_A_GAME)
@pytest.mark.parametrize("of", [None, "kalah:pits=3", "hare-and-hounds", RACE])
def test_every_file_says_how_to_go_on_and_that_works(
    kind: str, of: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In plain Python, which is quick; all of it is compiled for a game of one's own below."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    name = f"a{'' if of is None else re.sub('[^a-z]', '', of)}_{kind.replace('-', '_')}"
    said = run(f"{command_for(kind)} {name}" + ("" if of is None else f" --game {of}"), capsys)
    found = re.fullmatch(rf"wrote ({name}\.\w+); next: petteia (.*)\n", said)
    assert found
    named = TEMPLATES[kind].named.replace("NAME", name).replace("CLASS", class_name(name))
    assert named in found[2]
    text = Path(found[1]).read_text(encoding="utf-8")
    assert (of or TEMPLATES[kind].game) in text
    assert found[2] in text
    if kind not in EXPERIMENTS:
        assert "passes all" in run(f"{found[2]} --games 5", capsys)


@pytest.mark.slow
@pytest.mark.parametrize("of", ["hare-and-hounds", RACE])
def test_the_experiment_runs(of: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if of == RACE:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    run(f"new-experiment sweep --game {of}", capsys)
    assert "score against simple" in run("experiment sweep.toml --scale quick --seeds 1", capsys)


@pytest.mark.parametrize("of", ["kalah:pits=3,seeds=2", RACE])
def test_the_tournament_runs(of: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if of == RACE:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert "wrote league.toml" in run(f"new-experiment league --tournament --game {of}", capsys)
    shown = run("experiment league.toml --scale quick", capsys)
    assert "greedy:depth=2" in shown
    assert "in per cent of 10 games" in shown


@pytest.mark.slow
def test_they_play_learn_and_advise_in_a_game_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    run("new-game my_nim", capsys)
    own, short = "my_nim:MyNim:stones=9", " ".join(SHORT)
    for kind in OF_A_GAME:
        said = run(f"{command_for(kind)} its_{kind.replace('-', '_')} --game {own}", capsys)
        if kind not in EXPERIMENTS:
            assert "passes all" in run(said.partition("next: petteia ")[2], capsys)
    assert "2 games" in run(f"match {own} its_player:ItsPlayer its_policy:ItsPolicy --games 2", capsys)
    assert "best move" in run(f"best {own} --player greedy:depth=2,evaluation=its_evaluation:value", capsys)
    said = run(f"train {own} --features its_features:ItsFeatures --opponent random {short}", capsys)
    assert "learned from 300 games" in said
    said = run(f"train {own} --learner its_update_rule:ItsUpdateRule --opponent its_policy:ItsPolicy {short}", capsys)
    assert "learned from 300 games" in said


WEAK = {"weak-result", "lacking-features"}
"""What may be found: a linear function of the contents of squares does not play every game well."""


@pytest.mark.slow
@pytest.mark.parametrize("of", ["kalah", "hare-and-hounds", "british-square:size=4", "my_nim:MyNim", RACE])
def test_a_training_with_the_new_features_is_sound(of: str, capsys: pytest.CaptureFixture[str]) -> None:
    if of.startswith("my_nim"):
        run("new-game my_nim", capsys)
    name = f"of_{re.sub('[^a-z]', '', of)}"
    features = f"{name}:{class_name(name)}"
    run(f"new-features {name} --game {of}", capsys)
    run(f"check {features} --game {of} --games 20", capsys)
    run(f"train {of} --features {features} --opponent self --knows-ends --games 2000 --name a --runs runs", capsys)
    said = run("doctor a --runs runs", capsys)
    assert {*re.findall(r"^[0-9]+\. ([a-z-]+):", said, re.MULTILINE)} <= WEAK, said


def test_features_are_those_that_differ_after_moves() -> None:
    """After a move in the race dice are to be cast: no player is to move, and no die has fallen."""
    text = new_file("features", "racing", game=RACE).path.read_text()
    assert '    "constant",\n    # numbers' in text
    assert re.findall(r"value\[\d\] = .*", text) == [
        "value[0] = 1.0",
        "value[1] = state.first / 4",
        "value[2] = state.second / 4",
        "value[3] = state.side / 1",
    ]
    assert "to_move" not in text


def test_bits_are_counted_only_where_that_tells_moves_apart() -> None:
    """Each move in British Square adds a stone, wherever it is put."""
    names = [term.name for term in writing._terms(game("british-square"))]
    assert names == [*(f"first_{i}" for i in range(25)), *(f"second_{i}" for i in range(25)), "side"]


@pytest.mark.parametrize("name", ["Mine", "my-own", "../mine", "", "2048", "class"])
@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_name_that_does_not_do_is_refused(kind: str, name: str, folder: Path) -> None:
    with pytest.raises(UsageError, match=rf"{TEMPLATES[kind].what} '{re.escape(name)}': "):
        new_file(kind, name)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", TEMPLATES)
def test_nothing_is_overwritten(kind: str) -> None:
    path = new_file(kind, "mine").path
    path.write_text("kept = 1\n")
    with pytest.raises(UsageError, match=f"{path.name} exists already; choose another name, or move the file"):
        new_file(kind, "mine")
    assert path.read_text() == "kept = 1\n"


def test_what_else_is_wrong(folder: Path) -> None:
    with pytest.raises(UsageError, match="there is no template for a file of kind 'bot'; choose from game, player"):
        new_file("bot", "mine")
    with pytest.raises(UsageError, match="there is no game 'kala'"):
        new_file("player", "mine", game="kala")
    with pytest.raises(NotFoundError, match="there is no module 'nowhere'"):
        new_file("features", "mine", game="nowhere:Nim")
    with pytest.raises(UsageError, match="game 'mine': a new game is not based on another game; omit game='kalah'"):
        new_file("game", "mine", game="kalah")
    with pytest.raises(PetteiaError, match="cannot be written: No such file"):
        new_file("experiment", "mine", folder=folder / "nowhere")
    assert list(folder.iterdir()) == []


def test_what_a_state_holds_is_found_by_looking() -> None:
    """Of a field that holds many numbers in one the bits are counted, or stand alone if there are always as many."""
    written = [term.written for term in writing._terms(game("hare-and-hounds:stall=0"))]
    assert written == [*(f"(state.hounds >> {square} & 1)" for square in range(11)), "state.hare", "state.side"]
    assert writing._terms(game("kalah"))[0].written == "popcount(state.south)"
    weights = {term.name: weight for term, weight in writing._fitted(game("kalah"))}
    assert weights["south_store"] > 0.5
    assert weights["north_store"] < -0.5
