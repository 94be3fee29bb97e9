"""Functions that start a session or continue a recorded game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from petteia.arena.openings import start_state
from petteia.core.clock import Clock, read_clock
from petteia.core.decision import ALLOWANCE, Allowance, Limit, check_amounts
from petteia.core.errors import InvalidError, UsageError
from petteia.core.hints import argument
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, legal, seats
from petteia.core.random import checked_seed
from petteia.games import game as rules_of
from petteia.player_processes.process import Children
from petteia.players import player
from petteia.players.kept import Keep, KeptPlayer
from petteia.players.player import UNLIMITED
from petteia.playing.position import Position
from petteia.playing.session import Session
from petteia.policies.play_games import MAX_PLIES
from petteia.records.game_record import GameRecord, read_record
from petteia.records.runs import runs_folder


def session(
    game: str | Rules,
    players: Sequence[str | Any] = ("human", "greedy"),
    *,
    position: str | State | Position | None = None,
    hint: str | Any | None = None,
    keep: str | Path | None = None,
    runs: str | Path | None = None,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    clock: str | Clock | None = None,
    max_plies: int = MAX_PLIES,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
) -> Session:
    """Start a game between people and programs.

    Args:
        game: the rules or their text form
        players: players 0 and 1. Each is text such as `greedy`, a run or weights file, a training run, an agent, or a
            player or policy object. `human` is a person, whose moves are passed to `Session.play`. Two sessions must
            not share a player object
        position: the start position, as a state, text or position; default: the initial position
        hint: the player that gives hints; default: the opponent
        keep: the name of the run in which a learning player `q` is saved after each finished game. If the run exists,
            the player continues it. A new run begins with the table of the player's `agent`, or else with an empty
            table. Default: nothing is saved
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`
        seed: seed of chance and of the players, 0..2^63-1
        limit: limit of a program's search for a move or hint; it replaces the players' own search limits
        clock: the time of each player for the game, as in `petteia.match`. The session measures the time of programs;
            the caller of `Session.play` passes the time of persons
        max_plies: the game is drawn after this number of plies
        in_process: run custom players in this process. By default, each has a child process, which ends with `close` or
            with the session
        allowance: limits on the resources of players, besides `limit`

    Returns:
        The session. If a program fails while the session starts, the program has lost and the game is over.

    Raises:
        UsageError: a game, a player or an option is unknown. There are not exactly two players, one of them cannot play
            its seat, or no player supports the limit. `keep` is given without exactly one player that learns, or names
            a run of another kind, such as a training run
        NotFoundError: a module, a class, a run or a file is missing
        InvalidError: the position is malformed, finished or of another game. A file is damaged or belongs to other
            rules. The run that `keep` names has other rules or changed code
        PetteiaError: another process writes to the run that `keep` names

    Examples:
        >>> session = petteia.session("hare-and-hounds", ("perfect", "random"), seed=1)
        >>> session.step().move
        '1-5'
        >>> steps = session.advance()
        >>> session.outcome
        Outcome(margin=1, plies=15, reason='over', fault='')

    """
    rules = rules_of(game)
    start = start_state(rules, position)
    children = Children(allowance, in_process=in_process)
    return _session(rules, players, start, None, hint, _kept_in(keep, runs), seed, limit, clock, max_plies, children)


def restore(
    record: GameRecord | str,
    players: Sequence[str | Any],
    *,
    finished: bool = False,
    hint: str | Any | None = None,
    keep: str | Path | None = None,
    runs: str | Path | None = None,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    clock: str | Clock | None = None,
    max_plies: int = MAX_PLIES,
    in_process: bool = False,
    allowance: Allowance = ALLOWANCE,
) -> Session:
    """Continue an unfinished game from its record. The recorded moves are replayed, and can be taken back.

    Args:
        record: the record, as returned by `Session.record` or `petteia.record`, or its text
        players: as in `petteia.session`; each begins a new game at the restored position
        finished: if True, accept a finished game, so that its last moves can be taken back. A game that did not end by
            its rules, for example by resignation, continues after its last move
        hint: the player that gives hints; default: the opponent
        keep: as in `petteia.session`
        runs: as in `petteia.session`
        seed: as in `petteia.session`; the seed of the recorded game gives the same dice as the original session
        limit: limit of a program's search for a move or hint; it replaces the players' own search limits
        clock: as in `petteia.session`; both clocks start with their full time
        max_plies: the game is drawn after this number of plies, including the recorded plies
        in_process: run custom players in this process instead of in a child process each
        allowance: limits on the resources of players, besides `limit`

    Raises:
        UsageError: a player or an option is unknown. There are not exactly two players, one of them cannot play its
            seat, or no player supports the limit. `keep` is given without exactly one player that learns, or names a
            run of another kind, such as a training run
        NotFoundError: a module, a class, a run or a file is missing
        InvalidError: the record is damaged, or its game is finished and `finished` is not True. The run that `keep`
            names has other rules or changed code

    Examples:
        >>> session = petteia.session("kalah", ("human", "greedy"))
        >>> step = session.play("3")
        >>> text = session.record().write()
        >>> petteia.restore(text, ("human", "greedy")).moves
        ('3',)

    """
    if isinstance(record, str):
        record = read_record(record)
    if not isinstance(record, GameRecord):
        raise UsageError(f"record={record!r}: must be a game record, or the text of a game record")
    rules = rules_of(record.rules)
    position = Position(rules, start_state(rules, record.start))
    for ply, move in enumerate(record.moves, 1):
        if move not in legal(rules, position.state):
            raise InvalidError(
                f"record: ply {ply}: the move code {move!r} is not legal in the position {position.text!r}"
            )
        position = position.after(move)
    if not finished and (record.outcome is not None or position.is_over):
        raise InvalidError(f"record: the game is finished after {len(record.moves)} plies; give an unfinished game")
    children = Children(allowance, in_process=in_process)
    return _session(
        rules, players, record.start, record.moves, hint, _kept_in(keep, runs), seed, limit, clock, max_plies, children
    )


def _kept_in(keep: str | Path | None, runs: str | Path | None) -> Keep | None:
    return None if keep is None else Keep(str(keep), runs_folder(runs))


def _session(
    rules: Rules,
    players: Sequence[str | Any],
    start: State,
    moves: Sequence[int] | None,
    hint: str | Any | None,
    keep: Keep | None,
    seed: int,
    limit: Limit,
    clock: str | Clock | None,
    max_plies: int,
    children: Children,
) -> Session:
    """Check the arguments and create the session."""
    if isinstance(players, str) or len(players) != 2:
        of = " and ".join(seats(rules))
        raise UsageError(f"players={players!r}: must be a list of two players, who play {of} in {format_game(rules)}")
    check_amounts(**limit.amounts, max_plies=max_plies)
    kept = list[KeptPlayer]()
    try:
        made = (player(players[0], rules, children, keep=keep), player(players[1], rules, children, keep=keep))
        adviser = None if hint is None else player(hint, rules, children)
        kept += [each for each in made if isinstance(each, KeptPlayer)]
        if keep is not None and len(kept) != 1:
            first, second = (each.name for each in made)
            who = (
                f"both {first} and {second} learn, but a run can save only one player"
                if kept
                else f"neither {first} nor {second} learns while it plays"
            )
            how = "replace one of the players" if kept else "give the player q a learning rate, as in q:alpha=0.1"
            raise UsageError(f"{argument('keep', 'keep', '--keep')} {keep.name}: {who}; {how}")
        return Session(
            rules,
            made,
            start,
            moves=moves,
            hint=adviser,
            seed=checked_seed(seed),
            limit=limit,
            clock=read_clock(clock, limit),
            max_plies=max_plies,
            children=children,
        )
    except BaseException:
        for each in kept:
            each.close()
        children.close()
        raise
