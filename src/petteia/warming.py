"""Functions that compile the code for a game, a player or another component before a command needs the code.

Each step of `warm_up` runs a small task once. The functions that the task uses are thus compiled, and cached for later
processes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

import petteia
from petteia.checking.sample import play_game
from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import Rules, format_state
from petteia.experiments.options import EvaluationGames
from petteia.games import game as rules_of
from petteia.learn.learners import LinearLearner
from petteia.search.memory import MEGABYTE

LATE = 4
"""The number of plies between the position in which the small tasks start and the end of the game."""
ONCE: dict[str, Any] = {"games": 2, "evaluation": EvaluationGames(every=1, games=2)}
"""The arguments of a very short training, which still uses every part of the learning code."""


class WarmedUp(NamedTuple):
    """A step of `warm_up`, reported when it begins. Each step compiles functions for one game or component."""

    name: str
    """the name of the game or the component"""
    what: str
    """the functions compiled in this step, such as `matches`"""
    done: int
    """the number of steps that are finished for this game or component"""
    steps: int
    """the total number of steps for this game or component"""


def warm_up(*games: str | Rules, for_game: str | Rules | None = None) -> Iterator[WarmedUp]:
    """Compile the functions for games, or for components of one game, in advance.

    Args:
        games: the games, such as `my_module:Nim`; by default, all games of the package. If `for_game` is given, the
            positional arguments are not games but components for that game: players, feature sets, evaluations, update
            rules or parts of a search
        for_game: the game for which the components are made; None if the positional arguments are games

    Returns:
        One row for each step, yielded when the step begins.

    Raises:
        UsageError: a game or component that is unknown or fails its checks
        NotFoundError: a missing module or class

    Examples:
        >>> [step.what for step in petteia.warm_up("hare-and-hounds")][:3]
        ['perft', 'matches', 'search']

    """
    for each in games or [row.name for row in petteia.list_games()]:
        if for_game is None:
            rules = rules_of(each)
            name, steps = format_game(rules), _steps_of_game(rules)
        else:
            name, steps = str(each), _steps_of_part(rules_of(for_game), str(each))
        for done, (what, step) in enumerate(steps.items()):
            yield WarmedUp(name, what, done, len(steps))
            with suppress(UsageError):  # some games cannot be solved or searched
                step()


Steps = dict[str, Callable[[], object]]


def _steps_of_game(rules: Rules) -> Steps:
    late = late_position(rules)

    def matches() -> None:
        for first, second in product(("random", "simple"), repeat=2):
            petteia.match(rules, first, second, games=2)

    def search() -> None:
        petteia.best(rules, position=late, depth=2)
        petteia.match(rules, "greedy", "random", games=2)

    def solving() -> None:
        petteia.solve(rules, position=late, check=True)
        petteia.regret(rules, "random", position=late)

    def learning() -> None:
        for opponent in ("random", "simple"):
            _train(rules, opponent=opponent)

    return {
        "perft": lambda: petteia.perft(rules, 2),
        "matches": matches,
        "search": search,
        "solving": solving,
        "proofs": lambda: petteia.prove(rules, position=late, memory=MEGABYTE),
        "learning": learning,
    }


def _steps_of_part(rules: Rules, name: str) -> Steps:
    from petteia.players.kinds import read_kind
    from petteia.search.own_parts import options_with

    def play(player: str) -> None:
        for opponent in ("random", "greedy"):
            with suppress(UsageError):  # games with chance are not searched
                petteia.match(rules, player, opponent, games=2)

    def learn_features() -> None:
        with tempfile.TemporaryDirectory() as folder:
            run = petteia.train(rules, LinearLearner(name), runs=folder, **ONCE).run.path
            play(f"theta:agent={run}")

    steps: dict[str, Steps] = {
        "player": {"matches": lambda: play(name)},
        "evaluation": {
            "matches": lambda: play(f"greedy:evaluation={name}"),
            "search": lambda: petteia.best(rules, player=f"search:evaluation={name},depth=2"),
        },
        "features": {"learning and matches": learn_features},
        "learner": {"learning": lambda: _train(rules, learner=name)},
        "part": {"search": lambda: petteia.best(rules, player=f"search:depth=2,{options_with(name)}")},
    }
    return steps[read_kind(name)]


def _train(rules: Rules, **settings: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        petteia.train(rules, runs=folder, **ONCE, **settings)


def late_position(rules: Rules) -> str:
    """Return a position near the end of a random game. Such a position is quick to solve."""
    visits = play_game(rules, [0]).visits
    return format_state(rules, [visit.state for visit in visits if not visit.over][-LATE:][0])
