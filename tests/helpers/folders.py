"""Where things lie that tests look for, and where processes that tests start look for modules."""

from __future__ import annotations

import os
from pathlib import Path

HELPERS = Path(__file__).parent
TESTS = HELPERS.parent
ROOT = TESTS.parent


def python_path(*folders: Path) -> str:
    """What PYTHONPATH must be so that a new process finds the modules of these folders and the helpers, too."""
    return os.pathsep.join([*map(str, folders), str(HELPERS), os.environ.get("PYTHONPATH", "")])
