"""The form for a new game, and functions that read its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from petteia.core.clock import read_clock
from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.options import Range, Words, options
from petteia.core.protocol import Rules, seats
from petteia.games import GAMES
from petteia.players.levels import levels
from petteia.players.text import PLAYERS
from petteia.web.allowed import LONGEST_RECORD, Allowed
from petteia.web.game import PERSON, Wish
from petteia.web.games import MAX_RANDOM

OTHERS = ("search:time=1", "theta", "greedy", "heuristic", "perfect", "random", "simple")
"""The players in the list besides the levels. Other players can be typed."""
FIRST_OPPONENT = "level:3"
OPTION = "option-"
SIDES = ("first", "second")


class Offer(NamedTuple):
    """A player that can be chosen in the form for a new game."""

    text: str
    """the text form of the player"""
    label: str
    """the label of the player in the list"""


class Field(NamedTuple):
    """An option of the rules, shown as a field of the form."""

    name: str
    value: str
    words: tuple[str, ...]
    """the words from which one is chosen; empty if the option is a number"""
    minimum: int
    maximum: int


def fields(rules: Rules) -> list[Field]:
    """Return the options of the rules, as fields of the form that starts a new game."""
    found = []
    for name, domain in options(type(rules)).items():
        value = getattr(rules, name)
        if isinstance(domain, Words):
            found.append(Field(name, domain.format(value), domain.words, 0, 0))
        elif isinstance(domain, Range):
            found.append(Field(name, str(value), (), domain.minimum, domain.maximum))
    return found


def games(allowed: Allowed) -> list[str]:
    """Return the names of the games that can be chosen in the form for a new game."""
    return [*map(name_of, GAMES), *allowed.games]


def offers(allowed: Allowed, rules: Rules) -> dict[str, list[Offer]]:
    """Return the players that can be chosen in the form for a new game, grouped by kind.

    The keys of the returned dictionary are the kinds of players: `levels`, `learned` and `package`. The file
    `english.toml` contains a heading for each of these kinds.
    """
    return {
        "levels": [Offer(f"level:{each.number}", f"{each.number} {each.name}") for each in levels(rules)],
        "learned": [Offer(each.text, f"{each.name} ({each.game})") for each in allowed.agents(rules)],
        "package": [Offer(text, text) for text in OTHERS],
    }


def form(allowed: Allowed, sent: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of the form for a new game, filled in with the submitted values.

    Raises PetteiaError if a field is invalid.
    """
    text = sent.get("record", "")
    record = allowed.record(text) if text.strip() else None
    rules = allowed.rules(sent.get("game", "")) if record is None else record.rules
    names = seats(rules)
    offered = offers(allowed, rules)
    known = [PERSON, *(offer.text for group in offered.values() for offer in group)]
    chosen = [sent.get("first", PERSON), sent.get("second", FIRST_OPPONENT)]
    return {
        "rules": rules,
        "title": format_game(rules),
        "name": name_of(type(rules)),
        "fields": [] if record is not None else fields(rules),
        "sides": [
            {
                "key": key,
                "seat": names[side],
                "chosen": chosen[side] if chosen[side] in known else PERSON,
                "own": "" if chosen[side] in known else chosen[side],
            }
            for side, key in enumerate(SIDES)
        ],
        "offered": offered,
        "record": text if record is not None else "",
        "position": sent.get("position", ""),
        "clock": sent.get("clock", ""),
        "max_random": MAX_RANDOM,
    }


def wish(allowed: Allowed, sent: Mapping[str, str]) -> Wish:
    """Return the settings of a new game from the fields of the form.

    Raises UsageError or InvalidError if a field is invalid.
    """
    text = sent.get("record", "")[: LONGEST_RECORD + 1]
    record = allowed.record(text) if text.strip() else None
    rules = rules_of(allowed, sent) if record is None else record.rules
    first, second = (_player(allowed, rules, sent, key) for key in SIDES)
    position, random = sent.get("position", "").strip(), _number(sent, "random", MAX_RANDOM)
    clock = read_clock(sent.get("clock", "").strip() or None)
    return Wish(rules, (first, second), position, random, record, clock)


def rules_of(allowed: Allowed, sent: Mapping[str, str]) -> Rules:
    """Return the rules of the game that was chosen in the form, with the options from its fields."""
    rules = allowed.rules(sent.get("game", ""))
    given = [f"{name}={sent[OPTION + name].strip()}" for name in options(type(rules)) if sent.get(OPTION + name)]
    return allowed.rules(f"{name_of(type(rules))}:{','.join(given)}") if given else rules


def _player(allowed: Allowed, rules: Rules, sent: Mapping[str, str], key: str) -> str:
    text = sent.get(f"{key}-own", "").strip() or sent.get(key, PERSON)
    if text == PERSON:
        return text
    return allowed.player(with_depth(text, _number(sent, f"{key}-depth", 1000)), rules)


def with_depth(text: str, depth: int) -> str:
    """Add an option for the search depth to the text form of a player.

    The text form is unchanged if `depth` is 0, if the player has no option `depth`, or if the text form already
    contains a depth.
    """
    name = text.partition(":")[0]
    if depth == 0 or name not in PLAYERS or "depth" not in PLAYERS[name].options or "depth=" in text:
        return text
    if name == "search":  # by default it has a time limit
        return f"search:depth={depth}"
    return f"{text}{',' if ':' in text else ':'}depth={depth}"


def _number(sent: Mapping[str, str], key: str, maximum: int) -> int:
    """Return the whole number in a field of the form, or 0 if the field is empty.

    Raises UsageError if the field contains anything but digits, or a number above `maximum`.
    """
    text = sent.get(key, "").strip() or "0"
    if not text.isdecimal() or len(text) > 9 or int(text) > maximum:
        raise UsageError(f"{key}: must be a whole number in 0..{maximum}")
    return int(text)
