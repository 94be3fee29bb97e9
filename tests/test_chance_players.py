"""Games with chance as players and commands search them: their evaluations, matches, what is learned, what is shown."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flat_options import train
from pig import Pig
from test_chance_search import Guess
from tiny_games import DiceRace

import petteia
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.protocol import CHANCE, initial
from petteia.features.check import check_evaluation
from petteia.features.evaluations import evaluation_for
from petteia.search.searcher import check_choice


class Crooked(Pig):
    """Pig whose die is not fair late in a game: the faces are more than certain, or nothing that can be told."""

    def chances(rules, state: Any, moves: Any, probabilities: Any) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = (2.0 if state.first > 95 else 1.0) / rules.faces
            if state.second > 95:
                probabilities[face - 1] = math.nan
        return rules.faces


@pytest.mark.slow
@pytest.mark.parametrize("position", ["96,0,0 first", "0,96,0 first"])
def test_probabilities_that_are_none_are_told(position: str) -> None:
    game = "test_chance_players:Crooked:goal=100"
    assert petteia.best(game, position="0,0,0 first", depth=4).value == 0.0
    with pytest.raises(PetteiaError, match="chances lists probabilities that do not add up to 1"):
        petteia.best(game, position=position, depth=4)


class PigLead(NamedTuple):
    """What is held, with what is rolled, in parts of the goal."""

    said: int = 1000

    def evaluate(evaluation, rules: Any, state: Any) -> int:
        rolled = state.rolled if state.side == 0 else -state.rolled
        return min(max(1000 * (state.first - state.second + rolled) // rules.goal, -1000), 1000)

    def unit(evaluation) -> int:
        return 1000

    def bound(evaluation, rules: Any) -> int:
        return evaluation.said


class PigFeatures(NamedTuple):
    """What is held and rolled, in parts of the goal, and who moves."""

    def names(feature_set, rules: Any) -> tuple[str, ...]:
        return ("lead", "rolled", "turn", "cast")

    def size(feature_set, rules: Any) -> int:
        return 4

    def features(feature_set, rules: Any, state: Any, index: Any, value: Any) -> int:
        sign = 1.0 - 2.0 * state.side
        for i in range(4):
            index[i] = i
        value[0] = (state.first - state.second) / rules.goal
        value[1] = sign * state.rolled / rules.goal
        value[2] = sign
        value[3] = sign * state.rolling
        return 4


@pytest.mark.parametrize(
    ("evaluation", "failed"),
    [
        (PigLead(), None),
        (PigLead(said=999), "beyond the bound 999"),
        (PigLead(said=-1), "bound returned -1; must be in 0..2^63-1"),
        (Guess(3), None),
    ],
    ids=str,
)
def test_the_bound_is_checked(evaluation: Any, failed: str | None) -> None:
    results = list(check_evaluation(Pig(goal=12), evaluation, games=60))
    messages = [each.message for each in results if not each.passed]
    assert messages == [] if failed is None else (failed in messages[0])


class Sizes(NamedTuple):
    """An evaluation that says it has these units and this bound."""

    units: Any = 1
    largest: Any = 0

    def evaluate(evaluation, rules: Any, state: Any) -> int:
        return 0

    def unit(evaluation) -> int:
        return evaluation.units

    def bound(evaluation, rules: Any) -> int:
        return evaluation.largest or 1 // 0


@pytest.mark.parametrize(
    ("evaluation", "wrong"),
    [
        (Sizes(0, 1), r"unit returned 0; must be in 1\.\."),
        (Sizes(1, -1), r"bound returned -1; must be in 0\.\."),
        (Sizes(1, 2.0), "bound returned 2.0, of type float; must be an int"),
        (Sizes(1, 0), r"bound \(test_chance_players.py, line \d+\) raised ZeroDivisionError"),
    ],
    ids=str,
)
def test_a_wrong_unit_or_bound_is_said_before_the_search(evaluation: Any, wrong: str) -> None:
    with pytest.raises(UsageError, match=f"evaluation Sizes: .*{wrong}"):
        evaluation_for(Pig(goal=12), evaluation)


@pytest.mark.slow
def test_compiled_and_python_play_the_same_games() -> None:
    game, players = (
        "pig:Pig:goal=12",
        [f"greedy:depth={depth},evaluation=test_chance_players:PigLead" for depth in (2, 3)],
    )
    compiled = petteia.match(game, *players, games=30, seed=5)
    alternating = petteia.match(game, *players, games=30, seed=5, limit=Limit(nodes=10**9))
    assert compiled.rows == alternating.rows
    assert 0 < compiled.wins < 30


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"win_reward": 50.0}, {"reward": "margin"}], ids=str)
def test_what_is_learned_plays_and_is_searched(options: dict[str, Any], tmp_path: Path) -> None:
    """Ends are worth to a search what they were worth to the learner, so more depth never makes a won game unsure."""
    training = train(
        "pig:Pig:goal=12",
        features="test_chance_players:PigFeatures",
        opponent="self",
        depth=3,
        games=4000,
        evaluation_games=100,
        seed=2,
        runs=tmp_path,
        name="pig",
        **options,
    )
    text = f"theta:agent={training.run.path}"
    best = [
        petteia.best(training.rules, position="9,11,3 first", player=f"{text},depth={depth}") for depth in (1, 2, 4)
    ]
    assert [each.move for each in best] == ["hold"] * 3
    assert petteia.match(training.rules, f"{text},depth=3", "random", games=200, max_plies=500).score > 0.6


def test_a_search_that_learns_of_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="target 'rootstrap': chance moves in the game"):
        train("pig:Pig", features="test_chance_players:PigFeatures", learner="rootstrap", runs=tmp_path, games=10)


def test_an_expectation_is_shown_as_one() -> None:
    """Five faces of six win at once; after the other one nobody is ahead."""
    analysis = petteia.best("pig:Pig:goal=4", position="3,3,0 first", depth=3)
    assert analysis.lines[0].line == ("roll",)
    assert analysis.value == round(4096 * 5 / 6) / 4096
    assert not analysis.is_final
    assert not analysis.lines[0].is_won


def test_where_chance_moves_there_is_nothing_to_choose() -> None:
    with pytest.raises(InvalidError, match=r"chance is to move.*such as '0,0 first 1'"):
        petteia.best("tiny_games:DiceRace")


class CastTwice(DiceRace):
    """No player ever moves: after a cast there is another."""

    def to_move(rules, state: Any) -> int:
        return CHANCE


def test_no_position_of_chance_is_given_as_an_example_of_a_choice() -> None:
    rules = CastTwice()
    with pytest.raises(InvalidError, match=r"chance is to move.*in which a player is$"):
        check_choice(rules, initial(rules))
