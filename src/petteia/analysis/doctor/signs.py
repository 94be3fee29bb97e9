"""Tests for faults in the learned values, the features and the settings of a training run.

A test that finds its fault returns the measurements that show the fault, as a dictionary. Otherwise it returns None.
Nearly all constants are thresholds of the tests. The docstring of a threshold gives the reason for its value.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.stats import kendalltau

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.remains import Curve, UnexaminedError, root_mean_square
from petteia.checking.conformance import run_checks
from petteia.core.names import format_game
from petteia.core.protocol import has_chance, legal
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.table_settings import TableSettings
from petteia.games import GAMES
from petteia.learn.learners import LinearLearner
from petteia.learn.step_sizes import ByVisits

Figures = Mapping[str, object]
"""Measured figures by name, which are inserted into the texts of a fault."""

HUGE = 3.0
"""A limit in wins. Values of non-terminal positions lie between a loss and a win, and fitted values exceed this range
only slightly."""
STILL = 0.01
"""A limit in wins on the mean change of values. If they have changed less, they order hardly any moves."""
STILL_TABLE = 0.02
"""A limit in wins on the largest change of a value. In a frozen table, no value has changed by more."""
FAR_ENOUGH = 3.0
"""The minimum sum of the parts of the error that steps correct. The rest of the error is then exp(-3), a twentieth."""
FAR_ENOUGH_TABLE = 1.0
"""The minimum of the sum described under `FAR_ENOUGH`, for the value of a first move in a table."""
LARGE_PART = 0.3
"""The part of an error that a step corrects at the end. With larger steps, values depend on the last few games only."""
LARGE_ALPHA = 0.9
"""The step size of a table above which values depend on the last few games only."""
LARGE_SWING, SWINGING_PART = 0.5, 0.05
"""The swing of the values in the last games, as a part of their size; and the part of an error that steps must correct
to be the cause of the swing. If both sides learn, values also swing with small steps."""
LONGEST_TRACE = 0.999
"""The maximum decay factor of a trace in the estimate of the effect of an error."""
SMALL_VALUE = 0.1
"""A limit in wins. If values are smaller than this, their swing does not matter."""
EARLY, SPENT = 0.1, 0.8
"""The first part of the games, and the maximum part of the sum of step sizes in it. Constant steps have 0.1 there, and
steps that decay linearly 0.19 at most. With 0.85, five tables in four games scored 1 % to 20 % less than with 0.1."""
CONSTANTS = 2
"""The minimum number of constant features that counts as a fault. A single constant feature is a useful offset."""
HEAVY_CONSTANT = 0.9
"""The minimum part of the squared length in a constant feature. All other features then receive at most a tenth of each
step."""
MIN_SEEN, MAX_FEATURES = 25, 2_000
"""The minimum number of positions that show two features to be multiples of each other, and the maximum size of a set
for this check. In a large set of patterns, some always occur together in a sample."""
FEW_FEATURES, PART_LOST = 50, 0.5
"""The maximum size of a set for the check of features that are only 0 and -1, because large sets have many rare
features; and the minimum part of such features among those that are not constant."""
MAX_SCALES = 1_000.0
"""The maximum ratio of the sizes of two features. A step moves the weight of a feature in proportion to its size, and
the effect on values is in proportion to the square. The largest ratio in the tested sets of the package is 11."""
OTHER_UNIT = 10.0
"""The maximum size of initial values, in wins. Initial values other than 0 must be at least 1/100 of a win."""
RISE, CERTAIN, PART_OF_CLIMB, TREND = 0.04, 4.0, 0.2, 0.5
"""Limits on the gain of the last quarter over the third: in score, in standard errors, and as a part of the whole climb
of the curve. The last limit is Kendall's tau of all scores with time, because curves against deterministic players
drift."""
NEW_STATES, MIN_NEW = 0.6, 0.1
"""The rate of new states per game in the last quarter, as a part of the mean rate; and the minimum rate."""
UNVISITED = 0.25
"""The part of the positions of random games that a table lacks, if it still visits new states. Sound tables lacked 0.15
at most."""
TURNED = 0.12
"""The correlation with the winner that a feature must have with one side to move, and with the opposite sign with the
other. In 28 sound sets of five games it was 0.08 at most. The best features have 0.13 to 0.45 with the same sign."""
MOST_STOPPED = 0.5
"""The share of stopped games above which they explain why values do not change. Stopped games give no reward."""
FORGOTTEN = 0.002
"""The minimum part of a reward that must remain, after discounting, at the start of a game of mean length."""

CHECKED_GAMES = 20
"""The number of random games in which the rules are checked, which take a fraction of a second."""


TEXTS = ("texts of states", "texts of moves")
"""The checks of text forms, on which nothing else depends."""


def broken_rules(seen: Evidence) -> Figures | None:
    """Test whether custom rules fail a check of `petteia check` that does not concern their notation."""
    return next((found for found in _failures(seen) if found["check"] not in TEXTS), None)


def broken_texts(seen: Evidence) -> Figures | None:
    """Test whether custom rules fail a check of `petteia check` that concerns their notation for states or moves."""
    return next((found for found in _failures(seen) if found["check"] in TEXTS), None)


def _failures(seen: Evidence) -> Iterator[Figures]:
    """Yield the name and the message of each check of `petteia check` that custom rules fail."""
    if type(seen.rules) in GAMES:  # these are checked by the tests of the package
        return
    for check in run_checks(seen.rules, CHECKED_GAMES):
        if not check.passed:
            yield {"check": check.name, "message": check.message, "game": shlex.quote(format_game(seen.rules))}


def diverging(seen: Evidence) -> Figures | None:
    """Test whether learning will diverge if the run continues, or whether values greatly exceed the reward of a win."""
    win, game = seen.win, seen.divergence
    if game is not None:
        return {"how": f"it diverges in game {game}"}
    norms = [each.norm for each in seen.points if each.norm is not None]
    values = root_mean_square(seen.last_values) / win
    began = root_mean_square(seen.first_values) / win
    if values > HUGE and values > 2.0 * began:
        how = f"values are {values:.3g} wins on average; the length of the weights grew from {norms[0]:.3g} to "
        return {"how": f"{how}{norms[-1]:.3g}", "values": values}
    return None


def frozen(seen: Evidence) -> Figures | None:
    """Test whether the learned values have hardly changed."""
    seen.check_far_enough()
    if seen.random_play.stopped > MOST_STOPPED:  # games without a reward explain it; see `cut_off`
        return None
    if isinstance(seen.settings, TableSettings):
        moved = float(seen.changes.max()) if len(seen.changes) else 0.0
        return {"moved": moved, "how": "at most"} if moved < STILL_TABLE else None
    moved = root_mean_square(seen.last_values - seen.first_values) / seen.win
    return {"moved": moved, "how": "on average"} if moved < STILL else None


def large_steps(seen: Evidence) -> Figures | None:
    """Test whether the learning rate is still so large in the last games that values overshoot or fluctuate."""
    lasting = min(seen.last_gamma * seen.linear.learner.lambda_, LONGEST_TRACE)
    part = seen.last_part / (1.0 - lasting)  # an error also updates the features in the trace
    swing = _relative_swing(seen)
    if part < LARGE_PART and not (swing is not None and swing > LARGE_SWING and part > SWINGING_PART):
        return None
    swings = "" if swing is None else f"; values swing by {swing:.0%} of their size in the last tenth of the games"
    return {"part": part, "swings": swings, "alpha": seen.usual_alpha, "length": seen.features.square_length}


def _relative_swing(seen: Evidence) -> float | None:
    try:
        return seen.swing / max(root_mean_square(seen.last_values), SMALL_VALUE * seen.win)
    except UnexaminedError:
        return None


def large_alpha(seen: Evidence) -> Figures | None:
    """Test whether values in a table mostly reflect the last game, because the learning rate is too large.

    A large learning rate does harm only if the same moves can lead to different results. Therefore the test applies
    only if the game has chance nodes, the other side learns, or the opponent chooses moves at random.
    """
    alpha = float(seen.alphas[-1])
    if isinstance(seen.tabular.rate.step, ByVisits) or alpha < LARGE_ALPHA:
        return None
    texts = list(seen.opponents)
    if has_chance(seen.rules):
        return {"alpha": alpha, "why": "the game has chance nodes"}
    if not texts:
        return {"alpha": alpha, "why": "the other side learns and explores, too"}
    return {"alpha": alpha, "why": f"{texts[0]} plays random moves"} if any(map(seen.plays_randomly, texts)) else None


def small_steps(seen: Evidence) -> Figures | None:
    """Test whether the learning rate is too small for the weights to converge during the games of the training run."""
    if seen.travelled >= FAR_ENOUGH:
        return None
    return {"reached": 1.0 - np.exp(-seen.travelled), "alpha": seen.usual_alpha, "games": seen.settings.games}


def small_alpha(seen: Evidence) -> Figures | None:
    """Test whether the learning rate is too small for a table to learn the values of first moves.

    Each game begins with only one of the possible first moves. Therefore the value of each first move is updated in
    only some of the games.
    """
    if isinstance(seen.tabular.rate.step, ByVisits):
        return None
    first = {game.states[0] for game in seen.random_play.games if game.states}
    moves = max((len(legal(seen.rules, state)) for state in first), default=1)
    travelled = float(np.sum(seen.alphas)) / moves
    if travelled >= FAR_ENOUGH_TABLE:
        return None
    return {"reached": 1.0 - np.exp(-travelled), "alpha": "0.1", "games": seen.settings.games}


def early_steps(seen: Evidence) -> Figures | None:
    """Test whether the learning rate decays so early that the first tenth of the games determines the values."""
    if isinstance(seen.settings, TableSettings) and isinstance(seen.tabular.rate.step, ByVisits):
        return None
    count = max(int(len(seen.alphas) * EARLY), 1)
    early, late = seen.alphas[:count], seen.alphas[count:]
    if not len(late) or not early.sum() > SPENT * seen.alphas.sum():
        return None
    spent = float(early.sum() / seen.alphas.sum())
    return {"spent": spent, "games": count, "early": early.mean(), "late": late.mean()}


def constants(seen: Evidence) -> Figures | None:
    """Test whether several features are constant, or one constant feature is larger than all others together."""
    found = seen.features.constants()
    if not seen.features.by_feature:
        return {"features": "all are 0", "part": 1.0, "count": len(seen.feature_names)}
    if not found:
        return None
    squares = sum(float(seen.features.by_feature[each][1][0]) ** 2 for each in found)
    part = squares / seen.features.square_length
    others = len(seen.features.by_feature) > len(found)
    if len(found) < CONSTANTS and (part < HEAVY_CONSTANT or (others and squares <= 1.0)):
        return None
    return {"features": _listed([seen.feature_names[each] for each in found]), "part": part, "count": len(found)}


def _listed(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def lost(seen: Evidence) -> Figures | None:
    """Test whether some features are never computed, or are always 0 or -1.

    For example, a fraction between -1 and 1 is always -1 or 0 if the code computes it with `//` instead of `/`.
    """
    sample, names = seen.features, seen.feature_names
    positions, constant = sample.matrix.shape[0], set(sample.constants())
    if len(names) > FEW_FEATURES or positions < MIN_SEEN or constants(seen) is not None:
        return None
    absent = tuple(f"{each}." for each in seen.absent_phases)
    told = [i for i, name in enumerate(names) if i not in constant and not name.startswith(absent)]
    left_out = [each for each in told if each in sample.left_out]
    if left_out and len(left_out) <= PART_LOST * len(names):
        how, remedy = "without a value", "compute every feature that has a name; or leave out its name"
        return _lost([names[each] for each in left_out], positions, how, remedy)
    rounded = [each for each in told if sample.is_floor_of_shares(each)]
    if not rounded or len(rounded) < PART_LOST * len(told):
        return None
    how, remedy = (
        "always 0 or -1",
        "check how they are computed (division with // instead of /, copied lines); or use features that vary",
    )
    return _lost([names[each] for each in rounded], positions, how, remedy)


def _lost(names: list[str], positions: int, how: str, remedy: str) -> Figures:
    return {"features": _listed(names), "count": len(names), "positions": positions, "how": how, "remedy": remedy}


def twins(seen: Evidence) -> Figures | None:
    """Test whether some features are multiples of other features."""
    width = seen.features.matrix.shape[1]
    if width > MAX_FEATURES:
        raise UnexaminedError(f"in a sample, some of {width:,} features always occur together")
    constant = set(seen.features.constants())
    found = [pair for pair in seen.features.twins(MIN_SEEN) if not {*pair} <= constant]
    if not found:
        return None
    pairs = [f"{seen.feature_names[one]} and {seen.feature_names[other]}" for one, other in found]
    return {"pairs": _listed(pairs), "count": len(found), "positions": seen.features.matrix.shape[0]}


def scales(seen: Evidence) -> Figures | None:
    """Test whether some features are so much smaller than others that no step size suits both."""
    if len(seen.feature_names) > FEW_FEATURES:
        return None
    sizes = {each: root_mean_square(values) for each, (_, values) in seen.features.by_feature.items()}
    large, small = max(sizes, key=sizes.__getitem__, default=0), min(sizes, key=sizes.__getitem__, default=0)
    if not sizes or sizes[large] <= MAX_SCALES * sizes[small]:
        return None
    few = [seen.feature_names[each] for each in sorted(sizes) if sizes[large] > MAX_SCALES * sizes[each]]
    told = {"large": seen.feature_names[large], "high": sizes[large], "small": seen.feature_names[small]}
    return {**told, "low": sizes[small], "features": _listed(few), "count": len(few)}


def mover_view(seen: Evidence) -> Figures | None:
    """Test whether features are computed from the perspective of the player to move, instead of player 0."""
    if set(seen.settings.seats) != {0, 1}:
        raise UnexaminedError("only one side learns, and this side only values positions after its own moves")
    if len(seen.feature_names) > MAX_FEATURES:
        raise UnexaminedError(
            f"with {len(seen.feature_names):,} features, some seem by chance to depend on the player to move"
            f" (limit: {MAX_FEATURES:,})"
        )
    one, other = seen.correlations_with_winner(0), seen.correlations_with_winner(1)
    found = np.flatnonzero((one * other < 0.0) & (np.minimum(np.abs(one), np.abs(other)) > TURNED))
    if not len(found):
        return None
    first = int(found[0])
    told = {
        "feature": seen.feature_names[first],
        "one": one[first],
        "other": other[first],
        "first": seen.name(0),
        "second": seen.name(1),
    }
    told["set"] = seen.linear.learner.features
    return {"features": _listed([seen.feature_names[each] for each in found]), "count": len(found), **told}


def other_unit(seen: Evidence) -> Figures | None:
    """Test whether the initial values of positions and the reward of a win differ by orders of magnitude."""
    if seen.linear.learner.win_reward == LinearLearner.win_reward:  # `first_weights` examines the weights
        return None
    began, win = root_mean_square(seen.first_values), seen.win
    if began <= OTHER_UNIT * win and not (0.0 < began < win / OTHER_UNIT**2):
        return None
    return {"began": began, "reward": win}


def draws_as_wins(seen: Evidence) -> Figures | None:
    """Test whether the reward of a draw is at least as large as the reward of a win."""
    win, draw = seen.linear.learner.win_reward, seen.linear.learner.draw_reward
    return {"win": win, "draw": draw} if draw >= win else None


def first_weights(seen: Evidence) -> Figures | None:
    """Test whether the learned values are still mostly the initial values."""
    seen.check_far_enough()
    first, last, win = seen.first_values, seen.last_values, seen.win
    began, moved = root_mean_square(first), root_mean_square(last - first)
    if began < 1.5 * win or moved > 0.5 * began:
        return None
    return {"weights": seen.linear.learner.weights, "began": began / win, "moved": moved / began}


def still_rising(seen: Evidence) -> Figures | None:
    """Test whether a learning curve still rises at its end, or whether a table still gains many new states."""
    if not seen.training.is_finished:
        raise UnexaminedError(f"the training has finished only {seen.done:,} of {seen.settings.games:,} games")
    for curve in seen.curves:
        more: dict[str, object] = {"more": 5 * seen.settings.games, "remedy": "more games", "set": ""}
        if how := _rise(seen.name(curve.seat), curve):
            return more | {"how": how}
        if how := _new_states(seen, curve):
            return more | {"how": how} | instead_of_a_table(seen)
    return None


def a_table(seen: Evidence) -> str:
    """Return a phrase that suggests a table instead of weights, and that states the number of positions of the game.

    The function is called only if the game has been solved.
    """
    assert seen.solution is not None
    return f"a table (leave out --features), as the game has only {len(seen.solution.keys):,} positions"


def instead_of_a_table(seen: Evidence) -> dict[str, object]:
    """Return the remedy for a table that contains too few states: more games, or features instead of a table."""
    if seen.solution is not None:
        return {"remedy": "more games; or features, which also value positions that were never visited", "set": ""}
    remedy = "features instead of a table, as this game has too many states for a few games; or many more games"
    return {"remedy": remedy, "set": seen.known_set, "more": seen.settings.games}


def _rise(name: str, curve: Curve) -> str:
    quarter = len(curve.points) // 4
    if quarter < 4:
        return ""
    before, late = curve.scores[-2 * quarter : -quarter], curve.scores[-quarter:]
    rise, noise = late.mean() - before.mean(), np.sqrt((late.var(ddof=1) + before.var(ddof=1)) / quarter)
    climb, trend = (
        late.mean() - curve.scores[: quarter // 3 + 1].mean(),
        kendalltau(np.arange(len(curve.scores)), curve.scores).statistic,
    )
    if rise <= max(RISE, CERTAIN * noise, PART_OF_CLIMB * climb) or not trend > TREND:
        return ""
    return f"the curve of {name} still rises: {before.mean():.1%} in the third quarter, {late.mean():.1%} in the last"


def _new_states(seen: Evidence, curve: Curve) -> str:
    first, last = curve.points[-1 - len(curve.points) // 4], curve.points[-1]
    if first.states is None or last.states is None or first.games == last.games:
        return ""
    new, games, usual = last.states - first.states, last.games - first.games, last.states / last.games
    how = f"{new:,} of all {last.states:,} states were visited first in the last quarter of the games"
    if usual >= MIN_NEW and new > NEW_STATES * usual * games:
        return how
    if new < MIN_NEW * games or seen.unvisited <= UNVISITED:
        return ""
    return f"{how}, and {seen.unvisited:.0%} of the positions of random games were never visited"


def small_gamma(seen: Evidence) -> Figures | None:
    """Test whether the discount factor is so small that rewards hardly affect the values of early moves."""
    left = seen.last_gamma**seen.steps
    if left >= FORGOTTEN:
        return None
    longer = "1" if isinstance(seen.settings, LinearSettings) else "0.9"
    return {"gamma": seen.last_gamma, "steps": seen.steps, "left": left, "better": longer}
