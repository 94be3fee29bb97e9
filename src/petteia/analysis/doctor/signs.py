"""The signs of each fault: functions that look at the evidence, and give the figures that show the fault, or None.

What they hold figures against stands here, each bound with its reason.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping

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
"""What was measured, by name; words are filled with it"""

HUGE = 3.0
"""wins: values of positions that are not over lie between a loss and a win, and a fit of them not far beyond"""
STILL = 0.01
"""of a win: values that have moved less in the mean order hardly any moves"""
STILL_TABLE = 0.02
"""of a win: where no value of a table has moved more"""
FAR_ENOUGH = 3.0
"""sum of the parts by which a value moves to its target: it is then within exp(-3), a twentieth, of it"""
FAR_ENOUGH_TABLE = 1.0
"""the same in a table, for one of the first moves"""
LARGE_PART = 0.3
"""of its error by which a step moves a value at the end: it then forgets all but the last few games"""
LARGE_ALPHA = 0.9
"""the same in a table"""
LARGE_SWING, SWINGING_PART = 0.5, 0.05
"""of the size of the values by which they swing in the last games, and part of an error by which steps must then move a
value to be the reason: where both sides learn values of values, small steps let them wander, too"""
LONGEST_TRACE = 0.999
"""share of a trace that lasts from step to step, at most, when it is counted how far an error reaches"""
SMALL_VALUE = 0.1
"""of a win: the size of values below which it does not matter how they swing"""
EARLY, SPENT = 0.1, 0.8
"""part of the games, and of all step sizes that may be spent in it. Steps of one size spend 0.1, steps that fall evenly
0.19 at most; with 0.85 the scores of five tables of four games were 1 % to 20 % lower than with 0.1"""
CONSTANTS = 2
"""features with one value everywhere; one is what values are counted from"""
HEAVY_CONSTANT = 0.9
"""part of the square length of features: all others then learn by a tenth of the step at most"""
MIN_SEEN, MAX_FEATURES = 25, 2_000
"""positions in which features must be seen to be called multiples of each other, and features in a set of which that is
asked: of many patterns some always come together in a sample"""
FEW_FEATURES, PART_LOST = 50, 0.5
"""features of a set of which it is asked whether they are only 0 and -1, as many of large sets are of rare positions;
and the part of them that must be so, constants left out"""
OTHER_UNIT = 10.0
"""wins: values that learning begins with, or as many times less"""
RISE, CERTAIN, PART_OF_CLIMB, TREND = 0.04, 4.0, 0.2, 0.5
"""by which scores of the last quarter exceed those of the third: in parts of the games, in standard errors, in parts of
all that the curve has climbed; and Kendall's tau of all scores with time, as curves against players that draw no lots
wander"""
NEW_STATES, MIN_NEW = 0.6, 0.1
"""states met for the first time in a game of the last quarter, as part of those in any game; and the least of these"""
TURNED = 0.12
"""correlation with who wins that a feature must have when one side is to move, and the opposite when the other is: in
28 sound sets of five games it was 0.08 at most; the best features have 0.13 to 0.45 in one direction, and seen from the
mover as much in two"""
FORGOTTEN = 0.002
"""what is left of a reward at the beginning of a game of usual length"""

CHECKED_GAMES = 20
"""random games in which the promises of the rules are checked: a fraction of a second"""


def broken_rules(seen: Evidence) -> Figures | None:
    """Rules of a user's own that do not keep a promise, as `petteia check` finds it."""
    if type(seen.rules) in GAMES:  # these are checked where they are made
        return None
    for check in run_checks(seen.rules, CHECKED_GAMES):
        if not check.passed:
            return {"check": check.name, "message": check.message, "game": shlex.quote(format_game(seen.rules))}
    return None


def diverging(seen: Evidence) -> Figures | None:
    """Learning that stops as diverging if it goes on, or values beyond all rewards that still grow."""
    win, game = seen.win, seen.divergence
    if game is not None:
        return {"how": f"it diverges in game {game}"}
    norms = [each.norm for each in seen.points if each.norm is not None]
    values = root_mean_square(seen.last_values) / win
    began = root_mean_square(seen.first_values) / win
    if values > HUGE and values > 2.0 * began:
        how = f"values are {values:.3g} wins in the mean, the length of the weights went from {norms[0]:.3g} to "
        return {"how": f"{how}{norms[-1]:.3g}", "values": values}
    return None


def frozen(seen: Evidence) -> Figures | None:
    """Values that have not moved."""
    seen.check_far_enough()
    if isinstance(seen.settings, TableSettings):
        moved = float(seen.changes.max()) if len(seen.changes) else 0.0
        return {"moved": moved, "how": "at most"} if moved < STILL_TABLE else None
    moved = root_mean_square(seen.last_values - seen.first_values) / seen.win
    return {"moved": moved, "how": "in the mean"} if moved < STILL else None


def large_steps(seen: Evidence) -> Figures | None:
    """Steps that move a value by much of its error still at the end, or values that swing."""
    lasting = min(seen.last_gamma * seen.linear.learner.lambda_, LONGEST_TRACE)
    part = seen.last_part / (1.0 - lasting)  # an error moves all that traces still hold
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
    """A table whose values are always those of the last game, where games differ by chance."""
    alpha = float(seen.alphas[-1])
    if isinstance(seen.tabular.rate.step, ByVisits) or alpha < LARGE_ALPHA:
        return None
    texts = list(seen.opponents)
    if has_chance(seen.rules):
        return {"alpha": alpha, "why": "chance moves in the game"}
    if not texts:
        return {"alpha": alpha, "why": "the other side learns and explores, too"}
    return {"alpha": alpha, "why": f"{texts[0]} draws lots"} if any(map(seen.draws_lots, texts)) else None


def small_steps(seen: Evidence) -> Figures | None:
    """Steps that do not add up to the way to what is to be learned."""
    if seen.travelled >= FAR_ENOUGH:
        return None
    return {"reached": 1.0 - np.exp(-seen.travelled), "alpha": seen.usual_alpha, "games": seen.settings.games}


def small_alpha(seen: Evidence) -> Figures | None:
    """The same in a table: of the first moves, each of which is tried in a part of the games."""
    if isinstance(seen.tabular.rate.step, ByVisits):
        return None
    first = {game.states[0] for game in seen.random_play.games if game.states}
    moves = max((len(legal(seen.rules, state)) for state in first), default=1)
    travelled = float(np.sum(seen.alphas)) / moves
    if travelled >= FAR_ENOUGH_TABLE:
        return None
    return {"reached": 1.0 - np.exp(-travelled), "alpha": "0.1", "games": seen.settings.games}


def early_steps(seen: Evidence) -> Figures | None:
    """Steps of which next to nothing is left after the first tenth of the games."""
    if isinstance(seen.settings, TableSettings) and isinstance(seen.tabular.rate.step, ByVisits):
        return None
    count = max(int(len(seen.alphas) * EARLY), 1)
    early, late = seen.alphas[:count], seen.alphas[count:]
    if not len(late) or not early.sum() > SPENT * seen.alphas.sum():
        return None
    spent = float(early.sum() / seen.alphas.sum())
    return {"spent": spent, "games": count, "early": early.mean(), "late": late.mean()}


def constants(seen: Evidence) -> Figures | None:
    """Features that never vary: several, or one that is larger than all others together."""
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


def whole_numbers(seen: Evidence) -> Figures | None:
    """Features that are 0 everywhere, or 0 and -1: what is left of shares where they are divided with //."""
    sample, names = seen.features, seen.feature_names
    positions, constant = sample.matrix.shape[0], set(sample.constants())
    if len(names) > FEW_FEATURES or positions < MIN_SEEN or constants(seen) is not None:
        return None
    told = [each for each in range(len(names)) if each not in constant]
    lost = [each for each in told if sample.is_floor_of_shares(each)]
    if not lost or len(lost) < PART_LOST * len(told):
        return None
    return {"features": _listed([names[each] for each in lost]), "count": len(lost), "positions": positions}


def twins(seen: Evidence) -> Figures | None:
    """Features that are multiples of each other."""
    width = seen.features.matrix.shape[1]
    if width > MAX_FEATURES:
        raise UnexaminedError(f"in a sample some of {width:,} features always come together")
    constant = set(seen.features.constants())
    found = [pair for pair in seen.features.twins(MIN_SEEN) if not {*pair} <= constant]
    if not found:
        return None
    pairs = [f"{seen.feature_names[one]} and {seen.feature_names[other]}" for one, other in found]
    return {"pairs": _listed(pairs), "count": len(found), "positions": seen.features.matrix.shape[0]}


def mover_view(seen: Evidence) -> Figures | None:
    """Features that are large where it is good for whoever is to move, be it the one or the other."""
    if set(seen.settings.seats) != {0, 1}:
        raise UnexaminedError("one side alone learns, which always values positions after its own moves")
    if len(seen.feature_names) > MAX_FEATURES:
        raise UnexaminedError(f"in a sample some of {len(seen.feature_names):,} features always seem so")
    one, other = seen.told_when_moving(0), seen.told_when_moving(1)
    found = np.flatnonzero((one * other < 0.0) & (np.minimum(np.abs(one), np.abs(other)) > TURNED))
    if not len(found):
        return None
    first = int(found[0])
    told = {"one": one[first], "other": other[first], "first": seen.name(0), "second": seen.name(1)}
    told["set"] = seen.linear.learner.features
    return {"features": _listed([seen.feature_names[each] for each in found]), "count": len(found), **told}


def other_unit(seen: Evidence) -> Figures | None:
    """A reward that is nothing beside the values that learning begins with."""
    if seen.linear.learner.win_reward == LinearLearner.win_reward:  # then weights are odd, see `first_weights`
        return None
    began, win = root_mean_square(seen.first_values), seen.win
    if began <= OTHER_UNIT * win and not (0.0 < began < win / OTHER_UNIT**2):
        return None
    return {"began": began, "reward": win}


def first_weights(seen: Evidence) -> Figures | None:
    """Values that are still mostly those of the weights that learning began with."""
    seen.check_far_enough()
    first, last, win = seen.first_values, seen.last_values, seen.win
    began, moved = root_mean_square(first), root_mean_square(last - first)
    if began < 1.5 * win or moved > 0.5 * began:
        return None
    return {"weights": seen.linear.learner.weights, "began": began / win, "moved": moved / began}


def still_rising(seen: Evidence) -> Figures | None:
    """A curve that rises at its end, or a table that meets new states as fast as ever."""
    if not seen.training.is_finished:
        raise UnexaminedError(f"it has learned from {seen.done:,} games of {seen.settings.games:,} only")
    for curve in seen.curves:
        how = _rise(seen.name(curve.seat), curve) or _new_states(curve)
        if how:
            return {"how": how, "games": 5 * seen.settings.games}
    return None


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


def _new_states(curve: Curve) -> str:
    first, last = curve.points[-1 - len(curve.points) // 4], curve.points[-1]
    if first.states is None or last.states is None or first.games == last.games:
        return ""
    new, usual = last.states - first.states, last.states / last.games
    if usual < MIN_NEW or new <= NEW_STATES * usual * (last.games - first.games):
        return ""
    return f"in the last quarter of the games {new:,} states were new, of {last.states:,} in all"


def small_gamma(seen: Evidence) -> Figures | None:
    """Rewards that are nothing by the time they come back to the beginning of a game."""
    left = seen.last_gamma**seen.steps
    if left >= FORGOTTEN:
        return None
    longer = "1" if isinstance(seen.settings, LinearSettings) else "0.9"
    return {"gamma": seen.last_gamma, "steps": seen.steps, "left": left, "better": longer}
