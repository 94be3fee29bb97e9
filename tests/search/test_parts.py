"""Parts of a search as a user writes them: a horizon that looks on, a selection that leaves moves out, an order."""

from __future__ import annotations

from typing import Any

import pytest
from own_search_parts import Backwards, FirstMoves, OnePlyOn
from searched_games import Noise, states

from petteia.core.decision import Limit
from petteia.core.protocol import is_over, legal, parse_state, play
from petteia.games import game
from petteia.policies.policy import tells_probabilities
from petteia.policies.search_policy import search_policy
from petteia.search.alpha_beta import EXACT_DEPTH, ORDER, PVS, STANDARD
from petteia.search.ends import DECIDED, EARLY, guessed_worth
from petteia.search.parts import Parts
from petteia.search.searcher import Searcher, points

NOISE = Noise()
PLAIN, WHOLE = EARLY | EXACT_DEPTH, EARLY | EXACT_DEPTH | ORDER | PVS
GAMES = ("kalah:pits=3,seeds=2", "hare-and-hounds", "british-square:size=3")
WON = "1,0,0,0,0,0,24/1,1,1,1,1,1,17 s"
"""South wins at once, whatever else is looked at"""


def found(name: str, state: Any, depth: int, options: int = PLAIN, **parts: Any) -> Any:
    searcher = Searcher(game(name), NOISE, options=options, megabytes=1, parts=Parts(**parts))
    return searcher.search(state, Limit(depth=depth), multipv=99)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_horizon_that_looks_on_finds_what_a_deeper_search_finds(name: str) -> None:
    _, tried = states(name, 6)
    for state in tried:
        for options in (PLAIN, WHOLE):
            for depth in (1, 2, 3):
                on, deeper = found(name, state, depth, options, horizon=OnePlyOn()), found(name, state, depth + 1)
                if deeper.depth == depth + 1:
                    assert on.values == deeper.values, state


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_selection_of_one_move_follows_it(name: str) -> None:
    """With one move at each node there is one line: the first moves, and the evaluation at its end."""
    rules, tried = states(name, 8)
    for state in tried:
        thought = found(name, state, 3, selection=FirstMoves(1))
        line, place = [], state
        while len(line) < 3 and not is_over(rules, place):
            line.append(legal(rules, place)[0])
            place = play(rules, place, line[-1])
        (only,) = thought.variations
        assert list(only.moves) == line
        if not is_over(rules, place):
            assert only.value == points(NOISE, rules, guessed_worth(NOISE, rules, place))
        assert not thought.is_final
        assert not only.is_won
        assert thought.values == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_selection_of_all_moves_changes_nothing_but_what_is_certain(name: str) -> None:
    _, tried = states(name, 6)
    for state in tried:
        whole, selected = (found(name, state, 3, WHOLE, selection=each) for each in (Parts().selection, FirstMoves(99)))
        if whole.depth == 3 and not whole.is_final:
            assert selected.nodes == whole.nodes
            assert [each[:2] for each in selected.variations] == [each[:2] for each in whole.variations]
            assert selected.values == {} != whole.values


def test_with_moves_left_out_no_win_is_certain_and_no_search_final() -> None:
    rules = game("kalah")
    state = parse_state(rules, WON)
    for parts, is_known in ((Parts(), True), (Parts(selection=FirstMoves(1)), False)):
        searcher = Searcher(rules, NOISE, options=STANDARD | EARLY | DECIDED, megabytes=1, parts=parts)
        thought = searcher.search(state, Limit(depth=3))
        assert (thought.is_final, thought.variations[0].is_won) == (is_known, is_known)
        policy = search_policy(rules, NOISE, depth=2, options=PLAIN, parts=parts)
        assert tells_probabilities(policy) == is_known


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_order_of_moves_does_not_change_values(name: str) -> None:
    _, tried = states(name, 8)
    nodes = [0, 0]
    for state in tried:
        thoughts = [found(name, state, 4, WHOLE), found(name, state, 4, WHOLE, order=Backwards())]
        assert thoughts[0].values == thoughts[1].values
        nodes = [total + each.nodes for total, each in zip(nodes, thoughts, strict=True)]
    assert nodes[0] != nodes[1], "another order cuts off elsewhere"
