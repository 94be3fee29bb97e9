"""The regret of players in solved games: its definition, its mean over games, and its interval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import own_players
import pandas as pd
import pytest
from flat_options import train
from solved_games import NumberedMaze, Truth, brute_force, lost
from tiny_games import Nim

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import initial, is_over, legal, play, to_move
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.players import PolicyPlayer, player
from petteia.players.player import UNLIMITED
from petteia.policies.play_games import match_keys
from petteia.solver import files
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build

HARE = HareAndHounds()
RULES = (NumberedMaze(seed=5), HareAndHounds(stall=0), HareAndHounds(stall=2, escape=1), Nim())


@pytest.fixture(scope="module", params=RULES, ids=format_game)
def known(request: pytest.FixtureRequest) -> tuple[Any, Oracle, dict[Any, Truth]]:
    """A game, its oracle, and what brute force says."""
    return request.param, Oracle(request.param), brute_force(request.param)


def expected(rules: Any, truth: dict[Any, Truth], states: Any, seat: int, shares: Any) -> dict[str, float]:
    """The figures by their definitions; `shares(state)` are the probabilities of moves."""
    regrets, mistakes, largest, won, wins, given = list[float](), list[float](), 0, 0, 0.0, 0.0
    for state in states:
        if is_over(rules, state) or to_move(rules, state) != seat:
            continue
        sign = 1 if seat == 0 else -1
        value = sign * truth[state].value
        after = {move: sign * truth[play(rules, state, move)].value for move in legal(rules, state)}
        probability = shares(state)
        regrets.append(sum(probability[move] * (value - after[move]) for move in after))
        mistakes.append(sum(probability[move] for move in after if after[move] < value))
        largest = max([largest, *(value - after[move] for move in after if probability[move])])
        won += value > 0
        wins += sum(probability[move] for move in after if value > 0 >= after[move])
        given += sum(probability[move] for move in after if np.sign(after[move]) < np.sign(value))
    return {
        "positions": len(regrets),
        "perfect_share": 1 - float(np.mean(mistakes)),
        "mean": float(np.mean(regrets)),
        "largest": largest,
        "won": won,
        "wins_lost": wins,
        "results_lost": given,
    }


def any_move(rules: Any, state: Any) -> dict[int, float]:
    return dict.fromkeys(legal(rules, state), 1 / len(legal(rules, state)))


def lowest_move(rules: Any, state: Any) -> dict[int, float]:
    return {move: float(move == min(legal(rules, state))) for move in legal(rules, state)}


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("over", ["reachable", "all"])
@pytest.mark.parametrize(("text", "shares"), [("random", any_move), ("simple", lowest_move)])
def test_regret_is_what_its_definition_says(
    known: tuple[Any, Oracle, dict[Any, Truth]], text: str, shares: Any, over: Any, seat: int
) -> None:
    rules, _, truth = known
    waiting, reached = [initial(rules)], {initial(rules)}
    while waiting:
        state = waiting.pop()
        new = {play(rules, state, move) for move in legal(rules, state)} - reached
        reached |= new
        waiting += new
    states = truth if over == "all" else reached
    found = petteia.regret(rules, text, over=over, seat=seat)
    for name, value in expected(rules, truth, states, seat, lambda state: shares(rules, state)).items():
        assert getattr(found, name) == pytest.approx(value), name
    assert (found.low, found.high, found.games) == (None, None, None)


def test_regret_of_the_perfect_and_of_mixtures() -> None:
    for seat in ("hounds", "hare"):
        shares = [0, 0.5, 1]
        found = [
            petteia.regret(HARE, f"mixed:first=perfect,second=random,share={share}", over="all", seat=seat)
            for share in shares
        ]
        assert found[0][5:] == petteia.regret(HARE, "random", over="all", seat=seat)[5:]
        assert found[1].mean == pytest.approx(found[0].mean / 2)
        assert (found[2].mean, found[2].perfect_share, found[2].largest, found[2].results_lost) == (0, 1, 0, 0)
    assert list(pd.DataFrame(found).columns) == list(found[0]._fields)


@pytest.mark.slow
def test_regret_over_games_is_that_of_the_moves_played() -> None:
    rules = HareAndHounds(stall=2, escape=1)
    truth = brute_force(rules)
    found = petteia.regret(rules, "random", over="games", against="simple", games=50, seat="hare", seed=4)
    one, two = player("random", rules), player("simple", rules)
    seen = list[tuple[Any, int]]()

    class Spy(PolicyPlayer):
        def choose(self, state: Any, limit: Any) -> Any:
            decision = super().choose(state, limit)
            seen.append((state, decision.move))
            return decision

    conditions = Conditions(rules, (initial(rules),), 0, (1, 1), 1000, UNLIMITED, match_keys(4))
    list(alternate(conditions, Spy(one.policy(rules), "spy"), two, range(50)))
    regrets = [lost(rules, truth, state, move) for state, move in seen]
    assert (found.positions, found.games, found.against) == (len(seen), 50, "simple")
    assert found.mean == pytest.approx(np.mean(regrets))
    assert found.largest == max(regrets)
    assert found.perfect_share == pytest.approx(np.mean(np.array(regrets) == 0))
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low < found.mean < found.high <= 2


def holds_about_as_often_as_it_says(rows: list[Any], truth: float) -> None:
    assert sum(row.low <= truth <= row.high for row in rows) >= 0.83 * len(rows)
    halves = [(row.high - row.low) / 2 for row in rows]
    assert 1.2 < np.mean(halves) / np.std([row.mean for row in rows], ddof=1) < 3.2


@pytest.mark.slow
def test_the_interval_of_a_player_whose_moves_are_drawn() -> None:
    rules = HareAndHounds(stall=0)
    exact = petteia.regret(rules, "random")
    rows = [petteia.regret(rules, "own_players:Drawing", seed=seed, in_process=True) for seed in range(24)]
    assert {row.positions for row in rows} == {exact.positions}
    holds_about_as_often_as_it_says(rows, exact.mean)


def test_the_interval_over_games() -> None:
    rules = HareAndHounds(stall=0)
    truth = petteia.regret(rules, "random", over="games", games=3000, seed=99).mean
    rows = [petteia.regret(rules, "random", over="games", games=50, seed=seed) for seed in range(30)]
    holds_about_as_often_as_it_says(rows, truth)


def test_a_player_of_ones_own_that_never_varies_is_measured_exactly() -> None:
    found = petteia.regret(HARE, own_players.Highest(), seat=1)
    assert found.low == pytest.approx(found.mean)
    assert found.high == pytest.approx(found.mean)
    assert found.mean > 0


@pytest.mark.slow
def test_perfect_games_leave_a_doubt_and_repeated_ones_a_note() -> None:
    found = petteia.regret(HARE, "perfect", over="games", games=50)
    assert (found.mean, found.low) == (0.0, 0.0)
    assert 0 < (found.high or 0) < 0.3
    repeated = petteia.regret(HARE, "simple", over="games", against="simple", games=50)
    assert repeated.notes == ("only 1 of the 50 games are distinct, and repeated games are no evidence",)


def test_a_table_learned_for_one_side_is_measured_on_that_side(tmp_path: Path) -> None:
    path = train("hare-and-hounds", side="hare", games=40, evaluation_games=10, runs=tmp_path).run.path
    found = petteia.regret("hare-and-hounds", f"q:agent={path}", over="all")
    assert (found.seat, found.positions) == ("hare", 10800)
    with pytest.raises(UsageError, match="does not play hounds, but only hare; choose this side"):
        petteia.regret("hare-and-hounds", f"q:agent={path}", seat="hounds")


@pytest.mark.slow
def test_regret_by_a_table_from_a_file_and_from_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "table"
    files.save(path, HARE, build(HARE))
    assert petteia.regret(HARE, "simple", table=path) == petteia.regret(HARE, "simple")
    there = petteia.regret(HARE, "simple", position="5,6,8/10 hounds 3")
    assert 0 < there.positions < 3000


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"over": "some"}, UsageError, "over='some': must be 'games', 'reachable', 'all' or a function"),
        ({"game": "solved_games:Maze", "over": "all"}, UsageError, "does not define the methods `positions`"),
        ({"games": 0}, UsageError, "games=0: must be 1 or more"),
        ({"max_plies": 0}, UsageError, "max_plies=0"),
        ({"seed": -1}, UsageError, "seed=-1"),
        ({"seat": "hunter"}, UsageError, "side 'hunter'"),
        ({"subject": "own_players:Hound", "seat": 1}, UsageError, "does not play hare"),
        ({"over": "games", "against": "own_players:Hound"}, UsageError, "does not play hare"),
        ({"subject": "own_players:Cheat"}, PetteiaError, "move code 0 is not legal in"),
        ({"subject": "own_players:Cheat", "over": "games"}, PetteiaError, "move code 0 is not legal in"),
        ({"subject": "own_players:Raiser"}, PetteiaError, "ZeroDivisionError"),
        ({"position": "0,1,3/3 hare 0"}, InvalidError, "both stand on square 3"),
        ({"position": "7,9,10/8 hounds 0", "seat": 1}, UsageError, "the game is over there|no position in which hare"),
        ({"table": "nowhere"}, NotFoundError, "nowhere"),
    ],
    ids=str,
)
def test_what_cannot_be_measured_is_one_line(
    arguments: dict[str, Any], error: type[PetteiaError], message: str
) -> None:
    with pytest.raises(PetteiaError, match=message) as raised:
        petteia.regret(**{"game": "hare-and-hounds", "subject": "random"} | arguments)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, error | InvalidError)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regret", "hare-and-hounds", "simple", "--over", "all", "--seat", "hare"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("simple as hare at hare-and-hounds, over all positions\n")
    for figure in ("10,800", "96.28%", "0.0744", "402 of 9,674"):
        assert figure in out
    assert main(["regret", "hare-and-hounds", "random", "--over", "games", "--games", "20", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {"schema", "perfect_share", "mean", "largest", "positions", "low", "high", "results_lost"} <= set(document)
    assert document["low"] < document["mean"] < document["high"]
    assert main(["regret", "hare-and-hounds", "nobody"]) == 2
    assert capsys.readouterr().err.startswith("petteia: there is no player 'nobody'")
