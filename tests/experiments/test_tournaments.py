"""Tournaments: the same bytes whatever happens, players that are broken, and the command."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import own_players
import pytest
from flat_options import train
from matching_checksums import mend
from small_experiments import written
from small_tournaments import SMALL

from petteia.cli import main
from petteia.core.errors import InvalidError
from petteia.experiments.experiment import experiment
from petteia.experiments.tournament.results import TournamentResult
from petteia.records.runs import folder_digest


@pytest.mark.slow
def test_the_same_bytes_with_two_jobs_and_again(small_tournament: TournamentResult, tmp_path: Path) -> None:
    before = folder_digest(small_tournament.folder)
    again = experiment(small_tournament.plan.source, folder=tmp_path, jobs=2)
    assert folder_digest(again.folder) == before
    assert folder_digest(experiment(small_tournament.plan.source, folder=tmp_path).folder) == before
    assert (again.cells, again.summary) == (small_tournament.cells, small_tournament.summary)
    other = written(tmp_path / "other", SMALL.replace("seed = 5", "seed = 6"))
    assert experiment(other, folder=tmp_path / "other").cells != small_tournament.cells


def test_interrupted_and_resumed(small_tournament: TournamentResult, tmp_path: Path) -> None:
    told: list[int] = []

    def interrupt(done: int, wanted: int, note: str) -> None:
        assert 0 <= done <= wanted == 9 * 60
        assert re.fullmatch(r"(lead \d+\.\d% \w+; )?\d of 9 matches", note)
        told.append(done)
        if len(told) % 9 == 8:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt, match="the same command continues"):
        experiment(small_tournament.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    lines = (tmp_path / "small" / "matches" / "points.jsonl").read_text().splitlines()
    assert 0 < sum(json.loads(line)["games"] for line in lines) < 9 * 60
    for _ in range(3):
        with contextlib.suppress(KeyboardInterrupt):
            experiment(small_tournament.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    result = experiment(small_tournament.plan.source, folder=tmp_path, progress=lambda *words: told.append(words[0]))
    assert told[-1] == 9 * 60
    assert folder_digest(result.folder) == folder_digest(small_tournament.folder)


FINDING_HELPERS = os.environ | {"PYTHONPATH": str(Path(own_players.__file__).parent)}
SCRIPT = """
import sys
from petteia.experiments.experiment import experiment
experiment(sys.argv[1], folder=sys.argv[2], jobs=2)
"""


DRIVEN = SMALL.partition("[findings]")[0].replace('"simple", "heuristic"', '"own_players:Lower", "search:nodes=30"')
"""players that take turns in Python, in processes"""


def killed_until_done(arguments: list[str], journal: Path, kills: int) -> None:
    """Run a tournament again and again, each time killed a moment later than the time before, and at last not."""
    random_moments = random.Random(kills)
    for kill in range(kills):
        size = journal.stat().st_size if journal.exists() else 0
        with subprocess.Popen(arguments, stderr=subprocess.DEVNULL, env=FINDING_HELPERS) as process:
            until = time.monotonic() + 60.0
            while process.poll() is None and time.monotonic() < until:
                if journal.exists() and journal.stat().st_size > size:
                    break
                time.sleep(0.005)
            time.sleep(random_moments.uniform(0.0, 0.3 if kill % 2 else 0.02))
            process.kill()
        if kill % 3 == 0 and not journal.with_name("results.json").exists():
            with journal.open("a") as file:
                file.write('{"row":"random","col')  # what a process writes that is killed meanwhile
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL, env=FINDING_HELPERS)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "kills"), [(SMALL.replace("games = 60", "games = 30_000"), 4), (DRIVEN, 3)])
def test_killed_and_resumed(text: str, kills: int, tmp_path: Path) -> None:
    source = written(tmp_path, text)
    expected = folder_digest(experiment(source, folder=tmp_path / "left").folder)
    journal = tmp_path / "killed" / "small" / "matches" / "points.jsonl"
    killed_until_done([sys.executable, "-c", SCRIPT, str(source), str(tmp_path / "killed")], journal, kills)
    assert folder_digest(tmp_path / "killed" / "small") == expected


@pytest.mark.heavy
@pytest.mark.parametrize("text", [SMALL.replace("games = 60", "games = 200_000"), DRIVEN.replace("60", "1_000")])
def test_killed_25_times_and_resumed(text: str, tmp_path: Path) -> None:
    """Twice, so 50 times in all."""
    test_killed_and_resumed(text, 25, tmp_path)


def test_at_most_a_block_of_each_worker_is_played_again(tmp_path: Path) -> None:
    """What a journal has is not played again, also when its lines are those of blocks here and there."""
    source = written(tmp_path, SMALL.partition("[findings]")[0])
    whole = experiment(source, folder=tmp_path / "whole")
    part = experiment(source, folder=tmp_path / "part")
    rows = part.run.journal.read()
    (part.run.path / "results.json").unlink()
    part.run.journal.rewrite([row for number, row in enumerate(rows) if number % 7])
    told: list[int] = []
    again = experiment(source, folder=tmp_path / "part", progress=lambda done, *rest: told.append(done))
    assert told[0] == 9 * 60 - sum(row["games"] for row in rows[::7])
    assert again.cells == whole.cells
    assert folder_digest(again.folder) == folder_digest(whole.folder)


def test_a_line_that_is_torn_behind_the_last_match_goes(small_tournament: TournamentResult, tmp_path: Path) -> None:
    """It was killed when all matches were noted, and the results were not."""
    shutil.copytree(small_tournament.folder, tmp_path / "small")
    (tmp_path / "small" / "matches" / "results.json").unlink()
    with (tmp_path / "small" / "matches" / "points.jsonl").open("a") as file:
        file.write('{"row":"random","col')
    for _ in range(2):
        result = experiment(small_tournament.plan.source, folder=tmp_path)
        assert folder_digest(result.folder) == folder_digest(small_tournament.folder)


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL)
    made = experiment(source, folder=tmp_path)
    for old, new, setting in (
        ("games = 60", "games = 59", "games"),
        ("seed = 5", "seed = 6", "seed"),
        ("pits=4", "pits=3", "game"),
    ):
        written(tmp_path, SMALL.replace(old, new))
        words = rf"begun with other settings \({setting}\); remove .*, or choose another folder"
        with pytest.raises(InvalidError, match=words):
            experiment(source, folder=tmp_path)
    written(tmp_path, SMALL.replace("a paper", "a book"))  # which changes nothing about the games
    assert "a book" in experiment(source, folder=tmp_path).note
    description = made.run.path / "run.json"
    other = {"provenance": {"petteia.policies.play_games": "0"}}
    description.write_text(json.dumps(json.loads(description.read_text()) | other))
    mend(made.run.path)
    with pytest.raises(
        InvalidError, match=r"petteia\.policies\.play_games has changed since the run was begun; remove"
    ):
        experiment(source, folder=tmp_path)


@pytest.mark.parametrize("line", ['{"row":"random"}', '{"a":1}', "[]"])
def test_a_damaged_journal_is_refused(line: str, tmp_path: Path) -> None:
    made = experiment(written(tmp_path, SMALL), folder=tmp_path)
    rows = made.run.journal.read()
    made.run.journal.path.write_text(f"{line}\n")
    with pytest.raises(InvalidError, match=r"points.jsonl.*damaged"):
        experiment(made.plan.source, folder=tmp_path)
    made.run.journal.path.unlink()
    made.run.journal.append([*rows, rows[0]])
    mend(made.run.path)
    with pytest.raises(InvalidError, match="the matches in the file are not those of this tournament"):
        experiment(made.plan.source, folder=tmp_path)


@pytest.mark.slow
def test_a_player_that_has_learned_something_else_is_refused(tmp_path: Path) -> None:
    def learn(games: int) -> None:
        made = train("kalah:pits=2,seeds=1", games=games, evaluation_games=10, runs=tmp_path, side="both")
        (made.run.weights).replace(tmp_path / "agent.safetensors")

    learn(50)
    text = SMALL.partition("[findings]")[0].replace("pits=4,seeds=3", "pits=2,seeds=1")
    source = written(tmp_path, text.replace("heuristic", f"q:agent={tmp_path / 'agent.safetensors'}"))
    experiment(source, folder=tmp_path)
    learn(5000)
    with pytest.raises(InvalidError, match=r"begun with other settings \(the knowledge of its players\)"):
        experiment(source, folder=tmp_path)


@pytest.mark.slow
def test_other_players_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players without a policy are driven from Python, with the same bytes."""
    text = SMALL.partition("[findings]")[0].replace('"simple", "heuristic"', '"own_players:Lower"').replace("60", "4")
    source = written(tmp_path, text.replace("kalah:pits=4,seeds=3", "hare-and-hounds"))
    one = experiment(source, folder=tmp_path / "one")
    two = experiment(source, folder=tmp_path / "two", jobs=2)
    assert folder_digest(one.folder) == folder_digest(two.folder)


@pytest.mark.slow
def test_a_broken_player_is_listed_and_the_others_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same as a tournament without it, but for a line about it and the exit code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    Path("broken_player.py").write_text("x = (\n")
    broken = ("broken_player:Broken", "nowhere:Player")
    text = SMALL.partition("[published]")[0].replace("60", "4")
    named = ", ".join(f'"{each}"' for each in broken)
    whole = text.replace('"simple", "heuristic"]', f'{named}, "simple", "heuristic"]')
    for wanted, name, source in ((0, "without", text), (1, "with", whole), (1, "with", whole)):
        written(tmp_path, source, f"{name}.toml")
        assert main(["experiment", f"{name}.toml", "--json"]) == wanted
        out, err = capsys.readouterr()
        assert len(json.loads(out)["table"]) == 9
        lines = [line for line in err.splitlines() if "a player that cannot start is left out" in line]
        assert len(lines) == (2 if wanted else 0)
    tables = [path.read_bytes() for path in sorted(tmp_path.glob("experiments/with*/table.csv"))]
    assert len(tables) == 2
    assert tables[0] == tables[1]


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, SMALL)
    assert main(["experiment", "small.toml", "--scale", "quick", "--json", "--jobs", "2"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["folder"], document["seeds"]) == (1, "experiments/small-quick", [5])
    assert [len(document[name]) for name in ("table", "comparison")] == [9, 9]
    assert document["table"][0]["games"] == 10
    files = {"table.csv", "comparison.csv", "summary.csv", "table.tex", "table.svg", "provenance.txt", "times.json"}
    assert files <= set(document["files"])
    assert main(["experiment", "small.toml", "--scale", "quick"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("first ")
    assert "log-likelihood of the table of a paper" in out
    assert "experiments/small-quick" in out
    assert main(["experiment", "small.toml", "--seeds", "2"]) == 2
    assert main(["experiment", str(written(tmp_path, SMALL.replace("title", "titel"), "wrong.toml"))]) == 4
    assert capsys.readouterr().err.count("\n") == 2
