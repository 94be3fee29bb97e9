"""Games that a cluster plays: the same as here, whatever happens to its workers."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from dask_processes import killing, scheduler, worker

import petteia
from petteia.arena.cluster import Cluster
from petteia.cli import main

GAME = "kalah:pits=3,seeds=2"
ADDRESS = "tcp://127.0.0.1:1"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills processes as Unix does")
class TestWithDask:
    """With a scheduler and workers of their own, as on a cluster."""

    @pytest.fixture(autouse=True)
    def dask(self) -> None:
        pytest.importorskip("distributed", reason="Dask is not installed")

    @pytest.mark.slow
    def test_the_same_bytes_as_here(self, tmp_path: Path) -> None:
        """In the compiled loop, from Python, with a player of one's own, and with a sequential test."""
        players = ["random", "greedy:depth=1", "search:nodes=30", "own_players:Lower"]
        with scheduler(tmp_path) as (_, address), worker(address), worker(address):
            for cluster, name in ((address, "there"), (None, "here")):
                petteia.tournament(GAME, players, games=40, folder=tmp_path / name, cluster=cluster)
            for options in ({"sprt": "0,50"}, {"moves": True}):
                one, two = (
                    petteia.match(GAME, "greedy:depth=1", "random", games=200, cluster=cluster, **options)
                    for cluster in (address, None)
                )
                assert one == two
        for file in ("matches/points.jsonl", "matches/results.json", "table.csv", "index.html"):
            assert (tmp_path / "there" / file).read_bytes() == (tmp_path / "here" / file).read_bytes()

    def killed(self, tmp_path: Path, kills: int, games: int) -> None:
        """Kill the older of two workers again and again, each time that a new one has come."""
        expected = petteia.match(GAME, "search:nodes=300", "random", games=games)
        with scheduler(tmp_path) as (_, address), killing(address, kills) as workers, worker(address):
            found = petteia.match(GAME, "search:nodes=300", "random", games=games, cluster=address)
        assert found == expected
        assert len(workers) > 1

    @pytest.mark.slow
    def test_a_worker_that_is_killed_costs_its_blocks_only(self, tmp_path: Path) -> None:
        self.killed(tmp_path, kills=2, games=6_000)

    @pytest.mark.heavy
    def test_workers_are_killed_20_times(self, tmp_path: Path) -> None:
        self.killed(tmp_path, kills=20, games=100_000)

    @pytest.mark.slow
    def test_a_scheduler_that_is_lost_is_one_line_and_the_same_command_goes_on(self, tmp_path: Path) -> None:
        arguments: dict[str, Any] = {"games": 400, "folder": tmp_path / "kept"}
        players = ["random", "search:nodes=300"]
        told = []
        with scheduler(tmp_path) as (begun, address), worker(address):

            def kill(done: int, wanted: int, words: str) -> None:
                told.append(done)
                if done > 20:
                    begun.kill()

            with pytest.raises(petteia.PetteiaError, match="its scheduler is lost; restart it") as raised:
                petteia.tournament(GAME, players, cluster=address, progress=kill, **arguments)
            assert "\n" not in str(raised.value)
        begun_with = []
        kept = petteia.tournament(GAME, players, progress=lambda done, *rest: begun_with.append(done), **arguments)
        assert begun_with[0] >= max(told) > 20
        assert kept.cells == petteia.tournament(GAME, players, games=400).cells

    @pytest.mark.slow
    def test_workers_with_other_versions_or_threads_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import distributed

        with scheduler(tmp_path) as (_, address):
            with worker(address):
                told = distributed.Client.get_versions

                def other(client: Any, **options: Any) -> Any:
                    found = told(client, **options)
                    for each in found["workers"].values():
                        each["packages"]["numba"] = "0.1"
                    return found

                monkeypatch.setattr(distributed.Client, "get_versions", other)
                with pytest.raises(petteia.PetteiaError, match=r"worker tcp://\S+ has numba 0\.1, this process has \d"):
                    Cluster(address)
                monkeypatch.undo()
            with (
                worker(address, threads=2),
                pytest.raises(petteia.UsageError, match="has 2 threads; start workers with --nthreads 1"),
            ):
                Cluster(address)

    @pytest.mark.slow
    def test_a_local_one_is_made_by_the_command(self, capsys: pytest.CaptureFixture[str]) -> None:
        command = ["match", GAME, "random", "greedy:depth=1", "--games", "100"]
        answers = []
        for more in (["--cluster", "local:1"], []):
            assert main([*command, *more]) == 0
            answers.append(capsys.readouterr().out)
        assert answers[0] == answers[1]

    def test_an_address_where_nobody_is_is_one_line(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("petteia.arena.cluster.SECONDS_TO_CONNECT", 0.5)
        assert main(["match", GAME, "random", "random", "--cluster", ADDRESS]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"petteia: cluster {ADDRESS}: cannot be reached: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize("where", ["", "here", "local", "local:", "local:0", "host:80"])
def test_what_is_no_address_is_refused(where: str) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    with pytest.raises(petteia.PetteiaError, match=r"^cluster"):
        Cluster(where)


def test_without_dask_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(petteia.PetteiaError, match=r"needs Dask; install it with: pip install 'petteia\[cluster\]'"):
        petteia.match(GAME, "random", "random", cluster="local:2")
    assert petteia.match(GAME, "random", "random", games=2).games == 2
