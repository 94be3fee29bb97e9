"""The named feature sets of the package, their combinations (see `grammar`), and custom feature sets."""

from __future__ import annotations

import difflib
import functools
from typing import NamedTuple

from petteia.core.errors import UsageError
from petteia.core.names import name_of
from petteia.core.protocol import Rules, method
from petteia.features.amazons_terms import Distances, Stages
from petteia.features.british_blocks import Blocks, Lines, Stones
from petteia.features.british_square_counts import CENTRE, Counts, Territory
from petteia.features.feature_set import FeatureSet, InPhases, Joined
from petteia.features.grammar import Expression, Name, Sum, parse
from petteia.features.hare_squares import SquareFeatures
from petteia.features.kalah_chains import ChainFeatures
from petteia.features.kalah_potentials import Potentials, ReportFeatures
from petteia.features.kalah_stones import Phases, Pits, Rows, Store
from petteia.features.tuples import made
from petteia.features.turn import Turn
from petteia.foreign.loading import load_class
from petteia.games.amazons import Amazons
from petteia.games.british_square import BritishSquare
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.games.kalah import Kalah


class KnownFeatureSet(NamedTuple):
    """The registry entry of a feature set that comes with the package."""

    help: str
    """a description of the feature set in one line"""
    value: FeatureSet
    """the feature set"""
    game: type
    """the class of the feature set's game; `object` means any game"""


FEATURE_SETS: dict[str, KnownFeatureSet] = {
    "report": KnownFeatureSet(
        "possible gains of each side, with separate weights for each side to move, and the side to move",
        ReportFeatures(),
        Kalah,
    ),
    "potentials": KnownFeatureSet(
        "possible gains of each side, with the same weights for either side to move", Potentials(), Kalah
    ),
    "store": KnownFeatureSet("difference of the stores, and a constant", Store(), Kalah),
    "rows": KnownFeatureSet("difference of the numbers of stones in the rows", Rows(), Kalah),
    "pits": KnownFeatureSet("number of stones in each pit", Pits(), Kalah),
    "chain": KnownFeatureSet(
        "longest chains of extra turns, and the maximum gain of stones in the current turn", ChainFeatures(), Kalah
    ),
    "phases": KnownFeatureSet(
        "phases: the stores differ by at most four, or South is ahead, or behind; `SET*phases` has the features of "
        "SET once for each phase",
        Phases(),
        Kalah,
    ),
    "squares": KnownFeatureSet(
        "occupied squares, with separate features for each side to move", SquareFeatures(), HareAndHounds
    ),
    "counts": KnownFeatureSet(
        "numbers of each player's stones, stones in corners, stones off the edges, and open squares",
        Counts(),
        BritishSquare,
    ),
    "counts-centre": KnownFeatureSet(
        "numbers of each player's stones, stones in corners, stones in the centre, and open squares",
        Counts(CENTRE),
        BritishSquare,
    ),
    "territory": KnownFeatureSet(
        "difference of the numbers of stones, and numbers of squares open to one player or to both",
        Territory(),
        BritishSquare,
    ),
    "stones": KnownFeatureSet("difference of the numbers of stones", Stones(), BritishSquare),
    "blocks2x2": KnownFeatureSet("patterns of open squares in each block of 2x2 squares", Blocks(2, 2), BritishSquare),
    "blocks2x3": KnownFeatureSet(
        "patterns of open squares in each block of 2x3 or 3x2 squares", Blocks(2, 3), BritishSquare
    ),
    "blocks3x3": KnownFeatureSet("patterns of open squares in each block of 3x3 squares", Blocks(3, 3), BritishSquare),
    "lines": KnownFeatureSet("patterns of open squares in each rank and file", Lines(), BritishSquare),
    "distances": KnownFeatureSet(
        "squares that each player reaches first, and the mobility of the amazons", Distances(), Amazons
    ),
    "stages": KnownFeatureSet(
        "phases: the share of blocked squares, in sixths; `SET*stages` has the features of SET once for each phase",
        Stages(),
        Amazons,
    ),
    "turn": KnownFeatureSet(
        "phases: the side to move; `SET*turn` has the features of SET once for each side", Turn(), object
    ),
}
"""The feature sets by name."""


def feature_set_for(rules: Rules, given: str | FeatureSet) -> FeatureSet:
    """Return the feature set that `given` describes, for games under `rules`.

    Args:
        rules: the rules of the game
        given: a feature set, or an expression such as `rows+pits*turn`, in which `module:Name` is a custom set

    Raises:
        UsageError: the feature set does not exist, belongs to another game, appears twice, or does not pass its tests
        NotFoundError: the module or class does not exist

    """
    feature_set = made(rules, read_feature_set(rules, given))
    if not isinstance(given, str) or ":" in given:
        from petteia.features.check import try_feature_set

        try_feature_set(rules, feature_set, _called(given))
    return feature_set


def read_feature_set(rules: Rules, given: str | FeatureSet) -> FeatureSet:
    """Return the feature set that `given` describes, but create no n-tuple networks and do not test custom code."""
    if not isinstance(given, str):
        from petteia.features.check import check_definition

        check_definition(type(given), _called(given))
        return _of_game(rules, given, type(given).__name__)
    return _read(rules, parse(given), given)


def _called(given: str | FeatureSet) -> str:
    return repr(given) if isinstance(given, str) else type(given).__name__


def _read(rules: Rules, expression: Expression, text: str) -> FeatureSet:
    """Return the feature set that a parsed expression describes. Error messages quote its unparsed form `text`."""
    if isinstance(expression, Name):
        return _read_name(rules, expression.name)
    if isinstance(expression, Sum):
        return functools.reduce(Joined, [_read(rules, term, text) for term in expression.terms])
    phases = _read_name(rules, expression.phases)
    if method(type(phases), "phase") is None:
        known = ", ".join(name for name, kind in FEATURE_SETS.items() if method(type(kind.value), "phase"))
        raise UsageError(
            f"features {text!r}: the feature set {expression.phases!r} after * does not define the method `phase`; "
            f"after *, use one of {known}"
        )
    return InPhases(_read(rules, expression.whole, text), phases)


def _read_name(rules: Rules, name: str) -> FeatureSet:
    if ":" in name:
        from petteia.features.check import check_definition

        cls = load_class(name, "features")
        check_definition(cls, repr(name))
        try:
            return cls()
        except TypeError:
            raise UsageError(f"features {name!r}: every field of {cls.__name__} needs a default value") from None
    kind = FEATURE_SETS.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, FEATURE_SETS, 1)
        known = f"choose from {', '.join(FEATURE_SETS)}, or module:Name for a custom one"
        raise UsageError(f"there is no feature set {name!r}; {f'did you mean {near[0]!r}?' if near else known}")
    return _of_game(rules, kind.value, name)


def _of_game(rules: Rules, feature_set: FeatureSet, name: str) -> FeatureSet:
    """Return `feature_set`. Raises UsageError if it is a built-in feature set for another game."""
    for kind in FEATURE_SETS.values():
        if type(kind.value) is type(feature_set) and not isinstance(rules, kind.game):
            raise UsageError(
                f"features {name}: this feature set works only for {name_of(kind.game)}, not for {name_of(type(rules))}"
            )
    return feature_set
