"""Saving and loading of the tables of solved games. Each table is a file that is mapped into memory.

The first line of the file is text: `petteia tablebase`, the number of the format, and the SHA-256 in hex of the rest of
the file. The second line is JSON, padded with spaces to a multiple of 64 bytes. This JSON line contains the game, its
fingerprint, digests of custom code, the fields of states, the number of rows, and whether the game has chance nodes.
The arrays follow, little-endian, in the order of `_Header.shapes`.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from petteia.core.errors import InvalidError
from petteia.core.hashing import EMPTY, slots_for
from petteia.core.names import format_game
from petteia.core.protocol import Rules, has_chance, initial
from petteia.provenance.live import Parts, difference, provenance
from petteia.records.bounds import TABLEBASE
from petteia.records.files import opened, size_of, write_parts
from petteia.records.fingerprint import fingerprint
from petteia.solver.fit import WIDEST
from petteia.solver.graph import MEMORY
from petteia.solver.memory_errors import insufficient_memory, size_text
from petteia.solver.tablebase import Tablebase, check_rows

NAME, SCHEMA = b"petteia tablebase", b"1"
DIGITS = 64
FIRST_LINE = len(NAME) + len(SCHEMA) + DIGITS + 3
LONGEST_HEADER = 1 << 20
ALIGNMENT = 64
CHUNK = 1 << 20
REMEDY = "remove the file and solve the game again"


class _Header(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    game: str
    fingerprint: str
    provenance: Parts = {}
    """the digests of the custom code of the rules; the field is left out if there is no custom code"""
    fields: list[str]
    rows: int = Field(ge=1, le=WIDEST)
    chance: bool = False
    """whether values are expected values, float64; the field is left out if it is False"""

    @property
    def shapes(self) -> dict[str, tuple[Any, tuple[int, ...]]]:
        """Return the type and the shape of each array in the file.

        Arrays of 8-byte numbers come first, so that all arrays are aligned.
        """
        rows = (self.rows,)
        wide: dict[str, tuple[Any, tuple[int, ...]]]
        wide = {"keys": (np.dtype("<i8"), rows), "states": (np.dtype("<i8"), (*rows, len(self.fields)))}
        narrow = {"slots": (np.dtype("<i4"), (slots_for(self.rows),)), "values": (np.dtype("<i4"), rows)}
        if self.chance:
            wide["values"] = np.dtype("<f8"), rows
            del narrow["values"]
        return {**wide, **narrow, "distances": (np.dtype("<i4"), rows)}


def _size(dtype: np.dtype[Any], shape: tuple[int, ...]) -> int:
    size = dtype.itemsize
    for length in shape:
        size *= length
    return size


def save(path: Path, rules: Rules, table: Tablebase) -> None:
    """Write `table` to a file. Raises PetteiaError if the file cannot be written."""
    parts, chance = provenance(rules), has_chance(rules)
    header = _Header(
        game=format_game(rules),
        fingerprint=fingerprint(rules),
        provenance=parts,
        fields=list(initial(rules)._fields),
        rows=len(table.keys),
        chance=chance,
    )
    left_out = {name for name, is_there in (("provenance", parts), ("chance", chance)) if not is_there}
    line = header.model_dump_json(exclude=left_out).encode()
    line += b" " * (-(FIRST_LINE + len(line) + 1) % ALIGNMENT) + b"\n"
    arrays = [np.ascontiguousarray(getattr(table, name), dtype) for name, (dtype, _) in header.shapes.items()]
    pieces: list[Any] = [line, *(array.data.cast("B") for array in arrays)]
    write_parts(path, [b"%s %s %s\n" % (NAME, SCHEMA, _digest(pieces)), *pieces])


def load(path: Path, rules: Rules, *, memory: int = MEMORY) -> Tablebase:
    """Load a table from a file.

    The file is mapped into memory, so only the parts in use are read. Changes of the arrays are not saved.

    Raises:
        NotFoundError: there is no such file
        InvalidError: the file is not a table, is damaged, or belongs to other rules
        UsageError: the table needs more than `memory` bytes
        PetteiaError: the file cannot be read

    """
    with opened(path, TABLEBASE) as file:
        header, begin = _read_header(path, file, memory)
        _check_rules(path, header, rules)
        table = _mapped(path, file, header, begin)
    try:
        check_rows(rules, table)
    except InvalidError as error:
        raise InvalidError(f"{path}: the file is damaged: {error}; {REMEDY}") from None
    return table


def _read_header(path: Path, file: BinaryIO, memory: int) -> tuple[_Header, int]:
    """Return the header of a file, and the offset at which its arrays begin.

    The function checks whether the file is damaged, but not whether it belongs to the rules of the game.
    """
    first = file.read(FIRST_LINE)
    name, _, rest = first.partition(b" %s " % SCHEMA)
    if name != NAME or not first.endswith(b"\n"):
        if first.startswith(NAME + b" ") and len(first) == FIRST_LINE:
            raise InvalidError(f"{path}: the file is damaged, or its format is not {SCHEMA.decode()}; {REMEDY}")
        raise InvalidError(f"{path}: not a file of solved values; give a file that `petteia solve` has written")
    line = file.readline(LONGEST_HEADER)
    try:
        header = _Header.model_validate_json(line)
    except ValidationError:
        raise InvalidError(f"{path}: the file is damaged: its header cannot be read; {REMEDY}") from None
    begin = file.tell()
    length = begin + sum(_size(*each) for each in header.shapes.values())
    size = size_of(file)
    if size != length:
        raise InvalidError(f"{path}: the file is damaged: it has {size:,} bytes instead of {length:,}; {REMEDY}")
    if length > memory:
        raise insufficient_memory(
            f"{path}: the table needs {size_text(length)} of memory, but {size_text(memory)} is allowed", length
        )
    file.seek(FIRST_LINE)
    if _digest(iter(lambda: file.read(CHUNK), b"")) != rest.removesuffix(b"\n"):
        raise InvalidError(f"{path}: the file is damaged: its checksum does not match; {REMEDY}")
    return header, begin


def _check_rules(path: Path, header: _Header, rules: Rules) -> None:
    if header.game != format_game(rules):
        raise InvalidError(
            f"{path}: the file contains values of {header.game}, not of {format_game(rules)}; give another file"
        )
    changed = difference(header.provenance, provenance(rules), "the game was solved")
    told = header.fingerprint, header.fields, header.chance
    if changed is None and told != (fingerprint(rules), list(initial(rules)._fields), has_chance(rules)):
        changed = f"the rules of {header.game} have changed since the game was solved"
    if changed is not None:
        raise InvalidError(
            f"{path}: {changed}; remove the file or give the name of a new file, and solve the game again"
        )


def _mapped(path: Path, file: BinaryIO, header: _Header, begin: int) -> Tablebase:
    whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    arrays: dict[str, NDArray[Any]] = {}
    for name, (dtype, shape) in header.shapes.items():
        size = _size(dtype, shape)
        arrays[name] = np.frombuffer(whole, dtype, size // dtype.itemsize, begin).reshape(shape)
        begin += size
    slots = arrays["slots"]
    if slots.min() != EMPTY or slots.max() >= header.rows:  # compiled code relies on it
        raise InvalidError(f"{path}: the file is damaged: its hash table points to rows that do not exist; {REMEDY}")
    if not np.isfinite(arrays["values"]).all():
        raise InvalidError(f"{path}: the file is damaged: some of its values are not finite; {REMEDY}")
    return Tablebase(**arrays)


def _digest(parts: Iterable[Any]) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest().encode()
