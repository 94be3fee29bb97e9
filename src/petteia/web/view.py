"""The template context of the page of a game."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any, NamedTuple
from urllib.parse import urlencode

from petteia.core.decision import Limit
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, format_move, seats, to_move
from petteia.core.steps import Steps
from petteia.core.steps import continuations as continuations_of
from petteia.playing.position import Position
from petteia.render.boards import has_drawing
from petteia.render.targets import Box
from petteia.web.game import PERSON, Game
from petteia.web.pictures import Painter, Picture, name_of_picture, turned_box
from petteia.web.words import counted, result_in_words, words

LONGEST_LINK = 1800
"""The maximum length of a link, in characters. Browsers and proxies accept links of this length."""
continuations = functools.lru_cache(maxsize=256, typed=True)(continuations_of)
"""The function `continuations_of` with a cache. The keys include types, because states of two games can be equal
tuples."""


class Choice(NamedTuple):
    """A step of a move that a person can choose."""

    step: int
    label: str
    box: Box | None
    """the place of the step on the drawing; None if the step is a button below the board"""
    kind: str
    """`on` if the step continues the move that has begun, `anew` if it begins another move"""


class Face(NamedTuple):
    """A player's clock, as the page shows it."""

    seat: str
    seconds: float
    text: str
    """the remaining time as text, in minutes and seconds"""
    moves: str
    """the number of moves that must be made in this time, as text; empty if the time is for the whole game"""
    runs: bool


class Ply(NamedTuple):
    """A ply in the list of the moves of a game."""

    number: int
    who: str
    move: str
    is_shown: bool


def view(game: Game, painter: Painter, begun: Steps, ply: int | None) -> dict[str, Any]:
    """Return the template context of the page of a game.

    If a person has begun a move, `begun` contains its steps. `ply` selects an earlier position; None means the current
    position.
    """
    line, rules = game.line, game.rules
    plies = len(line) - 1
    shown = plies if ply is None else min(max(ply, 0), plies)
    is_past = ply is not None and shown < plies
    position = line[shown]
    picture = painter.picture(rules, position.state, position.last)
    can_move = game.is_persons_turn and not is_past
    if not (can_move and continuations(rules, position.state, begun)):  # the steps belong to an earlier position
        begun = ()
    choices = choices_of(rules, position.state, begun, picture) if can_move else []
    marked = [picture.targets[step].box for step in begun if step in picture.targets]
    chosen = [box for box in marked if box is not None]
    if game.is_turned and picture.view:
        view_of = picture.view
        choices = [each._replace(box=each.box and turned_box(each.box, view_of)) for each in choices]
        chosen = [turned_box(box, view_of) for box in chosen]
    return {
        "game": game,
        "title": format_game(rules),
        "seats": seats(rules),
        "position": position,
        "picture": picture,
        "image": image(game, position, shown) if picture.svg else "",
        "can_turn": bool(picture.svg) and has_drawing(rules),
        "alt": picture.title or f"{format_game(rules)}: {position.text}",
        "chosen": chosen,
        "placed": [each for each in choices if each.box],
        "unplaced": [each for each in choices if not each.box],
        "begun": ",".join(map(str, begun)),
        "status": past(shown, plies) if is_past else status(game),
        "is_past": is_past,
        "waits": game.waits and not is_past,
        "ply": shown,
        "plies": plies,
        "list": listed(game, line, shown),
        "clocks": [] if is_past else clocks(game),
        "record": game.record().write(),
        "link": link(game),
    }


def image(game: Game, position: Position, ply: int) -> str:
    """Return the URL of the image of a position."""
    name = name_of_picture(game.rules, position.state, position.last)
    return f"/games/{game.name}/pictures/{ply}/{name}{'-turned' if game.is_turned else ''}.svg"


def choices_of(rules: Rules, state: State, begun: Steps, picture: Picture) -> list[Choice]:
    """Return the steps that a person can choose next: to continue the move `begun`, or to begin another move."""
    found = continuations(rules, state, begun)
    choices = [_choice(rules, state, begun, step, picture, "on") for step in found]
    if begun:
        others = continuations(rules, state, ())
        choices += [
            _choice(rules, state, (), step, picture, "anew")
            for step in others
            if step not in found and step != begun[0]
        ]
    return sorted(choices, key=lambda each: each.kind == "anew")


def _choice(rules: Rules, state: State, begun: Steps, step: int, picture: Picture, kind: str) -> Choice:
    target = picture.targets.get(step)
    if target is not None:
        return Choice(step, target.label, target.box, kind)
    move = continuations(rules, state, begun)[step]
    return Choice(step, f"{step}" if move is None else format_move(rules, state, move), None, kind)


def status(game: Game) -> str:
    """Return the side to move, or the result of the game, as text."""
    texts, names = words(), seats(game.rules)
    if (outcome := game.outcome) is not None:
        if (key := f"over_{outcome.reason}") in texts and outcome.winner is not None:
            return texts[key].format(loser=names[1 - outcome.winner], winner=names[outcome.winner])
        if outcome.reason == "max-plies":
            return texts["over_plies"].format(plies=outcome.plies)
        assert game.position.outcome is not None
        return result_in_words(game.position.outcome)
    side = game.side
    assert side is not None
    seat, player = names[side], game.players[side]
    if player == PERSON:
        asked = game.thought is not None
        return texts["turn_program" if asked else "turn_person"].format(seat=seat, player=game.thinker)
    return texts["turn_paused" if game.is_paused else "turn_program"].format(seat=seat, player=player)


def clocks(game: Game) -> list[Face]:
    """Return the clocks of both players. The list is empty in a game without clocks."""
    left = game.remaining or ()
    faces = []
    for side, seconds in enumerate(left):
        minutes, rest = divmod(math.ceil(seconds), 60)
        of = game.clocks.limit(side, Limit()).moves_left
        moves = counted("clock_moves", of) if of else ""
        runs = side == game.side and game.elapsed > 0
        faces.append(Face(seats(game.rules)[side], round(seconds, 2), f"{minutes}:{rest:02}", moves, runs))
    return faces


def past(shown: int, plies: int) -> str:
    """Return a note for a page that shows an earlier position of a game, such as `Position after 3 of 20 plies`."""
    return words()["turn_past"].format(ply=shown, plies=plies)


def listed(game: Game, line: list[Position], shown: int) -> list[Ply]:
    """Return the plies of a game, as the rows of the list of moves on its page."""
    names = (*seats(game.rules), words()["chance"])
    plies = []
    for number, (before, after) in enumerate(itertools.pairwise(line), 1):
        assert after.last is not None
        side = to_move(game.rules, before.state)
        who = names[2 if side == CHANCE else side]
        plies.append(Ply(number, who, format_move(game.rules, before.state, after.last[1]), number == shown))
    return plies


def link(game: Game) -> str:
    """Return a URL that restores the game in its current position, or an empty string if it would be too long."""
    query = {"game": format_game(game.rules), "first": game.players[0], "second": game.players[1]}
    address = f"/new?{urlencode({**query, 'record': game.record().write()})}"
    if len(address) > LONGEST_LINK:
        address = f"/new?{urlencode({**query, 'position': game.position.text})}"
    return address if len(address) <= LONGEST_LINK else ""
