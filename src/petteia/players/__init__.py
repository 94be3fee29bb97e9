"""Everything that chooses a move, and the text form of a player.

In order: `player` (what a player is; players by a policy), `foreign` (users' own), `human`, `q` (plays by a learned
table, and may go on learning), `settings` (whose weights), `search` (`greedy` and `search`), `theta` (looks ahead
with a linear value), `weights` (what it has learned, to be looked at), `heuristic`, `perfect` (plays by the solved
game), `mixed` (between two others), `text` (the registry, and the function that reads a player's text form),
`check` (whether a player or a policy keeps its promises), `kinds` (what a name stands for).
"""

from petteia.players.player import Player, PolicyPlayer
from petteia.players.text import PLAYERS, player

__all__ = ["PLAYERS", "Player", "PolicyPlayer", "player"]
