"""The table of the usual board of British Square, half a gigabyte: killed while it is made, and changed once it is.

Looking through all of it takes seconds. So of most mutants only what a look through the whole would meet is looked at:
the row that was changed, as `check_rows` finds it from the rules, and as `find_fault` proves it. Some go through a
file, with their checksum mended, as a whole.
"""

from __future__ import annotations

import hashlib
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia.core.errors import InvalidError
from petteia.core.hashing import EMPTY
from petteia.core.packing import unpack
from petteia.core.protocol import initial, limits
from petteia.games import game
from petteia.solver import files
from petteia.solver.check import SOUND, Claims, _first_fault, find_fault
from petteia.solver.tablebase import Tablebase, _row_of, build, find

pytestmark = pytest.mark.heavy
RULES = game("british-square")
START = initial(RULES)
WHILE_SOLVING, WHILE_WRITING = 4, 6
"""times that the command is killed"""
BYTES, IN_MEMORY = 10, 4_000
"""mutants of each part of the file, and of each array in memory"""
HEADERS, MENDED = 10, 2
"""mutants of the header, and of each array, in a file with its checksum mended"""
COLUMNS = ("keys", "states", "values", "distances")


@pytest.fixture(scope="module")
def table() -> Tablebase:
    return build(RULES)


def solving(path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "petteia", "solve", "british-square", "--table", path.name]
    return subprocess.Popen(command, cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def same(one: Tablebase, other: Tablebase) -> bool:
    return all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


def drafts(path: Path) -> list[Path]:
    return [each for each in path.parent.iterdir() if each != path]


def test_solving_that_is_killed_leaves_no_table_or_a_whole_one(table: Tablebase, tmp_path: Path) -> None:
    path, draw = tmp_path / "table", random.Random(3)
    seconds = time.perf_counter()
    solving(path).communicate()
    seconds = time.perf_counter() - seconds
    assert same(files.load(path, RULES), table)
    size, left, whole = path.stat().st_size, list[int](), 0
    path.unlink()

    def see(process: subprocess.Popen[bytes]) -> None:
        nonlocal whole
        process.send_signal(signal.SIGKILL)
        process.communicate()
        found = drafts(path)
        assert len(found) <= 1, "the next that writes removes what the last has left"
        left.extend(each.stat().st_size for each in found)
        if path.exists():
            assert same(files.load(path, RULES), table)
            path.unlink()
            whole += 1

    for number in range(WHILE_SOLVING):
        process = solving(path)
        time.sleep(seconds * (number + draw.random()) / WHILE_SOLVING)
        see(process)
    for number in range(WHILE_WRITING):
        before = set(drafts(path))
        process = solving(path)
        while process.poll() is None and not path.exists():
            writing = [each for each in drafts(path) if each not in before]
            if any(each.stat().st_size >= size * number / WHILE_WRITING for each in writing):
                break
            time.sleep(0.001)
        see(process)
    process = solving(path)
    said, error = process.communicate()
    assert (process.returncode, drafts(path)) == (0, []), error
    assert b"won by first by 2 in" in said
    assert same(files.load(path, RULES), table)
    partly = sum(0 < each < size for each in left)
    assert partly > 0
    killed = WHILE_SOLVING + WHILE_WRITING
    print(f"killed {killed} times: {whole} whole tables, {len(left)} drafts left and removed, {partly} of them in part")


def parts(path: Path, table: Tablebase) -> dict[str, range]:
    """Where the first line, the header and each array stand in the file."""
    with path.open("rb") as file:
        begin = files.FIRST_LINE + len(file.readlines(files.FIRST_LINE + 1)[1])
    found = {"first line": range(files.FIRST_LINE), "header": range(files.FIRST_LINE, begin)}
    for name, (dtype, shape) in files._shapes(*table.states.shape).items():
        found[name] = range(begin, begin + files._size(dtype, shape))
        begin = found[name].stop
    assert begin == path.stat().st_size
    return found


def write_at(path: Path, place: int, content: bytes) -> bytes:
    """Write some bytes into the file; returns those that were there."""
    with path.open("r+b") as file:
        file.seek(place)
        before = file.read(len(content))
        file.seek(place)
        file.write(content)
    return before


def mend(path: Path) -> None:
    """Let the checksum be that of what follows it."""
    with path.open("rb") as file:
        file.seek(files.FIRST_LINE)
        digest = hashlib.file_digest(file, "sha256").hexdigest().encode()
    write_at(path, files.FIRST_LINE - 1 - files.DIGITS, digest)


def test_changed_bytes_of_the_file_are_refused(table: Tablebase, tmp_path: Path) -> None:
    path, draw, refused = tmp_path / "table", random.Random(5), Counter[str]()
    files.save(path, RULES, table)
    for name, places in parts(path, table).items():
        for place in draw.sample(places, BYTES):
            (byte,) = write_at(path, place, b"\0")
            write_at(path, place, bytes([byte ^ draw.randrange(1, 256)]))
            with pytest.raises(InvalidError, match=r"is (damaged|not a table)"):
                files.load(path, RULES)
            write_at(path, place, bytes([byte]))
            refused[name] += 1
    assert same(files.load(path, RULES), table)
    print(f"changed bytes refused: {dict(refused)}")


def is_refused(table: Tablebase, row: int, state: Any) -> bool:
    """Whether what looks through all rows when a file is loaded stops at this one, which holds another `state` now."""
    try:
        return _row_of(RULES, table, state) != row
    except InvalidError:
        return True


def test_mutants_with_the_right_checksum_are_found_or_say_the_same(table: Tablebase) -> None:
    """Bits of each array, thousands of them."""
    order = np.argsort(table.keys)
    place_of = np.argsort(order)
    claims = Claims(*(getattr(table, name)[order] for name in COLUMNS))
    rows, out, draw = len(table.keys), np.zeros(limits(RULES).moves, np.int64), random.Random(7)
    verdicts = Counter[tuple[str, str]]()

    def proved_wrong(row: int) -> bool:
        place = int(place_of[row])
        return _first_fault(RULES, START, claims, place, place + 1, out)[1] != SOUND

    for name in COLUMNS:
        column, bits = getattr(table, name), 8 * getattr(table, name).itemsize
        for _ in range(IN_MEMORY):
            row = draw.randrange(rows)
            state = unpack(START, table.states[row])
            at = (row, draw.randrange(column.shape[1])) if column.ndim == 2 else (row,)
            before, one = column[at], np.array(1, column.dtype)
            after = before ^ (one << draw.randrange(bits))
            column[at] = after
            getattr(claims, name)[(place_of[row], *at[1:])] = after
            if name in ("keys", "states"):  # a state that is none is for no rules to see: loading refuses it before
                verdict = "refused" if is_refused(table, row, state) else "passes"
            else:
                verdict = "refuted" if proved_wrong(row) else "passes"
            verdicts[name, verdict] += 1
            column[at] = before
            getattr(claims, name)[(place_of[row], *at[1:])] = before
            assert not proved_wrong(row)
            assert not is_refused(table, row, state)
    for _ in range(2 * IN_MEMORY):
        slot = draw.randrange(len(table.slots))
        before = int(table.slots[slot])
        after = before ^ (1 << draw.randrange(31)) if draw.random() < 0.5 else draw.randrange(EMPTY, rows)
        if not EMPTY <= after < rows:
            verdict = "out of bounds"
        else:
            table.slots[slot] = after
            if before != EMPTY:
                verdict = "refused" if is_refused(table, before, unpack(START, table.states[before])) else "passes"
            else:
                near = [row for row in table.slots[slot - 20 : slot + 20].tolist() if row != EMPTY]
                found = [find(RULES, table, unpack(START, table.states[row])) == row for row in near]
                verdict = "says the same" if all(found) else "passes"
            table.slots[slot] = before
        verdicts["slots", verdict] += after != before
    print(f"mutants in memory: { {' '.join(kind): count for kind, count in sorted(verdicts.items())} }")
    assert not any(verdict == "passes" for _, verdict in verdicts)
    assert verdicts["slots", "refused"] > 100 < verdicts["slots", "says the same"]


def verdict_of(path: Path, table: Tablebase) -> str:
    """What becomes of a file whose checksum is right: loading refuses it, or the check, or it says the same."""
    try:
        loaded = files.load(path, RULES)
    except InvalidError as error:
        return "refused" if str(error).startswith(f"{path}: ") else str(error)
    if same(loaded, table):
        return "says the same"
    columns = (loaded.keys, loaded.states, loaded.values, loaded.distances)
    return "refuted" if find_fault(RULES, START, *columns) else "passes"


def test_files_with_their_checksum_mended_are_refused_or_proved_wrong(table: Tablebase, tmp_path: Path) -> None:
    path, draw, verdicts = tmp_path / "table", random.Random(9), Counter[tuple[str, str]]()
    files.save(path, RULES, table)
    places = parts(path, table)

    def judge(name: str, place: int, content: bytes) -> None:
        before = write_at(path, place, content)
        mend(path)
        verdicts[name, verdict_of(path, table)] += 1
        write_at(path, place, before)

    for place in draw.sample(places["header"], HEADERS):
        judge("header", place, bytes([draw.randrange(256)]))
    for name in (*COLUMNS, "slots"):
        column = getattr(table, name).reshape(-1)
        for _ in range(MENDED):
            index = draw.randrange(len(column))
            while name == "slots" and column[index] == EMPTY:
                index = draw.randrange(len(column))
            after = np.array(column[index] ^ (1 << draw.randrange(3)), column.dtype)
            judge(name, places[name].start + index * column.itemsize, after.tobytes())
    for wild in (EMPTY - 1, len(table.keys), -(1 << 31), (1 << 31) - 1):
        place = places["slots"].start + draw.randrange(len(table.slots)) * table.slots.itemsize
        judge("slots out of bounds", place, np.array(wild, table.slots.dtype).tobytes())
    mend(path)
    assert same(files.load(path, RULES), table)
    print(f"with the checksum mended: { {' '.join(kind): count for kind, count in sorted(verdicts.items())} }")
    assert {verdict for _, verdict in verdicts} <= {"refused", "refuted", "says the same"}
    assert verdicts["values", "refuted"] == verdicts["distances", "refuted"] == MENDED
    assert verdicts["slots out of bounds", "refused"] == 4
