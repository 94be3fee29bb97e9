"""Where caches are, and what is the user's alone."""

from __future__ import annotations

import functools
import os
import sys
from contextlib import suppress
from pathlib import Path

from petteia.core.announcements import announce

NOWHERE = Path(os.devnull)
"""a folder in which nothing can be made and nothing is found: the home of users who have none"""
OTHERS_MAY_WRITE = 0o022
"""the bits of a folder's mode by which its group, or anybody, may put files into it"""


def caches() -> Path:
    """The folder of all caches: PETTEIA_CACHE, else the platform's place for caches; made if it is not there.

    What lies in it is run. So it is made for this user alone, and if others can write into it this is NOWHERE.
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
    """The folder `place`, or NOWHERE. Once in a process, which says once why nothing is kept."""
    with suppress(OSError):  # where nothing can be made nothing is found
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_closed_to_others(place.stat()):
            announce(
                f"{place}: others can write into this folder, so no compiled code is kept in it or taken from it; "
                "delete it, to have it made for you alone, or name another in PETTEIA_CACHE"
            )
            return NOWHERE
    return place


def is_closed_to_others(folder: os.stat_result) -> bool:
    """Whether only this user and root can put files into a folder. On Windows, where modes do not tell, always."""
    return os.name != "posix" or (folder.st_uid in (0, os.geteuid()) and not folder.st_mode & OTHERS_MAY_WRITE)


def states() -> Path:
    """The folder of what is to stay and is the user's alone: in XDG_STATE_HOME, else in `~/.local/state`."""
    chosen = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (chosen if chosen.is_absolute() else _home() / ".local" / "state") / "petteia"


def _home() -> Path:
    try:
        home = Path.home()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        return NOWHERE
    return home if home.is_absolute() else NOWHERE
