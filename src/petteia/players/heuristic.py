"""The player `heuristic`, which follows the rule of thumb of its game."""

from __future__ import annotations

from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.protocol import Rules
from petteia.features import HEURISTICS, heuristic_of
from petteia.players.player import NoOptions, PolicyPlayer


def make_heuristic(options: NoOptions, rules: Rules, name: str) -> PolicyPlayer:
    """Create the player that follows the heuristic of the game. Raises UsageError if the game has none."""
    heuristic = heuristic_of(rules)
    if heuristic is None:
        known = ", ".join(map(name_of, HEURISTICS))
        raise UsageError(
            f"player {name}: there is no heuristic for {format_game(rules)}; heuristics exist only for {known}"
        )
    return PolicyPlayer(heuristic, name)
