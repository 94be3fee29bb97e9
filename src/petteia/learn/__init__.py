"""Reinforcement learning: training of tables and of linear value functions by playing games.

A learner improves the values by which a policy plays. The opponents of a learner are policies, too. The modules are, in
order:

- `linear_targets`: targets of linear learning
- `learners`: all options of the learners
- `schedules`: parameters that change during a training run
- `step_sizes`: step sizes from a schedule, or falling with the number of visits of a value
- `exploration`: the choice of moves during training
- `starts`: starts of training games
- `targets`: update rules of tabular learning
- `update_rules`: update rules by name, and custom ones
- `tabular`: tabular learning from games
- `check`: checks of update rules
- `mdp`: exact values of moves against an opponent with known move probabilities
- `gradient`: gradient steps on linear weights, with eligibility traces
- `rootstrap`: RootStrap, learning from searches
- `linear`: linear learning from games
- `cross_entropy`: a direct search for weights by the results of whole matches
"""
