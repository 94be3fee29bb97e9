"""Tournaments: experiments in which players meet each other.

In order: `declaration` (what a file may say), `observations` (what is looked for in a table), `comparison` (with one
that was published), `matches` (what is kept of each),
`standings`, `results`, `outputs` (the files that are left), `play` (the matches, which can be resumed),
`tournament` (the same by a call from Python).
"""
