"""Trainings that a cluster does: the same bytes as here, whatever happens to its workers."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from dask_processes import Process, killing, scheduler, worker
from small_experiments import SMALL, written

import petteia
from petteia.arena.cluster import check_same_code
from petteia.cli import main
from petteia.experiments import on_cluster
from petteia.experiments.experiment import experiment
from petteia.experiments.on_cluster import Task, do
from petteia.experiments.results import ExperimentResult
from petteia.records.packed import FILES, pack, unpack
from petteia.records.runs import folder_digest

LONGER = SMALL.replace("games = 400", "games = 400_000").replace("evaluate_every = 100", "evaluate_every = 200_000")
OWN_PLAYER = """
from petteia.core.protocol import legal

class Lowest:
    def new_game(self, rules, seed):
        self.rules = rules

    def choose(self, state, limit):
        return {}(legal(self.rules, state))
"""


def made_here(tmp_path: Path, text: str = SMALL) -> ExperimentResult:
    made = experiment(written(tmp_path, text), folder=tmp_path / "here")
    assert isinstance(made, ExperimentResult)
    return made


class TestTasks:
    """What a worker does, without a cluster."""

    def test_a_training_comes_back_in_parts_and_leaves_the_same_bytes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = made_here(tmp_path, SMALL.replace("[0.1, 0.5]", "[0.1]").replace("[0.5, 1]", "[1]"))
        monkeypatch.setattr(on_cluster, "MAX_SECONDS", 0.0)
        whole = made.cells[0].trainings[0].run.path
        parts = tmp_path / "parts"
        unpack({"run.json": pack(whole)["run.json"]}, parts)
        games, numbers = list[int](), None
        while numbers is None:
            (done,) = do(Task(((parts, pack(parts)),), made.plan.declaration.measure, frozenset())).done
            unpack(done.files, parts)
            games.append(done.games)
            numbers = done.numbers
        assert len(games) > 2
        assert games == sorted(games)
        assert numbers[0]["final"] == made.cells[0].runs[0]["final"]
        assert folder_digest(parts) == folder_digest(whole)

    def test_several_are_done_one_after_the_other(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        made = made_here(tmp_path)
        folders = sorted((made.folder / "runs").iterdir())
        task = Task(tuple((each, pack(each)) for each in folders), made.plan.declaration.measure, frozenset())
        answer = do(task)
        assert len(answer.done) == answer.finished == 8
        assert all(not each.files for each in answer.done), "nothing has changed"
        monkeypatch.setattr(on_cluster, "MAX_SECONDS", 0.0)
        assert len(do(task).done) == 1

    def test_an_error_names_the_folder_that_the_asking_machine_knows(self, tmp_path: Path) -> None:
        made = made_here(tmp_path)
        folder = made.folder / "runs" / "alpha-0.1_gamma-1_seed-0"
        files = pack(folder) | {"weights.safetensors": b"nothing"}
        with pytest.raises(petteia.PetteiaError) as raised:
            do(Task(((folder, files),), made.plan.declaration.measure, frozenset()))
        assert str(raised.value).startswith(str(folder / "weights.safetensors"))

    def test_files_come_in_the_order_in_which_work_writes_them(self) -> None:
        assert [*FILES] == ["run.json", "points.jsonl", "weights.safetensors", "results.json", "times.json"]


def test_other_code_is_named() -> None:
    check_same_code({"a.b": "1"}, {"a.b": "1"})
    with pytest.raises(petteia.PetteiaError, match=r"^its code of a\.b and c differs from the code on your machine"):
        check_same_code({"a.b": "1"}, {"a.b": "2", "c": "3"})


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills processes as Unix does")
class TestWithDask:
    """With a scheduler and workers of their own, as on a cluster."""

    @pytest.fixture(autouse=True)
    def dask(self) -> None:
        pytest.importorskip("distributed", reason="Dask is not installed")

    def same_as_here(self, made: ExperimentResult, tmp_path: Path, address: str) -> None:
        there = experiment(made.plan.source, folder=tmp_path / "there", cluster=address)
        assert folder_digest(there.folder) == folder_digest(made.folder)

    def test_the_same_bytes_as_here(self, tmp_path: Path) -> None:
        made = made_here(tmp_path)
        with scheduler(tmp_path) as (_, address), worker(address), worker(address):
            self.same_as_here(made, tmp_path, address)
            before = {path: path.stat().st_mtime_ns for path in (tmp_path / "there" / "small" / "runs").rglob("*.*")}
            self.same_as_here(made, tmp_path, address)
        assert {path: path.stat().st_mtime_ns for path in before} == before

    def test_a_worker_that_is_killed_costs_its_unfinished_trainings_only(self, tmp_path: Path) -> None:
        made = made_here(tmp_path, LONGER)
        with scheduler(tmp_path) as (_, address), killing(address, 2) as workers, worker(address):
            self.same_as_here(made, tmp_path, address)
        assert len(workers) > 1

    def test_a_scheduler_that_is_lost_is_one_line_and_the_same_command_goes_on(self, tmp_path: Path) -> None:
        source, folder, told = written(tmp_path, LONGER), tmp_path / "kept", list[int]()

        def lose(begun: Process) -> Any:
            def on_progress(done: int, wanted: int, note: str) -> None:
                told.append(done)
                begun.kill()

            return on_progress

        with (
            scheduler(tmp_path) as (begun, address),
            worker(address),
            pytest.raises(petteia.PetteiaError, match=r"its scheduler is lost; restart it and repeat the command$"),
        ):
            experiment(source, folder=folder, cluster=address, progress=lose(begun))
        assert told[-1] > 0
        finished = [row for row in petteia.runs(folder / "small" / "runs") if row.done]
        assert finished
        assert folder_digest(experiment(source, folder=folder).folder) == folder_digest(
            made_here(tmp_path, LONGER).folder
        )

    def test_a_worker_with_other_code_of_a_user_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name, choice in (("here", "min"), ("there", "max")):
            written(tmp_path / name, OWN_PLAYER.format(choice), "own_for_cluster.py")
        monkeypatch.syspath_prepend(tmp_path / "here")
        match = ["match", "kalah:pits=3,seeds=2", "own_for_cluster:Lowest", "random", "--games", "4"]
        with scheduler(tmp_path) as (_, address):
            with worker(address, paths=(tmp_path / "there",)):
                assert main([*match, "--cluster", address]) == 1
                out, err = capsys.readouterr()
                assert out == ""
                assert err.count("\n") == 1
                assert "its code of own_for_cluster.Lowest.choose differs from the code on your machine" in err
            with worker(address, paths=(tmp_path / "here",)):
                assert main([*match, "--cluster", address]) == 0

    def test_a_worker_with_other_source_of_petteia_is_refused(self, tmp_path: Path) -> None:
        other = tmp_path / "other"
        shutil.copytree(Path(petteia.__file__).parent, other / "petteia")
        changed = other / "petteia" / "experiments" / "training.py"
        changed.write_text(changed.read_text().replace("CHUNK_SECONDS = 0.05", "CHUNK_SECONDS = 0.06"))
        with (
            scheduler(tmp_path) as (_, address),
            worker(address, paths=(other,)),
            pytest.raises(
                petteia.PetteiaError, match=r"^worker \S+: its code of petteia\.experiments\.training differs from"
            ),
        ):
            experiment(written(tmp_path), folder=tmp_path, cluster=address)

    def test_a_module_that_a_worker_does_not_find_is_one_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = "from petteia.games.kalah import Kalah\n\nclass Own(Kalah):\n    pass\n"
        written(tmp_path / "here", game, "own_game_alone.py")
        written(tmp_path / "here", OWN_PLAYER.format("min"), "own_player_alone.py")
        monkeypatch.syspath_prepend(tmp_path / "here")
        with scheduler(tmp_path) as (_, address), worker(address):
            for game, player in (("kalah", "own_player_alone:Lowest"), ("own_game_alone:Own", "random")):
                assert main(["match", game, player, "random", "--games", "4", "--cluster", address]) != 0
                out, err = capsys.readouterr()
                assert out == ""
                assert err.count("\n") == 1
                assert "worker tcp://" in err

    def test_the_command_says_the_same(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command, answers = ["experiment", str(written(tmp_path)), "--scale", "quick", "--json"], list[str]()
        for more in (["--cluster", "local:1"], []):
            assert main([*command, "--folder", str(tmp_path / "made"), *more]) == 0
            answers.append(capsys.readouterr().out)
        assert answers[0] == answers[1]
