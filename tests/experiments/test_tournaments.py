"""Tournaments: what a file may say, the same bytes whatever happens, and what is written of the matches."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pandas
import pytest
from flat_options import train
from matching_checksums import mend
from small_experiments import refused, written

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, UsageError
from petteia.experiments.experiment import experiment, plan
from petteia.experiments.tournament.results import TournamentResult
from petteia.records.runs import folder_digest

SMALL = """
title = "Small & quick"
seed = 5

[tournament]
game = "kalah:pits=4,seeds=3"
players = ["random", "simple", "heuristic"]
games = 60
seats = "fixed"
openings = "none"

[findings]
edge = true
intransitive = true
depth = ["random", "simple", "heuristic"]

[published]
source = "a paper"
games = 20
wins = [[9, 4, 1], [15, 20, 0], [20, 0, 0]]
draws = [[1, 1, 1], [1, 0, 0], [0, 0, 0]]

[quick]
games = 10
"""
PLAYERS = 'players = ["random", "simple", "heuristic"]'
WINS = "wins = [[9, 4, 1], [15, 20, 0], [20, 0, 0]]"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> TournamentResult:
    folder = tmp_path_factory.mktemp("made")
    return experiment(written(folder, SMALL), folder=folder)


# What a file may say.


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Small & quick"', "", "title: is missing"),
        ("games = 60", "games = 60\ntime = 0", "tournament.time: .*greater than 0"),
        ("games = 60", "games = 60\nmove_timeout = inf", "tournament.move_timeout: .*finite"),
        ("games = 60", "games = 60\ndepth = 2.5", "tournament.depth: .*integer"),
        ("seed = 5", "seed = -1", "seed: .*greater than or equal to 0"),
        ("seed = 5", "seeds = 5", "seeds: there is no such field; did you mean 'seed'"),
        ('game = "kalah:pits=4,seeds=3"', "", "tournament.game: is missing"),
        ('"kalah:pits=4,seeds=3"', '"kalha"', "tournament.game: there is no game 'kalha'; did you mean 'kalah'"),
        (PLAYERS, "", "tournament.players: is missing"),
        (PLAYERS, "players = []", "tournament.players: is empty"),
        (PLAYERS, 'players = "random"', "tournament.players: must be a list"),
        (PLAYERS, 'players = ["random", 3, "heuristic"]', "tournament.players.1: input should be a valid string"),
        (PLAYERS, 'players = ["random", "simpel"]', "tournament.players.1: .*did you mean 'simple'"),
        (PLAYERS, 'players = ["random", "simple", "random"]', "tournament.players: has 'random' twice"),
        (PLAYERS, 'palyers = ["random"]', "tournament.palyers: there is no such field; did you mean 'players'"),
        ("games = 60", "games = 0", "tournament.games: .*greater than or equal to 1"),
        ("games = 60", 'games = "many"', "tournament.games: input should be a valid integer"),
        ("games = 60", "games = 60\nalpha = 1", "tournament.alpha: there is no such field"),
        ("games = 60", "games = 60\nedge = true", "tournament.edge: does not belong here"),
        ('"fixed"', '"none"', "tournament.seats: input should be 'both' or 'fixed'"),
        ('"fixed"', '"both"', 'findings.edge: needs seats = "fixed"'),
        ('games = 60\nseats = "fixed"', 'games = 61\nseats = "both"', "tournament.games: must be even"),
        ('openings = "none"', 'openings = "random:x"', "tournament.openings: .*PLIES"),
        ('openings = "none"', 'openings = "nowhere.txt"', "tournament.openings: .*there is no such file"),
        ('openings = "none"', "max_plies = 0", "tournament.max_plies: .*greater than or equal to 1"),
        ("edge = true", "edge = 1", "findings.edge: input should be a valid boolean"),
        ("edge = true", "egde = true", "findings.egde: there is no such field; did you mean 'edge'"),
        ('depth = ["random", ', 'depth = ["rondom", ', "findings.depth: 'rondom' is not among the players"),
        ('depth = ["random", ', 'depth = ["heuristic", ', "findings.depth: has 'heuristic' twice"),
        ('depth = ["random", "simple", "heuristic"]', 'depth = ["random"]', "findings.depth: must have two"),
        ('source = "a paper"', "", "published.source: is missing"),
        ("games = 20", "games = 1_000_000", "published.games: .*less than or equal to 1000"),
        (WINS, "wins = [[9, 4, 1], [15, 20, 0]]", "published.wins: has 2 rows; must have 3"),
        (WINS, "wins = [[9, 4, 1], [15, 20], [20, 0, 0]]", "published.wins.1: has 2 figures; must have 3"),
        (WINS, "wins = [[9, 4, 1], [15, -2, 0], [20, 0, 0]]", "published.wins.1.1: .*greater than or equal to 0"),
        (WINS, "wins = [[9, 4, 1], 15, [20, 0, 0]]", "published.wins.1: must be a list"),
        (WINS, "wins = [[9, 4, 20], [15, 20, 0], [20, 0, 0]]", r"published.draws.0.2: wins and draws are 21 of 20"),
        ("games = 10", "games = 0", "quick.games: .*greater than or equal to 1"),
        ("games = 10", "game = 10", "quick.game: does not belong here"),
        ("[quick]", "[training]\n[quick]", "training: there is no such field"),
    ],
)
def test_what_is_wrong_in_one_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in SMALL
    refused(SMALL.replace(old, new, 1), message, tmp_path)


def test_scales_seeds_and_sizes(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL)
    assert (plan(path).games, plan(path, "quick").games) == (9 * 60, 9 * 10)
    assert plan(path).declaration.tournament.max_plies == 1000
    with pytest.raises(UsageError, match="seeds 3: a tournament has one seed"):
        experiment(path, seeds=3, folder=tmp_path)
    with pytest.raises(UsageError, match=r"is large: 9,000,000,000 games; .*--yes"):
        experiment(written(tmp_path, SMALL.replace("60", "1_000_000_000")), folder=tmp_path)
    with pytest.raises(InvalidError, match="quick: is missing"):
        plan(written(tmp_path, SMALL.partition("[quick]")[0]), "quick")
    wrong = SMALL.replace('"fixed"', '"both"').replace("edge = true\n", "").replace("games = 10", "games = 11")
    with pytest.raises(InvalidError, match=r"quick\.games: must be even"):
        plan(written(tmp_path, wrong))


def test_a_player_that_takes_one_seat_only(tmp_path: Path) -> None:
    learned = train("hare-and-hounds", games=10, evaluation_games=10, runs=tmp_path)
    text = SMALL.replace("kalah:pits=4,seeds=3", "hare-and-hounds").replace("heuristic", f"q:agent={learned.run.path}")
    with pytest.raises(InvalidError, match=r"tournament.players.2: q:agent=.* does not play hare"):
        plan(written(tmp_path, text))


def test_a_limit_is_for_pairs_of_which_one_takes_it(tmp_path: Path) -> None:
    two = 'title = "Two"\n[tournament]\ngame = "kalah:pits=2,seeds=2"\nplayers = ["random", "{}"]\ngames = 2\ndepth = 2'
    result = experiment(written(tmp_path, two.format("greedy")), folder=tmp_path / "made")
    assert [cell.games for cell in result.cells] == [2] * 4
    with pytest.raises(InvalidError, match=r"tournament: players random and simple take no limit of depth"):
        plan(written(tmp_path, two.format("simple")))


# The same bytes.


@pytest.mark.slow
def test_the_same_bytes_with_two_jobs_and_again(made: TournamentResult, tmp_path: Path) -> None:
    before = folder_digest(made.folder)
    again = experiment(made.plan.source, folder=tmp_path, jobs=2)
    assert folder_digest(again.folder) == before
    assert folder_digest(experiment(made.plan.source, folder=tmp_path).folder) == before
    assert (again.cells, again.summary) == (made.cells, made.summary)
    other = written(tmp_path / "other", SMALL.replace("seed = 5", "seed = 6"))
    assert experiment(other, folder=tmp_path / "other").cells != made.cells


def test_interrupted_and_resumed(made: TournamentResult, tmp_path: Path) -> None:
    told: list[int] = []

    def interrupt(done: int, wanted: int, note: str) -> None:
        assert 0 <= done <= wanted == 9 * 60
        assert re.fullmatch(r"\d of 9 matches", note)
        told.append(done)
        if len(told) % 9 == 8:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt, match="the same command goes on"):
        experiment(made.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    assert 0 < len((tmp_path / "small" / "matches" / "points.jsonl").read_text().splitlines()) < 9
    for _ in range(3):
        with contextlib.suppress(KeyboardInterrupt):
            experiment(made.plan.source, folder=tmp_path, jobs=2, progress=interrupt)
    result = experiment(made.plan.source, folder=tmp_path, progress=lambda *words: told.append(words[0]))
    assert told[-1] == 9 * 60
    assert folder_digest(result.folder) == folder_digest(made.folder)


SCRIPT = """
import sys
from petteia.experiments.experiment import experiment
experiment(sys.argv[1], folder=sys.argv[2], jobs=2)
"""


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL.replace("games = 60", "games = 5_000"))
    expected = folder_digest(experiment(source, folder=tmp_path / "left").folder)
    arguments = [sys.executable, "-c", SCRIPT, str(source), str(tmp_path / "killed")]
    journal = tmp_path / "killed" / "small" / "matches" / "points.jsonl"
    for matches in (1, 3):  # of nine
        with subprocess.Popen(arguments, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and (not journal.exists() or journal.read_text().count("\n") < matches):
                time.sleep(0.01)
            time.sleep(random.uniform(0.0, 0.1))
            process.kill()
    if not journal.with_name("results.json").exists():  # or a slow machine has let it finish before it was killed
        with journal.open("a") as file:
            file.write('{"row":"random","col')  # what a process writes that is killed meanwhile
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL)
    assert folder_digest(tmp_path / "killed" / "small") == expected


def test_a_line_that_is_torn_behind_the_last_match_goes(made: TournamentResult, tmp_path: Path) -> None:
    """It was killed when all matches were noted, and the results were not."""
    shutil.copytree(made.folder, tmp_path / "small")
    (tmp_path / "small" / "matches" / "results.json").unlink()
    with (tmp_path / "small" / "matches" / "points.jsonl").open("a") as file:
        file.write('{"row":"random","col')
    for _ in range(2):
        result = experiment(made.plan.source, folder=tmp_path)
        assert folder_digest(result.folder) == folder_digest(made.folder)


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    source = written(tmp_path, SMALL)
    made = experiment(source, folder=tmp_path)
    for old, new in (("games = 60", "games = 61"), ("seed = 5", "seed = 6"), ("pits=4", "pits=3")):
        written(tmp_path, SMALL.replace(old, new))
        with pytest.raises(InvalidError, match=r"was begun with other settings; remove .*, or choose another folder"):
            experiment(source, folder=tmp_path)
    written(tmp_path, SMALL.replace("a paper", "a book"))  # which changes nothing about the games
    assert "a book" in experiment(source, folder=tmp_path).note
    description = made.run.path / "run.json"
    other = {"provenance": {"petteia.policies.play_games": "0"}}
    description.write_text(json.dumps(json.loads(description.read_text()) | other))
    mend(made.run.path)
    with pytest.raises(InvalidError, match=r"petteia\.policies\.play_games has changed since it was begun; remove"):
        experiment(source, folder=tmp_path)


@pytest.mark.parametrize("line", ['{"row":"random"}', '{"a":1}', "[]"])
def test_a_damaged_journal_is_refused(line: str, tmp_path: Path) -> None:
    made = experiment(written(tmp_path, SMALL), folder=tmp_path)
    made.run.journal.path.write_text(f"{line}\n")
    with pytest.raises(InvalidError, match=r"points.jsonl.*is damaged"):
        experiment(made.plan.source, folder=tmp_path)
    made.run.journal.path.unlink()
    made.run.journal.append([cell._asdict() for cell in reversed(made.cells)])
    mend(made.run.path)
    with pytest.raises(InvalidError, match="its matches are not those of this tournament"):
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
    with pytest.raises(InvalidError, match="was begun with other settings"):
        experiment(source, folder=tmp_path)


# What is found.


def test_each_match_can_be_played_alone(made: TournamentResult) -> None:
    assert [(cell.row, cell.column) for cell in made.cells] == [
        *itertools.product(("random", "simple", "heuristic"), repeat=2)
    ]
    assert len({cell.seed for cell in made.cells}) == 9
    for cell in made.cells:
        alone = petteia.match(
            "kalah:pits=4,seeds=3", cell.row, cell.column, games=60, seats="fixed", openings="none", seed=cell.seed
        )
        assert cell.counts == (alone.wins, alone.draws, alone.losses)
        assert (cell.score, cell.low, cell.high) == (alone.score, alone.low, alone.high)
        assert cell.distinct == alone.distinct
    assert [cell.distinct for cell in made.cells if "random" not in (cell.row, cell.column)] == [1] * 4


def test_files_are_the_rows(made: TournamentResult) -> None:
    assert set(made.rows) == {"table", "comparison", "summary"}
    for name, rows in made.rows.items():
        read = list(csv.DictReader(io.StringIO((made.folder / f"{name}.csv").read_text())))
        assert read == [{key: str(value) for key, value in row.items()} for row in rows]
    table = pandas.read_csv(made.folder / "table.csv")
    names = ["row", "column", "games", "wins", "draws", "losses", "score", "low", "high", "distinct", "seed"]
    names += ["illegal", "timeouts", "crashed", "row_fault", "column_fault"]
    assert list(table.columns) == names
    assert (table.wins + table.draws + table.losses == 60).all()
    assert (made.folder / "experiment.toml").read_text() == SMALL


def test_the_comparison(made: TournamentResult) -> None:
    published = tomllib.loads(SMALL)["published"]
    frame = pandas.DataFrame(made.comparison)
    assert list(frame.published_wins) == [*itertools.chain(*published["wins"])]
    assert list(frame.published_draws) == [*itertools.chain(*published["draws"])]
    assert (frame.published_wins + frame.published_draws + frame.published_losses == 20).all()
    assert frame.log_likelihood.sum() == pytest.approx(made.log_likelihood)
    # The paper has a certain result the wrong way round.
    wrong = frame[frame.verdict == "differs"]
    assert set(zip(wrong.row, wrong.column, strict=True)) == {("simple", "simple")}
    rows = {(row["kind"], row["row"], row["column"]): row["words"] for row in made.summary}
    assert "of 20 games 0.0 wins, 0.0 draws and 20.0 losses" in rows["differs", "simple", "simple"]
    assert rows["log-likelihood", "", ""].startswith("log-likelihood of the table of a paper; ")
    assert f"log-likelihood of the table of a paper {made.log_likelihood:.1f}, {len(wrong)} match" in made.note


def test_the_table_is_one_for_latex(made: TournamentResult) -> None:
    text = (made.folder / "table.tex").read_text()
    assert r"\caption{Small \& quick: wins/draws of the first player in per cent of 60 games" in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 4
    assert re.fullmatch(r"    simple & \S+ & 0\.0/0\.0\* & 0\.0/0\.0 \\\\", rows[2])


def test_the_figure_shows_marks(made: TournamentResult) -> None:
    text = (made.folder / "table.svg").read_text()
    assert text.startswith("<svg")
    for words in ("whoever begins wins", "loses to one that is beaten by one it beats", "looking further"):
        assert words in text
    kinds = ("edge", "intransitive", "depth")
    marked = [len({finding[1:3] for finding in made.findings if finding.kind == kind}) for kind in kinds]
    assert sum(marked) > 0
    colours = ("#0072b2", "#d55e00", "#009e73")
    shown = [len(re.findall(rf"<use [^>]*fill: {colour}", text.lower())) for colour in colours]
    assert shown == [count + 1 for count in marked]  # and one in the legend


def test_provenance_says_how_to_make_it_again(made: TournamentResult) -> None:
    text = (made.folder / "provenance.txt").read_text()
    for part in (
        f"command: petteia experiment {made.plan.source} --scale paper\n",
        "matches: 9 of 60 games: each of 3 players as first against each as second\n",
        "conditions: kalah:pits=4,seeds=3, seats fixed, openings none\n",
        "seed: 5; that of each match is in table.csv\n",
        "processor: ",
        made.run.description.code,
    ):
        assert part in text
    times = json.loads((made.folder / "times.json").read_text())
    assert times["begun"] <= times["updated"]


def test_both_seats_and_nothing_published(tmp_path: Path) -> None:
    text = SMALL.partition("[findings]")[0].replace('"fixed"', '"both"').replace('"none"', '"random:2"')
    made = experiment(written(tmp_path, text), folder=tmp_path)
    cells = {(cell.row, cell.column): cell.score for cell in made.cells}
    assert cells["heuristic", "random"] > 0.7
    assert cells["random", "heuristic"] < 0.3
    assert (made.summary, made.comparison) == ([], [])
    assert not (made.folder / "summary.csv").exists()
    assert not (made.folder / "comparison.csv").exists()
    assert made.note == "wins/draws of the first player in per cent of 60 games"


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
        lines = [line for line in err.splitlines() if "broken, plays no games" in line]
        assert len(lines) == (2 if wanted else 0)
    tables = [path.read_bytes() for path in sorted(tmp_path.glob("experiments/with*/table.csv"))]
    assert len(tables) == 2
    assert tables[0] == tables[1]


def test_where_a_broken_player_ends_a_tournament(tmp_path: Path) -> None:
    """A published table is of all players; and somebody must play."""
    text = SMALL.replace('"simple", "heuristic"]\ngames', '"nowhere:A", "heuristic"]\ngames')
    with pytest.raises(InvalidError, match=r"tournament\.players\.1: .*there is no module 'nowhere'"):
        plan(written(tmp_path, text))
    nobody = text.partition("[findings]")[0].replace('"random", "nowhere:A", "heuristic"', '"nowhere:A", "nowhere:B"')
    with pytest.raises(InvalidError, match=r"tournament\.players\.1: .*there is no module 'nowhere'"):
        plan(written(tmp_path, nobody))


# The command.


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
