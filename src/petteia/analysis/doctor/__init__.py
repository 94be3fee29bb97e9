"""Looking for what is wrong with a learning run, from what it has left and from random games.

In order: `sampling` (random games, and the features of their positions), `judging` (matches, and how the values of
moves order them), `remains` (what a run has left), `steps` (how far its steps go), `evidence` (these and its play, all
measured when it is first asked for), `signs` and `signs_of_play` (the marks of each fault in the evidence), `faults`
(the faults as data: names, words, what to try), `strength` (how strong the result is), `examination` (all of it for a
run).
"""
