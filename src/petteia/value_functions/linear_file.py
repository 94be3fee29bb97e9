"""Learned weights of features in weights files: what a training saves and resumes from, and what `theta` plays by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.names import format_game
from petteia.core.numbers import finite_number, whole_number
from petteia.core.protocol import Rules
from petteia.features.feature_set import FeatureSet, names
from petteia.features.feature_sets import feature_set_for, read_feature_set
from petteia.features.grammar import canonical
from petteia.features.standardised import Standardised
from petteia.foreign.trust import require
from petteia.records.weights import Array, Place, Weights, of_kind, save_weights
from petteia.value_functions.origin import check_code, check_game, notice_of, origin_of

KIND = "linear"
TURNS = ("ply", "chain")
REWARDS = {"point": "a point of the margin", "win": "a game won"}
"""what was worth something when weights were learned"""
NEEDED = ("weights", "mean", "history", "history_games")
SCALING = ("centre", "scale")
EVERY, LATEST, AROUND = 100, 2000, 500
"""of a training the weights are kept after each hundredth game, the latest games, and those around its marks"""
MAX_WEIGHTS = 10_000
"""of which this is kept; of larger sets there are the last weights and their mean, over every thousandth game"""
MEAN_EVERY = 1000
MAX_NAMED = 10_000
"""names of features that stand in a file; of more of them it has a digest"""
DIGEST = 64
"""letters of a digest"""


class LearnedWeights(NamedTuple):
    """What was learned, how it came about, and for what features."""

    features: str
    """the text form of the feature set"""
    weights: Floats
    """the last weights, [size]"""
    mean: Floats
    """the mean of the weights after every hundredth game of the second half so far; of more than `MAX_WEIGHTS`, after
    every thousandth of the second half of the whole training; [size]"""
    history: Floats
    """weights on the way, [kept, size]"""
    history_games: Ints
    """the number of games after which each of them stood, ascending, [kept]"""
    games: int
    """games it has learned from"""
    turns: str = "ply"
    """what a move was to the learner: a `ply`, or a `chain` of all plies up to the other player's turn"""
    centre: Floats | None = None
    """what is subtracted from each feature, [size]; None where features are taken as they are"""
    scale: Floats | None = None
    """what each feature is then divided by, [size]"""
    point: float | None = None
    """what a point of the margin was worth when it was learned; None: it was learned from who has won"""
    win: float = 1.0
    """what a game won was worth, where that counted"""
    notice: str | None = None
    """how the rules, or the code, differ from those that it was learned with"""


def save_linear(path: Path, rules: Rules, learned: LearnedWeights, place: Place | None = None) -> None:
    """Write a weights file, that of a run if it has a `place` there.

    Raises InvalidError if a number is not finite, PetteiaError if it cannot be written.
    """
    parts = {name: getattr(learned, name) for name in (*NEEDED, *SCALING)}
    tensors: dict[str, Array] = {name: part for name, part in parts.items() if part is not None}
    metadata = {
        "features": canonical(learned.features),
        "names": _written_names(names(feature_set_for(rules, learned.features), rules)),
        "games": str(learned.games),
        "kept": str(len(learned.history)),
        "turns": learned.turns,
        **({} if learned.point is None else {"point": repr(learned.point)}),
        **({} if learned.win == 1.0 or learned.point is not None else {"win": repr(learned.win)}),
    } | origin_of(rules, read_feature_set(rules, learned.features))
    save_weights(path, KIND, format_game(rules), tensors, metadata, place)


def load_linear(source: Path | Weights, rules: Rules, *, other_rules: bool = False) -> LearnedWeights:
    """The learned weights in a weights file.

    Args:
        source: the path of the file, or what was read from it
        rules: under which they are to be used
        other_rules: take also what was learned under other rules of the same game, or by other code of it or of the
            features, if these are called the same there

    Raises:
        NotFoundError: there is no such file
        InvalidError: it is damaged, not whole, learned under other rules or by other code, or for features that are
            called otherwise now; or the features are of code that nobody vouches for

    """
    weights = of_kind(source, KIND)
    path = weights.path
    other = check_game(weights, rules, other_rules=other_rules)
    described = weights.metadata
    games, kept = (whole_number(described.get(each, "")) for each in ("games", "kept"))
    turns, features = described.get("turns"), described.get("features")
    missing = [name for name in NEEDED if name not in weights.tensors]
    if games is None or kept is None or turns not in TURNS or features is None or missing:
        lacking = ", ".join(missing) or "features, games, kept or turns"
        raise InvalidError(f"{path}: is not a whole set of learned weights: it lacks {lacking}")
    require(path, features)
    feature_set = _feature_set(path, features, rules)
    changed = check_code(weights, rules, read_feature_set(rules, features), other_rules=other_rules)
    now = names(feature_set, rules)
    _check_names(path, described.get("names", ""), features, now)
    _check_shapes(path, weights.tensors, kept, len(now))
    _check_history(path, weights.tensors["history_games"], games)
    parts = {name: weights.tensors.get(name) for name in (*NEEDED, *SCALING)}
    notice = notice_of("weights", other, changed)
    reward = {name: _reward(path, words, described[name]) for name, words in REWARDS.items() if name in described}
    return LearnedWeights(features=features, games=games, turns=turns, notice=notice, **reward, **parts)  # type: ignore[arg-type]  # by name


def feature_set_of(learned: LearnedWeights, rules: Rules) -> FeatureSet:
    """The features that the weights belong to, scaled as they were when these were learned."""
    feature_set = feature_set_for(rules, learned.features)
    if learned.centre is None or learned.scale is None:
        return feature_set
    return Standardised(feature_set, np.array(learned.centre), np.array(learned.scale))


def _reward(path: Path, words: str, written: str) -> float:
    """What a point of the margin, or a game won, is worth, as it is written."""
    reward = finite_number(written)
    if reward is None or reward <= 0.0:
        raise InvalidError(f"{path}: {words} is worth {written!r} in it; must be a number above 0")
    return reward


def _written_names(called: tuple[str, ...]) -> str:
    """What is kept of the names of features: themselves, or a digest of many."""
    written = json.dumps(called)
    return written if len(called) <= MAX_NAMED else hashlib.sha256(written.encode()).hexdigest()


def _feature_set(path: Path, features: str, rules: Rules) -> FeatureSet:
    try:
        return feature_set_for(rules, features)
    except PetteiaError as error:
        raise InvalidError(f"{path}: {error}") from None


def _check_names(path: Path, written: str, features: str, now: tuple[str, ...]) -> None:
    """Raise an InvalidError unless the features are called, and ordered, as they were when the weights were learned."""
    if len(now) > MAX_NAMED and len(written) == DIGEST:
        if written != _written_names(now):
            raise InvalidError(f"{path}: features of {features} had other names, or another order, when it was learned")
        return
    try:
        then = json.loads(written)
    except (ValueError, RecursionError):
        then = None
    if not isinstance(then, list):
        raise InvalidError(f"{path}: is not a whole set of learned weights: it does not name its features")
    if len(then) != len(now):
        raise InvalidError(f"{path}: has weights of {len(then)} features; {features} has {len(now)} here")
    for number, (old, new) in enumerate(zip(then, now, strict=True)):
        if old != new:
            raise InvalidError(
                f"{path}: feature {number} of {features} was {old!r} when it was learned, now is {new!r}"
            )


def _check_shapes(path: Path, tensors: Mapping[str, Array], kept: int, size: int) -> None:
    wanted: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {
        **{name: (np.dtype(np.float64), (size,)) for name in ("weights", "mean", *SCALING)},
        "history": (np.dtype(np.float64), (kept, size)),
        "history_games": (np.dtype(np.int64), (kept,)),
    }
    if len({*SCALING} & {*tensors}) == 1:
        raise InvalidError(f"{path}: has only one of {' and '.join(SCALING)}; features are scaled by both")
    for name, tensor in tensors.items():
        if name not in wanted:
            raise InvalidError(f"{path}: holds {name!r}; learned weights are {', '.join(wanted)}")
        kind, shape = wanted[name]
        if tensor.dtype != kind or tensor.shape != shape:
            cut = ": its history is cut short" if name.startswith("history") and tensor.shape[:1] < (kept,) else ""
            raise InvalidError(
                f"{path}: {name} is {tensor.dtype}{list(tensor.shape)}, must be {kind}{list(shape)}{cut}"
            )
    if "scale" in tensors and not (tensors["scale"] > 0).all():
        raise InvalidError(f"{path}: scale holds numbers that are not more than 0")


def _check_history(path: Path, marks: Array, games: int) -> None:
    if (np.diff(marks) <= 0).any():
        place = int(np.argmax(np.diff(marks) <= 0))
        raise InvalidError(f"{path}: history_games must ascend, but {marks[place]} is followed by {marks[place + 1]}")
    if len(marks) and not 0 <= marks[0] <= marks[-1] <= games:
        wrong = int(marks[0] if marks[0] < 0 else marks[-1])
        raise InvalidError(f"{path}: its history speaks of game {wrong:,}; it has learned from {games:,}")
