"""Weights in safetensors files: named arrays with a description, and a checksum of all bytes of the file.

The metadata of the safetensors header consist of one entry, `petteia`. This entry contains a checksum, a space, and a
JSON object with sorted keys. The JSON object contains the schema number, the version of the package, the kind of
weights, the game's text form, and further strings, such as the number of training games. If the weights belong to a
run, the object also contains the identity of the run and the checksum of the last row of its journal. The checksum in
the entry `petteia` is the SHA-256, in hex, of the whole file with zeros in place of the 64 digits of this checksum.
Equal weights always result in equal bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from safetensors import SafetensorError

from petteia.core.errors import InvalidError
from petteia.core.numbers import whole_number
from petteia.records.bounds import WEIGHTS
from petteia.records.files import check_bound, opened, size_of, write_parts
from petteia.records.version import VERSION

SCHEMA = 2
LENGTH_BYTES = 8  # a safetensors file begins with the length of its header
OPENING = b'{"__metadata__":{"petteia":"'
DIGITS = slice(LENGTH_BYTES + len(OPENING), LENGTH_BYTES + len(OPENING) + 64)
NO_DIGITS = b"0" * 64
LAYOUT = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64))
"""the types of arrays; `safetensors` sorts arrays of types that come later in this tuple first"""

Array = NDArray[Any]


class Place(NamedTuple):
    """The run to which saved weights belong, and the last row of its journal when the weights were saved."""

    run: str
    """the identity of the run"""
    row: str
    """the checksum of the last row of the journal when the weights were saved"""


@dataclass(frozen=True)
class Weights:
    """The content of a weights file."""

    path: Path
    """the path of the file"""
    kind: str
    """the kind of weights, for example `table`"""
    game: str
    """the text form of the rules of the training"""
    tensors: dict[str, Array]
    """the arrays, which contain finite numbers, by name"""
    metadata: dict[str, str]
    """further strings by name, such as the number of training games, the side, and the fingerprint of the rules"""
    checksum: str
    """the checksum of the file"""

    @property
    def place(self) -> Place | None:
        """The run, and its last journal row when the weights were saved, or None for weights without a run."""
        found = [self.metadata.get(name) for name in Place._fields]
        return None if None in found else Place(*map(str, found))


class _Schema(BaseModel):
    model_config = ConfigDict(strict=True)

    number: int = Field(alias="schema")
    version: str = "of unknown version"
    """the version of the package that wrote the file"""


class _Description(_Schema):
    model_config = ConfigDict(strict=True, extra="forbid")

    kind: str
    game: str
    metadata: dict[str, str]


def save_weights(
    path: Path,
    kind: str,
    game: str,
    tensors: Mapping[str, Array],
    metadata: Mapping[str, str],
    place: Place | None = None,
) -> None:
    """Write a weights file.

    If the weights belong to a run, `place` contains the identity of the run and the checksum of the last row of its
    journal. Otherwise `place` is None.

    Raises InvalidError if an array contains a number that is not finite, and PetteiaError if the file cannot be
    written.
    """
    _check_finite(path, tensors)
    belongs = {} if place is None else place._asdict()
    description = _Description(schema=SCHEMA, version=VERSION, kind=kind, game=game, metadata={**metadata, **belongs})
    entry = f"{NO_DIGITS.decode()} {json.dumps(description.model_dump(by_alias=True), sort_keys=True)}"
    head, *content = _parts(entry, tensors)
    check_bound(path, len(head) + sum(map(len, content)), WEIGHTS)
    checksum = hashlib.sha256(head)
    for part in content:
        checksum.update(part)
    write_parts(path, [head[: DIGITS.start], checksum.hexdigest().encode(), head[DIGITS.stop :], *content])


def _parts(entry: str, tensors: Mapping[str, Array]) -> Iterator[bytes | memoryview]:
    """Yield the content of a weights file as a sequence of bytes objects, in the format of `safetensors`.

    `safetensors.serialize` is not used, because it copies all arrays twice.
    """
    order = sorted(tensors, key=lambda name: (-LAYOUT.index(tensors[name].dtype), name))
    header: dict[str, Any] = {"__metadata__": {"petteia": entry}}
    begin = 0
    for name in order:
        tensor, end = tensors[name], begin + tensors[name].nbytes
        kind = f"{tensor.dtype.kind.upper()}{8 * tensor.itemsize}"
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % LENGTH_BYTES)
    yield len(text).to_bytes(LENGTH_BYTES, "little") + text
    for name in order:
        yield np.ascontiguousarray(tensors[name]).reshape(-1).view(np.uint8).data


def load_weights(path: Path, kind: str | None = None) -> Weights:
    """Read a weights file and verify its contents. If `kind` is None, weights of any kind are accepted.

    Raises NotFoundError if the file does not exist. Raises InvalidError if it is not a weights file, has another kind
    or schema, is truncated or changed in any byte, or contains a number that is not finite.
    """
    data = _read(path)
    entry = _read_entry(path, data)
    try:
        made = _Schema.model_validate_json(entry)
    except ValidationError:
        raise InvalidError(f"{path}: damaged; the description in the file cannot be read") from None
    if made.number != SCHEMA:
        raise InvalidError(
            f"{path}: the weights have schema {made.number} and were saved by petteia {made.version}, but petteia "
            f"{VERSION} reads only schema {SCHEMA}; open the file with the version that saved it"
        )
    unsigned = hashlib.sha256(data[: DIGITS.start] + NO_DIGITS)
    unsigned.update(memoryview(data)[DIGITS.stop :])
    checksum = unsigned.hexdigest()
    if data[DIGITS] != checksum.encode():
        raise InvalidError(f"{path}: damaged; the checksum does not match, because the file was truncated or changed")
    try:
        description = _Description.model_validate_json(entry)
        tensors = safetensors.numpy.load(data)
    except (SafetensorError, ValidationError, ValueError, KeyError, TypeError) as error:
        raise InvalidError(f"{path}: not a valid weights file: {' '.join(str(error).split())}") from None
    _check_finite(path, tensors)
    weights = Weights(path, description.kind, description.game, tensors, description.metadata, checksum)
    return weights if kind is None else of_kind(weights, kind)


def of_kind(source: Path | Weights, kind: str) -> Weights:
    """Check that weights are of the given kind, and return them. If `source` is a path, the weights are loaded from it.

    Raises the same errors as `load_weights`.
    """
    weights = source if isinstance(source, Weights) else load_weights(source)
    if weights.kind != kind:
        raise InvalidError(f"{weights.path}: the weights are of kind {weights.kind!r}; must be of kind {kind!r}")
    return weights


def games_learned(path: Path, kind: str) -> int:
    """Return the number of training games recorded in a weights file. Raises the same errors as `load_weights`."""
    games = whole_number(load_weights(path, kind).metadata.get("games", ""))
    if games is None:
        raise InvalidError(f"{path}: the file is incomplete; the number of training games is missing")
    return games


def _read(path: Path) -> bytes:
    """Return the content of a weights file. Raises InvalidError if its first bytes are not those of a weights file.

    If the first bytes are not those of a weights file, the rest of the file is not read.
    """
    with opened(path, WEIGHTS) as file:
        beginning = file.read(DIGITS.start)
        if beginning[LENGTH_BYTES:] != OPENING:
            raise InvalidError(f"{path}: not a weights file of petteia")
        file.seek(0)
        return file.read(size_of(file))


def _read_entry(path: Path, data: bytes) -> str:
    """Return the JSON text of the metadata entry `petteia`. `data` is the content of the weights file `path`."""
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    try:
        if length > len(data):
            raise ValueError
        metadata: dict[str, str] = json.loads(data[LENGTH_BYTES : LENGTH_BYTES + length])["__metadata__"]
        return metadata["petteia"][64:]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InvalidError(f"{path}: damaged; the header of the file cannot be read") from None


def _check_finite(path: Path, tensors: Mapping[str, Array]) -> None:
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise InvalidError(f"{path}: the weights {name!r} contain numbers that are not finite (NaN or infinite)")
