"""Games that a cluster plays: the same as here, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import own_players
import pytest

import petteia
from petteia.arena.cluster import Cluster
from petteia.cli import main

GAME = "kalah:pits=3,seeds=2"
WORKER = (sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--no-dashboard", "--nthreads", "1")
ADDRESS = "tcp://127.0.0.1:1"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills processes as Unix does")
class TestWithDask:
    """With a scheduler and workers of their own, as on a cluster."""

    @pytest.fixture(autouse=True)
    def dask(self) -> None:
        pytest.importorskip("distributed", reason="Dask is not installed")

    @contextmanager
    def process(self, module: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        begun = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": str(Path(own_players.__file__).parent)},
        )
        try:
            yield begun
        finally:
            begun.kill()
            begun.wait()

    @contextmanager
    def scheduler(self, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
        """A scheduler and its address."""

        file = tmp_path / "scheduler.json"
        options = ("--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
        with self.process("dask_scheduler", *options) as begun:
            until = time.monotonic() + 60.0
            address = ""
            while not address and time.monotonic() < until:
                with suppress(OSError, ValueError):
                    address = json.loads(file.read_text())["address"]
                time.sleep(0.05)
            yield begun, address

    def worker(self, address: str, *more: str) -> Any:
        return self.process("dask_worker", address, "--no-nanny", "--no-dashboard", "--nthreads", "1", *more)

    @pytest.mark.slow
    def test_the_same_bytes_as_here(self, tmp_path: Path) -> None:
        """In the compiled loop, from Python, with a player of one's own, and with a sequential test."""
        players = ["random", "greedy:depth=1", "search:nodes=30", "own_players:Lower"]
        with self.scheduler(tmp_path) as (_, address), self.worker(address), self.worker(address):
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
        with self.scheduler(tmp_path) as (_, address), self.worker(address) as first:
            workers, is_over = [first], threading.Event()

            def kill() -> None:
                for _ in range(kills):
                    with suppress(ProcessLookupError):
                        workers[-1].send_signal(signal.SIGKILL)
                    workers.append(
                        subprocess.Popen(
                            [*WORKER, address],
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL,
                        )
                    )
                    if is_over.wait(6.0):
                        return

            killing = threading.Timer(3.0, kill)
            killing.start()
            try:
                with self.worker(address):
                    found = petteia.match(GAME, "search:nodes=300", "random", games=games, cluster=address)
            finally:
                is_over.set()
                killing.join()
                for each in workers:
                    each.kill()
                    each.wait()
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
        with self.scheduler(tmp_path) as (scheduler, address), self.worker(address):

            def kill(done: int, wanted: int, words: str) -> None:
                told.append(done)
                if done > 20:
                    scheduler.kill()

            with pytest.raises(petteia.PetteiaError, match="its scheduler is lost; start it") as raised:
                petteia.tournament(GAME, players, cluster=address, progress=kill, **arguments)
            assert "\n" not in str(raised.value)
        begun = []
        kept = petteia.tournament(GAME, players, progress=lambda done, *rest: begun.append(done), **arguments)
        assert begun[0] >= max(told) > 20
        assert kept.cells == petteia.tournament(GAME, players, games=400).cells

    @pytest.mark.slow
    def test_workers_with_other_versions_or_threads_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import distributed

        with self.scheduler(tmp_path) as (_, address):
            with self.worker(address):
                told = distributed.Client.get_versions

                def other(client: Any, **options: Any) -> Any:
                    found = told(client, **options)
                    for each in found["workers"].values():
                        each["packages"]["numba"] = "0.1"
                    return found

                monkeypatch.setattr(distributed.Client, "get_versions", other)
                with pytest.raises(petteia.PetteiaError, match=r"worker tcp://\S+ has numba 0\.1, this is \d"):
                    Cluster(address)
                monkeypatch.undo()
            with (
                self.process("dask_worker", address, "--no-nanny", "--no-dashboard", "--nthreads", "2"),
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
