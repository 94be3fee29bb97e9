"""Short training runs that test whether learning diverges with a larger step size alpha."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.experiments.options import EvaluationGames
from petteia.experiments.training import train
from petteia.learn.learners import LinearLearner
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Rule, in_most

SMALL, LARGE = 0.001, 1.0
SEEDS, GAMES = 10, 2000


@kept
def diverges(evidence: Evidence, alpha: float, seed: int) -> bool:
    """Return whether learning with step size `alpha` diverges if only the learner's own plies update the weights."""
    learner = LinearLearner("report", "q", alpha=alpha, epsilon=0.1, knows_ends=False)
    options: dict[str, Any] = {"side": "random", "opponent": "self", "games": GAMES, "seed": seed}
    with TemporaryDirectory() as folder:
        try:
            train(evidence.rules, learner, evaluation=EvaluationGames(every=GAMES, games=1), runs=folder, **options)
        except PetteiaError as error:
            if "diverged" not in str(error):
                raise
            return True
    return False


def most(alpha: float, so: bool) -> Rule:
    """Return a test of whether learning with step size `alpha` diverges, or does not diverge, in most training runs.

    If `so` is True, the test asks whether most training runs diverge. Otherwise, it asks whether most do not diverge.
    """
    return in_most(
        f"learning {'diverges' if so else 'does not diverge'}",
        lambda evidence: [diverges(evidence, alpha, seed) is so for seed in range(1, SEEDS + 1)],
        f"with alpha {alpha:g}",
    )
