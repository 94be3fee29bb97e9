"""Players by linear values that make whole chains of plies, and what all of them say of their moves and themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import UsageError
from petteia.features.report_weights import report_weights
from petteia.games import game
from petteia.players import player
from petteia.policies.linear_file import LearnedWeights, save_linear

RULES = game("kalah:pits=3,seeds=2")


def agent(path: Path, turns: str = "chain", scale: float = 1.0) -> Path:
    """A weights file with the weights that the report prints, times `scale`."""
    weights = scale * report_weights()
    save_linear(path, RULES, LearnedWeights("report", weights, weights, weights[None], np.zeros(1, np.int64), 0, turns))
    return path


@pytest.mark.parametrize(
    "option",
    ["depth=2", "ends=value", "ends=special", "won=yes", "early=no", "decided=yes", "draws=1", "table=1", "table=none"],
)
def test_a_player_of_chains_takes_no_options_of_a_search(option: str, tmp_path: Path) -> None:
    path = agent(tmp_path / "file")
    with pytest.raises(UsageError, match=f"plays whole chains, without a search; leave {option.split('=')[0]} out"):
        player(f"theta:agent={path},{option}", RULES)
    assert player(f"theta:agent={path},depth=1,weights=last,other_rules=no", RULES).notice is None


def test_weights_too_large_for_a_search_are_noted(tmp_path: Path) -> None:
    total = float(np.abs(report_weights()).sum())
    for scale, large in ((511.0 / total, False), (513.0 / total, True), (1e307, True)):
        path = agent(tmp_path / "file", "ply", scale)
        found = player(f"theta:agent={path}", RULES).notice or ""
        assert (
            found
            == f"player theta:agent={path}: its weights are large: beyond 512 it does not tell values apart" * large
        )
    assert player(f"theta:agent={agent(tmp_path / 'chain', 'chain', 1e307)}", RULES).notice is None
