"""Tournaments: experiments in which players meet each other, each as first and each as second, itself included.

In order: `declaration` (what a file may say), `observations` (what is looked for in a table), `comparison` (with one
that was published), `results`, `outputs` (the files that are left), `play` (the matches, which can be resumed),
`tournament` (the same by a call from Python).
"""
