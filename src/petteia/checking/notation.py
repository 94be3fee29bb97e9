"""Checks of a game's notation: formatted states and moves are parsed correctly, and any other text is rejected."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from petteia.checking.near_misses import near_misses
from petteia.checking.notes import Notes
from petteia.checking.sample import ConformanceError, Sample, Visit, check_state, examine, pick_evenly, where
from petteia.core.protocol import Rules, State, format_move, format_state, parse_move, parse_state

FEW, SOME, MANY = 20, 300, 1000  # numbers of visits


def texts_of_states(sample: Sample, notes: Notes) -> None:
    """Check that `parse_state` is the inverse of `format_state`, and rejects strings with small errors."""
    rules = sample.rules
    for visit in pick_evenly(sample.visits, MANY):
        with notes:
            check_round_trip(rules, visit.state)
    for visit in pick_evenly(sample.visits, FEW):
        with notes:
            for text in near_misses(format_state(rules, visit.state)):
                with notes:
                    _check_state_text(rules, text, notes)


def _check_state_text(rules: Rules, text: str, notes: Notes) -> None:
    what = f"parse_state of {text!r}"
    state = _parsed(rules, what, parse_state, rules, text)
    if state is None:
        return
    check_state(state, what, rules)
    if (again := format_state(rules, state)) != text:
        fact = f"{where(rules)}: parse_state reads {text!r} as a state whose text is {again!r}"
        if _usual(text) == _usual(again):
            notes.advise(f"{fact}; a ValueError is better: return strict(rules, text, state) of petteia.core.positions")
        else:
            notes.fail(f"{fact}; must be a ValueError, as strict(rules, text, state) of petteia.core.positions raises")
    else:
        examine(rules, state)


def check_round_trip(rules: Rules, state: State) -> None:
    """Raise ConformanceError unless `parse_state` is the inverse of `format_state`."""
    text = format_state(rules, state)
    if type(text) is not str or not text.isprintable() or text != text.strip() or not text:
        raise ConformanceError(f"{where(rules, state)}: format_state returned {text!r}; must be one line of text")
    try:
        again = parse_state(rules, text)
    except ValueError as error:
        raise ConformanceError(
            f"{where(rules, state)}: parse_state rejects the text of format_state: {error}"
        ) from None
    if again != state or type(again) is not type(state):
        raise ConformanceError(
            f"{where(rules, state)}: parse_state of the text of format_state is {again!r}; must be {state!r}"
        )
    check_state(again, "parse_state", rules, state)


def texts_of_moves(sample: Sample, notes: Notes) -> None:
    """Check that `parse_move` is the inverse of `format_move` for legal moves and outcomes, and rejects other text."""
    rules = sample.rules
    elsewhere: dict[str, None] = {}
    for visit in pick_evenly(sample.visits, SOME):
        for move in pick_evenly(visit.moves, FEW):
            with notes:
                elsewhere[_check_move(rules, visit, move)] = None
    others = pick_evenly(list(elsewhere), FEW)
    for visit in pick_evenly(sample.visits, FEW):
        with notes:
            legal = [format_move(rules, visit.state, move) for move in visit.moves]
            for text in [*others, *(near for each in pick_evenly(legal, 3) for near in near_misses(each))]:
                if text not in legal:
                    with notes:
                        _check_move_text(rules, visit, text, notes)


def _check_move(rules: Rules, visit: Visit, move: int) -> str:
    """Return the text of a legal move. Raises ConformanceError unless `parse_move` is the inverse of `format_move`."""
    text = format_move(rules, visit.state, move)
    if type(text) is not str or not text.isprintable() or not text or " " in text:
        place = where(rules, visit.state, move)
        raise ConformanceError(f"{place}: format_move returned {text!r}; must be text without spaces")
    if (again := parse_move(rules, visit.state, text)) != move or type(again) is not int:
        place = where(rules, visit.state, move)
        raise ConformanceError(f"{place}: parse_move of {text!r} is {again!r}; must be {move}")
    return text


def _check_move_text(rules: Rules, visit: Visit, text: str, notes: Notes) -> None:
    move = _parsed(rules, f"parse_move of {text!r}", parse_move, rules, visit.state, text)
    if move is None:
        return
    fact = f"{where(rules, visit.state)}: parse_move reads {text!r}, which is not legal, as {move!r}"
    if move in visit.moves and _usual(text) == _usual(format_move(rules, visit.state, move)):
        notes.advise(f"{fact}; a ValueError is better")
    else:
        notes.fail(f"{fact}; must be a ValueError")


def _parsed(rules: Rules, what: str, parse: Callable[..., Any], *arguments: Any) -> Any:
    """Call `parse` and return its result, or None if it raises a ValueError with a one-line message.

    Raises ConformanceError if `parse` raises any other error, or if the message is empty or has several lines.
    """
    try:
        return parse(*arguments)
    except ValueError as error:
        if not str(error).strip() or "\n" in str(error):
            raise ConformanceError(f"{where(rules)}: {what} raised {error!r}; its message must be one line") from None
    except Exception as error:  # a custom parser can raise anything
        raise ConformanceError(f"{where(rules)}: {what} raised {error!r}; must be a ValueError") from None
    return None


def _usual(text: str) -> str:
    """Normalize spaces and numbers in a string, so that both `7 x` and `+007 x` give `7 x`.

    A parser may accept several spellings of the same number: with a plus sign, leading zeros, underscores, or digits of
    other scripts. This function converts all these spellings to plain digits.
    """
    seen = (each for each in text if unicodedata.category(each) not in ("Cf", "Zs") or each == " ")
    text = "".join(str(unicodedata.digit(each)) if each.isdigit() else each for each in seen)
    text = re.sub("(?<=[0-9])_(?=[0-9])", "", text)
    return re.sub(r"(?<![0-9])\+?0*(?=[0-9])", "", text)
