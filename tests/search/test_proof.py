"""Proofs against the values of all positions, found in other ways; and what a sudden end leaves."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from proved_games import Blurred, Jagged, Patience, Plain, minimax
from solved_games import all_states
from tiny_games import Nim

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, PetteiaError, UsageError
from petteia.core.protocol import (
    format_move,
    format_state,
    image,
    image_move,
    initial,
    is_over,
    legal,
    parse_move,
    parse_state,
    play,
    to_move,
)
from petteia.games import game
from petteia.search import proof as proving
from petteia.search.memory import MEGABYTE
from petteia.search.proof import Bounds, Proof, _Prover
from petteia.search.searcher import memory_of_machine

TIC_TAC_TOE = "petteia.games.tic_tac_toe:TicTacToe"
BRITISH = tuple(
    f"british-square:size={size},end={end}"
    for size in (2, 3, 4)
    for end in ("both_blocked", "first_blocked", "any_blocked")
)
KALAHS = (
    "kalah:pits=2,seeds=2",
    "kalah:pits=2,seeds=3,end=either,capture=empty",
    "kalah:pits=3,seeds=2,end=either,leftovers=nobody",
    "kalah:pits=3,seeds=2,capture=without_capturer",
)
HARES = ("hare-and-hounds:stall=1", "hare-and-hounds:stall=3,first=hare,escape=end")
SMALL = (TIC_TAC_TOE, *BRITISH, *KALAHS, *HARES, "tiny_games:Nim:size=4", "tiny_games:Nim:heaps=2,end=misere")
GRAPHS = tuple(cls(seed=seed, prizes=3 + seed % 7) for seed in range(40) for cls in (Plain, Blurred))
OPENINGS_5X5 = ("11111", "12021", "10.01", "12021", "11111")
Value = Callable[[Any], int]
Told = list[tuple[str | None, Bounds, int, float]]


def contains(bounds: Bounds, value: int) -> bool:
    low, high = bounds
    return (low is None or low <= value) and (high is None or value <= high)


def fault_of(rules: Any, state: Any, value: Value, memory: int = MEGABYTE) -> str | None:
    """What is wrong with the proof of a position that is not over, with its openings, and with what is told of it."""
    told: Told = []
    proof = petteia.prove(rules, position=state, openings=True, memory=memory, progress=lambda *each: told.append(each))
    truth = value(state)
    worth = {format_move(rules, state, move): value(play(rules, state, move)) for move in legal(rules, state)}
    if not proof.low == proof.high == proof.value == truth:
        return f"{format_state(rules, state)}: {proof.low} to {proof.high}, is {truth}"
    if worth[str(proof.move)] != truth:
        return f"{format_state(rules, state)}: move {proof.move} is worth {worth[str(proof.move)]}, not {truth}"
    if {each.move: each[1:] for each in proof.openings} != {move: (each, each) for move, each in worth.items()}:
        return f"{format_state(rules, state)}: {proof.openings}, are {worth}"
    wrong = [each for each in told if not contains(each[1], truth if each[0] is None else worth[each[0]])]
    return f"{format_state(rules, state)}: told {wrong}" if wrong else None


def values_of(rules: Any) -> Value:
    oracle = petteia.Oracle(rules)
    return lambda state: int(oracle.value(state))


def positions_of(rules: Any, maximum: int | None = None) -> list[Any]:
    """Those that can be reached and are not over, or so many of them."""
    states = sorted(state for state in all_states(rules) if not is_over(rules, state))
    return states if maximum is None or len(states) <= maximum else random.Random(1).sample(states, maximum)


def reached(rules: Any, generator: random.Random) -> Any:
    """A position that is not over, somewhere in a random game."""
    while True:
        path, state = [], initial(rules)
        while not is_over(rules, state):
            path.append(state)
            state = play(rules, state, generator.choice(legal(rules, state)))
        if path:
            return generator.choice(path)


# What is proved.


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.lanes] * (name in KALAHS)) for name in SMALL])
def test_some_positions_are_worth_what_the_table_says(name: str) -> None:
    rules = game(name)
    value, generator = values_of(rules), random.Random(name)
    states = [initial(rules), *(reached(rules, generator) for _ in range(15))]
    assert [fault for state in states if (fault := fault_of(rules, state, value))] == []


@pytest.mark.heavy
@pytest.mark.parametrize("name", SMALL)
def test_every_position_is_worth_what_the_table_says(name: str) -> None:
    rules = game(name)
    value, states = values_of(rules), positions_of(rules)
    assert [fault for state in states if (fault := fault_of(rules, state, value))] == []


def test_drawn_graphs_are_worth_what_minimax_says() -> None:
    """Players move twice, there are scores, and keys of different nodes are the same."""
    faults = [fault_of(rules, state, minimax(rules)) for rules in GRAPHS[:20] for state in positions_of(rules, 4)]
    assert [fault for fault in faults if fault] == []


@pytest.mark.heavy
def test_every_node_of_drawn_graphs_is_worth_what_minimax_says() -> None:
    for rules in GRAPHS:
        value = minimax(rules)
        assert [fault for state in positions_of(rules) if (fault := fault_of(rules, state, value))] == []


def test_ends_that_are_worth_too_much_do_no_harm_where_they_are_not_reached() -> None:
    small = 0
    for seed in range(12):
        rules = Jagged(seed=seed)
        value = minimax(rules)
        for state in positions_of(rules, 8):
            if abs(value(state)) < rules.prizes:
                proof = petteia.prove(rules, position=state, memory=MEGABYTE)
                assert (proof.low, proof.high) == (value(state), value(state))
                small += 1
            else:
                with pytest.raises(
                    UsageError, match="the margins of the game are too large; all must be below 536,870,911"
                ):
                    petteia.prove(rules, position=state, memory=MEGABYTE)
    assert small > 20


def test_the_drawn_graphs_have_all_that_can_be_had() -> None:
    """Wins, losses and draws of many sizes, for who moves and who does not; and players who move twice."""
    rules = GRAPHS[0]
    values = {(to_move(rules, state), minimax(rules)(state)) for rules in GRAPHS for state in positions_of(rules)}
    assert {(side, worth) for side in (0, 1) for worth in range(-3, 4)} <= values
    assert any(
        to_move(rules, state) == to_move(rules, play(rules, state, move))
        for state in positions_of(rules)
        for move in legal(rules, state)
    )


@pytest.mark.parametrize("name", ["british-square:size=4", "hare-and-hounds:stall=2", "tiny_games:Nim:heaps=3,size=4"])
def test_images_of_a_position_have_images_of_its_moves(name: str) -> None:
    rules = game(name)
    value, generator = values_of(rules), random.Random(name)
    for _ in range(6):
        state = reached(rules, generator)
        for i in range(rules.images()):
            other = image(rules, state, i)
            proof = petteia.prove(rules, position=other, memory=MEGABYTE)
            assert proof.value == value(state)
            move = parse_move(rules, other, str(proof.move))
            assert value(play(rules, other, move)) == value(state)
            codes = {image_move(rules, each, i) for each in legal(rules, state)}
            assert move in codes


def test_british_square_of_5x5() -> None:
    proof = petteia.prove("british-square", openings=True, memory=50 * MEGABYTE)
    assert (proof.value, proof.was_interrupted) == (2, False)
    opening = {each.move: each.value for each in proof.openings}
    rows = ["".join(str(opening.get(f"{file}{rank}", ".")) for file in "abcde") for rank in (5, 4, 3, 2, 1)]
    assert tuple(rows) == OPENINGS_5X5
    assert opening[str(proof.move)] == 2


@pytest.mark.heavy
@pytest.mark.parametrize(("end", "value"), [("both_blocked", 0), ("first_blocked", 0), ("any_blocked", 1)])
def test_british_square_of_6x6(end: str, value: int) -> None:
    """In the first two the second player can answer each stone with its reflection in the centre, so 0 is the most."""
    assert petteia.prove(f"british-square:size=6,end={end}").value == value


@pytest.mark.heavy
@pytest.mark.parametrize("end", ["both_blocked", "first_blocked"])
def test_every_first_move_of_6x6_keeps_the_draw(end: str) -> None:
    proof = petteia.prove(f"british-square:size=6,end={end}", openings=True)
    assert [each.value for each in proof.openings] == [0] * 36


@pytest.mark.heavy
def test_random_graphs_and_positions_of_5x5(capsys: pytest.CaptureFixture[str]) -> None:
    generator = random.Random(7)
    tried = 0
    for seed in range(2000):
        rules = generator.choice((Plain, Blurred))(
            seed=seed, size=generator.randrange(10, 60), prizes=generator.randrange(1, 100)
        )
        value = minimax(rules)
        for state in positions_of(rules, 5):
            assert fault_of(rules, state, value) is None
            tried += 1
    rules = game("british-square")
    value = values_of(rules)
    for _ in range(10_000):
        state = reached(rules, generator)
        proof = petteia.prove(rules, position=state, memory=MEGABYTE)
        assert proof.value == value(state), format_state(rules, state)
        assert value(play(rules, state, parse_move(rules, state, str(proof.move)))) == value(state)
        tried += 1
    with capsys.disabled():
        print(f"\n{tried} positions were proved")


def test_a_game_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["new-game", "nim_to_prove"]) == 0
    capsys.readouterr()
    assert main(["prove", "nim_to_prove:NimToProve", "--memory", "1", "--json"]) == 0
    proved = json.loads(capsys.readouterr().out)
    assert proved["value"] == petteia.solve("nim_to_prove:NimToProve").value


# How it is found.

SIGNATURE = {
    "british-square:size=4": 1535,
    TIC_TAC_TOE: 2176,
    "kalah:pits=3,seeds=2": 109,
    "amazons:width=4,height=4": 7459,
}
"""Nodes of the proofs below. They change only on purpose, with the order or the number of the nodes of a proof."""


@pytest.mark.parametrize("name", SIGNATURE)
def test_the_same_proof_takes_the_same_nodes(name: str) -> None:
    nodes = {petteia.prove(name, memory=MEGABYTE).nodes for _ in range(2)}
    assert nodes == {SIGNATURE[name]}


def test_images_are_looked_at_once() -> None:
    told: Told = []
    proof = petteia.prove(
        "british-square:size=4", openings=True, memory=MEGABYTE, progress=lambda *each: told.append(each)
    )
    assert {each[0] for each in told} == {None, "a1", "b1", "b2"}
    assert len(proof.openings) == 16
    symmetric, plain = (petteia.prove(cls(heaps=4, size=4), memory=MEGABYTE).nodes for cls in (Nim, Unlike))
    assert symmetric < plain


class Unlike(Nim):
    """Its symmetries are not told."""

    def images(rules) -> int:
        return 1


def test_a_table_that_overflows_costs_nodes_and_nothing_else() -> None:
    small, large = (petteia.prove("british-square", openings=True, memory=size * MEGABYTE) for size in (1, 50))
    assert small[1:4] == large[1:4]
    assert [each[1:] for each in small.openings] == [each[1:] for each in large.openings]
    assert small.nodes > 1.1 * large.nodes


def test_a_proof_is_a_row() -> None:
    proof = petteia.prove("kalah:pits=2,seeds=2", memory=MEGABYTE, openings=True)
    assert list(pd.DataFrame([proof]).columns) == list(Proof._fields)
    assert len(pd.DataFrame(proof.openings)) == 2


# A sudden end.


@pytest.mark.parametrize(("stones", "truth"), [(90, 1), (91, 2)])
def test_what_is_proved_when_time_is_up_holds(stones: int, truth: int) -> None:
    """After its end no search can say more: it has gone through a handful of 2^60 lines."""
    told: Told = []
    proof = petteia.prove(
        Patience(stones=stones),
        seconds=0.2,
        openings=True,
        memory=MEGABYTE,
        progress=lambda *each: told.append(each),
    )
    assert told[0][1] == (1, None)
    assert all(contains(each[1], truth) for each in told if each[0] is None)
    assert contains((proof.low, proof.high), truth)
    assert (proof.low, proof.value, proof.was_interrupted) == (1, None, False)
    assert 0.2 <= proof.seconds < 20  # which is no measure of speed: else it would go on for ever
    assert proof.move == "0"
    assert [each[1:] for each in proof.openings if each.move == "0"] == [(1, 1)]
    assert all(contains(each[1:], 2 if stones % 3 == int(each.move) else -2) for each in proof.openings[1:])


def test_stopped_after_any_number_of_nodes_the_bounds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of the same search begun again with the table that the stop has left."""
    rules, open_still = game("british-square:size=4"), 0
    value = values_of(rules)
    for state in (initial(rules), *positions_of(rules, 2)):
        prover = _Prover(rules, MEGABYTE, None)
        for maximum in (1, 2, 5, 20, 50, 51, 52, 100, 200, 400, 800, 1500, 2500):
            monkeypatch.setattr(proving, "UNLIMITED_NODES", maximum)
            proof = prover.prove(state, True, None)
            assert proof.nodes <= maximum
            assert contains((proof.low, proof.high), value(state))
            sign, minimum = (1, proof.low) if to_move(rules, state) == 0 else (-1, proof.high)
            assert (proof.move is None) == (minimum is None)
            if proof.move is not None and minimum is not None:
                assert sign * value(play(rules, state, parse_move(rules, state, proof.move))) >= sign * minimum
            for each in proof.openings:
                assert contains(each[1:], value(play(rules, state, parse_move(rules, state, each.move))))
            open_still += proof.value is None
    assert open_still > 10


def test_an_interrupt_gives_the_bounds_so_far() -> None:
    proof = petteia.prove(Patience(), memory=MEGABYTE, progress=lambda *each: os.kill(os.getpid(), signal.SIGINT))
    assert (proof.low, proof.high, proof.move, proof.was_interrupted) == (1, None, "0", True)


def test_an_error_while_it_tells_what_it_has_proved_comes_out() -> None:
    def fail(*each: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        petteia.prove("kalah:pits=2,seeds=2", memory=MEGABYTE, progress=fail)


def test_what_is_wrong_in_python_is_an_error_of_its_own() -> None:
    for changed in ({"seconds": 0.0}, {"memory": MEGABYTE - 1}, {"memory": memory_of_machine() + 1}):
        with pytest.raises(UsageError, match="must be "):
            petteia.prove("kalah", **changed)  # type: ignore[arg-type]  # each is of its own kind
    with pytest.raises(InvalidError, match="the game is over"):
        petteia.prove(TIC_TAC_TOE, position="xxx/oo./... o")
    with pytest.raises(PetteiaError):
        petteia.prove("kalah", position=parse_state(game("kalah:pits=2,seeds=2"), "2,2,0/2,2,0 s"))
