"""Moves as steps, made one after the other: a pit; from and to; a square; a word such as pass."""

from __future__ import annotations

from petteia.core.protocol import MAX_STEPS, Rules, State, legal, provides, steps

Steps = tuple[int, ...]


def steps_of(rules: Rules, state: State, move: int) -> Steps:
    """The steps of a legal move. In a game without `steps` a move is a single step, whose code is the move's."""
    if not provides(rules, "steps"):
        return (move,)
    out = [0] * MAX_STEPS
    return tuple(out[: steps(rules, state, move, out)])


def continuations(rules: Rules, state: State, begun: Steps) -> dict[int, int | None]:
    """The steps that can follow on those that were made: the move that each completes, None if it completes none.

    Args:
        rules: of the game
        state: in which a move is being made
        begun: the steps made so far, none at first

    Returns:
        The move's code by the code of the step; empty if no legal move begins with these steps.

    """
    found: dict[int, int | None] = {}
    for move in legal(rules, state):
        written = steps_of(rules, state, move)
        if written[: len(begun)] == begun and len(written) > len(begun):
            found[written[len(begun)]] = move if len(written) == len(begun) + 1 else None
    return found
