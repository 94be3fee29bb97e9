"""Write docs/cli.md: what `petteia --help` and each command's help say. A test compares the file with the commands."""

import io
import os
from contextlib import redirect_stdout
from pathlib import Path

REFERENCE = Path(__file__).parents[2] / "docs" / "cli.md"
HEAD = """# The commands

Written by `make docs` from what the commands say themselves.
"""


def help_of(*command: str) -> str:
    """What `petteia COMMAND --help` prints on a terminal of 80 columns."""
    from petteia.cli import main

    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*command, "--help"]) == 0
    return out.getvalue().strip()


def reference() -> str:
    """The text that docs/cli.md must have."""
    from petteia.cli.app import app

    os.environ["COLUMNS"] = "80"
    names = [str(command.name) for command in app.registered_commands]
    parts = [HEAD, f"```text\n{help_of()}\n```\n"]
    parts += [f"## petteia {name}\n\n```text\n{help_of(name)}\n```\n" for name in names]
    return "\n".join(parts)


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
