"""Games with chance: their solver against slow ways and published values, what it refuses, and its proof."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chance_games import BearOff, TossedNim
from generated_games import ANY, NONE, SURE, Bounds, Drawn, Node, bounds_of_values, exact_values, fault_of, slow_values
from pig import Pig
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from tiny_games import DiceRace

import petteia
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import CHANCE, Buffer, initial, is_over, limits
from petteia.solver import expectation, expectation_check, fit, graph
from petteia.solver.expectation import TOLERANCE
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import Tablebase, build, find, reachable

PIG = Pig(goal=12)
NEAR = 1e-11
"""how near values of different ways are to each other"""


def agrees_with_slow_ways(rules: Any) -> bool:
    """Whether a game is solved at all; it must be, with the same values and a proof, if the slow way solves it."""
    truth = slow_values(rules)
    if truth is None:
        with pytest.raises(UsageError, match="play may continue"):
            build(rules)
        return False
    table = build(rules)
    assert len(table.keys) == len(truth)
    for state, value in truth.items():
        row = find(rules, table, state)
        assert abs(table.values[row] - value) < NEAR, (rules, state)
        assert table.distances[row] == (0 if is_over(rules, state) else -1)
    assert fault_of(rules, table) is None, rules
    return True


# What comes out.


@pytest.mark.lanes
@pytest.mark.parametrize("rules", [DiceRace(), DiceRace(goal=9, faces=4), DiceRace(goal=1, faces=1)], ids=format_game)
def test_dice_races_are_worth_what_recursion_says(rules: Any) -> None:
    assert agrees_with_slow_ways(rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [TossedNim(), TossedNim(heaps=2, size=4, end=1)], ids=format_game)
def test_one_position_stands_for_its_images_and_numbered_ones_are_there(rules: Any) -> None:
    truth, table = exact_values(rules), build(rules)
    for state, value in truth.items():
        assert abs(table.values[find(rules, table, state)] - float(value)) < NEAR, state
    whole = graph.explore(rules, initial(rules), folded=False, numbered=True)
    assert len(table.keys) < len(whole.keys) == len(truth)
    assert fault_of(rules, table) is None
    solved = petteia.solve(rules)
    assert solved.positions == len(table.keys[reachable(rules, table, initial(rules))]) < len(table.keys)
    kept = np.arange(len(table.keys)) != table.values.argmin()
    assert "is not in the table" in str(fault_of(rules, Tablebase(table.slots, *(each[kept] for each in table[1:]))))


@pytest.mark.lanes
@pytest.mark.parametrize("cycles", [NONE, SURE, ANY])
def test_drawn_games_are_worth_what_slow_ways_say(cycles: int) -> None:
    solved = [agrees_with_slow_ways(Drawn(seed, cycles=cycles)) for seed in range(25)]
    assert all(solved) == (cycles != ANY)
    assert any(solved)


@pytest.mark.heavy
@pytest.mark.parametrize("cycles", [NONE, SURE, ANY])
def test_a_thousand_drawn_games(cycles: int) -> None:
    solved = [agrees_with_slow_ways(Drawn(seed, 8 + seed % 50, cycles)) for seed in range(100, 1434)]
    assert cycles == ANY or all(solved)
    assert sum(solved) > 800


def pig_by_its_equations(goal: int, faces: int) -> Any:
    """Probabilities of the player who is to move to win, [own points, the other's, rolled], by value iteration.

    The equations are those of Neller and Presser 2004, "Optimal play of the dice game Pig".
    """
    wins = np.zeros((goal, goal, goal))
    while True:
        before = wins.copy()
        for own in range(goal):
            for rolled in range(goal):
                after = own + rolled
                hold = np.ones(goal) if after >= goal else 1 - wins[np.arange(goal), after, 0]
                rolls = 1 - wins[:, own, 0]
                for face in range(2, faces + 1):
                    more = rolled + face
                    rolls = rolls + (1.0 if own + more >= goal else wins[own, :, more])
                wins[own, :, rolled] = np.maximum(hold, rolls / faces)
        if np.abs(wins - before).max() < 1e-14:
            return wins


@pytest.mark.parametrize(("goal", "faces"), [(4, 2), (9, 3), (12, 6)])
def test_pig_is_worth_what_its_equations_say(goal: int, faces: int) -> None:
    rules = Pig(goal, faces)
    table, wins = build(rules), pig_by_its_equations(goal, faces)
    for row, value in enumerate(table.values):
        state = unpack(initial(rules), table.states[row])
        if state.rolling or is_over(rules, state) or state.rolled >= goal:
            continue
        own, other, sign = (state.first, state.second, 1) if state.side == 0 else (state.second, state.first, -1)
        assert abs(sign * value - (2 * wins[own, other, state.rolled] - 1)) < NEAR
    assert fault_of(rules, table) is None


@pytest.mark.parametrize(
    ("position", "wins"),
    [("0,0,0", 4 / 7), ("0,0,2", 5 / 7), ("0,2,0", 2 / 5), ("0,2,2", 3 / 5), ("2,0,0", 4 / 5), ("2,2,0", 2 / 3)],
)
def test_piglet_as_published(position: str, wins: float) -> None:
    """Neller and Presser 2004: Pig with a coin to 2 points; here heads is a 2, so they are 4."""
    solution = petteia.solve(Pig(goal=4, faces=2), position=f"{position} first")
    assert (solution.value + 1) / 2 == pytest.approx(wins, abs=1e-12)


@pytest.mark.slow
def test_pig_to_100_as_published() -> None:
    """Neller and Presser 2010, "Practical play of the dice game Pig": who begins wins 53.06 % of optimal play."""
    table = build(Pig(goal=100))
    assert round((table.values[0] + 1) / 2, 4) == 0.5306
    assert len(table.keys) > 3_900_000


LAST_TWO = {
    0: (36, 36, 36, 34, 31, 27),
    1: (36, 36, 34, 29, 23, 15),
    2: (26, 25, 23, 19, 13),
    3: (17, 17, 14, 10),
    4: (11, 10, 8),
    5: (6, 6),
    6: (4,),
}
"""throws of 36 that bear the last two men off at once, as tables for backgammon players have them (bkgm.com, "Last Two
Checkers"): by the point of the near man, 0 if it is off, and that of the far one, from the same point (or 1) to 6"""


@pytest.mark.parametrize("side", ["first", "second"])
def test_the_last_throw_at_backgammon_as_published(side: str) -> None:
    """Against a man on the first point this throw decides."""
    rules, sign = BearOff(), 1 if side == "first" else -1
    for near, throws in LAST_TWO.items():
        for far, published in enumerate(throws, max(near, 1)):
            value = petteia.solve(rules, position=f"{far},{near}/1,0 {side} -").value
            assert (sign * value + 1) / 2 * 36 == pytest.approx(published, abs=1e-9), (far, near)


def test_the_end_of_backgammon_is_worth_what_recursion_says() -> None:
    rules = BearOff(home=2)
    truth, table = exact_values(rules), build(rules)
    assert all(abs(table.values[find(rules, table, state)] - float(value)) < NEAR for state, value in truth.items())
    assert fault_of(rules, table) is None


@pytest.mark.parametrize("rules", [PIG, Drawn(3, 400, SURE), Drawn(3, 4000, NONE)], ids=format_game)
def test_memory_grows_and_work_is_done_in_parts_without_a_difference(
    rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = build(rules)
    for module in (graph, expectation):
        monkeypatch.setattr(module, "BUDGET", 7)
    monkeypatch.setattr(graph, "SMALLEST", limits(rules).moves + 1)
    monkeypatch.setattr(graph, "USUAL_MOVES", 1)
    monkeypatch.setattr(expectation_check, "AT_ONCE", 5)
    parts = build(rules)
    np.testing.assert_array_equal(parts.keys, whole.keys)
    np.testing.assert_allclose(parts.values, whole.values, atol=NEAR)
    assert fault_of(rules, parts) is None


@pytest.mark.parametrize("rules", [PIG, Drawn(3, 400, SURE), Drawn(7, 400, ANY), DiceRace()], ids=format_game)
def test_components_are_those_of_scipy_and_come_after_all_that_they_lead_to(rules: Any) -> None:
    explored = graph.explore(rules, initial(rules), folded=True, numbered=False)
    rows = len(explored.keys)
    order, sizes = expectation._components(explored)
    assert sorted(order) == list(range(rows))
    number, place = np.zeros(rows, np.int64), 0
    while place < rows:
        number[order[place : place + sizes[place]]] = place
        place += sizes[place]
    origins = np.repeat(np.arange(rows), np.diff(explored.offsets))
    assert (number[explored.successors] <= number[origins]).all()
    edges = csr_array((np.ones(len(origins)), (origins, explored.successors)), shape=(rows, rows))
    count, component = connected_components(edges, connection="strong")
    assert count == len(set(number)) == len(set(zip(number, component, strict=True)))
    assert (sizes.max() > 1) == (rules != DiceRace())


class Stuck(Drawn):
    """Chance moves, and nearly always it brings nothing: three in 200,000 times player 0 wins, and one player 1."""

    def to_move(rules, state: Any) -> int:
        return CHANCE

    def chances(rules, state: Any, moves: Buffer, probabilities: Buffer) -> int:
        moves[0], moves[1], moves[2] = 0, 1, 2
        probabilities[0], probabilities[1], probabilities[2] = 1 - 2e-5, 1.5e-5, 0.5e-5
        return 3

    def play(rules, state: Any, move: int) -> Any:
        return Node(move)

    def is_over(rules, state: Any) -> bool:
        return state.number > 0

    def margin(rules, state: Any) -> int:
        return 1 if state.number == 1 else -1


@pytest.mark.slow
def test_play_that_goes_on_for_long_comes_to_the_same() -> None:
    table = build(Stuck())
    assert abs(table.values[0] - 0.5) < TOLERANCE / 2
    assert fault_of(Stuck(), table) is None


# What cannot be solved.


LATE = 20
"""squares after which faults show: not in the first plies, in which every game is tried out"""


class Biased(DiceRace):
    """The probabilities of its die come to add up to more than 1."""

    def chances(rules, state: Any, moves: Buffer, probabilities: Buffer) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = 1.0 / rules.faces + (0.01 if state.first + state.second > LATE else 0.0)
        return rules.faces


class Impossible(DiceRace):
    """One of the outcomes comes to have no probability."""

    def chances(rules, state: Any, moves: Buffer, probabilities: Buffer) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = 1.0 / rules.faces
            if state.first + state.second > LATE:
                probabilities[face - 1] = 1.0 if face == 1 else 0.0
        return rules.faces


class Rich(DiceRace):
    """It is played for more than can be told apart from less."""

    def margin(rules, state: Any) -> int:
        return 10_001


class Crowded(DiceRace):
    """More comes to happen than it says."""

    def chances(rules, state: Any, moves: Buffer, probabilities: Buffer) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = 1.0 / rules.faces
        return 9 if state.first + state.second > LATE else rules.faces


@pytest.mark.parametrize(
    ("rules", "memory", "message"),
    [
        (Biased(30), 10**9, "the probabilities of the outcomes must be above 0 and add up to 1"),
        (Impossible(30), 10**9, "the probabilities of the outcomes must be above 0 and add up to 1"),
        (Rich(), 10**9, "is too large; must be at most 2147483647, or 10000 in games with chance nodes"),
        pytest.param(Crowded(30), 10**9, "has no move, or more moves than limits", marks=pytest.mark.slow),
        (Drawn(4, cycles=ANY), 10**9, "play may continue (almost) without end"),
        (PIG, 10**5, "has more than"),
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


def test_memory_counts_what_chance_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "SMALLEST", 8)
    rules = Drawn(3, 4000)
    explored = graph.explore(rules, initial(rules), folded=True, numbered=False)
    rows, edges = len(explored.keys), len(explored.successors)
    minimum = rows * (fit.POSITION_BYTES + fit.FIELD_BYTES)
    assert len(build(rules, memory=minimum + 2 * edges * fit.CHANCE_MOVE_BYTES).keys) == rows
    with pytest.raises(UsageError, match="has more than"):
        build(rules, memory=minimum)


# The proof.


@pytest.mark.parametrize("rules", [DiceRace(), PIG, Drawn(5, cycles=SURE)], ids=format_game)
def test_the_checker_finds_any_wrong_number(rules: Any) -> None:
    table = build(rules)
    random = np.random.default_rng(3)
    for row in random.choice(len(table.keys), min(len(table.keys), 30), replace=False):
        for name, change in (("values", 1e-5), ("values", -1e-5), ("distances", 1), ("distances", -2), ("keys", 1)):
            column = getattr(table, name).copy()
            column[row] += change
            assert fault_of(rules, table._replace(**{name: column})), (name, row)
    assert fault_of(rules, table) is None


def endless_games() -> list[tuple[Any, dict[Any, Bounds]]]:
    games = [(rules, bounds_of_values(rules)) for rules in (Drawn(seed, cycles=ANY) for seed in range(40))]
    return [(rules, each) for rules, each in games if max(high - low for low, high in each.values()) > 0.1]


def test_the_checker_sees_through_values_that_rest_on_each_other() -> None:
    """Both bounds of what infinite play leaves open fit together everywhere, and neither is proven."""
    games = endless_games()
    assert len(games) > 5
    for rules, bounds in games:
        states = sorted(bounds, key=rules.key)
        for which in (0, 1):
            table = Tablebase(
                np.zeros(0, np.int32),
                np.array([rules.key(state) for state in states]),
                np.array(states),
                np.array([bounds[state][which] for state in states]),
                np.array([0 if is_over(rules, state) else -1 for state in states], np.int32),
            )
            assert f"is not proven: the best moves of player {1 - which} may not end the game" in str(
                fault_of(rules, table)
            )


def test_endless_play_is_worth_0_also_where_every_end_is_better_for_one() -> None:
    solved = [agrees_with_slow_ways(Gift(seed, cycles=ANY)) for seed in range(8)]
    assert not all(solved)


class Gift(Drawn):
    """Player 0 wins wherever it ends."""

    def margin(rules, state: Any) -> int:
        return 1


def test_endless_play_among_equals_is_worth_0_and_proven() -> None:
    """Where nobody can win anything, nothing hangs on whether play ends."""
    rules = Blank(4, cycles=ANY)
    table = build(rules)
    assert not table.values.any()
    assert fault_of(rules, table) is None


class Blank(Drawn):
    """All its ends are draws."""

    def margin(rules, state: Any) -> int:
        return 0


def test_a_table_that_lacks_a_position_is_found_out() -> None:
    table = build(PIG)
    for row in (0, 7, len(table.keys) - 1):
        kept = np.arange(len(table.keys)) != row
        assert fault_of(PIG, Tablebase(table.slots, *(column[kept] for column in table[1:])))


def test_a_broken_solver_does_not_pass_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def expectations(*arguments: Any) -> Any:
        return np.roll(expectation.expectations(*arguments), 1)

    monkeypatch.setattr("petteia.solver.tablebase.expectations", expectations)
    with pytest.raises(PetteiaError, match="the table is wrong: position"):
        petteia.solve(PIG, check=True)
