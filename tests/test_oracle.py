"""What the solved game says of positions, the players that play by it, and what others give away against it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import own_players
import pandas as pd
import pytest
from solved_games import Maze, NumberedMaze, Truth, VagueMaze, all_states, brute_force
from tiny_games import Nim

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.arena.match import UNLIMITED
from petteia.cli import main
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import format_move, format_state, initial, is_over, legal, limits, play, to_move
from petteia.core.random import stream
from petteia.games import format_game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.players import PolicyPlayer, player
from petteia.players.mixed import MixedPlayer
from petteia.policies.duel import duel, match_keys
from petteia.policies.mixed import MixedPolicy
from petteia.policies.perfect import PerfectPolicy
from petteia.policies.policy import Lowest, Uniform, choose, probabilities, tells_probabilities, workspace
from petteia.solver import files
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build

HARE = HareAndHounds()
RULES = (NumberedMaze(seed=5), HareAndHounds(stall=0), HareAndHounds(stall=2, escape=1), Nim())


@pytest.fixture(scope="module", params=RULES, ids=format_game)
def known(request: pytest.FixtureRequest) -> tuple[Any, Oracle, dict[Any, Truth]]:
    """A game, its oracle, and what brute force says."""
    return request.param, Oracle(request.param), brute_force(request.param)


def rank(rules: Any, truth: dict[Any, Truth], state: Any, move: int) -> tuple[int, int]:
    """A move by what matters to the mover: first the value, then a quick win or a slow loss."""
    value, distance = truth[play(rules, state, move)]
    gain = value if to_move(rules, state) == 0 else -value
    return gain, 0 if distance is None else -distance if gain > 0 else distance if gain < 0 else 0


def best(rules: Any, truth: dict[Any, Truth], state: Any) -> list[int]:
    moves = legal(rules, state)
    most = max((rank(rules, truth, state, move) for move in moves), default=None)
    return [move for move in moves if rank(rules, truth, state, move) == most]


def lost(rules: Any, truth: dict[Any, Truth], state: Any, move: int) -> int:
    sign = 1 if to_move(rules, state) == 0 else -1
    return sign * (truth[state].value - truth[play(rules, state, move)].value)


# What is known of positions and moves.


def test_the_oracle_says_what_brute_force_says(known: tuple[Any, Oracle, dict[Any, Truth]]) -> None:
    rules, oracle, truth = known
    regrets = Counter[int]()
    for state, (value, distance) in truth.items():
        text = format_state(rules, state)
        assert (oracle.value(state), oracle.distance(text)) == (value, distance)
        assert oracle.best_moves(text) == best(rules, truth, state)
        for move in legal(rules, state):
            regrets[oracle.regret(state, move)] += 1
            assert oracle.regret(state, move) == lost(rules, truth, state, move)
    assert min(regrets) == 0
    assert len(regrets) > 1


def test_the_oracle_refuses_what_it_cannot_know() -> None:
    oracle = Oracle("solved_games:Maze:size=100")
    unreached = all_states(NumberedMaze(size=100)) - all_states(Maze(size=100))
    text = format_state(Maze(), next(iter(unreached)))
    for ask in (oracle.value, oracle.distance, oracle.best_moves):
        with pytest.raises(InvalidError, match="is not in the table, as it cannot be reached"):
            ask(text)
    assert Oracle("solved_games:Maze:size=100", position=text).value(text) is not None
    with pytest.raises(InvalidError, match="must look like"):
        oracle.value("here")


# Players.


def test_perfect_plays_every_best_move_equally_often(known: tuple[Any, Oracle, dict[Any, Truth]]) -> None:
    rules, oracle, truth = known
    policy, work, random = PerfectPolicy(oracle.table), workspace(rules), [4]
    tied = 0
    for state in sorted(truth)[:: max(1, len(truth) // 60)]:
        if is_over(rules, state):
            continue
        expected = best(rules, truth, state)
        out = np.zeros(limits(rules).moves)
        count = probabilities(policy, rules, state, 1.0, out, work)
        shares = dict(zip(legal(rules, state), out[:count], strict=True))
        assert shares == {move: 1 / len(expected) if move in expected else 0.0 for move in shares}
        played = Counter(
            int(choose(policy, rules, state, random, work)) for _ in range(400 if len(expected) > 1 else 1)
        )
        assert set(played) == set(expected)
        for move in played if len(expected) > 1 else ():
            assert abs(played[move] / 400 - 1 / len(expected)) < 0.13
            tied += 1
    assert tied or isinstance(rules, NumberedMaze)


@pytest.mark.parametrize(("text", "plies"), [("hare-and-hounds", 23), ("hare-and-hounds:first=hare", 24)])
def test_perfect_wins_as_fast_and_loses_as_slowly_as_it_can(text: str, plies: int) -> None:
    rows = petteia.match(text, "perfect", "perfect", games=40, seats="fixed", openings="none").rows
    assert {(row.margin, row.plies) for row in rows} == {(1, plies)}
    assert len({row.digest for row in rows}) > 1
    for second in ("random", "simple", "mixed:first=perfect,second=random,share=0.5"):
        rows = petteia.match(text, "perfect", second, games=40, seats="fixed", openings="none").rows
        assert all(row.margin == 1 and row.plies <= plies for row in rows)


MIXED = "mixed:first=perfect,second=(mixed:first=simple,second=random,share=0.25),share=0.5"


@pytest.mark.parametrize("first", ["perfect", MIXED])
def test_the_same_games_compiled_and_from_python(first: str) -> None:
    one, two = player(first, HARE), player("mixed:first=perfect,second=simple,share=0.3", HARE)
    conditions = Conditions(HARE, (initial(HARE),), 2, (0, 1), 1000, UNLIMITED, match_keys(9))
    plain = [row.digest for row in alternate(conditions, one, two, range(30))]
    policies = (one.policy(HARE), two.policy(HARE))
    compiled = duel(HARE, initial(HARE), *policies, games=30, keys=match_keys(9), seats=(0, 1), opening=2)
    assert list(compiled[:, 3]) == plain


def test_a_ladder_of_hares_from_random_to_perfect() -> None:
    hounds = "mixed:first=perfect,second=random,share=0.9"
    hares = [f"mixed:first=perfect,second=random,share={share}" for share in (0, 0.35, 0.7, 1)]
    scores = [petteia.match("hare-and-hounds", hounds, hare, games=1000, seats="fixed").score for hare in hares]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] - scores[-1] > 0.2


def test_mixed_plays_each_of_the_two_as_often_as_it_says() -> None:
    policy, work, random = MixedPolicy(Lowest(), Uniform(), 0.75), workspace(HARE), [3]
    start = initial(HARE)
    played = Counter(int(choose(policy, HARE, start, random, work)) for _ in range(4000))
    moves = legal(HARE, start)
    out = np.zeros(limits(HARE).moves)
    probabilities(policy, HARE, start, 1.0, out, work)
    for move, share in zip(moves, out[: len(moves)], strict=True):
        assert share == pytest.approx(0.75 * (move == min(moves)) + 0.25 / len(moves))
        assert abs(played[move] / 4000 - share) < 0.03


def test_mixed_takes_players_of_any_kind() -> None:
    text = "mixed:first=own_players:Lower,second=(own_players:Highest:bonus=0.25),share=0.5"
    mixed = player(text, HARE)
    assert isinstance(mixed, MixedPlayer)
    assert mixed.policy(HARE) is None
    result = petteia.match("hare-and-hounds", text, "random", games=6)
    assert (result.games, result.illegal) == (6, 0)
    mixed.new_game(HARE, stream(1, 2))
    moves = {mixed.choose(initial(HARE), UNLIMITED).move for _ in range(30)}
    assert moves == {min(legal(HARE, initial(HARE))), max(legal(HARE, initial(HARE)))}
    cheats = petteia.match("hare-and-hounds", "mixed:first=own_players:CheatingPolicy,second=random,share=1", "random")
    assert cheats.illegal == cheats.games
    assert player("mixed:first=own_players:Hound,second=random,share=0.5", HARE).seats == (0,)
    assert isinstance(player("mixed:first=perfect,second=random,share=0.5", HARE), PolicyPlayer)


def test_whether_a_policy_tells_depends_on_its_parts() -> None:
    assert tells_probabilities(MixedPolicy(Lowest(), MixedPolicy(Uniform(), Uniform(), 0.5), 0.5))
    assert not tells_probabilities(MixedPolicy(Lowest(), own_players.Highest(), 0.5))


def test_perfect_tells_what_it_knows() -> None:
    perfect = player("perfect", HareAndHounds(stall=0))
    perfect.new_game(HareAndHounds(stall=0), 1)
    rules = HareAndHounds(stall=0)
    state = rules.parse_state("0,1,4/2 hounds 0")
    decision = perfect.choose(state, UNLIMITED)
    assert (decision.value, decision.depth) == (1.0, 27)
    names = {format_move(rules, state, move): value for move, value in decision.values.items()}
    assert names == {"0-3": -1.0, "1-5": 0.0, "4-5": 1.0, "4-7": 0.0}
    adviser = perfect.adviser()
    assert adviser is not None
    assert adviser.policy(rules) == perfect.policy(rules)


def test_games_of_equal_options_are_not_taken_for_each_other() -> None:
    """As tuples they are equal."""
    assert Maze(size=60, seed=5) == NumberedMaze(size=60, seed=5)
    tables = [player("perfect", each).policy(each).table for each in (Maze(seed=5), NumberedMaze(seed=5))]
    assert len(tables[0].keys) < len(tables[1].keys)


def test_perfect_by_a_table_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "nim"
    petteia.solve("tiny_games:Nim", table=path)
    result = petteia.match("tiny_games:Nim", f"perfect:table={path}", "perfect", games=4)
    assert result.score == 0.5
    with pytest.raises(InvalidError, match="is a table of tiny_games:Nim, not of tiny_games:Nim:heaps=2"):
        player(f"perfect:table={path}", Nim(heaps=2))
    with pytest.raises(NotFoundError):
        player("perfect:table=nowhere", Nim())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mixed:first=perfect,second=random", "share is missing, as in mixed:first=perfect,second=random,share=0.7"),
        ("mixed:share=1", "first is missing"),
        ("mixed:first=perfect,second=random,share=1.01", "share=1.01: must be a number in 0..1"),
        ("mixed:first=perfect,second=random,share=nan", "share=nan: must be a number in 0..1"),
        ("mixed:first=perfct,second=random,share=1", "did you mean 'perfect'?"),
        ("mixed:first=random,second=random,share=1,third=x", "has no option 'third'"),
        ("mixed:first=own_players:Hound,second=(mixed:first=own_players:Hound,second=random,share=1),share=1", None),
        ("perfect:depth=3", "has no option 'depth'; it has table"),
    ],
)
def test_wrong_players_are_refused_in_one_line(text: str, message: str | None) -> None:
    if message is None:
        assert player(text, HARE).seats == (0,)
        return
    with pytest.raises(UsageError) as raised:
        player(text, HARE)
    assert message in str(raised.value)


def test_a_game_that_cannot_be_solved_has_no_perfect_player() -> None:
    with pytest.raises(UsageError, match="may have the same key"):
        player("perfect", VagueMaze())


def test_perfect_says_when_it_is_lost() -> None:
    unreached = all_states(NumberedMaze(size=100)) - all_states(Maze(size=100))
    start = next(each for each in sorted(unreached) if not is_over(Maze(), each))
    for games in (2, 40):
        with pytest.raises(InvalidError, match="is not in the table, as it cannot be reached"):
            petteia.match("solved_games:Maze:size=100", "perfect", "perfect", games=games, position=start)


# What others give away.


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
        "wins_given_away": wins,
        "given_away": given,
    }


def any_move(rules: Any, state: Any) -> dict[int, float]:
    return dict.fromkeys(legal(rules, state), 1 / len(legal(rules, state)))


def lowest_move(rules: Any, state: Any) -> dict[int, float]:
    return {move: float(move == min(legal(rules, state))) for move in legal(rules, state)}


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
        assert (found[2].mean, found[2].perfect_share, found[2].largest, found[2].given_away) == (0, 1, 0, 0)
    assert list(pd.DataFrame(found).columns) == list(found[0]._fields)


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


def test_the_interval_of_a_player_whose_moves_are_drawn() -> None:
    rules = HareAndHounds(stall=0)
    exact = petteia.regret(rules, "random")
    rows = [petteia.regret(rules, "own_players:Drawing", seed=seed) for seed in range(24)]
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


def test_perfect_games_leave_a_doubt_and_repeated_ones_a_note() -> None:
    found = petteia.regret(HARE, "perfect", over="games", games=50)
    assert (found.mean, found.low) == (0.0, 0.0)
    assert 0 < (found.high or 0) < 0.3
    repeated = petteia.regret(HARE, "simple", over="games", against="simple", games=50)
    assert repeated.notes == ("only 1 of the 50 games are distinct; repeats are no evidence",)


def test_a_table_learned_for_one_side_is_measured_on_that_side(tmp_path: Path) -> None:
    path = petteia.train("hare-and-hounds", side="hare", games=40, evaluation_games=10, runs=tmp_path).run.path
    found = petteia.regret("hare-and-hounds", f"q:agent={path}", over="all")
    assert (found.seat, found.positions) == ("hare", 10800)
    with pytest.raises(UsageError, match="does not play hounds; its seat is hare"):
        petteia.regret("hare-and-hounds", f"q:agent={path}", seat="hounds")


def test_regret_by_a_table_from_a_file_and_from_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "table"
    files.save(path, HARE, build(HARE))
    assert petteia.regret(HARE, "simple", table=path) == petteia.regret(HARE, "simple")
    there = petteia.regret(HARE, "simple", position="5,6,8/10 hounds 3")
    assert 0 < there.positions < 3000


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"over": "some"}, UsageError, "over='some': must be games, reachable or all"),
        ({"game": "solved_games:Maze", "over": "all"}, UsageError, "does not number its positions"),
        ({"game": "tiny_games:DiceRace"}, UsageError, "chance moves in it"),
        ({"games": 0}, UsageError, "games=0: must be 1 or more"),
        ({"max_plies": 0}, UsageError, "max_plies=0"),
        ({"seed": -1}, UsageError, "seed=-1"),
        ({"seat": "hunter"}, UsageError, "side 'hunter'"),
        ({"subject": "own_players:Hound", "seat": 1}, UsageError, "does not play hare"),
        ({"over": "games", "against": "own_players:Hound"}, UsageError, "does not play hare"),
        ({"subject": "own_players:Cheat"}, PetteiaError, "move code 0 is not legal in"),
        ({"subject": "own_players:Cheat", "over": "games"}, PetteiaError, "move code 0 is not legal in"),
        ({"subject": "own_players:Raiser"}, PetteiaError, "ZeroDivisionError"),
        ({"position": "0,1,3/3 hare 0"}, InvalidError, "both stand on 3"),
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
    assert {"schema", "perfect_share", "mean", "largest", "positions", "low", "high", "given_away"} <= set(document)
    assert document["low"] < document["mean"] < document["high"]
    assert main(["regret", "hare-and-hounds", "nobody"]) == 2
    assert capsys.readouterr().err.startswith("petteia: there is no player 'nobody'")
