"""A position as an object: its moves and values, its board as a picture, and random games held against the protocol."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from golden_games import OF_ALL_KINDS
from PIL import Image
from small_agents import write_agent

import petteia
from petteia.core import protocol
from petteia.core.protocol import CHANCE, format_move, format_state, initial, is_over, legal, margin, parse_state, seats
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import linear, weighted_sum
from petteia.games import game
from petteia.value_functions.report_weights import report_weights

KALAH = petteia.position("kalah")
"""with turns that do not alternate, passes, chance, and several players of chance in a row"""


def follow(text: str, seed: int) -> int:
    """Play a random game by `Position` and by the verbs of the protocol, and compare; the number of plies."""
    rules, draw = game(text), random.Random(f"{text} {seed}")
    state, plies = initial(rules), 0
    position = petteia.Position(rules, state)
    while not is_over(rules, state) and plies < 200:
        side, codes = protocol.to_move(rules, state), legal(rules, state)
        names = [format_move(rules, state, code) for code in codes]
        assert (position.state, position.text) == (state, format_state(rules, state))
        assert (position.is_over, position.outcome) == (False, None)
        if side == CHANCE:
            assert (position.to_move, position.moves, list(position.chances)) == ("chance", (), names)
            assert sum(position.chances.values()) == pytest.approx(1)
        else:
            assert (position.to_move, list(position.moves)) == (seats(rules)[side], names)
            assert position.chances == {}
        place = draw.randrange(len(codes))
        before, state = state, protocol.play(rules, state, codes[place])
        following = position.play(names[place])
        assert following.last == (before, codes[place])
        assert following == petteia.Position(rules, state)
        assert position.state == before
        position, plies = following, plies + 1
    if is_over(rules, state):
        won = margin(rules, state)
        assert (position.to_move, position.moves, position.chances) == (None, (), {})
        assert position.outcome is not None
        assert position.outcome[:2] == (None if won == 0 else seats(rules)[won < 0], won)
    return plies


@pytest.mark.parametrize("text", OF_ALL_KINDS)
def test_random_games_are_those_of_the_protocol(text: str) -> None:
    assert sum(follow(text, seed) for seed in range(40)) > 80


@pytest.mark.heavy
@pytest.mark.parametrize("text", OF_ALL_KINDS)
def test_many_random_games_are_those_of_the_protocol(text: str) -> None:
    for seed in range(40, 10_000):
        follow(text, seed)


def test_positions_are_values() -> None:
    moved = KALAH.play("6", "2")
    assert moved == KALAH.play("6").play("2") == petteia.position("kalah", moved.text) == eval(repr(moved))
    assert len({KALAH, KALAH.play(), moved, petteia.position("kalah", moved)}) == 2
    assert pickle.loads(pickle.dumps(moved)) == copy.deepcopy(moved) == moved
    assert KALAH != "kalah"
    assert petteia.position("kalah:seeds=3") != KALAH
    with pytest.raises(AttributeError):
        KALAH.state = moved.state  # type: ignore[misc]  # what is tested


def test_positions_of_two_games_differ_even_if_their_numbers_are_the_same() -> None:
    nim, tossed = petteia.position("tiny_games:Nim"), petteia.position("chance_games:TossedNim")
    assert (nim.rules, nim.state) == (tossed.rules, tossed.state)
    assert nim != tossed


def test_results_in_words() -> None:
    over = {
        "kalah": {"0,0,0,0,0,0,26/0,0,0,0,0,0,22 n": "south won by 4", "0,0,0,0,0,0,24/0,0,0,0,0,0,24 n": "draw"},
        "tiny_games:Nim": {"0,0,0 second": "first won"},
    }
    for text, results in over.items():
        for position, words in results.items():
            assert str(petteia.position(text, position).outcome) == words


def test_results_have_the_score_of_games_that_count() -> None:
    over = {
        "kalah": ("0,0,0,0,0,0,27/0,0,0,0,0,0,21 n", (27, 21, "stones"), "27 stones to 21"),
        "kalah:pits=3,seeds=1": ("0,0,0,1/1,0,0,4 s", (1, 5, "stones"), "5 stones to 1"),
        "kalah:pits=3,seeds=1,leftovers=nobody": ("0,0,0,1/1,0,0,4 s", (1, 4, "stones"), "4 stones to 1"),
        "kalah:pits=1,seeds=1": ("0,1/0,1 n", (1, 1, "stone"), "1 stone to 1"),
        "british-square:size=2": ("xx/xx x", (4, 0, "stones"), "4 stones to 0"),
        "tiny_games:Nim": ("0,0,0 second", None, ""),
    }
    for text, (position, score, words) in over.items():
        outcome = petteia.position(text, position).outcome
        assert outcome is not None
        assert (outcome.score, outcome.points) == (score, words)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: KALAH.play("9"), "move '9' is not legal in '4,.* s'; choose from 1 2 3 4 5 6"),
        (lambda: petteia.position("kalah", "4,4 s"), "position '4,4 s'.*"),
        (
            lambda: petteia.position("kalah", petteia.position("kalah:seeds=3")),
            "position: belongs to kalah:seeds=3, .*",
        ),
        (
            lambda: petteia.best("kalah", position=petteia.position("british-square")),
            "position: belongs to british-.*",
        ),
        (lambda: petteia.position("tiny_games:Nim", "0,0,0 first").play("1-1"), "move '1-1': the game is over .*"),
    ],
)
def test_bad_input_is_one_line(call, message) -> None:
    with pytest.raises(petteia.InvalidError, match=f"^{message}$"):
        call()


def test_no_compiler_is_needed_but_to_search() -> None:
    code = """
import sys
import petteia
position = petteia.position("kalah").play("6", "2")
shown = [position.moves, position.outcome, position.board, position.board._repr_svg_(), hash(position), position]
print(len(shown), *sorted({"numba", "numpy", "scipy", "pydantic"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("6\n", "")


def test_best_is_what_best_says() -> None:
    position = petteia.position("hare-and-hounds").play("0-2")
    found = position.best(depth=3, lines=2)
    assert found._replace(seconds=0.0) == petteia.best("hare-and-hounds", position=position, depth=3, lines=2)._replace(
        seconds=0.0
    )
    assert position.best("simple").move == position.moves[0]


def half(rules, state) -> float:
    return 0.5


def test_values_without_looking_ahead(tmp_path: Path) -> None:
    """Player 0's in points, whoever moves: south has one stone more in its store."""
    for position in (KALAH.play("3"), KALAH.play("6")):
        assert position.evaluate("store") == position.evaluate("greedy") == position.evaluate("search:depth=4") == 1
    assert KALAH.evaluate("zero") == 0
    assert KALAH.evaluate(half) == 0.5
    assert petteia.position("kalah", "0,0,0,0,0,0,26/0,0,0,0,0,0,22 n").evaluate("theta") == 4
    agent = write_agent(tmp_path / "hounds.safetensors")
    start = petteia.position("hare-and-hounds")
    assert start.evaluate(f"q:agent={agent}") == start.best(f"q:agent={agent}").value
    with pytest.raises(petteia.UsageError, match=r"^player random gives no values of positions; choose one"):
        KALAH.evaluate("random")
    with pytest.raises(petteia.UsageError, match=r"^there is no player 'grandmaster'"):
        KALAH.evaluate("grandmaster")


def test_the_value_of_weights_is_the_sum_of_weights_and_features() -> None:
    weights = linear(KALAH.rules, ReportFeatures(), report_weights())
    for move in KALAH.moves:
        position = KALAH.play(move)
        expected = weighted_sum(weights, position.rules, position.state)
        assert position.evaluate("theta:agent=report") == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("text", ["british-square", "tiny_games:Nim"])
def test_boards_are_saved(text: str, tmp_path: Path) -> None:
    board = petteia.position(text).board
    board.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == board._repr_svg_()
    board.save(str(tmp_path / "board.png"))
    with Image.open(tmp_path / "board.png") as picture:
        assert f'width="{picture.width // 2}"' in board._repr_svg_()


def test_the_picture_shows_what_the_drawing_shows(tmp_path: Path) -> None:
    """Pits in their colour, and the numbers of stones: where only the stores differ, so do the numbers beside them."""
    pictures = []
    for south, north in ((20, 20), (12, 28)):
        text = f"4,4,0,0,0,0,{south}/0,0,0,0,0,0,{north} s"
        petteia.position("kalah", text).board.save(tmp_path / "board.png")
        with Image.open(tmp_path / "board.png") as picture:
            pictures.append(np.array(picture.convert("RGB"), np.int64))
    first, second = pictures
    assert first.shape == second.shape == (640, 1696, 3)
    number, pits = (slice(130, 160), slice(135, 162)), (slice(None), slice(250, 1440))
    assert (first[number] != second[number]).any()
    assert (first[pits] == second[pits]).all()
    assert tuple(first[440, 1000]) == (0xB5, 0x80, 0x3F)


def test_files_that_cannot_be_written_are_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(petteia.UsageError, match=r"^path='board.jpg': must end with .svg or .png$"):
        KALAH.board.save("board.jpg")
    with pytest.raises(petteia.PetteiaError, match=r"^.*board.svg: cannot be written: No such file"):
        KALAH.board.save(tmp_path / "nowhere" / "board.svg")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(petteia.PetteiaError, match=r"^PNG files need additional packages.*petteia\[plot\]"):
        KALAH.board.save(tmp_path / "board.png")


def test_a_board_shows_the_last_move() -> None:
    position = petteia.position("hare-and-hounds", "0,1,6/10 hounds 0")
    assert 'hh-arrow"' not in position.board._repr_svg_()
    moved = position.play("6-9")
    assert moved.state == parse_state(moved.rules, "0,1,9/10 hare 0")
    assert "after 6-9" in moved.board._repr_svg_()
