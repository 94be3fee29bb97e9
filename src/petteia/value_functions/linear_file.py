"""Weights files for linear value functions. Training runs save them and resume from them, and players can use them."""

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
REWARDS = {"point": "a point of the margin", "win": "a won game"}
"""The kinds of rewards in a training run, each with a description of the event that is rewarded."""
NEEDED = ("weights", "mean", "history", "history_games")
SCALING = ("centre", "scale")
EVERY, LATEST, AROUND = 100, 2000, 500
"""A training run stores the weights after every hundredth game, after each of its last 2000 games, and within 500 games
of each of its `marks`."""
MAX_WEIGHTS = 10_000
"""The maximum number of weights whose history is stored. The files of larger sets contain only the last weights and a
mean."""
MEAN_EVERY = 1000
MAX_NAMED = 10_000
"""The maximum number of feature names in a file. The names of larger sets are identified by a digest."""
DIGEST = 64
"""The length of a digest in characters."""


class LearnedWeights(NamedTuple):
    """The learned weights of a feature set, with their history and the settings of the training run."""

    features: str
    """the text form of the feature set"""
    weights: Floats
    """the weights after the last game: float64[size]"""
    mean: Floats
    """the mean of the weights after every hundredth game of the second half of the games so far: float64[size]; if
    there are more than `MAX_WEIGHTS` weights, after every thousandth game of the second half of the whole training"""
    history: Floats
    """the stored weights after earlier games: float64[kept, size]"""
    history_games: Ints
    """the number of games before each row of the history, ascending: int64[kept]"""
    games: int
    """the number of training games"""
    turns: str = "ply"
    """the action of the learner: a `ply`, or a `chain` of all plies until the other player's turn"""
    centre: Floats | None = None
    """the number that is subtracted from each feature: float64[size]; None if features are not scaled"""
    scale: Floats | None = None
    """the number by which each feature is then divided: float64[size]; None if features are not scaled"""
    point: float | None = None
    """the reward for each point of the margin; None if the reward was for a won game"""
    win: float = 1.0
    """the reward for a won game, if `point` is None"""
    notice: str | None = None
    """a notice if the rules or the code differ from those of the training; None if they are the same"""


def save_linear(path: Path, rules: Rules, learned: LearnedWeights, place: Place | None = None) -> None:
    """Write learned weights to a weights file.

    If the weights belong to a training run, `place` identifies the run and the last row that its journal contained when
    the weights were saved. Raises InvalidError if an array in `learned` contains a number that is not finite, and
    PetteiaError if the file cannot be written.
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
    """Load a weights file, and return the learned weights with their settings.

    Args:
        source: the path of the file, or its contents
        rules: the rules under which the weights will be used
        other_rules: whether to accept weights that were learned under other rules of the same game, or with other code
            of the game or of the features; the features must have the same names

    Raises:
        NotFoundError: there is no such file
        InvalidError: the file is damaged or incomplete, the weights were learned under other rules or with other code,
            the names of the features have changed, or the feature set is custom code that is not trusted

    """
    weights = of_kind(source, KIND)
    path = weights.path
    other = check_game(weights, rules, other_rules=other_rules)
    described = weights.metadata
    games, kept = (whole_number(described.get(each, "")) for each in ("games", "kept"))
    turns, features = described.get("turns"), described.get("features")
    missing = [name for name in NEEDED if name not in weights.tensors]
    if games is None or kept is None or turns not in TURNS or features is None or missing:
        arrays = f"the array{'s' if len(missing) > 1 else ''} {' and '.join(missing)}"
        lacking = arrays if missing else "a valid value of one or more of features, games, kept and turns"
        raise InvalidError(f"{path}: the weights file is incomplete, because it lacks {lacking}; train again")
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
    """Return the feature set of learned weights, with features scaled as in the training run."""
    feature_set = feature_set_for(rules, learned.features)
    if learned.centre is None or learned.scale is None:
        return feature_set
    return Standardised(feature_set, np.array(learned.centre), np.array(learned.scale))


def _reward(path: Path, words: str, written: str) -> float:
    """Parse a reward from the string `written`. Raises InvalidError if it is not a number above 0."""
    reward = finite_number(written)
    if reward is None or reward <= 0.0:
        raise InvalidError(f"{path}: the reward for {words} is {written!r}; the reward must be a number above 0")
    return reward


def _written_names(called: tuple[str, ...]) -> str:
    """Return the feature names as JSON, or the SHA-256 digest of the JSON for more than `MAX_NAMED` names."""
    written = json.dumps(called)
    return written if len(called) <= MAX_NAMED else hashlib.sha256(written.encode()).hexdigest()


def _feature_set(path: Path, features: str, rules: Rules) -> FeatureSet:
    try:
        return feature_set_for(rules, features)
    except PetteiaError as error:
        raise InvalidError(f"{path}: {error}") from None


def _check_names(path: Path, written: str, features: str, now: tuple[str, ...]) -> None:
    """Raise InvalidError if the names or the order of the features have changed since the training run."""
    if len(now) > MAX_NAMED and len(written) == DIGEST:
        if written != _written_names(now):
            raise InvalidError(
                f"{path}: since the training, the names or the order of the features in {features} have changed; train "
                "again"
            )
        return
    try:
        then = json.loads(written)
    except (ValueError, RecursionError):
        then = None
    if not isinstance(then, list):
        raise InvalidError(f"{path}: the weights file is incomplete, because it lacks the feature names; train again")
    if len(then) != len(now):
        raise InvalidError(
            f"{path}: the file contains weights for {len(then)} features, but the feature set {features} has "
            f"{len(now)} features in this game; train again"
        )
    for number, (old, new) in enumerate(zip(then, now, strict=True)):
        if old != new:
            raise InvalidError(
                f"{path}: feature {number} of the feature set {features} was {old!r} during training, but is "
                f"{new!r} now; train again"
            )


def _check_shapes(path: Path, tensors: Mapping[str, Array], kept: int, size: int) -> None:
    wanted: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {
        **{name: (np.dtype(np.float64), (size,)) for name in ("weights", "mean", *SCALING)},
        "history": (np.dtype(np.float64), (kept, size)),
        "history_games": (np.dtype(np.int64), (kept,)),
    }
    if len({*SCALING} & {*tensors}) == 1:
        raise InvalidError(
            f"{path}: the file contains only one of the arrays {' and '.join(SCALING)}; it must contain both or neither"
        )
    for name, tensor in tensors.items():
        if name not in wanted:
            raise InvalidError(
                f"{path}: the file contains the unknown array {name!r}; a file of learned weights may contain only "
                f"{', '.join(wanted)}"
            )
        kind, shape = wanted[name]
        if tensor.dtype != kind or tensor.shape != shape:
            cut = "; the history is cut short" if name.startswith("history") and tensor.shape[:1] < (kept,) else ""
            raise InvalidError(
                f"{path}: the array {name} has the type and shape {tensor.dtype}{list(tensor.shape)} "
                f"instead of {kind}{list(shape)}{cut}"
            )
    if "scale" in tensors and not (tensors["scale"] > 0).all():
        raise InvalidError(f"{path}: the array scale contains a number of 0 or less; all its numbers must be above 0")


def _check_history(path: Path, marks: Array, games: int) -> None:
    if (np.diff(marks) <= 0).any():
        place = int(np.argmax(np.diff(marks) <= 0))
        raise InvalidError(
            f"{path}: the array history_games contains {marks[place]} before {marks[place + 1]}; its numbers "
            "must be in ascending order"
        )
    if len(marks) and not 0 <= marks[0] <= marks[-1] <= games:
        wrong = int(marks[0] if marks[0] < 0 else marks[-1])
        raise InvalidError(
            f"{path}: the array history_games contains {wrong:,}; its numbers must be in 0..{games:,}, because the "
            f"training had {games:,} games"
        )
