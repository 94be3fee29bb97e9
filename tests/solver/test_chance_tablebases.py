"""Tables of games with chance: on disk, what is known by them, who plays by them and what others give away."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generated_games import SURE, Drawn, slow_values
from pig import Pig
from tiny_games import DiceRace

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, UsageError
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import CHANCE, initial, is_over, legal, limits, play, to_move
from petteia.players import player
from petteia.players.player import UNLIMITED
from petteia.policies.perfect_policy import PerfectPolicy
from petteia.policies.policy import choose, probabilities, workspace
from petteia.solver import files
from petteia.solver.expectation import TOLERANCE
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build

PIG = Pig(goal=12)
NEAR = 1e-11
"""how near values of different ways are to each other"""


# On disk.


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, table = tmp_path / "pig", build(PIG)
    files.save(path, PIG, table)
    loaded = files.load(path, PIG)
    for name, column in table._asdict().items():
        read = getattr(loaded, name)
        np.testing.assert_array_equal(read, column)
        assert (read.dtype, read.flags.aligned, read.flags.c_contiguous) == (column.dtype, True, True)
    assert loaded.values.dtype == np.float64
    one, other = (petteia.solve(PIG, table=path, check=True) for _ in range(2))
    assert one == other == petteia.solve(PIG, check=True)


def test_every_damage_to_a_table_is_told(tmp_path: Path) -> None:
    path, table = tmp_path / "pig", build(PIG)
    files.save(path, PIG, table)
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 50):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InvalidError, match="pig: "):
            files.load(path, PIG)
    path.write_bytes(whole)
    with pytest.raises(InvalidError, match="contains values of pig:Pig:goal=12, not of pig:Pig"):
        petteia.solve(Pig(), table=path)
    files.save(path, PIG, table._replace(values=np.full_like(table.values, np.nan)))
    with pytest.raises(InvalidError, match="damaged: some of its values are not finite"):
        files.load(path, PIG)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "has_chance", lambda rules: False)
        files.save(path, PIG, table._replace(values=table.values.astype(np.int32)))
    with pytest.raises(InvalidError, match="have changed since the game was solved"):
        files.load(path, PIG)


def test_tables_of_games_without_chance_are_what_they_were(tmp_path: Path) -> None:
    petteia.solve("hare-and-hounds:stall=0", table=tmp_path / "hare")
    assert hashlib.sha256((tmp_path / "hare").read_bytes()).hexdigest() == HARE_TABLE


HARE_TABLE = "77bafd9ee43547efa57a24f6e6b68999ebef49e1df65fc45e2affec9d6c556ba"
"""of the table that petteia wrote before it could solve games with chance"""


# Who plays by it.


@pytest.mark.slow
def test_the_oracle_says_what_moves_are_worth() -> None:
    oracle, truth = Oracle(PIG), slow_values(PIG)
    assert truth is not None
    seen = 0
    for state, value in truth.items():
        assert oracle.value(state) == pytest.approx(value, abs=NEAR)
        assert isinstance(oracle.value(state), float)
        assert oracle.distance(state) == (0 if is_over(PIG, state) else None)
        if is_over(PIG, state) or to_move(PIG, state) == CHANCE:
            assert oracle.best_moves(state) == []
            continue
        sign = 1 if to_move(PIG, state) == 0 else -1
        lost = {move: sign * (value - truth[play(PIG, state, move)]) for move in legal(PIG, state)}
        for move, each in lost.items():
            assert oracle.regret(state, move) == (0 if each < 1e-10 else pytest.approx(each))
        assert oracle.best_moves(state) == [move for move, each in lost.items() if each < 1e-10]
        seen += len(oracle.best_moves(state)) == 1
    assert seen > 100
    with pytest.raises(UsageError, match="is a chance node; choose a position in which"):
        oracle.regret("0,0,0 first rolls", 1)


def test_perfect_plays_every_best_move_equally_often() -> None:
    rules = DiceRace(goal=4)
    oracle = Oracle(rules)
    policy, work, random = PerfectPolicy(oracle.table), workspace(rules), [4]
    numbers = set()
    for row in oracle.table.states:
        state = unpack(initial(rules), row)
        if is_over(rules, state) or to_move(rules, state) == CHANCE:
            continue
        best, out = oracle.best_moves(state), np.zeros(limits(rules).moves)
        count = probabilities(policy, rules, state, 1.0, out, work)
        shares = dict(zip(legal(rules, state), out[:count], strict=True))
        assert shares == {move: 1 / len(best) if move in best else 0.0 for move in shares}
        assert {int(choose(policy, rules, state, random, work)) for _ in range(40)} == set(best)
        numbers.add(len(best))
    assert numbers == {1, 2}


def test_what_differs_by_less_than_the_tolerance_is_equal_to_all() -> None:
    rules = DiceRace(goal=4)
    exact = build(rules)
    noise = np.random.default_rng(5).uniform(-TOLERANCE / 5, TOLERANCE / 5, len(exact.keys))
    noisy = exact._replace(values=exact.values + noise)
    known, heard = Oracle(rules, table=exact), Oracle(rules, table=noisy)
    for row in exact.states:
        state = unpack(initial(rules), row)
        assert heard.best_moves(state) == known.best_moves(state)
        if not is_over(rules, state) and to_move(rules, state) != CHANCE:
            regrets = [(known.regret(state, move), heard.regret(state, move)) for move in legal(rules, state)]
            assert all((one == 0) == (other == 0) for one, other in regrets)
    for text in ("perfect", "random"):
        one, other = (petteia.regret(rules, text, table=table) for table in (exact, noisy))
        assert other.perfect_share == one.perfect_share
        assert other.mean == pytest.approx(one.mean, abs=TOLERANCE)
    of_noisy = petteia.regret(rules, PerfectPolicy(noisy))
    assert (of_noisy.mean, of_noisy.largest, of_noisy.perfect_share) == (0, 0, 1)


def test_perfect_ends_its_games_and_wins_as_often_as_it_should() -> None:
    expected = petteia.solve(PIG).value
    result = petteia.match(PIG, "perfect", "perfect", games=4000, seats="fixed", openings="none")
    assert result.stopped == 0
    assert abs(2 * result.score - 1 - expected) < 3 / 4000**0.5
    assert petteia.match(PIG, "perfect", "random", games=200).score > 0.7


def test_perfect_tells_what_it_knows() -> None:
    perfect = player("perfect", PIG)
    perfect.new_game(PIG, 1)
    decision = perfect.choose(initial(PIG), UNLIMITED)
    assert decision.values[decision.move] == decision.value == max(decision.values.values())
    assert decision.depth == 0


@pytest.mark.parametrize("rules", [PIG, pytest.param(Drawn(8, 60, SURE), marks=pytest.mark.slow)], ids=format_game)
@pytest.mark.parametrize("seat", [0, 1])
def test_regret_is_what_its_definition_says(rules: Any, seat: int) -> None:
    truth = slow_values(rules)
    assert truth is not None
    regrets, mistakes, largest, won, wins, given = list[float](), list[float](), 0.0, 0, 0.0, 0.0
    for state, value in truth.items():
        if is_over(rules, state) or to_move(rules, state) != seat:
            continue
        sign, moves = 1 - 2 * seat, legal(rules, state)
        after = [sign * truth[play(rules, state, move)] for move in moves]
        lost = [max(0.0, sign * value - each) for each in after]
        regrets.append(float(np.mean(lost)))
        mistakes.append(float(np.mean([each > 1e-10 for each in lost])))
        largest = max(largest, *lost)
        won += sign * value > 1e-10
        fallen = [each > 1e-10 and value_after <= 1e-10 for each, value_after in zip(lost, after, strict=True)]
        wins += float(np.mean(fallen)) if sign * value > 1e-10 else 0.0
        given += float(np.mean(fallen)) if sign * value > -1e-10 else 0.0
    found = petteia.regret(rules, "random", seat=seat)
    assert found.positions == len(regrets)
    assert found.mean == pytest.approx(np.mean(regrets))
    assert found.perfect_share == pytest.approx(1 - np.mean(mistakes))
    assert found.largest == pytest.approx(largest)
    assert (found.won, found.wins_lost, found.results_lost) == pytest.approx((won, wins, given))
    perfect = petteia.regret(rules, "perfect", seat=seat)
    assert (perfect.mean, perfect.perfect_share, perfect.largest, perfect.results_lost) == (0, 1, 0, 0)


@pytest.mark.slow
def test_regret_in_a_sample_of_all_is_that_of_both_seats() -> None:
    both = [petteia.regret(PIG, "random", seat=seat) for seat in (0, 1)]
    chance, best = (petteia.regret(PIG, text, seat="both") for text in ("random", "perfect"))
    assert chance.positions == sum(each.positions for each in both)
    assert chance.mean == pytest.approx(sum(each.mean * each.positions for each in both) / chance.positions)
    assert (best.mean, best.perfect_share, best.results_lost) == (0, 1, 0)


@pytest.mark.slow
def test_regret_over_games_has_an_interval() -> None:
    rows = [petteia.regret(PIG, "random", over="games", games=60, seed=seed) for seed in range(20)]
    truth = petteia.regret(PIG, "random", over="games", games=4000, seed=99).mean
    inside = [row.low <= truth <= row.high for row in rows if row.low is not None and row.high is not None]
    assert len(inside) == 20
    assert sum(inside) >= 16
    perfect = petteia.regret(PIG, "perfect", over="games", games=60)
    assert (perfect.mean, perfect.low) == (0.0, 0.0)


# The commands.


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    return (code, *capsys.readouterr())


def test_the_commands_tell_expectations(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = str(tmp_path / "pig")
    code, out, _ = ran(capsys, "solve", "pig:Pig:goal=4,faces=2", "--table", table, "--check")
    assert code == 0
    assert out.startswith(
        "pig:Pig:goal=4,faces=2, 0,0,0 first: expected margin +0.142857 for first\n"
        "52 reachable positions, symmetric ones counted once: better for first 26, for second 26, for neither 0\n"
    )
    assert "hold   -0.142857" in out
    assert "the table was checked" in out
    code, out, _ = ran(capsys, "solve", "pig:Pig:goal=4,faces=2", "--table", table, "--json")
    document = json.loads(out)
    assert document["value"] == pytest.approx(1 / 7)
    assert document["openings"] == {"hold": pytest.approx(-1 / 7), "roll": pytest.approx(1 / 7)}
    assert (document["plies"], document["line"], document["longest"]) == (None, [], None)
    assert document["opening_plies"] == {"hold": None, "roll": None}
    code, out, _ = ran(capsys, "regret", "pig:Pig:goal=4,faces=2", "perfect", "--table", table, "--json")
    assert (json.loads(out)["mean"], json.loads(out)["largest"]) == (0.0, 0.0)
    code, out, _ = ran(capsys, "match", "pig:Pig:goal=4,faces=2", "perfect", f"perfect:table={table}")
    assert code == 0


def test_perfect_is_asked_for_its_best_move(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("best", "pig:Pig:goal=4,faces=2", "--player", "perfect", "--position")
    code, out, _ = ran(capsys, *asked, "2,0,2 first")
    assert code == 0
    assert out.startswith("pig:Pig:goal=4,faces=2, 2,0,2 first\nbest move hold: expected value +1 for first\n")
    code, out, _ = ran(capsys, *asked, "2,0,2 first rolls")
    assert code == 0
    assert "chance node: expected value " in out


def test_what_is_wrong_is_one_line_and_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    text = "generated_games:Drawn:seed=4,cycles=any"
    code, out, err = ran(capsys, "solve", text)
    assert (code, out) == (2, "")
    assert f"petteia: {text}: in '19' play may continue (almost) without end" in err.splitlines()[-1]
