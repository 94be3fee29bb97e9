"""Looking for what is wrong with a learning run, from what it has left and from random games.

In order: `sampling` (random games, and the features of their positions), `judging` (matches, and how the values of
moves order them), `evidence` (all that is measured of a run, each thing when it is first asked for), `signs` (the marks
of each fault in the evidence), `faults` (the faults as data: names, words, what to try), `examination` (all of them for
a run).
"""
