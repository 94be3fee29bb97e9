"""The regret of a player's moves, compared with best play.

The regret of a move is the value of the position for the player to move, less the value after the move, in points of
the margin. A move with regret 0 is perfect, even if it is not the fastest. In games with chance, values are expected
values, and a regret of 1e-9 or less (`petteia.solver.expectation.TOLERANCE`) is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions
from petteia.arena.distinct import Distinct
from petteia.arena.judgement import COLUMNS, REGRET, judge_moves
from petteia.arena.known_positions import IsEnding, KnownPositions, find_endings, solved_positions
from petteia.arena.openings import start_state
from petteia.arena.recorded import record
from petteia.arena.regret_totals import ByGame, RegretTotals, results_lost
from petteia.arena.statistics import NORMAL_95
from petteia.core.arrays import Floats
from petteia.core.decision import ALLOWANCE, Allowance
from petteia.core.errors import UsageError
from petteia.core.names import format_game, parse_seat
from petteia.core.protocol import Rules, State, has_chance
from petteia.core.protocol import seats as seat_names
from petteia.core.random import checked_seed
from petteia.games import game as rules_of
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.players.perfect import solved
from petteia.players.player import UNLIMITED, notices
from petteia.policies.play_games import MAX_PLIES, match_keys
from petteia.solver.graph import MEMORY, numbers_positions
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import Tablebase

Over = Literal["games", "reachable", "all", "endings"]
OVER = ("games", "reachable", "all")
BOTH = "both"
ENDINGS = 400
"""the default number of endings"""


class Regret(NamedTuple):
    """The regret of a player's moves, compared with perfect play."""

    game: str
    """the text form of the rules"""
    player: str
    """the name of the player"""
    seat: str
    """the name of the player's seat in the game, or `both`"""
    over: Over
    """the source of the positions"""
    against: str | None
    """the opponent, if the positions come from games"""
    games: int | None
    """the number of these games; None if the positions do not come from games"""
    positions: int
    """the number of positions; a position that occurs several times in games is counted each time"""
    perfect_share: float
    """the share of moves with regret 0, from 0 to 1"""
    mean: float
    """the mean regret of a move, in points of the margin"""
    low: float | None
    """lower bound of the 95 % interval of the mean; None if the mean is exact"""
    high: float | None
    """upper bound of the same interval"""
    largest: float
    """the largest regret of a move that was or could be played; an int in games without chance"""
    won: int
    """the number of positions that the player wins with best play; in games with chance, the number with an expected
    margin above 0"""
    wins_lost: float
    """the number of won positions that are no longer won after the player's move; the expected number, if moves are
    random"""
    results_lost: float
    """`wins_lost`, plus the number of drawn positions that are lost after the player's move"""
    notes: tuple[str, ...]
    """remarks for the user"""


def regret(
    game: str | Rules,
    subject: str | Any,
    *,
    over: Literal["games", "reachable", "all"] | IsEnding = "reachable",
    sample: int | None = None,
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
    """Measure the regret of a player against perfect play.

    The mean regret over all positions is exact if the player can report the probability of each move. Most players of
    this package can do so, but not `search`. For other players, the mean regret is estimated from two moves that are
    drawn in each position. Symmetric positions count separately, because a player may choose different moves in them.

    Args:
        game: the rules or their text form; the game must be solvable, unless `over` is a function
        subject: the player: its text form, a run or weights file, a training run, an agent, a player object, or a
            policy
        over: the positions in which the player is measured. `reachable`: all positions that can be reached from the
            start; `all`: all positions to which the game assigns a number, even if they cannot be reached; `games`: the
            positions in which the player moves in games against `against`. `over` can also be a function
            `is_ending(rules, state)`, which returns whether a state is near enough to the end of the game to be
            searched completely. At most one such state is taken from each random game. The player must have at least
            two legal moves in this state
        sample: the maximum number of positions or endings, drawn at random; default: all positions, or 400 endings
        seat: the seat of the player: the name of a seat, its number 0 or 1, or `both`; default: `both` if `over` is a
            function, otherwise 0, or the only seat that the player plays
        against: the opponent in the games if `over` is `games`, in the same forms as `subject`
        games: the number of games if `over` is `games`
        position: the start of the game; default: the initial position
        table: the table of the solved game, or its file; default: the game is solved
        seed: the seed of games, samples and random moves, 0..2^63-1
        max_plies: the number of plies after which a game is ended
        memory: the maximum number of bytes used to solve the game; also the default for players that solve it
        in_process: run custom players in this process instead of child processes
        allowance: time and memory limits of custom players

    Returns:
        The regrets of the player. A list of such results can be converted to a table by pandas.

    Raises:
        UsageError: an unknown game, player or option; a game that cannot be solved; a seat that the player cannot play.
            If `over` is a function: a game with chance, or a game whose random games contain too few endings
        NotFoundError: a missing module, class, run or file
        InvalidError: an impossible position, or a file that is damaged or belongs to other rules
        PetteiaError: a player that fails or makes an illegal move

    Examples:
        >>> round(petteia.regret("hare-and-hounds", "simple").mean, 3)
        0.423

    """
    rules = rules_of(game)
    start = start_state(rules, position)
    _check(rules, over, sample, games, max_plies)
    seed = checked_seed(seed)
    if memory < 1:
        raise UsageError(f"memory={memory}: must be 1 byte or more")
    with Children(allowance, in_process=in_process) as children:
        judged = player(subject, rules, children, memory=memory)
        sides = _sides_of(rules, judged, BOTH if callable(over) and seat is None else seat)
        if callable(over):
            endings = find_endings(rules, sample or ENDINGS, over, seed, sides=sides, start=start)
            return regret_in(endings, judged, seed=seed)
        known = solved(rules, memory) if table is None and position is None else table
        oracle = Oracle(rules, table=known, position=start, memory=memory)
        if over == "games":
            opponent = player(against, rules, children, memory=memory)
            return _over_games(oracle, judged, opponent, sides[0], games, start, seed, max_plies)
        positions = solved_positions(
            *(rules, start, oracle.table),
            sides=sides,
            numbered=over == "all",
            sample=sample,
            seed=seed,
            memory=memory,
        )
        return regret_in(positions, judged, over=over, seed=seed)


def regret_in(
    known: KnownPositions, judged: Player, *, name: str | None = None, over: Over = "endings", seed: int = 0
) -> Regret:
    """Measure the regret of a player in positions with known values.

    `name` is the name of the player in the result; default: the name of the player object. `over` is the description of
    the positions in the result, such as `endings`.
    """
    columns = known.judge(judged, seed)
    low, high = _interval(columns[:, :, REGRET], known.share, known.maximum)
    sums = results_lost(columns.reshape(-1, COLUMNS))
    return _figures(known.rules, name or judged.name, known.sides, over, sums, len(columns), low, high, notices(judged))


def _figures(
    rules: Rules,
    name: str,
    sides: Sequence[int],
    over: Over,
    sums: RegretTotals,
    positions: int,
    low: float | None,
    high: float | None,
    notes: tuple[str, ...],
) -> Regret:
    """Compute a `Regret` from `sums`, the totals over the moves of a player.

    `positions` is the number of positions. If several moves were sampled in each position, `sums` counts each position
    several times. Counts such as the number of won positions are therefore divided by the number of moves per position.
    """
    draws = sums.moves / positions
    return Regret(
        game=format_game(rules),
        player=name,
        seat=seat_names(rules)[sides[0]] if len(sides) == 1 else BOTH,
        over=over,
        against=None,
        games=None,
        positions=positions,
        perfect_share=1.0 - sums.mistakes / sums.moves,
        mean=sums.regret / sums.moves,
        low=low,
        high=high,
        largest=sums.largest if has_chance(rules) else int(sums.largest),
        won=int(sums.won / draws),
        wins_lost=sums.wins / draws,
        results_lost=sums.results / draws,
        notes=notes,
    )


def _check(rules: Rules, over: str | IsEnding, sample: int | None, games: int, max_plies: int) -> None:
    if not callable(over) and over not in OVER:
        raise UsageError(f"over={over!r}: must be 'games', 'reachable', 'all' or a function is_ending(rules, state)")
    if over == "all" and not numbers_positions(rules):
        raise UsageError(
            f"over=all: {format_game(rules)} does not define the methods `positions` and `position`; use "
            "over=reachable instead"
        )
    if over == "games" and sample is not None:
        raise UsageError(f"sample={sample}: cannot be given with over=games; set the number of games instead")
    for name, count in (("games", games), ("max_plies", max_plies), ("sample", sample)):
        if count is not None and count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")


def _sides_of(rules: Rules, judged: Player, seat: int | str | None) -> tuple[int, ...]:
    if seat == BOTH:
        sides: tuple[int, ...] = (0, 1)
    else:
        sides = (judged.seats[0] if seat is None else parse_seat(rules, seat),)
    for side in sides:
        if side not in judged.seats:
            names = seat_names(rules)
            raise UsageError(
                f"player {judged.name} does not play {names[side]}, but only {names[judged.seats[0]]}; choose this side"
            )
    return sides


def _interval(regrets: Floats, share: float, maximum: float) -> tuple[float | None, float | None]:
    """Return the 95 % confidence interval of the mean regret, or (None, None) if the mean is exact.

    `regrets` is float64[positions, draws].

    `share` is the fraction of all positions that the sample contains. The mean is exact if the sample contains all
    positions and the player reports the probability of each move.

    If the mean is not exact, its variance has two parts. One part comes from the random choice of positions, and
    decreases as `share` grows (Cochran 1977, "Sampling Techniques", chapter 2). The other part comes from the player's
    random moves.
    """
    positions, draws = regrets.shape
    if share == 1.0 and draws == 1:
        return None, None
    mean, means = float(regrets.mean()), regrets.mean(axis=1)
    if positions < 2 and share < 1.0:
        return 0.0, maximum
    between = float(means.var(ddof=1)) if share < 1.0 else 0.0
    within = float(regrets.var(axis=1, ddof=1).mean()) / draws if draws > 1 else 0.0
    error = NORMAL_95 * float(np.sqrt(((1.0 - share) * between + share * within) / positions))
    return max(0.0, mean - error), min(maximum, mean + error)


def _over_games(
    oracle: Oracle, judged: Player, opponent: Player, side: int, games: int, start: State, seed: int, max_plies: int
) -> Regret:
    rules, table = oracle.rules, oracle.table
    if judged is opponent:
        raise UsageError(
            "a player object cannot play against itself; give the player twice as a string, or create a second object"
        )
    if 1 - side not in opponent.seats:
        raise UsageError(f"player {opponent.name} does not play {seat_names(rules)[1 - side]}; choose another opponent")
    conditions = Conditions(rules, (start,), 0, (side, side), max_plies, UNLIMITED, match_keys(seed))
    sums, by_game, distinct = RegretTotals(), ByGame(whole=not has_chance(rules)), Distinct()
    try:
        for played in record(conditions, judged, opponent, games):
            columns = judge_moves(rules, start, table, side, played.states, played.moves)
            sums = sums.with_more(results_lost(columns))
            by_game.add(columns[:, REGRET], played.games)
            distinct.add(played.digests)
    finally:
        remarks = [words for each in (judged, opponent) if (words := each.finish())]
    if sums.moves == 0:
        raise UsageError(f"{format_game(rules)}: the games contain no position with {seat_names(rules)[side]} to move")
    if 2 * (count := len(distinct)) <= games:
        remarks.append(f"only {count} of the {games} games are distinct, and repeated games are no evidence")
    low, high = by_game.interval(float(table.values.max()) - float(table.values.min()))
    notes = (*notices(judged, opponent), *remarks)
    found = _figures(rules, judged.name, (side,), "games", sums, sums.moves, low, high, notes)
    return found._replace(against=opponent.name, games=games)
