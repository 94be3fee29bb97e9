"""Exact analyses of positions in a solved game, as `Analysis` objects."""

from __future__ import annotations

from petteia.arena.analysis import AnalysedLine, Analysis
from petteia.core.names import format_game
from petteia.core.protocol import (
    Rules,
    State,
    format_move,
    format_state,
    has_chance,
    initial,
    is_over,
    legal,
    play,
    to_move,
)
from petteia.players.perfect import solved
from petteia.search.searcher import check_choice
from petteia.solver.expectation import TOLERANCE
from petteia.solver.oracle import Oracle

EXACT = "exact"
"""the name that stands in place of a player's name if values are those of best play"""


def oracle_of(rules: Rules, start: State, memory: int) -> Oracle:
    """Solve a game from the position `start`, using at most `memory` bytes. Raises the same errors as `Oracle`."""
    table = solved(rules, memory) if start == initial(rules) else None
    return Oracle(rules, table=table, position=start, memory=memory)


def analyse_exactly(oracle: Oracle, state: State) -> Analysis:
    """Analyse a position exactly: return all moves with their values under best play, the best move first.

    Among moves of equal value, faster wins and slower losses come first. If a player can force a win after a move, the
    move's principal variation shows best play to the end of the game. The `depth` of the analysis is the number of
    plies from the position to the end, or 0 if it is not known.

    Raises InvalidError if no player is to move in the position, or if the solved game does not contain the position.
    """
    rules = oracle.rules
    check_choice(rules, state)
    sign = 1 if to_move(rules, state) == 0 else -1
    found = [_line(oracle, state, move) for move in legal(rules, state)]
    lines = sorted(found, key=lambda line: _rank(line, sign), reverse=True)
    return Analysis(
        game=format_game(rules),
        position=format_state(rules, state),
        player=EXACT,
        move=lines[0].move,
        value=oracle.value(state),
        depth=oracle.distance(state) or 0,
        nodes=0,
        seconds=0.0,
        lines=tuple(lines),
        values={line.move: line.value for line in found if line.value is not None},
        outcomes=(),
        is_final=True,
        was_interrupted=False,
    )


def _line(oracle: Oracle, state: State, move: int) -> AnalysedLine:
    rules = oracle.rules
    written = format_move(rules, state, move)
    state = play(rules, state, move)
    value, distance = oracle.value(state), oracle.distance(state)
    if distance is None or has_chance(rules):
        return AnalysedLine(written, value, False, None, (written,))
    line = [written]
    while not is_over(rules, state):
        best = oracle.best_moves(state)[0]
        line.append(format_move(rules, state, best))
        state = play(rules, state, best)
    return AnalysedLine(written, value, value != 0, distance + 1, tuple(line))


def _rank(line: AnalysedLine, sign: int) -> tuple[float, int]:
    """Return the key by which moves are sorted. A better move for the player to move has a larger key.

    If two moves have the same value, the faster win or the slower loss has the larger key. `sign` is 1 if player 0 is
    to move, and -1 if player 1 is to move.
    """
    worth = sign * (line.value or 0.0)
    plies = line.plies_to_end or 0
    return round(worth / TOLERANCE) * TOLERANCE, 0 if worth == 0 else -plies if worth > 0 else plies
