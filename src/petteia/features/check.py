"""Check feature sets and evaluations in plain Python and in compiled code, and compare the results of both."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator

import numpy as np

from petteia.checking.notes import CheckResult
from petteia.checking.sample import GUARD, ConformanceError, Sample, check_int, draw_sample, pick_evenly, where
from petteia.checking.shared import WHOLE, check_methods, in_stages, in_turn, only_computes, try_once
from petteia.core.arrays import Floats, Ints
from petteia.core.errors import UsageError
from petteia.core.kernel import kernel, runs_plain
from petteia.core.protocol import Rules, State, initial, is_over, margin, method
from petteia.features.evaluation import Evaluation, bound, evaluate, unit
from petteia.features.feature_set import (
    FeatureSet,
    features,
    max_active,
    names,
    phase,
    size,
    tells_most_active,
)
from petteia.foreign.diagnosis import Right

PARAMETERS = {
    "tuples": ("feature_set", "rules"),
    "names": ("feature_set", "rules"),
    "size": ("feature_set", "rules"),
    "features": ("feature_set", "rules", "state", "index", "value"),
    "phase": ("feature_set", "rules", "state"),
    "max_active": ("feature_set", "rules"),
}
"""The names of the parameters of each method of a feature set."""
NEEDED = ("names", "size", "features")
"""The methods that a set must define unless it defines `tuples`; only sets of phases define `phase`."""
COMPILED = dict.fromkeys(("size", "features", "phase", "max_active"), WHOLE)
"""The compiled methods of a feature set, with the types of their results."""
RIGHT = Right(
    "keep constants in tuples, and write numbers and values of features into `index` and `value`",
    "text; it belongs in the method `names`, which is never compiled",
)
"""The advice in messages about code that a feature set cannot contain."""
UNWRITTEN = -1
"""The initial entry of a buffer for numbers of features; a buffer for values is filled with NaN."""
TOLERANCE = 1e-9
"""The largest relative difference allowed between a compiled and a plain value."""
MINIMUM = -(1 << 63)
"""The smallest value that an evaluation may return for a position."""
MAX_FEATURES = 1 << 26
MAX_POSITIONS = 2000

Pairs = dict[int, float]
"""The features of a state: a dictionary from the number of each feature to its value."""


def check_definition(cls: type, name: str) -> None:
    """Raise UsageError unless `cls` is a NamedTuple whose methods have the names and parameters of a feature set."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise UsageError(f"features {name}: {cls.__name__} must be a class derived from NamedTuple")
    lists = method(cls, "tuples") is not None
    if lists and (other := next((each for each in PARAMETERS if each != "tuples" and method(cls, each)), None)):
        raise UsageError(
            f"features {name}: {cls.__name__} defines both `tuples` and `{other}`; remove the method `{other}`"
        )
    for each, expected in PARAMETERS.items():
        own = method(cls, each)
        if own is None:
            if each in NEEDED and not lists:
                raise UsageError(
                    f"features {name}: {cls.__name__} does not define the method {each}({', '.join(expected)})"
                )
            continue
        parameters = tuple(inspect.signature(own).parameters)
        if parameters != expected:
            given, right = ", ".join(parameters), ", ".join(expected)
            raise UsageError(
                f"features {name}: the method `{each}` has the parameters ({given}); they must be ({right})"
            )


def try_feature_set(rules: Rules, feature_set: FeatureSet, name: str) -> None:
    """Test `feature_set` in one random game, and compile it. A feature set that has passed is not tested again.

    Raises UsageError if the feature set does not pass the test or does not compile. The error message calls the feature
    set `name`.
    """
    tried = (type(rules), rules, *_classes(feature_set), repr(feature_set))
    try_once(
        tried,
        f"features {name}",
        lambda: in_stages(
            _plain_checks(draw_sample(rules, 1), feature_set), lambda: _compiling_checks(rules, feature_set)
        ),
    )


def check_feature_set(rules: Rules, feature_set: FeatureSet, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Check all requirements on a feature set, in positions of `games` random games with the seed `seed`.

    The compiled code is not checked if a check in plain Python has failed or if numba is not available.
    """
    sample = draw_sample(rules, games, seed)
    return in_stages(
        _plain_checks(sample, feature_set),
        lambda: _compiling_checks(rules, feature_set),
        lambda: in_turn(rules, {"compiled features": lambda: _check_agreement(sample, feature_set)}),
    )


def check_evaluation(rules: Rules, evaluation: Evaluation, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Check all requirements on an evaluation, in positions of `games` random games with the seed `seed`.

    The compiled code is not checked if a check in plain Python has failed or if numba is not available.
    """
    sample = draw_sample(rules, games, seed)
    states = [state for state in _states(sample) if not is_over(rules, state)]
    values: list[int] = []
    checks: dict[str, Callable[[], None]] = {
        "random games": lambda: _check_games(sample),
        "evaluation": lambda: values.extend(_value(rules, evaluation, state) for state in states),
        "constancy": lambda: _check_same(rules, evaluation, states, values, compiled=False),
    }
    if method(type(evaluation), "bound"):
        checks["bound"] = lambda: _check_bound(sample, evaluation, states, values)
    if not runs_plain():
        checks["compiled evaluation"] = lambda: _check_same(rules, evaluation, states, values, compiled=True)
    return in_turn(rules, checks)


def _check_bound(sample: Sample, evaluation: Evaluation, states: list[State], values: list[int]) -> None:
    """Check that evaluations and final margins are within `bound`. A search would clip larger values to it."""
    rules = sample.rules
    maximum = check_int(bound(evaluation, rules), "the method `bound` returned", minimum=0)
    ends = [visit.state for visit in sample.visits if visit.over]
    worths = [margin(rules, state) * unit(evaluation) for state in ends]
    for state, value in zip([*states, *ends], [*values, *worths], strict=True):
        if abs(value) > maximum > 0:
            raise ConformanceError(
                f"{where(rules, state)}: the value of the position is {value}; must be in -{maximum}..{maximum}, "
                f"because `bound` returned {maximum}"
            )


@kernel(purpose="a check")
def _evaluated(evaluation: Evaluation, rules: Rules, state: State) -> int:
    return evaluate(evaluation, rules, state)


def _value(rules: Rules, evaluation: Evaluation, state: State) -> int:
    return check_int(
        _evaluated.function(evaluation, rules, state), "the evaluation returned", rules, state, minimum=MINIMUM
    )


def _as_given(evaluation: Evaluation, value: int) -> str:
    """Return an integer evaluation as a string, scaled back to the units of the custom function that returned it."""
    is_scaled = hasattr(evaluation, "made_from") and unit(evaluation) > 1
    return f"{value / unit(evaluation):.6g}" if is_scaled else str(value)


def _check_same(
    rules: Rules, evaluation: Evaluation, states: list[State], values: list[int], *, compiled: bool
) -> None:
    """Check that evaluating each state again gives the same value. Compiled values may differ by 1, due to rounding."""
    for state, value in zip(states, values, strict=True):
        repeated = int(_evaluated(evaluation, rules, state)) if compiled else _value(rules, evaluation, state)
        if abs(repeated - value) > compiled:
            one, two = (_as_given(evaluation, each) for each in (value, repeated))
            other = f"{one} in plain Python, but {two} in compiled code" if compiled else f"{one} and then {two}"
            raise ConformanceError(
                f"{where(rules, state)}: the evaluation returned {other}; both values must be the same"
            )


def _plain_checks(sample: Sample, feature_set: FeatureSet) -> Iterator[CheckResult]:
    """Run the checks in plain Python, and stop at the first failure, because later checks rely on earlier ones."""
    rules, states = sample.rules, _states(sample)
    all_pairs: list[Pairs] = []
    checks: dict[str, Callable[[], None]] = {
        "random games": lambda: _check_games(sample),
        "effects": lambda: only_computes(_classes(feature_set), COMPILED, "features must have no side effects"),
        "names": lambda: _check_names(rules, feature_set),
        "features": lambda: all_pairs.extend(_pairs(rules, feature_set, state) for state in states),
        "constancy": lambda: _check_constancy(rules, feature_set, states, all_pairs),
    }
    if method(type(feature_set), "phase"):
        checks["phases"] = lambda: _check_phases(rules, feature_set, states, all_pairs)
    return in_turn(rules, checks)


def _states(sample: Sample) -> list[State]:
    return [visit.state for visit in pick_evenly(sample.visits, MAX_POSITIONS)]


def _check_games(sample: Sample) -> None:
    """Check that the random games provide positions for the other checks.

    Games without an end also pass this check, because feature sets can be used in such games.
    """
    if not sample.visits:
        raise ConformanceError(sample.trouble)


def _check_names(rules: Rules, feature_set: FeatureSet) -> None:
    """Check that each feature has a name and that all names differ."""
    number = check_int(size(feature_set, rules), "the method `size` returned", minimum=1)
    if tells_most_active(feature_set):
        check_int(max_active(feature_set, rules), "the method `max_active` returned", minimum=1)
    if number > MAX_FEATURES:
        raise ConformanceError(f"the method `size` returned {number}; must be at most {MAX_FEATURES}")
    called = names(feature_set, rules)
    if not isinstance(called, tuple) or len(called) != number:
        returned = f"a tuple of {len(called)} items" if isinstance(called, tuple) else repr(called)[:80]
        raise ConformanceError(
            f"the method `names` returned {returned}; must be a tuple of {number} strings, because `size` returned "
            f"{number}"
        )
    for name in called:
        if type(name) is not str or not name.isprintable() or name != name.strip() or not name:
            raise ConformanceError(
                f"the method `names` returned the name {name!r}; each name must be one line of text, without leading "
                "or trailing spaces"
            )
    if len(set(called)) < number:
        twice = next(name for place, name in enumerate(called) if name in called[:place])
        raise ConformanceError(f"the method `names` returned {twice!r} twice; all names must differ")


@kernel(purpose="a check")
def _written(feature_set: FeatureSet, rules: Rules, state: State, index: Ints, value: Floats) -> int:
    """Write the features of `state` into `index` and `value`, and return their count."""
    return features(feature_set, rules, state, index, value)


def _pairs(rules: Rules, feature_set: FeatureSet, state: State, *, compiled: bool = False) -> Pairs:
    """Return the features of `state` as a dictionary. Raises ConformanceError if they violate the requirements."""
    maximum, active = size(feature_set, rules), max_active(feature_set, rules)
    says = "max_active" if tells_most_active(feature_set) else "size"
    index = np.full(active + GUARD, UNWRITTEN, np.int64)
    value = np.full(active + GUARD, np.nan)
    write = _written if compiled else _written.function
    count = check_int(write(feature_set, rules, state, index, value), "the method `features` returned", rules, state)
    behind = active if tells_most_active(feature_set) else count
    wrong = ""
    if count > active:
        wrong = f"the method `features` returned {count}; must be at most {active}, because `{says}` returned {active}"
    elif (index[behind:] != UNWRITTEN).any() or not np.isnan(value[behind:]).all():
        wrong = f"the method `features` returned {count}, but wrote more than {behind} entries"
    elif ((index[:count] < 0) | (index[:count] >= maximum)).any():
        number = next(int(each) for each in index[:count] if not 0 <= each < maximum)
        wrong = f"the method `features` wrote the feature number {number}; must be in 0..{maximum - 1}"
    elif not np.isfinite(value[:count]).all():
        place = int(np.flatnonzero(~np.isfinite(value[:count]))[0])
        wrong = f"the feature {names(feature_set, rules)[index[place]]} is {value[place]}; must be finite"
    elif len(pairs := dict(zip(index[:count].tolist(), value[:count].tolist(), strict=True))) < count:
        number = next(int(each) for place, each in enumerate(index[:count]) if each in index[:place])
        twice = names(feature_set, rules)[number]
        wrong = f"the method `features` wrote the feature {twice} twice; each feature may be written once"
    if wrong:
        raise ConformanceError(f"{where(rules, state)}: {wrong}")
    return pairs


def _check_phases(rules: Rules, feature_set: FeatureSet, states: list[State], all_pairs: list[Pairs]) -> None:
    """Check that, in each state, the feature with the index returned by `phase` is 1 and all other features are 0."""
    for state, pairs in zip(states, all_pairs, strict=True):
        number = check_int(phase(feature_set, rules, state), "the method `phase` returned", rules, state)
        if {each: value for each, value in pairs.items() if value != 0.0} != {number: 1.0}:
            raise ConformanceError(
                f"{where(rules, state)}: the method `phase` returned {number}, so feature {number} must be 1, and all "
                "other features must be 0"
            )


def _check_constancy(rules: Rules, feature_set: FeatureSet, states: list[State], all_pairs: list[Pairs]) -> None:
    """Check that repeated calls return the same features for a state."""
    for state, pairs in zip(states, all_pairs, strict=True):
        if _pairs(rules, feature_set, state) != pairs:
            raise ConformanceError(
                f"{where(rules, state)}: a second call of the method `features` returned different features; both "
                "calls must return the same features"
            )


def _check_agreement(sample: Sample, feature_set: FeatureSet) -> None:
    """Check that compiled code and plain Python give the same features."""
    rules = sample.rules
    called = names(feature_set, rules)
    for state in _states(sample):
        plain = _pairs(rules, feature_set, state)
        compiled = _pairs(rules, feature_set, state, compiled=True)
        for number in sorted({*plain, *compiled}):
            one, other = compiled.get(number, 0.0), plain.get(number, 0.0)
            if not math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                both = f"the feature {called[number]} is {one} in compiled code and {other} in plain Python"
                raise ConformanceError(f"{where(rules, state)}: {both}; both values must be the same")


def _compiling_checks(rules: Rules, feature_set: FeatureSet) -> Iterator[CheckResult]:
    """Compile each method of the feature set separately, and check the type of its result."""
    room = max_active(feature_set, rules)
    values = {
        "feature_set": feature_set,
        "rules": rules,
        "state": initial(rules),
        "index": np.zeros(room, np.int64),
        "value": np.zeros(room),
    }
    return check_methods(COMPILED, PARAMETERS, values, (type(rules), *_classes(feature_set)), RIGHT)


def _classes(feature_set: FeatureSet) -> list[type]:
    """Return the classes of the feature set and of all feature sets that it contains."""
    inner = [each for each in feature_set if isinstance(each, tuple) and method(type(each), "features")]
    return [type(feature_set), *(cls for each in inner for cls in _classes(each))]
