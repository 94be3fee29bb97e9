"""Files to start from: `game`, `player`, `policy`, `features`, `evaluation`, `update_rule`, `experiment`, `tournament`.

The last two are TOML files. Each is complete and works as it stands here, named `Skeleton` or `skeleton`, and for one
of our games where it is for a game; `writing` writes it under a user's names, for a user's game.
"""
