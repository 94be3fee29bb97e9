"""Child processes of players: what they and their parent say to each other, and which cannot be made."""

from __future__ import annotations

import json
import socket

import pytest
from tiny_games import Nim

import petteia
from petteia.children.messages import Channel, pack_decision, unpack_decision
from petteia.children.process import Children
from petteia.core.decision import Decision, Limit
from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.protocol import initial, legal
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
            with pytest.raises(ValueError, match=r"long|two or more|Expecting|nested"):
                Channel(ours).receive(1.0)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("misbehaving:Nobody", NotFoundError, "has no class 'Nobody'"),
        ("no_such_thing:Bot", NotFoundError, "there is no module 'no_such_thing'"),
        ("misbehaving:OddError", UsageError, "does not define new_game"),
        ("misbehaving:Bad:what=1", UsageError, "unexpected keyword argument 'what'"),
        ("misbehaving:Unseated", UsageError, "its seats are 'both'; they must be"),
        ("misbehaving:Bad:how=raise,when=init", PetteiaError, "ZeroDivisionError"),
        ("misbehaving:Bad:how=os_exit,when=init", PetteiaError, "has ended with code 3"),
        ("misbehaving:Seated", UsageError, 'only plays second: name it second and use seats="fixed"'),
    ],
)
def test_a_player_that_cannot_be_made_is_one_line(text: str, error: type[PetteiaError], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        petteia.match(NIM, text, "random", games=2, seats="both")
    assert "\n" not in str(raised.value)


def test_what_another_process_cannot_find_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nim, "__module__", "__main__")
    with pytest.raises(UsageError, match=r"cannot find a game of a script or notebook; put it in a module, or"):
        player("misbehaving:Bad", NIM)
    assert player("misbehaving:Bad", NIM, Children(in_process=True)).seats == (0, 1)
