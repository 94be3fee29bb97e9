"""The board of Kalah."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import ceil, cos, pi, sin, sqrt
from typing import NamedTuple

from petteia.core.protocol import format_state, is_over, margin, play
from petteia.games.kalah import NOBODY, NORTH, SOUTH, Kalah, Position, pit_of, stones

NAMES = ("south", "north")
Mark = tuple[str, str]
FEWER, MORE, LAST = ("(", ")"), ("[", "]"), ("<", ">")
"""The brackets around a number that the last move has changed. `LAST` marks the place of the last stone."""
LEGEND = "( ) fewer stones   [ ] more stones   < > last stone"

STEP, SIDE, TOP = 100, 24, 96
ROWS = {NORTH: TOP, SOUTH: TOP + 128}
HEIGHT = ROWS[SOUTH] + TOP
RADIUS, STORE_WIDTH, STORE_HEIGHT = 42, 76, 212
INNER = RADIUS - 8
"""The radius of the part of a pit that the badge with the number does not cover."""
STONE, SPACING = 8.5, 9.4
"""The maximum radius of a stone, and the maximum distance between the centres of stones."""
GOLDEN_ANGLE = pi * (3 - sqrt(5))

STYLE = """
    .kalah-board { fill: #d9a866; stroke: #9c6b34; stroke-width: 3 }
    .kalah-grain { fill: none; stroke: #c4914f; stroke-width: 2; opacity: .6 }
    .kalah-hollow { fill: #b5803f; stroke: #8a5c2a; stroke-width: 3 }
    .kalah-left { fill: none; stroke: #fff3c4; stroke-width: 4; stroke-dasharray: 7 6 }
    .kalah-last { fill: none; stroke: #fff3c4; stroke-width: 5 }
    .kalah-stone { stroke: #00000055; stroke-width: 1 }
    .kalah-blue { fill: #4a7fb5 }
    .kalah-green { fill: #6b9e5b }
    .kalah-white { fill: #f2ece0 }
    .kalah-red { fill: #c25a4a }
    .kalah-badge { fill: #fff8ea; stroke: #8a5c2a; stroke-width: 1.5 }
    .kalah-count { fill: #3d2a12; font: 700 17px system-ui, sans-serif; text-anchor: middle }
    .kalah-pit { fill: #6d4720; font: 600 15px system-ui, sans-serif; text-anchor: middle }
    .kalah-name { fill: #6d4720; font: 600 17px system-ui, sans-serif; text-anchor: middle }
    .kalah-turn { fill: #3d2a12; font: 800 17px system-ui, sans-serif; text-anchor: middle }
    @media (prefers-color-scheme: dark) {
      .kalah-board { fill: #4b351f; stroke: #2c1e10 }
      .kalah-grain { stroke: #5a4128 }
      .kalah-hollow { fill: #34230f; stroke: #21160a }
      .kalah-left, .kalah-last { stroke: #e0a92a }
      .kalah-white { fill: #d8d0c0 }
      .kalah-badge { fill: #26190b; stroke: #7d5f3c }
      .kalah-count { fill: #f3e6cf }
      .kalah-pit, .kalah-name { fill: #b8986c }
      .kalah-turn { fill: #ffe2ae }
    }
"""
COLOURS = ("blue", "green", "white", "red")


class Place(NamedTuple):
    """A pit or a store."""

    side: int
    """the owner of the place"""
    pit: int
    """the number of the pit, from 0 in sowing order; the store has the number after the last pit"""


class Sowing(NamedTuple):
    """A move, with the stones that it sows and captures."""

    origin: Place
    """the pit that the move empties"""
    sown: int
    """the number of stones sown"""
    last: Place
    """the place of the last stone"""
    taken: int
    """the number of captured stones, with the capturing stone if it goes to the store; 0 without a capture"""
    after: Position
    """the position after the move"""


def text(rules: Kalah, state: Position) -> str:
    """The board in plain text: North's pits above, numbered from right to left, and the stores at the ends."""
    return "\n".join([*_grid(rules, state, {}), "", f"   {_status(rules, state)}"])


def moved(rules: Kalah, before: Position, move: int) -> str:
    """Return the board after a move as text, with the changes marked and the move described in a sentence."""
    sowing = _sow(rules, before, move)
    marks: dict[Place, Mark] = {}
    for side in (SOUTH, NORTH):
        for pit in range(rules.pits + 1):
            place = Place(side, pit)
            change = _count(rules, sowing.after, place) - _count(rules, before, place)
            if change:
                marks[place] = MORE if change > 0 else FEWER
    marks[sowing.last] = LAST
    lines = _grid(rules, sowing.after, marks)
    return "\n".join(
        [*lines, "", f"   {LEGEND}", f"   {_sentence(rules, sowing)}", f"   {_status(rules, sowing.after)}"]
    )


def svg(rules: Kalah, state: Position, move: int | None = None, before: Position | None = None) -> str:
    """The board as an SVG element.

    `move` is the code of the move that led to `state`, and `before` is the state before this move. If both are given,
    broken rings show the pits that the move has emptied, and a solid ring shows the place of the last stone.
    """
    sowing = None if move is None or before is None else _sow(rules, before, move)
    width = (rules.pits + 2) * STEP + 2 * SIDE
    places = [Place(side, pit) for side in (SOUTH, NORTH) for pit in range(rules.pits + 1)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" role="img">',
        f"  <title>{escape(_title(rules, state, sowing))}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="kalah-board" x="1.5" y="1.5" width="{width - 3}" height="{HEIGHT - 3}" rx="44"/>',
        *(_grain(width, y) for y in range(20, HEIGHT, 40)),
        *(_hollow("kalah-hollow", rules, place, 0) for place in places),
    ]
    if sowing is not None and before is not None:
        emptied = [place for place in places if _count(rules, state, place) < _count(rules, before, place)]
        parts += [_hollow("kalah-left", rules, place, 5) for place in emptied if place != sowing.last]
        parts.append(_hollow("kalah-last", rules, sowing.last, 5))
    parts += [_content(rules, state, place) for place in places]
    parts += [_name(rules, state, side) for side in (SOUTH, NORTH)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def targets(rules: Kalah, state: Position) -> dict[int, tuple[float, float, float, float, str]]:
    """Return the clickable pits of the player to move, labelled with their numbers of stones."""
    found: dict[int, tuple[float, float, float, float, str]] = {}
    for pit in range(rules.pits):
        place = Place(state.side, pit)
        x, y = _centre(rules, place)
        label = f"pit {pit + 1}, {_stones(_count(rules, state, place))}"
        found[pit] = (x - INNER, y - INNER, 2 * INNER, 2 * INNER, label)
    return found


def frames(rules: Kalah, before: Position, move: int) -> list[str]:
    """Draw the frames of an animated move: one frame for each stone that is sown."""
    return [svg(rules, state) for state in _falling(rules, before, move)]


# The content of drawings.


def _count(rules: Kalah, state: Position, place: Place) -> int:
    if place.pit == rules.pits:
        return (state.south_store, state.north_store)[place.side]
    return pit_of((state.south, state.north)[place.side], place.pit)


def _sow(rules: Kalah, before: Position, move: int) -> Sowing:
    after = play(rules, before, move)
    own, pits = before.side, rules.pits
    origin, store = Place(own, move), Place(own, pits)
    sown = _count(rules, before, origin)
    steps = (move + sown) % (2 * pits + 1)
    last = Place(own, steps) if steps <= pits else Place(1 - own, steps - pits - 1)
    passed = (move + sown + pits + 1) // (2 * pits + 1)
    taken = _count(rules, after, store) - _count(rules, before, store) - passed
    return Sowing(origin, sown, last, taken, after)


def _falling(rules: Kalah, before: Position, move: int) -> Iterator[Position]:
    """Yield the position after each stone of a sowing, without the capture that may follow."""
    own, ring = before.side, 2 * rules.pits + 1
    rows, stores = [before.south, before.north], [before.south_store, before.north_store]
    sown = pit_of(rows[own], move)
    rows[own] -= sown << 8 * move
    for step in range(move + 1, move + 1 + sown):
        place = step % ring
        if place == rules.pits:
            stores[own] += 1
        elif place < rules.pits:
            rows[own] += 1 << 8 * place
        else:
            rows[1 - own] += 1 << 8 * (place - rules.pits - 1)
        yield Position(rows[0], rows[1], stores[0], stores[1], own)


def _sentence(rules: Kalah, sowing: Sowing) -> str:
    own, last = sowing.origin.side, sowing.last
    result = ""
    if last.pit == rules.pits:
        where = "its store"
        result = "" if is_over(rules, sowing.after) else ", and moves again"
    elif last.side != own:
        where = f"{NAMES[last.side]}'s pit {last.pit + 1}"
    elif sowing.taken:
        where = f"its empty pit {last.pit + 1}"
        result = f"; {_stones(sowing.taken)} {'goes' if sowing.taken == 1 else 'go'} to its store"
    else:
        where = f"its pit {last.pit + 1}"
    return f"{NAMES[own]} sows {_stones(sowing.sown)} from pit {sowing.origin.pit + 1}, the last into {where}{result}"


def _stones(count: int) -> str:
    return f"{count} {'stone' if count == 1 else 'stones'}"


def _status(rules: Kalah, state: Position) -> str:
    if not is_over(rules, state):
        return f"{NAMES[state.side]} to move"
    ahead = margin(rules, state)
    result = f"{NAMES[SOUTH if ahead > 0 else NORTH]} won by {abs(ahead)}" if ahead else "a draw"
    left = [stones(state.south), stones(state.north)]
    if not any(left):
        return result
    if rules.leftovers == NOBODY:
        return f"{result}; {_stones(sum(left))} left, for nobody"
    return f"{result}, with the {_stones(sum(left))} left to {NAMES[SOUTH if left[SOUTH] else NORTH]}"


def _title(rules: Kalah, state: Position, sowing: Sowing | None) -> str:
    after = "" if sowing is None else f" ({_sentence(rules, sowing)})"
    return f"Kalah, {format_state(rules, state)}{after}: {_status(rules, state)}"


# Drawing as text.


def _grid(rules: Kalah, state: Position, marks: dict[Place, Mark]) -> list[str]:
    """Return the board as lines of text. `marks` contains brackets that mark the numbers in some pits and stores."""
    digits = max(2, len(str(2 * rules.pits * rules.seeds)))
    cell = digits + 2

    def number(side: int, pit: int) -> str:
        place = Place(side, pit)
        left, right = marks.get(place, (" ", " "))
        return f"{left}{_count(rules, state, place):>{digits}}{right}"

    def row(side: int, left: str, right: str) -> str:
        pits = [number(side, pit) for pit in range(rules.pits)]
        return "│".join(["   ", left, *(pits if side == SOUTH else pits[::-1]), right, ""])

    def line(left: str, cross: str, right: str, first: str, last: str) -> str:
        return f"   {left}{first}{cross.join(['─' * cell] * rules.pits)}{last}{right}"

    numbers = [f"{pit:>{cell - 1}}  " for pit in range(1, rules.pits + 1)]
    blank, rule = " " * cell, "─" * cell
    return [
        f"   {NAMES[NORTH]:^{cell + 2}}{''.join(numbers[::-1])}".rstrip(),
        line("┌", "┬", "┐", f"{rule}┬", f"┬{rule}"),
        row(NORTH, blank, blank),
        line("│", "┼", "│", f"{number(NORTH, rules.pits)}├", f"┤{number(SOUTH, rules.pits)}"),
        row(SOUTH, blank, blank),
        line("└", "┴", "┘", f"{rule}┴", f"┴{rule}"),
        f"   {'':{cell + 2}}{''.join(numbers)}{NAMES[SOUTH]}",
    ]


# Drawing as SVG.


def _centre(rules: Kalah, place: Place) -> tuple[float, float]:
    column = place.pit + 1 if place.side == SOUTH else rules.pits - place.pit
    x = SIDE + STEP * (column + 0.5)
    return (x, HEIGHT / 2) if place.pit == rules.pits else (x, ROWS[place.side])


def _grain(width: int, y: int) -> str:
    return f'  <path class="kalah-grain" d="M30,{y} C{width // 3},{y - 9} {2 * width // 3},{y + 11} {width - 30},{y}"/>'


def _hollow(name: str, rules: Kalah, place: Place, wider: int) -> str:
    """Draw the outline of a pit or store, enlarged by `wider`."""
    x, y = _centre(rules, place)
    if place.pit < rules.pits:
        return f'  <circle class="{name}" cx="{x:g}" cy="{y:g}" r="{RADIUS + wider}"/>'
    width, height = STORE_WIDTH + 2 * wider, STORE_HEIGHT + 2 * wider
    box = f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" height="{height}" rx="{width / 2:g}"'
    return f'  <rect class="{name}" {box}/>'


def _content(rules: Kalah, state: Position, place: Place) -> str:
    """Draw the stones in a pit or store and their count. A pit also shows its own number."""
    x, y = _centre(rules, place)
    count = _count(rules, state, place)
    inwards = 1 if place.side == NORTH else -1
    if place.pit == rules.pits:
        radius, points = _in_rows(count, STORE_WIDTH - 16, STORE_HEIGHT - 72)
        parts = [_badge(x, y - inwards * (STORE_HEIGHT / 2 - 18), count)]
    else:
        radius, points = _in_a_spiral(count, RADIUS - 5)
        parts = [_badge(x, y + inwards * (RADIUS + 3), count)]
        parts.append(
            f'  <text class="kalah-pit" x="{x:g}" y="{y - inwards * (RADIUS + 17) + 5:g}">{place.pit + 1}</text>'
        )
    drawn = [_stone(x + dx, y + dy, radius, COLOURS[i % len(COLOURS)]) for i, (dx, dy) in enumerate(points)]
    return "\n".join([*drawn, *parts])


def _stone(x: float, y: float, radius: float, colour: str) -> str:
    return f'  <circle class="kalah-stone kalah-{colour}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'


def _in_a_spiral(count: int, room: float) -> tuple[float, list[tuple[float, float]]]:
    """Arrange `count` stones in a circle with the radius `room`, like sunflower seeds.

    Returns the radius of the stones, and their centres relative to the middle of the circle.
    """
    spacing = min(SPACING, room / (sqrt(count) + 0.9))
    radius = min(STONE, 0.9 * spacing)
    if count == 1:
        return radius, [(0.0, 0.0)]
    turns = [(spacing * sqrt(i + 0.5), GOLDEN_ANGLE * i) for i in range(count)]
    return radius, [(far * cos(angle), far * sin(angle)) for far, angle in turns]


def _in_rows(count: int, width: float, height: float) -> tuple[float, list[tuple[float, float]]]:
    """Arrange `count` stones in rows within a box.

    Returns the radius of the stones, and their centres relative to the middle of the box.
    """
    columns = max(1, ceil(sqrt(count * width / height)))
    rows = ceil(count / columns)
    apart = min(2 * STONE, width / columns, height / max(rows, 1))
    middle = ((columns - 1) / 2, (rows - 1) / 2)
    points = [((i % columns - middle[0]) * apart, (i // columns - middle[1]) * apart) for i in range(count)]
    return 0.47 * apart, points


def _badge(x: float, y: float, count: int) -> str:
    width = 26 if count < 10 else 34 if count < 100 else 42
    box = f'x="{x - width / 2:g}" y="{y - 12:g}" width="{width}" height="24" rx="12"'
    return f'  <rect class="kalah-badge" {box}/>\n  <text class="kalah-count" x="{x:g}" y="{y + 6:g}">{count}</text>'


def _name(rules: Kalah, state: Position, side: int) -> str:
    """The name of a player for the drawing of its store, in bold if the player is to move."""
    x, y = _centre(rules, Place(side, rules.pits))
    y += (STORE_HEIGHT / 2 + 20) * (1 if side == SOUTH else -1)
    turn = state.side == side and not is_over(rules, state)
    return f'  <text class="kalah-{"turn" if turn else "name"}" x="{x:g}" y="{y + 6:g}">{NAMES[side]}</text>'
