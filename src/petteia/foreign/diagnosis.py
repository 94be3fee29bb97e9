"""One-line descriptions of compiler errors in custom code: the file, the line, the problem, and the remedy.

An error message of numba takes about a page. It lists nested function calls from the innermost to the outermost. The
first location in a custom file is therefore the innermost location in custom code. The text just above this location
describes the problem. The one-line description omits failures inside numba's own code, because users do not know this
code. `ADVICE` contains known messages with their remedies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NamedTuple

from petteia.core.protocol import METHODS
from petteia.core.types import readable

HEADING = re.compile(r"Failed in nopython mode pipeline \(step: [^\n]*\)\n")
INSIDE = re.compile(r"Overload (?:in|of) function '[^']*': File: numba/")
"""the beginning of a part of the message about the compiler's own code"""
NO_ROOM = re.compile(r"NRT required|Only accept returning of array")
"""the message about code that allocates memory, which compiled code cannot do here"""
MAKES = "(needs memory)"
"""the text that replaces the part of a message about allocation, before the message is compared with `ADVICE`"""
ANY_METHOD = "|".join(METHODS)
BUILTIN = "the use of {0} here; replace it with loops, comparisons and {arithmetic}"
DECIMAL = "a number with a decimal point here; use whole numbers only, and divide with //"
"""advice for code that must use whole numbers only"""


class Right(NamedTuple):
    """Advice for authors of one kind of custom code: what to write in place of code that numba cannot compile."""

    numbers: str
    """the constructs to use instead of lists, sets and dictionaries"""
    text: str
    """the place for code that handles text, because text cannot be compiled"""
    arithmetic: str = "arithmetic"
    """the construct to use instead of a library function"""


RULES = Right(
    "keep whole numbers in fields of the state, constants in tuples, and write moves into `out`",
    "a string; use strings only in the methods format_state, parse_state and format_move, which are never compiled",
    "integer arithmetic",
)

ADVICE: tuple[tuple[str, str], ...] = (
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
        "a call of {0}; write @inline (from petteia.core.kernel) in the line above `def {0}`",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class '(?:type|builtin_function_or_method)'>",
        BUILTIN,
    ),
    (
        r"Untyped global name '(\w+)': Cannot type empty list",
        "the list {0}, which can change; keep values that change in a field of the state, and constants in a tuple",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
        "{0}, which is a {1}; keep values that change in a field of the state, and constants in a tuple",
    ),
    (
        r"use of a reflected (list|set)\([^\n]*? type, assigned to variable '(\w+)' in globals",
        "the {0} {1}, which can change; keep values that change in a field of the state, and constants in a tuple",
    ),
    (r"NameError: name '(\w+)' is not defined", "the name {0}, which is not defined; define it above the class"),
    (r"opcode \(STORE_GLOBAL\)", "a change of a global variable; keep values that change in a field of the state"),
    (r"opcode \(IMPORT_\w+\)", "an import inside a function; import at the top of the file"),
    (r"opcode \(UNPACK_EX\)", "an assignment to *names; read each field by its name, such as state.stones"),
    (
        rf"Unknown attribute '({ANY_METHOD})' of type (?:class\(<class '[\w.]*)?GAME\b",
        "the call of {0} as a method; call {0}(rules, ...) instead, after `from petteia.core.protocol import {0}`",
    ),
    (
        r"Unknown attribute '(\w+)' of type (?:class\(<class '[\w.]*)?GAME\b",
        "the attribute {0} of the rules, which is not an option; define a constant or an @inline function above the "
        "class",
    ),
    (
        r"Unknown attribute '_replace' of type (\w+)",
        "the method _replace; create the new state with all its fields: {0}(...)",
    ),
    (r"Unknown attribute 'bit_count'", "the method bit_count; call popcount(...) from petteia.core.bits"),
    (r"Unknown attribute 'add' of type range_iter", "this comprehension; write a for loop"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", "{1}.{0}; replace it with {arithmetic}"),
    (r"Unknown attribute '(\w+)' of type (\w+)", "the attribute {0} of a value of type {1}; there is no such field"),
    (r"yield in a closure|GeneratorExit", "a generator expression; write a for loop"),
    (r"build_map\(|DictType", "a dictionary; {numbers}"),
    (r"f-strings|<object type:", "{text}"),
    (r"'with \(context manager\)", "a `with` statement; compiled code can only compute with numbers"),
    (r"Exception matching is limited", "`except` with a class of errors; prevent the error by a test with `if`"),
    (r"re-entrant to the same function signature", "an @inline function that calls itself; write a loop"),
    (r"cell variable", "a function within a function; move it above the class, with @inline above it"),
    (
        r"Can't unify return type from the following types: ([^\n]*)",
        "return values of different types: {0}; return values of one type",
    ),
    (
        r"Cannot unify ([^\n]*?) and ([^\n]*?) for '(\w+?)(?:\.\d+)?'",
        "the variable {2}, which holds {0} in one place and {1} in another; use a separate name for each",
    ),
    (r"getitem\((?:Uni)?Tuple\([^\n]*slice", "a slice of a tuple; read the entries by index in a for loop"),
    (r"getitem\(Tuple\(", "an index into a tuple with entries of different types; use entries of one type"),
    (r"isinstance", "isinstance; distinguish states by a field of the state"),
    (
        r"Function\(<function (\w+) at [^\n]*\n[^>]*>>> \w+\([^\n]*\blist\(",
        "a list passed to {0}; compiled code has no lists: compute the result in a for loop",
    ),
    (r"<built-in function hash>", "a dictionary, a set or hash(...); {numbers}"),
    (
        r"Function\(<function (\w+) at [^\n]*\n[^>]*>>> [^\n]*[(,] ?\w+=",
        "{0} with named arguments; pass them by position only",
    ),
    (
        r"(?s)Function\(<function (\w+) at .*?(?:Cannot bind|missing a required argument|No match)",
        "this call of {0}; compare its arguments with the parameters in the definition",
    ),
    (r">>> [^\n]*\b(?:unicode_type|Literal\[str\])", "{text}"),
    (r"build_(?:list|set)\(|>>> [^\n]*\b(?:list|set)\(", "a list or set; {numbers}"),
    (r"<dynamic> raise", "an error message that contains values; raise the error with a constant text"),
    (r"<class 'str'>|format_value", "{text}"),
    (
        rf"(?s)Function\(<(?:built-in )?function (\w+)\b.*{re.escape(MAKES)}",
        "{0} here, which makes an array or a list; replace it with a for loop",
    ),
    (r">>> [^\n]*\bfloat64", DECIMAL),
    (r"Function\(<(?:built-in function|class) '?(hash|repr|sorted|int|float|bool|tuple)\b", BUILTIN),
    (r">>> [^\n]*\bnone\b", "None here; use a whole number without another meaning, such as -1"),
)
"""Patterns of compiler messages, each with the advice that follows `cannot compile`. `{0}` is the first group of the
pattern."""


KINDS = (
    (r"Literal\[(\w+)\]\([^)]*\)", r"\1"),
    (r"(?:reflected )?(list|set)\([^()]*\)(?:<iv=None>)?", r"\1"),
    (r"OptionalType\((\w+)\)", r"\1 or None"),
    (r".*generator\(.*", "generator"),
    (r"\bunicode_type\b", "str"),
    (r"\b(int|float)64\b", r"\1"),
    (r"\b(?:Uni)?Tuple\b", "tuple"),
)
"""Patterns of the compiler's names of types, each with Python's name of the type."""


def kind(name: str) -> str:
    """Translate the name of a numba type to the name of the corresponding Python type."""
    name = readable(name)
    for pattern, plain in KINDS:
        name = re.sub(pattern, plain, name)
    return name


def diagnose(
    error: BaseException, function: Callable[..., Any], game: str, files: Collection[str], right: Right = RULES
) -> str:
    """Describe, in one line, an error that numba raised while compiling `function`, a method of the class named `game`.

    `files` contains the files that the user can edit. The description names the innermost location in one of these
    files, or the definition of `function` if the error names none. If the cause is unknown, the description quotes
    numba.
    """
    text = "\n".join(line.strip() for line in str(error).splitlines())
    names = "|".join(re.escape(Path(file).name) for file in files)
    place = re.search(rf'({names})(?:", line | \()(\d+)', text)
    where = f"{place[1]}, line {place[2]}" if place else head(function, getattr(error, "loc", None))
    own, *inside = INSIDE.split(text[: place.start()] if place else text, maxsplit=1)
    reasons = HEADING.split(own + "".join(f"\n{MAKES}" for part in inside if NO_ROOM.search(part)))
    for reason in reversed(reasons):
        for pattern, meaning in ADVICE:
            if meaning is DECIMAL and right is not RULES:
                continue
            if match := re.search(pattern.replace("GAME", re.escape(game)), reason):
                words = meaning.format(*map(kind, match.groups()), **right._asdict())
                return f"{where}: cannot compile {words}"
    if "NRT required" in text:
        return f"{where}: cannot compile the list, set, dictionary or string in {function.__name__}; {right.numbers}"
    call = re.search(r">>> ([^\n]+)", reasons[-1])
    lines = [line for line in reasons[-1].splitlines() if line]
    quoted = f"the compiler does not know the call {call[1]}" if call else next(iter(lines), type(error).__name__)
    means = f"use only {right.arithmetic}, tuples, if and loops"
    return f"{where}: cannot compile {function.__name__}: {kind(quoted)}; {means}"


def head(function: Callable[..., Any], place: Any = None) -> str:
    """Return a code location for error messages, such as `nim.py, line 7`.

    `place` is the code location that an exception of numba contains. The line number is `place.line`, or the number of
    the first line of `function` if `place` is None.
    """
    code = function.__code__
    return f"{Path(code.co_filename).name}, line {place.line if place else code.co_firstlineno}"
