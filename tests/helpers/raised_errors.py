"""What errors that are raised to users have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from petteia.core.errors import PetteiaError


def one_line(raised: pytest.ExceptionInfo[PetteiaError], *parts: str) -> None:
    text = str(raised.value)
    assert "\n" not in text
    for part in parts:
        assert part in text


@contextmanager
def in_one_line(what: object) -> Iterator[None]:
    """Within it what goes wrong with `what` is told in one line; all else fails."""
    try:
        yield
    except PetteiaError as error:
        if not str(error) or "\n" in str(error):
            raise AssertionError(f"{what}: not one line: {error}") from error
        raise
    except Exception as error:
        raise AssertionError(f"{what!r:.300}: {type(error).__name__}: {error}") from error
