"""The evaluations and features of the Game of the Amazons against distances found square by square."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from amazons_oracle import Board, Place

import petteia
from petteia.core.kernel import runs_plain
from petteia.core.protocol import format_state, initial, is_over, parse_state, play, random_move, swapped
from petteia.core.random import stream
from petteia.experiments.options import EvaluationGames
from petteia.features.amazons_terms import FARTHEST, STAGES, stage, terms_of
from petteia.features.evaluation import bound, evaluate, unit
from petteia.features.evaluations import EVALUATIONS, evaluation_for
from petteia.features.feature_set import features, names
from petteia.features.feature_sets import feature_set_for
from petteia.games import Amazons, game
from petteia.learn.learners import LinearLearner

NAMES = ("mix", "mobility", "queen-distance", "king-distance")


def distances(board: Board, place: Place, side: str, *, king: bool) -> dict[str, float]:
    """How many moves the nearest amazon of a side takes to each free square."""
    contents = dict(place.contents)
    found: dict[str, float] = {}
    at = [name for name, sign in place.contents if sign == side]
    for distance in itertools.count(1):
        if not at:
            break
        reached = set()
        for name in at:
            near = (
                [each for each in board.beside(name) if each not in contents] if king else board.queen(contents, name)
            )
            reached |= {each for each in near if each not in found}
        found |= dict.fromkeys(reached, distance)
        at = sorted(reached)
    return {name: found.get(name, math.inf) for name in board.squares if name not in contents}


def positions(width: int, height: int, games: int) -> list[tuple[Board, Place]]:
    """The positions of random games."""
    rules, board = game(f"amazons:width={width},height={height}"), Board(width, height)
    found = []
    for seed in range(games):
        draw, state = [stream(seed, 0)], initial(rules)
        while not is_over(rules, state):
            found.append((board, board.read(format_state(rules, state))))
            state = play(rules, state, random_move(rules, state, draw))
    return found


@pytest.mark.parametrize(("width", "height", "every"), [(10, 10, 12), (6, 6, 5), (5, 4, 2), (4, 7, 3)])
def test_terms_are_those_of_distances_found_square_by_square(width: int, height: int, every: int) -> None:
    rules = game(f"amazons:width={width},height={height}")
    for board, place in positions(width, height, 2)[::every]:
        state = parse_state(rules, board.text(place))
        queen, king = ([distances(board, place, side, king=king) for side in "wb"] for king in (False, True))
        nearer = [sum(np.sign(other[name] - mine[name]) for name in mine if mine[name] != other[name])
                  for mine, other in (queen, king)]  # fmt: skip
        even = sum(queen[0][name] == queen[1][name] < math.inf for name in queen[0])
        capped = [{name: min(each, FARTHEST + 1) for name, each in side.items()} for side in king]
        mobility = 0.0
        for name, sign in place.contents:
            if sign != "x":
                moves = len(board.queen(dict(place.contents), name))
                mobility += (1 if sign == "w" else -1) * moves / (moves + 8)
        terms = terms_of(rules, state)
        assert terms.queen == nearer[0], board.text(place)
        assert terms.king == nearer[1], board.text(place)
        assert terms.tempo == even * (1 if place.side == "w" else -1)
        nearness = sum(2.0 ** (1 - queen[0][name]) - 2.0 ** (1 - queen[1][name]) for name in queen[0])
        assert terms.queen_nearness == pytest.approx(nearness)
        assert terms.king_nearness == pytest.approx(sum(capped[1][name] - capped[0][name] for name in capped[0]) / 6)
        assert terms.mobility == pytest.approx(mobility)
        assert evaluate(evaluation_for(rules, "queen-distance"), rules, state) == nearer[0]
        assert evaluate(evaluation_for(rules, "king-distance"), rules, state) == nearer[1]


def test_evaluations_are_those_of_the_other_player_with_colours_exchanged() -> None:
    rules = game("amazons:width=6,height=6")
    for board, place in positions(6, 6, 2)[::4]:
        state = parse_state(rules, board.text(place))
        for name in NAMES:
            value = evaluation_for(rules, name)
            assert evaluate(value, rules, state) == -evaluate(value, rules, swapped(rules, state)), name
            assert abs(evaluate(value, rules, state)) <= bound(value, rules)
            assert unit(value) <= bound(value, rules)


def test_the_start_is_even_but_for_who_moves() -> None:
    rules = Amazons()
    terms = terms_of(rules, initial(rules))
    assert terms[:5] == (0.0, 0.0, 0.0, 0.0, 0.0)
    assert terms.tempo > 0


def test_stages_go_from_first_to_last() -> None:
    rules = game("amazons:width=6,height=6")
    seen = [stage(rules, parse_state(rules, board.text(place))) for board, place in positions(6, 6, 1)]
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert max(seen) < STAGES


def test_features_are_scaled_and_named() -> None:
    rules = game("amazons:width=6,height=6")
    chosen = feature_set_for(rules, "distances*stages")
    assert len(names(chosen, rules)) == 6 * STAGES
    assert names(chosen, rules)[0] == "stage1.distances.queen"
    for board, place in positions(6, 6, 1)[::5]:
        index, value = np.zeros(36, np.int64), np.zeros(36)
        count = features(chosen, rules, parse_state(rules, board.text(place)), index, value)
        assert count == 6
        assert np.abs(np.delete(value[:6], 4)).max() <= 1.0


def test_its_evaluations_are_known_and_the_mix_is_its_own() -> None:
    assert {name for name, known in EVALUATIONS.items() if known.game is Amazons} == set(NAMES)
    assert evaluation_for(Amazons()) == EVALUATIONS["mix"].value


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="plays games")
def test_the_mix_beats_mobility_at_the_same_depth() -> None:
    players = ("greedy:depth=1,evaluation=mix", "greedy:depth=1,evaluation=mobility")
    result = petteia.match("amazons:width=8,height=8", *players, games=40, seed=1)
    assert result.low > 0.5


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="learns from many games")
def test_its_weights_are_learned(tmp_path: Path) -> None:
    learner = LinearLearner("distances*stages", "monte-carlo", epsilon="0.1")
    games = {"games": 300, "evaluation": EvaluationGames(every=300, games=2)}
    training = petteia.train("amazons:width=5,height=5", learner=learner, **games, seed=1, runs=tmp_path)
    assert petteia.match("amazons:width=5,height=5", training, "random", games=100, seed=1).low > 0.75
