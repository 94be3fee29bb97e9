"""Weights files for tables of learned values. Training runs save them and resume from them; players can use them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.core.errors import InvalidError
from petteia.core.names import format_game
from petteia.core.numbers import finite_number, whole_number
from petteia.core.protocol import Rules, injective, limits
from petteia.records.weights import Array, Place, Weights, of_kind, save_weights
from petteia.value_functions.origin import check_code, check_game, notice_of, origin_of
from petteia.value_functions.table import BY_SYMMETRY, NO_SYMMETRY, Sharing, Table, filled_table, rows

KIND = "table"
SEATS = {"0": (0,), "1": (1,), "both": (0, 1)}
SHARING: dict[str, Sharing] = {"none": NO_SYMMETRY, "images": BY_SYMMETRY}
DEFAULTS = {"initial": "0.0", "sharing": "none", "keys": "game"}
"""The default metadata. Entries with these values are left out of files."""


class LearnedTable(NamedTuple):
    """A table of learned values, the seats for which it was learned, and the number of training games."""

    table: Table
    """the table of learned values"""
    seats: tuple[int, ...]
    """the seats for which the table was learned"""
    games: int
    """the number of training games"""
    notice: str | None = None
    """a notice if the rules or the code differ from those of the training; None if they are the same"""


def save_table(path: Path, rules: Rules, learned: LearnedTable, place: Place | None = None) -> None:
    """Write a learned table to a weights file.

    If the table belongs to a training run, `place` identifies the run and the last row that its journal contained when
    the table was saved. Raises PetteiaError if the file cannot be written.
    """
    table = learned.table
    keys, values = rows(table)
    parts: dict[str, Array] = {"differences": table.differences[: len(keys)], "visits": table.visits[: len(keys)]}
    described = {
        "side": next(text for text, seats in SEATS.items() if seats == learned.seats),
        "games": str(learned.games),
        "initial": repr(table.initial),
        "sharing": next(text for text, sharing in SHARING.items() if type(sharing) is type(table.sharing)),
        "keys": _kind_of_keys(rules),
    }
    tensors = {"keys": keys, "values": values} | {name: part for name, part in parts.items() if part.shape[1]}
    metadata = {name: text for name, text in described.items() if DEFAULTS.get(name) != text} | origin_of(rules)
    save_weights(path, KIND, format_game(rules), tensors, metadata, place)


def load_table(source: Path | Weights, rules: Rules, *, other_rules: bool = False) -> LearnedTable:
    """Load a weights file, and return the learned table with its settings.

    Args:
        source: the path of the file, or its contents
        rules: the rules under which the table will be used
        other_rules: whether to accept a table that was learned under other rules of the same game, or with other code
            of the game

    Raises:
        NotFoundError: there is no such file
        InvalidError: the file is damaged or incomplete, or the table was learned under other rules or with other code

    """
    weights = of_kind(source, KIND)
    path = weights.path
    other = check_game(weights, rules, other_rules=other_rules)
    changed = check_code(weights, rules, other_rules=other_rules)
    described = DEFAULTS | weights.metadata
    seats, games = SEATS.get(described.get("side", "")), whole_number(described.get("games", ""))
    sharing, initial = SHARING.get(described["sharing"]), finite_number(described["initial"])
    if seats is None or games is None or not {"keys", "values"} <= set(weights.tensors):
        raise InvalidError(
            f"{path}: the file is incomplete: it must contain valid fields side and games, and the arrays keys and "
            "values; train again"
        )
    if sharing is None or initial is None:
        raise InvalidError(f"{path}: the field sharing or the field initial in the file is invalid; train again")
    if described["keys"] != _kind_of_keys(rules):
        raise InvalidError(
            f"{path}: the position keys in the table are not of the kind that the game has now; train again"
        )
    _check_shapes(weights, limits(rules).moves)
    tensors = weights.tensors
    table = filled_table(
        tensors["keys"],
        tensors["values"],
        differences=tensors.get("differences"),
        visits=tensors.get("visits"),
        initial=initial,
        sharing=sharing,
    )
    return LearnedTable(table, seats, games, notice_of("values", other, changed))


def shape(table: Table) -> tuple[object, ...]:
    """Return a tuple of the properties in which tables for the same rules can differ, such as the initial value."""
    widths = tuple(part.shape[1] for part in (table.values, table.differences, table.visits))
    return (*widths, table.initial, type(table.sharing))


def _kind_of_keys(rules: Rules) -> str:
    """Return how a table identifies states: `game` for the keys of the game, `digest` for digests of the fields."""
    return "game" if injective(rules) else "digest"


def _check_shapes(weights: Weights, width: int) -> None:
    """Raise InvalidError unless the arrays have the types and shapes of a table with `width` values per row."""
    path, tensors = weights.path, weights.tensors
    count = len(tensors["keys"]) if tensors["keys"].ndim else 0
    wanted = {
        "keys": (np.dtype(np.int64), (count,)),
        "values": (np.dtype(np.float64), (count, width)),
        "differences": (np.dtype(np.float64), (count, width)),
        "visits": (np.dtype(np.int64), (count, width * (2 if "differences" in tensors else 1))),
    }
    for name, tensor in tensors.items():
        if name not in wanted:
            raise InvalidError(
                f"{path}: the file contains the unknown array {name!r}; a file of a learned table may contain only "
                f"{', '.join(wanted)}"
            )
        kind, shape = wanted[name]
        if tensor.dtype != kind or tensor.shape != shape:
            raise InvalidError(
                f"{path}: the array {name} has the type and shape {tensor.dtype}{list(tensor.shape)} instead of "
                f"{kind}{list(shape)}; the table has {count} rows"
            )
    if "visits" in tensors and (tensors["visits"] < 0).any():
        raise InvalidError(f"{path}: the array visits contains negative numbers; all its numbers must be 0 or more")
