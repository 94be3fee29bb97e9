"""What a training is given: its settings, looked through and resolved, so that they settle with a seed what it does."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, initial
from petteia.experiments.linear_settings import LinearSettings, Traces, Turns, configure_linear
from petteia.experiments.table_settings import TableSettings, configure_table
from petteia.games import game as rules_of
from petteia.policies.duel import MAX_PLIES

OF_TABLES = ("temperature", "initial", "fold", "explore_starts")
OF_FEATURES = (
    *("lambda_", "traces", "turns", "weights", "depth", "won", "knows_ends", "learn_explored", "to_the_end"),
    *("standardise", "marks"),
)
"""Options that only one kind of learner has."""


class Kind(NamedTuple):
    """What an argument can be."""

    types: tuple[type, ...]
    words: str
    names: tuple[str, ...]
    """of the arguments"""


KINDS = (
    Kind((Integral,), "a whole number", ("games", "depth", "evaluate_every", "evaluation_games", "max_plies")),
    Kind((Real,), "a number", ("gamma", "initial", "lambda_", "won")),
    Kind((Real, str), "a number or text", ("alpha", "epsilon", "temperature", "weights")),
    Kind((Integral, str), "the number or the name of a seat, or a word", ("side",)),
    Kind((str,), "the text of a player", ("opponent", "evaluate_against")),
    Kind((str,), "text, such as 'report+pits', or 'my_module:Name' for a set of your own", ("features",)),
    Kind((str,), "a word, or 'my_module:Name' for an update rule of your own", ("learner",)),
    Kind((str,), "a word", ("traces", "turns")),
    Kind(
        *((bool,), "True or False"),
        ("fold", "explore_starts", "knows_ends", "learn_explored", "to_the_end", "standardise"),
    ),
)
"""Of all arguments but those that hold others."""


def configure(
    game: str | Rules,
    *,
    learner: str | None = None,
    opponent: str | None = None,
    side: int | str | None = None,
    games: int = 100_000,
    alpha: float | str | None = None,
    gamma: float | None = None,
    epsilon: float | str | None = None,
    temperature: float | str | None = None,
    initial: float | None = None,
    fold: bool | None = None,
    explore_starts: bool | None = None,
    features: str | None = None,
    lambda_: float | None = None,
    traces: Traces | None = None,
    turns: Turns | None = None,
    weights: float | str | None = None,
    depth: int | None = None,
    won: float | None = None,
    knows_ends: bool | None = None,
    learn_explored: bool | None = None,
    to_the_end: bool | None = None,
    standardise: bool | None = None,
    marks: Sequence[int] | None = None,
    evaluate_every: int | None = None,
    evaluation_games: int = 500,
    evaluate_against: str | None = None,
    position: str | State | None = None,
    max_plies: int = MAX_PLIES,
    follow: Sequence[tuple[str, str]] = (),
) -> tuple[Rules, TableSettings | LinearSettings]:
    """The rules, and the settings resolved; arguments and errors are those of `petteia.train`."""
    given: dict[str, Any] = {name: value for name, value in locals().items() if value is not None and name != "game"}
    rules = rules_of(game)
    _check_kinds(rules, given)
    given.setdefault("evaluate_every", max(given["games"] // 100, 1))
    others, hint = (
        (OF_FEATURES, "belongs to values that are linear in features; name them, or leave it out")
        if features is None
        else (OF_TABLES, "belongs to tables; leave it out, or the features")
    )
    for name in others:
        if name in given:
            raise UsageError(f"{name.rstrip('_')}: {hint}")
    return rules, (configure_table if features is None else configure_linear)(rules, **given)


def _check_kinds(rules: Rules, given: dict[str, Any]) -> None:
    """Raise a UsageError for an argument of another kind; bring numbers of other libraries to those of Python."""
    for types, words, names in KINDS:
        for name in names:
            if name in given:
                given[name] = _of_kind(name, given[name], types, words)
    if "marks" in given:
        each = "a sequence of whole numbers"
        given["marks"] = [
            _of_kind("marks", mark, (Integral,), each) for mark in _sequence("marks", given["marks"], each)
        ]
    pairs = "a sequence of pairs, a position and a move, both as text"
    for pair in _sequence("follow", given["follow"], pairs):
        if len(_sequence("follow", pair, pairs)) != 2 or not all(isinstance(part, str) for part in pair):
            raise _wrong("follow", pair, pairs)
    if "position" in given and not isinstance(given["position"], str | type(initial(rules))):
        raise _wrong("position", given["position"], "a state of the game, or text")


def _of_kind(name: str, value: Any, types: tuple[type, ...], words: str) -> Any:
    fits = isinstance(value, types) and (not isinstance(value, bool) or bool in types)
    if not fits:
        raise _wrong(name, value, words)
    if isinstance(value, int | float | str):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def _sequence(name: str, value: Any, words: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(name, value, words)
    return value


def _wrong(name: str, value: Any, words: str) -> UsageError:
    said = " ".join(repr(value).split())
    return UsageError(f"{name.rstrip('_')} {said if len(said) <= 80 else f'{said[:77]}...'}: must be {words}")
