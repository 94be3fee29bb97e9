"""The command line: thin calls of the public functions.

In order: `parameters` (what commands take), `output` (what they give), `bench` (what `petteia bench` measures),
`rules`, `playing`, `learning`, `experiments`, `solving` and `machine` (the commands), `app` (all of them together),
`entry` (running one: errors and exit codes). Nothing here imports numba, NumPy, SciPy or pydantic before a command
runs.
"""

from petteia.cli.entry import main

__all__ = ["main"]
