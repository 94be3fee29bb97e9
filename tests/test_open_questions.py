"""The open questions of report M: the truth is the truth, and each answer follows its figures."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import petteia
from petteia.arena.judgement import COLUMNS, GIVEN, MISTAKE, REGRET, judge_policy
from petteia.arena.statistics import Interval, mean_interval, score_interval
from petteia.core.decision import Decision
from petteia.core.protocol import initial, is_over, legal, parse_state, play, to_move
from petteia.experiments.declaration import Cell
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.features.report_weights import REPORT_RULES, report_weights
from petteia.games.kalah import NOBODY, Kalah, stones
from petteia.players import player
from petteia.policies.linear_file import LearnedWeights
from petteia.reports.mancala import behaviour, beyond, direct, exact, questions
from petteia.reports.mancala.behaviour import is_stuffed, treatment
from petteia.reports.mancala.beyond import Beyond, Board, Duel
from petteia.reports.mancala.exact import Ending, Judged, endings, judge_in_endings, judge_on, solve, summed_up
from petteia.reports.mancala.open_questions import over_seeds, sections, tables
from petteia.reports.mancala.questions import AGAINST, QUESTIONS, SEATS, answer, compare, kinds_of_traces
from petteia.reports.mancala.settling import LARGEST, Restless, Settling, inflation, swings
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


def test_inflation_of_columns_that_tell_nothing_of_each_other() -> None:
    table = np.array([*itertools.product((-1.0, 1.0), repeat=3)])
    assert inflation(table) == pytest.approx([1.0, 1.0, 1.0])


def test_inflation_follows_from_the_correlation() -> None:
    random = np.random.default_rng(1)
    first, noise = random.normal(size=(2, 500)) + 10.0
    table = np.stack([first, first + noise, np.full(500, 3.0)], axis=1)
    share = np.corrcoef(table[:, 0], table[:, 1])[0, 1] ** 2
    assert inflation(table) == pytest.approx([1 / (1 - share), 1 / (1 - share), 1.0]), "a constant tells nothing"


def test_inflation_of_a_sum_of_others() -> None:
    columns = np.random.default_rng(1).normal(size=(3, 200))
    found = inflation(np.stack([columns[0], columns[1], columns[0] + columns[1], columns[2]], axis=1))
    assert found[:3] == pytest.approx([LARGEST] * 3)
    assert found[3] < 1.1


def test_inflation_looks_where_a_block_applies() -> None:
    """The features of two phases of a game: of each half of the rows, the others are zero."""
    table = np.zeros((8, 4))
    table[:4, :2] = table[4:, 2:] = [[1, 1], [1, 2], [2, 1], [2, 2]]
    assert inflation(table) == pytest.approx([1.0] * 4)


def test_inflation_of_what_is_never_seen() -> None:
    table = np.stack([np.zeros(20), np.arange(1.0, 21.0)], axis=1)
    assert inflation(table).tolist() == [1.0, 1.0]


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


# Questions: made-up scores that must give each answer.

Shares = tuple[float, ...]


def cell(values: Mapping[str, Any], side: int, *, greedy1: Shares, greedy3: Shares) -> CellResult:
    """A combination with such scores of its seeds against the two opponents."""
    runs = [{AGAINST["greedy1"]: one, AGAINST["greedy3"]: three} for one, three in zip(greedy1, greedy3, strict=True)]
    plan: Any = None
    return CellResult(plan, Cell(dict(values), {}), side, [], runs)


def made_up(*cells: CellResult) -> ExperimentResult:
    plan: Any = None
    return ExperimentResult(Path(), plan, [*cells])


def swept(variants: Mapping[Any, Shares], name: str = "alpha") -> ExperimentResult:
    """Variants with the same scores in both seats and against both opponents."""
    return made_up(
        *(
            cell({name: value}, side, greedy1=scores, greedy3=scores)
            for value, scores in variants.items()
            for side in (0, 1)
        )
    )


STEADY = (0.5, 0.6, 0.7)
UP, DOWN, ASTRAY = (
    tuple(a + b for a, b in zip(STEADY, off, strict=True)) for off in ((0.2,) * 3, (-0.1,) * 3, (0.1, -0.1, 0))
)


def test_variants_beside_the_first() -> None:
    rows = compare(swept({0.1: STEADY, 0.2: UP, 0.3: DOWN, 0.4: ASTRAY}))
    assert len(rows) == 4 * len(AGAINST) * len(SEATS)
    for row in rows[:4]:
        assert (row.opponent, row.seat) == ("greedy1", "first")
    assert {row.variant: row.verdict for row in rows} == {
        "alpha 0.1": "",
        "alpha 0.2": "better",
        "alpha 0.3": "worse",
        "alpha 0.4": "",
    }
    assert [row.gain.mean for row in rows[:4]] == pytest.approx([0.0, 0.2, -0.1, 0.0])
    first, *_, astray = rows[:4]
    assert first.score == mean_interval(STEADY)
    assert astray.gain == pytest.approx(mean_interval([0.1, -0.1, 0.0]))


def test_seats_and_opponents_are_told_apart() -> None:
    shares = {0: ((0.1,), (0.2,)), 1: ((0.3,), (0.4,))}
    rows = compare(
        made_up(*(cell({"x": 1}, side, greedy1=one, greedy3=three) for side, (one, three) in shares.items()))
    )
    assert {(row.opponent, row.seat): row.score.mean for row in rows} == {
        ("greedy1", "first"): 0.1,
        ("greedy3", "first"): 0.2,
        ("greedy1", "second"): 0.3,
        ("greedy3", "second"): 0.4,
    }


def test_one_seed_tells_nothing() -> None:
    rows = compare(swept({0.1: (0.2,), 0.2: (0.9,)}))
    assert {row.verdict for row in rows} == {""}
    assert {row.score[1:] for row in rows} == {(0.0, 1.0)}, "a share does not leave 0..1"
    assert answer(rows) == "No difference from alpha 0.1 can be told: alpha 0.2."


def test_the_first_may_be_that_of_another_experiment() -> None:
    other = swept({"report": STEADY, "report+pits": UP}, "features")
    rows = compare(swept({0.15: UP, 0.8: STEADY}, "lambda_"), ("no traces", other))
    assert list(dict.fromkeys(row.variant for row in rows)) == ["no traces", "lambda 0.15", "lambda 0.8"]
    assert [row.gain.mean for row in rows[:3]] == pytest.approx([0.0, 0.2, 0.0])
    assert answer(rows).startswith("Clearly better than no traces: lambda 0.15 (+20.0 as first against greedy1, ")


def test_answers_in_words() -> None:
    said = answer(compare(swept({0.1: STEADY, 0.2: UP, 0.3: DOWN, 0.4: ASTRAY})))
    where = "{0} as first against greedy1, {0} as second against greedy1, {0} as first against greedy3, "
    where += "{0} as second against greedy3"
    assert said == (
        f"Clearly better than alpha 0.1: alpha 0.2 ({where.format('+20.0')}). "
        f"Clearly worse than alpha 0.1: alpha 0.3 ({where.format('-10.0')}). "
        "No difference from alpha 0.1 can be told: alpha 0.4."
    )
    assert answer(compare(swept({0.1: STEADY}))) == ""


def test_better_here_and_worse_there() -> None:
    cells = [cell({"x": 1}, side, greedy1=STEADY, greedy3=STEADY) for side in (0, 1)]
    cells += [cell({"x": 2}, 0, greedy1=UP, greedy3=STEADY), cell({"x": 2}, 1, greedy1=STEADY, greedy3=DOWN)]
    assert answer(compare(made_up(*cells))) == (
        "Clearly better than x 1: x 2 (+20.0 as first against greedy1). "
        "Clearly worse than x 1: x 2 (-10.0 as second against greedy3)."
    )


def traces(replacing: Shares, accumulating: Shares = STEADY) -> ExperimentResult:
    kinds = {"accumulating": accumulating, "replacing": replacing, "dutch": UP}
    return made_up(
        *(
            cell({"lambda_": fading, "traces": kind}, side, greedy1=scores, greedy3=scores)
            for fading in (0.15, 0.8)
            for kind, scores in kinds.items()
            for side in (0, 1)
        )
    )


def test_kinds_of_traces() -> None:
    said = kinds_of_traces(traces(UP))
    assert said.startswith("They do not coincide: at lambda 0.15 replacing traces score +20.0 points more than ")
    assert "(+20.0 to +20.0), and 12 of 12 scores are not the same; at lambda 0.8 " in said
    assert "score -10.0 points more" in kinds_of_traces(traces(DOWN))
    scattered = mean_interval([0.1, -0.1, 0.0])  # a seed counts once, however many scores it has
    assert f"+0.0 points more than accumulating ones ({scattered.low * 100:+.1f} to {scattered.high * 100:+.1f})" in (
        kinds_of_traces(traces(ASTRAY)).replace("-0.0 points", "+0.0 points")
    )
    same = kinds_of_traces(traces(STEADY))
    assert same.startswith("They coincide: ")
    assert "and 0 of 12 scores are not the same" in same


# From trainings to figures.


def training(scores: list[float], marks: tuple[int, ...] = (), every: int = 10) -> Any:
    """A training with these scores in both seats, at points as far apart as `every`."""
    points = [
        SimpleNamespace(games=every * number, side=side, score=score + (0.1 if side else -0.1))
        for number, score in enumerate(scores, 1)
        for side in (0, 1)
    ]
    configuration = LinearSettings.model_construct(marks=[*marks], evaluate_every=every)
    return SimpleNamespace(points=points, configuration=configuration)


def test_how_far_a_player_weakens() -> None:
    curve = [0.5] * 20
    curve[5:14], curve[15:24] = [0.9] * 9, [0.6] * 5
    marks = (10, 100, 150, 200)  # four points to both sides of 100: 60 to 140; from 160 to the end: 0.6
    found = beyond._weakening([training(curve, marks), training(curve, marks)])
    assert found == pytest.approx((0.3, 0.3, 0.3))


@pytest.mark.parametrize(
    ("scores", "games"),
    [([0.9] * 30, 10), ([0.0] * 10 + [0.9] * 20, 110), ([0.9] * 10 + [0.0] + [0.9] * 20, 120), ([0.1, 0.9], 10)],
)
def test_how_many_games_are_enough(scores: list[float], games: int) -> None:
    assert beyond._enough(training(scores)) == games


# The page.


def judged(name: str, mean: float = 0.5) -> Judged:
    return Judged(name, 100, 0.75, mean, mean - 0.1, mean + 0.1, 0.05)


def share(mean: float, half: float = 0.02) -> Interval:
    return Interval(mean, mean - half, mean + half)


def duel(question: str, options: str, opponent: str, seat: str, score: float = 0.4) -> Duel:
    agent = f"theta:agent=(runs/a-1){options}"
    return Duel(question, agent, opponent, seat, 400, 7, score, score, score - 0.05, score + 0.05)


def duels(**scores: float) -> list[Duel]:
    """All matches; `scores` by the last word of the options, else 0.4."""
    found = [
        duel("averaging", f",weights={weights}", "greedy:depth=1", seat, scores.get(weights, 0.4))
        for weights in ("drawn", "last", "mean")
        for seat in SEATS
    ]
    found += [
        duel("ends", f",depth={depth}{option}", f"greedy:depth={depth}", seat, scores.get(option[1:4], 0.4))
        for depth in beyond.DEPTHS
        for option in ("", ",ends=value", ",early=no")
        for seat in SEATS
    ]
    return found + [
        duel(
            f"chain with {name}",
            f",depth={depth}",
            "heuristic",
            "second",
            scores.get(f"{name.rpartition('+')[2]}{depth}", 0.4),
        )
        for name in beyond.STRONGER
        for depth in beyond.DEPTHS
    ]


def all_found(**changes: Any) -> Beyond:
    """Everything, made up."""
    results = {each.experiment: swept({0.1: STEADY, 0.2: UP}) for each in QUESTIONS} | {beyond.TRACES: traces(UP)}
    whole = Beyond(
        experiments=results,
        compared={name: compare(result) for name, result in results.items()},
        settling=Settling([Restless(f"feature {i}", 1.0 / i, 0.25, 1e6) for i in range(1, 13)], 0.5, -0.5),
        steps={"0.01": share(0.2), "0.01..0.0001": share(0.05)},
        weakening=Interval(0.05, 0.01, 0.09),
        enough=[30_000, 20_000],
        duels=duels(),
        treatment=behaviour.Treatment(300, share(0.8), share(0.3), share(0.1), share(0.25), share(0.5), 0.9),
        direct=direct.Found(report_weights(), share(0.97), share(0.95), 600, 7_200_000, [0.8, 0.9]),
        boards=[Board("Kalah(4, 3)", "many positions", [judged("random"), judged("theta1, seed 1", 0.2)])],
    )
    return whole._replace(**changes)


def text_of(**changes: Any) -> str:
    """The text of the page, without tags."""
    return re.sub(r"<svg.*?</svg>|<[^>]*>", " ", "\n".join(sections(all_found(**changes))), flags=re.DOTALL)


def test_players_of_several_seeds_are_taken_together() -> None:
    rows = [judged("random"), judged("theta1, seed 1", 0.2), judged("theta2, seed 1"), judged("theta1, seed 2", 0.4)]
    rows[3] = rows[3]._replace(perfect_share=0.85, given_away=0.15)
    random, theta1, theta2 = over_seeds(rows)
    assert random == rows[0]
    assert theta1[:2] == ("theta1", 100)
    assert theta1[2:] == pytest.approx((0.8, 0.3, 0.2, 0.4, 0.1)), "means, and the range of the mean regrets"
    assert theta2 == rows[2]._replace(player="theta2")


def test_the_page_is_whole() -> None:
    html = "\n".join(sections(all_found()))
    for tag in ("p", "table", "figure", "svg", "h2", "tr", "td"):
        assert len(re.findall(rf"<{tag}\b", html)) == html.count(f"</{tag}>") > 0, tag
    for question in QUESTIONS:
        assert question.asks in html
    assert html.count("Clearly better than") == len(QUESTIONS)
    assert html.count("They do not coincide") == 1
    assert "Of 56 such differences about 3 would" in html  # 9 experiments of a variant, one of 5, four cells each
    assert "80.0 (78.0 to 82.0)" in text_of()
    assert "feature 10" in html
    assert "feature 11" not in html, "no more than ten are listed"


def test_rows_of_files() -> None:
    found = tables(all_found())
    assert {name: len(rows) for name, rows in found.items()} == {
        "questions": 9 * 2 * 4 + 6 * 4,
        "settling": 12,
        "matches": 6 + 30 + 10,
        "regret": 2,
    }
    assert {row["verdict"] for row in found["questions"]} == {"", "better"}
    assert found["questions"][1]["gain_mean"] == pytest.approx(0.2)
    assert found["matches"][0]["player"] == "weights=drawn"
    assert len({(row["question"], row["player"], row["seat"]) for row in found["matches"]}) == 6 + 30 + 10
    assert {row["board"] for row in found["regret"]} == {"Kalah(4, 3)"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "With alpha 0.01 the weights swing 4 times as far"),
        ({"steps": {"a": share(0.1), "b": share(0.2)}}, "With alpha b the weights swing 2 times as far"),
        ({}, "rare features swing more (Spearman's correlation of swing and frequency -0.50)"),
        ({}, "and features that others nearly make up for swing more (of swing and variance inflation +0.50)"),
        ({"settling": Settling([], -0.5, 0.5)}, "features that are seen often swing more, not rare ones"),
        ({"settling": Settling([], -0.5, 0.5)}, "features that others nearly make up for swing less"),
        ({"settling": Settling([], 0.2, -0.2)}, "how rare a feature is has little to do with it"),
        ({"settling": Settling([], 0.2, -0.2)}, "how much other features tell about one has little to do with it"),
        ({"weakening": Interval(0.05, 0.01, 0.09)}, "It does: over the training seeds"),
        ({"weakening": Interval(-0.05, -0.09, -0.01)}, "It does not: over the training seeds"),
        ({"weakening": Interval(0.02, -0.01, 0.05)}, "That cannot be told from luck: over the training seeds"),
        ({}, "from 20,000 games on in the quickest training, and from 30,000 on in the slowest"),
        ({"duels": duels(mean=0.7)}, "the most points go to  mean "),
        ({"duels": duels(drawn=0.7)}, "the most points go to  drawn "),
        ({"duels": duels(end=0.75)}, "as it is 40.0%, ends are worth what the weights say 75.0%, no early wins 40.0%."),
        ({"duels": duels(ear=0.75)}, "as it is 40.0%, ends are worth what the weights say 40.0%, no early wins 75.0%."),
        ({}, "with report: none; with report+chain: none"),
        ({"duels": duels(report3=0.6)}, "with report: theta3; with report+chain: none"),
        ({"duels": duels(chain1=0.6, chain5=0.51)}, "with report: none; with report+chain: theta1, theta5"),
        ({}, "It won 90% of the games in which it did."),
        ({}, "What keeps the learner below that is not its features."),
    ],
)
def test_words_follow_figures(changes: dict[str, Any], words: str) -> None:
    assert words in text_of(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"weakening": Interval(0.05, 0.01, 0.09)}, "another gains"),
        ({"weakening": Interval(-0.05, -0.09, -0.01)}, "another gains"),
        ({"duels": duels(last=0.94)}, "is not its features"),
        ({"treatment": all_found().treatment._replace(won_starving=None)}, "in which it did"),
        ({"experiments": all_found().experiments | {beyond.TRACES: traces(STEADY)}}, "do not coincide"),
    ],
)
def test_words_are_not_said_without_their_figures(changes: dict[str, Any], words: str) -> None:
    assert words not in text_of(**changes)


def test_worse_becomes_a_word_of_the_page() -> None:
    result = swept({0.1: STEADY, 0.2: DOWN})
    name = questions.QUESTIONS[0].experiment
    whole = all_found()
    said = text_of(compared={**whole.compared, name: compare(result)})
    assert "Clearly worse than alpha 0.1: alpha 0.2 (-10.0 as first against greedy1" in said
    assert re.search(r"alpha 0\.2\s+50\.0 \([^)]*\) worse", said)
