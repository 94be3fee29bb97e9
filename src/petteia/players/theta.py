"""Players by a value that is linear in features: `theta:agent=report,depth=3`."""

from __future__ import annotations

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import linear
from petteia.features.report_weights import report_weights
from petteia.games import name_of
from petteia.games.kalah import Kalah
from petteia.players.search import GREEDY_OPTIONS, GreedyPlayer, greedy_player
from petteia.players.settings import Options

REPORT = "report"
THETA_OPTIONS = {
    "agent": f"whose weights: {REPORT}, those that a report on Mancala has published",
    **{option: words for option, words in GREEDY_OPTIONS.items() if option != "evaluation"},
}


def parse_theta(options: Options, rules: Rules, name: str) -> GreedyPlayer:
    """The player `theta`; UsageError for another game, no agent, or options that do not fit."""
    if not isinstance(rules, Kalah):
        raise UsageError(f"player {name}: there are learned weights for kalah, not for {name_of(type(rules))}")
    agent = options.get("agent")
    if agent != REPORT:
        said = "is missing" if agent is None else f"{agent!r} is not known"
        raise UsageError(f"player {name}: agent {said}; there is agent={REPORT}")
    return greedy_player(linear(rules, ReportFeatures(), report_weights()), options, rules, name)
