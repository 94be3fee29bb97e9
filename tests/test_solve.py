"""The solver against brute force, its checker against tables that are wrong, tables on disk against every damage."""

from __future__ import annotations

import itertools
import json
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import solved_games
from hare_oracle import Hunt
from hare_oracle import solve as hunt_solved
from solved_games import LyingMaze, Maze, NumberedMaze, RichMaze, VagueMaze, VastMaze, brute_force
from tiny_games import DiceRace, Nim

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.packing import unpack
from petteia.core.protocol import format_state, image, images, initial, key, limits, position, positions
from petteia.core.symmetry import canonical
from petteia.games import format_game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.solver import files, graph, retrograde, solution, tablebase
from petteia.solver.check import FAULTS, find_fault
from petteia.solver.graph import explore
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import Tablebase, build, find, reachable

SMALL = (
    *(Nim(), Nim(heaps=2, size=5, end=1), Nim(heaps=1, size=1)),
    *(Maze(seed=seed, prizes=prizes) for seed, prizes in itertools.product(range(12), (1, 4, 30))),
    *(NumberedMaze(seed=seed) for seed in range(6)),
    *(HareAndHounds(stall=0), HareAndHounds(stall=1, escape=2), HareAndHounds(stall=2, escape=1, first=1, hare=5)),
)
HARE = HareAndHounds()


def fault_of(rules: Any, table: Tablebase) -> str | None:
    return find_fault(rules, initial(rules), table.keys, table.states, table.values, table.distances)


@pytest.fixture(scope="module")
def hare() -> Tablebase:
    return build(HARE)


# What comes out.


@pytest.mark.parametrize("rules", SMALL, ids=format_game)
def test_every_position_is_worth_what_brute_force_says(rules: Any) -> None:
    table = build(rules)
    truth = brute_force(rules)
    for state, (value, distance) in truth.items():
        row = find(rules, table, state)
        found = int(table.distances[row])
        assert (int(table.values[row]), None if found < 0 else found) == (value, distance), format_state(rules, state)
    assert len({find(rules, table, state) for state in truth}) == len(table.keys)
    assert fault_of(rules, table) is None


def test_the_small_games_have_all_that_can_be_had() -> None:
    """Wins, losses, finished draws, play without end, and many different margins."""
    truth = [each for rules in SMALL for each in brute_force(rules).values()]
    assert {each.value for each in truth} >= set(range(-4, 5))
    assert any(each == (0, None) for each in truth)
    assert any(each == (0, 0) for each in truth)
    assert max(each.distance or 0 for each in truth) > 10


def test_hare_and_hounds_is_won_in_23_plies_and_in_24_if_the_hare_begins() -> None:
    first = petteia.solve("hare-and-hounds", check=True)
    assert (first.value, first.plies, first.numbered) == (1, 23, 27720)
    assert (len(first.line), first.checked) == (23, True)
    assert first.wins + first.draws + first.losses == first.positions
    second = petteia.solve("hare-and-hounds:first=hare")
    assert (second.value, second.plies) == (1, 24)
    assert petteia.solve("hare-and-hounds:stall=0").numbered == 2640


@pytest.mark.parametrize(
    ("stall", "escape"),
    [(10, "past"), (3, "end"), (5, "level"), pytest.param(1, "past", marks=pytest.mark.lanes)],
)
def test_hare_and_hounds_as_a_program_of_another_hand_says(stall: int, escape: str) -> None:
    ours = petteia.solve(f"hare-and-hounds:stall={stall},escape={escape}", check=True)
    hunt = Hunt(stall=stall, escape=escape)
    ((winner, plies),) = hunt_solved(hunt, [hunt.start])
    assert (ours.value, ours.plies) == (1 if winner == "hounds" else -1, plies)


def test_the_longest_win_and_the_lines_hold_what_they_say() -> None:
    found = petteia.solve("hare-and-hounds:stall=0")
    assert found.longest is not None
    there = petteia.solve("hare-and-hounds:stall=0", position=found.longest.position)
    assert (there.value, there.plies, len(there.line)) == (*found.longest[1:], found.longest.plies)
    truth = brute_force(HareAndHounds(stall=0)).values()
    assert found.longest.plies == max(each.distance or 0 for each in truth if each.value)


def test_openings_say_what_each_first_move_leads_to() -> None:
    found = petteia.solve(Maze(seed=5))
    truth = brute_force(Maze(seed=5))
    rules = Maze(seed=5)
    for move, value, plies in found.openings:
        after = rules.play(initial(rules), int(move))
        assert value == truth[after].value
        assert plies == (None if truth[after].distance is None else truth[after].distance + 1)
    assert found.value == max(each.value for each in found.openings)
    assert len(pd.DataFrame(found.openings)) == 3


def test_a_finished_position_and_a_game_that_nobody_wins() -> None:
    over = petteia.solve("solved_games:Maze", position="3 second")
    assert (over.plies, over.openings, over.line, over.positions) == (0, (), (), 1)
    assert over.value == Maze().margin(solved_games.Square(3, 1))
    endless = petteia.solve("solved_games:Maze:size=4,seed=1,prizes=1", position="0 first")
    assert (endless.value, endless.line) == (0, ())


@pytest.mark.parametrize("rules", [HareAndHounds(stall=2), Nim(heaps=3, size=4)], ids=format_game)
def test_one_position_stands_for_its_images(rules: Any) -> None:
    whole = explore(rules, initial(rules), folded=False, numbered=True)
    folded = build(rules)
    values, distances = retrograde.analyse(whole)
    assert len(folded.keys) < len(whole.keys)
    for row in range(len(whole.keys)):
        state = unpack(initial(rules), whole.states[row])
        rows = {find(rules, folded, image(rules, state, i)) for i in range(images(rules))}
        assert [(folded.values[i], folded.distances[i]) for i in rows] == [(values[row], distances[row])]


def test_the_one_that_stands_for_all_has_the_least_key() -> None:
    rules = HareAndHounds(stall=1)
    for i in range(0, positions(rules), 7):
        images_of = [image(rules, position(rules, i), j) for j in range(images(rules))]
        assert canonical(rules, position(rules, i)) == min(images_of, key=lambda each: key(rules, each))


def test_positions_are_those_reached() -> None:
    rules = HareAndHounds(stall=1)
    table = build(rules)
    from_start = explore(rules, initial(rules), folded=True, numbered=False)
    assert reachable(rules, table, initial(rules)).sum() == len(from_start.keys) < len(table.keys)
    solved, values = petteia.solve(rules), retrograde.analyse(from_start).values
    assert solved.positions == len(from_start.keys)
    assert (solved.wins, solved.draws, solved.losses) == tuple(int(np.sum(values == each)) for each in (1, 0, -1))


@pytest.mark.parametrize("rules", [Maze(size=1000, seed=3), HareAndHounds(stall=3)], ids=format_game)
def test_memory_grows_and_work_is_done_in_parts_without_a_difference(
    rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = build(rules)
    for module in (graph, retrograde):
        monkeypatch.setattr(module, "BUDGET", 7)
    monkeypatch.setattr(graph, "SMALLEST", limits(rules).moves + 1)
    monkeypatch.setattr(graph, "USUAL_MOVES", 1)
    monkeypatch.setattr(tablebase, "numbers_positions", lambda rules: False)
    monkeypatch.setattr(solution, "numbers_positions", lambda rules: False)
    parts = build(rules)
    assert len(set(parts.keys.tolist())) == len(parts.keys)
    for row, code in enumerate(parts.keys):
        other = int(np.flatnonzero(whole.keys == code)[0])
        assert (parts.values[row], parts.distances[row]) == (whole.values[other], whole.distances[other])


# What cannot be solved.


@pytest.mark.parametrize(
    ("rules", "memory", "message"),
    [
        (DiceRace(), 10**9, "chance moves in it"),
        (VagueMaze(), 10**9, "different positions may have the same key"),
        (LyingMaze(), 10**9, "and another position have the same key"),
        (RichMaze(), 10**9, "is too large; solving takes up to 2147483647"),
        (
            VastMaze(),
            10**9,
            "has 1,125,899,906,842,625 positions, for which solving takes 126,000,000 GB of memory; 1 GB is",
        ),
        (HareAndHounds(stall=100), 10**6, "has 132,661 positions"),
        (Maze(size=1000), 10**4, "has more than"),
        (Maze(size=1000), 10**4, "enough for 1"),
        (Maze(), 0, "memory=0: must be 1 byte or more"),
    ],
    ids=str,
)
def test_what_cannot_be_solved_is_refused_in_one_line(
    rules: Any, memory: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "SMALLEST", 8)
    with pytest.raises(UsageError) as raised:
        Oracle(rules, memory=memory)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_memory_that_is_just_enough_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "SMALLEST", 8)
    rules = Maze(size=1000, seed=3)
    rows = len(build(rules).keys)
    each = graph.POSITION_BYTES + 2 * graph.FIELD_BYTES + 3 * graph.MOVE_BYTES
    assert len(build(rules, memory=(rows + 4) * each).keys) == rows
    with pytest.raises(UsageError, match="has more than"):
        build(rules, memory=(rows - 4) * (each - 3 * graph.MOVE_BYTES))


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


def turned_round(found: retrograde.Values, graph: graph.Graph) -> None:
    found.values[:] = -found.values


def one_too_far(found: retrograde.Values, graph: graph.Graph) -> None:
    found.distances[(graph.movers != 2) & (found.distances > 0)] += 1


def draws_lost(found: retrograde.Values, graph: graph.Graph) -> None:
    found.values[(found.values == 0) & (graph.movers == 1)] = 1


@pytest.mark.parametrize("mistake", [turned_round, one_too_far, draws_lost])
def test_a_broken_solver_does_not_pass_the_check(mistake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(explored: graph.Graph) -> retrograde.Values:
        found = retrograde.analyse(explored)
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
    with pytest.raises(InvalidError, match=r"is a table of tiny_games:Nim:heaps=2, not of tiny_games:Nim$"):
        files.load(nim, Nim())
    with pytest.raises(InvalidError, match=r"takes 1\.09 kB of memory, and 1 kB is allowed; allow more"):
        files.load(nim, Nim(heaps=2), memory=1000)
    with pytest.raises(NotFoundError):
        files.load(tmp_path / "none", Nim())
    with pytest.raises(PetteiaError, match="is not a file"):
        files.load(tmp_path, Nim())
    with pytest.raises(InvalidError, match="is not a table of petteia"):
        files.load(Path(__file__), Nim())
    header = nim.read_bytes().split(b"\n")[1]
    for old, new, message in (
        (b'"side"', b'"form"', "the rules of tiny_games:Nim:heaps=2 have changed"),
        (b'"rows":', b'"rows":1e9,"', "its header cannot be read"),
        (b'"rows":', b'"rows":9', "bytes, and"),
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
        with pytest.raises(InvalidError, match="slots point to rows that are not there"):
            files.load(path, rules)


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
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(10_000):
        place = int(random.integers(len(whole) if number % 2 else 400))
        mutant = bytearray(whole)
        mutant[place] ^= int(random.integers(1, 256))
        path.write_bytes(mutant)
        clock = time.perf_counter()
        with pytest.raises(InvalidError):
            files.load(path, HARE)
        assert time.perf_counter() - clock < 1.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 100_000


# The command.


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    return (code, *capsys.readouterr())


def test_the_command_says_who_wins_and_how(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "solve", "hare-and-hounds", "--check")
    assert code == 0
    assert out.startswith("hare-and-hounds, 0,1,3/10 hounds 0: won by hounds in 23 plies\nwinning line: 0-2 10-7 ")
    assert "27,720 positions are numbered" in out
    assert "longest win: 0,1,4/2 hounds 7, won by hare in 88 plies" in out
    assert "the table was checked" in out
    assert "1-5        1      23" in out


def test_the_document_keeps_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ran(capsys, "solve", "hare-and-hounds:stall=0", "--position", "0,1,4/2 hounds 0", "--json")
    document = json.loads(out)
    assert (document["schema"], document["value"], document["plies"], document["numbered"]) == (1, 1, 27, 2640)
    assert document["openings"] == {"0-3": -1, "1-5": 0, "4-5": 1, "4-7": 0}
    assert document["opening_plies"] == {"0-3": 2, "1-5": None, "4-5": 27, "4-7": None}
    assert len(document["line"]) == 27
    assert document["longest"]["plies"] == 28
    over = json.loads(ran(capsys, "solve", "solved_games:Maze:size=4,seed=1", "--json")[1])
    assert (over["value"], over["plies"], over["longest"], over["numbered"]) == (0, None, None, None)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("tiny_games:DiceRace",), 2, "chance moves in it"),
        (("hare-and-hounds", "--memory", "1"), 2, "for which solving takes 1.77 MB of memory; 1 MB is allowed"),
        (("hare-and-hounds", "--position", "0,1,3/3 hare 0"), 4, "a hound and the hare both stand on 3"),
        (("hare-and-hounds", "--table", "no/such/folder/table"), 1, "No such file or directory"),
        (("hare-and-hounds", "--table", "."), 1, "is not a file"),
        (("hare-and-hounds", "--table", "README.md"), 4, "is not a table of petteia"),
    ],
    ids=str,
)
def test_what_is_wrong_is_one_line_and_an_exit_code(
    arguments: tuple[str, ...], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = ran(capsys, "solve", *arguments)
    assert (found, out) == (code, "")
    last = err.splitlines()[-1]
    assert message in last
