"""Analyses of trained agents and of games, such as learned values, learning curves and exact results.

- `collinearity`: how well each feature is predicted by the other features
- `settling`: whether weights converge, and how their convergence depends on the features
- `curves`: when learning curves converge, how much they vary, and when they reach a score
- `truth`: the errors of learned tables in games that can be solved
- `behaviour`: the share of a player's games in which a given event occurs
- `direct_search`: what a feature set can achieve, by a search for weights
- `ceilings`: the highest probabilities of winning against the random player
- `doctor`: the diagnosis of a training run: its faults, with suggested changes
"""
