"""Templates: `game`, `player`, `policy`, `features`, `evaluation`, `update_rule`, `experiment`, `tournament`.

`experiment` and `tournament` are TOML files. Each file works unchanged as an example: its component has the name
`Skeleton` or `skeleton`, and a game of the package if it needs a game. `writing` replaces the names and the game.
"""
