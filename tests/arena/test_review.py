"""Games looked at again: exact values beside those of `regret`, and a search's beside plain minimax."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chance_games import BearOff

import petteia
from petteia.arena.review import Review
from petteia.cli import main
from petteia.core.errors import InvalidError, Stopped, UsageError
from petteia.core.protocol import to_move

SMALL = "kalah:pits=3,seeds=2"


def games_of(game: Any, first: str, second: str, count: int, **more: Any) -> list[Any]:
    result = petteia.match(
        game, first, second, games=count, openings="none", seats="fixed", seed=3, moves=True, in_process=True, **more
    )
    return result.records()


@pytest.mark.parametrize("rules", [petteia.game("hare-and-hounds"), petteia.game(SMALL), BearOff()])
def test_exact_regrets_are_those_of_regret_to_the_digit(rules: Any) -> None:
    """Of the same games `petteia.regret` tells the same sum, and `Oracle` the same regret of each move."""
    oracle = petteia.Oracle(rules)
    told = [petteia.review(game) for game in games_of(rules, "random", "random", 6)]
    for review, game in zip(told, games_of(rules, "random", "random", 6), strict=True):
        for move, state, code in zip(review.moves, game.states(), game.moves, strict=False):
            if to_move(rules, state) in (0, 1):
                assert move.regret == oracle.regret(state, code)
                assert move.before == oracle.value(state)
                assert move.is_mistake == (move.regret > 0)
    measured = petteia.regret(rules, "random", over="games", against="random", games=6, seed=3, in_process=True)
    sides = [review.sides[0] for review in told]
    assert sum(side.moves for side in sides) == measured.positions
    assert sum(side.regret for side in sides) / measured.positions == pytest.approx(measured.mean, rel=1e-15)
    assert 1 - sum(side.mistakes for side in sides) / measured.positions == pytest.approx(measured.perfect_share)


def test_the_best_move_is_the_one_played_where_none_is_better() -> None:
    game = games_of("hare-and-hounds", "perfect", "perfect", 1)[0]
    told = petteia.review(game)
    assert told.is_exact
    assert [each.best for each in told.moves] == [each.move for each in told.moves]
    assert [each.plies_to_end for each in told.moves] == list(range(len(game.moves), 0, -1))
    assert told.mistakes == []
    assert len(told.moves[0].line) == len(told.moves)
    assert [side.mean for side in told.sides] == [0, 0]


@pytest.mark.parametrize("player", ["search:depth=3,won=no", "greedy:depth=3,won=no"])
def test_values_of_a_search_are_those_of_plain_minimax(player: str) -> None:
    rules = petteia.game(SMALL)
    game = games_of(rules, "random", "simple", 1)[0]
    told = petteia.review(game.write(), by=player)
    assert (told.is_exact, told.by, told.margin) == (False, player, game.outcome.margin)

    def value(position: petteia.Position, depth: int) -> float:
        if position.outcome is not None:
            return position.outcome.margin
        if depth == 0:
            return position.evaluate("store")
        values = [value(position.play(move), depth - 1) for move in position.moves]
        return max(values) if position.to_move == "south" else min(values)

    for move, state in zip(told.moves, game.states(), strict=False):
        position = petteia.position(rules, state)
        assert (move.before, move.after) == (value(position, 3), value(position.play(move.move), 2))
        assert move.regret == abs(move.before - move.after)
        assert move.is_mistake == (move.regret > 0.5)
        assert move.line[0] == move.best


def test_a_won_game_that_is_won_later_keeps_its_result() -> None:
    game = games_of("hare-and-hounds", "simple", "random", 8)[-1]
    told = petteia.review(game, by="search:depth=8")
    slower = [each for each in told.moves if each.is_won and each.best != each.move and each.regret == 0]
    assert all(each.before != each.after for each in slower)
    unknown = [each for each in told.moves if each.before is None]
    assert all(each.regret is None and not each.is_mistake for each in unknown if each.after is None)


def test_a_slip_is_what_the_caller_says() -> None:
    game = games_of(SMALL, "random", "random", 1)[0]
    counts = [len(petteia.review(game, slip=slip).mistakes) for slip in (0, 1, 100)]
    assert counts[0] >= counts[1] > counts[2] == 0


def test_what_cannot_be_reviewed_is_told() -> None:
    game = games_of("kalah", "random", "random", 1)[0]
    for arguments, words in (
        ({}, "review the game with a player"),
        ({"by": "random"}, "does not evaluate moves"),
        ({"by": "exact", "depth": 3}, "are computed without a limit"),
        ({"by": "search", "slip": -1}, "slip=-1"),
        ({"memory": 0}, "memory=0"),
        ({"by": "nonsense"}, "no player"),
    ):
        with pytest.raises(UsageError, match=words):
            petteia.review(game, **arguments)
    with pytest.raises(InvalidError):
        petteia.review("nonsense")


def test_a_review_is_stopped() -> None:
    game = games_of(SMALL, "random", "random", 1)[0]
    stop = petteia.Stop()
    told: Review = petteia.review(game, by="greedy:depth=2", progress=lambda move: stop.set(), stop=stop)
    assert told.was_interrupted
    assert len(told.moves) == 1
    with pytest.raises(Stopped):
        petteia.review(games_of("kalah:pits=4,seeds=2", "random", "random", 1)[0], stop=stop)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.txt").write_text(games_of("hare-and-hounds", "simple", "random", 1)[0].write())
    told = petteia.review(petteia.record("games.txt"))
    assert main(["record", "games.txt", "--review", "exact"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("mistake ") == len(told.mistakes)
    assert f"mean regret {told.sides[0].mean:,.6g} per move" in shown
    assert main(["record", "games.txt", "--review", "exact", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["review"]
    assert [each["regret"] for each in document["moves"]] == [each.regret for each in told.moves]
    assert main(["record", "games.txt", "--review", "search", "--depth", "4"]) == 0
    assert (
        "line after the best move" in capsys.readouterr().out
        or not petteia.review(petteia.record("games.txt"), by="search:depth=4").mistakes
    )
    assert main(["record", "games.txt", "--depth", "4"]) == 2
    assert "add --review" in capsys.readouterr().err
