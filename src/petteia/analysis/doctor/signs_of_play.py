"""Tests for faults in the play of a run: its opponents, its games, and its scores against other players.

A test that finds its fault returns the measurements that show the fault, as a dictionary. Otherwise it returns None.
Most constants of this module are thresholds of the tests.
"""

from __future__ import annotations

import numpy as np

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.judging import GAMES
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.signs import Figures, instead_of_a_table
from petteia.arena.statistics import Interval
from petteia.core.protocol import has_chance
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.table_settings import TableSettings
from petteia.games import GAMES as KNOWN
from petteia.learn.linear_targets import USUAL
from petteia.policies.policy import Uniform
from petteia.value_functions.table import learned_values

NO_ORDER, GAIN = 0.12, 0.05
"""The upper bound of Kendall's tau below which values do not order moves, unless they raise the score by `GAIN`.
Moves that are good against a weak opponent can be bad against best play."""
FEW_STATES = 0.5
"""The minimum number of states in a table, as a part of the states in the same number of random games (at most 400)."""
UNTRIED = 0.25
"""The share of untried moves in visited states above which a table without exploration has a fault."""
MAX_REWARD, STILL_INITIAL, SOME_STATES = 1.0, 0.5, 1_500
"""The largest reward; the part of the positions whose best value is larger, so that initial values choose the move; and
the maximum number of positions examined."""
FEW_RANDOM, REPEATED = 0.5, 0.5
"""The minimum number of random moves per training game, and the minimum part of repeated games for this fault."""
BEATEN, UNBEATEN = 0.95, 0.01
"""The minimum score of random moves against an opponent that is too weak, and the maximum score of random moves and of
the trained player against an opponent that is too strong."""
WIDE = 0.25
"""The width of an interval with which a score of 50 % cannot be distinguished from 62 %."""
ALWAYS = 0.985
"""The score against an evaluation opponent that is too weak. Against one that is too strong, it is 1 - ALWAYS."""
EASY = 0.8
"""The score of random moves against the evaluation opponent above which the curve can show little progress."""
MIN_POINTS = 3
CHECK_MARGIN = "check `margin`, which is above 0 if player 0 has won, and below 0 if player 1 has won"
MORE = "a larger exploration rate, initial values of 0, and more games"
LONG = 1_000
"""The default limit on plies. Games that are longer than this usually never end."""
CUT_OFF = 0.05
"""The maximum part of games that may be stopped before their end."""
MANY = 4_000
"""The number of games that are played if 200 games do not distinguish the trained player from random moves. They show
differences of 2 %."""
CERTAINLY = 2.0
"""The number of standard errors by which the trained player must score more than random moves."""
WORTH = 0.05
"""The gain of best play over random moves below which no fault is reported. In games of luck it can be small."""
NEXT_TO_NOTHING = 0.1
"""The part of best play's gain over random moves that a player must reach. Sound runs reached 0.25."""
LEARNED = 0.3
"""The part of the points lost by random moves that a player must gain from its opponent before others are compared."""
CARRIED_TO_START = 0.65
"""The part of the gain at the start positions of training that a player must also have at the start of the game."""
CARRIED = {"random": 0.5, "greedy": -0.05}
"""The minimum gain against an unknown opponent, as a part of the gain against the opponent of the training. Against
`greedy` the score of random moves is enough, apart from noise. Against `random`, eleven runs that had learned more than
their opponent gained 0.65 or more, and twelve that had not gained 0.47 or less."""


def no_better(seen: Evidence) -> Figures | None:
    """Test whether the trained player scores hardly better against random moves than a random player does.

    The gain of a player is its score against random moves minus the score of the random player. The fault is reported
    in these cases:

    - The random player already scores `EASY` or more, and the gain of the trained player is significantly below 0.
    - The random player scores less than `EASY`, the game cannot be solved, and the gain is not significantly above 0.
    - The random player scores less than `EASY`, the game can be solved, best play gains at least `WORTH`, and the gain
      of the trained player is less than a tenth of the gain of best play.
    """
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
            more = {"remedy": MORE, "more": 5 * seen.settings.games, "set": "", "rule": ""}
            if isinstance(seen.settings, TableSettings) and ":" in (rule := seen.settings.learner.target):
                more |= {"remedy": f"compare the rule {rule} with a built-in one; or {MORE}", "rule": "q"}
            return figures | {"best": told} | more | (instead_of_a_table(seen) if seen.solution is None else {})
    return None


def _gain(seen: Evidence, seat: int, games: int) -> Interval:
    """Return the trained player's gain in score over a random player, with a confidence interval.

    Both the trained player and the random player play against a random opponent.
    """
    score, without = seen.learned("random", seat, games).score, seen.unlearned("random", seat, games).score
    half = CERTAINLY * float(np.sqrt((score * (1.0 - score) + without * (1.0 - without)) / games))
    return Interval(score - without, score - without - half, score - without + half)


def one_opponent(seen: Evidence) -> Figures | None:
    """Test whether the player beats its training opponent, but has not learned to beat another opponent."""
    seen.check_far_enough()
    if seen.is_self_play:
        raise UnexaminedError("the opponent is the learner itself, which changes during the training")
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
    """Test whether the player is strong from the start positions of training, but weak from the initial position."""
    seen.check_far_enough()
    if not seen.starts_elsewhere:
        return None
    for seat in seen.settings.seats:
        score, without = _from_the_start(seen, seat, GAMES)
        there, at_first, best = seen.won("random", seat), (score - without) / max(1.0 - without, 1.0 / GAMES), ""
        if there < LEARNED or at_first >= CARRIED_TO_START * there:
            known, there_best = seen.perfect_from_the_start(seat, MANY), seen.perfect(seat)
            if known is None or there_best is None or seen.learned("random", seat).score < there_best.score - WORTH:
                continue
            score, without = _from_the_start(seen, seat, MANY)
            if known - without < WORTH or score - without >= CARRIED_TO_START * (known - without):
                continue
            best = f"; best play scores {known:.1%} from the start"
        return {
            "side": seen.name(seat),
            "there": seen.learned("random", seat).score,
            "there_without": seen.unlearned("random", seat).score,
            "score": score,
            "without": without,
            "best": best,
        }
    return None


def _from_the_start(seen: Evidence, seat: int, games: int) -> tuple[float, float]:
    """Return the scores of the trained player and of a random player, in games that start at the initial position.

    The opponent makes random moves in all of these games.
    """
    score, without = (seen.from_the_start(one, "random", seat, games) for one in (seen.policy, Uniform()))
    return score, without


def no_order(seen: Evidence) -> Figures | None:
    """Test whether the learned values rank moves no better than chance."""
    seen.check_far_enough()
    order, against = seen.order
    if order.high >= NO_ORDER:
        return None
    score, without = seen.gain
    if score - without > GAIN:
        return None
    found = {"tau": order.tau, "high": order.high, "positions": order.positions, "against": against}
    is_usual = isinstance(seen.settings, LinearSettings) and seen.settings.learner.aim == USUAL
    found["target"] = "" if is_usual else "; and the result of the game as the target"
    return found | {"score": score, "without": without, "other": seen.measures, "more": 5 * seen.settings.games}


def initial_values(seen: Evidence) -> Figures | None:
    """Test whether most best moves still have a value above all rewards, because the initial value is too large."""
    seen.check_far_enough()
    initial, states = seen.table.initial, seen.random_play.turns(seen.settings.seats)[:SOME_STATES]
    if initial <= MAX_REWARD or not states:
        return None
    best = [max(learned_values(seen.rules, seen.table, state).values(), default=initial) for state in states]
    part = float(np.mean([each > MAX_REWARD for each in best]))
    return {"initial": initial, "part": part, "positions": len(states)} if part > STILL_INITIAL else None


def little_exploration(seen: Evidence) -> Figures | None:
    """Test whether too little exploration leaves states unvisited, or repeats the same training games."""
    if isinstance(seen.settings, TableSettings):
        if how := _never_tried(seen):
            return {"how": how}
        games = min(len(seen.random_play.games), seen.done)
        usual, met = seen.states_of_random_games(games), int(seen.table.used[0])
        if met >= FEW_STATES * usual:
            return None
        return {"how": f"{met:,} states were visited in {seen.done:,} games; {games} random games visit {usual:,}"}
    moves = float(np.mean(seen.linear.exploration.over(0, max(seen.done, 1), seen.settings.games))) * seen.steps
    if moves >= FEW_RANDOM or has_chance(seen.rules) or len(seen.settings.positions) > 1:
        return None
    if seen.repeated < REPEATED:
        return None
    return {"how": f"there are {moves:.2g} random moves per game, and {seen.repeated:.0%} of games repeat others"}


def _never_tried(seen: Evidence) -> str:
    """Return a description of the fault if the learner never explores and many moves still have their initial value.

    Return an empty string if the learner explores, or if the share of moves with their initial value is below
    `UNTRIED`. Exploring starts and positive initial values count as exploration.
    """
    learner = seen.tabular.learner
    explores = bool(np.any(np.asarray(seen.tabular.exploration.values) > 0.0))
    if explores or learner.explore_starts or seen.table.initial > 0.0:
        return ""
    met = (learned_values(seen.rules, seen.table, state) for state in seen.random_play.turns(seen.settings.seats))
    moves = [value for values in met if len(values) > 1 for value in values.values()]
    if not moves or (untried := float(np.mean(np.array(moves) == seen.table.initial))) < UNTRIED:
        return ""
    return f"there is no exploration, and {untried:.0%} of the moves in visited states still have their initial value"


def weak_opponent(seen: Evidence) -> Figures | None:
    """Test whether a training opponent is so weak that a random player almost always beats it."""
    for text in seen.opponents:
        for seat in seen.settings.seats:
            score = seen.unlearned(text, seat).score
            if score >= BEATEN:
                return {"opponent": text, "score": score, "side": seen.name(seat)}
    return None


def strong_opponent(seen: Evidence) -> Figures | None:
    """Test whether a training opponent is so strong that random moves and the trained player almost never beat it."""
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
    """Test whether a side that learns can never win, because of the rules or of the start position."""
    for seat in seen.settings.seats:
        if any(point.wins for point in seen.points if point.side == seat) or not _never_wins(seen, seat):
            continue
        table = seen.solution
        exact = "" if table is None else f"; none of all {len(table.keys):,} positions is won for it"
        found = {"side": seen.name(seat), "games": len(seen.random_play.games), "exact": exact}
        if _never_wins(seen, 1 - seat):
            return found | {"remedy": f"every game is a draw: {CHECK_MARGIN}", "other": seen.settings.side}
        rules = "" if type(seen.rules) in KNOWN else f"if it should be able to win, {CHECK_MARGIN}; otherwise "
        return found | {"remedy": f"{rules}train the other side, or change the rules", "other": seen.name(1 - seat)}
    return None


def one_sided(seen: Evidence) -> Figures | None:
    """Test whether the side that does not learn can never win under custom rules."""
    if type(seen.rules) in KNOWN:  # some of their variants are one-sided on purpose
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
    """Return whether a side seems unable to win.

    A side seems unable to win if it has won no random game, and at most half of the random games were stopped. If the
    game can be solved, there must also be no position that is won for this side.
    """
    if seen.random_play.wins(seat) > 0.0 or seen.random_play.stopped > 0.5:
        return False
    return seen.solution is None or not bool((seen.solution.values * (1 - 2 * seat) > 0).any())


def wide_evaluation(seen: Evidence) -> Figures | None:
    """Test whether the confidence intervals of scores are too wide, because there are too few evaluation games."""
    last = seen.points[-len(seen.settings.seats) :]
    width = float(np.mean([each.high - each.low for each in last]))
    return {"width": width, "games": seen.settings.evaluation_games(last[0].games)} if width > WIDE else None


def blind_evaluation(seen: Evidence) -> Figures | None:
    """Test whether the evaluation opponent is too weak or too strong, so that all scores are near 1 or near 0."""
    for curve in seen.curves:
        if len(curve.points) < MIN_POINTS:
            return None
        minimum, maximum = curve.scores.min(), curve.scores.max()
        if minimum < ALWAYS and maximum > 1.0 - ALWAYS:
            return None
        if maximum <= 1.0 - ALWAYS and seen.settings.against == "random":
            return None  # random moves can be beaten; see `no_better`
        if minimum >= ALWAYS and seen.unlearned(seen.settings.against, curve.seat).score < EASY:
            return None  # it has learned all that the curve can show before the first point
    ends = " and ".join(f"{curve.scores.mean():.1%} as {seen.name(curve.seat)}" for curve in seen.curves)
    return {"points": len(seen.points), "ends": ends, "other": seen.settings.against}


def cut_off(seen: Evidence) -> Figures | None:
    """Test whether too many games are stopped before they end."""
    random = seen.random_play.stopped
    learned = max(each.stopped for each in seen.measured) if seen.done else 0.0
    if max(random, learned) <= CUT_OFF:
        return None
    plies = seen.settings.max_plies
    remedy = "a larger maximum number of plies" if plies < LONG else "check `is_over`: such long games may never end"
    return {"random": random, "learned": learned, "plies": plies, "remedy": remedy, "usual": max(plies, LONG)}
