"""Matches: the compiled loop plays the games of the plain one, jobs change nothing, and everything is counted."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import own_players
import pandas as pd
import pytest

from petteia.arena.alternate import Conditions, alternate
from petteia.arena.contest import SEATS
from petteia.arena.match import match
from petteia.arena.openings import parse_openings
from petteia.arena.statistics import interval_of, score_interval
from petteia.core.decision import Allowance, Limit
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import CHANCE, initial, is_over, key, limits, play, position, positions, to_move
from petteia.games import game as rules_of
from petteia.players import player
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import draw_outcome, match_keys
from petteia.value_functions.table import TablePolicy, filled_table

HARE, NIM, RACE = "hare-and-hounds", "tiny_games:Nim", "tiny_games:DiceRace"
RUNNER = "own_players:Highest"


def table_policy(rules, epsilon):
    """Values with many ties, for half of the positions."""
    random = np.random.default_rng(5)
    if type(rules).__name__ == "DiceRace":
        keys = np.arange(0, 3 << 13, 2)
    else:
        keys = np.array([key(rules, position(rules, i)) for i in range(0, positions(rules), 2)])
    values = random.integers(0, 3, (len(keys), limits(rules).moves)).astype(float)
    return TablePolicy(filled_table(keys, values), epsilon)


def from_python(game, first, second, games, openings="random:2", seats="both", max_plies=1000, seed=0):
    rules = rules_of(game)
    starts, plies, _ = parse_openings(openings, rules)
    conditions = Conditions(rules, starts, plies, SEATS[seats], max_plies, UNLIMITED, match_keys(seed))
    return tuple(alternate(conditions, player(first, rules), player(second, rules), range(games)))


@pytest.mark.parametrize("game", [HARE, f"{HARE}:stall=0,first=hare", RACE])
@pytest.mark.parametrize(
    "setting", [{}, {"seats": "fixed", "openings": "none"}, {"max_plies": 5, "openings": "random:3"}]
)
def test_compiled_games_are_those_driven_from_python(game, setting):
    rules = rules_of(game)
    table = table_policy(rules, 0.0)
    for first, second in (("random", "simple"), (table, "random"), (table_policy(rules, 0.3), table)):
        compiled = match(game, first, second, games=40, seed=3, **setting)
        assert compiled.rows == from_python(game, first, second, 40, seed=3, **setting)
        assert len({row.digest for row in compiled.rows}) > 1 or setting.get("openings") == "none"


def test_jobs_change_nothing():
    alone = match(HARE, "random", "simple", games=200, seed=9)
    assert alone == match(HARE, "random", "simple", games=200, seed=9, jobs=2)
    assert alone == match(HARE, "random", "simple", games=200, seed=9, jobs=3)
    assert alone.rows != match(HARE, "random", "simple", games=200, seed=10).rows


def test_processes_change_nothing():
    told = []
    alone = match(RACE, "own_players:Drawing", "random", games=24, seed=1)
    assert alone == match(RACE, "own_players:Drawing", "random", games=24, seed=1, jobs=2, advance=told.append)
    assert sum(told) == 24


def test_an_opening_is_played_from_both_sides():
    rows = match(HARE, "simple", "simple", games=50).rows
    assert [row.seat_of_first for row in rows] == [0, 1] * 25
    assert all(one[2:] == two[2:] for one, two in zip(rows[::2], rows[1::2], strict=True))
    assert len({row.digest for row in rows}) > 5


@pytest.mark.parametrize("seats", SEATS)
def test_games_of_a_pair_have_the_same_dice_and_others_their_own(seats, monkeypatch):
    """Face after face that follows moves of one side, whatever the other does."""
    rules = rules_of(f"{RACE}:goal=50,faces=6")
    conditions = Conditions(rules, (initial(rules),), 0, SEATS[seats], 1000, UNLIMITED, match_keys(5))
    players, games = [player(each, rules) for each in ("random", RUNNER)], []

    def cast(rules, state, *arguments):
        outcome = draw_outcome(rules, state, *arguments)
        games[-1][last[0]].append(play(rules, state, outcome).die)
        return outcome

    def moved(rules, state, move):
        if to_move(rules, state) != CHANCE:
            last[0] = to_move(rules, state)
        return play(rules, state, move)

    monkeypatch.setattr("petteia.arena.alternate.draw_outcome", cast)
    monkeypatch.setattr("petteia.arena.alternate.play", moved)
    for number in range(20):
        games.append({0: [], 1: [], CHANCE: []})
        last = [CHANCE]
        list(alternate(conditions, *players, [number]))
    for number, (one, two) in enumerate(pairwise(games)):
        common = [[*zip(one[mover], two[mover], strict=False)] for mover in (0, 1, CHANCE)]
        same = all(face == other for each in common for face, other in each)
        assert same == (seats == "both" and number % 2 == 0)
        assert min(map(len, common[:2])) > 2


@pytest.mark.parametrize("openings", ["none", "random:3"])
def test_same_players_with_the_same_dice_win_a_game_each(openings):
    result = match(RACE, RUNNER, RUNNER, games=60, openings=openings)
    for one, two in zip(result.rows[::2], result.rows[1::2], strict=True):
        assert (one.margin, one.plies, one.digest) == (two.margin, two.plies, two.digest)
    assert {row.margin > 0 for row in result.rows} == {True, False}
    assert result.rows == from_python(RACE, RUNNER, RUNNER, 60, openings=openings)


@pytest.mark.parametrize("first", ["random", "own_players:Drawing"])
def test_the_interval_without_common_dice_is_that_of_games_drawn_apart(first):
    result = match(RACE, first, "simple", games=60, seed=2, openings="none")
    scores = np.array([row.score for row in result.rows]).reshape(-1, 2)
    apart = score_interval(np.array([(one + two) / 2 for one in scores[:, 0] for two in scores[:, 1]]))
    assert apart.mean == pytest.approx(result.score)
    square = sum(float(np.sum((each - each.mean()) ** 2)) for each in scores.T) / 4
    assert interval_of(result.score, square, 30)[1:] == pytest.approx((result.unpaired_low, result.unpaired_high))


def test_common_dice_make_the_interval_of_alike_players_narrower():
    result = match(RACE, "random", "random", games=2000, openings="none")
    assert result.high - result.low < result.unpaired_high - result.unpaired_low


def test_nothing_is_said_of_dice_where_games_have_none_in_common():
    for game, seats in ((HARE, "both"), (RACE, "fixed")):
        result = match(game, "random", "random", games=10, seats=seats)
        assert (result.unpaired_low, result.unpaired_high) == (None, None)


def test_the_interval_is_over_pairs_with_both_seats_and_over_games_with_fixed_ones():
    both, fixed = (match(HARE, "simple", "simple", games=50, seats=seats) for seats in SEATS)
    assert score_interval(np.full(25, 0.5)) == (both.score, both.low, both.high)
    assert score_interval(np.array([row.score for row in fixed.rows])) == (fixed.score, fixed.low, fixed.high)


def test_fixed_seats_have_openings_of_their_own():
    result = match(HARE, "simple", "simple", games=51, seats="fixed")
    assert (result.games, result.notes) == (51, ())
    assert {row.seat_of_first for row in result.rows} == {0}
    assert any(one.digest != two.digest for one, two in zip(result.rows[::2], result.rows[1::2], strict=False))


def test_figures_are_those_of_the_rows():
    result = match(RACE, "random", "simple", games=60, seed=2)
    scores = [row.score for row in result.rows]
    assert (result.wins, result.draws, result.losses) == tuple(scores.count(each) for each in (1.0, 0.5, 0.0))
    assert result.score == pytest.approx(np.mean(scores))
    assert result.low < result.score < result.high
    assert result.plies == pytest.approx(np.mean([row.plies for row in result.rows]))
    for row in result.rows:
        assert row.score == (0.5 if row.margin == 0 else float((row.margin > 0) == (row.seat_of_first == 0)))
    assert [row.number for row in result.rows] == list(range(60))


def test_rows_are_for_pandas_and_json():
    result = match(RACE, "random", "simple", games=10)
    games = pd.DataFrame(result.rows)
    assert list(games.columns) == [
        *("number", "seat_of_first", "margin", "plies", "reason", "digest", "fault", "start", "moves", "used", "voided")
    ]
    assert pd.DataFrame([result, result])["score"].tolist() == [result.score] * 2
    json.dumps(result._asdict())


def test_games_are_rounded_up_to_pairs_and_it_is_said():
    result = match(HARE, "random", "random", games=7)
    assert result.games == len(result.rows) == 8
    assert "7 games are rounded up to 8" in result.notes[0]


def test_the_limit_of_plies_is_a_draw():
    result = match(f"{HARE}:stall=0", "random", "random", games=20, max_plies=1)
    assert result.stopped == result.draws == 20
    assert {row.reason for row in result.rows} == {"max-plies"}
    assert {row.plies for row in result.rows} == {1}


def test_repeated_games_are_noticed():
    result = match(HARE, "simple", "simple", games=100, openings="none")
    assert result.distinct == 1
    assert "only 1 of the 100 games are distinct" in result.notes[0]
    assert match(HARE, "random", "random", games=100, openings="none").notes == ()


def test_openings_from_a_file(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# two positions\n\n0,1,3/10 hounds 0\n0,2,3/8 hare 0  # the second\n")
    result = match(HARE, "simple", "simple", games=8, openings=str(path))
    digests = [row.digest for row in result.rows]
    assert digests == [digests[0], digests[0], digests[2], digests[2]] * 2
    assert digests[0] != digests[2]
    fixed = match(HARE, "simple", "simple", games=4, openings=str(path), seats="fixed")
    assert [row.digest for row in fixed.rows] == [digests[0], digests[2]] * 2
    assert result.rows == from_python(HARE, "simple", "simple", 8, openings=str(path))


def test_games_start_from_the_position():
    result = match(NIM, "simple", "simple", games=2, openings="none", position="0,0,2 first")
    assert [row.plies for row in result.rows] == [2, 2]


def test_random_openings_do_not_end_the_game():
    rules = rules_of(f"{NIM}:heaps=1,size=1")
    assert match(rules, "simple", "simple", games=2, openings="random:5").plies == 1
    assert not is_over(rules, initial(rules))


def test_a_move_that_is_illegal_loses():
    result = match(HARE, "own_players:Cheat", "random", games=10)
    assert (result.wins, result.losses, result.illegal, result.timeouts) == (0, 10, 10, 0)
    assert [row.margin for row in result.rows[:2]] == [-1, 1]
    assert {row.reason for row in result.rows} == {"illegal"}


def test_a_policy_that_cheats_loses_too():
    told = []
    result = match(HARE, "own_players:CheatingPolicy", "random", games=10, advance=told.append)
    assert (result.losses, result.illegal, sum(told)) == (10, 10, 10)


def test_a_policy_of_ones_own_runs_compiled():
    result = match(HARE, "own_players:Highest:bonus=0.25", "simple", games=20)
    assert result.rows == from_python(HARE, "own_players:Highest", "simple", 20)
    assert match(HARE, own_players.Highest(), "simple", games=20).rows == result.rows


def test_who_takes_too_long_loses():
    result = match(HARE, "own_players:Sleeper", "random", games=2, limit=Limit(seconds=0.01))
    assert (result.losses, result.timeouts, result.illegal) == (2, 2, 0)
    patient = Allowance(grace=20.0)
    within = match(
        HARE, "own_players:Sleeper", "random", games=2, limit=Limit(seconds=0.1), max_plies=2, allowance=patient
    )
    assert within.timeouts == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Raiser", "RaisingPolicy"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_who_raises_loses_and_is_told_by_its_line(name, jobs):
    result = match(HARE, f"own_players:{name}", "random", games=4, jobs=jobs)
    assert (result.losses, result.crashed, result.illegal) == (4, 4, 0)
    (note,) = result.notes
    assert re.match(rf"player own_players:{name}: .*own_players\.py, line \d+: ZeroDivisionError", note)
    assert note.endswith(f"(own_players:{name} lost 4 games by failing)")
    assert {row.fault for row in result.rows} == {note.partition(" (own_players")[0]}


@pytest.mark.slow
def test_a_policy_that_does_not_compile_is_told_by_its_line():
    with pytest.raises(
        UsageError, match=r"^player own_players:UncompiledPolicy: own_players\.py, line \d+: cannot .*$"
    ):
        match(HARE, "own_players:UncompiledPolicy", "random", games=4)


def test_an_answer_that_is_no_move_loses_and_is_told():
    result = match(HARE, "own_players:Mute", "random", games=4)
    assert (result.losses, result.illegal) == (4, 4)
    assert result.notes[0].startswith(
        "player own_players:Mute: the method choose returned None; must return a Decision"
    )


def test_players_are_told_of_each_game():
    one = own_players.Lower()
    match(HARE, one, "random", games=6)
    assert (one.began, one.ended) == (6, 6)


def test_one_object_cannot_take_both_seats():
    one = player(own_players.Lower(), rules_of(HARE))
    with pytest.raises(UsageError, match="cannot play against itself"):
        match(HARE, one, one)


class Interrupting:
    def __call__(self, games):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("first", "jobs"), [("random", 1), ("random", 2), ("own_players:Lower", 1), ("own_players:Lower", 2)]
)
def test_an_interrupt_ends_it(first, jobs):
    with pytest.raises(KeyboardInterrupt):
        match(HARE, first, "simple", games=2_000, jobs=jobs, advance=Interrupting())


BAD = [
    ({"games": 0}, UsageError, "games=0: must be 1 or more"),
    ({"max_plies": 0}, UsageError, "max_plies=0"),
    ({"jobs": 0}, UsageError, "jobs=0"),
    ({"seed": -1}, UsageError, "seed=-1"),
    ({"seed": 1 << 63}, UsageError, "0..2^63-1"),
    ({"seats": "all"}, UsageError, "seats='all': must be one of both, fixed"),
    ({"openings": "random"}, UsageError, "random:PLIES"),
    ({"openings": "random:-1"}, UsageError, "random:PLIES"),
    ({"openings": "random:1001"}, UsageError, "0..1000"),
    ({"openings": "nowhere.txt"}, NotFoundError, "nowhere.txt"),
    ({"openings": "."}, PetteiaError, ".: not a regular file"),
    ({"position": "0,1,3/0 hounds 0"}, InvalidError, "both stand on square 0"),
    ({"position": "7,8,9/10 hare 0"}, InvalidError, "the game is over"),
    ({"limit": Limit(depth=2)}, UsageError, "player random takes no limit of depth"),
    ({"limit": Limit(seconds=0.0)}, UsageError, "seconds=0.0: must be more than 0"),
    ({"first": "randum"}, UsageError, "did you mean 'random'?"),
    (
        {"first": "own_players:Hound", "seats": "both"},
        UsageError,
        'own_players:Hound only plays hounds: give it as the first player with seats="fixed", or leave seats out',
    ),
    ({"second": "own_players:Hound", "seats": "fixed"}, UsageError, "give it as the first player"),
    ({"first": own_players.Lower(), "jobs": 2}, UsageError, "must be given as text"),
    ({"first": "human", "jobs": 2}, UsageError, "depend on each other"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), BAD, ids=[next(iter(each[0])) + "-" + each[2] for each in BAD])
def test_wrong_arguments_are_refused_in_one_line(wrong, error, message):
    arguments = {"first": "random", "second": "random"} | wrong
    with pytest.raises(error) as raised:
        match(HARE, arguments.pop("first"), arguments.pop("second"), **arguments)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# nothing\n", "contains no position"),
        (b"0,1,3/10 hounds 0\n0,1,3/1 hounds 0\n", "line 2: position '0,1,3/1 hounds 0'"),
        (b"\n7,8,9/10 hare 0", "line 2: position '7,8,9/10 hare 0': the game is over"),
        (b"\xff\xfe", "not UTF-8 text"),
    ],
)
def test_wrong_files_of_openings_are_refused_with_the_line(tmp_path, content, message):
    path = tmp_path / "openings.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidError) as raised:
        match(HARE, "random", "random", openings=str(path))
    assert str(path) in str(raised.value)
    assert message in str(raised.value)


def test_a_file_of_openings_excludes_a_position(tmp_path):
    with pytest.raises(UsageError, match="position cannot be given with a file of openings"):
        match(HARE, "random", "random", openings=str(tmp_path), position="0,1,3/10 hounds 0")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_hands_on_how_much_memory_solving_may_take(jobs):
    with pytest.raises(UsageError, match=r"1 MB is allowed, .* allow it by "):
        match("hare-and-hounds", "perfect", "random", games=4, memory=1_000_000, jobs=jobs)
    with pytest.raises(UsageError, match="memory=0: must be 1 or more"):
        match("hare-and-hounds", "perfect", "random", memory=0)
