"""Tables of patterns: against a slow second version, under all symmetries, and what is refused in a line."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import own_tuples
import pytest
from described_features import written
from tuples_oracle import patterns

import petteia
from petteia.checking.conformance import run_checks
from petteia.checking.sample import draw_sample
from petteia.checking.squares import contents_of
from petteia.core.errors import UsageError
from petteia.core.protocol import format_state, image, images, initial
from petteia.features.british_blocks import Blocks
from petteia.features.check import check_feature_set
from petteia.features.feature_set import InPhases, Joined, features, max_active, names, size
from petteia.features.feature_sets import FEATURE_SETS, feature_set_for
from petteia.features.placements import symmetric_squares
from petteia.features.standardised import standardised
from petteia.features.tuples import is_of_tuples, made
from petteia.features.turn import Turn
from petteia.games import game

TIC_TAC_TOE = own_tuples.TicTacToe()
OF_TUPLES = [name for name, kind in FEATURE_SETS.items() if is_of_tuples(kind.value)]


def pairs(rules: Any, feature_set: Any, state: Any) -> list[tuple[int, float]]:
    """What is written of a state, in its order."""
    index, value = (np.zeros(max_active(feature_set, rules), kind) for kind in (np.int64, np.float64))
    count = features(feature_set, rules, state, index, value)
    return list(zip(index[:count].tolist(), value[:count].tolist(), strict=True))


@pytest.mark.parametrize(
    "variant",
    [
        "size=3,centre_ban=no",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("", "size=4", "size=6,end=first_blocked")),
    ],
)
@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (1, 3), (3, 3)])
def test_as_the_slow_second_version(variant: str, height: int, width: int) -> None:
    """Features are numbered otherwise there: what any two positions share must be the same."""
    rules = game(f"british-square:{variant}" if variant else "british-square")
    feature_set = made(rules, Blocks(height, width))
    blocks = [
        [(file + right, rank + up) for up in range(height) for right in range(width)]
        for rank in range(rules.size - height + 1)
        for file in range(rules.size - width + 1)
    ]
    states = [visit.state for visit in draw_sample(rules, 5).visits]
    found = [dict(pairs(rules, feature_set, state)) for state in states]
    expected = [patterns(format_state(rules, state), blocks, centre_ban=rules.centre_ban == 1) for state in states]
    for one, its_own in zip(found, expected, strict=True):
        for other, others in zip(found, expected, strict=True):
            shared = sum(count * other.get(number, 0.0) for number, count in one.items())
            assert shared == sum(count * others[pattern] for pattern, count in its_own.items())


def states_of(rules: Any) -> list[Any]:
    return [visit.state for visit in draw_sample(rules, 5, seed=3).visits]


@pytest.mark.lanes
@pytest.mark.parametrize("size_of_board", [3, pytest.param(5, marks=pytest.mark.slow), 7])
@pytest.mark.parametrize("name", [*OF_TUPLES, "blocks2x3*turn+stones", "(blocks2x2+blocks2x3)*turn"])
def test_images_have_the_same_features_in_the_same_order(name: str, size_of_board: int) -> None:
    rules = game(f"british-square:size={size_of_board}")
    feature_set = feature_set_for(rules, name)
    for state in states_of(rules):
        expected = pairs(rules, feature_set, state)
        assert expected
        for i in range(images(rules)):
            assert pairs(rules, feature_set, image(rules, state, i)) == expected


class Rows(own_tuples.Lines):
    """Of the small board of Hare and Hounds."""

    def tuples(feature_set, rules: Any) -> Any:
        return [(1, 4, 7), (0, 2, 5, 8, 10), (0, 1, 2, 3), (7, 8, 9, 10)]


@pytest.mark.parametrize(
    ("rules", "own"),
    [(game("hare-and-hounds"), Rows()), (own_tuples.Turned(), own_tuples.Lines())],
    ids=["hare-and-hounds", "turned"],
)
def test_so_they_have_in_other_games(rules: Any, own: Any) -> None:
    feature_set = made(rules, own)
    for state in states_of(rules):
        expected = pairs(rules, feature_set, state)
        for i in range(images(rules)):
            assert pairs(rules, feature_set, image(rules, state, i)) == expected


def test_what_is_shared_and_what_is_not() -> None:
    """Two rows of the hare's board are images of each other; of the middle one nothing is but itself."""
    rules = game("hare-and-hounds")
    assert len(symmetric_squares(rules)) == 2
    assert symmetric_squares(rules)[1] == (0, 3, 2, 1, 6, 5, 4, 9, 8, 7, 10)
    feature_set = made(rules, Rows())
    assert feature_set.groups.tolist() == [2, 3, 4, 5]
    ends_of_board = 3**4 - (3**4 - 3**3) // 2  # patterns of which 1 and 3 are exchanged count once
    assert size(feature_set, rules) == 3**3 + 3**5 + 2 * ends_of_board
    assert made(rules, own_tuples.Lines()._replace()).groups.size  # squares 0..8 are on this board, too


def test_tuples_that_are_images_of_others_are_left_out() -> None:
    rules = game("british-square")
    assert len(made(rules, Blocks(2, 3)).ends) == 24
    upright = made(rules, Blocks(3, 2))
    assert size(upright, rules) == size(made(rules, Blocks(2, 3)), rules)


def test_symmetries_of_british_square_are_those_of_a_square() -> None:
    for side in (2, 3, 6):
        squares = np.arange(side * side).reshape(side, side)
        boards = [turned for board in (squares, squares.T) for turned in (np.rot90(board, k) for k in range(4))]
        expected = {tuple(np.argsort(board.ravel()).tolist()) for board in boards}
        assert {*symmetric_squares(game(f"british-square:size={side}"))} == expected


def test_symmetries_that_images_make_together_count() -> None:
    assert len(symmetric_squares(own_tuples.Turned())) == 4
    assert made(own_tuples.Turned(), own_tuples.Lines()).groups.tolist() == [4, 6, 8]
    assert made(TIC_TAC_TOE, own_tuples.Lines()).groups.tolist() == list(range(1, 9))


def test_names_tell_the_patterns() -> None:
    called = names(made(TIC_TAC_TOE, own_tuples.Lines()), TIC_TAC_TOE)
    assert called[:4] == ("lines.0.000", "lines.0.001", "lines.0.002", "lines.0.010")
    assert called[27:29] == ("lines.1.000", "lines.1.001")
    rules = own_tuples.Turned()
    feature_set = made(rules, own_tuples.Lines())
    state = rules.parse_state("xo./.../... x")
    called = names(feature_set, rules)
    shown = {called[number]: count for number, count in pairs(rules, feature_set, state)}
    # Sides, which no turn brings to themselves; middles and diagonals, which half a turn reverses.
    assert shown == {
        "lines.0.120": 1.0, "lines.0.001": 1.0, "lines.0.000": 2.0,
        "lines.1.000": 1.0, "lines.1.002": 1.0,
        "lines.2.000": 1.0, "lines.2.001": 1.0,
    }  # fmt: skip


# What is refused.


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (own_tuples.OffTheBoard, "tuple 1 is (7, 9); square 9 must be a number in 0..8"),
        (own_tuples.Twice, "tuple 0 is (0, 1, 0); square 0 appears twice; each square must appear only once"),
        (own_tuples.Empty, "tuple 1 is (); each tuple must have at least one square"),
        (
            own_tuples.Nothing,
            "the method `tuples` returned an empty list; must be a list of one or more tuples of squares",
        ),
        (
            own_tuples.NoList,
            "the method `tuples` returned 3; must be a list of one or more tuples of squares, which are numbers in",
        ),
        (own_tuples.NoNumbers, "tuple 0 is ('a', '1'); square 'a' must be a number in 0..8"),
        (own_tuples.TwoWays, "TwoWays defines both `tuples` and `size`; remove the method `size`"),
        (
            own_tuples.OtherParameters,
            "the method `tuples` has the parameters (self, rules); they must be (feature_set, rules)",
        ),
        (own_tuples.Raises, "ZeroDivisionError"),
    ],
)
def test_tuples_that_do_not_fit_are_refused_in_a_line(own: type, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        feature_set_for(TIC_TAC_TOE, f"own_tuples:{own.__name__}")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tables_that_are_too_large_are_refused() -> None:
    with pytest.raises(UsageError, match=r"has 4\^12 patterns; a tuple may have at most 4,194,304 patterns"):
        feature_set_for(game("british-square"), own_tuples.Large())


def test_games_that_do_not_tell_contents_are_refused() -> None:
    from tiny_games import Nim

    with pytest.raises(
        UsageError, match="`tuples` needs the contents of squares, but Nim does not define the method `contents`"
    ):
        feature_set_for(Nim(), "own_tuples:Lines")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (own_tuples.Exchanged(), "symmetry 1 is not a permutation of the squares"),
        (own_tuples.Merged(), "symmetry 1 is not a permutation of the squares"),
        (own_tuples.Later(), "symmetry 1 is not a permutation of the squares"),
    ],
    ids=["exchanged", "merged", "later"],
)
def test_images_that_do_more_than_move_contents_are_refused(rules: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        made(rules, own_tuples.Lines())
    assert "\n" not in str(caught.value)


# The verb.


def test_what_contents_are() -> None:
    kalah = game("kalah:pits=3,seeds=4")
    state = kalah.parse_state("9,0,2,1/7,3,2,0 s")
    assert contents_of(kalah, state) == [7, 0, 2, 7, 3, 2]
    hare = game("hare-and-hounds")
    assert contents_of(hare, initial(hare)) == [1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 2]
    square = game("british-square:size=3")
    assert contents_of(square, initial(square)) == [3, 3, 3, 3, 2, 3, 3, 3, 3]
    assert contents_of(TIC_TAC_TOE, TIC_TAC_TOE.parse_state("xo./.x./..o x")) == [1, 2, 0, 0, 1, 0, 0, 0, 2]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (own_tuples.OutOfRange(), "must be an int in 0..1, as content_kinds(rules) is 2"),
        (own_tuples.Shrinks(), "contents wrote 8 squares; must be 9, as at the start"),
        (own_tuples.TooMany(), "contents returned 5000; must be at most 1024"),
        (own_tuples.NoKinds(), "defines contents but not content_kinds; define both"),
    ],
    ids=["range", "number", "room", "alone"],
)
def test_a_game_that_breaks_its_promise_on_contents_fails_the_check(rules: Any, words: str) -> None:
    failed = [result for result in run_checks(rules, games=40) if not result.passed]
    assert [result.name for result in failed] == ["contents of squares"]
    assert words in failed[0].message


# Phases, and sets that say how much they write.


def test_turn_has_a_set_once_for_each_side() -> None:
    rules = game("hare-and-hounds")
    assert names(Turn(), rules) == ("hounds_to_move", "hare_to_move")
    feature_set = feature_set_for(rules, "squares*turn")
    assert size(feature_set, rules) == 2 * size(FEATURE_SETS["squares"].value, rules)
    for state in states_of(rules):
        assert written(rules, state, Turn()) == {f"{rules.seats()[state.side]}_to_move": 1.0}
    from tiny_games import DiceRace

    assert names(Turn(), DiceRace()) == ("first_to_move", "second_to_move", "chance_to_move")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["turn", "own_tuples:Lines*turn", "own_tuples:Board"])
def test_sets_pass_their_check(text: str) -> None:
    results = list(petteia.check(TIC_TAC_TOE, features=text, games=20))
    assert [result.message for result in results if not result.passed] == []
    assert len(results) > 5


def test_a_set_says_how_many_features_it_writes_at_most() -> None:
    rules = game("british-square")
    blocks, stones = made(rules, Blocks(2, 3)), FEATURE_SETS["stones"].value
    assert max_active(blocks, rules) == 25
    assert max_active(stones, rules) == size(stones, rules) == 1
    assert max_active(Joined(blocks, stones), rules) == 26
    assert max_active(InPhases(Joined(blocks, blocks), Turn()), rules) == 50


class Corner(NamedTuple):
    """Has fewer features than the board has squares."""

    def tuples(feature_set, rules: Any) -> Any:
        return [(0,)]


def test_a_small_set_has_room_for_the_contents_of_a_large_board() -> None:
    """Also where all features are written, of which there are few."""
    rules = game("british-square")
    corner = made(rules, Corner())
    assert (size(corner, rules), max_active(corner, rules)) == (4, 25)
    scaled = standardised(rules, corner, games=20)
    assert max_active(scaled, rules) == 25
    table = np.zeros((0, 4))
    for state in states_of(rules):
        index, value = np.zeros(25, np.int64), np.zeros(25)
        assert features(scaled, rules, state, index, value) == 4
        assert index[:4].tolist() == [0, 1, 2, 3]
        table = np.vstack([table, value[:4] * scaled.scale + scaled.centre])
    np.testing.assert_allclose(table.sum(axis=1), 4.0)  # corners


class SaysTooLittle(NamedTuple):
    def names(feature_set, rules: Any) -> Any:
        return ("one", "two")

    def size(feature_set, rules: Any) -> int:
        return 2

    def max_active(feature_set, rules: Any) -> int:
        return 1

    def features(feature_set, rules: Any, state: Any, index: Any, value: Any) -> int:
        index[0], value[0], index[1], value[1] = 0, 1.0, 1, 1.0
        return 2


def test_a_set_that_writes_more_than_it_says_fails_the_check() -> None:
    failed = [each for each in check_feature_set(TIC_TAC_TOE, SaysTooLittle(), 5) if not each.passed]
    assert "the method `features` returned 2; must be at most 1, because `max_active` returned 1" in failed[0].message
