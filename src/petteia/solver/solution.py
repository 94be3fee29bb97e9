"""The solution of a game: its value, a shortest win, and the number of its positions."""

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
    """A legal move (or a chance outcome) in the start position, with its value under perfect play."""

    move: str
    """the move as text"""
    value: float
    """final margin under perfect play after the move, from the perspective of player 0"""
    plies: int | None
    """the number of plies to the end, including this move; None as in `Oracle.distance`"""


class Longest(NamedTuple):
    """The position of the table with the longest win of either player under perfect play."""

    position: str
    """the position as text"""
    value: int
    """the final margin under perfect play, from the perspective of player 0"""
    plies: int
    """plies to the end under perfect play"""


class Solution(NamedTuple):
    """The solution of a game. Values are final margins under perfect play, from the perspective of player 0.

    Infinite play has the value 0. Values are ints in games without chance nodes. In games with chance nodes, they
    are expected values with an error of at most 1e-9. Such games have no distances, no line and no longest win.
    """

    game: str
    """the text form of the rules"""
    position: str
    """the position that was solved, as text"""
    value: float
    """the value of the position that was solved"""
    plies: int | None
    """plies to the end, if the winner takes the shortest way and the loser the longest; None as in `Oracle.distance`"""
    openings: tuple[Opening, ...]
    """the first moves with their values"""
    line: tuple[str, ...]
    """the moves of a shortest win; empty if neither player wins or the game has chance nodes"""
    positions: int
    """number of reachable positions, finished ones included; symmetric positions count once"""
    numbered: int | None
    """number of all numbered positions; None if the game does not number positions"""
    wins: int
    """number of reachable positions with a value above 0, which player 0 wins"""
    draws: int
    """number of reachable positions with the value 0"""
    losses: int
    """number of reachable positions with a value below 0, which player 1 wins"""
    longest: Longest | None
    """the position with the longest win in the table, reachable or not; None if there are no wins or the game has
    chance nodes"""
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
    """Solve a game: compute the value of every position under perfect play.

    Args:
        game: the rules or their text form, such as `hare-and-hounds:stall=0`. Keys must be injective. In a game with
            chance nodes, no value may depend on infinite play
        position: the start of the game, a state or its text form; default: the initial position
        table: the file of the table, which is read if it exists and written otherwise
        check: whether to verify the whole table, position by position, with separate code
        memory: number of bytes that solving may use
        stop: an event that stops the work when it is set

    Returns:
        The solution, which pandas accepts as a row. For the values of other positions, use `Oracle`.

    Raises:
        UsageError: the game or option is unknown, or the game cannot be solved or does not fit into memory
        NotFoundError: the module or class does not exist
        InvalidError: the position is malformed or impossible, or the table is damaged or belongs to other rules
        PetteiaError: the table does not pass the check or cannot be written
        Stopped: `stop` was set before the solution was complete; no table is written

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
            raise InvalidError(f"the table contradicts itself at position {text!r}; remove it and solve the game again")
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
