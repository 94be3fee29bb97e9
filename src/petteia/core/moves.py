"""A move that is given from outside, by its notation or its number, and what is wrong with it in one line."""

from __future__ import annotations

from petteia.core.errors import InvalidError
from petteia.core.protocol import Rules, State, format_move, format_state, legal, parse_move


def read_move(rules: Rules, state: State, text: str) -> int:
    """The code of the legal move, or outcome of chance, that `text` stands for; InvalidError if there is none."""
    try:
        move = int(parse_move(rules, state, text))
    except ValueError as error:
        raise InvalidError(str(error)) from None
    if move not in legal(rules, state):
        raise InvalidError(f"move {text!r} is not legal in {format_state(rules, state)!r}")
    return move


def numbered_moves(rules: Rules, state: State) -> dict[str, int]:
    """The legal moves by what may be typed for them: 1, 2, ...; none where moves are themselves written as numbers."""
    codes = legal(rules, state)
    if any(format_move(rules, state, code).isdecimal() for code in codes):
        return {}
    return {str(number): code for number, code in enumerate(codes, 1)}


def typed_move(rules: Rules, state: State, text: str) -> int:
    """The legal move that `text`, a number of the list or the move's notation, stands for; InvalidError for others."""
    numbers = numbered_moves(rules, state)
    if text in numbers:
        return numbers[text]
    if numbers and text.isdecimal():
        raise InvalidError(f"there is no move number {text}; the moves are numbered 1 to {len(numbers)}")
    return read_move(rules, state, text)
