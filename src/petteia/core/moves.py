"""Functions that read a move from user input, by its notation or by its number."""

from __future__ import annotations

from petteia.core.errors import InvalidError
from petteia.core.protocol import Rules, State, format_move, format_state, legal, parse_move


def read_move(rules: Rules, state: State, text: str) -> int:
    """Return the code of the move or chance outcome with the notation `text`. Raises InvalidError if it is illegal."""
    try:
        move = int(parse_move(rules, state, text))
    except ValueError as error:
        raise InvalidError(str(error)) from None
    if move not in legal(rules, state):
        raise InvalidError(f"move {text!r} is not legal in {format_state(rules, state)!r}")
    return move


def numbered_moves(rules: Rules, state: State) -> dict[str, int]:
    """Map `1`, `2`, ... to the codes of the legal moves, so that users can choose a move by its number.

    The result is empty if the notation of a legal move is itself a number.
    """
    codes = legal(rules, state)
    if any(format_move(rules, state, code).isdecimal() for code in codes):
        return {}
    return {str(number): code for number, code in enumerate(codes, 1)}


def typed_move(rules: Rules, state: State, text: str) -> int:
    """Return the code of the legal move whose number or notation is `text`. Raises InvalidError if there is none."""
    numbers = numbered_moves(rules, state)
    if text in numbers:
        return numbers[text]
    if numbers and text.isdecimal():
        raise InvalidError(f"there is no move number {text}; the moves are numbered 1 to {len(numbers)}")
    return read_move(rules, state, text)
