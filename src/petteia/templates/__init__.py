"""Templates: `game`, `player`, `policy`, `features`, `evaluation`, `update_rule`, `experiment`, `tournament`.

The last two are TOML files. Each file works unchanged as an example, with the name `Skeleton` or `skeleton` and a game
of the package if it needs one. `writing` replaces the names and the game.
"""
