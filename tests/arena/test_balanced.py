"""Balanced openings: as even as can be, the same for a seed, and different from each other."""

from __future__ import annotations

import pytest

import petteia
from petteia.arena.balanced import MAX_BALANCED, draw_balanced
from petteia.arena.match import match
from petteia.arena.openings import parse_openings
from petteia.core.protocol import initial, is_over, legal, play, to_move
from petteia.experiments.tournament.play import code_of_matches
from petteia.solver.oracle import Oracle

SMALL, LARGE, DICE = "kalah:pits=3,seeds=2", "kalah", "tiny_games:DiceRace"


def drawn(game: str, plies: int = 4, nodes: int = 300, seed: int = 1, count: int = 20):
    rules = petteia.game(game)
    return rules, draw_balanced(rules, initial(rules), plies, nodes, seed, count)


def after(rules, plies):
    """All positions after so many plies in which the game goes on."""
    states = {initial(rules)}
    for _ in range(plies):
        states = {
            play(rules, state, move) for state in states if not is_over(rules, state) for move in legal(rules, state)
        }
    return {state for state in states if not is_over(rules, state)}


def test_in_a_solved_game_openings_are_the_most_even_positions_there_are() -> None:
    rules, found = drawn(SMALL, plies=3)
    oracle = Oracle(rules)
    reachable = after(rules, 3)
    assert found.is_exact
    assert set(found.starts) <= reachable
    assert [oracle.value(state) for state in found.starts] == list(found.values)
    minimum = sorted(abs(oracle.value(state)) for state in reachable)
    different = dict.fromkeys(found.starts)
    assert sorted(abs(oracle.value(state)) for state in different) == minimum[: len(different)]
    assert any(abs(oracle.value(state)) > 0 for state in reachable)


def test_elsewhere_a_search_finds_even_positions() -> None:
    _, found = drawn(LARGE)
    assert not found.is_exact
    assert len(set(found.starts)) == len(found.starts) == 20
    assert max(map(abs, found.values)) <= 2
    assert "20 balanced openings, valued by a search of 300 nodes" in found.note(300)


def test_openings_are_those_of_their_seed_however_many_there_are() -> None:
    _, few = drawn(LARGE, count=5)
    _, more = drawn(LARGE, count=9)
    _, other = drawn(LARGE, count=5, seed=2)
    assert more.starts[:5] == few.starts
    assert other.starts != few.starts


def test_where_positions_are_few_they_are_used_again() -> None:
    rules, found = drawn("tiny_games:Nim:heaps=2", plies=1, count=40)
    assert len(found.starts) == 40
    assert set(found.starts) <= after(rules, 1)
    _, many = drawn("tiny_games:Nim:heaps=2", plies=1, count=10**6)
    assert len(many.starts) == MAX_BALANCED


def test_where_chance_moves_somebody_is_to_move_in_an_opening() -> None:
    rules, found = drawn(DICE, plies=2)
    assert all(to_move(rules, state) in (0, 1) for state in found.starts)


def test_a_match_begins_with_them() -> None:
    rules = petteia.game(SMALL)
    matches = [
        match(SMALL, "random", "simple", games=8, openings="balanced:3", moves=True, jobs=jobs) for jobs in (1, 2)
    ]
    assert matches[0] == matches[1]
    starts = [row.start for row in matches[0].rows]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 4
    assert any("4 balanced openings, valued exactly" in note for note in matches[0].notes)
    same = match(SMALL, "random", "greedy", games=8, openings="balanced:3", moves=True, seed=7, openings_seed=0)
    assert [row.start for row in same.rows] == starts
    assert all(abs(Oracle(rules).value(start)) == 0 for start in starts)


def test_forms() -> None:
    rules = petteia.game(SMALL)
    assert parse_openings("balanced", rules)[1:] == (6, 2000)
    assert parse_openings("balanced:4", rules)[1:] == (4, 2000)
    assert parse_openings("balanced:4,nodes=50", rules)[1:] == (4, 50)
    assert parse_openings("balanced,nodes=50", rules)[1:] == (6, 50)
    for text in ("balanced:", "balanced:0", "balanced:-1", "balanced:4,nodes=0", "balanced:4,node=1", "balanced:1001"):
        with pytest.raises(petteia.UsageError, match="must be balanced:PLIES or"):
            parse_openings(text, rules)


def test_a_tournament_depends_on_the_search_only_where_openings_do() -> None:
    for openings, depends in (("random:2", False), ("balanced:3", True)):
        found = petteia.tournament(SMALL, ["random", "simple"], games=4, openings=openings)
        assert ("petteia.search.alpha_beta.search_node" in code_of_matches(found.plan, [])) is depends
