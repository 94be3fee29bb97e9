"""Images of boards, and the clickable places on them.

Custom games are drawn in a child process, which is killed if it takes too long.
"""

from __future__ import annotations

import functools
import hashlib
import multiprocessing
import re
import signal
import threading
from html import unescape
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple

from petteia.core.errors import PetteiaError
from petteia.core.names import GAME_NAMES, format_game
from petteia.core.protocol import CHANCE, Rules, State, format_state, initial, is_over, to_move
from petteia.foreign.trust import allow, allowed
from petteia.games import untried
from petteia.render.boards import board_svg, board_text, drawn_by
from petteia.render.targets import Box, Target, targets, view_box
from petteia.web.words import words

SECONDS, START_SECONDS = 2.0, 30.0
"""The time limits, in seconds, for a drawing, and for the first drawing of a process, which must first start."""
MAX_BYTES, MAX_FRAMES = 2_000_000, 60
"""The maximum size of a drawing in characters, and the maximum number of frames of a move."""
TURN = "text, .upright { transform-box: fill-box; transform-origin: 50% 50%; transform: rotate(180deg) }"
"""The style that keeps text upright if the board is turned."""


class Picture(NamedTuple):
    """The drawing of a position, and the same board in plain text."""

    svg: str
    """the drawing as SVG; empty if the position has no drawing"""
    text: str
    """the board as plain text"""
    targets: dict[int, Target]
    """the place to click for each step of a move; empty if the position has no drawing"""
    note: str
    """the reason why the drawing of the game failed; empty if it did not fail"""

    @property
    def title(self) -> str:
        """The title of the drawing; empty if it has none."""
        found = re.search(r"<title>(.*?)</title>", self.svg, re.DOTALL)
        return " ".join(unescape(found[1]).split())[:300] if found else ""

    @property
    def view(self) -> Box | None:
        """The viewBox of the drawing."""
        return view_box(self.svg)


def draw(rules: Rules, state: State, last: tuple[State, int] | None) -> Picture:
    """Draw a position as SVG and as text.

    `last` contains the state before the last move, and the code of this move.
    """
    before, move = last or (None, None)
    svg = board_svg(rules, state, move, before)
    text = board_text(rules, state, moves=False)
    failed = drawn_by("svg", rules, state, move, before).note if type(rules) not in GAME_NAMES else ""
    if len(svg) > MAX_BYTES:
        return Picture("", text, {}, words()["drawing_large"])
    if failed or is_over(rules, state) or to_move(rules, state) == CHANCE:
        return Picture(svg, text, {}, failed)
    return Picture(svg, text, *targets(rules, state, svg))


def frames(rules: Rules, before: State, move: int) -> list[str]:
    """Draw the frames of an animated move. The list is empty if the game does not define an animation."""
    return (drawn_by("frames", rules, before, move).value or [])[:MAX_FRAMES]


class Painter:
    """A cache of drawings of positions. Any thread may use it."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self._lock = threading.Lock()
        self._failing = set[type]()
        # Cached by type, too, because states of different games may be equal tuples.
        self.picture = functools.lru_cache(maxsize=512, typed=True)(self._picture)
        self.frames = functools.lru_cache(maxsize=128, typed=True)(self._frames)

    def _picture(self, rules: Rules, state: State, last: tuple[State, int] | None) -> Picture:
        """Draw a position. If this fails, the picture contains only plain text."""
        if type(rules) in GAME_NAMES:
            return draw(rules, state, last)
        if answer := self._asked(draw, rules, state, last):
            return Picture(*answer)
        return Picture("", format_state(rules, state), {}, words()["drawing_slow"])

    def _frames(self, rules: Rules, before: State, move: int) -> list[str]:
        if type(rules) in GAME_NAMES:
            return frames(rules, before, move)
        return self._asked(frames, rules, before, move) or []

    def _asked(self, what: Any, rules: Rules, *arguments: Any) -> Any:
        """Call the function `what` in the child process. Return its result, or None if it fails or takes too long.

        Once a call has failed for a game, all later calls for this game return None without using the child process.
        """
        with self._lock:
            if type(rules) in self._failing:
                return None
            if self._child is None:
                self._child = _Child()
            try:
                return self._child.ask(what.__name__, rules, arguments)
            except (PetteiaError, EOFError, OSError):
                self._failing.add(type(rules))
                self._child.end()
                self._child = None
                return None

    def close(self) -> None:
        """End the child process."""
        with self._lock:
            if self._child is not None:
                self._child.end()
                self._child = None


class _Child:
    """A child process that draws custom games."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_work, args=(theirs, allowed()), daemon=True)
        self._process.start()
        theirs.close()
        self._has_begun = False

    def ask(self, what: str, rules: Rules, arguments: tuple[Any, ...]) -> Any:
        """Call a function of this module in the child process. Raises PetteiaError if it takes too long."""
        plain = [tuple(each) if isinstance(each, tuple) else each for each in arguments]
        if what == "draw" and arguments[1] is not None:
            plain[1] = (tuple(arguments[1][0]), arguments[1][1])
        self._connection.send((what, format_game(rules), plain))
        if not self._connection.poll(SECONDS if self._has_begun else START_SECONDS):
            raise PetteiaError(words()["drawing_slow"])
        self._has_begun = True
        answer = self._connection.recv()
        if what == "draw":
            answer = (
                *answer[:2],
                {step: Target(label, box and Box(*box)) for step, label, box in answer[2]},
                answer[3],
            )
        return answer

    def end(self) -> None:
        """Kill the child process."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _work(connection: Connection, modules: frozenset[str]) -> None:
    """Answer requests in the child process until the connection is closed. Only `modules` may be imported."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    allow(modules)
    while True:
        try:
            what, name, plain = connection.recv()
        except EOFError:
            return
        rules = untried(name)
        state = type(initial(rules))
        if what == "frames":
            connection.send(frames(rules, state(*plain[0]), plain[1]))
            continue
        last = None if plain[1] is None else (state(*plain[1][0]), plain[1][1])
        picture = draw(rules, state(*plain[0]), last)
        told = [(step, target.label, target.box and tuple(target.box)) for step, target in picture.targets.items()]
        connection.send((picture.svg, picture.text, told, picture.note))


def name_of_picture(rules: Rules, state: State, last: tuple[State, int] | None) -> str:
    """Return a digest that identifies the picture of a position."""
    told = f"{format_game(rules)}|{state!r}|{last!r}"
    return hashlib.sha256(told.encode()).hexdigest()[:20]


def turned(svg: str) -> str:
    """Return a drawing that is turned upside down, with its text upright."""
    view, start = view_box(svg), svg.find(">") + 1
    end = svg.rstrip().removesuffix("</svg>")
    if view is None or end == svg.rstrip():
        return svg
    middle = f"{view.x + view.width / 2:g} {view.y + view.height / 2:g}"
    return f'{svg[:start]}<style>{TURN}</style><g transform="rotate(180 {middle})">{end[start:]}</g></svg>'


def turned_box(box: Box, view: Box) -> Box:
    """Return the position of a rectangle on a drawing after the drawing is turned upside down."""
    x, y = 2 * view.x + view.width - box.x - box.width, 2 * view.y + view.height - box.y - box.height
    return Box(x, y, box.width, box.height)
