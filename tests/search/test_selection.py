"""Searches that leave moves out, or go on where it is not quiet, against a plain second version."""

from __future__ import annotations

from typing import Any

import pytest
from searched_games import states
from selective_minimax import Selective

import petteia
from petteia.core.decision import Limit
from petteia.core.errors import NotFoundError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import initial, legal
from petteia.features.evaluations import evaluation_for
from petteia.features.rankings import RANKINGS, ByValue, ranking_for
from petteia.games import game
from petteia.players import player
from petteia.search.alpha_beta import EXACT_DEPTH, ORDER, PVS
from petteia.search.ends import EARLY
from petteia.search.parts import Parts
from petteia.search.quiescence import UntilQuiet
from petteia.search.searcher import Searcher, points
from petteia.search.selection import WHOLE, BestGroups, BestMoves, kept

AMAZONS, KALAH, SQUARE = "amazons:width=4,height=5", "kalah:pits=3,seeds=2", "british-square:size=3"
OPTIONS = EARLY | EXACT_DEPTH | ORDER | PVS
MANY = 4000
"""positions of each kind in the heavy lane"""


def parts_of(plain: Selective) -> Parts:
    parts = Parts()
    share = round(plain.keep * WHOLE)
    if plain.keep < 1.0 and plain.stages == (0,):
        parts = parts._replace(selection=BestMoves(share, int(plain.only_root), plain.heavy, plain.ranking))
    elif plain.keep < 1.0:
        stages = (plain.stages[0], plain.stages[-1])
        parts = parts._replace(selection=BestGroups(share, int(plain.only_root), plain.heavy, plain.ranking, *stages))
    if plain.threshold is not None:
        parts = parts._replace(horizon=UntilQuiet(plain.threshold, plain.levels))
    return parts


def agree(plain: Selective, count: int, depth: int, seed: int = 0) -> int:
    """Compare values and selected moves in so many positions; return in how many moves were left out."""
    rules, evaluation = plain.rules, plain.evaluation
    searcher = Searcher(rules, evaluation, options=OPTIONS, megabytes=1, parts=parts_of(plain))
    left_out = 0
    for state in states(format_game(rules), count, seed)[1]:
        thought = searcher.search(state, Limit(depth=depth), multipv=999)
        if thought.depth < depth:
            continue
        found = {each.moves[0]: each.value for each in thought.variations}
        expected = {move: points(evaluation, rules, value) for move, value in plain.values(state, depth).items()}
        assert found == expected, (rules, state)
        left_out += len(found) < len(legal(rules, state))
        searcher.clear()
    return left_out


def selective(name: str, order: str = "value", **options: Any) -> Selective:
    rules = game(name)
    evaluation = evaluation_for(rules, "mobility" if name == AMAZONS else None)
    ranking, known = ranking_for(rules, order, evaluation)
    if known.stages:
        options["stages"] = tuple(range(known.stages[0], known.stages[1] + 1))
    return Selective(rules, evaluation, ranking=ranking, **options)


CASES = {
    "kalah, the best half by value": (selective(KALAH, keep=0.5), 3),
    "kalah, at the root": (selective(KALAH, keep=0.4, only_root=True), 3),
    "kalah, not quiet": (selective(KALAH, threshold=1, levels=3), 2),
    "kalah, both": (selective(KALAH, keep=0.6, threshold=0, levels=2), 2),
    "british square, by chance": (selective(SQUARE, "random", keep=0.3), 3),
    "amazons, by whole moves": (selective(AMAZONS, "neighbours", keep=0.1), 2),
    "amazons, by value in groups": (selective(AMAZONS, keep=0.2, stages=(2,)), 2),
    "amazons, groups by distance": (selective(AMAZONS, "queen_distance", keep=0.2, stages=(2,)), 2),
    "amazons, groups by mobility, not quiet": (
        selective(AMAZONS, "mobility", keep=0.15, stages=(2,), threshold=3, levels=2),
        1,
    ),
    "amazons, decision tree": (selective(AMAZONS, "decision_tree", keep=0.4), 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_the_plain_version(name: str) -> None:
    plain, depth = CASES[name]
    left_out = agree(plain, 40, depth)
    assert left_out > 10 or plain.keep == 1.0


@pytest.mark.heavy
@pytest.mark.parametrize("name", CASES)
def test_values_of_many_positions(name: str) -> None:
    plain, depth = CASES[name]
    agree(plain, MANY if plain.rules == game(KALAH) else MANY // 4, depth, seed=1)


def test_shares_are_rounded_up() -> None:
    assert [kept(WHOLE // 4, count) for count in (1, 3, 4, 5, 8, 9)] == [1, 1, 1, 2, 2, 3]
    assert kept(WHOLE // 10, 30) == 3
    assert kept(1, 5) == 1


def test_where_there_are_many_moves_they_are_kept_at_random() -> None:
    plain = selective(KALAH, keep=0.5)
    rules, evaluation = plain.rules, plain.evaluation
    chance = Parts(selection=BestMoves(WHOLE // 2, 0, 2, ByValue(evaluation)))
    searcher = Searcher(rules, evaluation, options=OPTIONS, parts=chance)
    thought = searcher.search(initial(rules), Limit(depth=1), multipv=99)
    assert len(thought.variations) == 2
    assert thought.nodes == 2, "moves kept at random are not looked at"


def test_ranked_moves_count_as_nodes() -> None:
    rules = game(KALAH)
    searcher = Searcher(rules, evaluation_for(rules), options=OPTIONS, parts=parts_of(selective(KALAH, keep=0.5)))
    assert searcher.search(initial(rules), Limit(depth=1)).nodes == 3 + 2


def test_selective_players_play() -> None:
    text = "search:nodes=300,evaluation=mobility,keep=0.5,order=queen_distance,group=2,table=none"
    found = petteia.match("amazons:width=4,height=5", text, "random", games=4)
    assert found.illegal == 0
    assert found.score > 0.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("keep=0", "keep=0: must be a number, more than 0 and at most 1"),
        ("keep=1.5", "keep=1.5: must be a number"),
        ("order=random", "needs keep="),
        ("at=root", "needs keep="),
        ("keep=0.5,order=nonsense", "there is no order 'nonsense'; choose from value, random"),
        ("keep=0.5,order=mobility", "order mobility: is for amazons, not for kalah"),
        ("keep=0.5,group=2", "kalah has no steps; use group=0"),
        ("threshold=3", "needs quiet=built"),
        ("quiet=built", "threshold is missing"),
        ("quiet=built,threshold=-1", "threshold=-1: must be"),
        ("quiet=built,threshold=1,repeat=0", "repeat=0: must be"),
        ("quiet=maybe", "quiet=maybe: must be one of no, built"),
    ],
)
def test_wrong_options(text: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        player(f"search:depth=2,{text}", game("kalah"))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_rankings_of_ones_own() -> None:
    rules = game("kalah")
    made = player("search:depth=3,keep=0.5,order=own_evaluations:LastFirst", rules)
    made.new_game(rules, 0)
    assert made.choose(initial(rules), Limit()).move in (3, 4, 5)
    with pytest.raises(NotFoundError, match="has no class 'Nothing'"):
        player("search:depth=3,keep=0.5,order=own_evaluations:Nothing", rules)


def test_every_ranking_says_what_it_goes_by() -> None:
    assert all(each.help for each in RANKINGS.values())
