"""Tasks for workers. A task consists of several blocks of a match, and can be executed on any machine.

A task contains all information about its blocks, so that the results do not depend on the worker. A worker process
reuses the players of its last match, because preparing players may take a long time.
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
    """A description of both players of a match, from which a worker process can create the players."""

    match: str
    """a text that identifies the match, so that a worker never uses the players of another match"""
    first: str
    """the text form of the first-named player"""
    second: str
    """the text form of the second-named player"""
    memory: int | None
    """the number of bytes that players may use to solve the game"""
    allowance: Allowance
    """time and memory limits of the players besides the limit of a move"""
    in_process: bool
    """whether custom players run in the worker itself"""
    allowed: frozenset[str]
    """the names of modules that may be imported because files name them"""
    code: Parts | None = None
    """the digests of the code that produces the games; None if the worker cannot have other code"""


class Task(NamedTuple):
    """A task for a worker: successive blocks of a match."""

    conditions: Conditions
    """the settings of the match without its players"""
    blocks: tuple[range, ...]
    """the numbers of the games of each block"""
    is_compiled: bool
    """whether the games are played in the compiled loop"""
    keeps_rows: bool
    """whether tallies contain the rows of games"""


class Played(NamedTuple):
    """The result of a task."""

    tallies: tuple[Tally, ...]
    """the tally of each block; empty if a custom policy failed or chose an illegal move in the compiled loop, so that
    the games must be driven from Python"""
    seconds: float
    """the duration of the task, in seconds"""


def play_task(task: Task, compiled: Compiled | None, players: tuple[Player, Player]) -> Played:
    """Play the blocks of a task.

    If `compiled` is given, its two policies play in compiled code. Otherwise `players` play in a Python loop.
    """
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
    """Return digests of the code on which the games of two players depend, one digest for each module."""
    return by_module(dependencies(rules, play_task) | one.dependencies(rules) | two.dependencies(rules))


def finished(*players: Player) -> list[str]:
    """Call the method `finish` of each player. Return the players' messages, and the errors of players that failed."""
    remarks: list[Any] = []
    for each in players:
        try:
            remarks.append(each.finish())
        except Fault as fault:
            remarks.append(str(fault))
    return [words for words in remarks if words]


# The code below runs in a worker.


class _Kept:
    """The players that a worker process keeps in memory for its next task."""

    call: Call | None = None
    players: tuple[Player, Player] | None = None
    compiled: Compiled | None = None
    children: Children | None = None


_kept = _Kept()


def work(call: Call, task: Task) -> Played:
    """Play the blocks of a task in a worker process.

    If the last task of the worker belongs to the same match, its players are used again. Otherwise the players are
    created from their text forms.
    """
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
    """Call the method `finish` of this worker's players, release the players, and return their messages to the user."""
    players, _kept.players, _kept.compiled = _kept.players, None, None
    return [] if players is None else finished(*players)


def close() -> None:
    """End the child processes of this worker's players."""
    children, _kept.children = _kept.children, None
    if children is not None:
        children.close()
