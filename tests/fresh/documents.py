"""What the documents show of the program: run, and written again or compared.

python tests/fresh/documents.py             write the outputs in README.md and docs/, docs/cli.md and the pictures again
python tests/fresh/documents.py commands    print the commands of README.md and the tour as a shell script
python tests/fresh/documents.py page FILE   print a page of docs/ as it must be

In a block of the kind `console`, lines after `$ ` are commands, and what follows is what they print; a line `...`
stands for lines left out. A block of another kind whose first line is `# NAME.py` or `# NAME.toml` is this file. All
blocks of a document run one after the other in one empty folder; those of docs/ in plain Python, which is quick.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
README, TOUR, REFERENCE, BOARD, CURVE = (
    ROOT / name for name in ("README.md", "docs/tour.md", "docs/cli.md", "docs/board.svg", "docs/curve.svg")
)
WITH_EXAMPLES = "game board_game chance player policy features evaluation search update_rule experiment environment"
PAGES = [ROOT / "docs" / f"{name}.md" for name in WITH_EXAMPLES.split()]
FILE = re.compile(r"^```(?:python|toml)\n# (\w+\.(?:py|toml))\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```)", re.MULTILINE | re.DOTALL)
HEAD = """# The commands

Written by `make docs` from what the commands say themselves.
"""


@contextlib.contextmanager
def empty_folder() -> Iterator[Path]:
    """Work in an empty folder, as on a terminal of 80 columns."""
    before, variables, path = Path.cwd(), dict(os.environ), list(sys.path)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["COLUMNS"] = "80"
        os.environ.pop("PETTEIA_RUNS", None)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(variables)
            sys.path[:] = path


def output_of(command: str) -> list[str]:
    """The lines that a command, `petteia ...`, prints. It must succeed."""
    from petteia.cli import main

    program, *arguments = shlex.split(command)
    assert program == "petteia", command
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    assert code == 0, f"{command}: {err.getvalue()}"
    return [line.rstrip() for line in out.getvalue().strip("\n").splitlines()]


def run_block(block: str) -> str:
    """The block with what its commands print now."""
    lines: list[str] = []
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        if not part:
            continue
        command, *shown = part.strip("\n").splitlines()
        printed = output_of(command.removeprefix("$ "))
        if "..." in shown:
            before, after = shown.index("..."), len(shown) - shown.index("...") - 1
            printed = [*printed[:before], "...", *printed[len(printed) - after :]]
        lines += [command, *printed, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def page(path: Path) -> str:
    """README.md or a page of docs/ as it must be."""
    text = path.read_text(encoding="utf-8")
    with empty_folder():
        for name, content in FILE.findall(text):
            Path(name).write_text(content, encoding="utf-8")
        return BLOCK.sub(lambda found: run_block(found[0]), text)


def page_in_plain_python(path: Path) -> str:
    """A page of docs/ as it must be, by a process in which nothing is compiled."""
    command = [sys.executable, __file__, "page", str(path)]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout


def reference() -> str:
    """docs/cli.md as it must be."""
    from petteia.cli.app import app

    names = [str(command.name) for command in app.registered_commands]
    with empty_folder():
        helps = {name: "\n".join(output_of(f"petteia {name} --help")) for name in ("", *names)}
    parts = [HEAD, f"```text\n{helps['']}\n```\n"]
    parts += [f"## petteia {name}\n\n```text\n{helps[name]}\n```\n" for name in names]
    return "\n".join(parts)


def board() -> str:
    """The picture of a board: the hounds close in."""
    import petteia
    from petteia.render import board_svg

    rules = petteia.game("hare-and-hounds")
    return board_svg(rules, rules.parse_state("4,5,9/10 hounds 0"))


def curve() -> str:
    """The picture of a learning curve: the main figure of the report, as `make demo` makes it."""
    with empty_folder():
        output_of("petteia report hare-and-hounds --scale quick")
        return Path("reports/hare-and-hounds-quick/curve.svg").read_text(encoding="utf-8")


def main(what: str = "write", file: str = "") -> None:
    """Do what the module's docstring says."""
    if what == "page":
        sys.stdout.write(page(Path(file)))
        return
    if what == "commands":
        blocks = [block for path in (README, TOUR) for block in BLOCK.findall(path.read_text(encoding="utf-8"))]
        print("\n".join(line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")))
        return
    for path, write in ((REFERENCE, reference), (BOARD, board), (CURVE, curve)):
        path.write_text(write(), encoding="utf-8")
    for path in (README, TOUR):
        path.write_text(page(path), encoding="utf-8")
    for path in PAGES:
        path.write_text(page_in_plain_python(path), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
