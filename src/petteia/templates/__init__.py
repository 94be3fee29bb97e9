"""Templates of games, players, policies, feature sets, evaluations, update rules, experiments and tournaments.

The templates of experiments and tournaments are TOML files. All other templates are Python modules. Each template is a
complete example. The words `Skeleton` and `skeleton` stand for the name that the user chooses. If a template needs a
game, it uses a game of the package. When the module `writing` copies a template, it replaces these words and the game.
"""
