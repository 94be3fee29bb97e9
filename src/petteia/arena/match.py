"""A match: many games between two players, in pairs from the same opening, and what they tell.

Policies meet in the compiled loop; all other players are driven from Python, in several processes if wanted. The games
are the same for any number of jobs. Players of users' modules live in child processes; one that does what it must not
loses the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions, GameRow, alternate
from petteia.arena.compiled import play_compiled
from petteia.arena.openings import parse_openings
from petteia.arena.statistics import score_interval
from petteia.arena.workers import Played, Share, Workers, finished
from petteia.core.decision import ALLOWANCE, FAULTS, Allowance, Limit, Reason, check_amounts
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State
from petteia.core.protocol import seats as seat_names
from petteia.core.random import checked_seed
from petteia.foreign.trust import allowed
from petteia.games import format_game
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.player import notices
from petteia.policies.play_games import MAX_PLIES, match_keys

UNLIMITED = Limit()
SEATS = {"both": (0, 1), "fixed": (0, 0)}
"""seats of the first-named player in games of even and odd number"""
SEAT_TO_PLIES = slice(GameRow._fields.index("seat_of_first"), GameRow._fields.index("plies") + 1)


class MatchResult(NamedTuple):
    """What a match has shown. Figures are the first-named player's."""

    game: str
    """the text form of the rules"""
    first: str
    """the name of the first-named player"""
    second: str
    """the name of the second-named player"""
    games: int
    """the number of games"""
    wins: int
    """the number of games won"""
    draws: int
    """the number of games drawn, those by the limit of plies included"""
    losses: int
    """the number of games lost"""
    score: float
    """share of the points, 0..1: a win is one, a draw half of one"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound"""
    illegal: int
    """games lost, by either player, by an illegal move"""
    timeouts: int
    """games lost, by either player, by taking too long"""
    crashed: int
    """games lost, by either player, by raising an error, or by an end of its process"""
    stopped: int
    """draws by the limit of plies"""
    distinct: int
    """different sequences of moves among the games"""
    plies: float
    """mean length of a game, after its opening"""
    notes: tuple[str, ...]
    """what people should be told besides"""
    rows: tuple[GameRow, ...]
    """each game, by number"""


def match(
    game: str | Rules,
    first: str | Any,
    second: str | Any,
    *,
    games: int = 100,
    openings: str = "random:2",
    seats: Literal["both", "fixed"] = "both",
    max_plies: int = MAX_PLIES,
    limit: Limit = UNLIMITED,
    seed: int = 0,
    jobs: int = 1,
    position: str | State | None = None,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
    memory: int | None = None,
    workers: Workers | None = None,
    advance: Callable[[int], None] = lambda games: None,
) -> MatchResult:
    """Let two players play a match.

    Args:
        game: rules, or their text form
        first: a player's text form, a player, or a policy
        second: likewise
        games: how many; with `seats="both"` rounded up to an even number
        openings: `random:PLIES`, `none`, or the path of a file with a position a line; the interval is only as good as
            the games are different
        seats: `both`: each opening is played from both sides; `fixed`: the first-named is always player 0, and each
            game has an opening of its own
        max_plies: after so many plies a game is a draw
        limit: how much thought a move may take; who takes longer, by more than the grace, loses
        seed: 0..2^63-1; the same seed gives the same games
        jobs: threads or processes among which the games are shared; players must then be given as text, and what they
            do in a game must not depend on earlier games
        position: where games start from, text or a state, instead of the initial state
        in_process: keep players of users' modules inside, instead of in a child process each
        allowance: what players may take besides the limit: grace, the time to start, memory
        memory: bytes that players may use who solve the game, unless they say that themselves; None: their own measure
        workers: the processes of earlier matches, to be used again; jobs, in_process and allowance are then theirs
        advance: is told of each number of games that have been finished, maybe by several threads

    Returns:
        the figures, which pandas takes as a row, and the row of each game

    Raises:
        UsageError, NotFoundError, InvalidError: for arguments that are wrong
        PetteiaError: for a player that cannot be made

    """
    if workers is None:
        _check_counts(jobs=jobs)
        with Workers(jobs, allowance, in_process=in_process) as workers:
            return match(
                game,
                first,
                second,
                games=games,
                openings=openings,
                seats=seats,
                max_plies=max_plies,
                limit=limit,
                seed=seed,
                position=position,
                memory=memory,
                workers=workers,
                advance=advance,
            )
    rules = rules_of(game)
    _check_counts(games=games, max_plies=max_plies)
    seed = checked_seed(seed)
    if seats not in SEATS:
        raise UsageError(f"seats={seats!r}: must be one of {', '.join(SEATS)}")
    check_amounts(**limit._asdict())
    _check_counts(**({} if memory is None else {"memory": memory}))
    one, two = (player(each, rules, workers.children, memory=memory) for each in (first, second))
    _check_seats(rules, one, two, seats)
    starts, plies = parse_openings(openings, rules, position)
    grace = workers.children.allowance.grace
    conditions = Conditions(rules, starts, plies, SEATS[seats], max_plies, limit, match_keys(seed), grace)
    notes = [*notices(one, two, limit=limit)]
    if games % conditions.games_per_opening:
        games += 1
        notes.append(f"{games - 1} games are rounded up to {games}: each opening is played from both sides")
    remarks: list[str] = []
    try:
        rows, remarks = _play(conditions, (first, second), (one, two), games, memory, workers, advance)
    finally:
        remarks += finished(one, two)
    if plies == 0 and 2 * (distinct := len({row.digest for row in rows})) <= games:
        notes.append(f"only {distinct} of the {games} games are distinct; repeats are no evidence: use random openings")
    notes += [*_faults(rows, (one, two)), *dict.fromkeys(remarks)]
    return _result(conditions, (one, two), rows, notes)


def _play(
    conditions: Conditions,
    given: tuple[Any, Any],
    players: tuple[Player, Player],
    games: int,
    memory: int | None,
    workers: Workers,
    advance: Callable[[int], None],
) -> Played:
    jobs = workers.jobs
    if conditions.limit == UNLIMITED:
        compiled = play_compiled(conditions, *players, games, jobs, advance)
        if compiled is not None:
            return Played(compiled, [])
    if players[0] is players[1]:
        raise UsageError("a player cannot play itself: give its text form twice, or make a second one")
    if jobs > 1:
        for text, each in zip(given, players, strict=True):
            if not isinstance(text, str):
                raise UsageError(
                    f"jobs={jobs}: player {each.name} must be given as text, so that each job can make its own"
                )
            if not each.independent:
                raise UsageError(f"jobs={jobs}: the games of player {each.name} depend on each other; use jobs=1")
        return workers.play(Share(conditions, *given, memory, allowed()), games, advance)
    rows = []
    for row in alternate(conditions, *players, range(games)):
        rows.append(row)
        advance(1)
    return Played(rows, [])


def _faults(rows: list[GameRow], players: tuple[Player, Player]) -> list[str]:
    """What was done that must not be done: the first time of each kind, by each player, and how often."""
    kinds: dict[tuple[Reason, float], list[str]] = {}
    for row in rows:
        if row.fault:
            kinds.setdefault((row.reason, row.score), []).append(row.fault)
    notes = []
    for (reason, score), faults in kinds.items():
        count = f"{len(faults)} {'game' if len(faults) == 1 else 'games'}"
        loser = players[0 if score == 0.0 else 1].name
        words = f"{loser} lost {count} {FAULTS[reason]}" if reason in FAULTS else f"{count} had ended, and count"
        notes.append(f"{faults[0]} ({words})")
    return notes


def _result(
    conditions: Conditions, players: tuple[Player, Player], rows: list[GameRow], notes: list[str]
) -> MatchResult:
    table = np.array([row[SEAT_TO_PLIES] for row in rows])
    scores = (1 + np.sign(table[:, 1]) * (1 - 2 * table[:, 0])) / 2
    mean, low, high = score_interval(scores.reshape(-1, conditions.games_per_opening).mean(axis=1))
    reasons = [row.reason for row in rows]
    return MatchResult(
        game=format_game(conditions.rules),
        first=players[0].name,
        second=players[1].name,
        games=len(rows),
        wins=int(np.sum(scores == 1.0)),
        draws=int(np.sum(scores == 0.5)),
        losses=int(np.sum(scores == 0.0)),
        score=mean,
        low=low,
        high=high,
        illegal=reasons.count("illegal"),
        timeouts=reasons.count("timeout"),
        crashed=reasons.count("crashed"),
        stopped=reasons.count("max-plies"),
        distinct=len({row.digest for row in rows}),
        plies=float(table[:, 2].mean()),
        notes=tuple(notes),
        rows=tuple(rows),
    )


def _check_counts(**counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")


def _check_seats(rules: Rules, first: Player, second: Player, seats: str) -> None:
    names = seat_names(rules)
    for each, fixed in ((first, 0), (second, 1)):
        needed = (0, 1) if seats == "both" else (fixed,)
        if set(needed) <= set(each.seats):
            continue
        can = each.seats[0]
        place = ("first", "second")[can]
        raise UsageError(f"player {each.name} only plays {names[can]}: name it {place} and use --seats fixed")
