"""The view that explains why a move is worse than the best move: the boards of both lines, and features that differ."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from petteia.arena.refutation import PlayedOut, Refutation
from petteia.core.names import format_game
from petteia.core.protocol import Rules, format_state
from petteia.playing.position import Position
from petteia.web.study_view import bars
from petteia.web.words import result_in_words

MAX_BOARDS = 16
"""The maximum number of boards that are shown for a line."""


class Board(NamedTuple):
    """A board after a move of a line, as shown by the explanation of a move."""

    move: str
    image: str
    alt: str


def why_view(rules: Rules, found: Refutation, *, is_turned: bool) -> dict[str, Any]:
    """Return the template values: the boards of both lines, their results, and bars for the features that differ.

    The result of a line of moves is empty if the line does not end the game.
    """
    return {
        "best": boards(rules, found.best, is_turned=is_turned),
        "chosen": boards(rules, found.chosen, is_turned=is_turned),
        "best_result": _result(rules, found.best),
        "chosen_result": _result(rules, found.chosen),
        "bars": bars(found.reasons, lambda reason: reason.gain),
    }


def boards(rules: Rules, line: PlayedOut, *, is_turned: bool) -> list[Board]:
    """Return the boards of a line."""
    made = []
    for move, code, before, after in zip(line.moves, line.codes, line.states, line.states[1:], strict=False):
        query = {"game": format_game(rules), "position": format_state(rules, before), "move": str(code)}
        if is_turned:
            query["turned"] = "1"
        made.append(Board(move, f"/board.svg?{urlencode(query)}", format_state(rules, after)))
    return made[:MAX_BOARDS]


def _result(rules: Rules, line: PlayedOut) -> str:
    """Return the result of the game at the end of a line, as text. It is empty if the game is not over."""
    result = Position(rules, line.end).outcome
    return result_in_words(result) if result is not None else ""
