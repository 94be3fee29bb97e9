"""Time managers, on a clock that is made up: how long a move may take by what was found at each depth."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from petteia.core.clock import Clock
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import initial
from petteia.games import game
from petteia.players import player
from petteia.players.search import SearchPlayer
from petteia.players.time_managers import AdaptiveTime, EvenTime, Manager
from petteia.players.time_share import Share, share
from petteia.search.searcher import Searcher, Thought, Variation

KALAH = game("kalah")
ADAPTIVE = AdaptiveTime()
SHARE = Share(1.0, 10)


def depths(*found: tuple[int, float]) -> list[Thought]:
    """What was found at each depth: the best move, and its value for player 0."""
    return [
        Thought(depth, (Variation((move,), value),), 0, 0.0, False, False, {})
        for depth, (move, value) in enumerate(found, 1)
    ]


CASES = {
    "nothing yet": ([], 1.0),
    "a first move": ([(3, 0.0)], 1.0),
    "the same move": ([(3, 0.0), (3, 0.0)], 1.0),
    "another move": ([(3, 0.0), (4, 0.0)], ADAPTIVE.CHANGED),
    "a move that changed earlier": ([(3, 0.0), (4, 0.0), (4, 0.0)], 1.0),
    "a value that fell": ([(3, 2.0), (4, 5.0), (4, 1.0)], ADAPTIVE.FALLEN),
    "a value that goes up and down with the depth": ([(3, 2.0), (4, 5.0), (4, 3.0)], 1.0),
    "another move of lower value": ([(3, 2.0), (3, 5.0), (4, 1.0)], ADAPTIVE.CHANGED * ADAPTIVE.FALLEN),
    "a move that stands out": ([(3, 2.0), (3, 5.0), (3, 2.0)], ADAPTIVE.CLEAR),
    "a move that stands out, and whose value fell": (
        [(3, 2.0), (3, 5.0), (3, 1.0)],
        ADAPTIVE.CLEAR * ADAPTIVE.FALLEN,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_hard_moves_get_more_and_clear_ones_less(name: str) -> None:
    found, factor = CASES[name]
    for side, sign in ((0, 1), (1, -1)):
        thoughts = depths(*((move, sign * value) for move, value in found))
        assert ADAPTIVE.seconds(SHARE, thoughts, side) == pytest.approx(factor)
        assert EvenTime().seconds(SHARE, thoughts, side) == 1.0


def test_the_last_move_gets_no_more_than_what_is_left() -> None:
    hard = depths((3, 2.0), (3, 5.0), (4, 1.0))
    assert [ADAPTIVE.seconds(Share(1.0, moves), hard, 0) for moves in (1, 2, 9)] == pytest.approx([1.0, 1.5, 3.0])


def spent(manager: Manager, clock: Clock, moves: int, draw: random.Random) -> list[float]:
    """The seconds of so many moves whose depths find anything, each taking three times as long as the one before."""
    left, seconds = clock.started(), []
    for _ in range(moves):
        given, found, used = share(KALAH, initial(KALAH), left.limit(Limit())), list[Thought](), 0.0
        while used < (until := manager.seconds(given, found, 0)):
            used = min(max(3.0 * used, 0.001), until)
            found += depths((draw.randrange(2), draw.uniform(-1, 1)))
        seconds.append(used)
        left = left.after(used)
        assert left.seconds >= 0.0
    return seconds


def test_whatever_is_found_the_time_does_for_all_moves() -> None:
    draw = random.Random(3)
    for clock in (Clock(0.2, 10), Clock(10.0, 5), Clock(1.0), Clock(0.5, None, 0.01)):
        even, adaptive = (spent(manager, clock, 30, draw) for manager in (EvenTime(), ADAPTIVE))
        assert min(adaptive) > 0.0
        assert max(adaptive) / min(adaptive) > max(even) / min(even)


def test_a_search_asks_after_each_depth_how_long_it_may_take() -> None:
    asked = list[int]()

    def patience(found: Sequence[Thought]) -> float:
        asked.append(len(found))
        return 60.0 if len(found) < 3 else 0.0

    searcher = Searcher(KALAH, player_of("search").evaluation, megabytes=1)
    thought = searcher.search(initial(KALAH), Limit(depth=9), patience=patience)
    assert thought.depth == 3
    assert asked == [0, 1, 2, 3]
    thought = searcher.search(initial(KALAH), Limit(seconds=0.01), patience=lambda found: 60.0)
    assert thought.seconds < 30.0, "the limit counts as well"


def test_a_search_may_be_given_more_time_than_at_first_and_less() -> None:
    searcher = Searcher(game("kalah:pits=7,seeds=7"), player_of("search").evaluation, megabytes=1)
    start = initial(searcher.rules)
    longer = searcher.search(start, Limit(), patience=lambda found: 0.3 if found else 0.001)
    assert longer.seconds >= 0.3 or longer.depth == 0
    shorter = searcher.search(start, Limit(), patience=lambda found: 0.05 if len(found) > 1 else 60.0)
    assert shorter.seconds < 30.0


def player_of(text: str) -> SearchPlayer:
    made = player(text, KALAH)
    assert isinstance(made, SearchPlayer)
    return made


def test_managers_are_named() -> None:
    with pytest.raises(UsageError, match="manager=fair: must be one of even, adaptive"):
        player_of("search:manager=fair")
    amazons = game("amazons")
    for text in (
        "search:evaluation=mobility,manager=even",
        "search:evaluation=mobility,keep=0.5,order=queen_distance,group=2,manager=even",
        "search:manager=adaptive,margin=0.01",
    ):
        assert player(text, amazons).name == text
