"""Analyses of games and of trained agents: exact results, learning curves, and the quality of learned values.

- `collinearity`: how well each feature is predicted by the other features
- `settling`: whether the weights of a linear value function converge, and how this depends on the features
- `curves`: when learning curves converge, how much they vary, and when they reach a score
- `truth`: the errors of learned action values in games that can be solved
- `behaviour`: the share of a player's games in which a given event occurs
- `direct_search`: a search for feature weights with which a player wins as many games as possible
- `ceilings`: the exact probabilities with which strong policies win against the random player
- `doctor`: the diagnosis of a training run: its faults, with suggested changes
"""
