"""Which features of a set others nearly make up for: a weight is only as certain as its feature is unlike the rest.

Beside each feature stands how often it is not zero, and its uncentred variance inflation factor, 1 / (1 - R^2). R^2 is
the share of the sum of its squares (not of its variance) that the other features explain, in the positions in which it
applies. Squares are what counts for a learner that sees features as they are: nothing is subtracted from them, and the
constant is a feature like others, which something that hardly varies makes up for. So the factor is that of the
diagonal of the inverse of the matrix of second moments, by which errors of weights spread. Sources: Belsley, Kuh,
Welsch 1980, "Regression diagnostics"; Belsley 1984, "Demeaning conditioning diagnostics through centering".

Both are measured in positions of games that a player plays against itself, now and then at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.alternate import legal_move
from petteia.arena.openings import start_state
from petteia.core.arrays import Floats, Ints
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, draw_move, is_over, limits, play, seats, to_move
from petteia.core.random import RandomState, checked_seed, keys, stream, uniform
from petteia.features.feature_set import FeatureSet, features, max_active, names, size
from petteia.features.feature_sets import feature_set_for
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.foreign import ForeignPolicyPlayer
from petteia.policies.play_games import MAX_PLIES, play_chance
from petteia.policies.policy import begin, choose, workspace

SAMPLED_GAMES, RANDOM_MOVES = 400, 0.3
"""games whose positions are looked at, and the share of random moves in them, unless said"""
LARGEST = 1e6
"""the factor of a feature that the others explain in full"""
UNLIMITED = Limit()


class Collinearity(NamedTuple):
    """A feature, and how much of it the others tell."""

    feature: str
    """the name of the feature"""
    frequency: float
    """share of the positions in which it is not zero"""
    inflation: float
    """uncentred variance inflation factor; 1: no other feature tells anything about it"""


def collinearity(
    game: str | Rules,
    feature_set: str | FeatureSet,
    *,
    subject: str | Any = "random",
    games: int = SAMPLED_GAMES,
    random_moves: float = RANDOM_MOVES,
    position: str | State | None = None,
    seed: int = 0,
) -> list[Collinearity]:
    """Measure the collinearity of the features of a set.

    Features that are called `..NAME_to_move..`, NAME being that of a seat, apply where that seat is to move, and are
    looked at there alone; others apply everywhere.

    Args:
        game: the rules or their text
        feature_set: the features or their text
        subject: the player whose games pass through the positions: its text, a player, or a policy; it plays both sides
        games: how many
        random_moves: the share of moves in them that are random, 0..1
        position: where games start, a state or its text; default: the first of the game
        seed: of all random numbers, 0..2^63-1

    Returns:
        A row for each feature, in their order.

    Raises:
        UsageError: an unknown game, feature set or player; a player of one side alone; a number out of range
        NotFoundError: a module, class, run or file that is not there
        InvalidError: an impossible position, a file that does not fit
        PetteiaError: a player that fails or makes an illegal move

    Examples:
        >>> rows = petteia.collinearity("kalah:leftovers=nobody", "report", games=20)
        >>> rows[0].feature, round(rows[0].inflation, 2)
        ('south_to_move.south.can_get_another_move', 2.3)

    """
    rules = rules_of(game)
    known = feature_set_for(rules, feature_set)
    start = start_state(rules, position)
    seen = sample_features(
        rules, known, player(subject, rules), games=games, random_moves=random_moves, start=start, seed=seed
    )
    labels = names(known, rules)
    figures = zip(labels, frequencies(seen), inflation(seen, labels, seats(rules)), strict=True)
    return [Collinearity(label, float(often), float(inflated)) for label, often, inflated in figures]


class FeatureSample(NamedTuple):
    """The features of positions, one after the other."""

    table: Floats
    """their values, [positions, size]"""
    movers: Ints
    """the side that is to move in each, [positions]"""


def sample_features(
    rules: Rules,
    feature_set: FeatureSet,
    subject: Player,
    *,
    games: int,
    random_moves: float,
    start: State,
    seed: int,
) -> FeatureSample:
    """The features of the positions in games of a player against itself, now and then random."""
    if games < 1:
        raise UsageError(f"games={games}: must be 1 or more")
    if not 0.0 <= random_moves <= 1.0:
        raise UsageError(f"random_moves={random_moves}: must be in 0..1")
    if len(subject.seats) < 2:
        raise UsageError(f"player {subject.name} plays one side alone; here it must play both")
    (key,) = keys(checked_seed(seed), 1)
    work, width, rows, movers = workspace(rules), size(feature_set, rules), [], []
    buffer = np.zeros(limits(rules).moves, np.int64)
    active = max_active(feature_set, rules)
    numbers, values = np.zeros(active, np.int64), np.zeros(active)
    for game in range(games):
        random, state = np.array([stream(key, game)]), start
        chosen = _chooser(rules, subject, random)
        for _ in range(MAX_PLIES):
            if is_over(rules, state):
                break
            if to_move(rules, state) == CHANCE:
                state = play_chance(rules, state, random, work)
                continue
            row = np.zeros(width)
            count = features(feature_set, rules, state, numbers, values)
            row[numbers[:count]] = values[:count]
            rows.append(row)
            movers.append(to_move(rules, state))
            is_random = uniform(random) < random_moves
            move = int(draw_move(rules, state, random, buffer)) if is_random else chosen(state)
            state = play(rules, state, move)
    if not rows:
        raise UsageError(f"{format_game(rules)}: there is no position in which a player moves")
    return FeatureSample(np.array(rows), np.array(movers))


def _chooser(rules: Rules, subject: Player, random: RandomState) -> Callable[[State], int]:
    """How a player chooses in a game that begins now, drawing from `random`."""
    policy = None if isinstance(subject, ForeignPolicyPlayer) else subject.policy(rules)
    if policy is None:
        subject.new_game(rules, int(random[0]))
        return lambda state: legal_move(rules, subject, state, subject.choose(state, UNLIMITED).move)
    begin(policy, rules, random)
    work = workspace(rules)
    return lambda state: int(choose(policy, rules, state, random, work))


def frequencies(seen: FeatureSample) -> Floats:
    """The share of the positions in which each feature is not zero, [size]."""
    return np.asarray((seen.table != 0.0).mean(axis=0))


def inflation(seen: FeatureSample, labels: Sequence[str], seat_names: Sequence[str]) -> Floats:
    """The uncentred variance inflation factor of each feature, so called, where it applies; [size].

    A feature that is never seen has none: 1.
    """
    factors = np.ones(len(labels))
    for column, label in enumerate(labels):
        side = side_of(label, seat_names)
        rows = seen.table if side is None else seen.table[seen.movers == side]
        target, others = rows[:, column], np.delete(rows, column, axis=1)
        squares = target @ target
        if squares > 0.0:
            left = target - others @ np.linalg.lstsq(others, target, rcond=None)[0]
            factors[column] = min(squares / max(left @ left, squares / LARGEST), LARGEST)
    return factors


def side_of(label: str, seat_names: Sequence[str]) -> int | None:
    """The side that is to move where a feature so called applies; None: it applies everywhere."""
    parts = label.split(".")
    return next((side for side, name in enumerate(seat_names) if f"{name}_to_move" in parts), None)
