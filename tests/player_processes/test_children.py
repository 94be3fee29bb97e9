"""Child processes of players: what they and their parent say to each other, and which cannot be made."""

from __future__ import annotations

import json
import random
import re
import socket
from collections import Counter
from contextlib import suppress
from unittest.mock import ANY

import pytest
from tiny_games import Nim

import petteia
from petteia.core.decision import Decision, Limit
from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import initial, legal
from petteia.player_processes.messages import (
    READERS,
    Answered,
    Channel,
    Failed,
    pack_decision,
    read_answer,
    unpack_decision,
)
from petteia.player_processes.process import Children
from petteia.players import player

NIM = Nim()


def test_a_decision_arrives_whole() -> None:
    thorough = player("misbehaving:Thorough", NIM)
    thorough.new_game(NIM, 1)
    moves = legal(NIM, initial(NIM))
    values = {each: float(each) for each in moves}
    expected = Decision(moves[-1], 0.25, 3, 17, 0.5, (moves[-1],), values)
    assert thorough.choose(initial(NIM), Limit()) == expected
    assert thorough.choose(initial(NIM), Limit(3, 5, 7.0)) == expected
    assert thorough.finish() == "goodbye"
    analysis = petteia.best(NIM, player="misbehaving:Thorough")
    assert (analysis.value, analysis.depth, analysis.nodes, len(analysis.values)) == (0.25, 3, 17, len(moves))


@pytest.mark.parametrize(
    "said",
    [[], [None], [1.5], [True], ["1"], [1, 2], [1, "x", 0, 0, 0, [], []], [1, 0, 0, 0, 0, 5, []], {}, [1, None] * 3, 5],
)
def test_what_is_no_decision_is_not_taken(said: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        unpack_decision(said)


def test_decisions_are_packed_and_unpacked() -> None:
    for decision in (Decision(5), Decision(0, -1.5), Decision(7, None, 3, 10**12, 0.1, (7, 8), {7: 0.5, 9: -1.0})):
        assert unpack_decision(json.loads(json.dumps(pack_decision(decision)))) == decision


def test_messages_that_are_none_are_refused() -> None:
    for said in (b"\xff\xff\xff\xff", b"\x00\x00\x00\x02{}", b"\x00\x00\x00\x01[", b"\x00\x00\xff\xff" + b"[" * 65535):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(said)
            with pytest.raises(ValueError, match=r"bytes|two or more|Expecting|nested"):
                Channel(ours).receive(1.0)


def test_whatever_comes_is_an_answer_or_a_value_error() -> None:
    draw = random.Random(1)
    numbers = [0, 1, -1, 2**63, 10**400, 0.5, float("nan"), float("inf")]
    texts = ["", "x", "\ud800", "illegal", "over", "answered", "failed", "ended", "refused", "player"]
    leaves = [None, True, *numbers, *texts]

    def value(depth: int) -> object:
        kind = draw.random()
        if depth == 0 or kind < 0.5:
            return draw.choice(leaves)
        if kind < 0.9:
            return [value(depth - 1) for _ in range(draw.choice((0, 1, 2, 2, 7)))]
        return {str(draw.choice(leaves)): value(depth - 1) for _ in range(2)}

    found = Counter[type]()
    for _ in range(30_000):
        message = [draw.choice((1, 1, 1, value(1))), *(value(3) for _ in range(draw.randrange(1, 4)))]
        if draw.random() < 0.7:
            message[1] = draw.choice(("answered", "failed", "ended", "refused"))
        try:
            found[type(read_answer(message, 1, draw.choice([*READERS])))] += 1
        except ValueError as error:
            found[type(error)] += 1
    assert min(found.values()) > 10
    assert {Answered, Failed, ValueError} == {*found}


def test_bytes_of_any_kind_are_a_message_or_an_error_that_is_foreseen() -> None:
    draw = random.Random(1)
    for _ in range(500):
        content = bytes(draw.choice(b'[]{}",:0123456789eE.-\xff\x00ntrufals') for _ in range(draw.randrange(40)))
        length = draw.choice((len(content), len(content), draw.randrange(50), draw.randrange(1 << 32)))
        ours, theirs = socket.socketpair()
        with ours:
            theirs.sendall(length.to_bytes(4, "big") + content)
            theirs.close()
            with suppress(ValueError, EOFError):
                assert isinstance(Channel(ours).receive(1.0), list)


@pytest.mark.parametrize("status", ["failed", "ended"])
def test_a_sentence_of_a_child_is_one_line_without_control_characters(status: str) -> None:
    answer = read_answer([1, status, "crashed", "\x1b[2J\n" * 10_000], 1, "choose")
    assert isinstance(answer, Failed)
    assert str(answer.error).startswith(r"\x1b[2J\n\x1b[2J")
    assert len(str(answer.error)) < 10_000
    assert answer.has_ended == (status == "ended")


def test_who_has_begun_to_play_cannot_refuse() -> None:
    assert read_answer([1, "refused", 3, "x"], 1, "make") == Failed(ANY, has_ended=False)
    with pytest.raises(ValueError, match="the message is not a valid answer to the method `choose`"):
        read_answer([1, "refused", 3, "x"], 1, "choose")


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("misbehaving:Nobody", NotFoundError, "has no class 'Nobody'"),
        ("no_such_thing:Bot", NotFoundError, "there is no module 'no_such_thing'"),
        ("misbehaving:OddError", UsageError, "does not define the method new_game"),
        ("misbehaving:Bad:what=1", UsageError, "unexpected keyword argument 'what'"),
        ("misbehaving:Unseated", UsageError, "the attribute `seats` is 'both'; must be"),
        ("misbehaving:Bad:how=raise,when=init", PetteiaError, "ZeroDivisionError"),
        ("misbehaving:Bad:how=os_exit,when=init", PetteiaError, "has ended with exit code 3"),
        ("misbehaving:Seated", UsageError, 'only plays second: give it as the second player with seats="fixed"'),
    ],
)
def test_a_player_that_cannot_be_made_is_one_line(text: str, error: type[PetteiaError], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        petteia.match(NIM, text, "random", games=2, seats="both")
    assert "\n" not in str(raised.value)


def test_what_another_process_cannot_find_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nim, "__module__", "__main__")
    with pytest.raises(
        UsageError, match=r"cannot import a game that is defined in a script or notebook; define the game in"
    ):
        player("misbehaving:Bad", NIM)
    assert player("misbehaving:Bad", NIM, Children(in_process=True)).seats == (0, 1)


def test_of_what_a_player_prints_the_first_line_is_shown_and_the_rest_counted(
    capfd: pytest.CaptureFixture[str],
) -> None:
    petteia.match(NIM, "misbehaving:Bad:how=print_much,when=end_game", "random", games=2)
    out, err = capfd.readouterr()
    first, last = err.splitlines()
    assert first == r"petteia: misbehaving:Bad prints: \x1b[31mred\x9b\u202e"
    assert last == "petteia: ... and 10,003 more lines from misbehaving:Bad"  # in two games, of 5,002 lines each
    assert out == ""


@pytest.mark.parametrize("in_process", [False, True])
def test_a_remark_is_one_line_of_bounded_length(in_process: bool) -> None:
    result = petteia.match(NIM, "misbehaving:Talkative", "random", games=2, in_process=in_process)
    assert re.fullmatch(r"\\x1b\[2J bye\\x1b.{1000,2000} \.\.\.", result.notes[-1])
