"""The players of the package: their classes, their options, and text forms such as `greedy:depth=3`.

- `player`: the base class of players, and the player that follows a policy
- `foreign`: custom players, which are classes of the user
- `human`: a person at the terminal
- `q`: a player that uses a learned table, and can continue to learn
- `settings`: functions that load learned weights from a run or a file
- `search`: the players `greedy` and `search`
- `theta`: a player that searches with a learned linear value function
- `weights`: learned weights with the names of their features, and their history during training
- `heuristic`: a player that follows a simple rule of thumb for its game
- `perfect`: a player that uses the table of the solved game
- `mixed`: a player that chooses one of two other players at random for each move
- `text`: the registry of players, and the function that parses the text form of a player
- `check`: conformance checks of players and policies
- `kinds`: functions that find out what a name refers to, such as a player or a feature set
"""

from petteia.players.player import Player, PolicyPlayer
from petteia.players.text import PLAYERS, player

__all__ = ["PLAYERS", "Player", "PolicyPlayer", "player"]
