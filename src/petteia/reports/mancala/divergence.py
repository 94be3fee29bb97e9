"""Short training runs that test whether learning diverges if the step size alpha is larger."""

from __future__ import annotations

from functools import partial
from tempfile import TemporaryDirectory

from petteia.core.errors import PetteiaError
from petteia.experiments.options import EvaluationGames
from petteia.experiments.training import train
from petteia.learn.learners import LinearLearner
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Rule, in_most

SMALL, LARGE = 0.001, 1.0
SEEDS, GAMES = 10, 2000
WORD = "diverged"
"""The word in the error message of a training run that diverges."""


@kept
def diverges(evidence: Evidence, alpha: float, seed: int) -> bool:
    """Return whether learning diverges with this alpha if only the learner's own plies update the weights."""
    learner = LinearLearner("report", "q", alpha=alpha, epsilon=0.1, knows_ends=False)
    evaluation = EvaluationGames(every=GAMES, games=1)
    with TemporaryDirectory() as folder:
        try:
            train(
                *(evidence.rules, learner),
                side="random",
                opponent="self",
                games=GAMES,
                evaluation=evaluation,
                seed=seed,
                runs=folder,
            )
        except PetteiaError as error:
            if WORD not in str(error):
                raise
            return True
    return False


def most_diverge(alpha: float) -> Rule:
    """Return a rule that tests whether most training runs with this alpha diverge."""
    return in_most("learning diverges", partial(_each, alpha=alpha, so=True), f"alpha {alpha:g}")


def most_do_not(alpha: float) -> Rule:
    """Return a rule that tests whether most training runs with this alpha do not diverge."""
    return in_most("learning does not diverge", partial(_each, alpha=alpha, so=False), f"alpha {alpha:g}")


def _each(evidence: Evidence, alpha: float, so: bool) -> list[bool]:
    return [diverges(evidence, alpha, seed) is so for seed in range(1, SEEDS + 1)]
