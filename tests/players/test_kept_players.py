"""A player that learns while it plays, kept in a run from game to game."""

from __future__ import annotations

import gc
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept_games import LEARNT, Q, begun, lines, played, table
from own_modules import ENVIRONMENT
from small_agents import HARE, write_agent
from tiny_games import DiceRace

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.experiments.run_list import runs
from petteia.experiments.training import open_training, resume
from petteia.players import kept
from petteia.players.kept import read_games
from petteia.playing.terminal import play_at_terminal
from petteia.records.runs import create_run, digest, folder_digest, open_run
from petteia.value_functions.table import rows
from petteia.value_functions.table_file import load_table


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)


# Games that are kept.


def test_each_game_is_kept_with_its_parameters() -> None:
    first, second = played(3), played(4, "q:alpha=0.25,gamma=0.5")
    one, two = lines()
    rates = {"alpha": 0.5, "gamma": 0.9, "epsilon": 0.2}
    place = {"against": "human", "position": "0,1,3/10 hounds 0", "reason": "over"}
    assert one.items() >= {"game": 1, "seed": 3, "plies": len(first.moves), **rates, **place}.items()
    assert two.items() >= {"game": 2, "seed": 4, "alpha": 0.25, "gamma": 0.5, "epsilon": 0.0, **place}.items()
    for row, session in zip((one, two), (first, second), strict=True):
        assert session.outcome is not None
        assert row["result"] == session.outcome.margin
    assert table().games == 2
    assert table().seats == (0,)
    assert two["states"] == len(rows(table().table)[0])


def test_the_same_games_leave_the_same_bytes() -> None:
    folders = [Path(name) for name in ("one", "two", "three")]
    for folder, seeds in zip(folders, [(1, 2), (1, 2), (2, 1)], strict=True):
        for seed in seeds:
            played(seed, runs=folder)
    one, two, three = (folder_digest(folder / "kept") for folder in folders)
    assert one == two != three


def test_it_learns_as_a_player_that_saves_at_the_end(tmp_path: Path) -> None:
    """The table after a game is that of the same player, which is not kept, after the same game."""
    path = write_agent(tmp_path / "hounds.safetensors")
    text = LEARNT.replace("AGENT", str(path))
    played(7, text)
    saved = f"{text},save={tmp_path / 'saved.safetensors'}"
    session = petteia.session(HARE, (saved, "human"), seed=7)
    with session:
        session.advance()
        while not session.is_over:
            session.play(session.position.moves[-1])
            session.advance()
    its = load_table(tmp_path / "saved.safetensors", HARE)
    for part, other in zip(rows(table().table), rows(its.table), strict=True):
        np.testing.assert_array_equal(part, other)
    played(8, text)  # the same words go on with it
    assert open_training("kept").configuration.learner.weights == str(path)
    assert table().games == 2


def test_a_game_that_is_resigned_is_won_and_learned_from() -> None:
    session = begun()
    session.advance()
    session.resign()
    assert session.close() == (f"{Q} has learned from this game, which is game 1 of the run runs/kept",)
    (row,) = lines()
    assert (row["result"], row["reason"], row["plies"]) == (1, "resigned", 1)
    values = rows(table().table)[1]
    assert sorted(values.ravel())[-1] == 0.5
    assert np.count_nonzero(values) == 1


def test_a_game_of_the_limit_of_plies_is_a_draw() -> None:
    played(max_plies=6)
    assert [(row["result"], row["reason"]) for row in lines()] == [(0, "max-plies")]


def test_what_is_not_finished_leaves_nothing() -> None:
    with begun() as session:
        session.advance()
    assert session.close() == ()
    assert not Path("runs", "kept").exists()
    played(1)
    before = folder_digest(Path("runs", "kept"))
    session = begun(2)
    session.advance()
    assert session.close() == ("the game was not played to its end, so the run kept does not learn from the game",)
    assert folder_digest(Path("runs", "kept")) == before


def test_a_game_lost_by_a_fault_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    session = petteia.session(HARE, (Q, "misbehaving:Bad:how=illegal"), keep="kept", in_process=True)
    with session:
        session.advance()
    assert session.outcome is not None
    assert session.outcome.fault
    assert not Path("runs", "kept").exists()


def test_moves_can_be_taken_back_but_not_the_end() -> None:
    with begun() as session:
        session.advance()
        session.play(session.position.moves[0])
        session.advance()
        session.undo()
        while not session.is_over:
            session.play(session.position.moves[-1])
            session.advance()
        with pytest.raises(UsageError, match="so no move can be undone; start a new game"):
            session.undo()
    assert len(lines()) == 1


def test_both_seats_and_both_names_of_an_opponent(tmp_path: Path) -> None:
    with petteia.session(HARE, ("simple", Q), keep="hare") as session:
        session.advance()
    assert table("hare").seats == (1,)
    (row,) = lines("hare")
    assert session.outcome is not None
    assert row["result"] == -session.outcome.margin
    assert row["against"] == "simple"


def test_a_game_with_dice() -> None:
    rules = DiceRace()
    one, two = (played(5, game=rules, runs=folder) for folder in ("one", "two"))
    assert one.moves == two.moves
    assert folder_digest(Path("one", "kept")) == folder_digest(Path("two", "kept"))
    assert load_table(Path("one", "kept", "weights.safetensors"), rules).games == 1


# Killed, and in use.


def test_killed_while_it_saves_it_goes_on_to_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in (1, 2, 3):
        played(seed, runs="undisturbed")

    def kill(*arguments: Any) -> None:
        raise KeyboardInterrupt

    for seed in (1, 2, 3):
        with monkeypatch.context() as patch:
            patch.setattr(kept, "save_table", kill)
            with pytest.raises(KeyboardInterrupt):
                played(seed)
        gc.collect()
        assert len(open_training("kept").points) == seed - 1
        assert [row.state for row in runs()] == ["played"]
        played(seed)
    assert folder_digest(Path("runs", "kept")) == folder_digest(Path("undisturbed", "kept"))


@pytest.mark.slow
def test_killed_in_the_middle_of_a_game() -> None:
    played(1)
    before = digest(open_run("kept"))
    words = ["play", "hare-and-hounds", "--as", "hare", "--against", Q, "--keep", "kept", "--seed", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "petteia", *words], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"1\n")
    process.stdin.flush()
    for line in process.stdout:
        if b"hare (human): " in line or b"hounds (q" in line:
            break
    with pytest.raises(PetteiaError, match=f"process {process.pid} is writing to this folder"):
        begun(2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert digest(open_run("kept")) == before
    played(2)
    assert table().games == 2


def test_two_games_at_a_time_are_refused() -> None:
    played(1)
    session = begun(2)
    with pytest.raises(PetteiaError, match="is already writing to this folder"):
        begun(3)
    session.close()
    begun(3).close()


def test_a_session_that_cannot_begin_lets_the_run_go() -> None:
    played(1)
    with pytest.raises(UsageError, match="take no limit of depth"):
        play_at_terminal(HARE, Q, "human", keep="kept", hint="random", limit=petteia.Limit(depth=3))
    with pytest.raises(PetteiaError):
        begun(2, position="0,1,3/10 hounds 99")
    played(2)


# Reading such a run.


def test_its_curve_is_of_the_last_twenty_games() -> None:
    for seed in range(23):
        with begun(seed) as session:
            session.advance()
            if seed < 5:
                session.resign()
            while not session.is_over:
                session.play(session.position.moves[-1])
                session.advance()
    found = open_training("kept")
    results = [row["result"] for row in lines()]
    points = found.points
    assert [point.games for point in points] == list(range(1, 24))
    assert points[4][1:4] == (5, 0, 0)
    assert points[-1].wins == results[3:].count(1)
    assert points[-1].wins + points[-1].losses == 20
    assert f"{found!r}".startswith("<Training of hare-and-hounds by q-played, 23 of 23 games, hounds ")
    labels = " ".join(re.findall(r"<!-- (.*) -->", found.plot().svg))
    assert "score of hounds against human, the last 20 games" in labels


def test_it_is_listed_and_read_as_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    played(1)
    played(2, "q:alpha=0.1")
    with petteia.session(HARE, ("q:alpha=0.1", "simple"), keep="kept") as session:
        session.advance()
    (row,) = runs()
    assert (row.name, row.kind, row.done, row.wanted, row.state) == ("kept", "play", 3, 3, "played")
    assert row.what == ("q while playing human and simple, side 0, alpha 0.5,0.1@1, gamma 0.9, epsilon 0.2,0@1")
    found = petteia.doctor("kept")
    assert {each.fault for each in found.examined if each.why_not} >= {"weak-opponent", "few-games", "one-opponent"}
    assert {"frozen-values", "small-steps", "no-gain"} <= {each.fault for each in found.examined if not each.why_not}
    assert all(not finding.options for finding in found.findings)
    assert found.strength is not None
    assert main(["resume", "kept"]) == 2
    assert capsys.readouterr().err.endswith(
        "petteia: runs/kept: the run was made by playing; to continue the run, play again: petteia play "
        "hare-and-hounds --against q:alpha=0.1 --keep kept\n"
    )
    with pytest.raises(UsageError, match="to continue the run, play again"):
        resume("kept")


def test_others_play_by_it_and_leave_it_as_it_is() -> None:
    played(1)
    before = folder_digest(Path("runs", "kept"))
    petteia.match(HARE, open_training("kept"), "random", games=10, seats="fixed")
    petteia.match(HARE, "q:agent=kept,alpha=0.5", "random", games=10, seats="fixed")
    again = petteia.train(HARE, petteia.TableLearner(weights="kept"), games=10)
    assert len(rows(load_table(again.run.weights, HARE).table)[0]) > len(rows(table().table)[0])
    assert folder_digest(Path("runs", "kept")) == before


def rewritten(change: dict[str, Any]) -> None:
    """Change the row of the only game, and mend the checksums."""
    row = {key: value for key, value in lines()[0].items() if key != "checksum"} | change
    learned = table()
    Path("runs", "kept", "points.jsonl").unlink()
    run = open_run("kept")
    run.journal.append([row])
    kept.save_table(run.weights, HARE, learned, run.place)


def test_whom_it_has_met_is_not_looked_up() -> None:
    played(1)
    rewritten({"against": "no_such_module:Bot, then random for 5"})
    found = petteia.doctor("kept")
    assert "while playing no_such_module:Bot, then random for 5, side 0" in found.settings
    assert open_training("kept").notes == ()


DAMAGE = {
    "a game that is no number": (
        {"alpha": "much"},
        "line 1: damaged; it must contain game 1 of a run made by playing",
    ),
    "another number": ({"game": 7}, "line 1: damaged; it must contain game 1"),
    "a result that cannot be": ({"result": 2}, "line 1: damaged; it must contain game 1"),
    "a rate that cannot be": ({"alpha": 2.0}, "2 is not in 0..1"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_told_in_one_line(name: str) -> None:
    change, message = DAMAGE[name]
    played(1)
    rewritten(change)
    for read in (open_training, petteia.doctor):
        with pytest.raises(InvalidError, match=message) as error:
            read("kept")
        assert "\n" not in str(error.value)
    assert [row.state for row in runs()] == ["damaged"]


def test_a_run_that_was_made_and_nothing_more() -> None:
    create_run(Path("runs"), "play", HARE, {"side": 0, "agent": None}, {}, code=kept._code(), name="kept")
    (row,) = runs()
    assert (row.state, row.done, row.score) == ("played", 0, None)
    with pytest.raises(InvalidError):
        petteia.doctor("kept")
    played(1)
    assert table().games == 1
    assert len(read_games(open_run("kept"))) == 1
