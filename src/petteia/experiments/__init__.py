"""Experiments declared as data: what is learned, against whom, seeded how, measured when; or who meets whom.

In order: `options` (what can be given, beside the options of the learner), `settings` (what every training is given),
`trainer` (what it works with), and of both for each kind of learner `table_settings`, `table_trainer`,
`linear_settings` and `linear_trainer`; `configuration` (the settings of either, resolved), `scores` (how well it
plays), `training` (one learner with its curve, which can be killed and resumed), `run_list`, `agents` (those that
come with the package, and their recipes), `source` (the files that declare experiments), `work` and `formats` (what
all experiments share). An experiment is one of trainings: `declaration` (what its file may say), `measures`,
`results`, `outputs` (what is found, and the files it is written into), `trainings` (doing them); or it is one of
matches: `tournament`. `experiment` runs either.
"""
