"""How far a player is from perfect: what its moves give away, measured against the solved game.

The regret of a move is the part of the final margin that it gives away: the value of the position for the mover, less
its value after the move. A move of regret 0 is perfect, be it the fastest or not. In games with chance values are
expectations, and a regret of 1e-9 or less (`petteia.solver.expectation.TOLERANCE`) is 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions, legal_move
from petteia.arena.giving_away import ByGame, GivenAway, given_away
from petteia.arena.judgement import REGRET, draw_moves, judge_moves, judge_policy, turns
from petteia.arena.match import UNLIMITED
from petteia.arena.openings import start_state
from petteia.arena.recorded import record
from petteia.arena.statistics import NORMAL_95
from petteia.arena.tally import Distinct
from petteia.children.process import Children
from petteia.core.arrays import Floats, Ints
from petteia.core.decision import ALLOWANCE, Allowance
from petteia.core.errors import UsageError
from petteia.core.names import format_game, parse_seat
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, has_chance
from petteia.core.protocol import seats as seat_names
from petteia.core.random import checked_seed, keys, stream
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.foreign import ForeignPolicyPlayer
from petteia.players.perfect import solved
from petteia.players.player import notices
from petteia.policies.play_games import MAX_PLIES, match_keys
from petteia.policies.policy import tells_probabilities
from petteia.solver.graph import MEMORY, explore, numbers_positions
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import Tablebase

DRAWS = 2
"""moves that are drawn in each position from a player that cannot tell how likely they are"""
Over = Literal["games", "reachable", "all"]


class Regret(NamedTuple):
    """How far a player is from perfect."""

    game: str
    """the text form of the rules"""
    player: str
    """the name of the player"""
    seat: str
    """the name of the player's seat in the game"""
    over: Over
    """where the positions come from"""
    against: str | None
    """the opponent, where positions are those of games"""
    games: int | None
    """the number of these games; None where positions are not those of games"""
    positions: int
    """positions in which that seat moves; each as often as it came up in games, else once"""
    perfect_share: float
    """share of moves of regret 0"""
    mean: float
    """mean regret of a move, in units of the margin"""
    low: float | None
    """lower bound of the 95 % interval of the mean; None where the mean is exact"""
    high: float | None
    """upper bound"""
    largest: float
    """the largest regret of a move that can be, or was, played; an int in games without chance"""
    won: int
    """positions that this seat wins with best play; with chance: in which its expected margin is above 0"""
    wins_given_away: float
    """how many of those are not won, or above 0, after the move (expected number, if the player draws its moves)"""
    given_away: float
    """the same, with the drawn positions that are lost after the move"""
    notes: tuple[str, ...]
    """what people should be told besides"""


def regret(
    game: str | Rules,
    subject: str | Any,
    *,
    over: Over = "reachable",
    seat: int | str | None = None,
    against: str | Any = "random",
    games: int = 1000,
    position: str | State | None = None,
    table: Tablebase | str | Path | None = None,
    seed: int = 0,
    max_plies: int = MAX_PLIES,
    memory: int = MEMORY,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
) -> Regret:
    """Measure how far a player is from perfect.

    The figures over positions are exact for players that can tell how likely they play each move (those of this
    package can); of others two moves are drawn in each position. Images of a position count on their own, as a player
    may treat them differently.

    Args:
        game: the rules or their text; a game that can be solved
        subject: the player: its text, a run or weights file, a training, an agent, a player, or a policy
        over: `reachable`: all positions that can be reached from the start by any moves of both; `all`: all that the
            game numbers; `games`: those in which the player finds itself when it plays
        seat: its side: its name, 0 or 1; default: 0, or the only one that it plays
        against: the opponent in `games`, in the same forms
        games: how many
        position: where the game starts; default: its first position
        table: of the solved game, or the file that holds it; default: the game is solved
        seed: of games, and of moves that are drawn, 0..2^63-1
        max_plies: after so many plies a game is stopped
        memory: bytes that solving may use, also for players, unless they say that themselves
        in_process: keep players of users' modules inside, instead of in a child process each
        allowance: what these may take

    Returns:
        The figures, a row that pandas takes.

    Raises:
        UsageError: an unknown game, player or option; a game that cannot be solved; a seat that is not the player's
        NotFoundError: a module, class, run or file that is not there
        InvalidError: an impossible position, a file that is damaged or of other rules
        PetteiaError: a player that fails or makes an illegal move

    """
    rules = rules_of(game)
    start = start_state(rules, position)
    _check(rules, over, games, max_plies)
    seed = checked_seed(seed)
    if memory < 1:
        raise UsageError(f"memory={memory}: must be 1 byte or more")
    with Children(allowance, in_process=in_process) as children:
        judged = player(subject, rules, children, memory=memory)
        side = _seat_of(rules, judged, seat)
        known = solved(rules, memory) if table is None and position is None else table
        oracle = Oracle(rules, table=known, position=start, memory=memory)
        if over == "games":
            opponent = player(against, rules, children, memory=memory)
            notes = notices(judged, opponent)
            measured = _over_games(oracle, judged, opponent, side, games, start, seed, max_plies)
        else:
            notes = notices(judged)
            measured = _over_positions(oracle, judged, side, start, over == "all", seed, memory)
    sums = measured.sums
    if sums.moves == 0:
        raise UsageError(f"{format_game(rules)}: there is no position in which {seat_names(rules)[side]} moves")
    return Regret(
        game=format_game(rules),
        player=judged.name,
        seat=seat_names(rules)[side],
        over=over,
        against=measured.opponent,
        games=games if over == "games" else None,
        positions=measured.positions,
        perfect_share=1.0 - sums.mistakes / sums.moves,
        mean=sums.regret / sums.moves,
        low=measured.low,
        high=measured.high,
        largest=sums.largest if has_chance(rules) else int(sums.largest),
        won=sums.won * measured.positions // sums.moves,
        wins_given_away=sums.wins * measured.positions / sums.moves,
        given_away=sums.results * measured.positions / sums.moves,
        notes=(*notes, *measured.notes),
    )


class _Measured(NamedTuple):
    sums: GivenAway
    """over a move in each position, or over all that were drawn there"""
    positions: int
    low: float | None = None
    high: float | None = None
    opponent: str | None = None
    notes: tuple[str, ...] = ()


def _check(rules: Rules, over: str, games: int, max_plies: int) -> None:
    if over not in ("games", "reachable", "all"):
        raise UsageError(f"over={over!r}: must be games, reachable or all")
    if over == "all" and not numbers_positions(rules):
        raise UsageError(f"over=all: {format_game(rules)} does not number its positions; choose reachable")
    for name, count in (("games", games), ("max_plies", max_plies)):
        if count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")


def _seat_of(rules: Rules, judged: Player, seat: int | str | None) -> int:
    side = judged.seats[0] if seat is None else parse_seat(rules, seat)
    if side not in judged.seats:
        names = seat_names(rules)
        raise UsageError(f"player {judged.name} does not play {names[side]}; its seat is {names[judged.seats[0]]}")
    return side


# Over positions.


def _over_positions(
    oracle: Oracle, judged: Player, side: int, start: State, numbered: bool, seed: int, memory: int
) -> _Measured:
    rules, table = oracle.rules, oracle.table
    states = explore(rules, start, folded=False, numbered=numbered, memory=memory).states
    states = turns(rules, start, side, states)
    policy = judged.policy(rules)
    if policy is not None and tells_probabilities(policy):
        return _Measured(given_away(judge_policy(rules, start, table, side, states, policy)), len(states))
    repeated = np.repeat(states, DRAWS, axis=0)
    columns = judge_moves(rules, start, table, side, repeated, drawn_moves(rules, judged, start, repeated, seed))
    if len(states) == 0:
        return _Measured(GivenAway(), 0)
    low, high = _interval_of_draws(columns[:, REGRET].reshape(-1, DRAWS), _largest_possible(table))
    return _Measured(given_away(columns), len(states), low, high)


def drawn_moves(rules: Rules, judged: Player, like: State, states: Ints, seed: int) -> Ints:
    """A player's move in each of `states`, int64[rows, fields], drawn as in a game that begins there; int64[rows]."""
    (key,) = keys(seed, 1)
    policy = None if isinstance(judged, ForeignPolicyPlayer) else judged.policy(rules)
    if policy is not None:
        return draw_moves(rules, like, states, policy, key)
    drawn = np.zeros(len(states), np.int64)
    for i, row in enumerate(states):
        state = unpack(like, row)
        judged.new_game(rules, stream(key, i))
        drawn[i] = legal_move(rules, judged, state, judged.choose(state, UNLIMITED).move)
    return drawn


def _largest_possible(table: Tablebase) -> float:
    return float(table.values.max()) - float(table.values.min())


def _interval_of_draws(regrets: Floats, most: float) -> tuple[float, float]:
    """The bounds of the mean of [positions, draws]: all positions are there, only the moves are drawn."""
    mean = float(regrets.mean())
    deviation = float(np.sqrt(regrets.var(axis=1, ddof=1).sum() / DRAWS)) / len(regrets)
    return max(0.0, mean - NORMAL_95 * deviation), min(most, mean + NORMAL_95 * deviation)


# Over games.


def _over_games(
    oracle: Oracle, judged: Player, opponent: Player, side: int, games: int, start: State, seed: int, max_plies: int
) -> _Measured:
    rules, table = oracle.rules, oracle.table
    if judged is opponent:
        raise UsageError("a player cannot play itself: give its text form twice, or make a second one")
    if 1 - side not in opponent.seats:
        raise UsageError(f"player {opponent.name} does not play {seat_names(rules)[1 - side]}")
    conditions = Conditions(rules, (start,), 0, (side, side), max_plies, UNLIMITED, match_keys(seed))
    sums, by_game, distinct = GivenAway(), ByGame(whole=not has_chance(rules)), Distinct()
    try:
        for played in record(conditions, judged, opponent, games):
            columns = judge_moves(rules, start, table, side, played.states, played.moves)
            sums = sums.with_more(given_away(columns))
            by_game.add(columns[:, REGRET], played.games)
            distinct.add(played.digests)
    finally:
        remarks = [words for each in (judged, opponent) if (words := each.finish())]
    if sums.moves == 0:
        return _Measured(sums, 0)
    if 2 * (count := len(distinct)) <= games:
        remarks.append(f"only {count} of the {games} games are distinct; repeats are no evidence")
    low, high = by_game.interval(_largest_possible(table))
    return _Measured(sums, sums.moves, low, high, opponent.name, tuple(remarks))
