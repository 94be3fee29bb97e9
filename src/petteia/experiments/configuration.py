"""What a training is given: its settings, looked through and resolved, so that they settle with a seed what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State
from petteia.experiments.linear_settings import LinearSettings, Traces, Turns, configure_linear
from petteia.experiments.table_settings import TableSettings, configure_table
from petteia.games import game as rules_of
from petteia.policies.duel import MAX_PLIES

LearnerName = Literal["q", "sarsa", "expected-sarsa", "double-q", "td", "monte-carlo"]
OF_TABLES = ("temperature", "initial", "fold", "explore_starts")
OF_FEATURES = (
    *("lambda_", "traces", "turns", "weights", "depth", "won", "knows_ends", "learn_explored", "to_the_end"),
    *("standardise", "marks"),
)
"""Options that only one kind of learner has."""


def configure(
    game: str | Rules,
    *,
    learner: LearnerName = "q",
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
    given: dict[str, Any] = {name: value for name, value in locals().items() if value is not None}
    rules = rules_of(given.pop("game"))
    given["evaluate_every"] = max(games // 100, 1) if evaluate_every is None else evaluate_every
    others, hint = (
        (OF_FEATURES, "belongs to values that are linear in features; name them, or leave it out")
        if features is None
        else (OF_TABLES, "belongs to tables; leave it out, or the features")
    )
    for name in others:
        if name in given:
            raise UsageError(f"{name.rstrip('_')}: {hint}")
    return rules, (configure_table if features is None else configure_linear)(rules, **given)
