"""Files, journals, weights, fingerprints and run folders: inverse to each other, and refused when anything is off."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import struct
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.options import Range
from petteia.core.protocol import Limits
from petteia.games import game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.records import files, lock, runs, weights
from petteia.records.fingerprint import fingerprint
from petteia.records.journal import Journal
from petteia.records.runs import create_run, digest, list_runs, open_run, runs_folder
from petteia.records.weights import load_weights, save_weights

RULES = game("hare-and-hounds")


def one_line(raised: pytest.ExceptionInfo[PetteiaError], *parts: str) -> None:
    text = str(raised.value)
    assert "\n" not in text
    for part in parts:
        assert part in text


# Files


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write_file(path, "old")
    with path.open() as reader:
        files.write_file(path, b"new")
        assert reader.read() == "old"
    assert files.read_file(path) == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    files.write_file(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PetteiaError) as raised:
        files.write_file(path, "new")
    one_line(raised, str(path), "No space left on device")
    assert files.read_file(path) == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_cannot_be_read_or_written_give_one_line(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no folder")
    with pytest.raises(PetteiaError) as raised:
        files.write_file(tmp_path / "plain" / "file", "x")
    one_line(raised, "cannot write", "choose a folder")
    with pytest.raises(NotFoundError) as missing:
        files.read_file(tmp_path / "none")
    one_line(missing, "there is no such file")
    with pytest.raises(PetteiaError, match="is not a file"):
        files.read_file(tmp_path)


# Journal

ROWS = [{"games": 300, "score": 0.5}, {"games": 600, "score": 0.75, "note": "ünïcode\n"}, {"games": 900}]


def test_a_journal_gives_back_what_was_appended(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    assert journal.read() == []
    journal.append(ROWS[:1])
    journal.append(ROWS[1:])
    journal.append([])
    assert journal.read() == ROWS
    assert len(journal.path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("lost", range(1, 13))
def test_a_torn_last_line_is_dropped_and_replaced(tmp_path: Path, lost: int) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    journal.append(ROWS)
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-lost])
    assert journal.read() == ROWS[:2]
    journal.append(ROWS[2:])
    assert journal.path.read_bytes() == whole


def test_a_journal_of_one_torn_line_is_empty(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    journal.path.write_bytes(b'{"gam')
    assert journal.read() == []
    journal.append(ROWS)
    assert journal.read() == ROWS


@pytest.mark.parametrize("damage", [b'{"games": ', b"[1]", b"", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'"text"'])
def test_a_damaged_line_is_named(tmp_path: Path, damage: bytes) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    journal.path.write_bytes(b'{"games": 1}\n' + damage + b'\n{"games": 3}\n')
    with pytest.raises(InvalidError) as raised:
        journal.read()
    one_line(raised, str(journal.path), "line 2")


def test_truncating_keeps_the_first_rows(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    journal.truncate(0)
    journal.append(ROWS)
    journal.truncate(3)
    assert journal.read() == ROWS
    journal.truncate(1)
    assert journal.read() == ROWS[:1]
    with pytest.raises(InvalidError) as raised:
        journal.truncate(2)
    one_line(raised, "has 1 rows where 2")
    journal.truncate(0)
    assert journal.read() == []


def test_truncating_counts_whole_lines_only(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    journal.append(ROWS)
    journal.path.write_bytes(journal.path.read_bytes()[:-1])
    with pytest.raises(InvalidError):
        journal.truncate(3)
    journal.truncate(2)
    assert journal.path.read_bytes().count(b"\n") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device to write to")
def test_a_journal_on_a_full_disk_gives_one_line() -> None:
    with pytest.raises(PetteiaError) as raised:
        Journal(Path("/dev/full")).append(ROWS)
    one_line(raised, "/dev/full", "No space left on device")


# Weights

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


ENTRY: dict[str, object] = {"schema": 1, "kind": "table", "game": "g", "metadata": {}}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (forged(ENTRY | {"schema": 2}), "schema 2; this version of petteia reads schema 1"),
        (forged(ENTRY | {"schema": "1"}), "is damaged"),
        (forged({}), "is damaged"),
        (forged(ENTRY | {"kind": "network"}), "kind 'network'; wanted is 'table'"),
        (forged(ENTRY | {"kind": 3}), "is not a sound weights file"),
        (forged(ENTRY | {"more": 3}), "is not a sound weights file"),
        (forged(ENTRY | {"metadata": {"side": 0}}), "is not a sound weights file"),
        (forged(ENTRY, ',"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}', struct.pack("<d", np.nan)), "finite"),
        (forged(ENTRY, ',"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}', struct.pack("<d", np.inf)), "finite"),
        (forged(ENTRY, ',"w":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}', b"\0\0"), "is not a sound"),
        (forged(ENTRY, ',"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}', b"\0"), "is not a sound"),
        (forged(ENTRY, f',"w":{{"dtype":"F64","shape":[{1 << 62}],"data_offsets":[0,{1 << 62}]}}'), "is not a sound"),
        (forged(ENTRY, f',"w":{{"dtype":"F64","shape":[{1 << 40}],"data_offsets":[0,{8 << 40}]}}'), "is not a sound"),
        (forged(ENTRY, f',"w":{{"dtype":"F64","shape":[0,{1 << 62}],"data_offsets":[0,0]}}'), None),
        (forged(ENTRY, f',"w":{"[" * 50_000}'), "is damaged"),
        (struct.pack("<Q", (1 << 64) - 1) + forged(ENTRY)[8:], "is damaged"),
        (struct.pack("<Q", 1 << 31) + forged(ENTRY)[8:], "is damaged"),
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
    one_line(raised, "is not a weights file of petteia")


def test_safetensors_of_others_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    safetensors.numpy.save_file({"a": np.zeros(3)}, path)
    with pytest.raises(InvalidError, match="is not a weights file of petteia"):
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


# Fingerprint


class Backwards(HareAndHounds):
    """Hare and Hounds with its moves listed in another order."""

    def moves(rules, state, out):
        count = HareAndHounds.moves(rules, state, out)
        out[:count] = out[:count][::-1]
        return count


class OtherKeys(HareAndHounds):
    def key(rules, state):
        return HareAndHounds.key(rules, state) ^ 1


class OtherMargins(HareAndHounds):
    def margin(rules, state):
        return 2 * HareAndHounds.margin(rules, state)


class Coin(NamedTuple):
    """A state of Toss: tosses left, and what was won."""

    left: int
    won: int


class Toss(NamedTuple):
    """Nothing but chance: heads of a coin are counted."""

    bias: Annotated[int, Range(1, 9)] = 5
    tosses: Annotated[int, Range(1, 500)] = 5

    def initial(rules):
        return Coin(rules.tosses, 0)

    def to_move(rules, state):
        return 2

    def chances(rules, state, moves, probabilities):
        moves[0], moves[1] = 0, 1
        probabilities[0], probabilities[1] = 1 - rules.bias / 10, rules.bias / 10
        return 2

    def play(rules, state, move):
        return Coin(state.left - 1, state.won + move)

    def is_over(rules, state):
        return state.left == 0

    def margin(rules, state):
        return state.won

    def key(rules, state):
        return state.left << 16 | state.won

    def limits(rules):
        return Limits(2, 2, rules.tosses)


def test_the_fingerprint_depends_on_behaviour_alone() -> None:
    same = fingerprint(HareAndHounds())
    assert same == fingerprint(HareAndHounds())
    assert len(same) == 16
    others = [cls() for cls in (Backwards, OtherKeys, OtherMargins)]
    others += [game(f"hare-and-hounds:{option}") for option in ("first=hare", "stall=3", "escape=level", "hare=8")]
    assert len({same, *map(fingerprint, others)}) == 1 + len(others)
    assert fingerprint(Toss(5)) != fingerprint(Toss(6))
    assert fingerprint(Toss(5, 300)) == fingerprint(Toss(5, 300))


# Run folders


class Settings(BaseModel):
    alpha: float = 0.1
    games: int = 300
    opponent: str = "random"


def new_run(root: Path, **options: str) -> runs.Run:
    return create_run(root, "train", RULES, Settings(), {"learning": 7}, **options)


def test_a_run_comes_back_as_it_was_made(tmp_path: Path) -> None:
    made = new_run(tmp_path, label="q")
    assert made.path == tmp_path / "hare-and-hounds-q-0001"
    opened = open_run(made.path)
    assert opened == made
    assert opened.configuration(Settings) == Settings()
    assert opened.description.seeds == {"learning": 7}
    assert opened.description.game == "hare-and-hounds"
    assert opened.results() is None
    opened.check_same_code(RULES)
    with opened.locked():
        opened.journal.append(ROWS)
        opened.write_results({"wins": 3})
    assert opened.results() == {"wins": 3}
    assert opened.journal.read() == ROWS
    assert json.loads((made.path / "run.json").read_text())["schema"] == 1


def test_names_are_readable_and_never_taken_twice(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "runs"
    assert [new_run(root, label="q").name for _ in range(3)] == [f"hare-and-hounds-q-000{i}" for i in (1, 2, 3)]
    assert (
        create_run(root, "train", game("hare-and-hounds:stall=0"), Settings(), {}).name == "hare-and-hounds-train-0001"
    )
    assert new_run(root, name="My_run.2").name == "My_run.2"
    with pytest.raises(UsageError) as raised:
        new_run(root, name="My_run.2")
    one_line(raised, "'My_run.2'", "already")
    assert [path.name for path in list_runs(root)] == sorted(path.name for path in root.iterdir())


@pytest.mark.parametrize(
    ("game_text", "stem"),
    [
        ("hare-and-hounds:stall=0", "hare-and-hounds-q"),
        ("my_module:Nim", "my-module-nim-q"),
        ("a.b:C:heaps=4", "a-b-c-q"),
    ],
)
def test_names_come_from_the_game(game_text: str, stem: str) -> None:
    assert runs._stem(game_text, "q") == stem


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/tmp/x", ".hidden", "a b", "ü", "x" * 101, "a\n"])
def test_impossible_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as raised:
        new_run(tmp_path, name=name)
    one_line(raised)
    assert list(tmp_path.iterdir()) == []


def test_where_runs_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PETTEIA_RUNS", raising=False)
    assert runs_folder() == Path("runs")
    monkeypatch.setenv("PETTEIA_RUNS", str(tmp_path))
    assert runs_folder() == tmp_path
    assert runs_folder("elsewhere") == Path("elsewhere")
    made = new_run(tmp_path)
    assert open_run(made.name) == made
    assert open_run(made.name, tmp_path) == made
    with pytest.raises(NotFoundError) as raised:
        open_run("hare-and-hounds-train-0002")
    one_line(raised, "did you mean 'hare-and-hounds-train-0001'?")
    with pytest.raises(PetteiaError) as long:
        open_run("x" * 5000)
    one_line(long, "File name too long")
    monkeypatch.chdir(made.path)
    assert open_run(".").name == made.name
    assert list_runs(tmp_path / "none") == []


def test_a_folder_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no folder")
    with pytest.raises(PetteiaError) as raised:
        new_run(tmp_path / "plain")
    one_line(raised, "cannot write", "choose a folder")
    with pytest.raises(NotFoundError):
        open_run("x", tmp_path / "plain")


def test_a_full_disk_leaves_no_half_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PetteiaError) as raised:
        new_run(tmp_path)
    one_line(raised, "No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema": 2}, "schema 2; this version of petteia reads schema 1"),
        ({"schema": None}, "is damaged: schema"),
        ({"kind": 3}, "is damaged: kind"),
        ({"more": 3}, "is damaged: more"),
        ({"configuration": []}, "is damaged: configuration"),
    ],
)
def test_runs_of_other_versions_and_damaged_ones_are_refused(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    run = new_run(tmp_path)
    file = run.path / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(InvalidError) as raised:
        open_run(run.path)
    one_line(raised, str(run.path), reason)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"{}"])
@pytest.mark.parametrize("name", ["run.json", "times.json"])
def test_damaged_files_of_a_run_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    run = new_run(tmp_path)
    (run.path / name).write_bytes(content)
    with pytest.raises(InvalidError) as raised:
        open_run(run.path).times()
    one_line(raised, name)


def test_a_configuration_of_another_form_and_damaged_results_are_refused(tmp_path: Path) -> None:
    class Other(BaseModel):
        depth: int

    run = new_run(tmp_path)
    with pytest.raises(InvalidError) as raised:
        run.configuration(Other)
    one_line(raised, "run.json", "depth")
    (run.path / "results.json").write_text("3")
    with pytest.raises(InvalidError) as results:
        run.results()
    one_line(results, "results.json")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [("version", "9.9", "petteia 9.9"), ("source", "0", "source code"), ("fingerprint", "0", "the rules of")],
)
def test_a_run_begun_by_other_code_does_not_go_on(tmp_path: Path, field: str, value: str, reason: str) -> None:
    run = new_run(tmp_path)
    other = runs.Run(run.path, run.description.model_copy(update={field: value}))
    with pytest.raises(InvalidError) as raised:
        other.check_same_code(RULES)
    one_line(raised, reason, "begin a new run")


def test_the_digest_sees_everything_but_times_and_hidden_files(tmp_path: Path) -> None:
    one, two = new_run(tmp_path), new_run(tmp_path)
    assert digest(one) == digest(two)
    with one.locked():
        one.spend(1.5)
        one.spend(0.25)
        (one.path / ".weights.safetensors.1.tmp").write_text("half")
        assert one.times().seconds == 1.75
        assert digest(one) == digest(two)
    one.journal.append(ROWS)
    assert digest(one) != digest(two)
    two.journal.append(ROWS)
    assert digest(one) == digest(two)
    (two.path / "results.json").write_text("{}")
    assert digest(one) != digest(two)


def test_taking_the_lock_clears_what_a_killed_writer_left(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    (run.path / ".weights.safetensors.1.tmp").write_text("half")
    with run.locked():
        assert sorted(path.name for path in run.path.iterdir()) == [".lock", "run.json", "times.json"]


def test_one_process_cannot_write_a_run_twice_at_once(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    with run.locked(), pytest.raises(PetteiaError) as raised, run.locked():
        pass
    one_line(raised, str(run.path), "already")
    with run.locked():
        pass


HOLD = """
import os, sys, time
from pathlib import Path
from petteia.records.lock import locked

with locked(Path(sys.argv[1])):
    if os.fork() == 0:
        time.sleep(60)
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_lock_keeps_others_out_until_its_process_dies(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, start_new_session=True
    ) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"held\n"
            with pytest.raises(PetteiaError) as raised, lock.locked(tmp_path):
                pass
            one_line(raised, str(tmp_path), f"process {holder.pid} is writing")
            holder.kill()
            holder.wait()
            with lock.locked(tmp_path):  # although a worker of the killed process lives on
                pass
        finally:
            os.killpg(holder.pid, signal.SIGKILL)


def test_a_lock_in_a_folder_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError) as raised, lock.locked(tmp_path / "none"):
        pass
    one_line(raised, "cannot write")


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=5,
        ),
        max_size=4,
    )
)
def test_any_json_row_comes_back(tmp_path_factory: pytest.TempPathFactory, row: dict[str, object]) -> None:
    journal = Journal(tmp_path_factory.mktemp("journal") / "points.jsonl")
    journal.append([row, row])
    assert journal.read() == [row, row]
