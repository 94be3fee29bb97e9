"""N-tuple networks: feature sets with one feature for each pattern of contents of a small group of squares.

An *n-tuple* is a small set of squares of the board. With k kinds of contents, n squares can show k^n patterns. Each
pattern is a feature, whose weight is an entry in the table of the tuple. A state has the features of the patterns on
its board. A value function that is linear in these features is called an n-tuple network or n-tuple system.

The symmetries of the game map an n-tuple to symmetric copies, its *placements*. All placements of a tuple share one
table of weights, and therefore the same features. The value of a feature is the number of placements that show its
pattern. If a symmetry maps a tuple to itself, patterns that this symmetry maps to each other share one feature.
Symmetric states therefore have exactly the same features.

A class of n-tuples is a NamedTuple class with the single method `tuples(feature_set, rules)`, in plain Python. Such a
class works for every game whose rules define the method `contents`, which writes the contents of squares to an array.

Sources: Bledsoe and Browning 1959, "Pattern recognition and reading by machine" (n-tuples); Lucas 2008, "Learning to
play Othello with n-tuple systems" (n-tuples in value functions; symmetric placements that share a table).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.checking.sample import explain
from petteia.core.arrays import Floats, Ints, Ints32
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.options import format_options
from petteia.core.protocol import Rules, State, content_kinds, contents, method, provides
from petteia.features.feature_set import FeatureSet
from petteia.features.placements import Table, squares_of, symmetric_squares, table_of
from petteia.provenance.live import cached_by_code

MAX_PATTERNS = 1 << 22
"""The maximum number of patterns of a tuple; it allows 13 squares with three kinds of contents."""
MAX_ENTRIES = 1 << 26
"""The maximum number of patterns of all tuples of a set."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Tuples(NamedTuple):
    """The feature set of an n-tuple network: one feature for each pattern of contents on its tuples of squares.

    A placement is a symmetric copy of a tuple on the board. The placements of the first tuple are numbered first, then
    those of the second, and so on. Features are written in ascending order, so the weights of symmetric states are
    added in the same order. Otherwise rounding errors could give symmetric states different values.
    """

    kinds: int
    """number of kinds of contents of a square"""
    total: int
    """number of features"""
    room: int
    """the largest number of entries written: the number of squares or of placements, whichever is larger"""
    squares: Ints
    """the squares of all placements, in order, [squares of all placements]"""
    ends: Ints
    """end of each placement in `squares`, [placements]"""
    tables: Ints
    """start of the table of each placement in `features_of`, [placements]"""
    groups: Ints
    """the number of the placement after the last one of each tuple, [tuples]"""
    features_of: Ints32
    """the feature of each pattern of each tuple, [patterns of all tuples]"""
    called: Ints
    """the name of the set as character codes, because compiled code has no text"""

    def names(feature_set, rules: Rules) -> tuple[str, ...]:
        """Return the names of the features, such as `blocks2x3.0.011002` (tuple 0, pattern 011002)."""
        called = "".join(map(chr, feature_set.called))
        first, firsts = 0, np.unique(feature_set.features_of, return_index=True)[1]
        tables = np.unique(feature_set.tables)
        lengths = np.diff(feature_set.ends, prepend=0)[np.append(0, feature_set.groups[:-1])]
        texts: list[str] = []
        for number, (table, length) in enumerate(zip(tables.tolist(), lengths.tolist(), strict=True)):
            end = int(np.searchsorted(firsts, tables[number + 1])) if number + 1 < len(tables) else len(firsts)
            shown = [_digits(pattern, feature_set.kinds, length) for pattern in (firsts[first:end] - table).tolist()]
            texts += [f"{called}.{number}.{pattern}" for pattern in shown]
            first = end
        return tuple(texts)

    def size(feature_set, rules: Rules) -> int:
        """Return the number of features."""
        return feature_set.total

    def max_active(feature_set, rules: Rules) -> int:
        """Return the length that the arrays `index` and `value` must have in a call of the method `features`.

        The array `index` first contains the contents of all squares of the board. Later, `index` and `value` contain up
        to one entry for each placement (symmetric copy of a tuple). The result is the larger of these two numbers of
        entries.
        """
        return feature_set.room

    def features(feature_set, rules: Rules, state: State, index: Ints, value: Floats) -> int:
        """Write a feature for each pattern that occurs in `state`. Its value is the number of occurrences."""
        contents(rules, state, index)
        kinds = feature_set.kinds
        place = 0
        for placement in range(len(feature_set.ends)):
            pattern = 0
            end = feature_set.ends[placement]
            while place < end:
                pattern = pattern * kinds + index[feature_set.squares[place]]
                place += 1
            # Features are stored in `value` at first, because `index` still contains the contents of the squares.
            value[placement] = feature_set.features_of[feature_set.tables[placement] + pattern]
        count = 0
        placement = 0
        for group in range(len(feature_set.groups)):
            begin = count
            while placement < feature_set.groups[group]:
                feature = int(value[placement])
                at = count
                while at > begin and index[at - 1] > feature:
                    at -= 1
                if at > begin and index[at - 1] == feature:
                    value[at - 1] += 1.0
                else:
                    for i in range(count, at, -1):
                        index[i] = index[i - 1]
                        value[i] = value[i - 1]
                    index[at] = feature
                    value[at] = 1.0
                    count += 1
                placement += 1
        return count


def _digits(pattern: int, kinds: int, length: int) -> str:
    """Convert a pattern to a string: one digit per square or, with more than 36 kinds, numbers separated by dashes."""
    digits = [pattern // kinds ** (length - 1 - place) % kinds for place in range(length)]
    return "".join(DIGITS[each] for each in digits) if kinds <= len(DIGITS) else "-".join(map(str, digits))


def is_of_tuples(feature_set: FeatureSet) -> bool:
    """Return whether `feature_set` is defined by a method `tuples`, which lists n-tuples of squares."""
    return method(type(feature_set), "tuples") is not None


def made(rules: Rules, feature_set: FeatureSet) -> FeatureSet:
    """Replace each part of a feature set that only lists n-tuples with an n-tuple network, and return the new set.

    Raises UsageError if the tuples do not fit the board, or if the game does not define the contents of squares.
    """
    if is_of_tuples(feature_set):
        try:
            return _tuples(rules, feature_set)
        except PetteiaError:
            raise
        except Exception as error:  # custom tuples and rules can raise anything
            raise UsageError(f"features {type(feature_set).__name__}: {explain(rules, error)}") from None
    inner = {
        name: made(rules, part)
        for name, part in zip(feature_set._fields, feature_set, strict=True)
        if isinstance(part, tuple) and hasattr(part, "_fields")
    }
    return feature_set._replace(**inner) if inner else feature_set


@cached_by_code(64)
def _tuples(rules: Rules, feature_set: FeatureSet) -> Tuples:
    called = type(feature_set).__name__.lower() + "x".join(map(str, feature_set))
    game = f"{type(rules).__name__}{format_options(rules)}"
    for name in ("contents", "content_kinds"):
        if not provides(rules, name):
            raise UsageError(
                f"features {called}: `tuples` needs the contents of squares, but {game} does not define the method "
                f"`{name}`"
            )
    board, kinds = squares_of(rules), content_kinds(rules)
    listed = _checked(called, method(type(feature_set), "tuples")(feature_set, rules), board, kinds)  # type: ignore[misc]  # there is one
    symmetries = symmetric_squares(rules)
    tables: list[Table] = []
    placed: set[frozenset[int]] = set()
    for squares in listed:
        if frozenset(squares) not in placed:  # a tuple symmetric to an earlier one has the same features
            tables.append(table_of(squares, kinds, symmetries))
            placed.update(map(frozenset, tables[-1].placements))
    return _joined(called, tables, board, kinds)


def _joined(called: str, tables: list[Table], board: int, kinds: int) -> Tuples:
    """Combine the tables of several n-tuples into one feature set, with consecutive feature numbers for each table."""
    counts = [table.size for table in tables]
    patterns = [len(table.feature_of) for table in tables]
    first = np.cumsum([0, *counts])
    placements = [placement for table in tables for placement in table.placements]
    many = [len(table.placements) for table in tables]
    return Tuples(
        kinds=int(kinds),
        total=int(first[-1]),
        room=max(board, len(placements)),
        squares=np.array([square for placement in placements for square in placement], np.int64),
        ends=np.cumsum([len(placement) for placement in placements]).astype(np.int64),
        tables=np.repeat(np.cumsum([0, *patterns])[:-1], many).astype(np.int64),
        groups=np.cumsum(many).astype(np.int64),
        features_of=np.concatenate(
            [table.feature_of + start for table, start in zip(tables, first, strict=False)]
        ).astype(np.int32),
        called=np.array([*map(ord, called)], np.int64),
    )


def _checked(called: str, listed: Any, board: int, kinds: int) -> list[tuple[int, ...]]:
    """Return the `listed` tuples. Raises UsageError unless they are tuples of squares of the board."""
    right = f"must be a list of one or more tuples of squares, which are numbers in 0..{board - 1}"
    try:
        tuples = [tuple(each) for each in listed]
    except TypeError:
        raise UsageError(f"features {called}: the method `tuples` returned {repr(listed)[:80]}; {right}") from None
    if not tuples:
        raise UsageError(f"features {called}: the method `tuples` returned an empty list; {right}")
    entries = 0
    for number, squares in enumerate(tuples):
        what = f"features {called}: tuple {number} is {squares!r}"
        if not squares:
            raise UsageError(f"{what}; each tuple must have at least one square")
        for square in squares:
            if type(square) is not int or not 0 <= square < board:
                raise UsageError(f"{what}; square {square!r} must be a number in 0..{board - 1}")
        if len({*squares}) < len(squares):
            twice = next(square for place, square in enumerate(squares) if square in squares[:place])
            raise UsageError(f"{what}; square {twice} appears twice; each square must appear only once")
        if kinds ** len(squares) > MAX_PATTERNS:
            raise UsageError(
                f"{what}, which has {kinds}^{len(squares)} patterns; a tuple may have at most {MAX_PATTERNS:,} patterns"
            )
        entries += kinds ** len(squares)
    if entries > MAX_ENTRIES:
        raise UsageError(
            f"features {called}: all tuples together have {entries:,} patterns; the maximum is {MAX_ENTRIES:,}"
        )
    return tuples
