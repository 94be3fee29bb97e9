"""Learning to play from games alone.

A learner improves the values by which a policy plays. Its opponents are given as policies, not by name. The modules
are, in order:

- `linear_targets`: targets of linear learning
- `learners`: all options of the learners
- `schedules`: parameters that change during a training
- `step_sizes`: step sizes, constant or falling with the visits
- `exploration`: the choice of moves during training
- `starts`: starts of training games
- `targets`: update rules of tabular learning
- `update_rules`: update rules by name, and custom ones
- `tabular`: tabular learning from games
- `check`: checks of update rules
- `mdp`: exact values against a known opponent
- `gradient`: gradient steps on linear weights, with eligibility traces
- `rootstrap`: RootStrap, learning from searches
- `linear`: linear learning from games
- `cross_entropy`: search for weights by matches alone
"""
