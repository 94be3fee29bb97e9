"""Whether a game keeps the promises of the protocol.

In order: `sample` (random games, each state examined), `symmetry` (a state and its images), `first_use` (a short look
whenever a game is named), `notes` (what a check has found), `near_misses` (texts that are nearly right), `notation`
(texts of positions and moves), `conformance` (each promise, in plain Python), `comparison` (compiled code against plain
Python), `check` (all of them in order), `shared` (parts of all checks of custom code). The checks of feature sets,
update rules, players and drawings live in the rooms of these.
"""
