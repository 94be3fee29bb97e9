"""The canonical state among symmetric ones, which represents all of them."""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.core.packing import distinct_key
from petteia.core.protocol import Rules, State, image, images


@inline
def canonical(rules: Rules, state: State) -> State:
    """The state with the smallest key among all symmetric ones; `state` itself in a game without symmetries."""
    representative = state
    minimum = distinct_key(rules, state)
    for i in range(1, images(rules)):
        other = image(rules, state, i)
        other_key = distinct_key(rules, other)
        if other_key < minimum:
            representative = other
            minimum = other_key
    return representative
