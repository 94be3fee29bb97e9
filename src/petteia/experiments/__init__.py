"""Experiments declared as data: training runs with varied options, or tournaments.

- `options`: the options of a training run, including those of its learner
- `settings`, `table_settings`, `linear_settings`: the resolved settings of a training run, by learner
- `trainer`, `table_trainer`, `linear_trainer`: the objects that learn from the games of a training run
- `configuration`: creates and reads the settings of table and linear learners
- `scores`: scores and the learning curve
- `training`: a training run that can be interrupted and resumed
- `run_list`: the runs in a folder
- `agents`: the agents that come with the package, and the settings with which they are trained
- `levels`, `thresholds`: the programs that compute the levels of play and the thresholds of search for each game
- `source`: the files that declare experiments
- `work`, `formats`: the amount of work of an experiment, and the output formats of all experiments
- `declaration`: the file of an experiment with training runs
- `measures`, `results`, `outputs`: the measurements, results and files of such an experiment
- `trainings`: runs the training runs of such an experiment
- `tournament`: experiments with matches
- `experiment`: runs an experiment with training runs or a tournament
"""
