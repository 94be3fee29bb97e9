"""A game as text: headers, then the moves, then the result, in the manner of chess's PGN.

    [Game "hare-and-hounds:stall=0"]
    [First "random"]
    [Second "random"]
    [Date "2025-11-21"]
    [Result "-1 won by hare"]

    1. 3-6 2. 10-7 3. 1-5 4. 7-4 5. 5-8 6. 4-5 7. 8-7 8. 5-8 9. 7-10 10. 8-7 11. 0-3
    12. 7-4 13. 3-5 14. 4-7 15. 5-8 16. 7-4 17. 8-9 18. 4-5 19. 9-8 20. 5-3 -1

First and Second are players 0 and 1, whoever begins. Date may be left out; Position stands only where the game did
not begin at the start, Fault, what the loser did, only where it lost by that. Values of headers are written as JSON
strings. A number stands before each move whose mover differs from the last one's; it counts plies, so a player who
moves twice has one number for both moves. Chance outcomes stand among the moves. The result is player 0's margin, `*`
for a game that was not finished; in the header follows who won, and why, if not by the rules.
"""

from __future__ import annotations

import datetime
import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, get_args

from petteia.core.decision import FAULTS, Outcome, Reason
from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.moves import read_move
from petteia.core.names import format_game
from petteia.core.protocol import (
    Rules,
    State,
    format_move,
    format_state,
    initial,
    is_over,
    margin,
    parse_state,
    play,
    seats,
    to_move,
)
from petteia.core.text import shortened
from petteia.foreign.trust import require
from petteia.games import game

WIDTH = 80
REQUIRED, OPTIONAL = ("Game", "First", "Second", "Result"), ("Date", "Position", "Fault")
UNFINISHED = "*"


@dataclass(frozen=True)
class GameRecord:
    """A game that was played."""

    rules: Rules
    players: tuple[str, str]
    """text forms, or names, of players 0 and 1"""
    start: State
    moves: tuple[int, ...]
    """codes of moves and chance outcomes, in order"""
    outcome: Outcome | None
    """None for a game that was not finished"""
    date: datetime.date | None = None

    def states(self) -> list[State]:
        """The states of the game, the first and the last included."""
        states = [self.start]
        for move in self.moves:
            states.append(play(self.rules, states[-1], move))
        return states

    def write(self) -> str:
        """The record as text, which `read_record` reads again."""
        headers = {"Game": format_game(self.rules), "First": self.players[0], "Second": self.players[1]}
        if self.date is not None:
            headers["Date"] = self.date.isoformat()
        if self.start != initial(self.rules):
            headers["Position"] = format_state(self.rules, self.start)
        headers["Result"] = _format_result(self.rules, self.outcome)
        if self.outcome is not None and self.outcome.fault:
            headers["Fault"] = self.outcome.fault
        tokens = [*self._tokens(), headers["Result"].partition(" ")[0]]
        body = textwrap.wrap(" ".join(tokens), WIDTH, break_long_words=False, break_on_hyphens=False)
        return "\n".join([*(f"[{name} {_quote(value)}]" for name, value in headers.items()), "", *body]) + "\n"

    def _tokens(self) -> Iterator[str]:
        state, last = self.start, None
        for ply, move in enumerate(self.moves, 1):
            mover = to_move(self.rules, state)
            if mover != last:
                yield f"{ply}."
            yield format_move(self.rules, state, move)
            state, last = play(self.rules, state, move), mover


class _Header(NamedTuple):
    value: str
    line: int


class _Token(NamedTuple):
    text: str
    line: int


def read_record(text: str) -> GameRecord:
    """The game that `text` records. Every move is replayed.

    A game of one's own (`module:Name`) is imported only if somebody vouches for it (`petteia.foreign.trust`).

    Raises InvalidError, naming the line, for all that is not a record, and for illegal moves and wrong results.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    headers, body = _split(lines)
    rules = _rules(headers["Game"])
    start = _start(rules, headers.get("Position"))
    tokens = [_Token(word, number) for number, line in enumerate(lines[body:], body + 1) for word in line.split()]
    if not tokens:
        raise _invalid(len(lines), "the moves and the result are missing")
    end, result = tokens[-1], headers["Result"].value
    if end.text != result.partition(" ")[0]:
        raise _invalid(end.line, f"the record ends in {shortened(end.text)}, header Result says {shortened(result)}")
    moves, last = _replay(rules, start, tokens)
    outcome = _blamed(_outcome(rules, last, len(moves), headers["Result"]), headers.get("Fault"))
    players = (headers["First"].value, headers["Second"].value)
    return GameRecord(rules, players, start, moves, outcome, _date(headers.get("Date")))


def write_records(records: Iterable[GameRecord]) -> str:
    """Many games as one text, with an empty line between them, which `read_records` reads again."""
    return "\n".join(each.write() for each in records)


def read_records(text: str) -> Iterator[GameRecord]:
    """The games that `text` records, one after the other; a game begins where headers follow on moves.

    Raises InvalidError, naming the line in the whole text, as `read_record`; games before it have been given by then.
    """
    for begin, game_text in split_records(text.split("\n")):
        try:
            yield read_record(game_text)
        except InvalidError:
            read_record("\n" * begin + game_text)  # raises the same with the line in the whole text
            raise


def split_records(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The texts of many games, one after the other, each with the number of lines before it; nothing is checked.

    `lines`: without their ends, read as they are needed, so that they can come from a file of any length.
    """
    held, begin, was_header = list[str](), 0, True
    for number, line in enumerate(lines):
        if line.strip():
            if line.startswith("[") and not was_header:
                yield begin, "\n".join(held)
                held, begin = [], number
            was_header = line.startswith("[")
        held.append(line)
    yield begin, "\n".join(held)


def read_headers(text: str) -> dict[str, str]:
    """The headers of the first game that `text` records, by name; its moves are not looked at.

    Raises InvalidError, naming the line, for headers that are missing or malformed.
    """
    return {name: header.value for name, header in _split(text.split("\n"))[0].items()}


def _split(lines: list[str]) -> tuple[dict[str, _Header], int]:
    """The headers, and how many lines they take."""
    headers: dict[str, _Header] = {}
    body = len(lines)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not line.startswith("["):
            body = number - 1
            break
        name, value = _parse_header(line, number)
        if name not in REQUIRED + OPTIONAL:
            raise _invalid(number, f"there is no header {name}; choose from {', '.join(REQUIRED + OPTIONAL)}")
        if name in headers:
            raise _invalid(number, f"header {name} stands twice")
        headers[name] = _Header(value, number)
    for name in REQUIRED:
        if name not in headers:
            raise _invalid(min(body + 1, len(lines)), f'header [{name} "..."] is missing')
    return headers, body


def _parse_header(line: str, number: int) -> tuple[str, str]:
    match = re.fullmatch(r'\[([A-Za-z]+) (".*")\]\s*', line)
    try:
        if not match:
            raise ValueError
        return match[1], json.loads(match[2])
    except ValueError:
        form = '[Name "value"], the value a JSON string'
        raise _invalid(number, f"{shortened(line)} is not of the form {form}") from None


def _rules(header: _Header) -> Rules:
    try:
        require("header Game", header.value)
        return game(header.value)
    except PetteiaError as error:
        raise _invalid(header.line, str(error)) from None


def _start(rules: Rules, header: _Header | None) -> State:
    if header is None:
        return initial(rules)
    try:
        return parse_state(rules, header.value)
    except ValueError as error:
        raise _invalid(header.line, str(error)) from None


def _date(header: _Header | None) -> datetime.date | None:
    if header is None:
        return None
    try:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", header.value, re.ASCII):
            raise ValueError
        return datetime.date.fromisoformat(header.value)
    except ValueError:
        raise _invalid(header.line, f"date {shortened(header.value)} must look like 2025-11-21") from None


def _replay(rules: Rules, state: State, tokens: list[_Token]) -> tuple[tuple[int, ...], State]:
    """The moves in `tokens`, the last of which is the result, and the state after them."""
    codes: list[int] = []
    last_mover = None
    waiting = iter(tokens[:-1])
    for token in waiting:
        ply = len(codes) + 1
        mover = to_move(rules, state)
        if mover != last_mover and not is_over(rules, state):
            if token.text != f"{ply}.":
                raise _invalid(token.line, f"{shortened(token.text)} stands where the number {ply}. of the ply should")
            token = next(waiting, tokens[-1])
            if token is tokens[-1]:
                raise _invalid(token.line, f"no move follows the number {ply}.")
        try:
            move = read_move(rules, state, token.text)
        except InvalidError as error:
            raise _invalid(token.line, f"ply {ply}: {error}") from None
        codes.append(move)
        state, last_mover = play(rules, state, move), mover
    return tuple(codes), state


def _outcome(rules: Rules, last: State, plies: int, header: _Header) -> Outcome | None:
    over = is_over(rules, last)
    if over:
        outcome: Outcome | None = Outcome(int(margin(rules, last)), plies)
    else:
        outcome = _parse_result(header, plies)
    if header.value != (expected := _format_result(rules, outcome)):
        why = "by the moves" if over else "for this margin"
        raise _invalid(header.line, f"result {shortened(header.value)} must be {expected!r} {why}")
    return outcome


def _parse_result(header: _Header, plies: int) -> Outcome | None:
    """The outcome of a game that the moves do not finish."""
    if header.value == UNFINISHED:
        return None
    reasons = [reason for reason in get_args(Reason) if reason != "over"]
    match = re.fullmatch(rf"(0|[+-][1-9]\d{{0,17}}) .*\(({'|'.join(reasons)})\)", header.value, re.ASCII)
    if not match:
        form = f"'*', or a margin, who won, and one of {', '.join(f'({reason})' for reason in reasons)}"
        raise _invalid(
            header.line, f"result {shortened(header.value)}: the moves do not finish the game, so it must be {form}"
        )
    return Outcome(int(match[1]), plies, next(reason for reason in reasons if reason == match[2]))


def _blamed(outcome: Outcome | None, header: _Header | None) -> Outcome | None:
    """The outcome, with what the loser did."""
    if header is None:
        return outcome
    if outcome is None or outcome.reason not in FAULTS:
        raise _invalid(header.line, "header Fault stands only where somebody lost by what it did")
    return outcome._replace(fault=header.value)


def _format_result(rules: Rules, outcome: Outcome | None) -> str:
    if outcome is None:
        return UNFINISHED
    who = "draw" if outcome.winner is None else f"won by {seats(rules)[outcome.winner]}"
    why = "" if outcome.reason == "over" else f" ({outcome.reason})"
    return f"{outcome.margin:+d} {who}{why}" if outcome.margin else f"0 {who}{why}"


def _quote(value: str) -> str:
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _invalid(line: int, message: str) -> InvalidError:
    return InvalidError(f"game record, line {line}: {message}")
