"""The signs of faults in how a run has played: in what it has met, and in how well it does against others.

As in `signs`, what figures are held against stands here, each bound with its reason.
"""

from __future__ import annotations

import numpy as np

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.judging import GAMES
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.signs import Figures
from petteia.arena.statistics import Interval
from petteia.core.protocol import has_chance
from petteia.experiments.table_settings import TableSettings
from petteia.games import GAMES as KNOWN

NO_ORDER, GAIN = 0.12, 0.05
"""Kendall's tau that learned values must be able to reach, unless they are worth so much of the score: against one who
errs, other moves may be good than against best play"""
FEW_STATES = 0.5
"""part of the states of as many random games as are looked at, at most 400, that a table must hold"""
FEW_RANDOM, REPEATED = 0.5, 0.5
"""random moves in a game of learning, and part of games that repeat others"""
BEATEN, UNBEATEN = 0.95, 0.01
"""scores of random moves against an opponent from which nothing, and of all players against one which cannot, be won"""
WIDE = 0.25
"""width of an interval: a score of 50 % cannot be told from one of 62 %"""
ALWAYS = 0.985
"""score, or as much less than one"""
EASY = 0.8
"""score of random moves against a player that measures, above which there is little left to be seen"""
MIN_POINTS = 3
CUT_OFF = 0.05
"""part of games without an end"""
MANY = 4_000
"""games that are played where 200 cannot tell what was learned from random moves; they tell 2 % apart"""
CERTAINLY = 2.0
"""standard errors by which what was learned must do better than random moves"""
WORTH = 0.05
"""by which best play must score more than random moves, if more is to be learned: in games of luck it may be less"""
NEXT_TO_NOTHING = 0.1
"""part of what best play wins from random moves: sound runs of solved games won 0.25 of it or more"""
LEARNED = 0.3
"""part of what random moves lose to the opponent of learning that must have been won, to ask what else was learned"""
CARRIED = {"random": 0.5, "greedy": -0.05}
"""part of the same against a stranger that must be won, in parts of that against the opponent: against one who plays
well, what random moves win is enough, but for noise. Against `random` eleven runs that had met another and knew more
had 0.65 or more, twelve that knew nobody else 0.47 or less"""


def no_better(seen: Evidence) -> Figures | None:
    """Scores against random moves that these reach as well, or with next to nothing of what best play wins."""
    seen.check_far_enough()
    for seat in seen.settings.seats:
        if seen.won("random", seat) >= NEXT_TO_NOTHING and _gain(seen, seat, GAMES).low > 0.0:
            continue
        gain = _gain(seen, seat, MANY)
        score, without = seen.learned("random", seat, MANY).score, seen.unlearned("random", seat, MANY).score
        best = seen.perfect(seat)
        wins = None if best is None else best.score - without
        if without >= EASY:
            is_there = gain.high < 0.0
        elif wins is None:
            is_there = gain.low <= 0.0
        else:
            is_there = wins >= WORTH and gain.mean < NEXT_TO_NOTHING * wins
        if is_there:
            told = "" if best is None else f"; best play scores {best.score:.1%}"
            figures = {"side": seen.name(seat), "score": score, "without": without, "games": MANY}
            return figures | {"best": told, "more": 5 * seen.settings.games}
    return None


def _gain(seen: Evidence, seat: int, games: int) -> Interval:
    """By how much what was learned scores more against random moves than these themselves, with its interval."""
    score, without = seen.learned("random", seat, games).score, seen.unlearned("random", seat, games).score
    half = CERTAINLY * float(np.sqrt((score * (1.0 - score) + without * (1.0 - without)) / games))
    return Interval(score - without, score - without - half, score - without + half)


def one_opponent(seen: Evidence) -> Figures | None:
    """What was won from the opponent of learning, and is not won from a stranger."""
    seen.check_far_enough()
    if seen.meets_itself:
        raise UnexaminedError("it meets itself, who changes as it does")
    stranger = "greedy" if "random" in seen.opponents else "random"
    for seat in seen.settings.seats:
        for text in seen.opponents:
            known, strange = seen.won(text, seat), seen.won(stranger, seat)
            if known >= LEARNED and strange < CARRIED[stranger] * known:
                return {
                    "side": seen.name(seat),
                    "opponent": text,
                    "stranger": stranger,
                    "known": seen.learned(text, seat).score,
                    "strange": seen.learned(stranger, seat).score,
                    "known_without": seen.unlearned(text, seat).score,
                    "strange_without": seen.unlearned(stranger, seat).score,
                }
    return None


def other_start(seen: Evidence) -> Figures | None:
    """What was won in games from the positions of learning, and is not won from the start of the game."""
    seen.check_far_enough()
    if not seen.begins_elsewhere:
        return None
    for seat in seen.settings.seats:
        there, (at_first, score, without) = seen.won("random", seat), seen.won_from_the_start("random", seat)
        if there >= LEARNED and at_first < CARRIED["random"] * there:
            return {
                "side": seen.name(seat),
                "there": seen.learned("random", seat).score,
                "there_without": seen.unlearned("random", seat).score,
                "score": score,
                "without": without,
            }
    return None


def no_order(seen: Evidence) -> Figures | None:
    """Values that order moves no better than chance."""
    seen.check_far_enough()
    order, against = seen.order
    if order.high >= NO_ORDER:
        return None
    score, without = seen.gain
    if score - without > GAIN:
        return None
    found = {"tau": order.tau, "high": order.high, "positions": order.positions, "against": against}
    return found | {"score": score, "without": without, "other": seen.measures, "more": 5 * seen.settings.games}


def little_exploration(seen: Evidence) -> Figures | None:
    """A table of fewer states than a few random games meet; or learning by the same game again and again."""
    if isinstance(seen.settings, TableSettings):
        games = min(len(seen.random_play.games), seen.done)
        usual, met = seen.states_of_random_games(games), int(seen.table.used[0])
        if met >= FEW_STATES * usual:
            return None
        return {"how": f"{met:,} states were met in {seen.done:,} games; {games} random games meet {usual:,}"}
    moves = float(np.mean(seen.linear.exploration.over(0, max(seen.done, 1), seen.settings.games))) * seen.steps
    if moves >= FEW_RANDOM or has_chance(seen.rules) or len(seen.settings.positions) > 1:
        return None
    if seen.repeated < REPEATED:
        return None
    return {"how": f"{moves:.2g} random moves a game, and {seen.repeated:.0%} of games repeat others"}


def weak_opponent(seen: Evidence) -> Figures | None:
    """An opponent that random moves beat."""
    for text in seen.opponents:
        for seat in seen.settings.seats:
            score = seen.unlearned(text, seat).score
            if score >= BEATEN:
                return {"opponent": text, "score": score, "side": seen.name(seat)}
    return None


def strong_opponent(seen: Evidence) -> Figures | None:
    """An opponent against whom neither random moves nor what was learned ever score."""
    measures = seen.settings.against
    beaten = {each.side for each in seen.points if each.score > UNBEATEN}
    for text in seen.opponents:
        for seat in seen.settings.seats:
            if text == measures and seat in beaten:
                continue
            if seen.random_play.wins(seat) > 0.0 and seen.unlearned(text, seat).score <= UNBEATEN:
                learned = seen.learned(text, seat)
                if learned.score <= UNBEATEN:
                    return {"opponent": text, "score": learned.score, "side": seen.name(seat), "stranger": "random"}
    return None


def no_winner(seen: Evidence) -> Figures | None:
    """Rules, or a start, by which a side that learns never wins."""
    for seat in seen.settings.seats:
        if any(point.wins for point in seen.points if point.side == seat) or not _never_wins(seen, seat):
            continue
        table = seen.solution
        exact = "" if table is None else f"; of all {len(table.keys):,} positions none is won for it"
        games = len(seen.random_play.games)
        return {"side": seen.name(seat), "games": games, "exact": exact, "other": seen.name(1 - seat)}
    return None


def one_sided(seen: Evidence) -> Figures | None:
    """Rules of a user's own by which whoever is met never wins, in no position."""
    if type(seen.rules) in KNOWN:  # some of their variants are so on purpose
        return None
    for seat in {0, 1} - {*seen.settings.seats}:
        if seen.solution is not None and _never_wins(seen, seat):
            count = len(seen.solution.keys)
            return {
                "side": seen.name(seat),
                "other": seen.name(1 - seat),
                "positions": count,
                "games": len(seen.random_play.games),
            }
    return None


def _never_wins(seen: Evidence, seat: int) -> bool:
    """Whether a side has won no random game, and no position is won for it, as far as is known."""
    if seen.random_play.wins(seat) > 0.0 or seen.random_play.stopped > 0.5:
        return False
    return seen.solution is None or not bool((seen.solution.values * (1 - 2 * seat) > 0).any())


def wide_evaluation(seen: Evidence) -> Figures | None:
    """Intervals so wide that no gain that can be expected shows."""
    last = seen.points[-len(seen.settings.seats) :]
    width = float(np.mean([each.high - each.low for each in last]))
    return {"width": width, "games": seen.settings.evaluation_games(last[0].games)} if width > WIDE else None


def blind_evaluation(seen: Evidence) -> Figures | None:
    """Scores of next to nothing, or all, from the first point to the last, of every side that learns."""
    for curve in seen.curves:
        if len(curve.points) < MIN_POINTS:
            return None
        minimum, maximum = curve.scores.min(), curve.scores.max()
        if minimum < ALWAYS and maximum > 1.0 - ALWAYS:
            return None
        if maximum <= 1.0 - ALWAYS and seen.settings.against == "random":
            return None  # random moves can be beaten; see `no_better`
        if minimum >= ALWAYS and seen.unlearned(seen.settings.against, curve.seat).score < EASY:
            return None  # it has learned all that can be seen before the first point
    ends = " and ".join(f"{curve.scores.mean():.1%} as {seen.name(curve.seat)}" for curve in seen.curves)
    return {"points": len(seen.points), "ends": ends, "other": seen.settings.against}


def cut_off(seen: Evidence) -> Figures | None:
    """Games that are stopped before they end."""
    random = seen.random_play.stopped
    learned = max(each.stopped for each in seen.measured) if seen.done else 0.0
    if max(random, learned) <= CUT_OFF:
        return None
    return {"random": random, "learned": learned, "plies": seen.settings.max_plies}
