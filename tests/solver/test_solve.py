"""The solver against brute force and a program of another hand; what it cannot solve; its command."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
import solved_games
from hare_oracle import Hunt
from hare_oracle import solve as hunt_solved
from solved_games import LyingMaze, Maze, NumberedMaze, RichMaze, VagueMaze, VastMaze, brute_force, fault_of
from tiny_games import Nim

import petteia
from petteia.cli import main
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import format_state, image, images, initial, key, limits, position, positions
from petteia.core.symmetry import canonical
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.games.kalah import Kalah
from petteia.players.perfect import solved
from petteia.solver import fit, graph, retrograde, solution, tablebase
from petteia.solver.graph import explore
from petteia.solver.lower_bounds import NO_POSITION, _bound, min_positions
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build, find, reachable

SMALL = (
    *(Nim(), Nim(heaps=2, size=5, end=1), Nim(heaps=1, size=1)),
    *(Maze(seed=seed, prizes=prizes) for seed, prizes in itertools.product(range(12), (1, 4, 30))),
    *(NumberedMaze(seed=seed) for seed in range(6)),
    *(HareAndHounds(stall=0), HareAndHounds(stall=1, escape=2), HareAndHounds(stall=2, escape=1, first=1, hare=5)),
)
HARE = HareAndHounds()


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


@pytest.mark.slow
def test_the_small_games_have_all_that_can_be_had() -> None:
    """Wins, losses, finished draws, infinite play, and many different margins."""
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
    [
        pytest.param(10, "past", marks=pytest.mark.slow),
        (3, "end"),
        pytest.param(5, "level", marks=pytest.mark.slow),
        pytest.param(1, "past", marks=pytest.mark.lanes),
    ],
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
    values, distances = retrograde.analyse(whole, retrograde.turned_round(whole))
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
    solved, values = petteia.solve(rules), retrograde.analyse(from_start, retrograde.turned_round(from_start)).values
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
        (VagueMaze(), 10**9, "different positions may have the same key"),
        (LyingMaze(), 10**9, "the keys must differ, because injective(rules) is True"),
        (RichMaze(), 10**9, "is too large; must be at most 2147483647"),
        (
            VastMaze(),
            10**9,
            "has 1,125,899,906,842,625 positions, which need 126,000,000 GB of memory; 1 GB is",
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


HARE = "hare-and-hounds: has 13,861 positions, which need 1.77 MB of memory; 1 MB is allowed, "
COMMAND = "allow it by --memory 3 (in Python memory=3_000_000), or choose a smaller game"
PLAYER = "player perfect:memory=1: "


@pytest.mark.parametrize(
    ("arguments", "begin", "end"),
    [
        (("solve", "hare-and-hounds", "--memory", "1"), HARE, COMMAND),
        (("regret", "hare-and-hounds", "perfect", "--memory", "1"), HARE, COMMAND),
        (("regret", "hare-and-hounds", "random", "--memory", "1"), HARE, COMMAND),
        (("regret", "hare-and-hounds", "mixed:first=perfect,second=random,share=1", "--memory", "1"), HARE, COMMAND),
        (("match", "hare-and-hounds", "random", "perfect:memory=1"), PLAYER + HARE, "allow it by perfect:memory=3"),
        (("best", "hare-and-hounds", "--player", "perfect:memory=1"), PLAYER + HARE, "allow it by perfect:memory=3"),
        (("solve", "kalah", "--memory", "10"), "kalah has more than", "allow more by --memory MB, or choose"),
        (
            ("match", "kalah", "perfect:memory=3", "random"),
            "player perfect:memory=3: kalah",
            "by perfect:memory=MB, or",
        ),
        (("solve", "solved_games:VastMaze"), "solved_games:VastMaze: has 1,125", "17,857,142; choose a smaller game"),
        (
            ("match", "hare-and-hounds", "random", "perfect:memory=0"),
            "player perfect:memory=0: memory=0: must be 1",
            "",
        ),
    ],
    ids=" ".join,
)
def test_who_is_short_of_memory_is_told_what_to_type(
    arguments: tuple[str, ...], begin: str, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    solved(HareAndHounds())  # what was solved before changes nothing
    code, out, err = ran(capsys, *arguments)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith(f"petteia: {begin}")
    assert end in last


def test_what_is_advised_suffices(capsys: pytest.CaptureFixture[str]) -> None:
    advised = re.findall(r"allow it by (--memory) (\d+) ", ran(capsys, "solve", "hare-and-hounds", "--memory", "1")[2])
    assert ran(capsys, "solve", "hare-and-hounds", *advised[0])[0] == 0
    assert ran(capsys, "regret", "hare-and-hounds", "perfect", *advised[0])[0] == 0


MORE = (
    "prove single positions (petteia prove) or measure players near the ends of games "
    "(petteia.regret with a function `over`)"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "kalah"),
        ("solve", "british-square:size=6", "--memory", "6000"),
        ("regret", "kalah", "random"),
        ("match", "kalah", "perfect", "random"),
    ],
    ids=" ".join,
)
def test_a_hopeless_game_is_refused_early_without_an_amount_of_memory(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ran(capsys, *arguments)
    last = err.splitlines()[-1]
    assert (code, out) == (2, "")
    assert "000,000 positions by an estimate from random games; they need more than" in last
    assert last.endswith(f"GB is allowed; choose a smaller game, {MORE}")


@pytest.mark.parametrize("rules", [HareAndHounds(stall=0), Maze(size=1000), Kalah(pits=2, seeds=3)], ids=str)
def test_random_games_never_show_more_positions_than_there_are(rules: Any) -> None:
    found = explore(rules, initial(rules), folded=True, numbered=False)
    minimum = min_positions(rules, initial(rules), folded=True, wanted=10**8)
    assert 10 < minimum <= len(found.keys)


def test_a_bound_needs_few_repetitions() -> None:
    """Of 20,000 drawn from a million equally likely numbers about 200 come again."""
    random = np.random.default_rng(1)
    assert 500_000 < _bound(random.integers(0, 1_000_000, 20_000)) < 1_000_000
    assert _bound(np.array([3, 3, 4, NO_POSITION])) == 2
    assert _bound(np.full(5, NO_POSITION)) == 0


def test_memory_that_is_just_enough_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "SMALLEST", 8)
    rules = Maze(size=1000, seed=3)
    rows = len(build(rules).keys)
    each = fit.POSITION_BYTES + 2 * fit.FIELD_BYTES + 3 * fit.MOVE_BYTES
    assert len(build(rules, memory=(rows + 4) * each).keys) == rows
    with pytest.raises(UsageError, match="has more than"):
        build(rules, memory=(rows - 4) * (each - 3 * fit.MOVE_BYTES))


# The command.


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    return (code, *capsys.readouterr())


def test_the_command_says_who_wins_and_how(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "solve", "hare-and-hounds", "--check")
    assert code == 0
    assert out.startswith("hare-and-hounds, 0,1,3/10 hounds 0: won by hounds in 23 plies\nwinning line: 0-2 10-7 ")
    assert "all 27,720 numbered positions were solved" in out
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
        (("hare-and-hounds", "--memory", "1"), 2, "which need 1.77 MB of memory; 1 MB is allowed"),
        (("hare-and-hounds", "--position", "0,1,3/3 hare 0"), 4, "a hound and the hare both stand on square 3"),
        (("hare-and-hounds", "--table", "no/such/folder/table"), 1, "No such file or directory"),
        (("hare-and-hounds", "--table", "."), 1, "not a regular file"),
        (("hare-and-hounds", "--table", "README.md"), 4, "not a file of solved values"),
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
