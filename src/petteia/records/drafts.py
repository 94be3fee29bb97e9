"""Drafts: what is being written, under a hidden name, until it is whole.

A name tells who is writing, by host and process, so that what a killed process has left behind can be told from what
another is just writing, also in a folder that several hosts share.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import sys
from contextlib import suppress
from pathlib import Path

PREFIX, SUFFIX = ".petteia-", ".draft"


def new_draft(folder: Path) -> Path:
    """A path in `folder` under which nothing is, for a file or folder that is going to be written."""
    return folder / f"{PREFIX}{_host()}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"


def remove_drafts(folder: Path) -> None:
    """Remove from `folder` what processes of this host, which are gone, were writing; what cannot be removed stays."""
    name = re.compile(rf"{re.escape(PREFIX + _host())}-([0-9]{{1,9}})-[0-9a-f]{{8}}{re.escape(SUFFIX)}", re.ASCII)
    with suppress(OSError):
        for path in list(folder.glob(f"{PREFIX}*{SUFFIX}")):  # quick in a folder of thousands of files
            if (match := name.fullmatch(path.name)) and _is_gone(int(match[1])):
                remove_draft(path)


def remove_draft(path: Path) -> None:
    """Remove the file or folder `path`, if it is there and can be removed; what a link leads to stays."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9]+", "", platform.node())[:40] or "host"


def _is_gone(process: int) -> bool:
    """Whether there is no such process; False where that cannot be told without harm."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
