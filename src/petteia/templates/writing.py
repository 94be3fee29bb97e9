"""Functions that copy the templates of this folder to new files, in which users can write custom components."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import keyword
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from petteia.checking.sample import draw_sample
from petteia.core.bits import popcount
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import CHANCE, Rules, State, is_over, margin, play, to_move
from petteia.games import game as rules_of
from petteia.records.files import write_file

FOLDER = Path(__file__).parent
SAMPLE = 30
"""the number of random games that are examined"""
SMALL = 255
"""the maximum value of a field that counts as a single number; a field with larger values counts as packed numbers"""


class Template(NamedTuple):
    """A template of a custom component."""

    what: str
    """the kind of the component in words"""
    file: str
    """the name of the file in this folder"""
    named: str
    """the name of the component in commands, where NAME stands for the module and CLASS for the class"""
    game: str
    """the default game; empty if the component needs no game"""
    next: str
    """the suggested next command, where GAME stands for the game"""


CHECK = "petteia check NAME:CLASS --game GAME"
TEMPLATES: dict[str, Template] = {
    "game": Template("game", "game.py", "NAME:CLASS", "", "petteia check NAME:CLASS"),
    "player": Template("player", "player.py", "NAME:CLASS", "kalah", CHECK),
    "policy": Template("policy", "policy.py", "NAME:CLASS", "kalah", CHECK),
    "features": Template("feature set", "features.py", "NAME:CLASS", "kalah", CHECK),
    "evaluation": Template(
        "evaluation", "evaluation.py", "NAME:value", "kalah", "petteia check NAME:value --game GAME"
    ),
    "update-rule": Template("update rule", "update_rule.py", "NAME:CLASS", "hare-and-hounds", CHECK),
    "experiment": Template(
        what="experiment",
        file="experiment.toml",
        named="NAME.toml",
        game="hare-and-hounds",
        next="petteia experiment NAME.toml --scale quick",
    ),
    "tournament": Template(
        what="tournament",
        file="tournament.toml",
        named="NAME.toml",
        game="kalah",
        next="petteia experiment NAME.toml --scale quick",
    ),
}
"""the templates by kind; `petteia new-KIND` writes one, and `petteia new-experiment --tournament` a tournament"""


class Term(NamedTuple):
    """A number computed from a state, which a template suggests as a feature or as a term of an evaluation."""

    name: str
    """the name of the number"""
    written: str
    """the number as an expression in `state`"""
    of: Callable[[State], int]
    """a function that returns the number in a given state"""
    maximum: int
    """the largest value of the number in random games"""


class Written(NamedTuple):
    """A file written from a template, the name of its component in commands, and a suggested next command."""

    path: Path
    """the path of the file"""
    name: str
    """the name of the component in commands"""
    next: str
    """the suggested next command"""


def new_file(kind: str, name: str, *, game: str | Rules | None = None, folder: str | Path = Path()) -> Written:
    """Write a working template for a custom component, such as a player, into `folder`.

    Args:
        kind: one of TEMPLATES: `game`, `player`, `policy`, `features`, `evaluation`, `update-rule`, `experiment`,
            `tournament`
        name: the name of the file without its extension
        game: the rules, as an object or a string; default: kalah, or hare-and-hounds for update rules and experiments;
            not allowed if `kind` is `game`
        folder: the folder of the file

    Returns:
        The file, the name of the component, and the suggested next command.

    Raises:
        UsageError: an unknown kind or game, or a name that is unsuitable for a file or already used
        NotFoundError: a missing module or class
        PetteiaError: the file cannot be written

    Examples:
        >>> petteia.new_file("player", "careful").path.name
        'careful.py'

    """
    if kind not in TEMPLATES:
        raise UsageError(f"there is no template for a file of kind {kind!r}; choose from {', '.join(TEMPLATES)}")
    template = TEMPLATES[kind]
    path = Path(folder) / f"{name}{Path(template.file).suffix}"
    text = (FOLDER / template.file).read_text(encoding="utf-8")
    _check_name(template, name, path, text)
    if template.game:
        rules = rules_of(template.game if game is None else game)
        text = _filled(text, rules).replace(template.game, shlex.quote(format_game(rules)))
    elif game is not None:
        raise UsageError(f"{template.what} {name!r}: a new game is not based on another game; omit game={game!r}")
    text = text.replace("Skeleton", class_name(name)).replace("skeleton", name)
    write_file(path, text)

    own = {"NAME": name, "CLASS": class_name(name), "GAME": shlex.quote(format_game(rules)) if template.game else ""}
    texts = [functools.reduce(lambda words, word: words.replace(*word), own.items(), each) for each in template[-3::2]]
    return Written(path, *texts)


def new_game(name: str, folder: Path = Path()) -> Path:
    """Write the template of a custom game to `name`.py in `folder` and return its path.

    Raises UsageError if `name` is unsuitable for a module or the file exists, and PetteiaError if it cannot be written.

    Examples:
        >>> petteia.new_game("nim").name
        'nim.py'

    """
    return new_file("game", name, folder=folder).path


def class_name(name: str) -> str:
    """The name of the class for a module: `TicTacToe` for `tic_tac_toe`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _check_name(template: Template, name: str, path: Path, text: str) -> None:
    """Raise a UsageError unless a file of this name can be written and imported."""
    what = f"{template.what} {name!r}"
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise UsageError(
            f"{what}: the name must begin with a lower-case letter and contain only lower-case letters, digits and _, "
            f"such as my_{template.what[:4]}"
        )
    if keyword.iskeyword(name) or keyword.iskeyword(class_name(name)) or class_name(name) in re.findall(r"\w+", text):
        raise UsageError(f"{what}: this name is reserved by Python or by the template; choose another name")
    if path.exists():
        raise UsageError(f"{what}: the file {path} exists already; choose another name, or move the file")
    if path.suffix == ".py" and _is_taken(name, path.parent):
        raise UsageError(f"{what}: a Python package with this name exists; choose another name, such as my_{name}")


def _is_taken(name: str, folder: Path) -> bool:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return True
    return spec is not None and os.path.realpath(Path(spec.origin or "").parent) != os.path.realpath(folder)


# Lines that depend on the fields of the game's states.


def _filled(text: str, rules: Rules) -> str:
    """Complete a template for a game: insert lines below each comment that is a key of the dictionary `LINES`.

    If no lines are inserted below a comment, the comment is removed. Unused imports are also removed.
    """
    for comment, lines in LINES.items():
        below = re.search(rf"^( +)# {re.escape(comment)}\n((?:.*\n)*?)(?= *(?:\)\n|# |return ))", text, re.MULTILINE)
        if below:
            new = "".join(f"{below[1]}{line}\n" for line in lines(rules))
            text = text[: below.start(2) if new else below.start()] + new + text[below.end(2) :]
    if not re.search(r"\bpopcount\(", text):
        text = text.replace("from petteia.core.bits import popcount\n", "")
    if not re.search(r"\bto_move\(", text):
        text = text.replace("import Rules, State, is_over, to_move", "import Rules, State")
    return text


def _names(rules: Rules) -> list[str]:
    return [f'"{term.name}",' for term in _terms(rules)]


def _values(rules: Rules) -> list[str]:
    first = 1 + len(_mover(rules))
    return [f"value[{i}] = {term.written} / {term.maximum}" for i, term in enumerate(_terms(rules), first)]


def _mover(rules: Rules) -> list[str]:
    """Return a list that contains the line for the feature `mover` (the player to move), if the feature is useful.

    The feature is useless if, in random games, every move ends the game or leads to a chance node. In this case, the
    returned list is empty.
    """
    after = [state for states in _afterstates(rules) for state in states]
    follows = any(not is_over(rules, state) and to_move(rules, state) != CHANCE for state in after)
    return ['"mover",'] if follows else []


def _mover_value(rules: Rules) -> list[str]:
    written = "value[1] = 0.0 if is_over(rules, state) else (1.0, -1.0, 0.0)[to_move(rules, state)]"
    return [written for _ in _mover(rules)]


def _weighted(rules: Rules) -> list[str]:
    weights = _fitted(rules)
    return [f"{'+-'[weight < 0]} {abs(weight):.2f} * {term.written}" for term, weight in weights]


LINES: dict[str, Callable[[Rules], list[str]]] = {
    "the player to move": _mover,
    "1 for player 0, -1 for player 1, 0 at a chance node or if the game is over": _mover_value,
    "numbers in the fields of the state; for large fields (bitboards), the number of set bits or single bits": _names,
    "each divided by its maximum in random games": _values,
    "numbers computed from the fields of the state, each with its weight": _weighted,
}
"""the comments of templates, and the functions that write the lines below them"""


def _afterstates(rules: Rules) -> list[list[State]]:
    """For each decision in a sample of random games, return the afterstates of all legal moves."""
    visits = [visit for visit in draw_sample(rules, SAMPLE).visits if visit.side in (0, 1)]
    with contextlib.suppress(Exception):  # custom rules can raise any error
        if visits:
            return [[play(rules, visit.state, move) for move in visit.moves] for visit in visits]
    name = format_game(rules)
    raise UsageError(
        f"game {name}: random games cannot be played; to find the cause, run: petteia check {shlex.quote(name)}"
    )


def _terms(rules: Rules) -> list[Term]:
    """Return numbers computed from a state (terms) whose values differ between the afterstates of random games."""
    decisions = _afterstates(rules)
    terms = [term for field in decisions[0][0]._fields for term in _of_field(field, decisions)]
    return [term for term in terms if len({term.of(state) for states in decisions for state in states}) > 1]


def _of_field(field: str, decisions: list[list[State]]) -> list[Term]:
    """Return the terms that can be computed from one field of the states.

    A term is a number that a template suggests as a feature, or as a term of an evaluation. If the field has only small
    values, the only term is the value of the field. Larger values are treated as sets of bits, such as bitboards. In
    this case, the only term is the number of set bits, if this number differs between the moves of at least one
    position. Otherwise each bit is a term.
    """

    def number(state: State) -> int:
        return int(getattr(state, field))

    def bits(state: State) -> int:
        return popcount(number(state))

    def bit(place: int) -> Term:
        return Term(f"{field}_{place}", f"(state.{field} >> {place} & 1)", lambda state: number(state) >> place & 1, 1)

    states = [state for after in decisions for state in after]
    if (maximum := max(map(number, states))) <= SMALL:
        return [Term(field, f"state.{field}", number, maximum)]
    if any(len(set(map(bits, after))) > 1 for after in decisions):
        return [Term(f"{field}_bits", f"popcount(state.{field})", bits, max(map(bits, states)))]
    return [bit(place) for place in range(maximum.bit_length())]


def _fitted(rules: Rules) -> list[tuple[Term, float]]:
    """Fit a linear function of the terms to the results of random games. Return pairs of a term and its weight."""
    import numpy as np

    terms = _terms(rules)
    rows, ends = [], []
    for game in draw_sample(rules, SAMPLE).games:
        if game.ended:
            rows += [[1.0, *(float(term.of(visit.state)) for term in terms)] for visit in game.visits[:-1]]
            ends += [float(margin(rules, game.visits[-1].state))] * (len(game.visits) - 1)
    if not rows:
        return [(term, 0.0) for term in terms]
    weights = np.linalg.lstsq(np.array(rows), np.array(ends), rcond=None)[0]
    return list(zip(terms, weights[1:].tolist(), strict=True))
