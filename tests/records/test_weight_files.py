"""Files of weights: what is read is what was written, and no byte can be changed, missing or forged."""

from __future__ import annotations

import hashlib
import json
import struct
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from raised_errors import one_line

from petteia.core.errors import InvalidError, NotFoundError
from petteia.records import weights
from petteia.records.weights import load_weights, save_weights

TENSORS = {
    "values": np.array([[0.5, -1.0, 0.25], [1e-300, 0.0, -0.0]]),
    "keys": np.array([3, 1 << 62], np.int64),
    "empty": np.zeros((0, 3)),
}
METADATA = {"side": "0", "games": "300000", "text": 'quoted "checksum":"' + "0" * 64, "petteia": "ünïcode"}


def saved(tmp_path: Path) -> Path:
    path = tmp_path / "weights.safetensors"
    save_weights(path, "table", "hare-and-hounds", TENSORS, METADATA)
    return path


def test_weights_come_back_as_they_were(tmp_path: Path) -> None:
    loaded = load_weights(saved(tmp_path), "table")
    assert (loaded.kind, loaded.game, loaded.metadata) == ("table", "hare-and-hounds", METADATA)
    assert loaded.tensors.keys() == TENSORS.keys()
    for name, tensor in TENSORS.items():
        assert loaded.tensors[name].tobytes() == tensor.tobytes()
        assert loaded.tensors[name].dtype == tensor.dtype
        assert loaded.tensors[name].shape == tensor.shape
        assert loaded.tensors[name].flags.writeable


def test_weights_that_are_slices_come_back_too(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    table = np.arange(24.0).reshape(4, 6)
    save_weights(path, "table", "g", {"slice": table[::2, ::3], "turned": table.T}, {})
    loaded = load_weights(path, "table").tensors
    np.testing.assert_array_equal(loaded["slice"], table[::2, ::3])
    np.testing.assert_array_equal(loaded["turned"], table.T)


@pytest.mark.slow
def test_the_same_weights_give_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    script = (
        "import sys, numpy as np; from pathlib import Path; from petteia.records.weights import save_weights\n"
        "metadata = {word: word for word in 'the order in which a hash map lists its entries varies'.split()}\n"
        "save_weights(Path(sys.argv[1]), 'table', 'g', {'b': np.arange(3.0), 'a': np.arange(9)}, metadata)\n"
    )
    for name in ("one", "two"):
        subprocess.run([sys.executable, "-c", script, str(tmp_path / name)], check=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_other_readers_of_safetensors_can_read_them(tmp_path: Path) -> None:
    read = safetensors.numpy.load_file(saved(tmp_path))
    np.testing.assert_array_equal(read["values"], TENSORS["values"])


@pytest.mark.parametrize("change", [1, 32, 128])
def test_no_byte_can_be_changed(tmp_path: Path, change: int) -> None:
    path = saved(tmp_path)
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])
        with pytest.raises(InvalidError) as raised:
            load_weights(path, "table")
        one_line(raised, str(path))


def test_no_byte_can_be_missing_or_added(tmp_path: Path) -> None:
    path = saved(tmp_path)
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(InvalidError) as raised:
            load_weights(path, "table")
        one_line(raised, str(path))
    path.write_bytes(data + b"\0")
    with pytest.raises(InvalidError):
        load_weights(path, "table")


def signed(path: Path, data: bytes) -> None:
    """Give `data` a right checksum, as somebody who means harm could."""
    zeroed = data[: weights.DIGITS.start] + weights.NO_DIGITS + data[weights.DIGITS.stop :]
    digits = hashlib.sha256(zeroed).hexdigest().encode()
    path.write_bytes(data[: weights.DIGITS.start] + digits + data[weights.DIGITS.stop :])


def forged(entry: dict[str, object], tensors: str = "", payload: bytes = b"") -> bytes:
    quoted = json.dumps("0" * 64 + " " + json.dumps(entry))
    header = f'{{"__metadata__":{{"petteia":{quoted}}}{tensors}}}'.encode()
    return struct.pack("<Q", len(header)) + header + payload


ENTRY: dict[str, object] = {"schema": 2, "version": "0", "kind": "table", "game": "g", "metadata": {}}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (forged(ENTRY | {"schema": 1}), "schema 1 and were saved by petteia 0, but petteia"),
        (forged(ENTRY | {"schema": "2"}), "damaged"),
        (forged({}), "damaged"),
        (forged(ENTRY | {"kind": "network"}), "kind 'network'; must be of kind 'table'"),
        (forged(ENTRY | {"kind": 3}), "not a valid weights file"),
        (forged(ENTRY | {"more": 3}), "not a valid weights file"),
        (forged(ENTRY | {"metadata": {"side": 0}}), "not a valid weights file"),
        (forged(ENTRY, ',"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}', struct.pack("<d", np.nan)), "finite"),
        (forged(ENTRY, ',"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}', struct.pack("<d", np.inf)), "finite"),
        (forged(ENTRY, ',"w":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}', b"\0\0"), "not a valid"),
        (forged(ENTRY, ',"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}', b"\0"), "not a valid"),
        (forged(ENTRY, f',"w":{{"dtype":"F64","shape":[{1 << 62}],"data_offsets":[0,{1 << 62}]}}'), "not a valid"),
        (forged(ENTRY, f',"w":{{"dtype":"F64","shape":[{1 << 40}],"data_offsets":[0,{8 << 40}]}}'), "not a valid"),
        (forged(ENTRY, f',"w":{{"dtype":"F64","shape":[0,{1 << 62}],"data_offsets":[0,0]}}'), None),
        (forged(ENTRY, f',"w":{"[" * 50_000}'), "damaged"),
        (struct.pack("<Q", (1 << 64) - 1) + forged(ENTRY)[8:], "damaged"),
        (struct.pack("<Q", 1 << 31) + forged(ENTRY)[8:], "damaged"),
    ],
)
def test_forged_files_are_refused_without_using_memory(tmp_path: Path, data: bytes, reason: str | None) -> None:
    path = tmp_path / "weights.safetensors"
    signed(path, data)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidError) as raised:
            load_weights(path, "table")
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()
    one_line(raised, str(path), reason or "")


@pytest.mark.parametrize("content", [b"", b"text", b"\0" * 1000, b"PK\x03\x04" + b"\0" * 500])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(content)
    with pytest.raises(InvalidError) as raised:
        load_weights(path, "table")
    one_line(raised, "not a weights file of petteia")


def test_safetensors_of_others_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    safetensors.numpy.save_file({"a": np.zeros(3)}, path)
    with pytest.raises(InvalidError, match="not a weights file of petteia"):
        load_weights(path, "table")
    with pytest.raises(NotFoundError):
        load_weights(tmp_path / "none", "table")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_not_written(tmp_path: Path, value: float) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()
    with pytest.raises(InvalidError) as raised:
        save_weights(path, "table", "g", {"good": np.zeros(2), "bad": np.array([0, value])}, {})
    one_line(raised, "'bad'", "not finite")
    assert path.read_bytes() == before


def test_files_are_laid_out_as_safetensors_does(tmp_path: Path) -> None:
    data = saved(tmp_path).read_bytes()
    entry = weights._read_entry(tmp_path, data)
    assert safetensors.numpy.save(TENSORS, {"petteia": data[weights.DIGITS].decode() + entry}) == data
