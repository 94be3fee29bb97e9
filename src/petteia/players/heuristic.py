"""The player by a rule of thumb of its game: `heuristic`."""

from __future__ import annotations

from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.protocol import Rules
from petteia.features import HEURISTICS, heuristic_of
from petteia.players.player import NoOptions, PolicyPlayer


def make_heuristic(options: NoOptions, rules: Rules, name: str) -> PolicyPlayer:
    """The player by the heuristic of the game; UsageError if there is none."""
    heuristic = heuristic_of(rules)
    if heuristic is None:
        known = ", ".join(map(name_of, HEURISTICS))
        raise UsageError(f"player {name}: there is no heuristic for {format_game(rules)}; there is one for {known}")
    return PolicyPlayer(heuristic, name)
