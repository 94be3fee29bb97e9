"""A recorded game as boards with captions, for `petteia.reports.engine.parts.game`."""

from __future__ import annotations

from petteia.core.protocol import format_move, format_state, play, seats, to_move
from petteia.records.game_record import GameRecord
from petteia.render import board_svg


def frames(record: GameRecord) -> list[tuple[str, str]]:
    """The boards of a game, the start first, each with a caption."""
    rules, state = record.rules, record.start
    drawn = [(board_svg(rules, state), "The start.")]
    for number, move in enumerate(record.moves, 1):
        before, who, text = state, seats(rules)[to_move(rules, state)], format_move(rules, state, move)
        state = play(rules, before, move)
        caption = f"{number}. {who}: {text} ({format_state(rules, state)})"
        drawn.append((board_svg(rules, state, move, before), caption))
    board, caption = drawn[-1]
    outcome = record.outcome
    if outcome is not None and outcome.winner is not None:
        drawn[-1] = (board, f"{caption}: won by {seats(rules)[outcome.winner]}")
    return drawn
