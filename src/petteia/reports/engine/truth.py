"""Measures of play in solved games: regret, results against the perfect player, and maximum wins against random play.

All measured values are saved. The measures need a game that is small enough to be solved.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from petteia.analysis.ceilings import Ceiling, ceilings
from petteia.arena.alternate import Conditions
from petteia.arena.judgement import MISTAKE, REGRET, judge_moves, turns
from petteia.arena.known_positions import drawn_moves
from petteia.arena.match import match
from petteia.arena.recorded import record
from petteia.arena.statistics import Interval
from petteia.core.arrays import Ints
from petteia.core.protocol import Rules, initial
from petteia.games import game as rules_of
from petteia.players.perfect import solved
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import match_keys
from petteia.reports.engine.estimates import SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Seated, Size

SAMPLE, PERFECT = "sample", "perfect"
"""The places where regret is measured, besides games against random: a sample of positions, or the perfect player."""
MARGIN = Unit(".3f", minimum=0.0)
MAX_PLIES = 1000
DEPENDS = (ceilings, judge_moves, record)
WORDS = {"mean": "the regret of a move", "faultless": "the share of moves without regret"}


class Moves(NamedTuple):
    """The regret of a player's moves, measured in points of the final margin."""

    positions: int
    mean: float
    """The mean regret of a move."""
    faultless: float
    """The share of the moves without regret."""


class Outcome(NamedTuple):
    """The results of games against the perfect player, as shares of the games."""

    won: float
    drawn: float
    full: float
    """The share of games with at least the margin of perfect play."""


@kept
def results_lost(evidence: Evidence, player: str, game: str, seat: int, over: str, amount: int) -> Moves:
    """Measure the regret of a player's moves in one seat, in sampled positions or in games.

    If `over` is SAMPLE, the moves are made in `amount` sampled positions, the same for all players. Otherwise `over` is
    the text form of an opponent, and the moves are made in `amount` games against it.
    """
    rules, judged = rules_of(game), evidence.player(player, game)
    start = initial(rules)
    if over == SAMPLE:
        states = _sample(rules, seat, amount)
        moves = drawn_moves(rules, judged, start, states, seed=0)
    else:
        conditions = Conditions(rules, (start,), 0, (seat, seat), MAX_PLIES, UNLIMITED, match_keys(0))
        played = [*record(conditions, judged, evidence.player(over, game), amount)]
        states, moves = (np.concatenate([getattr(each, name) for each in played]) for name in ("states", "moves"))
    columns = judge_moves(rules, start, solved(rules), seat, states, moves)
    regrets = columns[:, REGRET]
    return Moves(
        positions=len(regrets),
        mean=float(regrets.mean()),
        faultless=1.0 - float(columns[:, MISTAKE].mean()),
    )


def _sample(rules: Rules, seat: int, amount: int) -> Ints:
    """Return a random sample of the positions of a solved game in which `seat` is to move.

    Symmetric positions count once.
    """
    states = solved(rules).states
    drawn = states[np.random.default_rng(0).choice(len(states), 4 * amount, replace=False)]
    return turns(rules, initial(rules), seat, drawn)[:amount]


@kept
def against_perfect(evidence: Evidence, player: str, game: str, seat: int, games: int) -> Outcome:
    """Return the results of a player in games against the perfect player."""
    rules, sign = rules_of(game), 1 - 2 * seat
    players = (evidence.player(player, game), evidence.player(PERFECT, game))[::sign]
    result = match(rules, *players, games=games, openings="none", seats="fixed", seed=0)
    margins, full = sign * np.array([row.margin for row in result.rows]), sign * int(solved(rules).values[0])
    return Outcome(*(float(each.mean()) for each in (margins > 0, margins == 0, margins >= full)))


@kept
def best_against_random(evidence: Evidence, game: str) -> tuple[tuple[Ceiling, ...], tuple[Ceiling, ...]]:
    """Return the exact results of three strong policies against the random player: one tuple for each seat.

    The policies are the best response to the random player, and two policies that make only optimal moves.
    """
    return ceilings(game)


def gives_away(who: Seated, over: str, amount: int | Size, part: str = "mean", unit: Unit = MARGIN) -> Figure:
    """Return a player's regret in sampled positions or in games, as a `Figure`. `part` is a field of `Moves`."""

    def of(evidence: Evidence) -> Values | Interval:
        where = who.game or evidence.game, who.seat, over, evidence.size(amount)
        values = [getattr(results_lost(evidence, text, *where), part) for text in evidence.texts(who.player)]
        return Interval(values[0], -math.inf, math.inf) if isinstance(who.player, str) else values

    return Figure(WORDS[part], SHARE if part == "faultless" else unit, of, who.words)


def meets_perfect(who: Seated, games: int | Size, part: str) -> Figure:
    """Return a share of a player's games against the perfect player. `part` is a field of `Outcome`, such as `won`."""

    def of(evidence: Evidence) -> Values:
        where = who.game or evidence.game, who.seat, evidence.size(games)
        return [getattr(against_perfect(evidence, text, *where), part) for text in evidence.texts(who.player)]

    return Figure(f"the share of games {part}", SHARE, of, who.words)


def ceiling(game: str, seat: int) -> Figure:
    """Return the exact share of games that the best policy against the random player wins in a seat."""
    return Figure("", SHARE, lambda evidence: certain(best_against_random(evidence, game)[seat][0].won))
