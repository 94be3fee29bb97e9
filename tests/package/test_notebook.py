"""The notebooks run from top to bottom and show what they say, and an interrupted cell keeps its work."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from folders import ROOT
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

import petteia
from petteia.core.protocol import parse_move, parse_state, play
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import linear, weighted_sum
from petteia.records.game_record import read_record
from petteia.value_functions.report_weights import report_weights

NOTEBOOKS = ROOT / "notebooks"
OWN_GAME, KALAH = NOTEBOOKS / "own_game.ipynb", NOTEBOOKS / "kalah.ipynb"
NUMBER = re.compile(r"[+-]?\d+\.\d+")


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Kernels leave nothing in the home folder."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(home / name))
        patch.setenv("JUPYTER_PLATFORM_DIRS", "1")
        patch.delenv("PETTEIA_RUNS", raising=False)
        yield


def execute(path: Path, folder: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


@pytest.fixture(scope="module")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return execute(OWN_GAME, tmp_path_factory.mktemp("own_game"))


@pytest.fixture(scope="module")
def kalah(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return execute(KALAH, tmp_path_factory.mktemp("kalah"))


def outputs(notebook: Any, word: str) -> list[Any]:
    """What the code cell that contains `word` has shown; what is told on stderr, or of compiling, is left out."""
    (cell,) = (cell for cell in notebook.cells if cell.cell_type == "code" and word in cell.source)
    found = []
    for output in cell.outputs:
        if output.get("name") == "stdout":
            output["text"] = re.sub(r"^petteia: compiling .*\n", "", output["text"], flags=re.MULTILINE)
        if output.get("name") != "stderr" and output.get("text") != "":
            found.append(output)
    return found


def test_nothing_is_said_in_red(own_game):
    cells = [cell for cell in own_game.cells if cell.cell_type == "code"]
    assert [output for cell in cells for output in cell.outputs if output.get("name") == "stderr"] == []


def printed(notebook: Any, word: str) -> str:
    """What that cell has printed."""
    return "".join(output.text for output in outputs(notebook, word) if output.output_type == "stream")


def shown(notebook: Any, word: str) -> str:
    """What that cell shows last, as text."""
    found: str = outputs(notebook, word)[-1].data["text/plain"]
    return found


def rows(table: str) -> list[list[float]]:
    """The decimal numbers in each line of a table that has any."""
    return [[float(each) for each in found] for line in table.splitlines() if (found := NUMBER.findall(line))]


@pytest.mark.parametrize("path", [OWN_GAME, KALAH], ids=lambda path: path.stem)
def test_they_are_kept_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) > 5
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


def test_there_are_no_others() -> None:
    assert sorted(NOTEBOOKS.glob("*.ipynb")) == [KALAH, OWN_GAME]


# A game of one's own.


@pytest.mark.parametrize(("name", "maximum"), [("TicTacToe", 60), ("Bump", 50)])
def test_the_games_have_few_lines(name: str, maximum: int) -> None:
    cell = next(cell for cell in nbformat.read(OWN_GAME, as_version=4).cells if f"class {name}(" in cell.source)
    assert len([line for line in cell.source.splitlines() if line.strip()]) <= maximum


def test_boards_show_themselves(own_game: Any) -> None:
    (board,) = outputs(own_game, "petteia.position(rules")
    assert ">xo.</text>" in board.data["image/svg+xml"]
    assert board.data["text/plain"].splitlines()[:3] == ["xo.", "...", "..x o"]


def test_what_it_says_is_so(own_game: Any) -> None:
    assert shown(own_game, "petteia.perft(rules") == "[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]"
    assert printed(own_game, "petteia.solve(rules").startswith("value 0; of 5,478 positions")
    for word in ("training.points", "measured.append"):
        assert any("image/png" in output.get("data", {}) for output in outputs(own_game, word))
    before, after = (float(line.split()[2]) for line in printed(own_game, "share=0.5").splitlines())
    assert 0 <= after < before < 0.2


def test_positions_with_dice_are_worth_what_is_worked_out(own_game: Any) -> None:
    assert shown(own_game, "petteia.perft(bump") == "[21, 36, 756, 1296]"
    shares = [(1 if max(dice) >= 3 else -1) / 36 for dice in itertools.product(range(1, 7), repeat=2)]
    by_hand, solved, start, _ = (float(each) for each in NUMBER.findall(printed(own_game, "by hand")))
    assert by_hand == solved == pytest.approx(sum(shares), abs=1e-6)
    assert 0 < start < solved
    assert shown(own_game, "petteia.position(bump").startswith("6,8 first 52\n")
    (far,), (back,) = rows(shown(own_game, ".openings)[["))
    assert far == pytest.approx(-solved, abs=1e-6)
    assert back > 0.8


def test_dice_in_common_tell_players_apart_sooner(own_game: Any) -> None:
    score, low, high, low_apart, high_apart = (
        float(each) for each in re.findall(r"([\d.]+)%", printed(own_game, "petteia.match"))
    )
    assert 50 < low < score < high
    assert high - low < 0.7 * (high_apart - low_apart)


def test_what_is_learned_with_dice_errs_where_it_matters_little(own_game: Any) -> None:
    *_, table, chart = outputs(own_game, "learned.append")
    assert "image/png" in chart.data
    perfect_far, far = (float(each) for each in NUMBER.findall(printed(own_game, "learned.append")))
    perfect, means, *_ = zip(*rows(table.data["text/plain"]), strict=True)
    assert list(means) == sorted(means, reverse=True)
    assert means[-1] < 0.5 * far < far < means[0]
    assert 100 * perfect[-1] < perfect_far


# Kalah.


def test_the_rules_are_shown(kalah: Any) -> None:
    (board,) = outputs(kalah, 'play("3")')
    assert "image/svg+xml" in board.data
    assert "4 │  4 │  0 │  5 │  5 │  5" in board.data["text/plain"]
    assert board.data["text/plain"].endswith("south to move")
    assert printed(kalah, "petteia.perft").startswith("[6, 35, 185, 942, 4690, 23233, 114430, 563055]\n[Game ")


def test_a_value_is_the_sum_of_what_features_contribute(kalah: Any) -> None:
    rules = petteia.game("kalah:leftovers=nobody")
    (source,) = (cell.source for cell in kalah.cells if "position = " in cell.source)
    position = parse_state(rules, re.findall(r'position = "(.*)"', source)[0])
    value = weighted_sum(linear(rules, ReportFeatures(), report_weights()), rules, position)
    assert printed(kalah, "position = ") == f"value {value:+.3f}\n"
    contributions = [numbers[-1] for numbers in rows(shown(kalah, "position = "))]
    assert sum(contributions) == pytest.approx(value, abs=1e-5)
    again, captures = (play(rules, position, parse_move(rules, position, pit)) for pit in "41")
    assert again.side == 0
    assert captures.south_store > position.south_store + 1


def test_what_is_learned_is_plotted_and_good(kalah: Any) -> None:
    for word in ("training.points", "history.plot", "plot.barh"):
        assert any("image/png" in output.get("data", {}) for output in outputs(kalah, word))
    assert len(rows(shown(kalah, "second_half ="))) == 5
    scores = rows(shown(kalah, "petteia.match"))
    assert all(low <= score <= high for score, low, high in scores)
    as_south, as_north = (score for score, _, _ in scores[:2])
    assert as_south > 0.8
    assert as_north > 0.6


def test_each_move_of_theta_is_explained(kalah: Any) -> None:
    told = re.findall(r"^South moves (\d): (.*)$", printed(kalah, "record.states"), re.MULTILINE)
    record = printed(kalah, "record.states").partition("[Game")
    played = read_record("".join(record[1:]))
    moves = [str(move + 1) for state, move in zip(played.states(), played.moves, strict=False) if state.side == 0]
    assert [move for move, _ in told] == moves
    assert all(len(NUMBER.findall(reasons)) == 3 for _, reasons in told)
    assert len([each for each in outputs(kalah, "record.states") if "image/svg+xml" in each.get("data", {})]) == len(
        told
    )


def test_what_is_learned_gives_away_less(kalah: Any) -> None:
    by_chance, greedy, theta = (mean for _, mean in rows(shown(kalah, "petteia.regret")))
    assert 0.0 < theta < greedy < by_chance


# Work that is interrupted.


def test_an_interrupted_cell_keeps_its_work(tmp_path: Path) -> None:
    manager, client = start_new_kernel(cwd=str(tmp_path))
    try:
        # A kernel drops what is asked just after an error unless told otherwise.
        asked = client.execute(
            "import petteia as p; p.train('hare-and-hounds', games=10**9, evaluation=p.EvaluationGames(every=1000))",
            stop_on_error=False,
        )
        points = tmp_path / "runs" / "hare-and-hounds-q-0001" / "points.jsonl"
        wait_until(lambda: points.exists() and points.stat().st_size > 0)
        clock = time.monotonic()
        manager.interrupt_kernel()
        reply = reply_to(client, asked)
        assert time.monotonic() - clock < 10
        assert reply["ename"] == "KeyboardInterrupt"
        assert "the work is saved" in reply["evalue"]
        asked = client.execute("run = p.runs()[0]\nassert run.done > 0, run\nassert run.state == 'unfinished', run")
        assert reply_to(client, asked)["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def wait_until(holds: Any, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def reply_to(client: Any, asked: str) -> dict[str, Any]:
    while True:
        message = client.get_shell_msg(timeout=60)
        if message["parent_header"].get("msg_id") == asked:
            content: dict[str, Any] = message["content"]
            return content
