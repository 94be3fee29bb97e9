"""The texts of the page. They stand in one file, `english.toml`, so a translation is one file."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources


@functools.cache
def words() -> dict[str, str]:
    """The texts by name; braces stand for what is filled in."""
    return tomllib.loads((resources.files("petteia.web") / "english.toml").read_text(encoding="utf-8"))
