"""Tournaments: experiments that consist of matches between several players.

- `declaration`: the file that declares a tournament
- `observations`: surprising scores in the crosstable
- `comparison`: the comparison of results with a published table
- `matches`: the saved results of each match
- `standings`, `results`: the standings, and all results of a tournament
- `outputs`: the files that a tournament writes
- `play`: resumable play of all matches
- `tournament`: the Python functions that play tournaments
"""
