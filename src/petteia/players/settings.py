"""Functions that load learned weights from a run or a weights file."""

from __future__ import annotations

from pathlib import Path

from petteia.core.errors import InvalidError, NotFoundError, PetteiaError
from petteia.core.protocol import Rules
from petteia.foreign.trust import require
from petteia.games import game
from petteia.records.files import READ, file_errors
from petteia.records.runs import find_run, open_run
from petteia.records.weights import Weights, load_weights

PLAYED_BY = {"table": "q", "linear": "theta"}
"""the name of the player that uses each kind of weights"""


def learned_weights(where: str | Path) -> Weights:
    """Load the weights of a weights file, or the last saved weights of a run (its folder or name).

    Raises NotFoundError if there are no weights. Raises InvalidError if the file or the run is damaged, or if the code
    of the run has changed.
    """
    path = Path(where)
    with file_errors(READ, path):
        if path.is_file():
            return load_weights(path)
    run = open_run(where)
    weights = run.check()
    run.vouch()
    if weights is None:
        raise NotFoundError(
            f"{run.path}: the run has saved no weights yet; continue it with: petteia resume {run.path}"
        )
    return weights


def rules_learned(weights: Weights) -> Rules:
    """Return the rules under which the weights were trained.

    Raises InvalidError if the game is unknown, or if it belongs to a custom module that the user does not trust.
    """
    require(weights.path, weights.game)
    try:
        return game(weights.game)
    except PetteiaError as error:
        raise InvalidError(f"{weights.path}: the weights are for {weights.game}: {error}") from None


def is_place(text: str) -> bool:
    """Return whether `text` is the path or name of a run, or the path of a file, and not a player's text form."""
    try:
        return ":" not in text and (Path(text).is_file() or find_run(text) is not None)
    except (PetteiaError, OSError, ValueError):  # a text that cannot be a path
        return False


def text_by(where: str | Path, kind: str) -> str:
    """Return the text form of a player that uses the weights in `where`, such as `q:agent=runs/hare`.

    The kind of the weights determines the player: `q` uses a table, and `theta` uses weights of features.
    """
    path = str(where)
    if kind not in PLAYED_BY:
        raise InvalidError(f"{path}: no player uses weights of kind {kind!r}; choose from {', '.join(PLAYED_BY)}")
    return f"{PLAYED_BY[kind]}:agent={f'({path})' if set(path) & set(',()') else path}"
