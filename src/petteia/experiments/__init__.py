"""Learning declared as data and kept in run folders: what is learned, against whom, seeded how, measured when.

In order: `configuration` (the settings of a training, resolved), `training` (one learner with its curve, which can be
killed and resumed), `declaration` (an experiment as a file), `measures`, `results`, `outputs` (what is found, and the
files it is written into), `experiment` (running one). `files/` holds the experiments that come with the package.
"""
