"""Matches between two players. By default, games come in pairs.

The two games of a pair have the same opening and the same dice, and the players exchange seats for the second game.

Policies play in a compiled loop. All other players play in a Python loop, in several processes if requested. The games
are the same for any number of processes. Custom players run in child processes. A player that breaks a rule of the
match loses the game.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from itertools import groupby
from typing import Any, Literal

from petteia.arena.blocks import blocks
from petteia.arena.contest import Contest, Terms, check_counts, prepare
from petteia.arena.match_result import MatchResult
from petteia.arena.ratings import elo_of, superiority
from petteia.arena.schedule import play
from petteia.arena.sprt import Estimate, Sprt, estimate, likelihood_ratio, read_sprt
from petteia.arena.tally import Tally
from petteia.arena.task import finished
from petteia.arena.workers import Workers
from petteia.core.clock import Clock
from petteia.core.decision import ALLOWANCE, FAULTS, Allowance, Limit
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, has_chance
from petteia.games import game as rules_of
from petteia.players import Player
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import MAX_PLIES

ELO_FIELDS = ("elo", "elo_low", "elo_high")
NORMALIZED_FIELDS = ("normalized", "normalized_low", "normalized_high")
UNITS, BLOCK_UNITS = 32, 4
"""the number of pairs or single games between two evaluations of a sequential test, and the maximum number in a block
of a match with such a test"""


def match(
    game: str | Rules,
    first: str | Any,
    second: str | Any,
    *,
    games: int = 100,
    openings: str = "random:2",
    seats: Literal["both", "fixed"] | None = None,
    max_plies: int = MAX_PLIES,
    limit: Limit = UNLIMITED,
    clock: str | Clock | None = None,
    sprt: str | Sprt | None = None,
    seed: int = 0,
    openings_seed: int | None = None,
    jobs: int = 1,
    position: str | State | None = None,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    memory: int | None = None,
    rows: bool = True,
    moves: bool = False,
    workers: Workers | None = None,
    cluster: str | None = None,
    advance: Callable[[int], None] = lambda games: None,
) -> MatchResult:
    """Play a match between two players.

    Args:
        game: rules, or their text form
        first: a player's text form, a run or weights file, a training run, an agent, a player, or a policy
        second: the second player, in the same forms
        games: the number of games; rounded up to an even number if each opening is played from both sides
        openings: `random:PLIES`, `none`, or the path of a file with one position per line. `balanced:PLIES` or
            `balanced:PLIES,nodes=N` chooses nearly even positions after PLIES random plies. They are evaluated by a
            search of N nodes, or exactly if the game is small enough to be solved. Confidence intervals are valid only
            if the games differ from each other
        seats: with `both`, each opening is played from both sides, with the same dice if there are any; with `fixed`,
            the first-named player is always player 0, and each game has its own opening and dice. Default: `both`. If a
            player only plays one side, it plays that side in all games by default, and the result contains a note
        max_plies: the number of plies at which a game ends as a draw
        limit: the limit of each move, which replaces the limits of players that search. Other players are not informed
            of it, but lose a game if they exceed the time limit by more than the grace period
        clock: the time of each player for a game: `5/10` (ten seconds for every five moves), `150` (for all moves),
            `60+1` (one more second after each move), or a `petteia.Clock`. A player that exceeds it by more than the
            grace period loses. Players that search divide the remaining time among their remaining moves
        sprt: a sequential test, which ends the match early: `0,20` tests whether the first player is 0 or 20 Elo points
            stronger, with error rates of 5 % each; `0,20,normalized` uses normalized Elo; or a `petteia.Sprt`. With a
            test, `games` is the maximum number of games. The test is evaluated every 32 pairs, so the result is the
            same for any number of jobs
        seed: the seed of all random numbers, 0..2^63-1; the same seed gives the same games
        openings_seed: the seed of the random openings, so that matches with different `seed` can have the same
            openings. None: the same as `seed`
        jobs: the number of threads or processes that share the games. Each process must be able to create the players
            (from a text, a run or a training run). Their moves must not depend on earlier games
        position: the start position of all games, as text or a state; default: the initial position
        in_process: run custom players in this process instead of child processes
        allowance: further limits of the players: the grace period, the time to start, and the memory
        memory: the maximum number of bytes for players that solve the game, unless their own options set a maximum;
            None: the default of each player
        rows: whether the result also contains the result of each game, which takes about 300 bytes; without rows, the
            memory use does not depend on the number of games
        moves: whether rows contain the moves, for `result.records()`; the games are the same, but they are driven from
            Python, which is slower
        cluster: the address of a Dask scheduler whose workers play the games instead of threads and processes, or
            `local:N`; see docs/cluster.md. The results are the same
        workers: the workers of earlier matches, which replace `jobs`, `cluster`, `in_process` and `allowance`
        advance: called with the number of games that have just finished, possibly from several threads

    Returns:
        The result of the match. A list of such results can be converted to a table by pandas. With `rows`, the result
        also contains the result of each game.

    Raises:
        UsageError, NotFoundError, InvalidError: wrong arguments, such as a limit that neither player accepts
        PetteiaError: a player that cannot be created

    Examples:
        >>> petteia.match("kalah", "greedy:depth=2", "random", games=20)
        <Match of kalah, greedy:depth=2 against random: 20 won, 0 drawn, 0 lost, score 1.000 (0.722 to 1.000)>

    """
    if workers is None:
        check_counts(jobs=jobs)
        with Workers(jobs, allowance, in_process=in_process, cluster=cluster) as workers:
            return match(
                game,
                first,
                second,
                games=games,
                openings=openings,
                seats=seats,
                max_plies=max_plies,
                limit=limit,
                clock=clock,
                sprt=sprt,
                seed=seed,
                openings_seed=openings_seed,
                position=position,
                memory=memory,
                rows=rows,
                moves=moves,
                workers=workers,
                advance=advance,
            )
    test = read_sprt(sprt)
    terms = Terms(games, openings, seats, max_plies, limit, clock, seed, openings_seed, position, memory, rows, moves)
    contest = prepare(rules_of(game), first, second, terms, workers)
    remarks: list[str] = []
    try:
        _play(contest, test, workers, advance)
        remarks = workers.processes.finish()
    finally:
        remarks += finished(*contest.players)
    return _result(contest, test, remarks)


def _play(contest: Contest, test: Sprt | None, workers: Workers, advance: Callable[[int], None]) -> None:
    """Play all games, or stop earlier if the sequential test accepts a hypothesis."""
    per_unit = contest.conditions.games_per_opening
    units = [0] * (2 * per_unit + 1)

    def keep(contest: Contest, blocks: tuple[range, ...], tallies: tuple[Tally, ...]) -> None:
        units[:] = map(sum, zip(units, *(each.units for each in tallies), strict=True))
        advance(sum(map(len, blocks)))

    if test is None:
        play([contest], workers, keep)
        return
    small = blocks(contest.games, per_unit, BLOCK_UNITS)
    for _, until_next_look in groupby(small, lambda block: block.start // (UNITS * per_unit)):
        contest.todo = deque(until_next_look)
        play([contest], workers, keep)
        if test.verdict(units) is not None:
            return


def _faults(tally: Tally, players: tuple[Player, Player]) -> list[str]:
    """Return messages to the user about the faults of the players, such as illegal moves.

    There is one message for each player and each kind of fault. It describes the first fault of this kind, and states
    in how many games the fault occurred.
    """
    notes = []
    for first, games in tally.faults:
        count = f"{games} {'game' if games == 1 else 'games'}"
        loser = players[0 if first.score == 0.0 else 1].name
        lost = first.reason in FAULTS
        words = (
            f"{loser} lost {count} {FAULTS[first.reason]}"
            if lost
            else f"after the end of {count}, whose results are kept"
        )
        notes.append(f"{first.fault} ({words})")
    return notes


def _result(contest: Contest, test: Sprt | None, remarks: list[str]) -> MatchResult:
    conditions, players, tally = contest.conditions, contest.players, contest.tally
    notes = list(contest.notes)
    if conditions.opening == 0 and 2 * tally.distinct <= tally.games:
        words = f"only {tally.distinct} of the {tally.games} games are distinct"
        notes.append(f"{words}, and repeated games are no evidence; use random openings")
    if tally.voided:
        notes.append(f"{tally.voided} games were played again because the machine was overloaded")
    notes += [*_faults(tally, players), *dict.fromkeys(remarks)]
    score, margin = tally.score, tally.margin
    strength, normalized = Estimate(*(elo_of(each) for each in score)), Estimate(*[math.nan] * 3)
    if test is not None:
        strength = estimate(test, tally.units, UNITS)
        normalized = estimate(test, tally.units, UNITS, "normalized")
    points = dict(zip((*ELO_FIELDS, *NORMALIZED_FIELDS), (*strength, *normalized), strict=True))
    wins, draws, losses = tally.counts
    has_dice_in_common = has_chance(conditions.rules) and conditions.games_per_opening == 2
    unpaired = tally.unpaired_score if has_dice_in_common else None
    return MatchResult(
        game=format_game(conditions.rules),
        first=players[0].name,
        second=players[1].name,
        games=tally.games,
        wins=wins,
        draws=draws,
        losses=losses,
        units=tally.units,
        by_seat=tally.by_seat,
        score=score.mean,
        low=score.low,
        high=score.high,
        **{name: elo if math.isfinite(elo) else None for name, elo in points.items()},
        superiority=superiority(tally.units),
        margin=margin.mean,
        margin_low=margin.low if margin.is_known else None,
        margin_high=margin.high if margin.is_known else None,
        verdict=None if test is None else test.verdict(tally.units),
        ratio=None if test is None else likelihood_ratio(test, tally.units),
        unpaired_low=unpaired and unpaired.low,
        unpaired_high=unpaired and unpaired.high,
        illegal=tally.reasons["illegal"],
        timeouts=tally.reasons["timeout"],
        crashed=tally.reasons["crashed"],
        stopped=tally.reasons["max-plies"],
        distinct=tally.distinct,
        plies=tally.plies / tally.games,
        notes=tuple(notes),
        faults=tuple(each.first for each in tally.faults),
        rows=tally.rows,
    )
