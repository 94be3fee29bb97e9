"""Folders for cached files and for private files of the user."""

from __future__ import annotations

import functools
import os
import sys
from contextlib import suppress
from pathlib import Path

from petteia.core.announcements import announce

NOWHERE = Path(os.devnull)
"""A path below which no file can exist. It is used if there is no home folder, or if others can write to the cache."""
OTHERS_MAY_WRITE = 0o022
"""The bits of a folder's mode that allow its group or other users to write."""


def caches() -> Path:
    """Return the cache folder, and create it if it is missing: PETTEIA_CACHE, or else the platform's folder for caches.

    The cache contains code that will be executed, so a new folder is writable only by this user. If other users can
    write to an existing folder, the cache is disabled: the function returns the path NOWHERE, below which no file can
    exist.
    """
    return _for_this_user(_place_of_caches())


def _place_of_caches() -> Path:
    if chosen := os.environ.get("PETTEIA_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", _home() / "AppData/Local")) / "petteia" / "cache"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "petteia"
    return Path(os.environ.get("XDG_CACHE_HOME", _home() / ".cache")) / "petteia"


@functools.cache
def _for_this_user(place: Path) -> Path:
    """Create the folder `place` and return it. If other users can write to it, warn the user and return `NOWHERE`.

    Below the path `NOWHERE`, no file can exist, so nothing is cached.
    """
    with suppress(OSError):  # if the folder cannot be created, it contains nothing
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_closed_to_others(place.stat()):
            announce(
                f"{place}: other users can write to this folder, so it is not used as a cache of compiled code; "
                "delete the folder, so that petteia creates it for you only, or set PETTEIA_CACHE to another folder"
            )
            return NOWHERE
    return place


def is_closed_to_others(folder: os.stat_result) -> bool:
    """Return whether only this user and root can write to a folder. On Windows, the result is always True."""
    return os.name != "posix" or (folder.st_uid in (0, os.geteuid()) and not folder.st_mode & OTHERS_MAY_WRITE)


def states() -> Path:
    """Return the folder for permanent private files: `petteia` in XDG_STATE_HOME, or else in `~/.local/state`."""
    chosen = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (chosen if chosen.is_absolute() else _home() / ".local" / "state") / "petteia"


def _home() -> Path:
    try:
        home = Path.home()
    except RuntimeError:  # HOME is not set, and the list of users has no entry
        return NOWHERE
    return home if home.is_absolute() else NOWHERE
