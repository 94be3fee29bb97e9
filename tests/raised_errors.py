"""What errors that are raised to users have in common."""

from __future__ import annotations

import pytest

from petteia.core.errors import PetteiaError


def one_line(raised: pytest.ExceptionInfo[PetteiaError], *parts: str) -> None:
    text = str(raised.value)
    assert "\n" not in text
    for part in parts:
        assert part in text
