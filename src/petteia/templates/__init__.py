"""Templates: `game`, `player`, `policy`, `features`, `evaluation`, `update_rule`, `experiment`, `tournament`.

`experiment` and `tournament` are TOML files, all others are Python modules. Each file works unchanged as an example.
Its component has the name `Skeleton` or `skeleton`. If the component needs a game, the file uses a game of the package.
`writing` replaces the names and the game.
"""
