"""Certain wins where chance moves, held against sets of positions; and as searches and commands tell them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from generated_games import ANY, NONE, SURE, Drawn
from solved_games import all_states
from tiny_games import DiceRace, Nim
from typer.testing import CliRunner

import petteia
from petteia.cli.app import app
from petteia.core.decision import Limit
from petteia.core.errors import PetteiaError
from petteia.core.protocol import CHANCE, initial, is_over, legal, margin, play, to_move
from petteia.features.evaluation import Zero
from petteia.players import player
from petteia.search import certainty, searcher
from petteia.search.certainty import is_certain
from petteia.search.memory import memory_for
from petteia.search.searcher import Searcher


def won_within(rules: Any, side: int, max_depth: int) -> list[set[Any]]:
    """The positions from which `side` wins for sure within 0, 1, 2... plies, each set from the one before it."""
    sign = 1 - 2 * side
    states = all_states(rules)
    ended = {state for state in states if is_over(rules, state)}
    won = [{state for state in ended if sign * margin(rules, state) > 0}]
    following = {state: {play(rules, state, move) for move in legal(rules, state)} for state in set(states) - ended}
    for _ in range(max_depth):
        chosen = {state for state, after in following.items() if to_move(rules, state) == side and after & won[-1]}
        forced = {state for state, after in following.items() if to_move(rules, state) != side and after <= won[-1]}
        won.append(won[0] | chosen | forced)
    return won


def agrees_with_sets(rules: Any, max_depth: int) -> int:
    """How many positions that are not over are won for sure; it must be the same ones."""
    memory = memory_for(rules)
    found = 0
    for side in (0, 1):
        for depth, won in enumerate(won_within(rules, side, max_depth)):
            certain = {state for state in all_states(rules) if is_certain(rules, memory, state, side, depth)}
            assert certain == won, (rules, side, depth)
            found += sum(not is_over(rules, state) for state in won)
    return found


@pytest.mark.lanes
@pytest.mark.parametrize("cycles", [NONE, SURE, ANY])
def test_certain_wins_of_drawn_games_are_those_of_sets(cycles: int) -> None:
    assert all(agrees_with_sets(Drawn(seed, 20, cycles), 6) for seed in (1, 3, 6))


@pytest.mark.heavy
@pytest.mark.parametrize("cycles", [NONE, SURE, ANY])
def test_certain_wins_of_many_drawn_games_are_those_of_sets(cycles: int) -> None:
    found = [agrees_with_sets(Drawn(seed, 8 + seed % 17, cycles), 7) for seed in range(100)]
    assert sum(each > 0 for each in found) > 60


@pytest.mark.slow
def test_certain_wins_of_a_race_are_those_of_sets() -> None:
    assert agrees_with_sets(DiceRace(goal=4), 8)


class Loaded(DiceRace):
    """Its die always shows the highest face, and the others are listed with it."""

    def chances(rules, state: Any, moves: Any, probabilities: Any) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = 1.0 if face == rules.faces else 0.0
        return rules.faces


@pytest.mark.slow
def test_what_cannot_fall_prevents_no_win() -> None:
    for rules, wins in ((DiceRace(goal=2, faces=2), False), (Loaded(goal=2, faces=2), True)):
        assert is_certain(rules, memory_for(rules), initial(rules), 0, 2) == wins


class Given(Drawn):
    """Player 0 wins wherever it ends, and the rules know it all along."""

    def margin(rules, state: Any) -> int:
        return 1

    def decided(rules, state: Any) -> bool:
        return True


@pytest.mark.slow
def test_a_decided_game_need_not_end() -> None:
    rules = Given()
    assert [is_certain(rules, memory_for(rules), initial(rules), side, 0) for side in (0, 1)] == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("cycles", [NONE, SURE, ANY])
def test_a_search_calls_certain_what_is_certain_after_its_move(cycles: int) -> None:
    """Both wins and losses, and no line of which only the expectation is good or bad."""
    told = {"win": 0, "loss": 0, "neither": 0}
    for seed in range(20):
        rules = Drawn(seed, 20, cycles)
        won = [won_within(rules, side, 6) for side in (0, 1)]
        known = Searcher(rules, Zero(), megabytes=1)
        for state in all_states(rules):
            if is_over(rules, state) or to_move(rules, state) == CHANCE:
                continue
            thought = known.search(state, Limit(depth=6), multipv=4, certainty=True)
            for variation in thought.variations:
                after = play(rules, state, variation.moves[0])
                certain = [after in won[side][thought.depth - 1] for side in (0, 1)]
                assert variation.is_won == any(certain), (rules, state)
                assert variation.plies_to_end is None
                if variation.is_won:
                    assert variation.value is not None
                    assert certain[0 if variation.value > 0 else 1]
                    told["win" if certain[to_move(rules, state)] else "loss"] += 1
                else:
                    told["neither"] += 1
    assert min(told.values()) > 50


def test_what_is_not_found_among_so_many_positions_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Drawn(40, 20)
    memory = memory_for(rules)
    won = won_within(rules, 0, 4)
    far = won[4] - won[3]
    assert far
    assert all(is_certain(rules, memory, state, 0, 4) for state in far)
    for maximum in (0, 1, 3):
        monkeypatch.setattr(certainty, "MAX_POSITIONS", maximum)
        assert not any(is_certain(rules, memory, state, 0, 4) for state in far)
        assert all(is_certain(rules, memory, state, 0, 0) for state in won[0])


@pytest.mark.slow
def test_who_does_not_ask_does_not_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a game without chance, whose won ends have values of their own."""

    def refuse(*arguments: Any) -> bool:
        raise PetteiaError("asked")

    monkeypatch.setattr(searcher, "is_certain", refuse)
    rules = Drawn(6, 20)
    state = next(each for each in all_states(rules) if not is_over(rules, each) and to_move(rules, each) != CHANCE)
    thinker = player("search:depth=4,table=1", rules)
    thinker.new_game(rules, 0)
    assert thinker.choose(state, Limit()).move in legal(rules, state)
    with pytest.raises(PetteiaError, match="asked"):
        petteia.best(rules, position=state, player="search:table=1", depth=4)
    assert petteia.best(Nim(), player="search:table=1", depth=9).lines[0].is_won


# As users meet it.


FERRY = '''
"""Ferry: cross by the bridge for one point, or by boat for three, which sinks one time in ten and loses a point."""

from typing import NamedTuple

from petteia.core.protocol import CHANCE, Limits

BRIDGE, BOAT, ARRIVES, SINKS = 0, 1, 2, 3


class Place(NamedTuple):
    number: int
    side: int


class Ferry(NamedTuple):
    def initial(rules):
        return Place(0, 0)

    def to_move(rules, state):
        return CHANCE if state.number == 2 else state.side

    def moves(rules, state, out):
        out[0], out[1] = BRIDGE, BOAT
        return 2

    def chances(rules, state, moves, probabilities):
        moves[0], moves[1] = ARRIVES, SINKS
        probabilities[0], probabilities[1] = 0.9, 0.1
        return 2

    def play(rules, state, move):
        return Place(move + 1, state.side)

    def is_over(rules, state):
        return state.number == 1 or state.number > 2

    def margin(rules, state):
        worth = (1, 0, 3, -1)[state.number - 1]
        return worth if state.side == 0 else -worth

    def key(rules, state):
        return 2 * state.number + state.side

    def injective(rules):
        return True

    def limits(rules):
        return Limits(moves=2, codes=4, plies=2)

    def format_state(rules, state):
        return f"{state.number} {state.side}"

    def parse_state(rules, text):
        number, side = text.split()
        return Place(int(number), int(side))

    def format_move(rules, state, move):
        return ("bridge", "boat", "arrives", "sinks")[move]
'''


@pytest.fixture
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game as its author writes it, in the folder in which they work."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "ferry.py").write_text(FERRY, encoding="utf-8")
    return "ferry:Ferry"


@pytest.mark.slow
@pytest.mark.parametrize(("side", "sign", "winner"), [(0, "+", "first"), (1, "-", "second")])
def test_what_is_expected_is_told_from_what_is_certain(ferry: str, side: int, sign: str, winner: str) -> None:
    """The boat is better in the mean; only the bridge wins for sure."""
    typed = ["best", ferry, "--position", f"0 {side}", "--depth", "3", "--lines", "2"]
    shown = CliRunner().invoke(app, typed)
    assert f"best move boat: expected value {sign}2.6001 for first\n" in shown.stdout
    assert f"{winner} is certain to win, expected value {sign}1 for first" in shown.stdout
    written = json.loads(CliRunner().invoke(app, [*typed, "--json"]).stdout)
    assert [(line["move"], line["is_won"]) for line in written["lines"]] == [("boat", False), ("bridge", True)]
