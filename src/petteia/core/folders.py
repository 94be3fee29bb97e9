"""Where caches are, and what is the user's alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NOWHERE = Path(os.devnull)
"""a home in which nothing can be made and nothing is found, for users who have none"""


def caches() -> Path:
    """The folder of all caches: PETTEIA_CACHE, else the platform's place for caches."""
    if chosen := os.environ.get("PETTEIA_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", _home() / "AppData/Local")) / "petteia" / "cache"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "petteia"
    return Path(os.environ.get("XDG_CACHE_HOME", _home() / ".cache")) / "petteia"


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
