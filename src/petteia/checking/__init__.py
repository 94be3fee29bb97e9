"""Checks that a game conforms to the protocol.

In order: `sample` (random games with checks of each state), `symmetry` (symmetric states), `first_use` (a short check
whenever a game is loaded), `notes` (the findings of a check), `near_misses` (texts that are nearly correct), `notation`
(texts of positions and moves), `conformance` (all checks in plain Python), `comparison` (compiled code compared with
plain Python), `check` (the full check of a game), `shared` (common parts of the checks of custom code). The checks of
feature sets, update rules, players and drawings are in the folders of these components.
"""
