"""Checks that compiled code and plain Python play identical random games and compute identical perft counts.

Each random game is written to an array, its trace. The trace has a row for each state of the game, and a column for
each result of a method. The code that writes traces runs both compiled and in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from petteia.checking.conformance import shared_keys
from petteia.checking.notes import SHOWN, CheckResult, Notes
from petteia.checking.sample import GUARD, LONGEST, MAX_PLIES, ConformanceError, pick_evenly, where
from petteia.core.arrays import Floats, Ints
from petteia.core.bits import mix, wrapping_add
from petteia.core.kernel import inline, kernel
from petteia.core.packing import digest_state
from petteia.core.perft import perft
from petteia.core.protocol import (
    CHANCE,
    MAX_SQUARES,
    Rules,
    State,
    chances,
    contents,
    count_moves,
    decided,
    dispatched,
    draw_move,
    format_state,
    has_chance,
    image,
    image_move,
    images,
    initial,
    injective,
    is_over,
    key,
    legal,
    limits,
    margin,
    margin_range,
    method,
    moves,
    moves_left,
    play,
    position,
    positions,
    relative,
    swapped,
    to_move,
)
from petteia.core.random import RandomState, draw_index, stream

LIMIT_GAMES = 10_000
MAX_KEYS = 200_000
ENOUGH = 20  # differing games, after which the comparison stops
PLAIN_NODES = 20_000  # of perft in plain Python
ROWS = 1 << 16  # rows of a table of traces, unless one game needs more

COLUMNS = (
    "is_over",
    "to_move",
    "margin",
    "key",
    "decided",
    "number of moves",
    "largest code",
    "list of moves",
    "count",
    "probabilities",
    "images",
    "swapped",
    "position",
    "contents",
    "margin_range and relative",
    "move played",
)
"""The columns of a trace before the fields of the state."""
(
    OVER,
    SIDE,
    MARGIN,
    KEY,
    DECIDED,
    LISTED,
    LARGEST_CODE,
    LIST,
    COUNT,
    CHANCES,
    IMAGES,
    SWAPPED,
    NUMBERED,
    CONTENTS,
    RANGES,
    PLAYED,
) = range(len(COLUMNS))


class Traced(NamedTuple):
    """Scratch arrays for the moves, probabilities and square contents of a state in a random game."""

    moves: Ints
    """moves or chance outcomes, [limits.moves + GUARD]"""
    probabilities: Floats
    """probabilities of chance outcomes, [limits.moves + GUARD]"""
    contents: Ints
    """contents of the squares, [MAX_SQUARES]"""


def _digest_swapped(rules: Rules, state: State, number: int) -> int:
    return digest_state(0, swapped(rules, state))


def _digest_position(rules: Rules, state: State, number: int) -> int:
    return digest_state(0, position(rules, (number & 0xFFFFFFFF) % positions(rules)))


def _digest_relative(rules: Rules, state: State, number: int) -> int:
    stripped, score = relative(rules, state)
    return digest_state(wrapping_add(number, score), stripped)


def _nothing(rules: Rules, state: State, number: int) -> int:
    return 0


def _digest_contents(rules: Rules, state: State, out: Ints) -> int:
    digest = 0
    for i in range(contents(rules, state, out)):
        digest = mix(wrapping_add(digest, int(out[i])))
    return digest


def _no_contents(rules: Rules, state: State, out: Ints) -> int:
    return 0


@dispatched(lambda cls: _digest_contents if method(cls, "contents") else _no_contents)
def digest_contents(rules: Rules, state: State, out: Ints) -> int:
    """Return a hash of the contents of all squares, or 0 if the game has no method `contents`.

    `out`[MAX_SQUARES] is scratch space.
    """
    raise TypeError


@dispatched(lambda cls: _digest_swapped if method(cls, "swapped") else _nothing)
def digest_swapped(rules: Rules, state: State, number: int) -> int:
    """Return a hash of `state` with the players exchanged, or 0 if the game lacks `swapped`. `number` is not used."""
    raise TypeError


@dispatched(lambda cls: _digest_relative if method(cls, "relative") else _nothing)
def digest_relative(rules: Rules, state: State, number: int) -> int:
    """Return a hash of the state from `relative`, and of its score plus `number`; 0 if the game lacks `relative`."""
    raise TypeError


@dispatched(lambda cls: _digest_position if method(cls, "position") else _nothing)
def digest_position(rules: Rules, state: State, number: int) -> int:
    """Return a hash of one of the game's numbered positions, or 0 if the game does not define `position`.

    `number` selects the position: the lowest 32 bits of `number`, modulo the number of positions, are its index.
    """
    raise TypeError


@kernel(purpose="a comparison with plain Python")
def _trace_games(
    rules: Rules, start: State, seed: int, maximum: int, rows: Ints, ends: Ints, random: RandomState, work: Traced
) -> int:
    """Play random games from `start`, and write the results of all methods in each state to the array `rows`.

    `rows`, int64[rows, columns], must contain zeros before the call. The states of all games are written to successive
    rows. A game is stopped after `maximum` states. After each game, the number of rows used so far is written to
    `ends`, int64[games]. The function returns the number of games played.
    """
    end = game = 0
    while game < len(ends) and end + maximum <= len(rows):
        random[0] = stream(wrapping_add(seed, game), 0)
        end += _trace_game(rules, start, rows[end : end + maximum], random, work)
        ends[game] = end
        game += 1
    return game


@inline
def _trace_game(rules: Rules, start: State, rows: Ints, random: RandomState, work: Traced) -> int:
    """Play a random game. Write the results of all methods in each state to a row, and return the number of rows."""
    state = start
    for ply in range(len(rows)):
        row = rows[ply]
        over = is_over(rules, state)
        settled = decided(rules, state)
        row[OVER] = int(over)
        row[KEY] = key(rules, state)
        row[DECIDED] = int(settled)
        row[SWAPPED] = digest_swapped(rules, state, 0)
        row[NUMBERED] = digest_position(rules, state, int(random[0]))
        row[CONTENTS] = digest_contents(rules, state, work.contents)
        if over or settled:
            row[MARGIN] = margin(rules, state)
        for i in range(images(rules)):
            row[IMAGES] = digest_state(int(row[IMAGES]), image(rules, state, i))
        for i in range(len(state)):
            row[len(COLUMNS) + i] = state[i]
        if over:
            return ply + 1
        row[SIDE] = to_move(rules, state)
        if row[SIDE] != CHANCE:
            low, high = margin_range(rules, state)
            row[RANGES] = wrapping_add(mix(low), high) ^ digest_relative(rules, state, 1)
        if has_chance(rules) and row[SIDE] == CHANCE:
            count = chances(rules, state, work.moves, work.probabilities)
            move = int(work.moves[draw_index(random, work.probabilities, count)])
            row[COUNT] = count
            for i in range(count):
                row[CHANCES] = mix(wrapping_add(int(row[CHANCES]), int(work.probabilities[i] * 2.0**40)))
        else:
            move = draw_move(rules, state, random, work.moves)
            row[COUNT] = count_moves(rules, state, work.moves)
            row[LIST] = moves_left(rules, state, work.moves)
            count = moves(rules, state, work.moves)
        row[LISTED] = count
        row[PLAYED] = move
        for i in range(count):
            code = int(work.moves[i])
            row[LARGEST_CODE] = max(row[LARGEST_CODE], code)
            row[LIST] = mix(wrapping_add(int(row[LIST]), code))
            for j in range(images(rules)):
                row[IMAGES] = mix(wrapping_add(int(row[IMAGES]), image_move(rules, code, j)))
        state = play(rules, state, move)
    return len(rows)


def trace(rules: Rules, start: State, seed: int, *, compiled: bool = True) -> Ints:
    """Play a random game, and return the results of all methods in each state as int64[plies + 1, columns].

    The first columns of the array are named in `COLUMNS`. The other columns are the fields of the state.

    The game begins in `start` and is played to its end. A game that is not over after the maximum number of plies in
    `limits` is stopped after one further ply. If `limits` declares no maximum, the game is stopped after 1001 plies.
    """
    return _traces(rules, start, seed, 1, compiled=compiled)[0]


def _traces(rules: Rules, start: State, seed: int, games: int, *, compiled: bool = True) -> tuple[Ints, Ints]:
    """Play random games with the seeds `seed`, `seed` + 1, ..., and return the results of all methods in each state.

    The first returned array has a row for each state of each game. The second array contains, for each game, the number
    of rows that this game and all earlier games use.

    The number of rows is limited. If the free rows may be too few for the next game, no further game is played.
    """
    declared, maximum = limits(rules), _max_rows(rules)
    rows = np.zeros((min(games * maximum, max(maximum, ROWS)), len(COLUMNS) + len(start)), np.int64)
    ends = np.zeros(games, np.int64)
    room = declared.moves + GUARD
    if compiled:
        work = Traced(np.zeros(room, np.int64), np.zeros(room), np.zeros(MAX_SQUARES, np.int64))
        played = _trace_games(rules, start, int(seed), maximum, rows, ends, np.zeros(1, np.int64), work)
    else:
        played = _trace_games.function(rules, start, seed, maximum, rows, ends, [0], _lists(room))
    return rows[: ends[played - 1]], ends[:played]


def _max_rows(rules: Rules) -> int:
    """Return the maximum number of states that are recorded in a random game.

    A game with the maximum number of plies, n, has n + 1 states. The function returns n + 2, so that a longer game is
    detected.
    """
    return min(limits(rules).plies or MAX_PLIES, LONGEST) + 2


def _lists(room: int) -> Traced:
    return Traced([0] * room, [0.0] * room, [0] * MAX_SQUARES)  # type: ignore[arg-type]  # plain Python uses lists instead of arrays


def same_games(rules: Rules, games: int, seed: int, notes: Notes) -> None:
    """Check that in random games, each method returns the same results in compiled code and in plain Python."""
    for number in range(games):
        with notes:
            compare_from(rules, initial(rules), wrapping_add(seed, number))
        if len(notes.failures) >= ENOUGH:
            return


def compare_from(rules: Rules, start: State, seed: int) -> None:
    """Raise ConformanceError unless compiled code and plain Python play the same random game from `start`."""
    compiled, plain = trace(rules, start, seed), trace(rules, start, seed, compiled=False)
    if compiled.shape == plain.shape and (compiled == plain).all():
        return
    ply = next(i for i, rows in enumerate(zip(compiled, plain, strict=False)) if (rows[0] != rows[1]).any())
    column = int(np.flatnonzero(compiled[ply] != plain[ply])[0])
    state = type(start)(*(int(value) for value in plain[ply, len(COLUMNS) :]))
    if column >= len(COLUMNS):
        state = type(start)(*(int(value) for value in plain[ply - 1, len(COLUMNS) :]))
        name = f"after move {int(plain[ply - 1, PLAYED])}, state field {start._fields[column - len(COLUMNS)]}"
    else:
        name = COLUMNS[column]
    fact = f"{name} is {compiled[ply, column]} in compiled code and {plain[ply, column]} in plain Python"
    raise ConformanceError(f"{where(rules, state)}: {fact}; both must be the same")


def limits_hold(rules: Rules, games: int, seed: int, notes: Notes) -> None:
    """Check that random games in compiled code stay within the limits that the game declares."""
    declared, longest = limits(rules), _max_rows(rules)
    for rows, ends in _tables(rules, games, seed):
        maximum, largest = int(rows[:, LISTED].max()), int(rows[:, LARGEST_CODE].max())
        if maximum > declared.moves:
            notes.fail(
                f"{where(rules)}: a state has {maximum} moves; must be at most limits(rules).moves = {declared.moves}"
            )
        if largest >= declared.codes:
            notes.fail(f"{where(rules)}: a move has code {largest}; must be in 0..{declared.codes - 1}")
        if declared.plies == longest - 2 and (np.diff(ends, prepend=0) == longest).any():
            notes.fail(f"{where(rules)}: a game is not over after {declared.plies} plies, the maximum of limits(rules)")


def keys_differ(rules: Rules, games: int, seed: int, notes: Notes) -> None:
    """Check, in compiled random games, that different states have different keys if `injective(rules)` is True.

    If `injective(rules)` is False, equal keys are not failures. Instead, a line of advice reports how many states share
    their key with another state. The check ends after about `MAX_KEYS` different states.
    """
    like = initial(rules)
    columns = [KEY, *range(len(COLUMNS), len(COLUMNS) + len(like))]
    met = np.zeros((0, len(columns)), np.int64)
    for rows, _ in _tables(rules, games, seed):
        met = np.unique(np.concatenate([met, rows[:, columns]]), axis=0)
        if len(met) >= MAX_KEYS:
            break
    shared = np.flatnonzero(met[1:, 0] == met[:-1, 0]) + 1
    such = []
    for place in pick_evenly(shared.tolist(), SHOWN):
        state, other = (format_state(rules, type(like)(*map(int, met[row, 1:]))) for row in (place, place - 1))
        such.append(f"{state!r}, whose key {met[place, 0]} is also the key of {other!r}")
    if len(such) and injective(rules):
        for each in such:
            notes.fail(f"{where(rules)}: position {each}; the keys must differ, because injective(rules) is True")
    elif such:
        notes.advise(f"{where(rules)}: {shared_keys(len(shared), len(met), such[0])}")


def _tables(rules: Rules, games: int, seed: int) -> Iterator[tuple[Ints, Ints]]:
    """Play `games` random games in compiled code, and yield arrays with the results of all methods in each state."""
    played = 0
    while played < games:
        rows, ends = _traces(rules, initial(rules), wrapping_add(seed, played), games - played)
        played += len(ends)
        yield rows, ends


def plain_perft(rules: Rules, state: State, depth: int) -> int:
    """Count the move sequences of `depth` plies in plain Python, by playing all legal moves."""
    if depth == 0:
        return 1
    return sum(plain_perft(rules, play(rules, state, move), depth - 1) for move in legal(rules, state))


def same_perft(rules: Rules) -> None:
    """Check that perft counts of at most `PLAIN_NODES` move sequences are equal in compiled code and plain Python."""
    start = initial(rules)
    for depth in range(1, (limits(rules).plies or MAX_PLIES) + 1):
        compiled = perft(rules, start, depth)
        if compiled > PLAIN_NODES:
            return
        if compiled != (plain := plain_perft(rules, start, depth)):
            fact = f"perft {depth} is {compiled} in compiled code and {plain} in plain Python"
            raise ConformanceError(f"{where(rules, start)}: {fact}; both must be the same")
        if compiled == 0:
            return


def compare_compiled(rules: Rules, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Check that compiled code and plain Python give the same results, in random games and in perft counts.

    Compiled code and plain Python play the same `games` random games, and the results of all methods are compared. The
    checks of limits and keys use more games, which only compiled code plays. If a game exceeds its declared limits, the
    later checks are skipped, because the sizes of arrays in compiled code depend on the limits.
    """
    comparisons: dict[str, Callable[[Notes], None]] = {
        "limits in compiled games": lambda notes: limits_hold(rules, LIMIT_GAMES, seed, notes),
        "compiled games": lambda notes: same_games(rules, games, seed, notes),
        "compiled perft": lambda notes: same_perft(rules),
        "keys in compiled games": lambda notes: keys_differ(rules, LIMIT_GAMES, seed, notes),
    }
    for name, compare in comparisons.items():
        notes = Notes(rules)
        with notes:
            compare(notes)
        yield notes.result(name)
        if notes.failures and compare is comparisons["limits in compiled games"]:
            return
