"""Temporary files and folders, called drafts. They have hidden names, and are renamed when they are complete.

The name of a draft (a temporary file or folder) contains the host name and the process ID. This name distinguishes a
draft of a killed process from a draft of a running process, even in a folder that several hosts share.
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
    """Return an unused path in `folder` for the draft of a file or folder."""
    return folder / f"{PREFIX}{_host()}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"


def remove_drafts(folder: Path) -> None:
    """Remove the drafts in `folder` that ended processes of this host have left. Errors are ignored."""
    name = re.compile(rf"{re.escape(PREFIX + _host())}-([0-9]{{1,9}})-[0-9a-f]{{8}}{re.escape(SUFFIX)}", re.ASCII)
    with suppress(OSError):
        for path in list(folder.glob(f"{PREFIX}*{SUFFIX}")):  # fast, even in a folder with thousands of files
            if (match := name.fullmatch(path.name)) and _is_gone(int(match[1])):
                remove_draft(path)


def remove_draft(path: Path) -> None:
    """Remove the file or folder `path` if it exists. Errors are ignored. If it is a link, its target is not removed."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9]+", "", platform.node())[:40] or "host"


def _is_gone(process: int) -> bool:
    """Return whether the process has ended. The result is False if this is uncertain."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
