"""Where caches are."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def caches() -> Path:
    """The folder of all caches: PETTEIA_CACHE, else the platform's place for caches."""
    if chosen := os.environ.get("PETTEIA_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "petteia" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "petteia"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "petteia"
