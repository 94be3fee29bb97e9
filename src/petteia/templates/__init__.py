"""Templates of games, players, policies, feature sets, evaluations, update rules, experiments and tournaments.

The templates of experiments and tournaments are TOML files, and all others are Python modules. Each is a complete
example, in which the component is called `Skeleton` or `skeleton`. If the component needs a game, the example uses a
game of the package. When the module `writing` copies a template, it replaces the names and the game.
"""
