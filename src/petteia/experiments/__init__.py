"""Experiments declared as data: what is learned, against whom, seeded how, measured when; or who meets whom.

In order: `configuration` (the settings of a training, resolved), `training` (one learner with its curve, which can be
killed and resumed), `source` (the files that declare experiments), `work` and `formats` (what all experiments share).
An experiment is one of trainings: `declaration` (what its file may say), `measures`, `results`, `outputs` (what is
found, and the files it is written into), `trainings` (doing them); or it is one of matches: `tournament`. `experiment`
runs either. `files/` holds the experiments that come with the package.
"""
