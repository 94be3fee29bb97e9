"""What a command run in this process leaves; the fixture `run` runs one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Its JSON document."""
        found: dict[str, Any] = json.loads(self.out)
        return found


Run = Callable[..., Ran]
