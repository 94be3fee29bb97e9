"""Games with a time limit on a machine that has no time for them: they do not count, and are played again."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import petteia
from petteia.arena import alternate, wakeups
from petteia.arena.wakeups import Wakeups
from petteia.core.decision import Limit

GAME = "kalah:pits=2,seeds=2"


class Late:
    """Stands for `Wakeups` of a machine that is overloaded at certain times: is asked before and after each pair."""

    delays: Callable[[int], float]

    def __init__(self) -> None:
        self.asked = 0

    def take(self) -> float:
        self.asked += 1
        return 0.0 if self.asked % 2 else type(self).delays(self.asked // 2)

    def __enter__(self) -> Late:
        return self

    def __exit__(self, *failure: object) -> None:
        pass


def overload(monkeypatch: pytest.MonkeyPatch, delays: Callable[[int], float]) -> None:
    monkeypatch.setattr(Late, "delays", staticmethod(delays), raising=False)
    monkeypatch.setattr(alternate, "Wakeups", Late)


def test_a_pair_in_which_the_referee_was_late_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    overload(monkeypatch, lambda times: 1.0 if times == 1 else 0.0)
    found = petteia.match(GAME, "search:depth=1", "random", games=2, limit=Limit(seconds=5.0))
    assert [row.voided for row in found.rows] == [1, 1]
    assert found.games == 2
    assert found.notes[-1] == "2 games were played again because the machine was overloaded"
    table = petteia.tournament(GAME, ["search:depth=1", "random"], games=2, limit=Limit(seconds=5.0))
    assert [cell.voided for cell in table.cells] == [2]
    assert table.notes[-2] == "2 games were played again because the machine was overloaded"
    assert "different games each time" in table.notes[-1]


def test_a_machine_that_is_overloaded_again_and_again_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    for delays in (lambda times: 1.0, lambda times: float(times % 2)):
        overload(monkeypatch, delays)
        with pytest.raises(petteia.PetteiaError, match=r"^the machine is overloaded: .*fewer jobs$"):
            petteia.match(GAME, "search:depth=1", "random", games=200, limit=Limit(seconds=5.0))


def test_a_delay_within_the_grace_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    overload(monkeypatch, lambda times: 0.3)
    patient = petteia.Allowance(grace=1.0)
    found = petteia.match(GAME, "search:depth=1", "random", games=2, limit=Limit(seconds=5.0), allowance=patient)
    assert [row.voided for row in found.rows] == [0, 0]


def test_games_without_a_clock_are_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    overload(monkeypatch, lambda times: 1.0)
    assert petteia.match(GAME, "search:depth=1", "random", games=2).notes == ()


def test_who_sleeps_wakes_up_late_if_the_machine_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A longer sleep stands for a machine that gives no processor; it may also be a player that keeps it busy."""
    sleep, seconds = time.sleep, [0.3]
    monkeypatch.setattr(wakeups.time, "sleep", lambda step: sleep(step + (seconds.pop() if seconds else 0.0)))
    with Wakeups() as watched:
        sleep(0.5)
        assert 0.3 <= watched.take() < 2.0
    monkeypatch.setattr(wakeups, "OWN_SHARE", 0.0)
    seconds.append(0.3)
    with Wakeups() as watched:
        sleep(0.5)
        assert watched.take() == 0.0
