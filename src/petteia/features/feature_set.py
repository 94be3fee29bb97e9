"""What a feature set is: numbers that describe a state, for values that are linear in them.

A feature set is an instance of a NamedTuple class with the methods `names` (plain Python), `size` and `features`, found
by its type as the verbs of a game are. Features come as pairs of a number and a value. Those that are zero can be left
out, so that a set of a hundred thousand patterns costs no more than the few that apply, or written, so that a small set
need not ask. A large one says by `max_active` for how many there must be room.

A class with the method `tuples` in the place of these three lists squares of the board, and a set is made of it: see
`tuples.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.arrays import Floats, Ints
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
def features(feature_set: FeatureSet, rules: Rules, state: State, index: Ints, value: Floats) -> int:
    """Write the numbers of features, each once, into `index` and their values into `value`; those left out are zero.

    `index` is int64[>= max_active], `value` float64[>= max_active]. Returns how many features were written.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "max_active") or method(cls, "size") or _undefined)
def max_active(feature_set: FeatureSet, rules: Rules) -> int:
    """How many features are written at most: all of them, unless the class defines it.

    Where it does, entries behind those that were written, up to this many, may hold anything.
    """
    raise TypeError


def tells_most_active(feature_set: FeatureSet) -> bool:
    """Whether the class says itself how many features are written at most."""
    return method(type(feature_set), "max_active") is not None


@dispatched(lambda cls: method(cls, "phase") or _undefined)
def phase(feature_set: FeatureSet, rules: Rules, state: State) -> int:
    """Of a set of phases, of whose features one is 1 and all others are 0: the number of the one that is 1."""
    raise TypeError


class Joined(NamedTuple):
    """The features of two sets, the second's after the first's."""

    first: FeatureSet
    """the set whose features come first"""
    second: FeatureSet
    """the set whose features follow"""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """The names of both sets' features."""
        return names(feature_set.first, rules) + names(feature_set.second, rules)

    def size(feature_set, rules: Rules) -> int:
        """The sum of both sizes."""
        return size(feature_set.first, rules) + size(feature_set.second, rules)

    def max_active(feature_set, rules: Rules) -> int:
        """The sum of what both sets write at most."""
        return max_active(feature_set.first, rules) + max_active(feature_set.second, rules)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """The features of both sets."""
        count = features(feature_set.first, rules, state, index, value)
        before = size(feature_set.first, rules)
        more = features(feature_set.second, rules, state, index[count:], value[count:])
        for i in range(count, count + more):
            index[i] += before
        return count + more


class InPhases(NamedTuple):
    """The features of a set once for each phase; those of the phases in which a state is not are zero."""

    feature_set: FeatureSet
    """the set whose features are repeated"""
    phases: FeatureSet
    """a set of phases"""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """The names of the features in each phase, such as `ahead.rows.difference`."""
        inner = names(feature_set.feature_set, rules)
        return tuple(f"{each}.{name}" for each in names(feature_set.phases, rules) for name in inner)

    def size(feature_set, rules: Rules) -> int:
        """The number of phases times the number of features."""
        return size(feature_set.phases, rules) * size(feature_set.feature_set, rules)

    def max_active(feature_set, rules: Rules) -> int:
        """What the set writes at most: a state is in one phase."""
        return max_active(feature_set.feature_set, rules)

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """The features of the phase in which the state is."""
        count = features(feature_set.feature_set, rules, state, index, value)
        before = phase(feature_set.phases, rules, state) * size(feature_set.feature_set, rules)
        for i in range(count):
            index[i] += before
        return count
