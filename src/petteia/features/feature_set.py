"""Feature sets: numbers that describe a state, for value functions that are linear in these numbers.

A feature set is an instance of a NamedTuple class with the methods `names` (plain Python), `size` and `features`. For
each class of feature set, numba compiles a separate version of the code that calls these methods.

A feature has an index and a value. A feature set may omit features that are zero. Large sets, such as n-tuple networks,
omit them, so that the computation time depends only on the number of nonzero features. Such a feature set also defines
`max_active`, the largest number of features that it writes for a state.

Instead of `names`, `size` and `features`, a class can define the single method `tuples`. The method `tuples` lists
tuples of squares, from which an n-tuple network is created (`tuples.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import Rules, State, dispatched, method

FeatureSet = Any
"""A feature set: an instance of a NamedTuple class with the methods `names`, `size` and `features`."""


def _undefined(feature_set: FeatureSet, rules: Rules, *rest: Any) -> Any:
    raise TypeError("a feature set must define the methods `names`, `size` and `features`")


@dispatched(lambda cls: method(cls, "names") or _undefined)
def names(feature_set: FeatureSet, rules: Rules) -> tuple[str, ...]:
    """Return the names of the features in the order of their indices.

    All names must differ. The method `names` runs only in plain Python.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "size") or _undefined)
def size(feature_set: FeatureSet, rules: Rules) -> int:
    """Return the number of features."""
    raise TypeError


@dispatched(lambda cls: method(cls, "features") or _undefined)
def features(feature_set: FeatureSet, rules: Rules, state: State, index: Ints, value: Floats) -> int:
    """Write the indices of features into `index` and their values into `value`. Return the number of written features.

    All nonzero features must be written, and no feature may be written twice. `index` is int64[>= max_active], and
    `value` is float64[>= max_active]. Features that are not written are zero.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "max_active") or method(cls, "size") or _undefined)
def max_active(feature_set: FeatureSet, rules: Rules) -> int:
    """Return the largest number of features that `features` writes for a state; by default, the number of all features.

    If a class defines `max_active`, its method `features` may change all `max_active` entries of `index` and `value`.
    The entries after the written features are ignored.
    """
    raise TypeError


def tells_most_active(feature_set: FeatureSet) -> bool:
    """Return whether the class of the feature set defines `max_active`."""
    return method(type(feature_set), "max_active") is not None


@dispatched(lambda cls: method(cls, "phase") or _undefined)
def phase(feature_set: FeatureSet, rules: Rules, state: State) -> int:
    """Return the index of the current phase of the game. Only feature sets that indicate phases define this method.

    Each phase of the game has one feature. The feature of the current phase is 1 in `state`, and all other features are
    0.
    """
    raise TypeError


class Joined(NamedTuple):
    """A feature set that joins two others: the features of the first, followed by those of the second."""

    first: FeatureSet
    """the set whose features come first"""
    second: FeatureSet
    """the set whose features follow"""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the names of the features in the set `first`, followed by those in the set `second`."""
        return names(feature_set.first, rules) + names(feature_set.second, rules)

    def size(feature_set, rules: Rules) -> int:
        """Return the total number of features in the sets `first` and `second`."""
        return size(feature_set.first, rules) + size(feature_set.second, rules)

    def max_active(feature_set, rules: Rules) -> int:
        """Return the sum of `max_active` of the sets `first` and `second`."""
        return max_active(feature_set.first, rules) + max_active(feature_set.second, rules)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the features of the sets `first` and `second`, and return the number of written features."""
        count = features(feature_set.first, rules, state, index, value)
        before = size(feature_set.first, rules)
        more = features(feature_set.second, rules, state, index[count:], value[count:])
        for i in range(count, count + more):
            index[i] += before
        return count + more


class InPhases(NamedTuple):
    """A feature set with a copy of each feature for every phase. Only features of the current phase can be nonzero."""

    feature_set: FeatureSet
    """the set whose features are repeated"""
    phases: FeatureSet
    """a set of phases"""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the names of the features in each phase, such as `ahead.rows.difference`."""
        inner = names(feature_set.feature_set, rules)
        return tuple(f"{each}.{name}" for each in names(feature_set.phases, rules) for name in inner)

    def size(feature_set, rules: Rules) -> int:
        """Return the number of phases times the number of features in the set that is repeated for each phase."""
        return size(feature_set.phases, rules) * size(feature_set.feature_set, rules)

    def max_active(feature_set, rules: Rules) -> int:
        """Return `max_active` of the set that is repeated for each phase, because only one copy is written."""
        return max_active(feature_set.feature_set, rules)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write the features of the current phase, and return their count."""
        count = features(feature_set.feature_set, rules, state, index, value)
        before = phase(feature_set.phases, rules, state) * size(feature_set.feature_set, rules)
        for i in range(count):
            index[i] += before
        return count
