"""Files are replaced whole, and journals give back what was appended; anything off is refused."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raised_errors import one_line

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError
from petteia.records import files
from petteia.records.journal import Journal

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
