"""Training runs, and experiments that TOML files declare: sets of training runs, or tournaments.

- `options`: the options of a training run, including those of its learner
- `settings`, `table_settings`, `linear_settings`: the resolved settings of a training run, by learner
- `trainer`, `table_trainer`, `linear_trainer`: the objects that learn from the games of a training run
- `configuration`: creates and reads the settings of table and linear learners
- `scores`: the last scores of a training run, and the chart of its learning curve
- `training`: a training run that can be interrupted and resumed
- `run_list`: the runs in a folder
- `agents`: the agents that come with the package, and the settings with which they are trained
- `levels`: the program that makes the levels of play of each game
- `thresholds`: the program that measures how much moves change the evaluation of a game
- `source`: the files that declare experiments
- `work`, `formats`: the amount of work of an experiment, and the output formats of all experiments
- `declaration`: the file of an experiment with training runs
- `measures`, `results`, `outputs`: the measurements, results and files of an experiment with training runs
- `trainings`: runs all training runs of an experiment
- `tournament`: experiments that consist of matches
- `experiment`: runs an experiment with training runs or a tournament
"""
