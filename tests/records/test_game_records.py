"""Records of games as text: inverse to each other, and every wrong line is named."""

from __future__ import annotations

import datetime
import random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia.core.decision import Outcome
from petteia.core.errors import InvalidError
from petteia.core.protocol import CHANCE, Limits, is_over, legal, margin, play
from petteia.games import game
from petteia.records.game_record import GameRecord, read_record


class Track(NamedTuple):
    """A state of Race: who moves, the number thrown (0: not yet), and where the players are."""

    side: int
    thrown: int
    first: int
    second: int


class Race(NamedTuple):
    """A dice race on a track of 12. A mover goes on as thrown or stays; whoever throws a 3 moves again."""

    def initial(rules):
        return Track(0, 0, 0, 0)

    def to_move(rules, state):
        return state.side if state.thrown else CHANCE

    def chances(rules, state, moves, probabilities):
        moves[:3], probabilities[:3] = [1, 2, 3], [1 / 3] * 3
        return 3

    def moves(rules, state, out):
        out[0], out[1] = 0, state.thrown
        return 2

    def play(rules, state, move):
        if not state.thrown:
            return state._replace(thrown=move)
        first, second = (move, 0) if state.side == 0 else (0, move)
        side = state.side if state.thrown == 3 else 1 - state.side
        return Track(side, 0, state.first + first, state.second + second)

    def is_over(rules, state):
        return max(state.first, state.second) >= 12

    def margin(rules, state):
        return state.first - state.second

    def key(rules, state):
        return state.first << 12 | state.second << 4 | state.thrown << 1 | state.side

    def injective(rules):
        return True

    def limits(rules):
        return Limits(3, 4, 0)

    def format_state(rules, state):
        return f"{state.first}/{state.second} {state.side} {state.thrown}"

    def parse_state(rules, text):
        place, side, thrown = text.split(" ")
        first, second = place.split("/")
        return Track(int(side), int(thrown), int(first), int(second))

    def format_move(rules, state, move):
        return str(move) if state.thrown else f"({move})"


def played(rules: Any, start: Any, seed: int, plies: int = 200) -> GameRecord:
    """A random game, broken off after `plies`."""
    draw = random.Random(seed)
    state, codes = start, []
    while not is_over(rules, state) and len(codes) < plies:
        codes.append(draw.choice(legal(rules, state)))
        state = play(rules, state, codes[-1])
    outcome = Outcome(margin(rules, state), len(codes)) if is_over(rules, state) else None
    return GameRecord(rules, ("q:run=a", "random"), start, tuple(codes), outcome)


GAMES = (
    "hare-and-hounds",
    "hare-and-hounds:stall=0,escape=end",
    "hare-and-hounds:first=hare",
    "test_game_records:Race",
)


@pytest.mark.parametrize("name", GAMES)
def test_random_games_come_back(name: str) -> None:
    rules = game(name)
    for seed in range(40):
        for plies in (0, 1, 5, 200):
            record = played(rules, rules.initial(), seed, plies)
            assert read_record(record.write()) == record
            assert max(map(len, record.write().splitlines())) <= 80


def test_a_record_looks_like_this() -> None:
    record = played(game("hare-and-hounds:stall=0"), game("hare-and-hounds").initial(), 3)
    dated = GameRecord(
        record.rules, record.players, record.start, record.moves, record.outcome, datetime.date(2025, 1, 2)
    )
    assert dated.write() == EXAMPLE
    assert read_record(EXAMPLE) == dated
    assert len(dated.states()) == 23
    assert is_over(dated.rules, dated.states()[-1])


EXAMPLE = """\
[Game "hare-and-hounds:stall=0"]
[First "q:run=a"]
[Second "random"]
[Date "2025-01-02"]
[Result "-1 won by hare"]

1. 1-2 2. 10-9 3. 3-6 4. 9-5 5. 2-1 6. 5-8 7. 1-4 8. 8-5 9. 6-9 10. 5-1 11. 4-7
12. 1-4 13. 7-10 14. 4-1 15. 0-2 16. 1-5 17. 2-3 18. 5-7 19. 9-8 20. 7-5 21. 3-6
22. 5-2 -1
"""


RACE = GameRecord(Race(), ("a", "b"), Race().initial(), (3, 3, 3, 0, 1, 1, 2), None)


def test_numbers_stand_where_the_mover_changes() -> None:
    """A throw, the move, and again as a 3 was thrown; then the other player."""
    assert RACE.write().splitlines()[-1] == "1. (3) 2. 3 3. (3) 4. 0 5. (1) 6. 1 7. (2) *"
    start = Track(0, 2, 0, 0)
    record = GameRecord(Race(), ("a", "b"), start, (2, 1, 1), None)
    assert '[Position "0/0 0 2"]' in record.write()
    assert read_record(record.write()) == record


@pytest.mark.parametrize(
    ("now", "then", "message"),
    [
        ("(3)", "(4)", "ply 1: move '(4)' is not legal in '0/0 0 0'; choose from (1) (2) (3)"),
        ("(3)", "3", "ply 1: move '3' is not legal in '0/0 0 0'; choose from (1) (2) (3)"),
        ("(1)", "(3)", "ply 6: move '1' is not legal in '3/0 0 3'; choose from 0 3"),
        ("1. (3)", "1.", "'2.' is not legal"),
        ("5. (1)", "(1)", "the number of the ply, '5.', must stand here instead of '(1)'"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(now: str, then: str, message: str) -> None:
    text = RACE.write()
    assert read_record(text) == RACE
    assert text.count(now) >= 1
    with pytest.raises(InvalidError, match=r"^game record, line 6: ") as raised:
        read_record(text.replace(now, then, 1))
    assert message in str(raised.value)


class Sowing(Race):
    """The race without dice: every throw is a 3, so that the first player moves on and on."""

    def to_move(rules, state):
        return state.side

    def moves(rules, state, out):
        out[0] = 3
        return 1

    def play(rules, state, move):
        return state._replace(first=state.first + 3)

    def format_move(rules, state, move):
        return str(move)


def test_a_player_who_moves_twice_has_one_number() -> None:
    record = GameRecord(Sowing(), ("a", "b"), Sowing().initial(), (3, 3, 3, 3), Outcome(12, 4))
    assert record.write().splitlines()[-1] == "1. 3 3 3 3 +12"
    assert read_record(record.write()) == record


@pytest.mark.parametrize(
    ("outcome", "result"),
    [
        (Outcome(1, 1, "illegal"), "+1 won by hounds (illegal)"),
        (Outcome(-1, 1, "timeout"), "-1 won by hare (timeout)"),
        (Outcome(0, 1, "max-plies"), "0 draw (max-plies)"),
        (None, "*"),
    ],
)
def test_games_that_the_rules_did_not_end(outcome: Outcome | None, result: str) -> None:
    rules = game("hare-and-hounds")
    record = GameRecord(rules, ("a", "b"), rules.initial(), (legal(rules, rules.initial())[0],), outcome)
    assert f'[Result "{result}"]\n' in record.write()
    assert read_record(record.write()) == record


@settings(max_examples=50)
@given(st.text(), st.text())
def test_any_name_of_a_player_comes_back(first: str, second: str) -> None:
    rules = game("hare-and-hounds")
    record = GameRecord(rules, (first, second), rules.initial(), (), None)
    assert read_record(record.write()) == record


@pytest.mark.parametrize("name", ["\udc80", "a\x85b", "a\u2028b", "a\nb", "\0"])
def test_odd_characters_are_written_as_escapes(name: str) -> None:
    rules = game("hare-and-hounds")
    text = GameRecord(rules, (name, "ünïcode"), rules.initial(), (), None).write()
    assert all(line.isprintable() for line in text.split("\n"))
    assert "ünïcode" in text
    assert read_record(text).players == (name, "ünïcode")


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert read_record("\ufeff" + EXAMPLE.replace("\n", "\r\n")) == read_record(EXAMPLE)
    assert read_record("\n\n" + EXAMPLE + "\n\n") == read_record(EXAMPLE)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (EXAMPLE, "", 1, "[Game"),
        (EXAMPLE, "1. e4 e5", 1, "[Game"),
        ('[Game "hare-and-hounds:stall=0"]\n', "", 6, '[Game "..."] is missing'),
        ('[First "q:run=a"]\n', "", 6, '[First "..."] is missing'),
        ("[Second", "[Third", 3, "no header named Third; choose from Game"),
        ("[Second", "[First", 3, "First is given twice"),
        ('"random"]', '"random]', 3, "is not of the form"),
        ('"random"]', '"ran"dom"]', 3, "is not of the form"),
        ('"random"]', '"ran\\dom"]', 3, "is not of the form"),
        ("hare-and-hounds:", "hare-and-hunds:", 1, "did you mean 'hare-and-hounds'?"),
        ("stall=0", "stall=1000", 1, "must be in 0..100"),
        ("2025-01-02", "2025-02-30", 4, "must look like"),
        ("2025-01-02", "20250102", 4, "must look like"),
        ("[Date", '[Position "0,1,3/10 fox 0"]\n[Date', 4, "must look like '0,1,3/10 hounds 0'"),
        ("[Date", '[Position "0,1,3/9 hounds 0"]\n[Date', 8, "ply 2"),
        ("1. 1-2", "1. 1-3", 7, "ply 1: move '1-3' is not legal"),
        ("1. 1-2", "1-2", 7, "'1.', must stand here instead of '1-2'"),
        ("3. 3-6", "4. 3-6", 7, "'3.', must stand here instead of '4.'"),
        ("3. 3-6", "3. ", 7, "ply 3: move '4.' is not legal"),
        ("22. 5-2 -1", "22. -1", 9, "a move must follow '22.', the number of the ply"),
        (" -1\n", "\n", 9, "ends with '5-2'"),
        (" -1\n", " +1\n", 9, "ends with '+1', but the header Result is '-1 won by hare'"),
        (" -1\n", " 23. 1-4 -1\n", 9, "ply 23"),
        ("won by hare", "won by hounds", 5, "must be '-1 won by hare' after these moves"),
        ("-1 won by hare", "*", 9, "header Result is '*'"),
    ],
)
def test_every_wrong_line_is_named(old: str, new: str, line: int, reason: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(InvalidError) as raised:
        read_record(EXAMPLE.replace(old, new, 1))
    message = str(raised.value)
    assert message.startswith(f"game record, line {line}: "), message
    assert reason in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "result", ["+1", "+1 won by hounds", "+1 won by hare (timeout)", "0 (timeout)", "x", "01 (timeout)"]
)
def test_results_that_moves_do_not_bear_out_are_refused(result: str) -> None:
    rules = game("hare-and-hounds")
    text = GameRecord(rules, ("a", "b"), rules.initial(), (), None).write()
    with pytest.raises(InvalidError) as raised:
        read_record(text.replace('"*"', f'"{result}"').replace("\n*", "\n" + result.split()[0]))
    assert "line 4: the result" in str(raised.value)


@settings(max_examples=200)
@given(st.data())
def test_a_changed_record_is_refused_or_is_another_sound_one(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(EXAMPLE) - 1))
    character = data.draw(st.sampled_from('"[]\\\n 0123456789-+*.x'))
    changed = EXAMPLE[:place] + character + EXAMPLE[place + 1 :]
    try:
        record = read_record(changed)
    except InvalidError:
        return
    assert read_record(record.write()) == record
