"""A disk that is nearly full: no file can have more than so many bytes, and what is beyond is not written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def nearly_full_disk(size: int) -> Iterator[None]:
    resource = pytest.importorskip("resource", reason="this system has no limits on files")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
