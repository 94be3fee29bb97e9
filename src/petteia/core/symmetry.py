"""The canonical state, which represents all states that are symmetric to each other."""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.core.packing import distinct_key
from petteia.core.protocol import Rules, State, image, images


@inline
def canonical(rules: Rules, state: State) -> State:
    """Return the image of `state` with the smallest key. In a game without symmetries, return `state` itself."""
    representative = state
    minimum = distinct_key(rules, state)
    for i in range(1, images(rules)):
        other = image(rules, state, i)
        other_key = distinct_key(rules, other)
        if other_key < minimum:
            representative = other
            minimum = other_key
    return representative
