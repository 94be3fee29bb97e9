"""The board of Kalah: what is drawn and told is what stands there, and what a move has done."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import chain

import pytest

from petteia.checking.sample import draw_sample
from petteia.core.protocol import initial, legal, parse_move, parse_state, play
from petteia.games import game
from petteia.playing.terminal import play_at_terminal
from petteia.render import board_svg, board_text, kalah, move_text

RULES = game("kalah")
START_TEXT = "4,4,4,4,4,4,0/4,4,4,4,4,4,0"
SVG = "{http://www.w3.org/2000/svg}"
BOARDS = [
    *("kalah", "kalah:pits=1,seeds=127", "kalah:pits=2,seeds=1", "kalah:pits=7,seeds=18", "kalah:pits=3,seeds=40"),
    *("kalah:pits=3,capture=empty,end=either", "kalah:pits=4,capture=without_capturer,leftovers=nobody"),
]

START = """\
   north   6    5    4    3    2    1
   ┌────┬────┬────┬────┬────┬────┬────┬────┐
   │    │  6 │  5 │  4 │ 10 │  2 │  1 │    │
   │  7 ├────┼────┼────┼────┼────┼────┤  8 │
   │    │  1 │  0 │  1 │  0 │  3 │  0 │    │
   └────┴────┴────┴────┴────┴────┴────┴────┘
           1    2    3    4    5    6  south

   south to move"""
CAPTURED = """\
   north   6    5    4    3    2    1
   ┌────┬────┬────┬────┬────┬────┬────┬────┐
   │    │  6 │  5 │  4 │( 0)│  2 │  1 │    │
   │  7 ├────┼────┼────┼────┼────┼────┤[19]│
   │    │  1 │  0 │( 0)│< 0>│  3 │  0 │    │
   └────┴────┴────┴────┴────┴────┴────┴────┘
           1    2    3    4    5    6  south

   ( ) fewer stones   [ ] more stones   < > last stone
   south sows 1 stone from pit 3, the last into its empty pit 4; 11 stones go to its store
   north to move"""


def test_a_board_and_a_capture_in_text() -> None:
    state = parse_state(RULES, "1,0,1,0,3,0,8/1,2,10,4,5,6,7 s")
    assert board_text(RULES, state) == START
    assert move_text(RULES, state, 2) == CAPTURED


@pytest.mark.parametrize(
    ("options", "position", "move", "sentence"),
    [
        ("", f"{START_TEXT} s", "3", "south sows 4 stones from pit 3, the last into its store, and moves again"),
        ("", f"{START_TEXT} n", "6", "north sows 4 stones from pit 6, the last into south's pit 3"),
        ("", f"{START_TEXT} s", "1", "south sows 4 stones from pit 1, the last into its pit 5"),
        (
            "",
            "6,0,0,0,0,1,12/2,2,2,1,3,13,6 n",
            "6",
            "north sows 13 stones from pit 6, the last into its empty pit 6; 8 stones go to its store",
        ),
        (
            ":capture=without_capturer",
            "6,0,0,0,0,1,12/2,2,2,1,3,13,6 n",
            "6",
            "north sows 13 stones from pit 6, the last into its empty pit 6; 7 stones go to its store",
        ),
        (
            ":pits=2,seeds=2,capture=empty",
            "1,0,3/1,0,3 s",
            "1",
            "south sows 1 stone from pit 1, the last into its empty pit 2; 2 stones go to its store",
        ),
        (
            ":pits=2,seeds=2,capture=empty",
            "1,0,3/0,1,3 s",
            "1",
            "south sows 1 stone from pit 1, the last into its empty pit 2; 1 stone goes to its store",
        ),
        (
            ":pits=1,seeds=127",
            "127,0/127,0 s",
            "1",
            "south sows 127 stones from pit 1, the last into its store, and moves again",
        ),
        (":pits=2,seeds=2", "0,1,6/0,1,0 s", "2", "south sows 1 stone from pit 2, the last into its store"),
    ],
)
def test_a_sentence_tells_what_a_move_does(options: str, position: str, move: str, sentence: str) -> None:
    rules = game(f"kalah{options}")
    state = parse_state(rules, position)
    code = parse_move(rules, state, move)
    told = move_text(rules, state, code)
    assert told is not None
    assert told.splitlines()[-2].strip() == sentence
    title = ElementTree.fromstring(board_svg(rules, play(rules, state, code), code, state)).findtext(f"{SVG}title")
    assert f"({sentence}): " in str(title)


@pytest.mark.parametrize(
    ("options", "position", "status"),
    [
        ("", f"{START_TEXT} n", "north to move"),
        ("", "0,0,0,0,0,0,18/1,0,0,5,5,1,18 s", "north won by 12, with the 12 stones left to north"),
        ("", "1,0,0,0,0,0,28/0,0,0,0,0,0,19 n", "south won by 10, with the 1 stone left to south"),
        ("", "0,0,0,0,0,0,24/0,0,0,0,0,0,24 n", "a draw"),
        (":leftovers=nobody", "0,0,0,0,0,0,18/1,0,0,5,5,1,18 s", "a draw; 12 stones left, for nobody"),
        (":end=either", "0,0,0,0,0,0,25/0,0,0,0,0,1,22 n", "south won by 2, with the 1 stone left to north"),
    ],
)
def test_text_and_title_say_how_things_stand(options: str, position: str, status: str) -> None:
    rules = game(f"kalah{options}")
    state = parse_state(rules, position)
    assert board_text(rules, state).splitlines()[-1].strip() == status
    title = ElementTree.fromstring(board_svg(rules, state)).findtext(f"{SVG}title")
    assert title == f"Kalah, {position}: {status}"


def numbers(position: str) -> list[list[int]]:
    """South's pits and store, and North's."""
    return [[int(number) for number in row.split(",")] for row in position.split(" ")[0].split("/")]


def drawn(text: str) -> list[list[str]]:
    """The cells of a board in text, as they stand: South's pits and store, and North's."""
    lines = text.splitlines()
    north, stores, south = (re.split("[│├┤┼]", line)[1:-1] for line in (lines[2], lines[3], lines[4]))
    return [[*south[1:-1], stores[-1]], [*north[1:-1][::-1], stores[0]]]


@pytest.mark.parametrize("name", BOARDS)
def test_text_shows_all_numbers_and_marks_what_has_changed(name: str) -> None:
    rules = game(name)
    for visit in draw_sample(rules, games=5).visits:
        before = numbers(rules.format_state(visit.state))
        assert [[int(cell) for cell in row] for row in drawn(board_text(rules, visit.state))] == before
        for move in visit.moves:
            told = move_text(rules, visit.state, move)
            assert told is not None
            cells = drawn(told)
            after = numbers(rules.format_state(play(rules, visit.state, move)))
            assert [[int(cell[1:-1]) for cell in row] for row in cells] == after
            assert len({len(line) for line in told.splitlines()[1:6]}) == 1
            last = 0
            for cell, was, now in zip(*map(chain.from_iterable, (cells, before, after)), strict=True):
                mark = cell[0] + cell[-1]
                last += mark == "<>"
                assert mark in ("<>", "  " if was == now else "[]" if now > was else "()")
            assert last == 1


def places(rules: kalah.Kalah) -> dict[tuple[float, float], kalah.Place]:
    every = [kalah.Place(side, pit) for side in (0, 1) for pit in range(rules.pits + 1)]
    return {kalah._centre(rules, place): place for place in every}


def ringed(root: ElementTree.Element, rules: kalah.Kalah, name: str) -> set[kalah.Place]:
    """The places that have a rim or ring of a kind."""
    found = []
    for shape in root.iter():
        if shape.get("class") == name:
            if shape.tag == f"{SVG}circle":
                centre = (float(shape.attrib["cx"]), float(shape.attrib["cy"]))
            else:
                x, y, width, height = (float(shape.attrib[key]) for key in ("x", "y", "width", "height"))
                centre = (x + width / 2, y + height / 2)
            found.append(places(rules)[centre])
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize("name", BOARDS)
def test_svg_shows_every_stone_where_it_lies_and_nowhere_two(name: str) -> None:
    rules = game(name)
    visits = draw_sample(rules, games=2).visits
    for visit in visits[:: max(1, len(visits) // 15)]:
        root = ElementTree.fromstring(board_svg(rules, visit.state))
        assert ringed(root, rules, "kalah-hollow") == set(places(rules).values())
        stones = [
            tuple(float(circle.attrib[key]) for key in ("cx", "cy", "r"))
            for circle in root.iter(f"{SVG}circle")
            if "kalah-stone" in circle.attrib["class"]
        ]
        lying = Counter[kalah.Place]()
        for x, y, radius in stones:
            assert radius > 1.2
            (place,) = [
                place
                for (centre_x, centre_y), place in places(rules).items()
                if abs(x - centre_x) + radius < kalah.RADIUS
                and abs(y - centre_y) + radius < (kalah.RADIUS if place.pit < rules.pits else kalah.STORE_HEIGHT / 2)
            ]
            lying[place] += 1
        assert len({stone[:2] for stone in stones}) == len(stones)
        expected = numbers(rules.format_state(visit.state))
        assert lying == Counter({place: expected[place.side][place.pit] for place in places(rules).values()})
        counts = [int(text.text or "") for text in root.iter(f"{SVG}text") if text.get("class") == "kalah-count"]
        assert sorted(counts) == sorted(chain.from_iterable(expected))


def test_svg_shows_the_move_if_it_knows_where_it_was_made() -> None:
    before = parse_state(RULES, "1,0,1,0,3,0,8/1,2,10,4,5,6,7 s")
    after = play(RULES, before, 2)
    root = ElementTree.fromstring(board_svg(RULES, after, 2, before))
    assert ringed(root, RULES, "kalah-last") == {kalah.Place(0, 3)}
    assert ringed(root, RULES, "kalah-left") == {kalah.Place(0, 2), kalah.Place(1, 2)}
    round_trip = parse_state(RULES, "6,0,0,0,0,1,12/2,2,2,1,3,13,6 n")  # the last stone falls where the first was
    lapped = ElementTree.fromstring(board_svg(RULES, play(RULES, round_trip, 5), 5, round_trip))
    assert ringed(lapped, RULES, "kalah-last") == {kalah.Place(1, 5)}
    assert ringed(lapped, RULES, "kalah-left") == {kalah.Place(0, 0)}
    plain = ElementTree.fromstring(board_svg(RULES, after, 2))
    assert not ringed(plain, RULES, "kalah-last") | ringed(plain, RULES, "kalah-left")
    turns = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "kalah-turn"]
    assert turns == ["north"]


@pytest.mark.parametrize("name", BOARDS)
def test_svg_stays_on_its_canvas_and_needs_nothing_else(name: str) -> None:
    rules = game(name)
    state = initial(rules)
    move = legal(rules, state)[0]
    text = board_svg(rules, play(rules, state, move), move, state)
    assert "href" not in text
    assert "url(" not in text
    assert text == board_svg(rules, play(rules, state, move), move, state)
    _, _, width, height = map(float, ElementTree.fromstring(text).attrib["viewBox"].split())
    for x, y in places(rules):
        assert 60 <= x <= width - 60
        assert 90 <= y <= height - 90


def test_a_session_tells_what_every_move_has_done() -> None:
    shown: list[str] = []
    session = play_at_terminal(RULES, "random", "random", write=shown.append)
    moves = session.record.moves
    states = session.record.states()
    told = [move_text(RULES, state, move) for state, move in zip(states, moves, strict=False)]
    boards = [text.strip("\n") for text in shown if "┌" in text]
    assert [board.lstrip() for board in boards] == [
        str(each).lstrip() for each in [board_text(RULES, states[0]), *told]
    ]
