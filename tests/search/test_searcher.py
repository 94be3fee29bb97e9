"""Deeper and deeper until a limit: what is found on the way, what a sudden end leaves, and how many nodes it takes."""

from __future__ import annotations

import os
import random
import signal
import warnings
from concurrent.futures import ThreadPoolExecutor

import minimax
import numpy as np
import pytest
from searched_games import DEPTHS, Noise, states

from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import initial, legal, limits, parse_state, play, to_move
from petteia.features.store_difference import StoreDifference
from petteia.games import game
from petteia.search.alpha_beta import ETC, EXACT_DEPTH, ORDER, PVS, STANDARD, TIES
from petteia.search.ends import BY_MARGIN, DECIDED, EARLY
from petteia.search.memory import DONE, MAX_DEPTH
from petteia.search.searcher import Searcher, Thought, points

NOISE = Noise()
STORE = StoreDifference()
KALAH = game("kalah")
BROAD = game("kalah:pits=7,seeds=7")
"""too large to be searched to the end"""
WON = {"1,0,0,0,0,0,24/1,1,1,1,1,1,17 s": 1, "1,1,0,0,0,1,23/0,0,0,0,0,1,21 s": 2}
"""positions in which it is certain after so many plies that South wins, not yet at the end of the game"""


# Depth.


@pytest.mark.slow
@pytest.mark.parametrize("name", DEPTHS)
def test_a_search_after_another_is_right(name):
    """Whatever the table holds by then; a search that ends early has found what a deeper one finds."""
    rules, found = states(name, 12)
    draw, lists = random.Random(name), minimax.scratch(rules)
    for ends in (EARLY | DECIDED, EARLY, BY_MARGIN):
        options = ends | ORDER | PVS | EXACT_DEPTH | draw.choice((0, ETC))
        searcher = Searcher(rules, NOISE, options=options, megabytes=1)
        for state in (*found, *draw.sample(found, 4)):
            for depth in draw.sample(range(1, DEPTHS[name] + 1), 3):
                told: list[Thought] = []
                thought = searcher.search(
                    state, Limit(depth=depth), multipv=draw.choice((1, 2, 99)), progress=told.append
                )
                assert [each.depth for each in told] == list(range(1, thought.depth + 1))
                assert thought.depth == depth or thought.is_final
                assert not any(each.is_final for each in told[:-1])
                known = minimax.values(rules, NOISE, options, state, depth, lists)
                best = sorted(known.values(), reverse=to_move(rules, state) == 0)
                values = [line.value for line in thought.variations]
                assert values == [points(NOISE, rules, worth) for worth in best[: len(values)]]
                for line in thought.variations:
                    assert points(NOISE, rules, known[line.moves[0]]) == line.value
                if thought.values:
                    known = minimax.values(rules, NOISE, options, state, thought.depth, lists)
                    assert thought.values == {move: points(NOISE, rules, worth) for move, worth in known.items()}
                assert thought.values or len(values) < len(known)


def test_search_ends_where_a_deeper_one_would_find_the_same():
    searcher = Searcher(KALAH, STORE, megabytes=1)
    for text, plies in WON.items():
        won = searcher.search(parse_state(KALAH, text), Limit())
        assert won.is_final is True
        assert won.depth == plies
        assert won.variations[0][1:] == (99_999 - plies, True, None)
    narrow = Searcher(game("kalah:pits=1,seeds=3"), STORE, options=BY_MARGIN, megabytes=1)
    exhausted = narrow.search(initial(narrow.rules), Limit())
    assert exhausted.is_final is True
    assert exhausted.nodes < 20
    assert searcher.search(initial(KALAH), Limit(depth=9)).is_final is False


def test_ends_are_told_with_the_plies_to_them():
    """From the end of a game: South wins by 14 with its only move."""
    known, unknown = (99_998.0, True, 1), (99_999.0, True, None)
    for options, told in ((EARLY, known), (STANDARD, known), (0, unknown), (BY_MARGIN, (14.0, False, None))):
        searcher = Searcher(KALAH, STORE, options=options, megabytes=1)
        for text, sign in (("0,0,0,0,0,1,30/0,0,0,0,0,1,16 s", 1), ("0,0,0,0,0,1,16/0,0,0,0,0,1,30 n", -1)):
            (line,) = searcher.search(parse_state(KALAH, text), Limit(depth=5)).variations
            assert line == ((5,), sign * told[0], *told[1:])


# Nodes.


@pytest.mark.parametrize("helps", [0, ORDER, ORDER | PVS | ETC])
@pytest.mark.parametrize("name", ["kalah", "hare-and-hounds"])
def test_nodes_are_limited(name, helps):
    rules, found = states(name, 20)
    searcher = Searcher(rules, NOISE, options=EARLY | helps | EXACT_DEPTH, megabytes=1)
    lists, draw, stopped = minimax.scratch(rules), random.Random(name), 0
    for state in found:
        for maximum in (1, 2, 10, 100, 1000, 10_000, draw.randrange(1, 3000)):
            thought = searcher.search(state, Limit(nodes=maximum))
            assert thought.nodes <= maximum + 2 * limits(rules).moves
            assert thought.depth >= 1
            move, value = thought.variations[0].moves[0], thought.variations[0].value
            assert move in legal(rules, state)
            stopped += not thought.is_final
            if thought.depth < 4:  # the value is that of the last depth, or of a better move at the one begun
                known = [minimax.values(rules, NOISE, EARLY, state, thought.depth + i, lists)[move] for i in (0, 1)]
                assert value in [points(NOISE, rules, worth) for worth in known]
    assert stopped > 50


def test_numbers_out_of_range():
    with pytest.raises(UsageError, match=r"depth=251: must be in 1\.\.250"):
        Searcher(KALAH, STORE, megabytes=1).search(initial(KALAH), Limit(depth=MAX_DEPTH + 1))
    for multipv in (0, -1):
        with pytest.raises(UsageError, match=f"multipv={multipv}: must be 1 or more"):
            Searcher(KALAH, STORE, megabytes=1).search(initial(KALAH), Limit(depth=1), multipv=multipv)


SIGNATURE = {"kalah": [3495, 3487, 3832, 3182], "hare-and-hounds": [1458, 1458, 1282, 1474]}
"""Nodes of the searches below. They change only on purpose, with the order or the number of the nodes of a search."""


def count_nodes(name: str) -> list[int]:
    rules, found = states(name, 6, seed=1)
    told = []
    for options in (STANDARD, STANDARD | ETC, EARLY | EXACT_DEPTH, BY_MARGIN | ORDER):
        searcher = Searcher(rules, NOISE, options=options, megabytes=1)
        for _ in range(2):
            searcher.clear()
            searches = [searcher.search(state, Limit(depth=5), multipv=1 + i % 2) for i, state in enumerate(found)]
            told.append(sum(thought.nodes for thought in searches))
        assert told.pop() == told[-1], "the same search twice, after `clear`"
    return told


@pytest.mark.parametrize("name", [pytest.param("kalah", marks=pytest.mark.lanes), "hare-and-hounds"])
def test_the_same_search_takes_the_same_nodes(name):
    assert count_nodes(name) == count_nodes(name) == SIGNATURE[name]


# A sudden end, and a process of its own.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hare-and-hounds", "kalah:pits=3,seeds=2"])
def test_a_drawn_move_that_is_known_to_be_worse_is_not_played(name):
    """Stopped anywhere, a search tells a move that nothing of the last depth, begun, speaks against."""
    rules, found = states(name, 30)
    searcher = Searcher(rules, Noise(3), options=STANDARD | EXACT_DEPTH | TIES, megabytes=1)
    root, changed = searcher._root, 0
    for number, state in enumerate(found):
        for maximum in range(5, 400, 9):
            searcher.clear()
            told: list[Thought] = []
            thought = searcher.search(state, Limit(nodes=maximum), random=[number + maximum], progress=told.append)
            done = int(root.counts[DONE])
            if thought.is_final or not told or done == 0:
                continue
            searched = dict(zip(root.moves[:done].tolist(), root.values[:done].tolist(), strict=True))
            move = thought.variations[0].moves[0]
            assert searched.get(move, max(searched.values())) == max(searched.values())
            changed += move != told[-1].variations[0].moves[0]
    assert changed > 10


def test_a_forked_process_can_search():
    """The thread of its parent is not there."""
    searcher = Searcher(KALAH, STORE, megabytes=1)
    expected = searcher.search(initial(KALAH), Limit(depth=3)).nodes
    searcher.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on, of forks beside threads
        child = os.fork()
    if child == 0:
        signal.alarm(30)  # ends it where it waits for ever
        failed = True
        try:
            failed = searcher.search(initial(KALAH), Limit(depth=3)).nodes != expected
        finally:
            os._exit(failed)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert searcher.search(initial(KALAH), Limit(depth=3)).nodes == expected


# Time, and Ctrl-C.


def test_time_is_limited():
    searcher = Searcher(BROAD, STORE, megabytes=1)
    for seconds in (0.001, 0.05):
        thought = searcher.search(initial(BROAD), Limit(seconds=seconds))
        assert thought.seconds >= seconds
        assert not thought.was_interrupted
        assert thought.variations[0].moves[0] in legal(BROAD, initial(BROAD))
    assert thought.depth >= 1
    assert searcher.search(initial(BROAD), Limit(depth=2, seconds=60.0)).depth == 2


def test_an_interrupt_gives_the_best_so_far():
    searcher = Searcher(BROAD, STORE, options=STANDARD | EXACT_DEPTH, megabytes=1)
    told: list[Thought] = []

    def interrupt(thought: Thought) -> None:
        told.append(thought)
        if thought.depth == 6:
            os.kill(os.getpid(), signal.SIGINT)

    for limit in (Limit(), Limit(seconds=60.0)):
        told.clear()
        thought = searcher.search(initial(BROAD), limit, progress=interrupt)
        assert thought.was_interrupted
        assert thought.depth == told[-1].depth >= 6
        assert thought.seconds < 30.0
        assert thought.nodes >= told[-1].nodes
    after = searcher.search(initial(BROAD), Limit(depth=5), multipv=7)
    assert not after.was_interrupted
    known = minimax.values(BROAD, STORE, EARLY | DECIDED, initial(BROAD), 5)
    assert after.values == {move: float(value) for move, value in known.items()}


def test_an_error_while_it_tells_what_it_has_found_comes_out():
    def fail(thought: Thought) -> None:
        raise ZeroDivisionError

    searcher = Searcher(KALAH, STORE, megabytes=1)
    with pytest.raises(ZeroDivisionError):
        searcher.search(initial(KALAH), Limit(depth=5), progress=fail)
    assert searcher.search(initial(KALAH), Limit(depth=5)).depth == 5


def test_a_finished_game_is_not_searched():
    over = parse_state(KALAH, "0,0,0,0,0,0,31/0,0,0,0,0,1,16 s")
    with pytest.raises(InvalidError, match="the game is over; give a position with a legal move"):
        Searcher(KALAH, STORE, megabytes=1).search(over, Limit(depth=3))


@pytest.mark.heavy
def test_how_late_five_thousand_searches_end(capsys):
    searcher, draw = Searcher(BROAD, STORE), random.Random(5)
    _, found = states("kalah:pits=7,seeds=7", 100)
    late = []
    for _ in range(5000):
        seconds = draw.randint(1, 20) / 1000
        late.append(searcher.search(draw.choice(found), Limit(seconds=seconds)).seconds - seconds)
    told = [1000 * np.quantile(late, share) for share in (0.5, 0.99, 0.999, 1.0)]
    with capsys.disabled():
        print("\nlateness in ms: median {:.2f}, 99 % {:.2f}, 99.9 % {:.2f}, all {:.2f}".format(*told))
    assert min(late) < 0.02
    assert told[2] < 500


def test_searches_in_many_threads_find_what_they_find_alone():
    def search(number: int) -> Thought:
        state = play(KALAH, initial(KALAH), number % 6)
        found = Searcher(KALAH, STORE, megabytes=1).search(state, Limit(depth=4 + number % 3))
        return found._replace(seconds=0.0)

    alone = list(map(search, range(16)))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(search, range(16))) == alone
