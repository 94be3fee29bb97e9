"""A million mutated texts for every parser of what users type or keep: nothing but its own errors comes out."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from sample_records import RECORD, WITH_DICE
from tiny_games import DiceRace

from petteia.arena.openings import parse_openings
from petteia.core.errors import PetteiaError
from petteia.core.names import parse_seat
from petteia.core.protocol import initial, parse_move
from petteia.games import game
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.learn.schedules import schedule
from petteia.players import player
from petteia.records.game_record import read_record

RULES, RACE = HareAndHounds(), DiceRace()

PARSERS: dict[str, tuple[Callable[[str], Any], list[str]]] = {
    "moves": (lambda text: parse_move(RULES, initial(RULES), text), ["0-2", "1-4", "3-6", "10-7"]),
    "outcomes": (lambda text: parse_move(RACE, initial(RACE), text), ["1", "2", "3"]),
    "games": (game, ["hare-and-hounds:stall=0,first=hare", "hare-and-hounds", "tiny_games:Nim:heaps=2"]),
    "players": (lambda text: player(text, RULES), ["random", "q:agent=(a,b=c),alpha=0.5", "tiny_games:Nim:x=(y:z=1)"]),
    "schedules": (lambda text: schedule(text, "alpha"), ["0.5", "0.5,0.1@1000,1e-3@20000", "0.5..0.01"]),
    "seats": (lambda text: parse_seat(RULES, text), ["hounds", "hare", "0", "1"]),
    "openings": (lambda text: parse_openings(text, RULES), ["random:2", "none", "balanced:4,nodes=9", "openings.txt"]),
    "records": (read_record, [RECORD, WITH_DICE]),
}


@pytest.mark.parametrize("text", [RECORD, WITH_DICE])
def test_records_are_sound_before_they_are_mutated(text: str) -> None:
    assert len(read_record(text).moves) >= 3


def mutated(draw: random.Random, text: str, letters: list[str]) -> str:
    """The text with up to four places changed, removed, doubled or filled."""
    characters = list(text)
    for _ in range(draw.randrange(1, 5)):
        place = draw.randrange(len(characters) + 1)
        characters[place : place + draw.randrange(3)] = [draw.choice(letters) for _ in range(draw.randrange(3))]
    return "".join(characters)


def fuzz(name: str, count: int) -> None:
    parse, seeds = PARSERS[name]
    draw = random.Random(name)
    letters = sorted({*"".join(seeds), *"09aZ_ :=,().@-+/\\\"'[]\n\t\0٣é\U0001f415"})
    for _ in range(count):
        text = mutated(draw, draw.choice(seeds), letters)
        with suppress(ValueError, PetteiaError):
            parse(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_mutated_texts(name: str) -> None:
    fuzz(name, 500)


@pytest.mark.heavy
@pytest.mark.parametrize("name", PARSERS)
def test_a_million_mutated_texts(name: str) -> None:
    fuzz(name, 1_000_000)
