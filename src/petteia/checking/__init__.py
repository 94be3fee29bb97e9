"""Checks that the code of a game, a player or another component meets the requirements of its protocol.

In order:

- `sample`: random games in plain Python, with checks of each state
- `symmetry`: whether a symmetry of the board preserves the rules
- `first_use`: a short check of a custom game before it is first used
- `notes`: the failures and the advice that a check collects
- `near_misses`: strings with small errors, to test that parsers reject them
- `notation`: checks that positions and moves are formatted and parsed correctly
- `conformance`: all checks of a game in plain Python
- `comparison`: checks that compiled code gives the same results as plain Python
- `check`: the full check of a game
- `shared`: functions that the checks of games and of other custom components use

The checks of feature sets, update rules, players and drawings are in the packages of these components.
"""
