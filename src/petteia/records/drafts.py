"""Drafts: files and folders with hidden names that are being written.

The name of a draft contains the host and the process. So drafts left by a killed process can be distinguished from
those of a running one, even in a folder shared by several hosts.
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
    """An unused path in `folder` for a new file or folder."""
    return folder / f"{PREFIX}{_host()}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"


def remove_drafts(folder: Path) -> None:
    """Remove the drafts in `folder` that ended processes of this host have left. Errors are ignored."""
    name = re.compile(rf"{re.escape(PREFIX + _host())}-([0-9]{{1,9}})-[0-9a-f]{{8}}{re.escape(SUFFIX)}", re.ASCII)
    with suppress(OSError):
        for path in list(folder.glob(f"{PREFIX}*{SUFFIX}")):  # fast, even in a folder with thousands of files
            if (match := name.fullmatch(path.name)) and _is_gone(int(match[1])):
                remove_draft(path)


def remove_draft(path: Path) -> None:
    """Remove the file or folder `path` if it exists. Errors are ignored, and the target of a link is not removed."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9]+", "", platform.node())[:40] or "host"


def _is_gone(process: int) -> bool:
    """Whether there is no such process; False if this cannot be found out safely."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
