"""Learning to play from games alone.

A learner improves what a policy plays by; its opponents come in as policies, never by name. In order: `linear_targets`
(what values linear in features are moved towards), `learners` (all options), `schedules` (parameters that change over
the games), `step_sizes` (how far a value is moved), `exploration` (how moves are chosen while learning), `starts`
(where games begin), `targets` (what a value is moved towards), `update_rules` (these by name, and a user's own),
`tabular` (values of state and move in a table, learned from games), `check` (whether an update rule keeps its
promises), `mdp` (what these values are when all has been learned). Then `gradient` (how the weights of a linear value
change, with eligibility traces), `linear` (such a value, learned from games), and `cross_entropy` (weights found by
matches alone).
"""
