"""Players that search, evaluations of one's own, and what is refused in one line."""

from __future__ import annotations

import math
from typing import Any

import minimax
import pytest
import searched_games
from searched_games import states

import petteia
from petteia.arena.alternate import Conditions, alternate
from petteia.arena.contest import SEATS
from petteia.arena.match import match
from petteia.arena.openings import parse_openings
from petteia.cli import main
from petteia.core.decision import Limit
from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.core.identity import is_importable
from petteia.core.protocol import initial, legal, parse_state, play, to_move
from petteia.features.evaluation import Zero, evaluate
from petteia.features.evaluations import EVALUATIONS, MAXIMUM, evaluation_for
from petteia.features.margin_so_far import MarginSoFar
from petteia.features.store_difference import StoreDifference
from petteia.games import game
from petteia.players import player
from petteia.players.player import UNLIMITED, notices
from petteia.policies.play_games import match_keys
from petteia.search.ends import BY_MARGIN, DECIDED, EARLY
from petteia.search.searcher import points

KALAH = game("kalah:pits=4,seeds=3")
BROAD = game("kalah:pits=7,seeds=7")
"""too large to be searched to the end"""
AHEAD = "4,4,4,4,4,1,3/4,4,4,4,4,3,1 s"
MIXED = "mixed:first=(greedy:depth=2),second=random,share=0.5"


def from_python(rules: Any, first: str, second: str, games: int, seed: int) -> tuple[Any, ...]:
    starts, plies, _ = parse_openings("random:2", rules)
    conditions = Conditions(rules, starts, plies, SEATS["both"], 1000, UNLIMITED, match_keys(seed))
    return tuple(alternate(conditions, player(first, rules), player(second, rules), range(games)))


# Players.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("kalah:pits=4,seeds=3", "greedy:depth=3,table=1", MIXED),
        ("kalah:pits=4,seeds=3", "greedy:won=no", MIXED.replace("0.5", "0.8")),
        ("hare-and-hounds", "greedy:depth=3", "random"),
    ],
)
def test_compiled_games_are_those_driven_from_python(name, first, second):
    rules = game(name)
    compiled = match(rules, first, second, games=24, seed=3)
    assert compiled.rows == from_python(rules, first, second, 24, 3)
    assert compiled.rows == match(rules, first, second, games=24, seed=3, jobs=2).rows
    assert len({row.digest for row in compiled.rows}) > 12


@pytest.mark.slow
def test_games_of_search_are_the_same_for_any_jobs():
    first, second = "search:table=1,nodes=500,ties=random", "random"
    alone = match(KALAH, first, second, games=8, seed=3)
    assert alone.rows == match(KALAH, first, second, games=8, seed=3, jobs=2).rows
    assert alone.rows != match(KALAH, first, second, games=8, seed=4).rows
    assert alone.score > 0.5


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("", EARLY | DECIDED),
        (",early=no", DECIDED),
        (",decided=no", EARLY),
        (",early=no,decided=no", 0),
        (",won=no", BY_MARGIN),
    ],
)
def test_the_options_of_ends_say_what_they_do(text, ends):
    """Both players tell the value of minimax, and the line to it."""
    rules, found = states("kalah:pits=2,seeds=2", 30)
    for state in found:
        known = minimax.values(rules, StoreDifference(), ends, state, 4)
        best = max(known.values()) if to_move(rules, state) == 0 else min(known.values())
        for name in (f"greedy:depth=4{text}", f"search:depth=4,exact=yes,table=none{text}"):
            thinker = player(name, rules)
            thinker.new_game(rules, 7)
            decision = thinker.choose(state, UNLIMITED)
            assert decision.value == points(StoreDifference(), rules, best)
            assert known[decision.move] == best
            assert decision.line[0] == decision.move
            assert 1 <= decision.depth <= 4
            assert decision.nodes > 0
            after = state
            for move in decision.line:
                assert move in legal(rules, after)
                after = play(rules, after, move)


def test_a_limit_replaces_the_own_one_of_its_kind():
    state = initial(KALAH)
    for name, limit, depth in (
        ("search:depth=2", UNLIMITED, 2),
        ("search:depth=2", Limit(depth=4), 4),
        ("search:depth=4", Limit(depth=2), 2),
        ("search", Limit(depth=3), 3),
        ("search:depth=9", Limit(nodes=1), 1),
        ("search:nodes=1", Limit(depth=9, seconds=60.0), 1),
        ("greedy", Limit(depth=3), 3),
        ("greedy:depth=4", Limit(depth=2), 2),
        ("greedy:depth=3", Limit(nodes=10**6), 3),
        ("greedy", Limit(nodes=1), 1),
    ):
        thinker = player(name, KALAH)
        thinker.new_game(KALAH, 0)
        assert thinker.choose(state, limit).depth == depth


def test_a_player_of_fixed_depth_searches_deeper_as_long_as_a_limit_of_nodes_or_time_allows():
    state = initial(BROAD)
    thinker = player("greedy", BROAD)
    thinker.new_game(BROAD, 0)
    depth = thinker.choose(state, Limit(nodes=10_000)).depth
    assert depth > 3
    assert thinker.choose(state, UNLIMITED).depth == 1
    assert thinker.choose(state, Limit(nodes=100)).depth < depth
    decision = thinker.choose(state, Limit(seconds=0.05))
    assert decision.depth > 1
    assert decision.seconds < 5


def test_games_under_a_limit_of_depth_are_those_of_players_of_this_depth():
    """Every game has a new seed, on which the choice among best moves depends."""
    limited = match(KALAH, "greedy", "random", games=6, seed=2, limit=Limit(depth=2))
    assert [row.digest for row in limited.rows] == [
        row.digest for row in match(KALAH, "greedy:depth=2", "random", games=6, seed=2).rows
    ]
    mixed = match(KALAH, MIXED, "random", games=6, seed=2, limit=Limit(depth=1))
    assert mixed.games == 6


@pytest.mark.parametrize(
    "name", ["random", "simple", "heuristic", "perfect", "mixed:first=random,second=simple,share=1"]
)
def test_a_limit_that_nobody_takes_is_refused(name):
    rules = game("kalah:pits=2,seeds=2")
    told = rf"^player {name} takes no limit of depth; only players that search accept one$"
    with pytest.raises(UsageError, match=told):
        petteia.best(rules, player=name, depth=3)
    with pytest.raises(UsageError, match=told):
        match(rules, name, name, games=2, limit=Limit(depth=3))
    with pytest.raises(UsageError, match=rf"^players {name} and human take no limit of nodes or time; only"):
        petteia.differ(rules, name, "human", limit=Limit(nodes=3, seconds=1.0))
    with pytest.raises(UsageError, match=told):
        petteia.play_at_terminal(rules, name, name, limit=Limit(depth=3), write=lambda text: None)
    with pytest.raises(UsageError, match=r"^players human and simple take no limit of depth"):
        petteia.play_at_terminal(rules, "human", "simple", limit=Limit(depth=3), write=lambda text: None)


def test_a_limit_is_for_the_one_of_two_players_that_takes_it():
    alone = match(KALAH, "greedy:depth=2", "random", games=2, seed=2)
    assert match(KALAH, "random", "own_players:Lower", games=2, limit=Limit(depth=2)).games == 2
    assert match(KALAH, "greedy", "random", games=2, seed=2, limit=Limit(depth=2)).rows == alone.rows
    assert petteia.differ(KALAH, "greedy:depth=2", "random", positions=2, limit=Limit(depth=1)).positions == 2


def test_the_command_line_tells_which_player_takes_no_limit(capsys):
    assert main(["best", "kalah", "--player", "simple", "--time", "1"]) == 2
    assert (
        capsys.readouterr().err
        == "petteia: player simple takes no limit of time; only players that search accept one\n"
    )


def test_a_search_that_nothing_limits_takes_as_long_as_best_does_and_says_so(monkeypatch):
    monkeypatch.setattr("petteia.players.search.SECONDS", 0.02)
    told = "player search: no limit of time, depth or nodes is given; it uses 0.02 seconds per move"
    thinker = player("search", BROAD)
    thinker.new_game(BROAD, 0)
    decision = thinker.choose(initial(BROAD), UNLIMITED)
    assert decision.depth >= 1
    assert decision.seconds >= 0.02
    mixed = player("mixed:first=search,second=random,share=0.5", BROAD)
    assert notices(thinker, mixed) == (told,)
    assert notices(thinker, mixed, limit=Limit(nodes=9)) == ()
    assert notices(player("search:depth=2", BROAD)) == ()
    assert petteia.best(BROAD).notes == (told,)
    assert petteia.match(BROAD, "search", "simple", games=2, max_plies=1).notes == (told,)
    assert petteia.match(BROAD, "search", "simple", games=2, limit=Limit(depth=1)).notes == ()
    assert petteia.differ(BROAD, "search", "simple", positions=1).notes == (told,)
    assert petteia.differ(BROAD, "search", "simple", positions=1, limit=Limit(depth=1)).notes == ()


def test_a_table_is_forgotten_at_the_next_game():
    thinker = player("search:depth=6,table=1", KALAH)
    told = []
    for _ in range(2):
        thinker.new_game(KALAH, 0)
        told.append([thinker.choose(initial(KALAH), UNLIMITED).nodes for _ in range(2)])
    assert told[0] == told[1]
    assert told[0][1] < told[0][0], "within a game it is used"


# Evaluations.


def values(evaluation: str) -> dict[str, float]:
    """Of all moves in a position of Kalah that is good for South."""
    text = f"search:table=1,exact=yes,evaluation={evaluation}"
    return dict(petteia.best("kalah", player=text, position=AHEAD, depth=3, lines=99).values)


@pytest.mark.slow
def test_evaluations_of_ones_own():
    truth = values("store")
    assert len(truth) == 6
    assert values("searched_games:lead") == truth
    expected = {move: value / 8 if abs(value) < 3 else math.copysign(MAXIMUM, value) for move, value in truth.items()}
    assert len(set(expected.values())) > 1
    assert MAXIMUM in expected.values()
    assert values("searched_games:part") == expected


def test_an_evaluation_is_a_function_or_a_value():
    assert evaluation_for(KALAH) == StoreDifference()
    assert type(evaluation_for(game("hare-and-hounds"))) is Zero
    assert type(evaluation_for(KALAH, searched_games.lead)) is type(evaluation_for(KALAH, "searched_games:lead"))
    doubled = evaluation_for(KALAH, "searched_games:Doubled")
    assert doubled == evaluation_for(KALAH, searched_games.Doubled(2)) == searched_games.Doubled(2)
    assert all(kind.help and "\n" not in kind.help for kind in EVALUATIONS.values())


def times(factor: int) -> Any:
    def lead(rules, state):
        return factor * (state.south_store - state.north_store)

    return lead


def test_only_a_function_found_under_its_name_is_compiled_for_other_processes():
    state = parse_state(KALAH, "3,3,3,3,7/3,1,1,0,0 s")
    made = [evaluation_for(KALAH, times(factor)) for factor in (1, 3)]
    assert [evaluate(each, KALAH, state) for each in made] == [7, 21]
    assert type(made[0]) is not type(made[1])
    assert not is_importable(type(made[0]))
    assert is_importable(type(evaluation_for(KALAH, searched_games.lead)))


@pytest.mark.slow
def test_a_game_of_ones_own_needs_nothing_but_its_rules():
    rules = game("solved_games:Maze")
    known = minimax.values(rules, MarginSoFar(), EARLY | DECIDED, initial(rules), 6)
    found = petteia.best("solved_games:Maze", player="search:table=1", depth=6)
    assert found.value == points(MarginSoFar(), rules, max(known.values()))
    assert petteia.match("solved_games:Maze", "search:table=1,depth=6", "random", games=8).score > 0.5


# What is refused.

BAD = [
    ("greedy:depth=0", "depth=0: must be in 1..250"),
    ("greedy:depth=10000", "depth=10000: must be in 1..250"),
    ("search:depth=251", "depth=251: must be in 1..250"),
    ("search:depth=many", "depth=many: must be a whole number"),
    ("greedy:table=0", "table=0: must be 1 or more megabytes"),
    ("greedy:table=99999999", "table=99999999: must be at most"),
    ("search:table=99999999", "table=99999999: must be at most"),
    ("search:nodes=0", "nodes=0: must be 1 or more"),
    ("search:time=0", "time=0: must be a number of seconds, more than 0"),
    ("search:time=nan", "time=nan: must be a number of seconds, more than 0"),
    ("greedy:won=maybe", "won=maybe: must be one of yes, no"),
    ("greedy:won=no,early=yes", "early=yes and won=no exclude each other"),
    ("search:ties=last", "ties=last: must be one of first, random"),
    ("greedy:nodes=3", "player greedy has no option 'nodes'"),
    ("search:evaluation=stor", "there is no evaluation 'stor'; did you mean 'store'?"),
    ("search:evaluation=good", "choose from zero, margin, store, or module:function"),
    ("greedy:evaluation=searched_games:one_parameter", "has the parameters (state); they must be (rules, state)"),
    ("greedy:evaluation=searched_games:failing", "raised ZeroDivisionError"),
    ("greedy:evaluation=searched_games:wordy", "returned 'good'; must be a number"),
    ("greedy:evaluation=searched_games:forgetful", "returned None; must be a number"),
    (
        "greedy:evaluation=searched_games:Plain",
        "evaluation Plain: must be a function with the parameters (rules, state)",
    ),
    ("greedy:evaluation=searched_games:Needy", "every field of Needy needs a default"),
    ("greedy:evaluation=builtins:max", "'builtins' is a module of Python itself"),
    ("greedy:evaluation=tiny_games:Range", "evaluation Range: must be a function with the parameters (rules, state)"),
]
COMPILED = [
    ("greedy:evaluation=searched_games:listing", "searched_games.py, line"),
]
MISSING = [
    ("greedy:evaluation=no_such_module:lead", "there is no module 'no_such_module'"),
    ("greedy:evaluation=searched_games:follow", "module 'searched_games' has no function 'follow'"),
]
COMMANDS = [
    (("match", "tiny_games:DiceRace", "greedy:won=yes", "random"), 2, "won=yes: tiny_games:DiceRace has chance"),
    (
        ("match", "tiny_games:DiceRace", "search:early=yes", "random"),
        2,
        "has chance, so finished games are scored by their margin",
    ),
    (("best", "tiny_games:DiceRace", "--lines", "2"), 2, "lines=2: must be 1 at a chance node"),
    (("best", "tiny_games:DiceRace", "--player", "random", "--depth", "2"), 2, "random takes no limit of depth"),
    (
        ("best", "hare-and-hounds", "--player", "search:evaluation=store"),
        2,
        "evaluation store: this evaluation works only for kalah, not for",
    ),
    (("best", "kalah", "--depth", "0"), 2, "depth=0: must be more than 0"),
    (("best", "kalah", "--depth", "10000"), 2, "depth=10000: must be in 1..250"),
    (("best", "kalah", "--nodes", "0"), 2, "nodes=0: must be more than 0"),
    (("best", "kalah", "--time", "0"), 2, "must be more than 0"),
    (("best", "kalah", "--lines", "0"), 2, "lines=0: must be more than 0"),
    (("best", "kalah", "--position", "0,0,0,0,0,0,31/0,0,0,0,0,1,16 s"), 4, "the game is over"),
]
CASES = [
    *((("match", "kalah", text, "random", "--games", "2"), 2, message) for text, message in BAD + COMPILED),
    *((("match", "kalah", text, "random", "--games", "2"), 3, message) for text, message in MISSING),
    *COMMANDS,
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "code", "message"), CASES, ids=[" ".join(each[0]) for each in CASES])
def test_wrong_input_gives_one_line(command, code, message, capsys):
    assert main(command) == code
    out, err = capsys.readouterr()
    assert out == ""
    said = [line for line in err.splitlines() if not line.startswith("petteia: compiling ")]
    assert len(said) == 1
    assert message in said[0]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_wrong_players_are_refused_in_python(text, message):
    with pytest.raises(UsageError) as raised:
        player(text, KALAH)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_is_no_function_is_no_evaluation():
    for given in (5, len, None.__class__, searched_games.Plain()):
        with pytest.raises(UsageError, match=r"must be a function with the parameters \(rules, state\)"):
            evaluation_for(KALAH, given)
    with pytest.raises(UsageError, match="raised AttributeError"):
        evaluation_for(game("hare-and-hounds"), StoreDifference())
    with pytest.raises(UsageError, match="'searched_games:' is not of the form module:Name"):
        evaluation_for(KALAH, "searched_games:")
    with pytest.raises(NotFoundError, match="has no function 'Nothing'"):
        evaluation_for(KALAH, "searched_games:Nothing")
    over = parse_state(game("kalah"), "0,0,0,0,0,0,31/0,0,0,0,0,1,16 s")
    with pytest.raises(InvalidError, match="the game is over"):
        player("search:depth=2", game("kalah")).choose(over, UNLIMITED)
