"""What the compiler refuses in a game's rules, as one line: file, line, what cannot be compiled, what to write instead.

The compiler's own messages run to a page. They name every function on the way down to the one that failed, so the first
place in a file of the user's is the innermost, and what stands between the last heading and that place says what is
wrong there. What failed inside the compiler's own code on the way is left out, as users know nothing of it. `ADVICE`
holds what is known about such messages.
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
"""where the compiler begins to tell of its own code"""
NO_ROOM = re.compile(r"NRT required|Only accept returning of array")
"""what it says where memory would have to be allocated; compiled code here allocates none"""
MAKES = "(needs memory)"
"""stands for that in what is looked through"""
VERB = "|".join(METHODS)
BUILTIN = "the use of {0} here; write it out with loops, comparisons and {arithmetic}"
DECIMAL = "a number with a decimal point here; divide with // and keep to whole numbers"
"""said of code that works on whole numbers alone"""


class Right(NamedTuple):
    """What is right in users' code of one kind."""

    numbers: str
    """what to have in the place of lists, sets and dictionaries"""
    text: str
    """that text cannot be compiled, and where it belongs"""
    arithmetic: str = "arithmetic"
    """what to write a function of the library out with"""


RULES = Right(
    "keep whole numbers in fields of the state, constants in tuples, and write moves into `out`",
    "text; it belongs in the methods format_state, parse_state and format_move, which are never compiled",
    "whole numbers",
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
        "the list {0}, which can change; what changes belongs in a field of the state, what does not in a tuple",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
        "{0}, which is a {1}; what changes belongs in a field of the state, what does not in a tuple",
    ),
    (
        r"use of a reflected (list|set)\([^\n]*? type, assigned to variable '(\w+)' in globals",
        "the {0} {1}, which can change; what changes belongs in a field of the state, what does not in a tuple",
    ),
    (r"NameError: name '(\w+)' is not defined", "the name {0}, which is not defined; define it above the class"),
    (r"opcode \(STORE_GLOBAL\)", "the change of a global; what changes belongs in a field of the state"),
    (r"opcode \(IMPORT_\w+\)", "an import inside a function; import at the top of the file"),
    (r"opcode \(UNPACK_EX\)", "an assignment to *names; name the fields: state.stones, state.side"),
    (
        rf"Unknown attribute '({VERB})' of type (?:class\(<class '[\w.]*)?GAME\b",
        "{0} as a method; call the verb: {0}(rules, ...), with `from petteia.core.protocol import {0}`",
    ),
    (
        r"Unknown attribute '(\w+)' of type (?:class\(<class '[\w.]*)?GAME\b",
        "{0} of the rules, which is no option; write a constant or an @inline function above the class",
    ),
    (
        r"Unknown attribute '_replace' of type (\w+)",
        "_replace; write a new state with all its fields: {0}(...)",
    ),
    (r"Unknown attribute 'bit_count'", "bit_count; write popcount(...), from petteia.core.bits"),
    (r"Unknown attribute 'add' of type range_iter", "a comprehension of this kind; write a for loop"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", "{1}.{0}; write it out with {arithmetic}"),
    (r"Unknown attribute '(\w+)' of type (\w+)", "{0} of a value of type {1}; there is no such field"),
    (r"yield in a closure|GeneratorExit", "a generator expression; write a for loop"),
    (r"build_map\(|DictType", "a dictionary; {numbers}"),
    (r"f-strings|<object type:", "{text}"),
    (r"'with \(context manager\)", "a `with` statement; only numbers can be worked on"),
    (r"Exception matching is limited", "`except` for one kind of error; test with `if` before it can happen"),
    (r"re-entrant to the same function signature", "an @inline function that calls itself; write a loop"),
    (r"cell variable", "a function within a function; move it above the class, with @inline above it"),
    (r"Can't unify return type from the following types: ([^\n]*)", "returns of different kinds: {0}; return one kind"),
    (
        r"Cannot unify ([^\n]*?) and ([^\n]*?) for '(\w+?)(?:\.\d+)?'",
        "the variable {2}, which holds now {0}, now {1}; use a name for each",
    ),
    (r"getitem\((?:Uni)?Tuple\([^\n]*slice", "a slice of a tuple; go over its places with a for loop"),
    (r"getitem\(Tuple\(", "a place of a tuple that holds different kinds; put numbers of one kind into it"),
    (r"isinstance", "isinstance; keep what tells states apart in a field of the state"),
    (
        r"Function\(<function (\w+) at [^\n]*\n[^>]*>>> \w+\([^\n]*\blist\(",
        "a list passed to {0}; compiled code has no lists: work it out in a for loop",
    ),
    (r"<built-in function hash>", "a dictionary, a set or hash(...); {numbers}"),
    (
        r"Function\(<function (\w+) at [^\n]*\n[^>]*>>> [^\n]*[(,] ?\w+=",
        "{0} with named arguments; give them by place alone",
    ),
    (
        r"(?s)Function\(<function (\w+) at .*?(?:Cannot bind|missing a required argument|No match)",
        "this call of {0}; compare its arguments with those it is defined with",
    ),
    (r">>> [^\n]*\b(?:unicode_type|Literal\[str\])", "{text}"),
    (r"build_(?:list|set)\(|>>> [^\n]*\b(?:list|set)\(", "a list or set; {numbers}"),
    (r"<dynamic> raise", "an error whose message is put together; raise it with a fixed text, or not at all"),
    (r"<class 'str'>|format_value", "{text}"),
    (
        rf"(?s)Function\(<(?:built-in )?function (\w+)\b.*{re.escape(MAKES)}",
        "{0} here, which makes an array or a list; write it out with a for loop",
    ),
    (r">>> [^\n]*\bfloat64", DECIMAL),
    (r"Function\(<(?:built-in function|class) '?(hash|repr|sorted|int|float|bool|tuple)\b", BUILTIN),
    (r">>> [^\n]*\bnone\b", "None here; use a whole number that is not used otherwise"),
)
"""What the compiler says (a pattern), and what that means: `cannot compile` ... Groups of the pattern stand in {}."""


KINDS = (
    (r"Literal\[(\w+)\]\([^)]*\)", r"\1"),
    (r"(?:reflected )?(list|set)\([^()]*\)(?:<iv=None>)?", r"\1"),
    (r"OptionalType\((\w+)\)", r"\1 or None"),
    (r".*generator\(.*", "generator"),
    (r"\bunicode_type\b", "str"),
    (r"\b(int|float)64\b", r"\1"),
    (r"\b(?:Uni)?Tuple\b", "tuple"),
)
"""The compiler's names of types (patterns), and Python's."""


def kind(name: str) -> str:
    """The compiler's name of a type in Python's words."""
    name = readable(name)
    for pattern, plain in KINDS:
        name = re.sub(pattern, plain, name)
    return name


def diagnose(
    error: BaseException, verb: Callable[..., Any], game: str, files: Collection[str], right: Right = RULES
) -> str:
    """One line for what the compiler raised about `verb`, a method of the class named `game`.

    `files` are those in which the user can change something; the line names the innermost place in one of them, or the
    head of `verb`. Where the cause is not known it quotes the compiler.
    """
    text = "\n".join(line.strip() for line in str(error).splitlines())
    names = "|".join(re.escape(Path(file).name) for file in files)
    place = re.search(rf'({names})(?:", line | \()(\d+)', text)
    where = f"{place[1]}, line {place[2]}" if place else head(verb, getattr(error, "loc", None))
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
        return f"{where}: cannot compile the list, set, dictionary or text in {verb.__name__}; {right.numbers}"
    call = re.search(r">>> ([^\n]+)", reasons[-1])
    lines = [line for line in reasons[-1].splitlines() if line]
    quoted = f"the call {call[1]} is not known to the compiler" if call else next(iter(lines), type(error).__name__)
    means = f"write it with {right.arithmetic}, tuples, if and loops"
    return f"{where}: cannot compile {verb.__name__}: {kind(quoted)}; {means}"


def head(verb: Callable[..., Any], place: Any = None) -> str:
    """Where `verb` stands: file and line; those of `place`, numba's notion of a location, if it is known."""
    code = verb.__code__
    return f"{Path(code.co_filename).name}, line {place.line if place else code.co_firstlineno}"
