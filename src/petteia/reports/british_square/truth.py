"""What is measured against the solution of the game: what moves give away, and games against the perfect player."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.analysis.ceilings import Ceiling, ceilings
from petteia.analysis.doctor.examination import doctor
from petteia.arena.alternate import Conditions
from petteia.arena.judgement import MISTAKE, REGRET, judge_moves, turns
from petteia.arena.known_positions import drawn_moves
from petteia.arena.match import match
from petteia.arena.recorded import record
from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import initial
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.games.british_square import Position
from petteia.players.perfect import solved
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import match_keys
from petteia.reports.british_square.plan import Learner
from petteia.reports.engine.estimates import SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Size

STAGES = (6, 12)
"""stones on the board with which the middle and the end of a game begin"""
STAGE_NAMES = ("opening", "middle", "end")
STONES = Unit(".3f", " stones", least=0.0)
SAMPLE, RANDOM, PERFECT = "sample", "random", "perfect"
"""where moves are judged: in a sample of positions, or in games against a player"""
POSITIONS, JUDGED = Size(20_000, 2000), Size(1000, 100)
"""positions of the sample, of each side; games in which moves are judged"""


class GivenAway(NamedTuple):
    """What the moves of a player give away, in stones."""

    positions: int
    mean: float
    """a move"""
    by_game: float
    """in a game; 0 for a sample"""
    faultless: float
    """share of the moves that give nothing away"""
    opening: float | None
    """the mean of a move in this stage of a game; None where there was none"""
    middle: float | None
    end: float | None


class Outcome(NamedTuple):
    """Shares of games against the perfect player."""

    won: float
    drawn: float
    full: float
    """in which it got at least what best play of both comes to"""


@kept
def given_away(evidence: Evidence, player: str, game: str, seat: int, over: str, amount: int) -> GivenAway:
    """What the moves of a player give away: in so many games against another, or over so many positions."""
    rules, judged = rules_of(game), evidence.player(player, game)
    start, table = initial(rules), solved(rules)
    if over == SAMPLE:
        states = _sample(game, seat, amount)
        moves = drawn_moves(rules, judged, start, states, seed=0)
        return summed_up(states, judge_moves(rules, start, table, seat, states, moves), 0)
    conditions = Conditions(rules, (start,), 0, (seat, seat), 1000, UNLIMITED, match_keys(0))
    played = [*record(conditions, judged, evidence.player(over, game), amount)]
    states, moves = (np.concatenate([getattr(each, name) for each in played]) for name in ("states", "moves"))
    return summed_up(states, judge_moves(rules, start, table, seat, states, moves), amount)


def _sample(game: str, seat: int, amount: int) -> Ints:
    """The same positions for everybody: drawn from all, images of each other counted once."""
    rules = rules_of(game)
    states = solved(rules).states
    drawn = states[np.random.default_rng(0).choice(len(states), 4 * amount, replace=False)]
    return turns(rules, initial(rules), seat, drawn)[:amount]


def summed_up(states: Ints, columns: Floats, games: int) -> GivenAway:
    """The figures of moves in `states`, [rows, fields], from the rows of `petteia.arena.judgement`."""
    regrets, stage = columns[:, REGRET], np.digitize(stones(states), STAGES)
    by_stage = (regrets[stage == each] for each in range(len(STAGE_NAMES)))
    return GivenAway(
        len(regrets),
        float(regrets.mean()),
        float(regrets.sum() / games) if games else 0.0,
        1.0 - float(columns[:, MISTAKE].mean()),
        *(float(each.mean()) if len(each) else None for each in by_stage),
    )


def stones(states: Ints) -> Ints:
    """The stones on the board in each of `states`, int64[rows, fields]."""
    first, second = (states[:, Position._fields.index(name)] for name in SEAT_FIELDS)
    return np.asarray(np.bitwise_count(first | second), np.int64)


SEAT_FIELDS = ("first", "second")


@kept
def against_perfect(evidence: Evidence, player: str, game: str, seat: int, games: int) -> Outcome:
    """How a player fares in so many games against the perfect player."""
    rules, sign = rules_of(game), 1 - 2 * seat
    players = (evidence.player(player, game), evidence.player(PERFECT, game))[::sign]
    result = match(rules, *players, games=games, openings="none", seats="fixed", seed=0)
    margins, full = sign * np.array([row.margin for row in result.rows]), sign * int(solved(rules).values[0])
    return Outcome(*(float(each.mean()) for each in (margins > 0, margins == 0, margins >= full)))


@kept
def best_against_random(evidence: Evidence, game: str) -> tuple[tuple[Ceiling, ...], tuple[Ceiling, ...]]:
    """How often random play can be beaten at all, as first and as second player, by each way of play."""
    return ceilings(game)


@kept
def diagnosis(evidence: Evidence, training: Training) -> list[str]:
    """What is wrong with a training, in words."""
    return [f"{each.wrong} Seen: {each.evidence}. To try: {each.change}." for each in doctor(training).findings]


DEPENDS = (ceilings, doctor, judge_moves, record)


def gives_away(learner: Learner, over: str, part: str = "mean", words: str = "what a move gives away") -> Figure:
    """What a learner gives away: in games against a player, or over the sample."""
    amount = POSITIONS if over == SAMPLE else JUDGED

    def of(evidence: Evidence) -> Values:
        where = learner.game, learner.seat, over, evidence.size(amount)
        found = (given_away(evidence, text, *where) for text in evidence.texts(learner.agent))
        return [getattr(each, part) or 0.0 for each in found]

    return Figure(words, STONES if part != "faultless" else SHARE, of, learner.setting.words)


def by_game(learner: Learner, over: str) -> Figure:
    """What is given away in a game against a player."""
    return gives_away(learner, over, "by_game", "what is given away in a game")


def meets_perfect(learner: Learner, part: str) -> Figure:
    """A share of the games against the perfect player."""

    def of(evidence: Evidence) -> Values:
        where = learner.game, learner.seat, evidence.size(JUDGED)
        return [getattr(against_perfect(evidence, text, *where), part) for text in evidence.texts(learner.agent)]

    return Figure(f"the share of games {part}", SHARE, of, learner.setting.words)


def ceiling(game: str, seat: int, words: str = "") -> Figure:
    """The share of games that the best player wins against the random player, exactly."""
    return Figure(words, SHARE, lambda evidence: certain(best_against_random(evidence, game)[seat][0].won))
