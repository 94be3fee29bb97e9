"""The open questions of report M: what is measured for them is held against the truth and plain recounts."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import petteia
from petteia.arena.judgement import COLUMNS, GIVEN, MISTAKE, REGRET, judge_policy
from petteia.arena.statistics import score_interval
from petteia.core.decision import Decision
from petteia.core.protocol import initial, is_over, legal, parse_state, play, to_move
from petteia.features.feature_set import names
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.report_weights import REPORT_RULES, report_weights
from petteia.games.kalah import NOBODY, Kalah, stones
from petteia.players import player
from petteia.policies.linear_file import LearnedWeights
from petteia.reports.mancala import behaviour, direct, exact
from petteia.reports.mancala.behaviour import is_stuffed, treatment
from petteia.reports.mancala.exact import Ending, endings, judge_in_endings, judge_on, solve, summed_up
from petteia.reports.mancala.settling import LARGEST, Positions, inflation, positions, swings
from petteia.solver.oracle import Oracle

ALL_POSITIONS = 10**6
SMALL_BOARDS = (Kalah(2, 2, leftovers=NOBODY), Kalah(3, 2, leftovers=NOBODY))
PLAYERS = ("random", "greedy:depth=1", "heuristic")

# Regret on solved boards.


@pytest.mark.parametrize("rules", SMALL_BOARDS)
def test_regret_in_all_positions_is_that_of_both_seats(rules: Kalah) -> None:
    solved = solve(rules, ALL_POSITIONS, seed=1)
    oracle = Oracle(rules)
    assert solved.value == oracle.value(initial(rules))
    assert solved.positions == len(oracle.table.keys)
    for text in PLAYERS:
        seats = [petteia.regret(rules, text, seat=seat) for seat in (0, 1)]
        weights = [each.positions for each in seats]
        found = judge_on(solved, "its name", text)
        assert (found.player, found.positions) == ("its name", sum(weights))
        assert found.mean == pytest.approx(np.average([each.mean for each in seats], weights=weights))
        assert found.perfect_share == pytest.approx(np.average([each.perfect_share for each in seats], weights=weights))
        assert found.given_away == pytest.approx(sum(each.given_away for each in seats) / sum(weights))
        assert found.mean > 0


def test_a_sample_has_different_positions_that_are_not_over() -> None:
    rules = SMALL_BOARDS[1]
    sample = solve(rules, 50, seed=1).sample
    states = [type(initial(rules))(*map(int, row)) for row in sample]
    assert len(set(states)) == len(states) == 50
    assert not any(is_over(rules, state) for state in states)
    assert {to_move(rules, state) for state in states} == {0, 1}
    assert np.array_equal(solve(rules, 50, seed=1).sample, sample)
    assert not np.array_equal(solve(rules, 50, seed=2).sample, sample)


def test_what_rows_come_to() -> None:
    columns = np.zeros((4, COLUMNS))
    columns[:, REGRET] = (0.0, 1.0, 2.0, 3.0)
    columns[:, MISTAKE] = (0.0, 0.5, 1.0, 1.0)
    columns[:, GIVEN] = (0.0, 0.0, 1.0, 0.0)
    found = summed_up("a", columns)
    assert found[:4] == ("a", 4, 0.375, 1.5)
    # 1.96 * 1.29099 / 2: the deviation of 0, 1, 2, 3 is the root of 5 / 3
    assert (found.low, found.high) == pytest.approx((1.5 - 1.265152, 1.5 + 1.265152), abs=1e-6)
    assert found.given_away == 0.25
    columns[:, REGRET] = (0.0, 0.0, 0.0, 1.0)
    assert summed_up("a", columns).low == 0.0, "no regret is less than none"


# Regret in endings. On the small board there are but twelve stones, so that all positions are endings.


@pytest.fixture(scope="module")
def found_endings() -> list[Ending]:
    told: list[int] = []
    found = endings(SMALL_BOARDS[1], 40, 1, told.append)
    assert told == [*range(1, 41)]
    return found


def test_endings_are_worth_what_the_solved_game_says(found_endings: list[Ending]) -> None:
    rules = SMALL_BOARDS[1]
    oracle = Oracle(rules)
    for state, values in found_endings:
        assert len(values) > 1, "there is a choice"
        assert values == {move: oracle.value(play(rules, state, move)) for move in legal(rules, state)}
    assert {to_move(rules, each.state) for each in found_endings} == {0, 1}


def test_regret_in_endings_is_that_of_the_solved_game(found_endings: list[Ending]) -> None:
    rules = SMALL_BOARDS[1]
    oracle = Oracle(rules)
    regrets = [[oracle.regret(state, move) for move in legal(rules, state)] for state, _ in found_endings]
    found = judge_in_endings(rules, found_endings, "chance", "random")
    assert found.player == "chance"
    assert found.mean == pytest.approx(np.mean([np.mean(each) for each in regrets]))
    assert found.perfect_share == pytest.approx(np.mean([each.count(0) / len(each) for each in regrets]))
    for text in PLAYERS:
        policy = player(text, rules).policy(rules)
        of_sides = [[each.state for each in found_endings if to_move(rules, each.state) == side] for side in (0, 1)]
        columns = [
            judge_policy(rules, initial(rules), oracle.table, side, np.array(states, np.int64), policy)
            for side, states in enumerate(of_sides)
        ]
        assert judge_in_endings(rules, found_endings, text, text) == pytest.approx(
            summed_up(text, np.concatenate(columns))
        )
    assert judge_in_endings(rules, found_endings, "", "perfect")[2:4] == (1.0, 0.0)


def test_endings_have_few_stones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "ENDING", 5)
    for state, _ in endings(SMALL_BOARDS[1], 20, 2, lambda done: None):
        assert stones(state.south) + stones(state.north) <= 5


# Weights that do not settle.


def everywhere(*columns: Any) -> Any:
    """The inflation of columns of features that apply in every position."""
    table = np.stack(columns, axis=1)
    return inflation(Positions(table, np.zeros(len(table), np.int64)), [f"feature {i}" for i in range(len(columns))])


def test_inflation_of_columns_that_tell_nothing_of_each_other() -> None:
    assert everywhere(*np.array([*itertools.product((-1.0, 1.0), repeat=3)]).T) == pytest.approx([1.0] * 3)


def test_inflation_follows_from_squares_that_are_not_centred() -> None:
    one, other = np.random.default_rng(1).normal(size=(2, 500)) + 3.0
    share = (one @ other) ** 2 / (one @ one) / (other @ other)
    assert share > 0.7, "that they do not vary together is no matter"
    assert everywhere(one, other) == pytest.approx([1 / (1 - share)] * 2)


def test_what_hardly_varies_makes_up_for_the_constant() -> None:
    around = 1.0 + 0.1 * np.array([-1.0, 1.0] * 50)
    assert everywhere(around, np.ones(100)) == pytest.approx([1.01 / 0.01] * 2)


def test_inflation_of_a_sum_of_others() -> None:
    columns = np.random.default_rng(1).normal(size=(3, 200))
    found = everywhere(columns[0], columns[1], columns[0] + columns[1], columns[2])
    assert found[:3] == pytest.approx([LARGEST] * 3)
    assert found[3] < 1.1


def test_inflation_looks_where_a_block_applies() -> None:
    """Where South is to move: a count that is often 0, and half of it and something of its own; elsewhere both are 0.

    The other block has a feature that is always 1, the player and the constant are not 0 in both.
    """
    count = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0])
    own = count / 2 + np.array([1.0, 0.0, -1.0, 2.0, 0.0, 1.0, 1.0, 0.0])
    table = np.zeros((12, 5))
    table[:8, :2] = np.stack([count, own], axis=1)
    table[8:, 2:4] = 1.0
    table[:, 4] = 1.0
    labels = ["south_to_move.a", "south_to_move.b", "north_to_move.c", "player", "constant"]
    found = inflation(Positions(table, np.repeat([0, 1], [8, 4])), labels)
    for number, target, others in ((0, count, [own, np.ones(8)]), (1, own, [count, np.ones(8)])):
        matrix = np.stack([target, *others], axis=1)
        assert found[number] == pytest.approx((matrix.T @ matrix)[0, 0] * np.linalg.inv(matrix.T @ matrix)[0, 0])
        assert 1.5 < found[number] < 10
    assert found[2] == LARGEST, "the constant is the same where north is to move"
    assert found[4] < 10, "the constant is seen everywhere"


def test_inflation_of_what_is_never_seen() -> None:
    assert everywhere(np.zeros(20), np.arange(1.0, 21.0)).tolist() == [1.0, 1.0]


def test_positions_say_who_is_to_move() -> None:
    rules, feature_set = REPORT_RULES, ReportFeatures()
    seen = positions(rules, feature_set, player("greedy:depth=1", rules).policy(rules), 2, seed=1)
    labels = names(feature_set, rules)
    assert seen.table[:, labels.index("player")].tolist() == seen.movers.tolist()
    assert not seen.table[seen.movers == 0][:, [label.startswith("north_to_move") for label in labels]].any()
    assert set(seen.movers) == {0, 1}


def test_swings_are_those_of_the_last_games() -> None:
    history = np.array([[90.0, 0.0], [1.0, 5.0], [4.0, 5.0], [2.0, -5.0]])
    learned = LearnedWeights("report", history[-1], history[-1], history, np.array([10, 60, 80, 100]), 100)
    assert swings(learned, 40).tolist() == [3.0, 10.0]
    assert swings(learned, 39).tolist() == [2.0, 10.0]
    assert swings(learned, 100).tolist() == [89.0, 10.0]


# How opponents are treated.


@pytest.mark.parametrize(
    ("text", "souths", "norths"),
    [
        ("0,0,0,0,0,12,18/0,0,0,0,0,12,6 s", False, False),
        ("0,0,0,0,0,13,18/0,0,0,0,0,11,6 s", True, False),
        ("0,12,0,0,0,0,17/14,0,0,0,0,0,5 n", False, True),
    ],
)
def test_is_stuffed(text: str, souths: bool, norths: bool) -> None:
    state = parse_state(REPORT_RULES, text)
    assert [is_stuffed(REPORT_RULES, state, side) for side in (0, 1)] == [souths, norths]


class Watched:
    """A player whose positions and moves are noted, a list for each game."""

    def __init__(self, watched: Any, games: list[list[tuple[Any, int]]], begins: bool) -> None:
        self.watched, self.games, self.begins = watched, games, begins

    def new_game(self, rules: Any, random: Any) -> None:
        if self.begins:
            self.games.append([])
        self.watched.new_game(rules, random)

    def choose(self, state: Any, limit: Any) -> Decision:
        decision: Decision = self.watched.choose(state, limit)
        self.games[-1].append((state, decision.move))
        return decision


@pytest.mark.parametrize("rules", [Kalah(3, 3, leftovers=NOBODY), Kalah(2, 4, leftovers=NOBODY)])
def test_treatment_is_what_a_recount_says(rules: Kalah, monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[list[tuple[Any, int]]] = []
    subject, opponent = "greedy:depth=2", "random"
    monkeypatch.setattr(
        behaviour, "player", lambda text, rules: Watched(player(text, rules), games, begins=text == subject)
    )
    found = treatment(rules, subject, opponent, 30, seed=1)
    rows = []
    for number, game in enumerate(games):
        seat = number % 2
        states = [*(state for state, _ in game), play(rules, *game[-1])]
        before, end = states[-2:]
        ahead = end.south_store - end.north_store
        half = rules.pits * rules.seeds
        is_open = max(before.south_store, before.north_store) <= half
        pits = [
            [str(rules.format_state(state)).split("/")[side].split(",")[:-1] for state in states] for side in (0, 1)
        ]
        has_round = [any(int(n) > 2 * rules.pits for row in rows_of for n in row) for rows_of in pits]
        rows.append(
            (
                ahead > 0 if seat == 0 else ahead < 0,
                *(is_open and end.side != seat, is_open and end.side == seat),
                *(has_round[1 - seat], has_round[seat]),
            )
        )
    assert found.games == len(games) == 30
    assert [game[0][0] for game in games[::2]] == [game[0][0] for game in games[1::2]], "openings come in pairs"
    columns = np.array(rows, np.float64).T
    assert (columns.sum(axis=1) > 0).all(), "all that can happen does"
    assert found[1:6] == tuple(score_interval(column) for column in columns)
    assert found.won_starving == columns[0][columns[1] == 1].mean()


def test_where_nobody_starves_no_game_is_won_so() -> None:
    found = treatment(Kalah(6, 4, leftovers=NOBODY), "greedy:depth=2", "random", 2, seed=1)
    assert found.starved.mean == 0
    assert found.won_starving is None


# Direct search for weights.


@pytest.mark.parametrize(("sign", "is_good"), [(1, True), (-1, False)])
def test_direct_search_tells_the_wins_of_what_it_found(
    sign: int, is_good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = []

    def found_at_once(score: Any, start: Any, *, generations: int, **options: Any) -> Any:
        scores.append(score(start, 0))
        return [SimpleNamespace(mean=start, elite=0.25 * number) for number in range(generations)]

    monkeypatch.setattr(direct, "search_weights", found_at_once)
    for name, value in (("OPPONENT", "random"), ("GAMES", 50), ("TRIAL", 100)):
        monkeypatch.setattr(direct, name, value)
    found = direct.search(REPORT_RULES, sign * report_weights(), 3, 1, 1, lambda generation: None)
    assert [each > 0.9 for each in (found.first.mean, found.second.mean, *scores)] == [is_good] * 3
    assert found.curve == [0.0, 0.25, 0.5]
    assert (found.generations, found.games) == (3, 3 * direct.POPULATION * 2 * 50)
