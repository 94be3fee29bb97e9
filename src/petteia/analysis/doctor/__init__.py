"""Find faults of a training run from its saved files and from random games.

In order of import:

- `sampling`: random games, and the features of their positions
- `judging`: matches, and the rank correlation of learned values with known values
- `remains`: the settings and saved files of a run
- `steps`: the sizes of learning steps
- `evidence`: all measurements that the tests of a run need, each computed when it is first used
- `signs`, `signs_of_play`: the tests that look for faults in the evidence
- `strength`: the playing strength of the trained player
- `explained`: how well features predict the values of positions
- `signs_of_features`: the tests whether features lack information, and whether one side is played much worse
- `trials`: the tests that repeat a training run with other settings, or compare it with best play
- `advice`: suggested changes, as options of a training run
- `fault`: the class of a fault
- `faults`: all faults, with their messages and suggested changes
- `diagnosis`: the result of a diagnosis, and its report as a string
- `examination`: the whole diagnosis of a run
"""
