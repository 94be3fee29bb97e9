"""Learning declared as data and kept in run folders: what is learned, against whom, seeded how, measured when.

`training` is one learner against one opponent, with a curve of evaluations, that can be killed and resumed.
"""
