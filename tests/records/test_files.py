"""Files are replaced whole, and journals give back what was appended; anything off is refused."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matching_checksums import mended_lines
from nearly_full_disk import nearly_full_disk
from raised_errors import one_line

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError
from petteia.records import files
from petteia.records.bounds import RECORD
from petteia.records.journal import Journal

# Files


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write_file(path, "old")
    with path.open() as reader:
        files.write_file(path, b"new")
        assert reader.read() == "old"
    assert files.read_file(path, RECORD) == b"new"
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
    assert files.read_file(path, RECORD) == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_cannot_be_read_or_written_give_one_line(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no folder")
    with pytest.raises(PetteiaError) as raised:
        files.write_file(tmp_path / "plain" / "file", "x")
    one_line(raised, "cannot be written", "choose another folder")
    with pytest.raises(NotFoundError) as missing:
        files.read_file(tmp_path / "none", RECORD)
    one_line(missing, "there is no such file")
    with pytest.raises(PetteiaError, match="not a regular file"):
        files.read_file(tmp_path, RECORD)


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
    journal.append(ROWS)
    lines = journal.path.read_bytes().split(b"\n")
    lines[1] = damage
    for content in (b"\n".join(lines), mended_lines(b"\n".join(lines), "")):
        journal.path.write_bytes(content)
        with pytest.raises(InvalidError) as raised:
            journal.read()
        one_line(raised, str(journal.path), "line 2")


@pytest.mark.parametrize("change", [1, 32, 128])
def test_no_byte_of_a_journal_can_be_changed(tmp_path: Path, change: int) -> None:
    """A last line without its end is torn, which shows where the journal must be whole."""
    journal = Journal(tmp_path / "points.jsonl", "of a run")
    journal.append(ROWS)
    data = journal.path.read_bytes()
    for place in range(len(data)):
        journal.path.write_bytes(data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])
        with pytest.raises(InvalidError, match=f"points.jsonl, line {data[:place].count(10) + 1}: damaged"):
            journal.checksums(finished=True)


@pytest.mark.parametrize("lines", [(1, 2), (0, 2, 1), (0, 0, 1, 2), (0, 2)], ids=str)
def test_rows_follow_one_from_the_other(tmp_path: Path, lines: tuple[int, ...]) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    journal.append(ROWS)
    whole = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join(whole[number] for number in lines))
    with pytest.raises(InvalidError, match="the checksum does not match"):
        journal.read()
    with pytest.raises(InvalidError, match="the checksum does not match"):
        Journal(journal.path).append(ROWS)


def test_a_journal_belongs_to_what_it_is_about(tmp_path: Path) -> None:
    Journal(tmp_path / "points.jsonl", "one").append(ROWS)
    with pytest.raises(InvalidError, match="line 1: damaged"):
        Journal(tmp_path / "points.jsonl", "other").read()


def test_keeping_drops_the_rows_beyond(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "points.jsonl", "identity")
    assert journal.keep("identity") == 0
    journal.append(ROWS)
    first, _, last = journal.checksums()
    assert journal.keep(last) == 3
    assert journal.read() == ROWS
    assert journal.keep(first) == 1
    assert journal.read() == ROWS[:1]
    with pytest.raises(InvalidError) as raised:
        journal.keep(last)
    one_line(raised, "a saved row is missing")
    journal.append(ROWS[1:])
    assert journal.checksums()[-1] == journal.checksum == last
    assert journal.keep("identity") == 0
    assert journal.read() == []


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "points.jsonl")
    with nearly_full_disk(10), pytest.raises(PetteiaError) as raised:
        journal.append(ROWS)
    one_line(raised, str(journal.path), "File too large")
    assert not journal.path.exists()
    journal.append(ROWS[:1])
    whole = journal.path.read_bytes()
    with nearly_full_disk(len(whole) + 10), pytest.raises(PetteiaError):
        journal.append(ROWS[1:])
    assert journal.path.read_bytes() == whole
    assert journal.read() == ROWS[:1]
    journal.append(ROWS[1:])
    assert journal.read() == ROWS


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
