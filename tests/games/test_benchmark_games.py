"""The games of `benchmarks/own_games` against slow versions on boards of letters, and their feature sets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import breakthrough
import connect_four
import pig
import pytest
import reversi

import petteia
from petteia.checking.conformance import run_checks
from petteia.core.protocol import (
    format_move,
    format_state,
    initial,
    is_over,
    key,
    legal,
    margin,
    parse_state,
    play,
)
from petteia.features.check import try_feature_set
from petteia.features.feature_set import features

Board = dict[tuple[int, int], str]
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def read(text: str, width: int) -> tuple[Board, str]:
    """Rows from the top and who moves; y goes down."""
    rows, side = text.split()
    return {(x, y): row[x] for y, row in enumerate(rows.split("/")) for x in range(width)}, side


def written(board: Board, side: str, width: int, height: int) -> str:
    return "/".join("".join(board[x, y] for x in range(width)) for y in range(height)) + f" {side}"


def other(side: str) -> str:
    return "o" if side == "x" else "x"


def flips(board: Board, side: str, x: int, y: int) -> list[tuple[int, int]]:
    found = []
    for dx, dy in AROUND:
        line = []
        place = (x + dx, y + dy)
        while board.get(place) == other(side):
            line.append(place)
            place = (place[0] + dx, place[1] + dy)
        if board.get(place) == side:
            found += line
    return found


def slow_reversi(text: str) -> tuple[dict[str, str], int | None]:
    """What each move leads to; the margin if it is over."""
    board, side = read(text, 6)

    def places(side: str) -> dict[str, str]:
        found = {}
        for (x, y), disc in board.items():
            if disc == "." and (turned := flips(board, side, x, y)):
                after = board | dict.fromkeys([*turned, (x, y)], side)
                found[f"{'abcdef'[x]}{y + 1}"] = written(after, other(side), 6, 6)
        return found

    moves = places(side)
    if not moves and not places(other(side)):
        discs = list(board.values())
        return {}, discs.count("x") - discs.count("o")
    return moves or {"pass": written(board, other(side), 6, 6)}, None


def slow_breakthrough(text: str) -> tuple[dict[str, str], int | None]:
    board, side = read(text, 5)
    pieces = list(board.values())
    if "x" not in pieces or any(board[x, 5] == "o" for x in range(5)):
        return {}, -1
    if "o" not in pieces or any(board[x, 0] == "x" for x in range(5)):
        return {}, 1
    forward = -1 if side == "x" else 1
    moves = {}
    for (x, y), piece in board.items():
        for dx in (-1, 0, 1):
            target = (x + dx, y + forward)
            met = board.get(target)
            if piece == side and met is not None and (met == "." or (dx and met == other(side))):
                name = f"{'abcde'[x]}{6 - y}{'abcde'[target[0]]}{6 - target[1]}"
                moves[name] = written(board | {(x, y): ".", target: side}, other(side), 5, 6)
    return moves, None


def slow_connect_four(text: str) -> tuple[dict[str, str], int | None]:
    columns = text.split(",")
    for disc, value in (("x", 1), ("o", -1)):
        held = {(x, y) for x, column in enumerate(columns) for y, each in enumerate(column) if each == disc}
        if any(all((x + i * dx, y + i * dy) in held for i in range(4)) for x, y in held for dx, dy in AROUND):
            return {}, value
    side = "xo"[len("".join(columns)) % 2]
    moves = {
        str(x + 1): ",".join([*columns[:x], column + side, *columns[x + 1 :]])
        for x, column in enumerate(columns)
        if len(column) < 6
    }
    return moves, None if moves else 0


Slow = Callable[[str], tuple[dict[str, str], int | None]]
GAMES: list[tuple[Any, Any, Slow]] = [
    (connect_four.ConnectFour(), connect_four.Lines(), slow_connect_four),
    (breakthrough.Breakthrough(), breakthrough.Advance(), slow_breakthrough),
    (reversi.Reversi(), reversi.Squares(), slow_reversi),
]


def visited(rules: Any, games: int) -> Iterator[Any]:
    generator = random.Random(1)
    for _ in range(games):
        state = initial(rules)
        while not is_over(rules, state):
            yield state
            state = play(rules, state, generator.choice(legal(rules, state)))
        yield state


@pytest.mark.parametrize(("rules", "feature_set", "slow"), GAMES)
def test_rules_are_those_of_a_slow_version(rules: Any, feature_set: Any, slow: Slow) -> None:
    keys: dict[int, Any] = {}
    for state in visited(rules, 40):
        moves, final = slow(format_state(rules, state))
        names = {format_move(rules, state, move): move for move in legal(rules, state)}
        assert names.keys() == moves.keys()
        for name, move in names.items():
            assert format_state(rules, play(rules, state, move)) == moves[name]
        assert is_over(rules, state) == (final is not None)
        assert final is None or margin(rules, state) == final
        assert parse_state(rules, format_state(rules, state)) == state
        assert keys.setdefault(key(rules, state), state) == state


@pytest.mark.parametrize(("rules", "feature_set", "slow"), GAMES)
def test_feature_sets_work(rules: Any, feature_set: Any, slow: Slow) -> None:
    try_feature_set(rules, feature_set, type(feature_set).__name__)


def test_shares_are_lines_by_their_number() -> None:
    rules = connect_four.ConnectFour()
    try_feature_set(rules, connect_four.Shares(), "Shares")
    state, index = parse_state(rules, "xx,,oo,,xo,,"), [0] * 7
    lines, shares = [0.0] * 7, [0.0] * 7
    features(connect_four.Lines(), rules, state, index, lines)
    features(connect_four.Shares(), rules, state, index, shares)
    assert any(lines[:4])
    assert lines == pytest.approx([69 * share for share in shares])


@pytest.mark.parametrize(
    ("rules", "text", "message"),
    [
        (GAMES[0][0], ",,,", "has 4 columns, not 7"),
        (GAMES[0][0], "xxxx,ooo,,,,,o", "play went on after a line of four"),
        (GAMES[0][0], "xx,,,,,,", "as many discs as the second, or one more"),
        (GAMES[1][0], "ooooo/ooooo/...../...../xxxxx x", "must look like"),
        (GAMES[1][0], "..x../ooooo/...../...../xxxx./xxxxx x", "play went on after a piece"),
        (GAMES[2][0], "....../....../..ox../..xo../....../......", "must look like"),
    ],
)
def test_positions_that_cannot_be_are_refused(rules: Any, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_state(rules, text)


def test_pig_keeps_the_protocol() -> None:
    assert [each.message for each in run_checks(pig.Pig(goal=10, faces=3), games=20) if not each.passed] == []


@pytest.mark.slow
def test_the_same_dice_are_worth_twice_as_many_games_of_pig() -> None:
    """However different the turns of the two are."""
    result = petteia.match(
        pig.Pig(goal=100), pig.HoldAt(20), pig.HoldAt(15), games=4000, openings="none", seed=1, rows=False
    )
    assert result.unpaired_low is not None
    assert result.unpaired_high is not None
    assert 2 * (result.high - result.low) ** 2 < (result.unpaired_high - result.unpaired_low) ** 2
