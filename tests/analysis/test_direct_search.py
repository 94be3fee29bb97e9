"""Direct search for weights tells how often what it found wins, in any game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tiny_games import DiceRace

import petteia
from petteia.analysis import direct_search as searching
from petteia.core.errors import UsageError
from petteia.learn.cross_entropy import POPULATION, Generation
from petteia.value_functions.report_weights import REPORT_RULES, report_weights


@pytest.mark.parametrize(("sign", "is_good"), [(1, True), (-1, False)])
def test_it_tells_the_wins_of_what_it_found(sign: int, is_good: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = []

    def found_at_once(score: Any, start: Any, *, generations: int, **options: Any) -> Any:
        scores.append(score(start, 0))
        return [SimpleNamespace(mean=start, elite=0.25 * number) for number in range(generations)]

    monkeypatch.setattr(searching, "search_weights", found_at_once)
    found = petteia.direct_search(
        REPORT_RULES, "report", weights=sign * report_weights(), generations=3, games=50, trial_games=100, seed=1
    )
    assert [each > 0.9 for each in (found.first.mean, found.second.mean, *scores)] == [is_good] * 3
    assert found.curve == [0.0, 0.25, 0.5]
    assert (found.generations, found.games) == (3, 3 * POPULATION * 2 * 50)


@pytest.mark.slow
def test_it_beats_chance_in_hare_and_hounds() -> None:
    told: list[Generation] = []
    options: dict[str, Any] = {"generations": 5, "games": 10, "trial_games": 400, "seed": 1}
    found = petteia.direct_search("hare-and-hounds", "squares", progress=told.append, **options)
    nothing = petteia.match("hare-and-hounds", "random", "random", games=400, seats="fixed")
    assert [each.elite for each in told] == found.curve
    assert found.weights.shape == (45,)
    assert found.first.low > nothing.wins / 400
    again = petteia.direct_search("hare-and-hounds", "squares", jobs=2, **options)
    assert np.array_equal(again.weights, found.weights)
    assert again[1:] == found[1:]
    resumed = petteia.direct_search("hare-and-hounds", "squares", done=told[:3], **options)
    assert np.array_equal(resumed.weights, found.weights)
    assert resumed[1:] == found[1:]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"generations": 0}, "generations=0"),
        ({"weights": [0.0]}, "must be one number for each of the 4 features"),
        ({"opponent": "own_players:Drawing"}, "has no policy"),
    ],
)
def test_what_cannot_be_searched_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        petteia.direct_search(DiceRace(), "own_features:Faces", **wrong)
