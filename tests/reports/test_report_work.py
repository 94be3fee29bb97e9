"""Work of reports: how long it took, in words."""

from __future__ import annotations

from petteia.reports.engine.work import duration


def test_durations() -> None:
    assert [duration(each) for each in (3.25, 89.0, 120.0, 43_200.0)] == [
        *("3.2 seconds", "89.0 seconds", "2 minutes", "12 hours")
    ]
