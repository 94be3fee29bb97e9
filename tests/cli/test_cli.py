"""The command line, in this process: results, the JSON contract, and a table of wrong input with its exit codes."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from command_line import Run

import petteia
from petteia.cli.beginning import COMMANDS
from petteia.features.feature_sets import FEATURE_SETS
from petteia.learn import targets
from petteia.learn.linear_targets import LINEAR_TARGETS
from petteia.reports import REPORTS
from petteia.templates.writing import TEMPLATES

SMALL = ("--games", "40", "--evaluation-games", "10")


def test_games(run: Run) -> None:
    assert "hare-and-hounds" in run("games").out
    games = run("games", "--json").document["games"]
    assert [game["name"] for game in games] == [row.name for row in petteia.list_games()]
    options = {game["name"]: game["options"] for game in games}
    assert "escape=past (past / level / end)" in options["hare-and-hounds"]


def test_perft(run: Run) -> None:
    plain = run("perft", "hare-and-hounds:escape=end", "5")
    assert (plain.code, plain.out) == (0, "2,879 nodes at depth 5\n")
    divided = run("perft", "hare-and-hounds:escape=end", "5", "--divide", "--json").document
    assert divided["schema"] == 1
    assert divided["nodes"] == sum(divided["divide"].values()) == 2879
    table = run("perft", "hare-and-hounds", "2", "--divide").out
    assert re.search(r"^1-4 +3 *$", table, re.MULTILINE)
    elsewhere = run("perft", "hare-and-hounds", "1", "--position", "0,1,3/10 hare 0", "--json").document
    assert (elsewhere["position"], elsewhere["nodes"]) == ("0,1,3/10 hare 0", 3)


def test_match(run: Run) -> None:
    odd = run("match", "hare-and-hounds", "random", "simple", "--games", "9")
    assert odd.code == 0
    assert "10 games" in odd.out
    assert "rounded up to 10" in odd.err
    one, two = (
        run("match", "hare-and-hounds", "random", "random", "--games", "200", "--jobs", jobs, "--json").document
        for jobs in ("1", "2")
    )
    assert one == two
    assert one["wins"] + one["draws"] + one["losses"] == one["games"] == len(one["rows"]) == 200
    assert [row["seat_of_first"] for row in one["rows"]] == [0, 1] * 100
    assert 0 <= one["low"] <= one["score"] <= one["high"] <= 1


def test_train_runs_resume_and_the_trained_player(run: Run) -> None:
    trained = run("train", "hare-and-hounds", *SMALL, "--json")
    assert trained.code == 0
    folder = trained.document["run"]
    assert trained.document["games"] == 40
    assert len(trained.document["points"]) == 40
    assert folder in run("train", "hare-and-hounds", *SMALL).out.replace("0002", "0001")
    rows = run("runs", "--json").document["runs"]
    assert [row["state"] for row in rows] == ["finished", "finished"]
    assert "hare-and-hounds-q-0002" in run("runs").out
    assert run("resume", folder, "--json").document["points"] == trained.document["points"]
    played = run(
        "match", "hare-and-hounds", f"q:agent={folder}", "random", "--seats", "fixed", "--games", "10", "--json"
    )
    assert played.document["games"] == 10
    assert "only plays hounds, in all games" in run("match", "hare-and-hounds", "random", f"q:agent={folder}").err
    refused = run("match", "hare-and-hounds", f"q:agent={folder}", "random", "--seats", "both")
    assert refused.code == 2
    assert "only plays hounds: give it as the first player with --seats fixed, or leave seats out" in refused.err


def test_runs_of_an_empty_folder(run: Run) -> None:
    ran = run("runs")
    assert (ran.code, ran.out) == (0, "")
    assert "no runs" in ran.err
    assert run("runs", "--json").document["runs"] == []


def test_play_saves_a_record_that_can_be_read(run: Run) -> None:
    arguments = (
        "play",
        "hare-and-hounds",
        "--by",
        "random",
        "--against",
        "simple",
        "--seed",
        "1",
        "--save",
        "game.txt",
    )
    played = run(*arguments)
    assert played.code == 0
    assert "Won by" in played.out
    shown = run("record", "game.txt")
    assert shown.code == 0
    assert Path("game.txt").read_text() in shown.out
    document = run("record", "game.txt", "--json").document
    assert document["players"] == ["random", "simple"]
    assert len(document["positions"]) == len(document["moves"]) + 1
    again = run(*arguments)
    assert again.code == 2
    assert "exists already" in again.err


def test_play_as_the_other_side(run: Run) -> None:
    played = run("play", "hare-and-hounds", "--as", "hare", "--by", "random", "--against", "simple", "--seed", "1")
    assert "hounds simple, hare random" in played.out


def test_the_end_of_input_ends_a_game_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    played = run("play", "hare-and-hounds")
    assert played.code == 130
    assert "1. 0-2" in played.out
    assert '[Result "*"]' in played.out


def test_a_game_of_ones_own(run: Run) -> None:
    assert "petteia check my_game:MyGame" in run("new-game", "my_game").out
    assert run("perft", "my_game:MyGame:stones=4", "2").out == "6 nodes at depth 2\n"
    assert "second" in run("play", "my_game:MyGame", "--by", "random", "--seed", "1").out
    checked = run("check", "my_game:MyGame", "--games", "20")
    assert checked.code == 0, checked.err
    assert "passes all" in checked.out


@pytest.mark.slow
def test_a_failed_check_says_why_and_leaves_no_json(run: Run) -> None:
    run("new-game", "bad_game")
    path = Path("bad_game.py")
    path.write_text(path.read_text().replace("1 - state.side", "state.side").replace("plies=rules.stones", "plies=2"))
    checked = run("check", "bad_game:BadGame", "--games", "20", "--json")
    assert (checked.code, checked.out) == (1, "")
    assert checked.err.startswith("petteia: ")
    assert "FAIL" in run("check", "bad_game:BadGame", "--games", "20").out


@pytest.mark.slow
def test_of_several_a_broken_one_is_listed_and_the_others_are_checked(run: Run) -> None:
    run("new-game", "my_game")
    Path("broken_game.py").write_text("x = (\n")
    names = ("broken_game:Broken", "my_game:MyGame", "nowhere:Game")
    checked = run("check", *names, "--games", "2")
    assert checked.code == 1
    assert "my_game:MyGame passes all" in checked.out
    assert checked.out.endswith("\n1 of 3 pass; broken: broken_game:Broken, nowhere:Game\n")
    assert "module 'broken_game' cannot be imported: " in checked.err
    assert "there is no module 'nowhere'" in checked.err
    assert "only with one NAME" in run("check", *names, "--json").err


@pytest.mark.slow
def test_what_several_checks_find_is_one_line(run: Run) -> None:
    run("new-game", "other_game")
    path = Path("other_game.py")
    text = (
        path.read_text().replace("state.stones == 0", "same(state.stones) == 0").replace("state.side == 1", "same(1)")
    )
    path.write_text(f"{text}\n\ndef same(number):\n    return int(str(number))\n")
    checked = run("check", "other_game:OtherGame", "--games", "2")
    assert (checked.code, checked.out.count("FAIL")) == (1, 2)
    lines = [line for line in checked.err.splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert "cannot compile a call of same" in lines[0]
    assert lines[0].endswith(" (and 1 more like this)")


def test_version_and_bare_call(run: Run) -> None:
    assert run("--version").out.strip() == petteia.__version__
    assert "Commands:" in run().out


WRONG = [
    # a command, its exit code, and what its one line must say
    ("nonsense", 2, "no such command 'nonsense'"),
    ("perft", 2, "missing argument 'GAME'"),
    ("perft hare-and-hounds", 2, "missing argument 'DEPTH'"),
    ("perft hare-and-hounds three", 2, "'DEPTH'"),
    ("perft hare-and-hounds 3 --fast", 2, "no such option: --fast"),
    ("perft hare-and-hounds 1001", 2, "depth=1001: must be in 0..1000"),
    ("perft hare-and-hounds 0 --divide", 2, "depth=0: must be in 1..1000"),
    ("perft hare-and-hound 3", 2, "did you mean 'hare-and-hounds'?"),
    ("perft hare-and-hounds:stal=0 3", 2, "no option 'stal'"),
    ("perft hare-and-hounds:stall=101 3", 2, "0..100"),
    ("perft hare-and-hounds:stall=-1 3", 2, "0..100"),
    ("perft hare-and-hounds:stall=ten 3", 2, "0..100"),
    ("perft hare-and-hounds:hare=3 3", 2, "a hound starts on this square"),
    ("perft hare-and-hounds: 3", 2, "nothing follows the colon"),
    ("perft missing_module:Nim 3", 3, "no module 'missing_module'"),
    ("perft tiny_games:Nimm 3", 3, "no class 'Nimm'"),
    ("perft os:Nim 3", 2, "'os' is a module of Python itself"),
    ("perft broken:Nim 3", 2, "cannot be imported"),
    ("perft hare-and-hounds 3 --position nonsense", 4, "must look like"),
    ("perft hare-and-hounds 3 --position 0,1,1/10~hounds~0", 4, "ascending order"),
    ("perft hare-and-hounds 3 --position 0,1,3/3~hounds~0", 4, "both stand on square 3"),
    ("match hare-and-hounds random", 2, "missing argument 'Q'"),
    ("match hare-and-hounds random nobody", 2, "there is no player 'nobody'"),
    ("match hare-and-hounds random simpel", 2, "did you mean 'simple'?"),
    ("match hare-and-hounds random random:depth=3", 2, "no option 'depth'"),
    ("match hare-and-hounds random random --games 0", 2, "games=0: must be 1 or more"),
    ("match hare-and-hounds random random --games 1.5", 2, "'--games'"),
    ("match hare-and-hounds random random --max-plies 0", 2, "max_plies=0"),
    ("match hare-and-hounds random random --jobs 0", 2, "jobs=0"),
    ("match hare-and-hounds random random --seed -1", 2, "seed=-1"),
    ("match hare-and-hounds random random --seed 9223372036854775808", 2, "2^63-1"),
    ("match hare-and-hounds random random --seats one", 2, "'--seats'"),
    ("match hare-and-hounds random random --depth 0", 2, "depth=0"),
    ("match hare-and-hounds random random --openings random:x", 2, "random:PLIES"),
    ("match hare-and-hounds random random --openings missing.txt", 3, "missing.txt"),
    ("match hare-and-hounds random random --openings positions.txt", 4, "positions.txt, line 2"),
    ("match hare-and-hounds q:agent=missing random", 3, "missing"),
    ("match hare-and-hounds q:agent=weights.safetensors random --seats fixed", 4, "weights.safetensors"),
    ("train hare-and-hounds --games 0", 2, "games 0: must be in 1"),
    ("train hare-and-hounds --evaluate-every 0", 2, "--evaluate-every 0"),
    ("train hare-and-hounds --evaluation-games 0", 2, "--evaluation-games 0"),
    ("train hare-and-hounds --alpha 2", 2, "alpha '2'"),
    ("train hare-and-hounds --alpha much", 2, "alpha 'much'"),
    ("train hare-and-hounds --gamma nan", 2, "gamma 'nan'"),
    ("train hare-and-hounds --gamma 1.5", 2, "gamma '1.5'"),
    ("train hare-and-hounds --epsilon 0.5,0.1", 2, "epsilon '0.5,0.1'"),
    ("train hare-and-hounds --learner z", 2, "there is no learner 'z'"),
    ("train hare-and-hounds --side fox", 2, "side 'fox': must be hounds"),
    ("train hare-and-hounds --opponent human", 2, "no compiled form"),
    ("train hare-and-hounds --seed -1", 2, "seed=-1"),
    ("train hare-and-hounds --name ../x", 2, "run '../x'"),
    ("train hare-and-hounds --games 5 --runs positions.txt", 1, "positions.txt"),
    ("resume nothing", 3, "there is no run 'nothing'"),
    ("resume damaged_run", 4, "damaged"),
    ("resume old_run", 4, "schema 99"),
    ("runs --runs positions.txt", 0, ""),
    ("play hare-and-hounds --as fox", 2, "side 'fox'"),
    ("play hare-and-hounds --against nobody", 2, "no player 'nobody'"),
    ("play hare-and-hounds --seed -1", 2, "seed=-1"),
    ("play hare-and-hounds --position 8,9,10/0~hare~0", 4, "the game is over there"),
    ("record missing.txt", 3, "missing.txt"),
    ("record positions.txt", 4, "positions.txt: game record, line 1"),
    ("record binary", 4, "not UTF-8"),
    ("record .", 1, "not a regular file"),
    ("check missing_module:Nim", 3, "no module 'missing_module'"),
    ("check hare-and-hounds --games 0", 2, "games=0"),
    ("check hare-and-hounds --seed -1", 2, "seed=-1"),
    ("check raised_errors:PetteiaError", 2, "NamedTuple"),
    ("report nothing", 2, "there is no report 'nothing'"),
    ("report hare-and-hounds --jobs 0", 2, "jobs=0: must be 1 or more"),
    ("report hare-and-hounds --seeds -1", 2, "seeds=-1: must be 1 or more"),
    ("report hare-and-hounds --folder positions.txt", 1, "positions.txt"),
    ("new-game class", 2, "class"),
    ("new-game Bad-Name", 2, "lower-case"),
    ("new-game numpy", 2, "numpy"),
    ("new-game broken", 2, "exists already"),
    ("new-game fine --folder nowhere", 1, "nowhere"),
]


@pytest.mark.parametrize(("command", "code", "said"), WRONG, ids=[command for command, _, _ in WRONG])
def test_wrong_input_is_one_line_with_its_exit_code(run: Run, command: str, code: int, said: str) -> None:
    Path("broken.py").write_text("1 / 0\n")
    Path("positions.txt").write_text("0,1,3/10 hounds 0\nnonsense\n")
    Path("weights.safetensors").write_bytes(b"not weights")
    Path("binary").write_bytes(b"\xff\xfe\x00")
    for name, content in (("damaged_run", "{"), ("old_run", '{"schema": 99}')):
        Path(name).mkdir()
        (Path(name) / "run.json").write_text(content)
    before = sorted(Path().rglob("*"))
    ran = run(*(word.replace("~", " ") for word in command.split()))
    assert ran.code == code, ran
    assert said in ran.err
    if code:
        assert ran.out == ""
        lines = [line for line in ran.err.splitlines() if not line.startswith("petteia: compiling ")]
        assert len(lines) == 1, ran.err
        assert lines[0].startswith("petteia: ")
    assert sorted(path for path in Path().rglob("*") if "__pycache__" not in path.parts) == before


def test_the_fault_of_a_users_module_is_told_as_theirs(run: Run) -> None:
    run("new-game", "faulty")
    path = Path("faulty.py")
    path.write_text(path.read_text().replace("return str(move)", "return str(1 // 0)"))
    ran = run("perft", "faulty:Faulty", "2", "--divide")
    assert ran.code == 1
    assert re.fullmatch(r"petteia: \S*faulty.py, line \d+: ZeroDivisionError: .*\n", ran.err)


def test_what_nobody_foresaw_is_one_line_unless_debugging(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.api.GAMES", (None,))
    ran = run("games")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "internal error at api.py, line" in ran.err
    monkeypatch.setenv("PETTEIA_DEBUG", "1")
    assert "Traceback" in run("games").err


HEAVY = ("numba", "numpy", "scipy", "pydantic", "rich")


def test_the_help_is_light() -> None:
    """It must come within 0.3 s, which these imports alone would take."""
    code = (
        f"import sys; from petteia.cli import main; main(['--help']); print([m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("report", REPORTS),
        ("train", {**targets.UPDATE_RULES, **LINEAR_TARGETS, **FEATURE_SETS}),
        ("new-experiment", [TEMPLATES["player"].game, TEMPLATES["experiment"].game]),
    ],
)
def test_help_has_the_names_that_are_registered(run: Run, command: str, names: Iterable[str]) -> None:
    shown = "".join(run(command, "--help").out.split())
    assert all(name in shown for name in names)
    assert "<petteia" not in shown


def test_there_is_a_command_for_each_file_to_start_from() -> None:
    """Experiments have two kinds of files, and one command."""
    assert set(TEMPLATES) - {"tournament"} == {name.removeprefix("new-") for name in COMMANDS}


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"{sys.executable} -m petteia perft hare-and-hounds 1 --divide | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr.replace("petteia: compiling", "").count("Error") == 0


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("petteia ma", "match"),
        ("petteia perft ha", "hare-and-hounds"),
        ("petteia match hare-and-hounds ra", "random"),
        ("petteia play hare-and-hounds --against si", "simple"),
        ("petteia resume mi", "mine"),
    ],
)
def test_the_shell_completes(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, completed: str
) -> None:
    run("train", "hare-and-hounds", *SMALL, "--name", "mine")
    monkeypatch.setenv("_PETTEIA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    with pytest.raises(SystemExit):
        run()
    assert capsys.readouterr().out.split() == [completed]


@pytest.mark.slow
def test_an_interrupted_training_is_saved_and_goes_on(tmp_path: Path) -> None:
    """Ctrl-C in a process of its own: exit code 130, one line that says how to go on, which then finishes the run."""
    command = [sys.executable, "-m", "petteia", "train", "hare-and-hounds", "--games", "3000000", "--name", "mine"]
    environment = os.environ | {"PETTEIA_RUNS": str(tmp_path)}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        while not (tmp_path / "mine" / "weights.safetensors").exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert f"petteia resume {tmp_path / 'mine'}" in err.splitlines()[-1]
    rows = petteia.runs(tmp_path)
    assert [row.state for row in rows] == ["unfinished"]
    assert 0 < rows[0].done < 3_000_000
