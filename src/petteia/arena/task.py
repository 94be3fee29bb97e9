"""What is played at a time: some blocks of a match, here or in another process, on this machine or on another.

A task says all that must be known to play its blocks, so that they come out the same wherever it is done. A worker,
which is a process, keeps the players of its last match, as making them may take long.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from petteia.arena.alternate import Conditions, alternate
from petteia.arena.cluster import check_same_code
from petteia.arena.compiled import Compiled, compiled_players, play_compiled
from petteia.arena.tally import Tally, tally_of_columns, tally_of_rows
from petteia.core.decision import Allowance, Fault
from petteia.core.protocol import Rules
from petteia.foreign.trust import allow
from petteia.player_processes.process import Children
from petteia.players import Player, player
from petteia.provenance.live import Parts
from petteia.provenance.reach import by_module, dependencies


class Call(NamedTuple):
    """How a worker makes the players of a match."""

    match: str
    """what tells this match from others whose players a worker may have"""
    first: str
    """the text form of the first-named player"""
    second: str
    """the text form of the second-named player"""
    memory: int | None
    """bytes for players that solve the game"""
    allowance: Allowance
    """what players may take besides the limit"""
    in_process: bool
    """whether players of users' modules live in the worker itself"""
    allowed: frozenset[str]
    """the modules whose code files may name"""
    code: Parts | None = None
    """the code by which the games come about, where the worker may have other code"""


class Task(NamedTuple):
    """Blocks of a match, one after the other."""

    conditions: Conditions
    """all that the match fixes but the players"""
    blocks: tuple[range, ...]
    """numbers of games"""
    is_compiled: bool
    """whether they are played in the compiled loop"""
    keeps_rows: bool
    """whether tallies have the rows of games"""


class Played(NamedTuple):
    """What came of a task."""

    tallies: tuple[Tally, ...]
    """of each block; none if the compiled loop cannot tell what a user's policy did: then its games are to be driven
    from Python"""
    seconds: float
    """how long it took"""


def play_task(task: Task, compiled: Compiled | None, players: tuple[Player, Player]) -> Played:
    """Play the blocks of a task; `compiled` is needed only for the compiled loop, the players else."""
    begin, conditions = time.perf_counter(), task.conditions
    games = range(task.blocks[0].start, task.blocks[-1].stop)
    if task.is_compiled and compiled is not None:
        columns = play_compiled(conditions, compiled, games)
        parts = [] if columns is None else [columns[block.start - games.start :][: len(block)] for block in task.blocks]
        tallies = [
            tally_of_columns(conditions, block, part, keeps_rows=task.keeps_rows)
            for block, part in zip(task.blocks, parts, strict=columns is not None)
        ]
    else:
        tallies = [
            tally_of_rows(conditions, [*alternate(conditions, *players, block)], keeps_rows=task.keeps_rows)
            for block in task.blocks
        ]
    return Played(tuple(tallies), time.perf_counter() - begin)


def code_of_games(rules: Rules, one: Player, two: Player) -> Parts:
    """The code by which games of these players come about."""
    return by_module(dependencies(rules, play_task) | one.dependencies(rules) | two.dependencies(rules))


def finished(*players: Player) -> list[str]:
    """Tell players that no more games follow; what they say to that, and what goes wrong at it."""
    remarks: list[Any] = []
    for each in players:
        try:
            remarks.append(each.finish())
        except Fault as fault:
            remarks.append(str(fault))
    return [words for words in remarks if words]


# In a worker.


class _Kept:
    """What a worker keeps between two tasks."""

    call: Call | None = None
    players: tuple[Player, Player] | None = None
    compiled: Compiled | None = None
    children: Children | None = None


_kept = _Kept()


def work(call: Call, task: Task) -> Played:
    """Do a task in a worker, which makes the players from their text forms."""
    players = _players(call, task)
    return play_task(task, _kept.compiled, players)


def _players(call: Call, task: Task) -> tuple[Player, Player]:
    if _kept.players is None or _kept.call != call:
        finish()
        if _kept.children is None or _kept.children.allowance != call.allowance:
            close()
            _kept.children = Children(call.allowance, in_process=call.in_process)
        allow(call.allowed)
        rules = task.conditions.rules
        one, two = (player(text, rules, _kept.children, memory=call.memory) for text in (call.first, call.second))
        if call.code is not None:
            check_same_code(call.code, code_of_games(rules, one, two))
        _kept.call, _kept.players = call, (one, two)
        _kept.compiled = compiled_players(rules, one, two) if task.is_compiled else None
    return _kept.players


def finish() -> list[str]:
    """Let this worker's players go; what they say when no more games follow."""
    players, _kept.players, _kept.compiled = _kept.players, None, None
    return [] if players is None else finished(*players)


def close() -> None:
    """End the children of this worker's players."""
    children, _kept.children = _kept.children, None
    if children is not None:
        children.close()
