"""petteia: a laboratory for two-player board games.

The package contains games, players that search or learn, exact solvers, and matches that measure the strength of
players.

    >>> import petteia
    >>> petteia.perft("hare-and-hounds", 5)
    2879
    >>> training = petteia.train("hare-and-hounds", "q", opponent="random", games=3000)
    >>> training.last_points[-1].games
    3000
    >>> result = petteia.match("hare-and-hounds", training, "random", games=100)
    >>> result.wins + result.draws + result.losses
    100

Games and players are given as strings, as on the command line, or as Python objects. A finished training run can also
be passed as a player. Results contain rows that pandas accepts. For example, `pandas.DataFrame(result.rows)` has one
row for each game of a match.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # importing `typing` would make the command slower to start
if TYPE_CHECKING:
    from typing import Any

    from petteia.analysis.behaviour import behaviour
    from petteia.analysis.collinearity import collinearity
    from petteia.analysis.direct_search import direct_search
    from petteia.analysis.doctor.examination import doctor
    from petteia.analysis.settling import settling
    from petteia.api import check, divide, list_games, perft, record, saved_games
    from petteia.arena.analysis import best
    from petteia.arena.differences import differ
    from petteia.arena.match import match
    from petteia.arena.regret import regret
    from petteia.arena.review import review
    from petteia.arena.sprt import Sprt
    from petteia.core.clock import Clock
    from petteia.core.decision import Allowance, Decision, Limit, Outcome
    from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, Stopped, UsageError
    from petteia.core.stop import Stop
    from petteia.environments.make import env, gym_env, openspiel_game
    from petteia.experiments.experiment import experiment, list_experiments
    from petteia.experiments.options import EvaluationGames
    from petteia.experiments.run_list import runs
    from petteia.experiments.tournament.by_limit import tournament_by_limit
    from petteia.experiments.tournament.tournament import tournament
    from petteia.experiments.training import open_training, resume, train
    from petteia.games import game
    from petteia.learn.learners import LinearLearner, TableLearner
    from petteia.players.weights import weights
    from petteia.playing.agent import Agent, agent, load
    from petteia.playing.begin import restore, session
    from petteia.playing.position import Position, Result, position
    from petteia.playing.session import Session
    from petteia.playing.step import Step
    from petteia.playing.terminal import play_at_terminal
    from petteia.reports import report
    from petteia.search.proof import prove
    from petteia.solver.oracle import Oracle
    from petteia.solver.solution import solve
    from petteia.templates.writing import new_file, new_game
    from petteia.warming import warm_up

HOMES = {
    "petteia.analysis.behaviour": ("behaviour",),
    "petteia.analysis.collinearity": ("collinearity",),
    "petteia.analysis.direct_search": ("direct_search",),
    "petteia.analysis.doctor.examination": ("doctor",),
    "petteia.analysis.settling": ("settling",),
    "petteia.api": ("check", "divide", "list_games", "perft", "record", "saved_games"),
    "petteia.arena.analysis": ("best",),
    "petteia.arena.differences": ("differ",),
    "petteia.arena.match": ("match",),
    "petteia.arena.regret": ("regret",),
    "petteia.arena.review": ("review",),
    "petteia.arena.sprt": ("Sprt",),
    "petteia.core.clock": ("Clock",),
    "petteia.core.decision": ("Allowance", "Decision", "Limit", "Outcome"),
    "petteia.core.errors": ("InvalidError", "NotFoundError", "PetteiaError", "Stopped", "UsageError"),
    "petteia.core.stop": ("Stop",),
    "petteia.environments.make": ("env", "gym_env", "openspiel_game"),
    "petteia.experiments.experiment": ("experiment", "list_experiments"),
    "petteia.experiments.options": ("EvaluationGames",),
    "petteia.experiments.run_list": ("runs",),
    "petteia.experiments.training": ("open_training", "resume", "train"),
    "petteia.experiments.tournament.by_limit": ("tournament_by_limit",),
    "petteia.experiments.tournament.tournament": ("tournament",),
    "petteia.games": ("game",),
    "petteia.learn.learners": ("LinearLearner", "TableLearner"),
    "petteia.players.weights": ("weights",),
    "petteia.playing.agent": ("Agent", "agent", "load"),
    "petteia.playing.begin": ("restore", "session"),
    "petteia.playing.position": ("Position", "Result", "position"),
    "petteia.playing.session": ("Session",),
    "petteia.playing.step": ("Step",),
    "petteia.playing.terminal": ("play_at_terminal",),
    "petteia.reports": ("report",),
    "petteia.search.proof": ("prove",),
    "petteia.solver.oracle": ("Oracle",),
    "petteia.solver.solution": ("solve",),
    "petteia.templates.writing": ("new_file", "new_game"),
    "petteia.warming": ("warm_up",),
}
"""The public names of each module. A module is imported when one of its names is first used."""

__all__ = [
    "Agent",
    "Allowance",
    "Clock",
    "Decision",
    "EvaluationGames",
    "InvalidError",
    "Limit",
    "LinearLearner",
    "NotFoundError",
    "Oracle",
    "Outcome",
    "PetteiaError",
    "Position",
    "Result",
    "Session",
    "Sprt",
    "Step",
    "Stop",
    "Stopped",
    "TableLearner",
    "UsageError",
    "__version__",
    "agent",
    "behaviour",
    "best",
    "check",
    "collinearity",
    "differ",
    "direct_search",
    "divide",
    "doctor",
    "env",
    "experiment",
    "game",
    "gym_env",
    "list_experiments",
    "list_games",
    "load",
    "match",
    "new_file",
    "new_game",
    "open_training",
    "openspiel_game",
    "perft",
    "play_at_terminal",
    "position",
    "prove",
    "record",
    "regret",
    "report",
    "restore",
    "resume",
    "review",
    "runs",
    "saved_games",
    "session",
    "settling",
    "solve",
    "tournament",
    "tournament_by_limit",
    "train",
    "warm_up",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata

        return metadata.version("petteia")
    home = next((home for home, names in HOMES.items() if name in names), None)
    if home is not None:
        return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'petteia' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
