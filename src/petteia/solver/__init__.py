"""The truth about a game: the value of every position under best play, and how long that takes.

In order: `memory_errors` (the error when memory does not suffice), `lower_bounds` (of the number of positions),
`fit` (whether they fit into memory), `graph` (all positions and
moves), `retrograde` (their values without chance), `expectation` (and with it), `tablebase` (what is kept, and found
again), `files` (on disk), `check` and `expectation_check` (a proof of a table that shares no code with what made it),
`oracle` (what it knows about a position), `solution` (what it says about a game).
"""
