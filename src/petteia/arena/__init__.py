"""Where players meet.

In order: `statistics` (intervals), `openings`, `alternate` (games driven from Python), `compiled` (games of policies),
`processes` (games shared among processes), `match` (all of it put together), `session` (a game at the terminal).
"""
