"""The documents say what is so: commands, outputs, pictures, links and code are those of the program."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import typer
from folders import ROOT
from jinja2 import Environment
from small_agents import write_agent

sys.path.append(str(ROOT / "tests" / "fresh"))

import documents  # it stands in a folder of its own

import petteia
from petteia.cli.app import app
from petteia.core.protocol import METHODS
from petteia.players import PLAYERS
from petteia.reports.mancala import plan as mancala_plan

PAPERS = sorted(path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TEMPLATES = sorted((ROOT / "src" / "petteia" / "reports").glob("*/*.md"))
PAGES = [path for path in TEMPLATES if "commands(" in path.read_text(encoding="utf-8")]
COMMANDS = [str(command.name) for command in app.registered_commands]
AGAIN = "has changed; `make docs` writes it again"


def test_there_is_something_to_look_at() -> None:
    names = {path.name for path in PAPERS}
    assert names >= {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "BENCHMARKS.md", "cli.md"}
    assert len(COMMANDS) >= 13


def test_the_reference_is_what_the_commands_say() -> None:
    assert documents.REFERENCE.read_text(encoding="utf-8") == documents.reference(), f"docs/cli.md {AGAIN}"


@pytest.mark.slow
@pytest.mark.parametrize("path", [documents.README, documents.TOUR], ids=lambda path: path.stem)
def test_the_first_pages_show_what_the_commands_print(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == documents.page(path), f"an output in {path} {AGAIN}"


def test_the_readme_is_short() -> None:
    assert len(documents.README.read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.slow
@pytest.mark.parametrize("path", documents.PAGES, ids=lambda path: path.stem)
def test_a_page_shows_what_its_examples_do(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == documents.page_in_plain_python(path), f"an output in {path} {AGAIN}"


def test_every_page_has_an_example_and_those_of_code_a_whole_file() -> None:
    for path in documents.PAGES:
        text = path.read_text(encoding="utf-8")
        assert documents.BLOCK.findall(text)
        assert documents.FILE.findall(text) or path.stem == "environment"
        assert re.search(r"petteia (check|experiment|perft|best) ", text)


def test_all_variables_have_a_word_in_their_page() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    named = {name for source in sources for name in re.findall(r"\bPETTEIA_[A-Z_]+\b", source)}
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    assert named >= {"PETTEIA_CACHE", "PETTEIA_RUNS", "PETTEIA_DEBUG"}
    for name in {*named, "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"}:
        assert f"`{name}`" in page, name


def test_the_board_is_drawn_as_it_is_drawn() -> None:
    assert documents.BOARD.read_text(encoding="utf-8") == documents.board(), f"docs/board.svg {AGAIN}"


@pytest.mark.heavy
def test_the_main_figure_is_that_of_the_report() -> None:
    assert documents.CURVE.read_text(encoding="utf-8") == documents.curve(), f"docs/curve.svg {AGAIN}"


def test_outputs_are_compared_up_to_what_is_left_out() -> None:
    with documents.empty_folder():
        assert documents.run_block("$ petteia perft hare-and-hounds 0\nold\n") == (
            "$ petteia perft hare-and-hounds 0\n1 nodes at depth 0\n"
        )
        cut = documents.run_block("$ petteia perft hare-and-hounds 1 --divide\nold\n...\nold\n")
    assert cut.splitlines()[1:] == ["move   nodes", "...", "7 nodes at depth 1"]


@pytest.mark.slow
def test_the_python_of_the_tour_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", documents.TOUR.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "tour.md", "exec"), {})


@pytest.mark.parametrize("name", METHODS)
def test_every_verb_of_a_game_has_a_row_with_its_parameters(name: str) -> None:
    parameters = ", ".join(inspect.signature(METHODS[name]).parameters)
    assert f"\n| `{name}({parameters})` | " in (ROOT / "docs" / "game.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_word_in_the_papers(name: str) -> None:
    papers = [path.read_text(encoding="utf-8") for path in PAPERS if path != documents.REFERENCE]
    assert any(re.search(rf"petteia {name}\b", paper) for paper in papers)


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.name)
def test_commands_in_the_papers_have_the_options_that_are_given(path: Path) -> None:
    sections = documents.REFERENCE.read_text(encoding="utf-8").split("## petteia ")
    helps = {section.split()[0]: set(re.findall(r"--[a-z][\w-]*", section)) for section in sections[1:]}
    for name, rest in re.findall(
        r"(?:`|^|\$ )petteia ([a-z-]+)([^`|\n]*)", path.read_text(encoding="utf-8"), re.MULTILINE
    ):
        assert set(re.findall(r"(?<=\s)--[a-z][\w-]*", rest)) <= helps.get(name, set()), f"petteia {name}{rest}"


FILES = {
    "agent": "theta.safetensors",
    "weights": "learner.safetensors",
    "hounds": "hounds.safetensors",
    "perfect_hounds": "perfect-hounds.safetensors",
}
"""what lies beside the pages of reports, as their commands name it"""
LONG = ("--games 100000", "experiment ", "solve british-square", "--against perfect")
"""of commands that take more than five seconds"""
HOURS = "--scale all"
"""of commands that take hours, which are only parsed"""


def typed(path: Path) -> list[str]:
    """The commands that a paper shows at a prompt, or that the page of a report lists."""
    text = path.read_text(encoding="utf-8").replace("\\\n", "")
    if path not in PAGES:
        return re.findall(r"^\$ (petteia .*)", text, re.MULTILINE)
    plan = importlib.import_module(f"petteia.reports.{path.parent.name}.plan")
    shown = re.findall(r"\{\{ commands\((\[.*?\])\) \}\}", text, re.DOTALL)
    lines = [Environment().compile_expression(each)(folder=Path("made"), plan=plan, **FILES) for each in shown]
    return [line for each in lines for line in each if line.startswith("petteia ")]  # others are texts of players


@pytest.mark.parametrize("path", [*PAPERS, *PAGES], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_commands_can_be_typed(path: Path) -> None:
    commands = typer.main.get_command(app).commands
    assert path not in PAGES or typed(path)
    for each in typed(path):
        _, name, *arguments = shlex.split(each.split(" | ")[0].split(" > ")[0], comments=True)
        if not name.startswith("-"):
            commands[name].make_context(name, arguments)  # which raises where they cannot be read


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in which all lies that pages name, as small as can be, and somebody who resigns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO("resign\n"))
    Path("made").mkdir()
    for name in ("hounds", "perfect_hounds"):
        write_agent(Path("made") / FILES[name])
    for name, game, features in (("agent", mancala_plan.GAME, "report"), ("weights", "british-square", "counts")):
        training = petteia.train(game, petteia.LinearLearner(features), games=10, runs="runs")
        shutil.copy(training.run.weights, Path("made") / FILES[name])


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(each, marks=pytest.mark.heavy if any(word in each for word in LONG) else pytest.mark.slow)
        for path in PAGES
        for each in typed(path)
        if HOURS not in each
    ],
)
def test_commands_of_a_page_run(command: str) -> None:
    documents.output_of(command)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_has_a_word_in_the_papers(name: str) -> None:
    assert any(f"`{name}" in path.read_text(encoding="utf-8") for path in PAPERS)


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name}: {target}"


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.name)
def test_what_the_papers_name_in_the_source_is_there(path: Path) -> None:
    for name in re.findall(r"`((?:src|tests|benchmarks|docs|\.ci)/[\w./-]+)`", path.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), f"{path.name}: {name}"


def test_the_citation_names_the_version() -> None:
    from importlib import metadata

    assert f"version: {metadata.version('petteia')}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_make_says_what_it_can_do() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert targets
    for target in targets[1].split():
        assert re.search(rf"^#   make {target} ", text, re.MULTILINE)
        assert re.search(rf"^{target}:", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["README.md", *(f"docs/{each}.md" for each in ("library", "other-libraries", "tournament"))]
)
def test_the_python_of_a_page_shows_what_it_does(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where runs are made
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    page = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    told = list[str]()
    result = doctest.DocTestRunner(verbose=False).run(examples, out=told.append)
    assert (result.failed, result.attempted > 0) == (0, True), "".join(told)
