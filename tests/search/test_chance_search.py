"""Search of games with chance, held against plain expectiminimax and exact values."""

from __future__ import annotations

import functools
import random
from fractions import Fraction
from typing import Any

import expectiminimax
import numpy as np
import pytest
from generated_games import ANY, NONE, SURE, Drawn, exact_values
from pig import Pig
from searched_games import Guess
from solved_games import all_states
from tiny_games import DiceRace

from petteia.core.decision import Limit
from petteia.core.kernel import kernel
from petteia.core.pointer import pointer_to
from petteia.core.protocol import CHANCE, initial, is_over, legal, limits, play, to_move
from petteia.search.alpha_beta import ETC, EXACT_DEPTH, ORDER, PVS, TIES, search_node
from petteia.search.chance import STAR1, STAR2
from petteia.search.ends import BY_MARGIN, BY_RESULT, BY_VALUE, FINEST, INFINITE
from petteia.search.memory import BUCKET, DONE, GUESSES, LISTED, MAX_NODES, NO_MOVE, memory_for, root_for
from petteia.search.parts import STANDARD_PARTS, Search
from petteia.search.root import search_root
from petteia.search.searcher import Searcher
from petteia.solver.tablebase import build, find

MANY = 1 << 62
STAR = STAR1 | STAR2
HELPS = (0, ORDER, ORDER | PVS, ETC, STAR1, STAR, ORDER | PVS | STAR1, ORDER | PVS | ETC | STAR)
"""what only saves time"""
BUCKETS = (0, 2, 1 << 10)
"""of tables: none, one in which entries are replaced all the time, and one that holds much"""
GAMES: dict[Any, int] = {
    DiceRace(goal=9, faces=4): 7,
    DiceRace(goal=20, faces=6): 5,
    Pig(goal=12): 6,
    Drawn(seed=1): 9,
    Drawn(seed=2, cycles=SURE, prizes=50): 8,
    Drawn(seed=3, cycles=ANY): 7,
}
"""and how deep they are searched"""


def each_game() -> list[Any]:
    """The games; those with dice, which are compiled by themselves, with the slow tests."""
    return [rules if isinstance(rules, Drawn) else pytest.param(rules, marks=pytest.mark.slow) for rules in GAMES]


def positions(rules: Any, count: int, seed: int = 0) -> list[Any]:
    """Up to so many positions of random games in which a player moves."""
    draw = random.Random(f"{rules} {seed}")
    found: list[Any] = []
    for _ in range(count):
        state, met = initial(rules), []
        while not is_over(rules, state) and len(met) < 100:
            if to_move(rules, state) != CHANCE:
                met.append(state)
            state = play(rules, state, draw.choice(legal(rules, state)))
        found += draw.sample(met, min(3, len(met)))
    return found[:count]


def hold(rules: Any, evaluation: Any, ends: int, max_depth: int, count: int, seed: int = 0) -> None:
    """Search positions with all options, and tables that know what earlier searches found."""
    draw = random.Random(seed)
    stores = [
        memory_for(rules, expectiminimax.MAX_DEPTH)._replace(slots=np.zeros(BUCKET * buckets, np.int64))
        for buckets in BUCKETS
    ]
    for number, state in enumerate(positions(rules, count, seed)):
        depth = 1 + number % max_depth
        sign = 1 - 2 * to_move(rules, state)
        known = {
            move: sign * worth for move, worth in expectiminimax.values(rules, evaluation, ends, state, depth).items()
        }
        for helps in HELPS:
            for store in stores:
                multipv = draw.randint(1, len(known))
                root = root_for(rules, expectiminimax.MAX_DEPTH)
                store.counters[:] = 0
                store.counters[MAX_NODES] = MANY
                root.moves[: len(known)] = list(known)
                root.counts[LISTED] = len(known)
                options = ends | helps | EXACT_DEPTH | draw.choice((0, TIES))
                search_root(Search(rules, evaluation, STANDARD_PARTS, options, store), state, depth, multipv, root)
                assert root.counts[DONE] == len(known)
                found = {
                    move: worth
                    for move, worth, exact in zip(known, root.values.tolist(), root.exact, strict=False)
                    if exact or worth < known[move]
                }
                assert found == {move: known[move] for move in found}, (state, depth, helps, len(store.slots))
                best = sorted(known.values(), reverse=True)[:multipv]
                assert sorted(found.values(), reverse=True)[:multipv] == best
                check_lines(rules, state, root, depth)


def check_lines(rules: Any, state: Any, root: Any, depth: int) -> None:
    """Lines are legal, no longer than was searched, and end where chance moves."""
    for place in range(int(root.counts[DONE])):
        if root.exact[place]:
            line = root.pvs[place].tolist()
            after = state
            moves = (int(root.moves[place]), *line[: line.index(NO_MOVE)])
            assert len(moves) <= depth
            for move in moves:
                assert to_move(rules, after) != CHANCE
                after = play(rules, after, move)


@pytest.mark.parametrize("largest", [0, 50], ids=["no bound", "bound"])
@pytest.mark.parametrize("rules", each_game(), ids=str)
def test_no_option_and_no_table_changes_a_value(rules: Any, largest: int) -> None:
    hold(rules, Guess(3, 1, largest), BY_MARGIN, GAMES[rules], 2 * GAMES[rules])


@pytest.mark.parametrize("ends", [BY_RESULT, BY_VALUE], ids=["result", "value"])
@pytest.mark.parametrize("units", [7, 4096, 1 << 16])
def test_ends_and_units_of_any_kind(ends: int, units: int) -> None:
    for rules in (Drawn(seed=4, prizes=9), Drawn(seed=6, cycles=ANY)):
        hold(rules, Guess(20 * units, units, 20 * units), ends, 5, 5)


def test_what_lies_beyond_the_bound_counts_as_the_bound() -> None:
    hold(Drawn(seed=5, prizes=100), Guess(90, 1, 10), BY_MARGIN, 7, 14)


def test_what_a_table_knows_of_successors_is_seen_from_the_right_side() -> None:
    """Deeper and deeper, so that the table knows the successors; some of these are casts."""
    for seed in range(60):
        rules, evaluation = Drawn(seed=seed, cycles=seed % 3), Guess(3, 1, 3 * (seed % 2))
        options = BY_MARGIN | ORDER | PVS | ETC | EXACT_DEPTH | (STAR if seed % 4 > 1 else 0)
        searcher = Searcher(rules, evaluation, options=options, megabytes=1)
        for state in positions(rules, 3, seed):
            told: list[Any] = []
            searcher.search(state, Limit(depth=6), progress=told.append)
            for thought in told:
                known = expectiminimax.values(rules, evaluation, BY_MARGIN, state, thought.depth).values()
                best = max(known) if to_move(rules, state) == 0 else min(known)
                assert thought.variations[0].value == best / 4096


@pytest.mark.heavy
@pytest.mark.parametrize("cycles", [NONE, SURE, ANY])
def test_a_thousand_drawn_games(cycles: int) -> None:
    for seed in range(334):
        hold(Drawn(seed=seed, cycles=cycles), Guess(3, 1, 3 * (seed % 2)), BY_MARGIN, 9, 9, seed)


@kernel
def search_from(rules, evaluation, options, store, state, depth):
    """What a search says of any state that is not over, one of chance as well: the value for its mover, or player 0."""
    search = pointer_to(Search(rules, evaluation, STANDARD_PARTS, options, store))
    zero = 0 * depth
    return search_node(search, store.chance, state, depth, zero, zero - INFINITE, zero + INFINITE, zero)


def max_casts(rules: Any) -> dict[Any, int]:
    """How often chance moves at most from each position of a finite game to its end."""

    @functools.cache
    def casts(state: Any) -> int:
        return max((is_cast(rules, state) + casts(play(rules, state, move)) for move in legal(rules, state)), default=0)

    return {state: casts(state) for state in all_states(rules)}


def is_cast(rules: Any, state: Any) -> bool:
    return not is_over(rules, state) and to_move(rules, state) == CHANCE


def near_exact_values(rules: Any, values: dict[Any, Fraction]) -> bool:
    """Whether values of a finite game err at all; by half a unit for each cast at most, as each rounds a mean to units.

    A mean half way between two units may come to lie on the other side of it, as sums of floats do.
    """
    exact, casts = exact_values(rules), max_casts(rules)
    for state, value in values.items():
        assert abs(value - exact[state]) <= Fraction(casts[state], 2 * FINEST) + Fraction(1, 10**12), (rules, state)
    return any(value != exact[state] for state, value in values.items())


def values_of_moves(rules: Any) -> dict[Any, Fraction]:
    """What a search to the end says of all positions that a player can move to."""
    searcher = Searcher(rules, Guess(3, 1, 5), megabytes=1)
    found: dict[Any, Fraction] = {}
    for state in all_states(rules):
        if not is_over(rules, state) and to_move(rules, state) != CHANCE:
            thought = searcher.search(state, Limit(depth=limits(rules).plies), multipv=limits(rules).moves)
            assert thought.is_final
            found |= {play(rules, state, move): Fraction(value) for move, value in thought.values.items()}
    return found


@pytest.mark.heavy
def test_solver_search_and_fractions_agree_in_every_position_of_a_thousand_games() -> None:
    errs = 0
    for seed in range(1000):
        rules, evaluation = Drawn(seed, 8 + seed % 50), Guess(3, 1, 3 * (seed // 8 % 2))
        exact, table = exact_values(rules), build(rules)
        depth, options = limits(rules).plies, BY_MARGIN | EXACT_DEPTH | HELPS[seed % len(HELPS)]
        store = memory_for(rules, depth)._replace(slots=np.zeros(BUCKET * BUCKETS[seed % len(BUCKETS)], np.int64))
        store.counters[MAX_NODES] = MANY
        values: dict[Any, Fraction] = {}
        for state, value in exact.items():
            assert abs(float(table.values[find(rules, table, state)] - value)) < 1e-11, (rules, state)
            if not is_over(rules, state):
                sign = 1 if is_cast(rules, state) or to_move(rules, state) == 0 else -1
                found = search_from(rules, evaluation, options, store, state, depth)
                values[state] = Fraction(sign * int(found), FINEST)
        assert store.counters[GUESSES] == 0
        errs += near_exact_values(rules, values)
        near_exact_values(rules, values_of_moves(rules))
    assert errs > 500


@pytest.mark.slow
def test_a_search_to_the_end_of_a_race_finds_exact_values() -> None:
    rules = DiceRace(goal=5)
    values = values_of_moves(rules)
    assert values
    near_exact_values(rules, values)


def test_a_search_to_the_end_finds_exact_values() -> None:
    assert sum(near_exact_values(rules, values_of_moves(rules)) for rules in map(Drawn, range(8))) > 0


@pytest.mark.slow
def test_star_leaves_out_more_than_half() -> None:
    """Of the nodes of the plain form, at a depth of five plies of a game of dice."""
    rules, evaluation = DiceRace(goal=30, faces=6), Guess(30, 1, 30)

    def plain(state: Any, depth: int) -> int:
        if depth == 0 or is_over(rules, state):
            return 1
        return 1 + sum(plain(play(rules, state, move), depth - 1) for move in legal(rules, state))

    found = positions(rules, 40)
    visited = {}
    for star in (STAR1, STAR):
        searcher = Searcher(rules, evaluation, options=BY_MARGIN | ORDER | PVS | EXACT_DEPTH | star, megabytes=1)
        visited[star] = 0
        for state in found:
            searcher.clear()
            nodes: list[int] = [0]
            searcher.search(state, Limit(depth=5), progress=lambda thought, nodes=nodes: nodes.append(thought.nodes))
            visited[star] += nodes[-1] - nodes[-2]
    assert visited[STAR] < 0.5 * sum(plain(state, 5) - 1 for state in found)
    assert visited[STAR] < visited[STAR1]


def test_positions_end_where_no_player_ever_moves() -> None:
    assert positions(Drawn(seed=19), 9) == []
