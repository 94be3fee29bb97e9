"""What a search finds, against plain minimax: every option, every size of table, at every depth, in every game."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import minimax
import numpy as np
import pytest
from scipy.stats import chisquare
from searched_games import DEPTHS, Noise, states

from petteia.core.decision import Limit
from petteia.core.protocol import initial, is_over, legal, limits, moves, parse_state, play, to_move
from petteia.features.evaluation import LARGEST
from petteia.games import game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.policies.policy import probabilities, workspace
from petteia.policies.search_policy import search_policy
from petteia.search.alpha_beta import (
    ETC,
    EXACT_DEPTH,
    ORDER,
    PVS,
    STANDARD,
    TIES,
)
from petteia.search.ends import BY_MARGIN, DECIDED, EARLY
from petteia.search.memory import (
    BUCKET,
    DONE,
    LISTED,
    MAX_DEPTH,
    MAX_NODES,
    NO_MOVE,
    NODES,
    STOP,
    Memory,
    Root,
    memory_for,
    root_for,
)
from petteia.search.parts import STANDARD_PARTS, Search
from petteia.search.root import search_root
from petteia.search.searcher import Searcher
from petteia.solver.oracle import Oracle

NOISE = Noise()
MANY = 1 << 62
ENDS = (0, EARLY, DECIDED, EARLY | DECIDED, BY_MARGIN)
"""how ends can be worth something"""
HELPS = (0, ORDER, PVS, ETC, ORDER | PVS, ORDER | ETC, ORDER | PVS | ETC)
"""what only saves time"""
BUCKETS = (0, 2, 1 << 12)
"""of tables: none, one in which entries are replaced all the time, and one that holds all"""


def memory(rules: Any, buckets: int) -> Memory:
    return memory_for(rules, minimax.MAX_DEPTH)._replace(slots=np.zeros(BUCKET * buckets, np.int64))


def look(
    rules: Any,
    options: int,
    store: Memory,
    state: Any,
    depth: int,
    multipv: int,
    nodes: int = 1 << 62,
    value: Any = NOISE,
) -> Root:
    """One search, by the kernel alone."""
    root = root_for(rules, minimax.MAX_DEPTH)
    store.counters[:] = 0
    store.counters[MAX_NODES] = nodes
    root.counts[LISTED] = moves(rules, state, root.moves)
    search_root(Search(rules, value, STANDARD_PARTS, options, store), state, depth, multipv, root)
    return root


def truth(rules: Any, options: int, state: Any, depth: int, lists: Any, value: Any = NOISE) -> dict[int, int]:
    """What each move is worth to the mover by minimax."""
    sign = 1 - 2 * to_move(rules, state)
    return {move: sign * worth for move, worth in minimax.values(rules, value, options, state, depth, lists).items()}


def check(
    rules: Any, options: int, root: Root, state: Any, depth: int, multipv: int, known: dict[int, int], lists: Any
) -> None:
    """Hold all that a search claims against minimax: values, bounds, which moves are best, and the lines."""
    done = int(root.counts[DONE])
    searched = root.moves[:done].tolist()
    told = {}
    for move, value, exact in zip(searched, root.values.tolist(), root.exact, strict=False):
        assert known[move] == value if exact else known[move] <= value
        if exact:
            told[move] = value
    best = sorted((known[move] for move in searched), reverse=True)
    assert sorted(told.values(), reverse=True)[:multipv] == best[:multipv]
    if options & TIES and searched:
        last = best[:multipv][-1]
        assert [move for move in searched if known[move] == last] == [m for m in told if told[m] == last]
    for place, move in enumerate(searched):
        if move in told:
            line = root.pvs[place].tolist()
            after, ply = state, 0
            for each in (move, *line[: line.index(NO_MOVE)]):
                assert each in legal(rules, after)
                after, ply = play(rules, after, each), ply + 1
            assert ply <= depth
            end = minimax.value(rules, NOISE, options, after, depth - ply, ply, lists)
            assert end == (told[move] if to_move(rules, state) == 0 else -told[move])


def hold(name: str, count: int, seed: int = 0) -> None:
    """Search random positions with all options, and tables that know what earlier searches found."""
    rules, found = states(name, count, seed)
    draw, lists = random.Random(seed), minimax.scratch(rules)
    stores = {(ends, buckets): memory(rules, buckets) for ends in ENDS for buckets in BUCKETS}
    for number, state in enumerate(found):
        depth = 1 + number % DEPTHS[name]
        for ends in ENDS:
            known = truth(rules, ends, state, depth, lists)
            for helps in HELPS:
                for buckets in BUCKETS:
                    options = ends | helps | EXACT_DEPTH | draw.choice((0, TIES))
                    multipv = draw.randint(1, len(known))
                    root = look(rules, options, stores[ends, buckets], state, depth, multipv)
                    assert root.counts[DONE] == len(known)
                    check(rules, options, root, state, depth, multipv, known, lists)


@pytest.mark.parametrize("name", [name for name in DEPTHS if "Blurred" not in name][::2])
def test_no_option_and_no_table_changes_a_value(name):
    hold(name, DEPTHS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", DEPTHS)
def test_no_option_and_no_table_changes_a_value_of_more_positions(name):
    hold(name, 2 * DEPTHS[name], seed=2)


@pytest.mark.lanes
@pytest.mark.parametrize("name", ["kalah:pits=2,seeds=2", "solved_games:Maze:size=97,seed=5"])
def test_search_is_minimax_in_every_lane(name):
    hold(name, 5, seed=1)


# Without EXACT_DEPTH values are as good as the table's, and right where a search reaches all ends.


def met(name: str, games: int) -> tuple[Any, list[Any]]:
    """The different positions of random games."""
    rules, draw = game(name), random.Random(name)
    found = {}
    for _ in range(games):
        state = initial(rules)
        while not is_over(rules, state):
            found[state] = None
            state = play(rules, state, draw.choice(legal(rules, state)))
    return rules, list(found)


@pytest.mark.slow
@pytest.mark.parametrize("buckets", [1 << 12, 1 << 14])
@pytest.mark.parametrize("ends", [BY_MARGIN, EARLY | DECIDED, EARLY, 0])
@pytest.mark.parametrize(("name", "games"), [("kalah:pits=3,seeds=2", 30), ("hare-and-hounds:stall=3", 3)])
def test_a_search_to_the_end_finds_the_value_of_the_solver(name, games, ends, buckets):
    rules, found = met(name, games)
    oracle = Oracle(rules)
    searcher = Searcher(rules, NOISE, options=ends | ORDER | PVS | ETC, megabytes=1)
    searcher._memory = searcher._memory._replace(slots=np.zeros(BUCKET * buckets, np.int64))
    for state in found:
        thought = searcher.search(state, Limit())
        assert thought.is_final
        value = thought.variations[0].value
        if ends & BY_MARGIN:
            assert value == oracle.value(state)
        else:
            assert np.sign(value) == np.sign(oracle.value(state))
        if ends == EARLY and isinstance(rules, HareAndHounds):
            assert thought.variations[0].plies_to_end == oracle.distance(state)


# Which of several best moves.

TIED = ("0,1,8/6 hounds 1", "4,8,9/5 hare 9")
FEW = Noise(3)


@pytest.mark.slow
@pytest.mark.parametrize("position", TIED)
def test_each_of_the_best_moves_is_equally_likely(position):
    rules = game("hare-and-hounds")
    state = parse_state(rules, position)
    known = truth(rules, EARLY, state, 2, minimax.scratch(rules), FEW)
    best = [move for move in known if known[move] == max(known.values())]
    assert 3 <= len(best) < len(known)

    searcher = Searcher(rules, FEW, options=STANDARD | EXACT_DEPTH | TIES, megabytes=1)
    policy = search_policy(rules, FEW, depth=2, options=STANDARD | EXACT_DEPTH | TIES)
    stream, work = [5], workspace(rules)
    by_searcher = (searcher.search(state, Limit(depth=2), random=stream).variations[0].moves[0] for _ in range(1500))
    by_policy = (policy.choose(rules, state, stream, work) for _ in range(6000))
    for drawn in (Counter(by_searcher), Counter(by_policy)):
        assert set(drawn) == set(best)
        assert chisquare(list(drawn.values())).pvalue > 0.01

    shares = np.zeros(limits(rules).moves)
    count = probabilities(policy, rules, state, 0.5, shares, work)
    assert shares[:count].tolist() == [0.5 / len(best) if move in best else 0.0 for move in legal(rules, state)]


@pytest.mark.parametrize("position", TIED)
def test_the_first_of_the_best_moves_costs_no_random_number(position):
    rules = game("hare-and-hounds")
    state = parse_state(rules, position)
    searcher = Searcher(rules, FEW, megabytes=1)
    policy = search_policy(rules, FEW, depth=2, options=STANDARD | EXACT_DEPTH)
    known = truth(rules, EARLY, state, 2, minimax.scratch(rules), FEW)
    first = next(move for move in known if known[move] == max(known.values()))
    stream, work, shares = [5], workspace(rules), np.zeros(limits(rules).moves)
    assert policy.choose(rules, state, stream, work) == first
    assert known[searcher.search(state, Limit(depth=2), random=stream).variations[0].moves[0]] == known[first]
    assert stream == [5]
    count = probabilities(policy, rules, state, 1.0, shares, work)
    assert shares[:count].tolist() == [float(move == first) for move in legal(rules, state)]


# The edges of what fits.


@pytest.mark.parametrize(("value", "ends"), [(Noise(5, 1 << 40), EARLY), (Noise(5, 1 << 28, 1 << 28), BY_MARGIN)])
def test_values_are_cut_off_where_those_of_won_ends_begin(value, ends):
    rules, found = states("solved_games:Maze:size=97,seed=5", 30)
    lists, store, told = minimax.scratch(rules), memory(rules, 64), set()
    for state in found:
        root = look(rules, ends | ORDER | PVS | EXACT_DEPTH, store, state, 3, 3, value=value)
        assert dict(zip(root.moves.tolist(), root.values.tolist(), strict=True)) == truth(
            rules, ends, state, 3, lists, value
        )
        told.update(root.values.tolist())
    assert {LARGEST, -LARGEST} <= told


@pytest.mark.lanes
def test_the_deepest_search():
    rules = game("solved_games:Maze:size=97,seed=5")
    root, store = root_for(rules), memory_for(rules)
    root.counts[LISTED] = moves(rules, initial(rules), root.moves)
    store.counters[MAX_NODES] = 2000
    search_root(Search(rules, NOISE, STANDARD_PARTS, STANDARD, store), initial(rules), MAX_DEPTH, 1, root)
    assert store.counters[STOP] == 1


# The heavy lane: a million searches.

SEARCHES = math.ceil(1_000_000 / len(DEPTHS))


def fuzz(name: str, count: int) -> Counter[str]:
    """Searches of random positions under random options and limits of depth and nodes; how they ended."""
    rules, found = states(name, 2000)
    draw, lists = random.Random(name), minimax.scratch(rules)
    stores = [(ends, memory(rules, buckets)) for ends in ENDS for buckets in (0, 1, 8, 1 << 12)]
    told: Counter[str] = Counter()
    for _ in range(count):
        state, depth = draw.choice(found), min(draw.randint(1, DEPTHS[name]), draw.randint(1, DEPTHS[name]))
        ends, store = draw.choice(stores)
        options = ends | draw.choice(HELPS) | EXACT_DEPTH | draw.choice((0, TIES))
        known = truth(rules, ends, state, depth, lists)
        multipv, nodes = draw.randint(1, len(known)), draw.choice((MANY, draw.randint(1, 6**depth)))
        root = look(rules, options, store, state, depth, multipv, nodes)
        assert store.counters[NODES] <= nodes + (depth + 1) * limits(rules).moves
        is_whole = root.counts[DONE] == len(known)
        assert is_whole or store.counters[STOP] == 1
        check(rules, options, root, state, depth, multipv, known, lists)
        told["whole" if is_whole else "stopped"] += 1
        told["nothing found"] += root.counts[DONE] == 0
    return told


def test_a_few_random_searches():
    assert min(fuzz("kalah:pits=2,seeds=2", 300).values()) > 0


@pytest.mark.heavy
@pytest.mark.parametrize("name", DEPTHS)
def test_a_million_random_searches(name):
    told = fuzz(name, SEARCHES)
    assert told["whole"] + told["stopped"] == SEARCHES
    assert min(told.values()) > 0


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["kalah:pits=2,seeds=2", "kalah:pits=1,seeds=3,end=either", "tiny_games:Nim"])
def test_without_exact_depth_searches_to_the_end_are_right(name):
    rules, found = states(name, 3000)
    draw, lists = random.Random(name), minimax.scratch(rules)
    stores = [(ends, memory(rules, buckets)) for ends in ENDS for buckets in (1, 8, 1 << 12)]
    for state in found:
        ends, store = draw.choice(stores)
        known = truth(rules, ends, state, minimax.MAX_DEPTH, lists)
        for helps in HELPS:
            depth, multipv = draw.randint(minimax.MAX_DEPTH - 9, minimax.MAX_DEPTH), draw.randint(1, len(known))
            root = look(rules, ends | helps, store, state, depth, multipv)
            check(rules, ends | helps, root, state, depth, multipv, known, lists)
