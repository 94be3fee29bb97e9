"""Tournaments: experiments that consist of matches between several players.

In order: `declaration` (the file of a tournament), `observations` (findings in a table), `comparison` (the comparison
with a published table), `matches` (saved results of each match), `standings`, `results`, `outputs` (the files of a
tournament), `play` (resumable play of all matches), `tournament` (the Python functions that play tournaments).
"""
