"""A match: many games between two players, in pairs from the same opening, with the same dice, and what they tell.

Policies meet in the compiled loop; all other players are driven from Python, in several processes if wanted. The games
are the same for any number of jobs. Players of users' modules live in child processes; one that does what it must not
loses the game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

from petteia.arena.alternate import Conditions, GameRow, alternate
from petteia.arena.balanced import draw_balanced
from petteia.arena.compiled import play_compiled
from petteia.arena.match_result import MatchResult
from petteia.arena.openings import parse_openings
from petteia.arena.ratings import elo_of, superiority
from petteia.arena.sprt import Estimate, Sprt, estimate, likelihood_ratio, read_sprt
from petteia.arena.tally import Tally
from petteia.arena.workers import Share, Workers, finished
from petteia.core.clock import Clock, read_clock
from petteia.core.decision import ALLOWANCE, FAULTS, Allowance, Limit, check_amounts
from petteia.core.errors import UsageError
from petteia.core.hints import argument_with
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, has_chance
from petteia.core.protocol import seats as seat_names
from petteia.core.random import checked_seed
from petteia.foreign.trust import allowed
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.player import BOTH_SEATS, check_limit, notices
from petteia.policies.play_games import MAX_PLIES, match_keys

UNLIMITED = Limit()
ELO_FIELDS = ("elo", "elo_low", "elo_high")
UNITS = 32
"""pairs of games, or single games, that are played before a sequential test is looked at again"""
SEATS = {"both": (0, 1), "fixed": (0, 0)}
"""seats of the first-named player in games of even and odd number"""


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
    advance: Callable[[int], None] = lambda games: None,
) -> MatchResult:
    """Let two players play a match.

    Args:
        game: rules, or their text form
        first: a player's text form, a run or weights file, a training, an agent, a player, or a policy
        second: likewise
        games: how many; rounded up to an even number where each opening is played from both sides
        openings: `random:PLIES`, `none`, or the path of a file with a position a line; `balanced:PLIES` or
            `balanced:PLIES,nodes=N`: positions after so many random plies that are near even, by a search of N nodes,
            or exactly if the game is small enough to be solved. The interval is only as good as the games are different
        seats: `both`: each opening is played from both sides, with the same dice where chance moves; `fixed`: the
            first-named is always player 0, and each game has an opening and dice of its own. Default: `both`; if a
            player only plays one side, it plays that side in all games, and a note says so
        max_plies: after so many plies a game is a draw
        limit: how much thought a move may take: replaces the own limits of players that search; others play as without
            it, but whoever takes more time, by more than the grace, loses
        clock: the time of each player for a game: `5/10` (ten seconds for each five moves), `150` (for all moves),
            `60+1` (one second more after each move), or a `petteia.Clock`; who takes more time, by more than the grace,
            loses. Players that search divide what is left among the moves that they still have to make
        sprt: end the match when it is decided: `0,20` asks whether the first player is 0 or 20 Elo points stronger, at
            error rates of 5 % each, `0,20,normalized` goes by normalized Elo; or a `petteia.Sprt`. `games` then is the
            most that are played; the test is looked at every 32 pairs, so the result is the same for any number of jobs
        seed: 0..2^63-1; the same seed gives the same games
        openings_seed: of the random openings, so that matches with other seeds have the same ones; None: `seed`
        jobs: threads or processes among which the games are shared; players must then be what can be made anew in
            each process (a text, a run, a training), and what they do in a game must not depend on earlier games
        position: where games start from, text or a state, instead of the initial state
        in_process: keep players of users' modules inside, instead of in a child process each
        allowance: what players may take besides the limit: grace, the time to start, memory
        memory: bytes that players may use who solve the game, unless they say that themselves; None: their own measure
        rows: whether the result has the row of each game, which take some 300 bytes each; without them a match of any
            number of games takes the same memory
        moves: whether rows have the moves, for `result.records()`; the same games take longer, driven from Python
        workers: the processes of earlier matches, to be used again; jobs, in_process and allowance are then theirs
        advance: is told of each number of games that have been finished, maybe by several threads

    Returns:
        the figures, which pandas takes as a row, and the row of each game

    Raises:
        UsageError, NotFoundError, InvalidError: for arguments that are wrong, such as a limit where neither player
            takes one
        PetteiaError: for a player that cannot be made

    """
    if workers is None:
        check_counts(jobs=jobs)
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
    rules = rules_of(game)
    check_counts(games=games, max_plies=max_plies)
    keys = match_keys(checked_seed(seed))
    if openings_seed is not None:
        keys = keys._replace(opening=match_keys(checked_seed(openings_seed)).opening)
    if seats is not None and seats not in SEATS:
        raise UsageError(f"seats={seats!r}: must be one of {', '.join(SEATS)}")
    check_amounts(**limit.amounts)
    clock, sprt = read_clock(clock, limit), read_sprt(sprt)
    check_counts(**({} if memory is None else {"memory": memory}))
    one, two = (player(each, rules, workers.children, memory=memory) for each in (first, second))
    check_limit(limit, one, two)
    seats_of_first, notes = _seats(rules, one, two, seats)
    starts, plies, nodes = parse_openings(openings, rules, position)
    if nodes is not None:
        pairs = games if seats_of_first[0] == seats_of_first[1] else -(-games // 2)
        balanced = draw_balanced(rules, starts[0], plies, nodes, keys.opening, pairs)
        starts, plies = balanced.starts, 0
        notes.append(balanced.note(nodes))
    grace = workers.children.allowance.grace
    conditions = Conditions(rules, starts, plies, seats_of_first, max_plies, limit, keys, grace, clock, moves)
    notes += notices(one, two, limit=conditions.first_limit)
    if conditions.is_timed and workers.jobs > workers.cores:
        notes.append(f"{workers.jobs} jobs: {workers.cores} at a time, as games with a time limit do not share a core")
    if games % conditions.games_per_opening:
        games += 1
        notes.append(f"{games - 1} games are rounded up to {games}: each opening is played from both sides")
    remarks: list[str] = []
    try:
        tally, remarks = _play(conditions, (one, two), games, sprt, memory, rows or moves, workers, advance)
    finally:
        remarks += finished(one, two)
    if plies == 0 and 2 * (distinct := tally.distinct) <= games:
        notes.append(f"only {distinct} of the {games} games are distinct; repeats are no evidence: use random openings")
    notes += [*_faults(tally, (one, two)), *dict.fromkeys(remarks)]
    return _result(conditions, (one, two), tally, sprt, notes)


def _play(
    conditions: Conditions,
    players: tuple[Player, Player],
    games: int,
    sprt: Sprt | None,
    memory: int | None,
    keeps_rows: bool,
    workers: Workers,
    advance: Callable[[int], None],
) -> tuple[Tally, list[str]]:
    """The games, and what the players of other processes said when no more followed."""
    if conditions.limit == UNLIMITED and conditions.clock is None and not conditions.keeps_moves:
        tally = Tally(conditions, keeps_rows=keeps_rows)
        for numbers in _blocks(conditions, games, sprt, tally):
            if not play_compiled(conditions, *players, numbers, workers.jobs, tally, advance):
                break
        else:
            return tally, []
    tally = Tally(conditions, keeps_rows=keeps_rows)
    remarks = list[str]()
    if players[0] is players[1]:
        raise UsageError("a player cannot play itself: give its text form twice, or make a second one")
    for numbers in _blocks(conditions, games, sprt, tally):
        remarks += _drive(conditions, players, numbers, tally, memory, workers, advance)
    return tally, remarks


def _blocks(conditions: Conditions, games: int, sprt: Sprt | None, tally: Tally) -> Iterator[range]:
    """The numbers of games that are played before the test is looked at again; all of them where there is none."""
    size = games if sprt is None else UNITS * conditions.games_per_opening
    for begin in range(0, games, size):
        yield range(begin, min(begin + size, games))
        if sprt is not None and sprt.verdict(tally.units) is not None:
            return


def _drive(
    conditions: Conditions,
    players: tuple[Player, Player],
    numbers: range,
    tally: Tally,
    memory: int | None,
    workers: Workers,
    advance: Callable[[int], None],
) -> list[str]:
    """Games driven from Python, counted in `tally`, and what players of other processes said when no more followed."""
    jobs = workers.jobs
    if jobs > 1:
        first, second = (each.text for each in players)
        if first is None or second is None:
            name = players[0 if first is None else 1].name
            raise UsageError(f"jobs={jobs}: player {name} must be given as text, so that each job can make its own")
        for each in players:
            if not each.independent:
                raise UsageError(f"jobs={jobs}: the games of player {each.name} depend on each other; use jobs=1")

        def keep(rows: list[GameRow]) -> None:
            tally.add_rows(rows)
            advance(len(rows))

        return workers.play(Share(conditions, first, second, memory, allowed()), numbers, keep)
    for row in alternate(conditions, *players, numbers):
        tally.add_rows([row])
        advance(1)
    return []


def _faults(tally: Tally, players: tuple[Player, Player]) -> list[str]:
    """What was done that must not be done: the first time of each kind, by each player, and how often."""
    notes = []
    for first, games in tally.faults:
        count = f"{games} {'game' if games == 1 else 'games'}"
        loser = players[0 if first.score == 0.0 else 1].name
        lost = first.reason in FAULTS
        words = f"{loser} lost {count} {FAULTS[first.reason]}" if lost else f"{count} had ended, and count"
        notes.append(f"{first.fault} ({words})")
    return notes


def _result(
    conditions: Conditions, players: tuple[Player, Player], tally: Tally, sprt: Sprt | None, notes: list[str]
) -> MatchResult:
    score = tally.score
    strength = Estimate(*(elo_of(each) for each in score))
    if sprt is not None:
        strength = estimate(sprt, tally.units, UNITS)
    has_dice_in_common = has_chance(conditions.rules) and conditions.games_per_opening == 2
    unpaired = tally.unpaired_score if has_dice_in_common else None
    return MatchResult(
        game=format_game(conditions.rules),
        first=players[0].name,
        second=players[1].name,
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        units=tally.units,
        by_seat=tally.by_seat,
        score=score.mean,
        low=score.low,
        high=score.high,
        **{name: elo if math.isfinite(elo) else None for name, elo in zip(ELO_FIELDS, strength, strict=True)},
        superiority=superiority(tally.units),
        verdict=None if sprt is None else sprt.verdict(tally.units),
        ratio=None if sprt is None else likelihood_ratio(sprt, tally.units),
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


def check_counts(**counts: int) -> None:
    """Raise a UsageError for one that is no whole number, or below 1."""
    for name, count in counts.items():
        if not hasattr(count, "__index__"):
            raise UsageError(f"{name}={count!r}: must be a whole number")
        if count < 1:
            raise UsageError(f"{name}={count}: must be 1 or more")


def _seats(rules: Rules, first: Player, second: Player, seats: str | None) -> tuple[tuple[int, int], list[str]]:
    """The seats of the first-named player in games of even and odd number, and what people should be told about that.

    Raises a UsageError for seats that a player cannot take.
    """
    names = seat_names(rules)
    one_sided = [each for each in (first, second) if set(each.seats) != set(BOTH_SEATS)]
    if seats is None:
        if not one_sided:
            return SEATS["both"], []
        for seat in (0, 1):
            if seat in first.seats and 1 - seat in second.seats:
                told = (f"player {each.name} only plays {names[each.seats[0]]}, in all games" for each in one_sided)
                return (seat, seat), list(told)
        raise UsageError(f"players {first.name} and {second.name} both only play {names[first.seats[0]]}")
    for each, fixed in ((first, 0), (second, 1)):
        if set(BOTH_SEATS if seats == "both" else (fixed,)) <= set(each.seats):
            continue
        can = each.seats[0]
        place = ("first", "second")[can]
        raise UsageError(
            f"player {each.name} only plays {names[can]}: name it {place} and use {argument_with('seats', 'fixed')}, "
            "or leave seats out"
        )
    return SEATS[seats], []
