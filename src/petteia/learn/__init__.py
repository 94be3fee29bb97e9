"""Learning to play from games alone.

A learner improves what a policy plays by; its opponents come in as policies, never by name. In order: `schedules`
(parameters that change over the games), `tabular` (values of state and move in a table).
"""
