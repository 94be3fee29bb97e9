"""Explanations of why a move is worse than the best move, found by comparing the best lines after both moves.

If the player's evaluation is linear, the explanation compares two positions: the final position of the best line after
the explained move, and the final position of the best line after the best move. It lists the features whose values
differ between these positions.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.arena.analysis import Analysis, analyse
from petteia.arena.reasons import Reason, explain, reasons
from petteia.arena.review import line_of
from petteia.core.errors import InvalidError
from petteia.core.moves import read_move
from petteia.core.protocol import Rules, State, is_over, play, to_move
from petteia.features.linear import Linear
from petteia.players.player import UNLIMITED, Player


class PlayedOut(NamedTuple):
    """A sequence of moves from a position, with the states before and after each move."""

    moves: tuple[str, ...]
    """the moves as text"""
    codes: tuple[int, ...]
    states: tuple[State, ...]
    """the state before each move, and then the state after the last move"""

    @property
    def end(self) -> State:
        """The state after the last move of the line."""
        return self.states[-1]


class Refutation(NamedTuple):
    """A comparison of the best line after a chosen move with the best line after the best move."""

    best: PlayedOut
    chosen: PlayedOut
    reasons: tuple[Reason, ...]
    """the features that differ between the last states: `before` is the value after the best line, `after` the value
    after the chosen line. Empty if the player's value is not linear in features, or if the game is over after one of
    the lines"""


def refutation(rules: Rules, state: State, thinker: Player | None, analysis: Analysis, move: str) -> Refutation:
    """Explain why a move is worse than the best one.

    Args:
        rules: the rules of the game
        state: the position
        thinker: the player that made the analysis; None if the analysis is exact
        analysis: the analysis of the position
        move: the move to be explained, as text

    Raises:
        InvalidError: the analysis does not contain this move

    """
    best, chosen = (_played_out(rules, state, thinker, analysis, each) for each in (analysis.lines[0].move, move))
    evaluation = None if thinker is None else thinker.evaluation
    if not isinstance(evaluation, Linear) or is_over(rules, best.end) or is_over(rules, chosen.end):
        return Refutation(best, chosen, ())
    found = reasons(explain(evaluation, rules, best.end, chosen.end))
    return Refutation(best, chosen, tuple(each for each in found if each.gain))


def _played_out(rules: Rules, state: State, thinker: Player | None, analysis: Analysis, move: str) -> PlayedOut:
    """Return `move` and the best line after it, with the states before and after each move.

    If the analysis contains no continuation after the move, the player also analyses the position after the move.
    """
    known = line_of(analysis, move)
    if known is None:
        raise InvalidError(f"move {move!r}: the analysis does not contain this move")
    line = _follow(rules, state, known.line)
    is_whole = len(line.moves) > 1 or is_over(rules, line.end)
    if thinker is None or is_whole or to_move(rules, line.end) not in thinker.seats:
        return line
    reply = analyse(rules, line.end, thinker, UNLIMITED, 1, 0, lambda analysis: None)
    return _follow(rules, state, (*known.line, *reply.lines[0].line))


def _follow(rules: Rules, state: State, line: tuple[str, ...]) -> PlayedOut:
    codes, states = list[int](), [state]
    for move in line:
        codes.append(read_move(rules, states[-1], move))
        states.append(play(rules, states[-1], codes[-1]))
    return PlayedOut(line, tuple(codes), tuple(states))
