"""The players, and the text form of a player.

- `player`: the base class of players, and players that follow a policy
- `foreign`: custom players
- `human`: a person at the terminal
- `q`: plays by a learned table, and can continue to learn
- `settings`: reads the weights of a run or a file
- `search`: `greedy` and `search`
- `theta`: searches with a linear value function
- `weights`: learned weights by feature name
- `heuristic`: plays by the rule of thumb of a game
- `perfect`: plays by the solved game
- `mixed`: chooses between two other players for each move
- `text`: the registry, and the function that parses the text form of a player
- `check`: conformance checks of players and policies
- `kinds`: the kind of component that a name refers to
"""

from petteia.players.player import Player, PolicyPlayer
from petteia.players.text import PLAYERS, player

__all__ = ["PLAYERS", "Player", "PolicyPlayer", "player"]
