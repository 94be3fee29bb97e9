"""Features of British Square that count, against counting once more on the text of a position."""

from __future__ import annotations

import random

import numpy as np
import pytest

from petteia.core.protocol import format_state, initial, is_over, legal, play
from petteia.features.british_square_counts import CENTRE, Counts, Territory
from petteia.features.feature_set import names, size
from petteia.games import game
from petteia.games.british_square import BritishSquare, Position


def counted(rules: BritishSquare, state: Position) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """What `counts`, `counts-centre` and `territory` must say."""
    rows = format_state(rules, state).split(" ")[0].split("/")
    board = {(file, rank): sign for rank, row in enumerate(reversed(rows)) for file, sign in enumerate(row)}
    last = rules.size - 1
    centre = {last // 2, rules.size // 2}

    def open_to(sign: str) -> set[tuple[int, int]]:
        other = "o" if sign == "x" else "x"
        found = set()
        for (file, rank), content in board.items():
            beside = ((file - 1, rank), (file + 1, rank), (file, rank - 1), (file, rank + 1))
            if content == "." and all(board.get(each) != other for each in beside):
                found.add((file, rank))
        if sign == "x" and "x" not in board.values() and rules.centre_ban and rules.size % 2:
            found.discard((last // 2, last // 2))
        return found

    counts, by_centre = {}, {}
    for side, sign in (("first", "x"), ("second", "o")):
        mine = [square for square, content in board.items() if content == sign]
        counts[f"counts.{side}.stones"] = len(mine)
        counts[f"counts.{side}.corners"] = sum({*square} <= {0, last} for square in mine)
        counts[f"counts.{side}.open"] = len(open_to(sign))
        counts[f"counts.{side}.middle"] = sum(min(square) > 0 and max(square) < last for square in mine)
        by_centre[f"counts.{side}.middle"] = sum({*square} <= centre for square in mine)
    first, second = open_to("x"), open_to("o")
    territory = {
        "territory.stones": counts["counts.first.stones"] - counts["counts.second.stones"],
        "territory.first_only": len(first - second),
        "territory.second_only": len(second - first),
        "territory.both": len(first & second),
        "territory.constant": 1,
    }
    return counts, counts | by_centre, territory


@pytest.mark.parametrize("board", [2, 3, 4, 5, 6, 7])
def test_they_count_what_is_on_the_board(board: int) -> None:
    rules, drawn = game(f"british-square:size={board}"), random.Random(board)
    for _ in range(5):
        state = initial(rules)
        while True:
            for feature_set, expected in zip(
                (Counts(), Counts(CENTRE), Territory()), counted(rules, state), strict=True
            ):
                assert len(names(feature_set, rules)) == size(feature_set, rules) == len(expected)
                index, value = np.zeros(size(feature_set, rules), np.int64), np.zeros(size(feature_set, rules))
                count = type(feature_set).features(feature_set, rules, state, index, value)
                found = {names(feature_set, rules)[i]: x for i, x in zip(index[:count], value[:count], strict=True)}
                assert found == expected
            if is_over(rules, state):
                break
            state = play(rules, state, drawn.choice(legal(rules, state)))
