"""Find faults of a training run from its saved files and from random games.

In order of import:

- `sampling`: random games, and the features of their positions
- `judging`: matches, and the rank correlation of learned values with known values
- `remains`: the contents of a run
- `steps`: the sizes of learning steps
- `evidence`: all measurements of a run, each computed when it is first used
- `signs`, `signs_of_play`: the tests that look for faults in the evidence
- `strength`: the playing strength of the result
- `explained`: the part of the values of positions that features explain
- `signs_of_features`: the tests that compare features with the state, and a player with a search
- `trials`: the tests that repeat a training run with other settings, or compare it with best play
- `advice`: suggested changes, as options of a training run
- `fault`: a fault as data
- `faults`: all faults, with their texts and suggested changes
- `diagnosis`: the findings, as data and as text
- `examination`: the whole diagnosis of a run
"""
