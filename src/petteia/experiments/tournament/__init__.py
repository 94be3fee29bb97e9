"""Tournaments: experiments that consist of matches between several players.

- `declaration`: the file of a tournament
- `observations`: findings in the crosstable
- `comparison`: the comparison with a published table
- `matches`: the saved results of each match
- `standings`, `results`: the standings, and all results of a tournament
- `outputs`: the files of a tournament
- `play`: resumable play of all matches
- `tournament`: the Python functions that play tournaments
"""
