"""Print, as a shell script, the commands that a README shows.

Taken are the lines after `$ ` in blocks of the kind `console`. Blocks of the kind `sh` are instructions for a clone or
for other systems and are left out, as are commands for a person at the keyboard, whose block says so: `console skip`.
"""

import re
import sys
from pathlib import Path


def commands(text: str) -> list[str]:
    """The commands in the order of the text."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


if __name__ == "__main__":
    print("\n".join(commands(Path(sys.argv[1]).read_text(encoding="utf-8"))))
