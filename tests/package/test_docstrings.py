"""Examples in docstrings do what they say: Python after `>>>`, files of experiments, records of games."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas
import pytest

import petteia
from petteia.experiments import declaration
from petteia.experiments.experiment import plan
from petteia.experiments.tournament import declaration as tournament
from petteia.records import game_record
from petteia.records.game_record import read_record

SOURCE = Path(petteia.__file__).parent
BLOCK = re.compile(r"\n\n((?: {4}.*\n|\n)+)")
PYTHON = re.compile(r"^\s*(import |from [\w.]+ import |(\w+ = )?petteia\.\w+\()", re.MULTILINE)
"""what shows that a block without `>>>` is meant to be typed in Python"""


def docstrings(shown: str) -> Iterator[tuple[str, str]]:
    """Those of files in which `shown` stands, by file and name."""
    for path in sorted(SOURCE.rglob("*.py")):
        if shown in (source := path.read_text(encoding="utf-8")):
            yield from of_nodes([ast.parse(source)], str(path.relative_to(SOURCE)))


def of_nodes(nodes: Sequence[ast.AST], where: str) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield f"{where}:{getattr(node, 'name', '')}", ast.get_docstring(node) or ""
            yield from of_nodes(node.body, where)


EXAMPLES = {name: doc for name, doc in docstrings(">>>") if ">>>" in doc}


def blocks(doc: str | None) -> list[str]:
    return [textwrap.dedent(block) for block in BLOCK.findall(f"{doc}\n")]


def test_python_in_docstrings_stands_after_a_prompt() -> None:
    assert "__init__.py:" in EXAMPLES
    unmarked = [
        name for name, doc in docstrings('"""') for block in blocks(doc) if PYTHON.search(block) and ">>>" not in block
    ]
    assert not unmarked


def test_sections_of_docstrings_have_a_heading_of_their_own() -> None:
    joined = re.compile(r"^(Args|Raises|Returns|Yields): *[^ \n]", re.MULTILINE)
    assert not [name for name, doc in docstrings('"""') if joined.search(doc)]


def test_every_public_object_has_an_example() -> None:
    public = {name for name in petteia.__all__ if name != "__version__"}
    assert not {name for name in public if ">>> " not in (inspect.getdoc(getattr(petteia, name)) or "")}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_shows(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {"pandas": pandas, "petteia": petteia}, name, name, 0)
    assert test.examples
    failed: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failed.append, clear_globs=False)
    assert not failed, "".join(failed)
    for expression in re.findall(r"`(pandas\.[^`]*)`", EXAMPLES[name]):
        assert len(eval(expression, test.globs))


@pytest.mark.parametrize("module", [declaration, tournament])
def test_a_file_of_an_experiment_is_sound(module: object, tmp_path: Path) -> None:
    (shown,) = blocks(module.__doc__)
    path = tmp_path / "shown.toml"
    path.write_text(shown, encoding="utf-8")
    for scale in ("paper", "quick"):
        assert plan(path, scale).text == shown  # type: ignore[arg-type]  # one of the scales


def test_a_record_of_a_game_can_be_read() -> None:
    (shown,) = blocks(game_record.__doc__)
    record = read_record(shown)
    assert record.write().strip() == shown.strip()
    assert record.outcome is not None
