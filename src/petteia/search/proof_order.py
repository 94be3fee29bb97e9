"""The move ordering of proof searches."""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.core.protocol import (
    Rules,
    State,
    count_moves,
    dispatched,
    is_over,
    margin,
    method,
    move_kind,
    play,
    relative,
    to_move,
)
from petteia.search.ends import cut_off
from petteia.search.memory import Memory
from petteia.search.ordering import put_first


@inline
def score_by_replies(rules: Rules, state: State, memory: Memory, ply: int, count: int, first: int) -> None:
    """Score the moves at `ply` by the number of replies that the opponent has after each move.

    The move `first` gets the highest score. The moves after which the same player moves again come next, in descending
    order of the number of moves that this player then has. The moves to which the opponent replies come last, in
    ascending order of the number of replies. Ties are broken by the history heuristic.
    """
    side = to_move(rules, state)
    for i in range(count):
        move = int(memory.moves[ply, i])
        child = play(rules, state, move)
        replies = 0
        if not is_over(rules, child):
            replies = count_moves(rules, child, memory.moves[ply + 1])
            if to_move(rules, child) != side:
                replies = -replies
        memory.scores[ply, i] = (replies << 32) + min(memory.history[side, move_kind(rules, move)], (1 << 32) - 1)
    put_first(memory, ply, count, first)


@inline
def score_by_gain(rules: Rules, state: State, memory: Memory, ply: int, count: int, first: int) -> None:
    """Score the moves at `ply` by the player's lead after each move. The move `first` gets the highest score.

    Among moves that give the same lead, those with an extra turn come first. Remaining ties are broken by the move
    code, largest first.
    """
    side = to_move(rules, state)
    for i in range(count):
        move = int(memory.moves[ply, i])
        child = play(rules, state, move)
        is_same = 1 if to_move(rules, child) == side else 0
        if is_over(rules, child):
            score = margin(rules, child) if side == 0 else -margin(rules, child)
        else:
            _, score = relative(rules, child)
            score = score if is_same else -score
        memory.scores[ply, i] = (cut_off(score) << 32) + (is_same << 31) + move
    put_first(memory, ply, count, first)


@dispatched(lambda cls: score_by_gain if method(cls, "relative") else score_by_replies)
def score_for_proof(rules: Rules, state: State, memory: Memory, ply: int, count: int, first: int) -> None:
    """Score the moves at `ply` for a proof search.

    If the game defines the method `relative`, the moves are scored by the player's lead (`score_by_gain`). Otherwise
    they are scored by the number of replies (`score_by_replies`). The move `first` gets the highest score.
    """
    raise TypeError
