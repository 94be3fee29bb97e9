"""Game records: a text format for games, similar to PGN in chess, with headers, moves and the result.

    [Game "hare-and-hounds:stall=0"]
    [First "random"]
    [Second "random"]
    [Date "2025-11-21"]
    [Result "-1 won by hare"]

    1. 3-6 2. 10-7 3. 1-5 4. 7-4 5. 5-8 6. 4-5 7. 8-7 8. 5-8 9. 7-10 10. 8-7 11. 0-3
    12. 7-4 13. 3-5 14. 4-7 15. 5-8 16. 7-4 17. 8-9 18. 4-5 19. 9-8 20. 5-3 -1

The headers First and Second contain the names of players 0 and 1, regardless of which player begins. The header Date is
optional. The header Position is present only if the game did not start in the initial position. The header Fault is
present only if a player lost by an illegal move, by taking too long or by failing, and describes what happened. Values
of headers are JSON strings.

Each move is preceded by a move number, unless the same player also made the previous move. Chance outcomes are listed
like moves. The record ends with the margin of player 0, or with `*` for an unfinished game. The header Result contains
this margin and the winner. If the game did not end by its rules, the header Result also contains the reason for the
end.
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
    """The record of a played game."""

    rules: Rules
    players: tuple[str, str]
    """the text forms or names of players 0 and 1"""
    start: State
    moves: tuple[int, ...]
    """the codes of the moves and chance outcomes, in order"""
    outcome: Outcome | None
    """the outcome of the game; None if the game was not finished"""
    date: datetime.date | None = None

    def states(self) -> list[State]:
        """Return the states of the game, from the first to the last."""
        states = [self.start]
        for move in self.moves:
            states.append(play(self.rules, states[-1], move))
        return states

    def write(self) -> str:
        """Return the record as text, which `read_record` can read."""
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
    """Read a game record from text, and replay all its moves.

    A custom game (`module:Name`) is imported only if the user trusts it (`petteia.foreign.trust`).

    Raises InvalidError if the text is not a record, or has an illegal move or a wrong result. The message contains the
    number of the line.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    headers, body = _split(lines)
    rules = _rules(headers["Game"])
    start = _start(rules, headers.get("Position"))
    tokens = [_Token(word, number) for number, line in enumerate(lines[body:], body + 1) for word in line.split()]
    if not tokens:
        raise _invalid(len(lines), "the moves and the result of the game are missing")
    end, result = tokens[-1], headers["Result"].value
    if end.text != result.partition(" ")[0]:
        raise _invalid(
            end.line, f"the record ends with {shortened(end.text)}, but the header Result is {shortened(result)}"
        )
    moves, last = _replay(rules, start, tokens)
    outcome = _blamed(_outcome(rules, last, len(moves), headers["Result"]), headers.get("Fault"))
    players = (headers["First"].value, headers["Second"].value)
    return GameRecord(rules, players, start, moves, outcome, _date(headers.get("Date")))


def write_records(records: Iterable[GameRecord]) -> str:
    """Format several games as text, separated by empty lines. `read_records` reads this format."""
    return "\n".join(each.write() for each in records)


def read_records(text: str) -> Iterator[GameRecord]:
    """Yield the games in `text` one after the other. A new game begins at a header that follows moves.

    If a game is invalid, the games before it are yielded. Then the InvalidError of `read_record` is raised, with the
    number of the line in the whole text.
    """
    for begin, game_text in split_records(text.split("\n")):
        try:
            yield read_record(game_text)
        except InvalidError:
            read_record("\n" * begin + game_text)  # raises the same with the line in the whole text
            raise


def split_records(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Split a file into its game records. For each game, yield the number of lines before it, and its text.

    The texts are not validated.

    The strings in `lines` have no line endings. The function reads one string at a time, so the file can have any
    length.
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
    """Return the headers of the first game in `text`, by name. The moves of the game are not read.

    Raises InvalidError if headers are missing or malformed. The message contains the number of the line.
    """
    return {name: header.value for name, header in _split(text.split("\n"))[0].items()}


def _split(lines: list[str]) -> tuple[dict[str, _Header], int]:
    """Parse the headers of a game record. Return the headers by name, and the number of lines before the moves."""
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
            raise _invalid(number, f"there is no header named {name}; choose from {', '.join(REQUIRED + OPTIONAL)}")
        if name in headers:
            raise _invalid(number, f"the header {name} is given twice; remove one of them")
        headers[name] = _Header(value, number)
    for name in REQUIRED:
        if name not in headers:
            raise _invalid(min(body + 1, len(lines)), f'the header [{name} "..."] is missing')
    return headers, body


def _parse_header(line: str, number: int) -> tuple[str, str]:
    match = re.fullmatch(r'\[([A-Za-z]+) (".*")\]\s*', line)
    try:
        if not match:
            raise ValueError
        return match[1], json.loads(match[2])
    except ValueError:
        form = '[Name "value"] with a JSON string as value'
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
        raise _invalid(header.line, f"the date {shortened(header.value)} must look like 2025-11-21") from None


def _replay(rules: Rules, state: State, tokens: list[_Token]) -> tuple[tuple[int, ...], State]:
    """Play the moves in `tokens`, and return their codes and the final state. The last token is the result."""
    codes: list[int] = []
    last_mover = None
    waiting = iter(tokens[:-1])
    for token in waiting:
        ply = len(codes) + 1
        mover = to_move(rules, state)
        if mover != last_mover and not is_over(rules, state):
            if token.text != f"{ply}.":
                raise _invalid(
                    token.line, f"the number of the ply, '{ply}.', must stand here instead of {shortened(token.text)}"
                )
            token = next(waiting, tokens[-1])
            if token is tokens[-1]:
                raise _invalid(token.line, f"a move must follow '{ply}.', the number of the ply")
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
        why = "after these moves" if over else "for this margin"
        raise _invalid(header.line, f"the result {shortened(header.value)} must be {expected!r} {why}")
    return outcome


def _parse_result(header: _Header, plies: int) -> Outcome | None:
    """Parse the header Result of a game that did not end by its rules. Return None if the game is unfinished."""
    if header.value == UNFINISHED:
        return None
    reasons = [reason for reason in get_args(Reason) if reason != "over"]
    match = re.fullmatch(rf"(0|[+-][1-9]\d{{0,17}}) .*\(({'|'.join(reasons)})\)", header.value, re.ASCII)
    if not match:
        form = f"'*', or consist of a margin, the winner, and one of {', '.join(f'({reason})' for reason in reasons)}"
        raise _invalid(
            header.line,
            f"the result {shortened(header.value)} must be {form}, because the moves do not finish the game",
        )
    return Outcome(int(match[1]), plies, next(reason for reason in reasons if reason == match[2]))


def _blamed(outcome: Outcome | None, header: _Header | None) -> Outcome | None:
    """Add the text of the header Fault to `outcome`. Without this header, `outcome` is returned unchanged."""
    if header is None:
        return outcome
    if outcome is None or outcome.reason not in FAULTS:
        raise _invalid(header.line, "the header Fault is allowed only if a player lost by a fault; remove this header")
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
