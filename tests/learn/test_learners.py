"""Every target reaches the values that it stands for; every way to learn is the same compiled, in parts, and resumed.

The values are worked out here by slow dynamic programming over all that can happen against an opponent that plays at
random, which shares no code with the learners.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_options import configure, train
from tiny_games import DiceRace
from ways_to_learn import (
    FALLING,
    GAMMA,
    KEYS,
    NIM,
    SIDES,
    TRAININGS,
    WAYS,
    Case,
    assert_same,
    boltzmann,
    exact_values,
    greedy,
    learned,
    parts,
    soft,
)

from petteia.core.errors import UsageError
from petteia.core.protocol import (
    image,
    images,
    initial,
    key,
    legal,
    limits,
)
from petteia.core.stop import Stop, obeying
from petteia.experiments.training import begin, go_on, open_training, resume
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.learn import tabular
from petteia.learn.exploration import EpsilonGreedy, Softmax, expectation, pick
from petteia.learn.step_sizes import ByVisits, Scheduled, learning_rate, step_size
from petteia.learn.tabular import BOTH, learn_games, table_for
from petteia.learn.targets import UPDATE_RULES, Learner, Rates, Step, update_step
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Uniform, workspace
from petteia.records.runs import digest
from petteia.value_functions.table import (
    BY_SYMMETRY,
    NO_SYMMETRY,
    Table,
    actual_move,
    find,
    find_or_add,
    row_state,
    with_room,
)
from petteia.value_functions.table_file import LearnedTable, load_table, save_table


def largest_error(rules: Any, table: Table, expected: dict[Any, list[float]]) -> float:
    """The largest distance of a learned value from its exact one, over all moves in all states."""
    errors: list[float] = []
    for state, values in expected.items():
        seen, symmetry = row_state(table.sharing, rules, state)
        row = find(table, key(rules, seen))
        assert row >= 0, "a state was never met"
        places = {actual_move(table.sharing, rules, move, symmetry): i for i, move in enumerate(legal(rules, seen))}
        assert sorted(places) == sorted(legal(rules, state))
        errors += [
            abs(table.values[row, places[move]] - value)
            for move, value in zip(legal(rules, state), values, strict=True)
        ]
    return max(errors)


REACHED = {
    "q": (Case(Learner(UPDATE_RULES["q"], FALLING)), greedy),
    "double-q": (Case(Learner(UPDATE_RULES["double-q"], FALLING)), greedy),
    "sarsa": (Case(Learner(UPDATE_RULES["sarsa"], FALLING)), soft(0.4)),
    "expected-sarsa": (Case(Learner(UPDATE_RULES["expected-sarsa"], FALLING)), soft(0.4)),
    "monte-carlo": (Case(Learner(UPDATE_RULES["monte-carlo"], FALLING)), soft(0.4)),
    "sarsa-softmax": (Case(Learner(UPDATE_RULES["sarsa"], FALLING, Softmax()), 0.5), boltzmann(0.5)),
    "expected-sarsa-softmax": (Case(Learner(UPDATE_RULES["expected-sarsa"], FALLING, Softmax()), 0.5), boltzmann(0.5)),
    "q-folded": (Case(Learner(UPDATE_RULES["q"], FALLING), sharing=BY_SYMMETRY), greedy),
}
TOLERANCE = 0.04


@pytest.mark.parametrize("side", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name", [name if name == "q" else pytest.param(name, marks=pytest.mark.slow) for name in REACHED]
)
def test_reaches_the_values_it_stands_for(name: str, side: int) -> None:
    case, future = REACHED[name]
    table = learned(NIM, side, case)
    assert largest_error(NIM, table, exact_values(NIM, side, future)) < TOLERANCE
    others = [each for each in (greedy, soft(0.4), boltzmann(0.5)) if each.__qualname__ != future.__qualname__]
    for other in others:  # the values differ by enough to be told apart
        assert largest_error(NIM, table, exact_values(NIM, side, other)) > 1.5 * TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["q", "monte-carlo"])
def test_reaches_them_where_chance_moves_and_turns_do_not_alternate(name: str) -> None:
    rules, (case, future) = DiceRace(3, 2), REACHED[name]
    assert largest_error(rules, learned(rules, 0, case), exact_values(rules, 0, future)) < TOLERANCE


@pytest.mark.slow
def test_both_at_once_learn_from_each_other() -> None:
    """With nothing but random moves each side meets random play, so its values are those against it."""
    case = REACHED["q"][0]._replace(parameter=1.0)
    table = learned(NIM, BOTH, case)
    for side in (0, 1):
        assert largest_error(NIM, table, exact_values(NIM, side, greedy)) < TOLERANCE
    alone = [learned(NIM, side, case, 50_000).used[0] for side in (0, 1)]
    assert table.used[0] == sum(alone)


def test_each_side_draws_its_own_random_numbers() -> None:
    changed = (KEYS, KEYS._replace(first=1), KEYS._replace(second=1))
    tables = [learned(NIM, BOTH, REACHED["q"][0], 50, keys=keys) for keys in changed]
    for one, other in itertools.combinations(tables, 2):
        assert not np.array_equal(one.values, other.values)


def test_double_q_asks_one_table_for_the_move_and_the_other_for_its_value() -> None:
    """By hand: of the tables (0.1, 0.6) and (0.5, 0.2), 0.2 is what the second says of the first's best move."""
    learner = Learner(UPDATE_RULES["double-q"])
    step, rates, targets = Step(0, 2, 1, 0, 2), Rates(0.5, 0.0, GAMMA), set()
    for start in range(20):
        table = table_for(NIM, learner)
        table.values[1, :2], table.differences[1, :2] = (0.3, 0.4), (-0.2, 0.2)
        update_step(learner.rule, learner, table, step, rates, [start], workspace(NIM))
        one, two = table.values[0, 2] + table.differences[0, 2], table.values[0, 2] - table.differences[0, 2]
        targets.add((round(one / 0.5, 9), round(two / 0.5, 9)))
    assert targets == {(round(GAMMA * 0.2, 9), 0.0), (0.0, round(GAMMA * 0.1, 9))}


def test_folded_tables_have_a_row_for_images_together() -> None:
    case = REACHED["q-folded"][0]
    folded, whole = (learned(NIM, 0, case._replace(sharing=sharing), 5000) for sharing in (BY_SYMMETRY, NO_SYMMETRY))
    states = list(exact_values(NIM, 0, greedy))
    assert whole.used[0] == len(states)
    assert folded.used[0] == len({min(key(NIM, image(NIM, each, i)) for i in range(images(NIM))) for each in states})
    assert folded.used[0] < whole.used[0]


# The same, however it is done.


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", WAYS)
def test_compiled_as_plain(name: str, side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = learned(NIM, side, WAYS[name], 60)
    monkeypatch.setattr(tabular, "_learn_games", tabular._learn_games.function)
    with np.errstate(all="ignore"):
        assert_same(compiled, learned(NIM, side, WAYS[name], 60))
    assert compiled.values.any()


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", WAYS)
def test_parts_through_files_are_the_same_as_the_whole(name: str, side: int, tmp_path: Path) -> None:
    case, path = WAYS[name], tmp_path / "table.safetensors"
    seats = (0, 1) if side == BOTH else (side,)
    whole = learned(NIM, side, case, 500)
    table = None
    for first in range(0, 500, 125):
        table = learned(NIM, side, case, 125, first, table)
        save_table(path, NIM, LearnedTable(table, seats, first + 125))
        found = load_table(path, NIM)
        assert (found.seats, found.games) == (seats, first + 125)
        table = found.table
    assert table is not None
    assert_same(whole, table)
    assert (table.initial, table.sharing) == (whole.initial, whole.sharing)


@pytest.mark.parametrize("name", WAYS)
def test_a_larger_table_holds_the_same(name: str) -> None:
    table = learned(NIM, 0, WAYS[name], 300)
    larger = with_room(table, 10**5)
    assert len(larger.keys) > len(table.keys)
    assert_same(larger, table)
    assert (larger.initial, larger.sharing) == (table.initial, table.sharing)


class KilledError(Exception):
    pass


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in TRAININGS if name != "monte-carlo"]


@pytest.mark.parametrize("name", ["monte-carlo", *SLOW])
def test_killed_and_resumed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is saved when it is killed: it goes on from the last checkpoint, behind which the journal may be."""
    settings: dict[str, Any] = {"games": 3000, "evaluate_every": 200, "evaluation_games": 20, "seed": 3, "name": "it"}
    settings |= TRAININGS[name]
    undisturbed = train(NIM, learner=name, runs=tmp_path / "one", **settings)
    calls = itertools.count(1)

    def kill(done: int, wanted: int, point: object) -> None:
        number = next(calls)
        monkeypatch.setattr("petteia.experiments.training.CHECKPOINT_SECONDS", 0.0 if number % 5 == 1 else 1e9)
        if number % 6 == 5:
            raise KilledError

    with pytest.raises(KilledError):
        train(NIM, learner=name, runs=tmp_path, progress=kill, **settings)
    while not open_training("it", tmp_path).is_finished:
        try:
            resume("it", runs=tmp_path, progress=kill)
        except KilledError:
            continue
    assert next(calls) > 20
    assert digest(open_training("it", tmp_path).run) == digest(undisturbed.run)


def test_stopped_with_the_work_saved(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 3000, "evaluate_every": 100, "evaluation_games": 20}
    rules, configuration = configure(NIM, **settings)
    training = begin(rules, configuration, 3, tmp_path)
    stop = Stop()
    stop.set()
    with obeying(stop):
        assert not go_on(training)
    assert 0 < training.games < 3000
    assert go_on(training)
    assert training.is_finished
    assert digest(training.run) == digest(train(NIM, seed=3, runs=tmp_path / "one", **settings).run)


# Step sizes.


def test_one_part_in_n_makes_means() -> None:
    """Without discount, the sum of the outcomes of a value's games is a whole number, odd if there are oddly many."""
    case = Case(Learner(UPDATE_RULES["monte-carlo"], ByVisits(1.0)), 1.0)
    table = learn_games(
        *(NIM, initial(NIM), 0, table_for(NIM, case.learner), Uniform()),
        alphas=np.ones(300),
        explorations=np.ones(300),
        gammas=np.ones(300),
        keys=match_keys(1),
        learner=case.learner,
    )
    _, values, _, visits = parts(table)
    sums = values * visits
    np.testing.assert_allclose(sums, np.round(sums), atol=1e-9)
    assert (np.round(sums).astype(int) % 2 == visits % 2).all()
    assert visits[find(table, key(NIM, initial(NIM)))].sum() == 300


def test_step_sizes_fall_with_the_visits_of_their_value() -> None:
    table = table_for(NIM, Learner(step=FALLING))
    sizes = [step_size(FALLING, table, 3, 1, 0.5) for _ in range(4)]
    assert sizes == pytest.approx([0.5 * n**-0.8 for n in (1, 2, 3, 4)])
    assert step_size(FALLING, table, 3, 2, 1.0) == 1.0
    assert table.visits.sum() == 5
    assert [step_size(Scheduled(), table, 3, 1, 0.5) for _ in range(2)] == [0.5, 0.5]


def test_two_tables_count_their_visits_apart() -> None:
    table = learned(NIM, 0, WAYS["double-q"]._replace(sharing=NO_SYMMETRY), 300)
    width = limits(NIM).moves
    row = table.visits[find(table, key(NIM, initial(NIM)))]
    assert row.sum() == 300
    assert 100 < row[:width].sum() < 200
    assert table.differences.any()


@pytest.mark.parametrize("text", ["visits", "visits^0.7", "visits^0.001", "0.5", "0.5,0.1@9", "1..0"])
def test_learning_rates_are_written_as_they_are_read(text: str) -> None:
    assert str(learning_rate(text)) == text
    assert learning_rate(str(learning_rate(text))) == learning_rate(text)
    assert learning_rate("visits^1") == learning_rate("visits")


@pytest.mark.parametrize(
    "text", ["visit", "visits^", "visits^0", "visits^1.5", "visits^-1", "visits^x", "visits^٠.٥", "2"]
)
def test_learning_rates_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match=r"^alpha ") as error:
        learning_rate(text)
    assert "\n" not in str(error.value)


# Exploration.

VALUES = np.array([0.3, -0.5, 0.3, 0.1])


@pytest.mark.parametrize(("exploration", "parameter"), [(EpsilonGreedy(), 0.4), (Softmax(), 0.5), (Softmax(), 0.01)])
def test_moves_are_chosen_as_probably_as_they_should_be(exploration: Any, parameter: float) -> None:
    if isinstance(exploration, EpsilonGreedy):
        shares = np.full(4, parameter / 4) + (1 - parameter) * np.array([0.5, 0, 0.5, 0])
    else:
        shares = np.exp(VALUES / parameter) / np.exp(VALUES / parameter).sum()
    work, random = workspace(HareAndHounds()), [7]
    draws = 20_000
    found = [pick(exploration, VALUES, 4, parameter, random, work) for _ in range(draws)]
    counts = np.bincount(found, minlength=4)
    assert (abs(counts / draws - shares) <= 5 * np.sqrt(shares * (1 - shares) / draws)).all()
    assert expectation(exploration, VALUES, 4, parameter, work) == pytest.approx(float(shares @ VALUES))


def test_softmax_at_the_ends_of_its_range() -> None:
    work, random = workspace(HareAndHounds()), [7]
    for temperature in (0.0, 1e-300):
        found = {pick(Softmax(), VALUES, 4, temperature, random, work) for _ in range(200)}
        assert found == {0, 2}
        assert expectation(Softmax(), VALUES, 4, temperature, work) == pytest.approx(0.3)
    found = {pick(Softmax(), np.array([-99.0, 99.0]), 2, 100.0, random, work) for _ in range(200)}
    assert found == {0, 1}


# The value of moves never tried.


def test_an_optimistic_start_tries_every_move_and_survives_growth(tmp_path: Path) -> None:
    rules = HareAndHounds()
    case = Case(Learner(), 0.0, initial=2.0)
    table = learned(rules, 0, case, 3000)
    assert len(table.keys) > len(table_for(rules, Learner()).keys), "the table should have grown"
    grown = with_room(table, 10**6)
    assert (grown.values[find_or_add(grown, -1)] == 2.0).all()
    row, count = find(table, key(rules, initial(rules))), len(legal(rules, initial(rules)))
    assert (table.values[row, :count] < 2.0).all()
    assert (table.values[row, count:] == 2.0).all()
    path = tmp_path / "table.safetensors"
    save_table(path, rules, LearnedTable(table, (0,), 3000))
    assert_same(learned(rules, 0, case, 500, 3000, load_table(path, rules).table), learned(rules, 0, case, 3500))
