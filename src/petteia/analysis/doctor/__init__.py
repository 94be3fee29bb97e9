"""Find the faults of a training run by examining its saved files and by playing games.

In order of import:

- `sampling`: random games, and the features of their positions
- `judging`: matches, and the rank correlation of learned values with reference values
- `remains`: the settings and saved files of a training run
- `steps`: the step sizes of a learner
- `evidence`: the measurements for the tests for faults
- `signs`: the tests for faults in learned values and settings
- `signs_of_play`: the tests for faults in games, opponents and scores
- `strength`: the playing strength of the trained player
- `explained`: how well features predict the values of positions
- `signs_of_features`: the tests for features that lack information, and for a side that plays much worse than the other
  side
- `trials`: the tests that repeat a training run with other settings, or compare the trained player with best play
- `advice`: suggested changes, as options of a training run
- `fault`: the class that describes a fault
- `faults`: all faults, with their messages and suggested changes
- `diagnosis`: the result of a diagnosis, and its report as a string
- `examination`: the whole diagnosis of a run
"""
