"""Standard measures that use the solution of a game: regret, games against the perfect player, and maximum scores.

All results are saved. The game must be small enough to be solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
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
WORDS = {
    "mean": "the regret of a move",
    "by_game": "the regret of a game",
    "faultless": "the share of moves without regret",
}


def all_alike(states: Ints) -> Ints:
    """Return stage 0 for every state, for games that are not divided into stages."""
    return np.zeros(len(states), np.int64)


class Stages(NamedTuple):
    """The stages of a game, such as its opening, for which regret is reported separately."""

    of: Callable[[Ints], Ints] = all_alike
    """The function that returns the number of the stage of each state, from states as int64[rows, fields]."""
    names: tuple[str, ...] = ()


NO_STAGES = Stages()


class Moves(NamedTuple):
    """The regret of the moves of a player, in units of the margin."""

    positions: int
    mean: float
    """The mean regret of a move."""
    by_game: float
    """The mean regret of a game; 0 for a sample."""
    faultless: float
    """The share of the moves without regret."""
    stages: dict[str, float | None]
    """The mean regret of a move by the stage of the game. None if there was no move."""


class Outcome(NamedTuple):
    """The results of games against the perfect player, as shares of the games."""

    won: float
    drawn: float
    full: float
    """The share of games with at least the margin of perfect play."""


@kept
def results_lost(
    evidence: Evidence,
    player: str,
    game: str,
    seat: int,
    over: str,
    amount: int,
    stage: Callable[[Ints], Ints],
    names: tuple[str, ...],
) -> Moves:
    """Return the regret of the moves of a player in a seat, over all moves and in each stage of the game.

    `over`: SAMPLE, the same `amount` positions for all players; or an opponent, in `amount` games.
    """
    rules, judged = rules_of(game), evidence.player(player, game)
    start, games = initial(rules), 0 if over == SAMPLE else amount
    if over == SAMPLE:
        states = _sample(rules, seat, amount)
        moves = drawn_moves(rules, judged, start, states, seed=0)
    else:
        conditions = Conditions(rules, (start,), 0, (seat, seat), MAX_PLIES, UNLIMITED, match_keys(0))
        played = [*record(conditions, judged, evidence.player(over, game), amount)]
        states, moves = (np.concatenate([getattr(each, name) for each in played]) for name in ("states", "moves"))
    columns = judge_moves(rules, start, solved(rules), seat, states, moves)
    regrets, numbers = columns[:, REGRET], stage(states)
    by_stage = {name: regrets[numbers == number] for number, name in enumerate(names)}
    return Moves(
        positions=len(regrets),
        mean=float(regrets.mean()),
        by_game=float(regrets.sum() / games) if games else 0.0,
        faultless=1.0 - float(columns[:, MISTAKE].mean()),
        stages={name: float(each.mean()) if len(each) else None for name, each in by_stage.items()},
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
    """Return the results of the best and of two faultless policies against the random player, in each seat."""
    return ceilings(game)


def gives_away(
    who: Seated, over: str, amount: int | Size, part: str = "mean", stages: Stages = NO_STAGES, unit: Unit = MARGIN
) -> Figure:
    """Return the regret of a player over sampled positions or in games.

    `part` is a field of `Moves`, or the name of a stage of the game.
    """

    def of(evidence: Evidence) -> Values | Interval:
        where = who.game or evidence.game, who.seat, over, evidence.size(amount), *stages
        found = [results_lost(evidence, text, *where) for text in evidence.texts(who.player)]
        values = [(each.stages[part] if part in stages.names else getattr(each, part)) or 0.0 for each in found]
        return Interval(values[0], -math.inf, math.inf) if isinstance(who.player, str) else values

    return Figure(WORDS.get(part, WORDS["mean"]), SHARE if part == "faultless" else unit, of, who.words)


def meets_perfect(who: Seated, games: int | Size, part: str) -> Figure:
    """Return the share of games against the perfect player with a given result. `part` is a field of `Outcome`."""

    def of(evidence: Evidence) -> Values:
        where = who.game or evidence.game, who.seat, evidence.size(games)
        return [getattr(against_perfect(evidence, text, *where), part) for text in evidence.texts(who.player)]

    return Figure(f"the share of games {part}", SHARE, of, who.words)


def ceiling(game: str, seat: int, words: str = "") -> Figure:
    """Return the exact share of games that the best response wins against the random player."""
    return Figure(words, SHARE, lambda evidence: certain(best_against_random(evidence, game)[seat][0].won))
