"""Searches that leave moves out, or go on where it is not quiet, against a plain second version."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from searched_games import Noise, draw_state, states
from selective_minimax import Selective

import petteia
from petteia.core.decision import Limit
from petteia.core.errors import NotFoundError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import State, initial, legal
from petteia.features.evaluations import evaluation_for
from petteia.features.rankings import RANKINGS, ByValue, ranking_for
from petteia.games import game
from petteia.players import player
from petteia.players.search import SearchPlayer
from petteia.search.alpha_beta import EXACT_DEPTH, ORDER, PVS, TIES
from petteia.search.ends import EARLY
from petteia.search.parts import Parts
from petteia.search.quiescence import UntilQuiet
from petteia.search.searcher import Searcher, points
from petteia.search.selection import WHOLE, BestGroups, BestMoves, kept
from petteia.search.verification import Verification

AMAZONS, KALAH, SQUARE = "amazons:width=4,height=5", "kalah:pits=3,seeds=2", "british-square:size=3"
OPTIONS = EARLY | EXACT_DEPTH | ORDER | PVS
EVALUATION = {AMAZONS: "mobility", SQUARE: "open-squares"}
MANY = 10_000
"""positions of each game in the heavy lane, divided among its cases"""


def parts_of(plain: Selective) -> Parts:
    parts = Parts()
    share = round(plain.keep * WHOLE)
    if plain.keep < 1.0 and plain.stages == (0,):
        parts = parts._replace(selection=BestMoves(share, int(plain.only_root), plain.heavy, plain.ranking))
    elif plain.keep < 1.0:
        stages = (plain.stages[0], plain.stages[-1])
        parts = parts._replace(selection=BestGroups(share, int(plain.only_root), plain.heavy, plain.ranking, *stages))
    if plain.threshold is not None and not plain.repaired:
        parts = parts._replace(horizon=UntilQuiet(plain.threshold, plain.levels))
    return parts


def agree(plain: Selective, tried: Iterable[State], depth: int) -> int:
    """Compare values and selected moves in some positions; return in how many moves were left out."""
    rules, evaluation = plain.rules, plain.evaluation
    searcher = Searcher(rules, evaluation, options=OPTIONS, megabytes=1, parts=parts_of(plain))
    left_out = 0
    for state in tried:
        thought = searcher.search(state, Limit(depth=depth), multipv=999)
        found = {each.moves[0]: each.value for each in thought.variations}
        values = plain.values(state, thought.depth)
        assert found == {move: points(evaluation, rules, value) for move, value in values.items()}, (rules, state)
        left_out += len(found) < len(legal(rules, state))
        searcher.clear()
    return left_out


def some(plain: Selective, count: int) -> list[State]:
    """So many random positions."""
    return states(format_game(plain.rules), count)[1]


def different(plain: Selective, count: int, seed: str) -> list[State]:
    """So many random positions, no two of them alike."""
    rules, generator = plain.rules, random.Random(seed)
    found = dict[State, None]()
    while len(found) < count:
        found[draw_state(rules, generator)] = None
    return list(found)


def share_of_many(name: str, among: Iterable[str]) -> int:
    """How many positions of a game are tried in a case, so that all cases of this game have `MANY`."""
    return -(-MANY // sum(each.partition(",")[0] == name.partition(",")[0] for each in among))


def selective(name: str, order: str = "value", **options: Any) -> Selective:
    rules = game(name)
    evaluation = evaluation_for(rules, EVALUATION.get(name))
    ranking, known = ranking_for(rules, order, evaluation)
    if known.stages:
        options["stages"] = tuple(range(known.stages[0], known.stages[1] + 1))
    return Selective(rules, evaluation, ranking=ranking, **options)


def cases(kalah: str, square: str, amazons: str) -> dict[str, tuple[Selective, int]]:
    """What is compared in three games, and how many plies ahead."""
    return {
        "kalah, the best half by value": (selective(kalah, keep=0.5), 3),
        "kalah, at the root": (selective(kalah, keep=0.4, only_root=True), 3),
        "kalah, not quiet": (selective(kalah, threshold=1, levels=3), 2),
        "kalah, both": (selective(kalah, keep=0.6, threshold=0, levels=2), 2),
        "british square, by chance": (selective(square, "random", keep=0.3), 3),
        "british square, not quiet": (selective(square, threshold=1, levels=2), 1),
        "british square, both": (selective(square, keep=0.5, threshold=0, levels=2), 2),
        "amazons, by whole moves": (selective(amazons, "neighbours", keep=0.1), 2),
        "amazons, by value in groups": (selective(amazons, keep=0.2, stages=(2,)), 2),
        "amazons, groups by distance": (selective(amazons, "queen_distance", keep=0.2, stages=(2,)), 2),
        "amazons, groups by mobility, not quiet": (
            selective(amazons, "mobility", keep=0.15, stages=(2,), threshold=3, levels=2),
            1,
        ),
        "amazons, decision tree": (selective(amazons, "decision_tree", keep=0.4), 2),
    }


CASES = cases(KALAH, SQUARE, AMAZONS)


def agree_on_the_choice(plain: Selective, tried: Sequence[State], depth: int) -> int:
    """Compare chosen moves that are verified, and further lines; return how often that changed the choice."""
    rules, evaluation = plain.rules, plain.evaluation
    verification = Verification(plain.threshold or 0, plain.levels)
    changed = 0
    for ties in (0, TIES):
        options = OPTIONS | ties
        searcher = Searcher(rules, evaluation, options=options, parts=parts_of(plain), verification=verification)
        for number, state in enumerate(tried):
            thought = searcher.search(state, Limit(depth=depth), multipv=1 + number % 3, random=[number])
            lines = [(each.moves[0], each.value) for each in thought.variations]
            expected = {
                (move, points(evaluation, rules, value)) for move, value in plain.verified(state, thought.depth)
            }
            assert lines[0] in expected, (rules, state)
            values = plain.values(state, thought.depth)
            for move, value in lines[1:]:
                known = {values[move], plain.deeper(state, move, thought.depth, values[move])}
                assert value in {points(evaluation, rules, each) for each in known}
            changed += lines[0][0] not in plain.best(state, values)
            searcher.clear()
    return changed


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("kalah")])
def test_values_of_a_small_game_are_those_of_the_plain_version(name: str) -> None:
    plain, depth = CASES[name]
    left_out = agree(plain, some(plain, 20), depth)
    assert left_out > 5 or plain.keep == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_the_plain_version(name: str) -> None:
    plain, depth = CASES[name]
    left_out = agree(plain, some(plain, 40), depth)
    assert left_out > 10 or plain.keep == 1.0


def verified_cases(kalah: str, square: str, amazons: str) -> dict[str, tuple[Selective, int]]:
    """The verified choices that are compared in three games, and how many plies ahead."""
    return {
        "kalah": (selective(kalah, threshold=0, levels=1, repaired=True), 2),
        "kalah, until it settles": (selective(kalah, threshold=0, levels=3, repaired=True), 1),
        "kalah, the best half": (selective(kalah, keep=0.5, threshold=0, levels=2, repaired=True), 2),
        "british square": (selective(square, threshold=1, levels=2, repaired=True)._replace(evaluation=Noise()), 1),
        "amazons, the best groups": (
            selective(amazons, "queen_distance", keep=0.2, stages=(2,), threshold=4, levels=1, repaired=True),
            1,
        ),
    }


VERIFIED = verified_cases(KALAH, SQUARE, AMAZONS)


@pytest.mark.parametrize("name", [name for name in VERIFIED if name.startswith("kalah")])
def test_chosen_moves_that_are_verified_are_those_of_the_plain_version(name: str) -> None:
    plain, depth = VERIFIED[name]
    assert agree_on_the_choice(plain, some(plain, 100), depth) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", VERIFIED)
def test_verified_moves_are_those_of_the_plain_version(name: str) -> None:
    plain, depth = VERIFIED[name]
    assert agree_on_the_choice(plain, some(plain, 40), depth) > 0


# Many positions. The games are larger, so that there are as many.

LARGER = ("kalah:pits=4,seeds=3", "british-square:size=4", AMAZONS)
CASES_OF_MANY, VERIFIED_OF_MANY = cases(*LARGER), verified_cases(*LARGER)


@pytest.mark.heavy
@pytest.mark.parametrize("name", CASES_OF_MANY)
def test_values_of_many_positions(name: str) -> None:
    plain, depth = CASES_OF_MANY[name]
    positions = different(plain, share_of_many(name, CASES_OF_MANY), name)
    left_out = agree(plain, positions, depth)
    print(f"{name}: {len(positions)} different positions agree; moves were left out in {left_out}")
    assert left_out > len(positions) // 4 or plain.keep == 1.0


@pytest.mark.heavy
@pytest.mark.parametrize("name", VERIFIED_OF_MANY)
def test_verified_moves_of_many_positions(name: str) -> None:
    plain, depth = VERIFIED_OF_MANY[name]
    positions = different(plain, share_of_many(name, VERIFIED_OF_MANY), name)
    changed = agree_on_the_choice(plain, positions, depth)
    print(f"{name}: {len(positions)} different positions agree; verification changed {changed} choices")
    assert changed > 0


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
        ("keep=1.5", "keep=1.5: must be a number, more than 0 and at most 1"),
        ("keep=nan", "keep=nan: must be a number, more than 0 and at most 1"),
        ("order=random", "works only with keep"),
        ("at=root", "works only with keep"),
        ("keep=0.5,order=nonsense", "there is no order 'nonsense'; choose from value, random"),
        ("keep=0.5,order=mobility", "order mobility: made for amazons, not for kalah"),
        ("keep=0.5,group=2", "moves in kalah do not consist of steps; use group=0"),
        ("threshold=3", "works only with quiet=built or quiet=repaired"),
        ("threshold=q75", "works only with quiet=built or quiet=repaired"),
        ("quiet=built,threshold=q80", "threshold=q80: must be a whole number, or one of q50, q75, q90"),
        ("quiet=built", "threshold is missing"),
        ("quiet=repaired", "threshold is missing"),
        ("quiet=built,threshold=-1", "threshold=-1: must be"),
        ("quiet=built,threshold=1,repeat=0", "repeat=0: must be"),
        ("quiet=maybe", "quiet=maybe: must be one of no, built, repaired"),
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


def test_verified_moves_count_as_nodes_and_limits_hold() -> None:
    rules = game("kalah")
    plain = Searcher(rules, evaluation_for(rules), options=OPTIONS, megabytes=1)
    verified = Searcher(
        rules, evaluation_for(rules), options=OPTIONS, megabytes=1, verification=Verification(0, levels=2)
    )
    for state in states("kalah", 10)[1]:
        found = [searcher.search(state, Limit(depth=4)) for searcher in (plain, verified)]
        assert found[0].nodes <= found[1].nodes
        for maximum in (1, 10, 100, 1000):
            stopped = verified.search(state, Limit(nodes=maximum))
            assert stopped.nodes <= maximum + 2 * 6
            assert stopped.variations[0].moves[0] in legal(rules, state)
        plain.clear()
        verified.clear()


def test_a_verified_choice_among_some_moves_is_never_final() -> None:
    rules = game("kalah:pits=2,seeds=2")
    made = player("search:depth=30,keep=0.5,quiet=repaired,threshold=0", rules)
    assert isinstance(made, SearchPlayer)
    thought = made.analyse(initial(rules), Limit())
    assert not thought.is_final
    assert not any(each.is_won for each in thought.variations)


@pytest.mark.parametrize("quiet", ["built", "repaired"])
def test_players_with_quiescence_play(quiet: str) -> None:
    text = f"search:nodes=300,evaluation=mobility,quiet={quiet},threshold=3,repeat=2,table=none"
    found = petteia.match("amazons:width=4,height=5", text, "random", games=4)
    assert found.illegal == 0
    assert found.score > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("quiet", ["built", "repaired"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kalah:pits=3,seeds=2", "evaluation=searched_games:lead,keep=0.5,order=own_evaluations:LastFirst"),
        ("own_evaluations:Coins", "keep=0.5,order=own_evaluations:LastFirst"),
        ("tiny_games:DiceRace", "keep=0.5"),
        ("amazons:width=4,height=5,rabbits=1", "evaluation=mobility,keep=0.5"),
    ],
)
def test_games_rankings_and_evaluations_of_ones_own(name: str, options: str, quiet: str) -> None:
    """Of several modules, and where chance moves."""
    text = f"search:nodes=400,table=1,{options},quiet={quiet},threshold=1,repeat=2"
    found = petteia.match(name, text, "random", games=4)
    assert (found.games, found.illegal) == (4, 0)
