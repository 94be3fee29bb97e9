"""Reinforcement learning: training of tables and of linear value functions by playing games.

A learner plays games against a policy or against itself, and improves its table or its weights. The modules of this
package are, in order:

- `linear_targets`: the targets of linear learning
- `learners`: the classes of learners, with all their options
- `schedules`: parameters that change during a training run
- `step_sizes`: learning rates that follow a schedule, or fall with the number of updates of a value
- `exploration`: the choice of moves during training
- `starts`: the positions in which training games start
- `targets`: the update rules of tabular learning
- `update_rules`: a function that returns an update rule by its name, and custom update rules
- `tabular`: the training games of tabular learning
- `check`: checks of update rules
- `mdp`: exact values of moves against an opponent with known move probabilities
- `gradient`: gradient steps on linear weights, with eligibility traces
- `rootstrap`: RootStrap, which learns from searches
- `linear`: the training games of linear learning
- `cross_entropy`: a direct search for weights by the results of whole matches
"""
