"""A game that breaks the protocol in each way that could bring a process down: at once, or late in a game.

And one in which chance moves, too, and outcomes are as wrong as moves.

python tests/helpers/hostile_games.py USE [FAULT...]    use them with each fault; a line of JSON for each use
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Annotated, NamedTuple

from petteia.core.options import Range, Words
from petteia.core.protocol import CHANCE as CHANCE_MOVES
from petteia.core.protocol import Buffer, Limits
from petteia.core.protocol import moves as list_moves

FAULTS = (
    *("none", "large_codes", "negative_codes", "many_moves", "more_than_listed", "no_moves", "minus_moves"),
    *("wrong_mover", "negative_mover", "chance_mover", "endless", "huge_margin", "raises", "odd_images"),
    *("over_at_once", "no_limits", "huge_limits", "negative_plies"),
)
LARGE, NEGATIVE, MANY, MORE, NO, MINUS, WRONG, BELOW, CHANCE, ENDLESS, HUGE, RAISES, IMAGES = range(1, 14)
OVER, NO_LIMITS, HUGE_LIMITS, NEGATIVE_PLIES = range(14, 18)
LISTING = ("none", "large_codes", "negative_codes", "many_moves", "more_than_listed", "no_moves", "minus_moves")
"""faults of what is listed, be it moves or outcomes"""
LATE = 30
"""ply from which faults show that need not show at once"""
LAST = LATE + 6


class Step(NamedTuple):
    ply: int
    side: int


class Hostile(NamedTuple):
    """A walk of 36 plies with three moves each; whoever has made the last may have won. Position: `7 first`."""

    fault: Annotated[int, Words(*FAULTS)] = 0
    since: Annotated[int, Range(0, LATE)] = LATE

    def initial(rules) -> Step:
        return Step(LAST if rules.fault == OVER else 0, 0)

    def to_move(rules, state: Step) -> int:
        if state.ply >= rules.since:
            if rules.fault == WRONG:
                return 1_000_000_000
            if rules.fault == BELOW:
                return -1_000_000_000
            if rules.fault == CHANCE:
                return 2
        return state.side

    def moves(rules, state: Step, out: Buffer) -> int:
        count = 3
        step = 1
        if state.ply >= rules.since:
            if rules.fault == MANY:
                count = 100_000
            if rules.fault == LARGE:
                step = 10_000_000
            if rules.fault == NEGATIVE:
                step = -10_000_000
        for i in range(count):
            out[i] = i * step
        if state.ply >= rules.since:
            if rules.fault == MORE:
                return 100_000
            if rules.fault == NO:
                return 0
            if rules.fault == MINUS:
                return -100_000
        return count

    def play(rules, state: Step, move: int) -> Step:
        if rules.fault == RAISES and state.ply >= rules.since:
            return Step(1 // (state.ply - state.ply), 0)
        if rules.fault == ENDLESS and state.ply >= rules.since:
            return Step(state.ply, 1 - state.side)
        return Step(state.ply + 1, state.side if move == 1 else 1 - state.side)

    def is_over(rules, state: Step) -> bool:
        return state.ply >= LAST

    def margin(rules, state: Step) -> int:
        if rules.fault == HUGE:
            return (1 << 62) * (1 - 2 * state.side)
        return 1 - 2 * state.side

    def key(rules, state: Step) -> int:
        return state.ply << 1 | state.side

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        if rules.fault == NO_LIMITS:
            return Limits(0, 0, LAST)
        if rules.fault == HUGE_LIMITS:
            return Limits(1 << 60, 1 << 60, LAST)
        if rules.fault == NEGATIVE_PLIES:
            return Limits(3, 3, -1)
        return Limits(3, 3, LAST)

    def images(rules) -> int:
        return 1 << 60 if rules.fault == IMAGES else 1

    def image(rules, state: Step, i: int) -> Step:
        return state

    def image_move(rules, move: int, i: int) -> int:
        return move

    def format_state(rules, state: Step) -> str:
        return f"{state.ply} {('first', 'second')[state.side & 1]}"

    def parse_state(rules, text: str) -> Step:
        found = re.fullmatch("(0|[1-9][0-9]?) (first|second)", text, re.ASCII)
        if not found or int(found[1]) > LAST:
            raise ValueError(f"position {text!r}: must look like '7 first', with a ply of at most {LAST}")
        return Step(int(found[1]), ("first", "second").index(found[2]))

    def format_move(rules, state: Step, move: int) -> str:
        return str(move)


class HostileDice(Hostile):
    """The same walk, in which chance makes every other ply."""

    def to_move(rules, state: Step) -> int:
        return CHANCE_MOVES if state.ply % 2 == 1 else state.side

    def chances(rules, state: Step, moves: Buffer, probabilities: Buffer) -> int:
        count = list_moves(rules, state, moves)
        listed = 100_000 if rules.fault == MANY and state.ply >= rules.since else 3
        for i in range(listed):
            probabilities[i] = 1.0 / listed
        return count


def lead(rules: Hostile, state: Step) -> int:
    """An evaluation."""
    return state.ply % 7 * (1 - 2 * (state.side & 1))


GREEDY = "greedy:depth=3,evaluation=hostile_games:lead"
USES = {
    "match": ("match", "random", "random", "--games", "20"),
    "greedy": ("match", GREEDY, "random", "--games", "20", "--jobs", "2"),
    "best": ("best", "--player", "search:depth=5,evaluation=hostile_games:lead"),
    "perft": ("perft", "4"),
    "solve": ("solve",),
    "prove": ("prove", "--memory", "1", "--openings"),
    "regret": ("regret", "random"),
    "train": ("train", "--games", "200", "--evaluation-games", "4", "--side", "both"),
}
"""commands that need the game behind their name, which are given positions with and without a fault near them"""
REFUSED = (("prove", "HostileDice"),)
"""uses that a sound game has not, as chance moves in it"""
NEAR = ("--position", f"{LATE - 2} first")
"""from where faults can be met in a few plies"""


def run(use: str, game: str, fault: str, since: int) -> tuple[int, str]:
    """The exit code, and all that was said on stderr."""
    from petteia.cli import main

    name, *rest = USES[use]
    said = io.StringIO()
    where = NEAR if since else ()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stderr(said),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.chdir(folder),
    ):
        code = main([name, f"hostile_games:{game}:fault={fault},since={since}", *rest, *where])
    return code, said.getvalue()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    for fault in sys.argv[2:] or FAULTS:
        for game in ("Hostile", "HostileDice") if fault in LISTING else ("Hostile",):
            for since in (0, LATE):
                print(json.dumps((game, fault, since, *run(sys.argv[1], game, fault, since))), flush=True)
