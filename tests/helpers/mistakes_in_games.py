"""Typical mistakes in a game of one's own, as edits of the module that `new_game` writes.

What each of them prints stands in `mistakes_in_games.txt`.
"""

from __future__ import annotations

Edit = tuple[str, str]

IS_OVER = "        return state.stones == 0\n"
PLAY = "        return Heap(state.stones - move, 1 - state.side)\n"
CONSTANT = "MAX_TAKEN = 3\n"
CLASS = "class Nim(NamedTuple):"
INLINE = ("import re\n", "import re\n\nfrom petteia.core.kernel import inline\n")


def is_over(expression: str) -> Edit:
    return IS_OVER, f"        return {expression}\n"


def play(*lines: str) -> Edit:
    return PLAY, "".join(f"        {line}\n" for line in lines)


def constant(line: str) -> Edit:
    return CONSTANT, f"{CONSTANT}{line}\n"


def helper(*lines: str) -> Edit:
    return CLASS, "\n".join([*lines, "", "", CLASS])


MISTAKES: dict[str, tuple[Edit, ...]] = {
    "a line that is no Python": ((CONSTANT, "MAX_TAKEN = = 3\n"),),
    "a module that is not there": (("import re\n", "import re\nimport rules_of_nim\n"),),
    "an error while importing": (constant("MINIMUM = 1 // 0"),),
    "another name for the class": ((CLASS, "class Game(NamedTuple):"),),
    "an ordinary class": ((CLASS, "class Nim:"),),
    "a missing verb": (("    def margin(", "    def score("),),
    "a wrong name of a parameter": (("def to_move(rules, state: Heap)", "def to_move(rules, s: Heap)"),),
    "a list in the state": (("Heap(rules.stones, 0)", "Heap([rules.stones], 0)"),),
    "a dictionary in the state": (("Heap(rules.stones, 0)", "Heap({0: rules.stones}, 0)"),),
    "text in the state": (("Heap(rules.stones, 0)", 'Heap(rules.stones, "first")'),),
    "a truth value in the state": (play("return Heap(state.stones - move, not state.side)"),),
    "a float in the state": (play("return Heap((state.stones - move) / 1, 1 - state.side)"),),
    "a state of another class": (play("return state.stones - move, 1 - state.side"),),
    "a list instead of moves in out": (("        return count\n", "        return [1, 2, 3]\n"),),
    "a move that is not legal": (("min(MAX_TAKEN, state.stones)", "MAX_TAKEN"),),
    "a move listed twice": (("            out[count] = taken\n", "            out[count] = 1\n"),),
    "a move above the limit of codes": (("codes=MAX_TAKEN + 1", "codes=MAX_TAKEN"),),
    "more moves than the limit": (("moves=MAX_TAKEN,", "moves=2,"),),
    "no move though it is not over": (is_over("False"),),
    "a game longer than the limit": (("plies=rules.stones)", "plies=5)"),),
    "a game that never ends": (play("return Heap(rules.stones, 1 - state.side)"), ("plies=rules.stones)", "plies=0)")),
    "a key that collides": (("state.stones * 2 + state.side", "state.stones"),),
    "a key above 63 bits": (("state.stones * 2 + state.side", "(state.stones << 70) + state.side"),),
    "a margin that is no number": (("return 1 if state.side == 1 else -1", "return None"),),
    "a global that changes": (constant("PLAYED = 0"), play("global PLAYED", "PLAYED += 1", PLAY.strip())),
    "a list that collects moves": (constant("PLAYED = []"), play("PLAYED.append(move)", PLAY.strip())),
    "a draw of lots": (
        ("import re\n", "import random\nimport re\n"),
        play("return Heap(state.stones - move, random.randrange(2))"),
    ),
    "text that does not come back": (("('first', 'second')[state.side]", "('first', 'first')[state.side]"),),
    "a parser that takes anything": (
        (r'r"(\d{1,4}) (first|second)"', r'r"(\d+)\S* (first|second)"'),
        ("strict(rules, text, Heap(", "(Heap("),
    ),
    "a print": (play("print(state)", PLAY.strip()),),
    "a method instead of the verb": (is_over("rules.to_move(state) == 2 or state.stones == 0"),),
    "a constant of the class": (
        ("    stones: Annotated", "    LAST = (0, 1)\n    stones: Annotated"),
        is_over("state.stones == rules.LAST[0]"),
    ),
    "a helper without @inline": (
        helper("def is_empty(state):", "    return state.stones == 0"),
        is_over("is_empty(state)"),
    ),
    "a mistake within a helper": (
        INLINE,
        helper("@inline", "def is_empty(state):", "    return f'{state.stones}' == '0'"),
        is_over("is_empty(state)"),
    ),
    "a helper that calls itself": (
        INLINE,
        helper("@inline", "def is_even(n):", "    return True if n == 0 else not is_even(n - 1)"),
        is_over("state.stones == 0 and (is_even(state.side) or True)"),
    ),
    "named arguments of a verb": (
        ("import Buffer, Limits", "import Buffer, Limits, to_move"),
        is_over("to_move(rules, state=state) == 2 or state.stones == 0"),
    ),
    "a set in a rule": (is_over("state.stones in {0, state.stones * 2}"),),
    "a dictionary in a rule": (is_over("{0: True}.get(state.stones, False)"),),
    "a dictionary above the class": (constant("LAST = {0: 0}"), is_over("state.stones == LAST[0]")),
    "a list above the class": (constant("LAST = [0]"), is_over("state.stones == LAST[0]")),
    "text put together in a rule": (is_over("f'{state.stones}' == '0'"),),
    "a message with a value": (
        play("if move > state.stones:", "    raise ValueError(f'{move} is too much')", PLAY.strip()),
    ),
    "a generator expression": (is_over("all(n == 0 for n in (state.stones, 0))"),),
    "try and except": (
        (
            IS_OVER,
            "        try:\n            return state.stones == 0\n        except ValueError:\n            return True\n",
        ),
    ),
    "_replace": (play("return state._replace(stones=state.stones - move, side=1 - state.side)"),),
    "a function of the library": (
        ("import re\n", "import math\nimport re\n"),
        is_over("math.isqrt(state.stones) == 0"),
    ),
    "NumPy of a list": (
        ("import re\n", "import re\n\nimport numpy as np\n"),
        is_over("bool(np.sum([state.stones]) == 0)"),
    ),
    "an array that is made": (
        ("import re\n", "import re\n\nimport numpy as np\n"),
        is_over("bool(np.zeros(2)[0] == state.stones)"),
    ),
    "a dictionary with numbers": (is_over("{0: 1}[min(state.stones, 0)] == state.stones + 1"),),
    "a variable of two kinds": (
        play("last = 1", "if move > 1:", "    last = (1, 2)", "if last == 5:", "    return state", PLAY.strip()),
    ),
    "a variable that holds a state, then a tuple": (
        play(
            "last = state", "if move > 1:", "    last = (state, 2)", "if last == 5:", "    return state", PLAY.strip()
        ),
    ),
    "an import inside": (play("import math", PLAY.strip()),),
    "a list of the class that changes": (
        ("    stones: Annotated", "    PLAYED = []\n    stones: Annotated"),
        play("rules.PLAYED.append(move)", PLAY.strip()),
    ),
    "a name that is not defined": (is_over("state.stones == zero"),),
    "a number too large on the way": (play("return Heap(state.stones - move, state.stones * 3**39 % 7 % 2)"),),
}
