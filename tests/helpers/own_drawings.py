"""Games whose users draw them, well and badly: each in a module made of this text with other functions beside it."""

from __future__ import annotations

GAME = '''
from typing import NamedTuple
from petteia.core.protocol import Limits


class Ply(NamedTuple):
    number: int
    last: int


class Pass(NamedTuple):
    """Two moves, three plies. Nothing can be won."""

    def initial(rules): return Ply(0, 0)
    def to_move(rules, state): return state.number % 2
    def moves(rules, state, out):
        out[0] = 0
        out[1] = 1
        return 2
    def play(rules, state, move): return Ply(state.number + 1, move)
    def is_over(rules, state): return state.number == 3
    def margin(rules, state): return 0
    def key(rules, state): return state.number * 2 + state.last
    def injective(rules): return True
    def limits(rules): return Limits(2, 2, 3)
    def format_state(rules, state): return f"ply/{state.number}{'ab'[state.last]}"
    def parse_state(rules, text):
        for number in range(4):
            for last in (0, 1):
                if text == f"ply/{number}{'ab'[last]}":
                    return Ply(number, last)
        raise ValueError("must look like ply/0a")
    def format_move(rules, state, move): return "ab"[move]
'''

DRAWINGS = {
    "plain": "",
    "drawn": """
def text(rules, state):
    return f"at {state.number}"

def svg(rules, state):
    return f"<svg>{state.number}</svg>"

def moved(rules, before, move):
    return f"from {before.number}" if move else None
""",
    "with_text": """
def text(rules, state):
    return f"at <{state.number}>"
""",
    "showing": """
def svg(rules, state, move, before):
    return f"<svg>{state.number} {move} {before}</svg>"
""",
    "failing": """
def text(rules, state):
    return 1 // (state.number - state.number)

def svg(rules, state):
    return state.board

def moved(rules, before, move):
    raise KeyError("a\\nb")
""",
    "wrong": """
def text(rules, state):
    return 7

def svg(rules, state):
    return "a picture"
""",
    "other": """
def text(game, position):
    return "never shown"

svg = "nothing that can be called"
""",
}

HOSTILE = {
    "raising": "\ndef svg(rules, state):\n    raise KeyError(state)\n",
    "endless": "\ndef svg(rules, state):\n    while True:\n        pass\n",
    "scripted": "\ndef svg(rules, state):\n    return \"<svg viewBox='0 0 9 9'><script>alert(1)</script></svg>\"\n",
    "untargeted": "\ndef svg(rules, state):\n    return \"<svg viewBox='0 0 9 9'></svg>\"\n\n"
    "def targets(rules, state):\n    return {0: (0, 0, 99, 9, 'a')}\n",
}
"""Drawings that raise, never end, hold a script, or tell of places beside the board."""
