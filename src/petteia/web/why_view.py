"""Template context for the comparison of a move with the best move: boards, results and differing features."""

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
    """A board in the comparison of a move with the best move: the move that led to it, and the URL of its image."""

    move: str
    image: str
    alt: str


def why_view(rules: Rules, found: Refutation, *, is_turned: bool) -> dict[str, Any]:
    """Return the template context for the comparison of a move with the best move.

    For each of the two moves, the context contains the boards and the result of the expected play after the move. It
    also contains bars for the most important features that differ between the two final positions.

    If the expected play after a move does not end the game, the result for this move is an empty string.
    """
    return {
        "best": boards(rules, found.best, is_turned=is_turned),
        "chosen": boards(rules, found.chosen, is_turned=is_turned),
        "best_result": _result(rules, found.best),
        "chosen_result": _result(rules, found.chosen),
        "bars": bars(found.reasons, lambda reason: reason.gain),
    }


def boards(rules: Rules, line: PlayedOut, *, is_turned: bool) -> list[Board]:
    """Return the boards after each move of `line`, for the first `MAX_BOARDS` moves at most."""
    made = []
    for move, code, before, after in zip(line.moves, line.codes, line.states, line.states[1:], strict=False):
        query = {"game": format_game(rules), "position": format_state(rules, before), "move": str(code)}
        if is_turned:
            query["turned"] = "1"
        made.append(Board(move, f"/board.svg?{urlencode(query)}", format_state(rules, after)))
    return made[:MAX_BOARDS]


def _result(rules: Rules, line: PlayedOut) -> str:
    """Return the result of the game after the moves of `line`, as text. It is empty if the game is not over."""
    result = Position(rules, line.end).outcome
    return result_in_words(result) if result is not None else ""
