"""The solution of a game: what it is worth, how it is won, and how large it is."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, format_move, format_state, has_chance, is_over, legal, play
from petteia.core.protocol import positions as number_of_positions
from petteia.core.stop import Stop, check_stop, obeying
from petteia.games import game as rules_of
from petteia.solver import files
from petteia.solver.check import find_fault
from petteia.solver.expectation import TOLERANCE
from petteia.solver.expectation_check import find_fault_of_expectations
from petteia.solver.graph import MEMORY, numbers_positions
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import reachable


class Opening(NamedTuple):
    """A first move, or an outcome where chance begins, and what it is worth."""

    move: str
    """the move as text"""
    value: float
    """final margin under best play after it, player 0's"""
    plies: int | None
    """plies to the end, this one included; None if neither player gets ahead"""


class Longest(NamedTuple):
    """The position from which a win takes longest."""

    position: str
    """the position as text"""
    value: int
    """the final margin under best play, player 0's"""
    plies: int
    """plies to the end under best play"""


class Solution(NamedTuple):
    """What is known of a game. Values are final margins under best play, player 0's; endless play is worth 0.

    They are ints in games without chance. Where chance can move they are expectations, right within 1e-9; nobody
    hurries, so there are no plies before the end, no line and no longest win.
    """

    game: str
    """the text form of the rules"""
    position: str
    """the position that was solved, as text"""
    value: float
    """the value of the position that was solved"""
    plies: int | None
    """plies to the end, if who gets ahead hurries and the other does not; None if neither gets ahead"""
    openings: tuple[Opening, ...]
    """the first moves with their values"""
    line: tuple[str, ...]
    """the moves of a shortest win; empty if neither gets ahead"""
    positions: int
    """positions that can be reached, finished ones included; images of each other count as one"""
    numbered: int | None
    """all positions that the game numbers; None if it numbers none"""
    wins: int
    """positions, of these, that player 0 wins; with chance: that are worth more than 0"""
    draws: int
    """positions, of these, that nobody wins; with chance: that are worth 0"""
    losses: int
    """positions, of these, that player 1 wins; with chance: that are worth less than 0"""
    longest: Longest | None
    """the longest win anywhere, not only among `positions`; None if nobody ever wins"""
    checked: bool
    """whether the whole table was verified"""


def solve(
    game: str | Rules,
    *,
    position: str | State | None = None,
    table: str | Path | None = None,
    check: bool = False,
    memory: int = MEMORY,
    stop: Stop | None = None,
) -> Solution:
    """Solve a game by retrograde analysis of every position.

    Args:
        game: the rules or their text, such as `hare-and-hounds:stall=0`; with injective keys, and with chance if all
            play comes to an end
        position: where the game starts, a state or its text; default: its first position
        table: the file of the table: read if it is there, else written
        check: verify the whole table by a second way, position by position
        memory: bytes that solving may use
        stop: ends the work, once set

    Returns:
        What came out, a row that pandas takes. All it knows of single positions is what `Oracle` tells.

    Raises:
        UsageError: an unknown game or option; a game that cannot be solved or does not fit into memory
        NotFoundError: a module or class that is not there
        InvalidError: a malformed or impossible position; a table that is damaged or of other rules
        PetteiaError: a table that does not pass the check, or cannot be written
        Stopped: `stop` was set before there was a solution; no table is written

    Examples:
        >>> solution = petteia.solve("hare-and-hounds")
        >>> solution.value, solution.plies, solution.positions
        (1, 23, 12116)

    """
    with obeying(stop):
        return _solved(rules_of(game), position, None if table is None else Path(table), check, memory)


def _solved(rules: Rules, position: str | State | None, file: Path | None, check: bool, memory: int) -> Solution:
    check_stop()
    is_there = file is not None and file.exists()
    oracle = Oracle(rules, table=file if is_there else None, position=position, memory=memory)
    known = oracle.table
    if check:
        find = find_fault_of_expectations if has_chance(rules) else find_fault
        fault = find(rules, oracle.start, known.keys, known.states, known.values, known.distances)
        if fault is not None:
            raise PetteiaError(f"{format_game(rules)}: the table is wrong: position {fault}")
    check_stop()
    if file is not None and not is_there:
        files.save(file, rules, known)
    return _describe(oracle, check)


def _describe(oracle: Oracle, checked: bool) -> Solution:
    rules, table, start = oracle.rules, oracle.table, oracle.start
    value, plies = oracle.value(start), oracle.distance(start)
    values = table.values[reachable(rules, table, start)]
    wins, losses = int(np.sum(values > TOLERANCE)), int(np.sum(values < -TOLERANCE))
    return Solution(
        game=format_game(rules),
        position=format_state(rules, start),
        value=value,
        plies=plies,
        openings=tuple(_opening(oracle, start, move) for move in legal(rules, start)),
        line=tuple(_winning_line(oracle, start)) if value != 0 and plies is not None else (),
        positions=len(values),
        numbered=int(number_of_positions(rules)) if numbers_positions(rules) else None,
        wins=wins,
        draws=len(values) - wins - losses,
        losses=losses,
        longest=None if has_chance(rules) else _longest(oracle),
        checked=checked,
    )


def _opening(oracle: Oracle, start: State, move: int) -> Opening:
    after = play(oracle.rules, start, move)
    value, plies = oracle.value(after), oracle.distance(after)
    return Opening(format_move(oracle.rules, start, move), value, None if plies is None else plies + 1)


def _winning_line(oracle: Oracle, state: State) -> list[str]:
    line: list[str] = []
    plies = oracle.distance(state)
    while not is_over(oracle.rules, state):
        if oracle.distance(state) != (plies or 0) - len(line):
            text = format_state(oracle.rules, state)
            raise InvalidError(f"the table contradicts itself at position {text!r}; remove it, and solve again")
        move = oracle.best_moves(state)[0]
        line.append(format_move(oracle.rules, state, move))
        state = play(oracle.rules, state, move)
    return line


def _longest(oracle: Oracle) -> Longest | None:
    table = oracle.table
    distances = np.where(table.values != 0, table.distances, -1)
    row = int(np.argmax(distances))
    if distances[row] < 0:
        return None
    text = format_state(oracle.rules, unpack(oracle.start, table.states[row]))
    return Longest(text, int(table.values[row]), int(distances[row]))
