"""The training runs that come with the package do what they did, whatever defaults become."""

from __future__ import annotations

import json

import pytest
from shipped_settings import GOLDEN, shipped_settings


@pytest.mark.slow
def test_settings_are_those_that_were_stored() -> None:
    stored, found = json.loads(GOLDEN.read_text(encoding="utf-8")), shipped_settings()
    assert list(found) == list(stored)
    assert len(found) > 40
    for name, settings in stored.items():
        assert found[name] == settings, name
