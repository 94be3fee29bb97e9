"""What the solved game says of positions, and the players that play by it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import own_players
import pytest
from solved_games import Maze, NumberedMaze, Truth, VagueMaze, all_states, brute_force, lost
from tiny_games import Nim

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import format_move, format_state, initial, is_over, legal, limits, play, to_move
from petteia.core.random import stream
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.players import PolicyPlayer, player
from petteia.players.mixed import MixedPlayer
from petteia.players.player import UNLIMITED
from petteia.policies.mixed_policy import MixedPolicy
from petteia.policies.perfect_policy import PerfectPolicy
from petteia.policies.play_games import match_keys, play_games
from petteia.policies.policy import Lowest, Uniform, choose, probabilities, tells_probabilities, workspace
from petteia.solver.oracle import Oracle

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
    maximum = max((rank(rules, truth, state, move) for move in moves), default=None)
    return [move for move in moves if rank(rules, truth, state, move) == maximum]


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


@pytest.mark.slow
def test_the_oracle_refuses_what_it_cannot_know() -> None:
    oracle = Oracle("solved_games:Maze:size=100")
    unreached = all_states(NumberedMaze(size=100)) - all_states(Maze(size=100))
    text = format_state(Maze(), next(iter(unreached)))
    for ask in (oracle.value, oracle.distance, oracle.best_moves):
        with pytest.raises(InvalidError, match="is not in the table, because it cannot be reached"):
            ask(text)
    assert Oracle("solved_games:Maze:size=100", position=text).value(text) is not None
    with pytest.raises(InvalidError, match="must look like"):
        oracle.value("here")


# Players.


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(("text", "plies"), [("hare-and-hounds", 23), ("hare-and-hounds:first=hare", 24)])
def test_perfect_wins_as_fast_and_loses_as_slowly_as_it_can(text: str, plies: int) -> None:
    rows = petteia.match(text, "perfect", "perfect", games=40, seats="fixed", openings="none").rows
    assert {(row.margin, row.plies) for row in rows} == {(1, plies)}
    assert len({row.digest for row in rows}) > 1
    for second in ("random", "simple", "mixed:first=perfect,second=random,share=0.5"):
        rows = petteia.match(text, "perfect", second, games=40, seats="fixed", openings="none").rows
        assert all(row.margin == 1 and row.plies <= plies for row in rows)


MIXED = "mixed:first=perfect,second=(mixed:first=simple,second=random,share=0.25),share=0.5"


@pytest.mark.slow
@pytest.mark.parametrize("first", ["perfect", MIXED])
def test_the_same_games_compiled_and_from_python(first: str) -> None:
    one, two = player(first, HARE), player("mixed:first=perfect,second=simple,share=0.3", HARE)
    conditions = Conditions(HARE, (initial(HARE),), 2, (0, 1), 1000, UNLIMITED, match_keys(9))
    plain = [row.digest for row in alternate(conditions, one, two, range(30))]
    policies = (one.policy(HARE), two.policy(HARE))
    compiled = play_games(HARE, initial(HARE), *policies, games=30, keys=match_keys(9), seats=(0, 1), opening=2)
    assert list(compiled[:, 3]) == plain


@pytest.mark.slow
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


@pytest.mark.slow
def test_perfect_by_a_table_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "nim"
    petteia.solve("tiny_games:Nim", table=path)
    result = petteia.match("tiny_games:Nim", f"perfect:table={path}", "perfect", games=4)
    assert result.score == 0.5
    with pytest.raises(InvalidError, match="contains values of tiny_games:Nim, not of tiny_games:Nim:heaps=2"):
        player(f"perfect:table={path}", Nim(heaps=2))
    with pytest.raises(NotFoundError):
        player("perfect:table=nowhere", Nim())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "mixed:first=perfect,second=random",
            "option share is missing; give it as in mixed:first=perfect,second=random,share=0.7",
        ),
        ("mixed:share=1", "first is missing"),
        ("mixed:first=perfect,second=random,share=1.01", "share=1.01: must be a number in 0..1"),
        ("mixed:first=perfect,second=random,share=nan", "share=nan: must be a number in 0..1"),
        ("mixed:first=perfct,second=random,share=1", "did you mean 'perfect'?"),
        ("mixed:first=random,second=random,share=1,third=x", "has no option 'third'"),
        ("mixed:first=own_players:Hound,second=(mixed:first=own_players:Hound,second=random,share=1),share=1", None),
        ("perfect:depth=3", "has no option 'depth'; its options are table"),
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
        with pytest.raises(InvalidError, match="is not in the table, because it cannot be reached"):
            petteia.match("solved_games:Maze:size=100", "perfect", "perfect", games=games, position=start)
