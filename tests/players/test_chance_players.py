"""Games with chance as players and commands search them: their evaluations, matches, what is learned, what is shown."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flat_options import train
from pig import Pig
from searched_games import Guess
from tiny_games import DiceRace

import petteia
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.protocol import CHANCE, Limits, initial
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
    with pytest.raises(PetteiaError, match="the probabilities listed by chances do not add up to 1"):
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
        (PigLead(said=999), "must be in -999..999"),
        (PigLead(said=-1), "the method `bound` returned -1; must be in 0..2^63-1"),
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
        (Sizes(0, 1), r"the method `unit` returned 0; must be in 1\.\."),
        (Sizes(1, -1), r"the method `bound` returned -1; must be in 0\.\."),
        (Sizes(1, 2.0), "the method `bound` returned 2.0, of type float; must be an int"),
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
    with pytest.raises(UsageError, match="target 'rootstrap': the game has chance"):
        train("pig:Pig", features="test_chance_players:PigFeatures", learner="rootstrap", runs=tmp_path, games=10)


@pytest.mark.slow
def test_an_expectation_is_shown_as_one() -> None:
    """Five faces of six win at once; after the other one nobody is ahead."""
    analysis = petteia.best("pig:Pig:goal=4", position="3,3,0 first", depth=3)
    assert analysis.lines[0].line == ("roll",)
    assert analysis.value == round(4096 * 5 / 6) / 4096
    assert not analysis.is_final
    assert not analysis.lines[0].is_won


@pytest.mark.parametrize("name", ["search:depth=3", "perfect", "random"])
def test_where_chance_moves_the_best_move_after_each_outcome_is_told(name: str) -> None:
    rules = petteia.game("pig:Pig:goal=6")
    analysis = petteia.best(rules, position="3,2,2 first rolls", player=name)
    assert (analysis.move, analysis.lines, dict(analysis.values)) == (None, (), {})
    assert [each.outcome for each in analysis.outcomes] == ["1", "2", "3", "4", "5", "6"]
    assert [each.position for each in analysis.outcomes[:2]] == ["3,2,0 second", "3,2,4 first"]
    singly = [petteia.best(rules, position=each.position, player=name) for each in analysis.outcomes]
    assert [(each.move, each.value) for each in analysis.outcomes] == [(each.move, each.value) for each in singly]
    assert all(each.probability == 1 / 6 for each in analysis.outcomes)
    if name == "random":
        assert analysis.value is None
    else:
        assert analysis.value == pytest.approx(sum(each.value or 0.0 for each in singly) / 6)
        assert (analysis.nodes, analysis.depth) == (sum(each.nodes for each in singly), min(e.depth for e in singly))


class Casts(NamedTuple):
    first: int = 0
    second: int = 0
    moved: int = 0


class TwoCasts(NamedTuple):
    """A die of two faces is cast twice; twice the 2 ends the game, else the first player has one move."""

    def initial(rules) -> Casts:
        return Casts()

    def to_move(rules, state: Casts) -> int:
        return CHANCE if state.second == 0 else 0

    def chances(rules, state: Casts, moves: Any, probabilities: Any) -> int:
        for face in (1, 2):
            moves[face - 1], probabilities[face - 1] = face, face / 3
        return 2

    def moves(rules, state: Casts, out: Any) -> int:
        out[0] = 0
        return 1

    def play(rules, state: Casts, move: int) -> Casts:
        if state.first == 0:
            return Casts(move, 0, 0)
        return Casts(state.first, move, 0) if state.second == 0 else Casts(state.first, state.second, 1)

    def is_over(rules, state: Casts) -> bool:
        return state.moved == 1 or state.first + state.second == 4

    def margin(rules, state: Casts) -> int:
        return -2 if state.first + state.second == 4 else 1

    def key(rules, state: Casts) -> int:
        return state.first | state.second << 2 | state.moved << 4

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(moves=2, codes=3, plies=3)

    def format_state(rules, state: Casts) -> str:
        return f"{state.first}{state.second}{state.moved}"

    def parse_state(rules, text: str) -> Casts:
        return Casts(*map(int, text))

    def format_move(rules, state: Casts, move: int) -> str:
        return str(move) if state.second == 0 else "go"


def test_outcomes_after_one_another_count_as_one_and_the_end_is_worth_its_margin() -> None:
    rules = TwoCasts()
    analysis = petteia.best(rules, player="random")
    assert [each.outcome for each in analysis.outcomes] == [f"{i} {j}" for i in (1, 2) for j in (1, 2)]
    assert [each.probability for each in analysis.outcomes] == pytest.approx([1 / 9, 2 / 9, 2 / 9, 4 / 9])
    assert [(each.move, each.value) for each in analysis.outcomes] == [("go", None)] * 3 + [(None, -2.0)]
    with pytest.raises(UsageError, match=r"lines=2: must be 1 at a chance node"):
        petteia.best(rules, lines=2)
    with pytest.raises(UsageError, match=r"takes no limit of depth"):
        petteia.best(rules, player="random", depth=2)


def test_chance_that_goes_on_is_refused() -> None:
    with pytest.raises(InvalidError, match=r"more than 20 chance nodes follow in a row"):
        petteia.best(CastTwice())


def test_outcomes_without_sound_probabilities_are_told() -> None:
    with pytest.raises(PetteiaError, match="the probabilities listed by chances do not add up to 1"):
        petteia.best("test_chance_players:Crooked:goal=100", position="96,0,0 first rolls", player="random")


class CastTwice(DiceRace):
    """No player ever moves: after a cast there is another."""

    def to_move(rules, state: Any) -> int:
        return CHANCE


def test_no_position_of_chance_is_given_as_an_example_of_a_choice() -> None:
    rules = CastTwice()
    with pytest.raises(InvalidError, match=r"is a chance node.*with a player to move$"):
        check_choice(rules, initial(rules))
