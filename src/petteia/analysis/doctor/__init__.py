"""Looking for what is wrong with a learning run, from what it has left and from random games.

In order: `sampling` (random games, and the features of their positions), `judging` (matches, and how the values of
moves order them), `remains` (what a run has left), `steps` (how far its steps go), `evidence` (these and its play, all
measured when it is first asked for), `signs`, `signs_of_play` and `trials` (the marks of each fault in the evidence,
and in the same training with settings put back), `advice` (what to try, as options that a training takes), `faults`
(the faults as data: names, words, what to try), `strength` (how strong the result is), `diagnosis` (what was found, as
data and as text), `examination` (all of it for a run).
"""
