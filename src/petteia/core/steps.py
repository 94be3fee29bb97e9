"""Moves as sequences of steps, such as squares or pits. A step can also be a word such as `pass`."""

from __future__ import annotations

from petteia.core.protocol import MAX_STEPS, Rules, State, legal, provides, steps

Steps = tuple[int, ...]


def steps_of(rules: Rules, state: State, move: int) -> Steps:
    """Return the steps of a legal move.

    If the game does not define `steps`, a move is a single step, and the code of the step is the code of the move.
    """
    if not provides(rules, "steps"):
        return (move,)
    out = [0] * MAX_STEPS
    return tuple(out[: steps(rules, state, move, out)])


def continuations(rules: Rules, state: State, begun: Steps) -> dict[int, int | None]:
    """Return the possible next steps of an incomplete move.

    Args:
        rules: the rules of the game
        state: the state before the move
        begun: the steps made so far; empty at the start of a move

    Returns:
        A dictionary from the code of each next step to the code of the move that it completes. The value is None if the
        move continues after this step. The dictionary is empty if no legal move begins with the steps in `begun`.

    """
    found: dict[int, int | None] = {}
    for move in legal(rules, state):
        written = steps_of(rules, state, move)
        if written[: len(begun)] == begun and len(written) > len(begun):
            found[written[len(begun)]] = move if len(written) == len(begun) + 1 else None
    return found
