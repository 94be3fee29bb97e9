"""The notebook runs from top to bottom, shows what it says, and an interrupted cell keeps its work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "own_game.ipynb"


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


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def outputs(notebook: Any, word: str) -> list[Any]:
    """What the code cell that contains `word` has shown, what is told on stderr left out."""
    (cell,) = (cell for cell in notebook.cells if cell.cell_type == "code" and word in cell.source)
    return [output for output in cell.outputs if output.get("name") != "stderr"]


def printed(notebook: Any, word: str) -> str:
    """What that cell has printed."""
    return "".join(output.text for output in outputs(notebook, word) if output.output_type == "stream")


def test_it_is_kept_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) > 5
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


def test_the_game_has_at_most_sixty_lines() -> None:
    cell = next(cell for cell in nbformat.read(NOTEBOOK, as_version=4).cells if "class TicTacToe" in cell.source)
    assert len([line for line in cell.source.splitlines() if line.strip()]) <= 60


def test_boards_show_themselves(executed: Any) -> None:
    (shown,) = outputs(executed, "petteia.board")
    assert ">xo.</text>" in shown.data["image/svg+xml"]
    assert shown.data["text/plain"].splitlines() == ["xo.", "...", "..x o"]


def test_what_it_says_is_so(executed: Any) -> None:
    assert (
        outputs(executed, "petteia.perft")[-1].data["text/plain"]
        == "[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]"
    )
    assert printed(executed, "petteia.solve").startswith("value 0; of 5,478 positions")
    for word in ("training.points", "measured.append"):
        assert any("image/png" in output.get("data", {}) for output in outputs(executed, word))
    before, after = (float(line.split()[2]) for line in printed(executed, "share=0.5").splitlines())
    assert 0 <= after < before < 0.2


def test_an_interrupted_cell_keeps_its_work(tmp_path: Path) -> None:
    manager, client = start_new_kernel(cwd=str(tmp_path))
    try:
        # A kernel drops what is asked just after an error unless told otherwise.
        asked = client.execute(
            "import petteia; petteia.train('hare-and-hounds', games=10**9, evaluate_every=1000)", stop_on_error=False
        )
        points = tmp_path / "runs" / "hare-and-hounds-q-0001" / "points.jsonl"
        wait_until(lambda: points.exists() and points.stat().st_size > 0)
        clock = time.monotonic()
        manager.interrupt_kernel()
        reply = reply_to(client, asked)
        assert time.monotonic() - clock < 10
        assert reply["ename"] == "KeyboardInterrupt"
        assert "the work is saved" in reply["evalue"]
        asked = client.execute(
            "run = petteia.runs()[0]\nassert run.done > 0, run\nassert run.state == 'unfinished', run"
        )
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
