"""Whether learning diverges with a larger alpha: short trainings that come to an end or do not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from petteia.core.errors import PetteiaError
from petteia.experiments.options import EvaluationGames
from petteia.experiments.training import train
from petteia.learn.learners import LinearLearner
from petteia.reports.engine.rules import Most
from petteia.reports.mancala.evidence import Evidence

ALPHAS = (0.001, 0.01, 0.1, 0.5, 1.0)
SMALL, LARGE = ALPHAS[0], ALPHAS[-1]
SEEDS, GAMES = 10, 2000
WORD = "diverged"
"""which the trainer says of such a training"""


def diverged(evidence: Evidence, alpha: float) -> Sequence[bool]:
    """Of several seeds, whether learning by own plies with this alpha diverges; what is known is kept."""

    def of_seed(seed: str) -> bool:
        with TemporaryDirectory() as folder:
            return not _ends(evidence, alpha, int(seed), Path(folder))

    seeds = map(str, range(1, SEEDS + 1))
    by_seed = evidence.work.kept_rows(f"divergence-{alpha:g}", seeds, of_seed, f"short trainings with alpha {alpha:g}")
    return [*by_seed.values()]


def most_diverge(alpha: float) -> Most:
    """Most trainings with this alpha diverge."""
    return Most("learning diverges", lambda evidence: diverged(evidence, alpha), f"alpha {alpha:g}")


def most_do_not(alpha: float) -> Most:
    """Most trainings with this alpha do not diverge."""

    def holds(evidence: Evidence) -> Sequence[bool]:
        return [not each for each in diverged(evidence, alpha)]

    return Most("learning does not diverge", holds, f"alpha {alpha:g}")


def _ends(evidence: Evidence, alpha: float, seed: int, folder: Path) -> bool:
    try:
        train(
            evidence.rules,
            LinearLearner("report", "q", alpha=alpha, epsilon=0.1, knows_ends=False),
            side="random",
            opponent="self",
            games=GAMES,
            evaluation=EvaluationGames(every=GAMES, games=1),
            seed=seed,
            runs=folder,
        )
    except PetteiaError as error:
        if WORD not in str(error):
            raise
        return False
    return True
