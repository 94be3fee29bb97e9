"""The solver's checker against tables that are wrong, and tables on disk against every damage."""

from __future__ import annotations

import itertools
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from solved_games import Maze, NumberedMaze, brute_force, fault_of
from tiny_games import Nim

import petteia
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import initial
from petteia.games import game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.solver import files, graph, retrograde, tablebase
from petteia.solver.check import FAULTS
from petteia.solver.graph import explore
from petteia.solver.tablebase import Tablebase, build, find

HARE = HareAndHounds()


@pytest.fixture(scope="module")
def hare() -> Tablebase:
    return build(HARE)


# The checker.


def broken(table: Tablebase, **columns: Any) -> Tablebase:
    return table._replace(**{name: np.array(column) for name, column in columns.items()})


@pytest.mark.parametrize("rules", [HareAndHounds(stall=1), HareAndHounds(stall=0), Maze(seed=5), NumberedMaze(seed=2)])
def test_the_checker_finds_any_wrong_number(rules: Any) -> None:
    table = build(rules)
    random = np.random.default_rng(3)
    for row in random.choice(len(table.keys), min(len(table.keys), 60), replace=False):
        for name, change in (("values", 1), ("values", -1), ("distances", 1), ("distances", -1), ("keys", 1)):
            column = getattr(table, name).copy()
            column[row] += change
            assert fault_of(rules, broken(table, **{name: column})), (name, row)


def test_the_checker_sees_through_wins_that_rest_on_each_other() -> None:
    """Endless play that is said to be won: each position has a won one after it, and no distance can be right."""
    rules = HareAndHounds(stall=0)
    table = build(rules)
    endless = (table.values == 0) & (table.distances < 0)
    assert endless.any()
    for value in (1, -1):
        for distance in (-1, 0, 1, 2, 50):
            values, distances = table.values.copy(), table.distances.copy()
            values[endless], distances[endless] = value, distance
            assert fault_of(rules, broken(table, values=values, distances=distances))


@pytest.mark.parametrize("rules", [HareAndHounds(stall=0), NumberedMaze(seed=2)], ids=format_game)
def test_the_checker_looks_for_better_moves_and_for_any_that_is_as_good(rules: Any) -> None:
    """Where nothing leads, a wrong value that some move leads to, or no move, contradicts nothing else."""
    table = build(rules)
    whole = explore(rules, initial(rules), folded=True, numbered=True)
    led_to = np.bincount(whole.successors, minlength=len(whole.keys)) > 0
    worse = better = 0
    for row in np.flatnonzero(~led_to & (whole.movers != graph.OVER)):
        sign = 1 if whole.movers[row] == 0 else -1
        after = whole.successors[whole.offsets[row] : whole.offsets[row + 1]]
        for value in ({0} | set(table.values[after].tolist())) - {int(table.values[row])}:
            plies = table.distances[after][table.values[after] == value]
            distance = -1 if value == 0 else 1 + (plies.min() if sign * value > 0 else plies.max())
            values, distances = table.values.copy(), table.distances.copy()
            values[row], distances[row] = value, distance
            assert FAULTS[5] in str(fault_of(rules, broken(table, values=values, distances=distances)))
            worse += sign * value < sign * int(table.values[row])
            better += sign * value > sign * int(table.values[row])
    assert min(worse, better) > 0


def test_the_checker_misses_positions_that_are_missing() -> None:
    rules = NumberedMaze(seed=2)
    table = build(rules)
    for row in range(len(table.keys)):
        kept = np.arange(len(table.keys)) != row
        assert fault_of(rules, Tablebase(table.slots, *(column[kept] for column in table[1:])))
    twice = np.append(np.arange(len(table.keys)), 3)
    assert FAULTS[1] in str(fault_of(rules, Tablebase(table.slots, *(column[twice] for column in table[1:]))))


def negated(found: retrograde.Values, graph: graph.Graph) -> None:
    found.values[:] = -found.values


def one_too_far(found: retrograde.Values, graph: graph.Graph) -> None:
    found.distances[(graph.movers != 3) & (found.distances > 0)] += 1


def draws_lost(found: retrograde.Values, graph: graph.Graph) -> None:
    found.values[(found.values == 0) & (graph.movers == 1)] = 1


@pytest.mark.parametrize("mistake", [negated, one_too_far, draws_lost])
def test_a_broken_solver_does_not_pass_the_check(mistake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(explored: graph.Graph, back: retrograde.Backwards) -> retrograde.Values:
        found = retrograde.analyse(explored, back)
        mistake(found, explored)
        return found

    monkeypatch.setattr(tablebase, "analyse", analyse)
    with pytest.raises(PetteiaError, match="the table is wrong: position"):
        petteia.solve("hare-and-hounds:stall=0", check=True)


# On disk.


def test_a_table_is_read_as_it_was_written(hare: Tablebase, tmp_path: Path) -> None:
    path = tmp_path / "hare.table"
    files.save(path, HARE, hare)
    loaded = files.load(path, HARE)
    for name, column in hare._asdict().items():
        read = getattr(loaded, name)
        np.testing.assert_array_equal(read, column)
        assert (read.dtype, read.flags.aligned, read.flags.c_contiguous) == (column.dtype, True, True)
    before = path.read_bytes()
    loaded.values[:] = 0
    assert path.read_bytes() == before


def test_solve_writes_a_table_and_reads_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table"
    solved = petteia.solve("hare-and-hounds:stall=2", table=path)
    written = path.read_bytes()

    def build(*arguments: Any, **options: Any) -> None:
        raise AssertionError("there is a table")

    monkeypatch.setattr(petteia.solver.oracle, "build", build)
    assert petteia.solve("hare-and-hounds:stall=2", table=path) == solved
    assert path.read_bytes() == written
    there = petteia.solve("hare-and-hounds:stall=2", table=path, position="0,1,4/2 hounds 0", check=True)
    assert there.checked


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    path = tmp_path / "nim.table"
    files.save(path, Nim(heaps=2), build(Nim(heaps=2)))
    return path


@pytest.mark.slow
def test_every_changed_byte_and_every_lost_end_is_noticed(nim: Path) -> None:
    whole = nim.read_bytes()
    changed = nim.with_name("changed")
    assert 500 < len(whole) < 5000
    mutants = [whole[:i] + bytes([whole[i] ^ bit]) + whole[i + 1 :] for i in range(len(whole)) for bit in (1, 32, 128)]
    ends = [whole[:i] for i in range(len(whole))]
    for mutant in (*mutants, *ends, whole + b"\0", whole * 2):
        changed.write_bytes(mutant)
        with pytest.raises(InvalidError) as raised:
            files.load(changed, Nim(heaps=2))
        assert str(raised.value).startswith(f"{changed}: ")
        assert "\n" not in str(raised.value)


def signed(path: Path, old: bytes, new: bytes) -> None:
    """Change the file, and its checksum with it."""
    _, body = path.read_bytes().split(b"\n", 1)
    body = body.replace(old, new, 1)
    path.write_bytes(b"%s %s %s\n" % (files.NAME, files.SCHEMA, files._digest([body])) + body)


def test_tables_of_other_rules_and_other_things_are_refused(nim: Path, tmp_path: Path) -> None:
    with pytest.raises(
        InvalidError, match=r"contains values of tiny_games:Nim:heaps=2, not of tiny_games:Nim; give another file$"
    ):
        files.load(nim, Nim())
    with pytest.raises(UsageError, match=r"needs [0-9.]+ kB of memory, but 1 kB is allowed; allow it by --memory 1 "):
        files.load(nim, Nim(heaps=2), memory=1000)
    with pytest.raises(NotFoundError):
        files.load(tmp_path / "none", Nim())
    with pytest.raises(PetteiaError, match="not a regular file"):
        files.load(tmp_path, Nim())
    with pytest.raises(InvalidError, match="not a file of solved values"):
        files.load(Path(__file__), Nim())
    header = nim.read_bytes().split(b"\n")[1]
    for old, new, message in (
        (b'"side"', b'"form"', "the rules of tiny_games:Nim:heaps=2 have changed"),
        (b'"rows":', b'"rows":1e9,"', "its header cannot be read"),
        (b'"rows":', b'"rows":9', "bytes instead of"),
        (header, b'{"rows":' + b"[" * 60000, "its header cannot be read"),
    ):
        whole = nim.read_bytes()
        signed(nim, old, new)
        with pytest.raises(InvalidError, match=message):
            files.load(nim, Nim(heaps=2))
        nim.write_bytes(whole)


def test_slots_that_point_nowhere_are_refused_although_the_checksum_is_right(tmp_path: Path) -> None:
    rules, path = Nim(heaps=2), tmp_path / "forged"
    table = build(rules)
    for slots in (np.full_like(table.slots, 1), np.where(table.slots < 0, -2, 0), table.slots + len(table.keys)):
        files.save(path, rules, table._replace(slots=slots))
        with pytest.raises(InvalidError, match="hash table points to rows that do not exist"):
            files.load(path, rules)


@pytest.mark.parametrize("rules", [HareAndHounds(), Nim(heaps=2)], ids=format_game)
def test_rows_that_are_no_positions_are_refused_although_the_checksum_is_right(rules: Any, tmp_path: Path) -> None:
    path, table = tmp_path / "forged", build(rules)
    last = len(table.keys) - 1
    for row, value in ((0, 1 << 40), (0, -1), (last, 1 << 40), (last, -1), (last // 2, (1 << 63) - 1)):
        states = table.states.copy()
        states[row, 0] = value
        files.save(path, rules, table._replace(states=states))
        with pytest.raises(InvalidError, match="forged: the file is damaged"):
            petteia.solve(rules, table=path)
    doubled = table._replace(states=np.concatenate([table.states[:last], table.states[:1]]))
    for wrong in (doubled, table._replace(keys=table.keys + 1)):
        files.save(path, rules, wrong)
        with pytest.raises(InvalidError, match=r"forged: the file is damaged: a (row|position)"):
            petteia.solve(rules, table=path)


def test_distances_that_lead_nowhere_end_the_line(tmp_path: Path) -> None:
    table = build(HARE)
    assert petteia.solve(HARE, table=tmp_path / "table").line
    files.save(tmp_path / "forged", HARE, table._replace(distances=np.full_like(table.distances, 9)))
    with pytest.raises(InvalidError, match="the table contradicts itself at position"):
        petteia.solve(HARE, table=tmp_path / "forged")


def test_a_table_from_another_start_is_whole(tmp_path: Path) -> None:
    rules = game("kalah:pits=2,seeds=2")
    start = "0,1,4/2,1,0 s"
    one, other = (petteia.solve(rules, position=start, table=tmp_path / "table") for _ in range(2))
    assert one == other


# Long.


@pytest.mark.heavy
@pytest.mark.parametrize(("stall", "escape"), list(itertools.product(range(13), range(3))))
def test_every_option_of_hare_and_hounds(stall: int, escape: int) -> None:
    """Numbered positions do not depend on who begins, nor on where; so brute force is needed once for all starts."""
    truth = brute_force(HareAndHounds(stall=stall, escape=escape))
    for first, hare in itertools.product((0, 1), range(11)):
        rules = HareAndHounds(first, hare, stall, escape)
        try:
            petteia.game(rules)
        except UsageError:
            continue
        table = build(rules)
        assert fault_of(rules, table) is None
        for state, (value, distance) in truth.items():
            row = find(rules, table, state)
            assert (table.values[row], table.distances[row]) == (value, -1 if distance is None else distance)
            if first or hare != 10:
                break  # one is enough to see that it is the same table; the checker has seen all


@pytest.mark.heavy
def test_ten_thousand_mutants_of_a_table(hare: Tablebase, tmp_path: Path) -> None:
    path = tmp_path / "hare.table"
    files.save(path, HARE, hare)
    whole = bytearray(path.read_bytes())
    random = np.random.default_rng(11)
    maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(10_000):
        place = int(random.integers(len(whole) if number % 2 else 400))
        mutant = bytearray(whole)
        mutant[place] ^= int(random.integers(1, 256))
        path.write_bytes(mutant)
        clock = time.perf_counter()
        with pytest.raises(InvalidError):
            files.load(path, HARE)
        assert time.perf_counter() - clock < 1.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - maximum < 100_000
