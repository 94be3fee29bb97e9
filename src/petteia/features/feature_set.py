"""What a feature set is: numbers that describe a state, for values that are linear in them.

A feature set is an instance of a NamedTuple class with the methods `names` (plain Python), `size` and `features`, found
by its type as the verbs of a game are. Features come as pairs of a number and a value. Those that are zero can be left
out, so that a set of a hundred thousand patterns costs no more than the few that apply, or written, so that a small set
need not ask.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.kernel import inline
from petteia.core.protocol import Rules, State, dispatched, method

FeatureSet = Any
"""A feature set, as described above."""


def _undefined(feature_set: FeatureSet, rules: Rules, *rest: Any) -> Any:
    raise TypeError("a feature set defines names, size and features")


@dispatched(lambda cls: method(cls, "names") or _undefined)
def names(feature_set: FeatureSet, rules: Rules) -> tuple[str, ...]:
    """What the features are called, by number; all different. Plain Python only."""
    raise TypeError


@dispatched(lambda cls: method(cls, "size") or _undefined)
def size(feature_set: FeatureSet, rules: Rules) -> int:
    """How many features there are."""
    raise TypeError


@dispatched(lambda cls: method(cls, "features") or _undefined)
def features(feature_set: FeatureSet, rules: Rules, state: State, index: Any, value: Any) -> int:
    """Write the numbers of features, each once, into `index` and their values into `value`; those left out are zero.

    Both hold at least `size` entries. Returns how many were written.
    """
    raise TypeError


@inline
def add(index: Any, value: Any, count: int, feature: int, amount: float) -> int:
    """Add a feature to those written, unless it is zero; returns how many there are then."""
    if amount == 0.0:
        return count
    index[count] = feature
    value[count] = amount
    return count + 1


class Joined(NamedTuple):
    """The features of two sets, the second's after the first's."""

    first: FeatureSet
    second: FeatureSet

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Those of both."""
        return names(feature_set.first, rules) + names(feature_set.second, rules)

    def size(feature_set, rules: Rules) -> int:
        """The sum."""
        return size(feature_set.first, rules) + size(feature_set.second, rules)

    def features(feature_set, rules: Rules, state: State, index: Any, value: Any) -> int:
        """Those of both."""
        count = features(feature_set.first, rules, state, index, value)
        before = size(feature_set.first, rules)
        more = features(feature_set.second, rules, state, index[count:], value[count:])
        for i in range(count, count + more):
            index[i] += before
        return count + more
