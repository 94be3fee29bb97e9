"""Solutions of games: the value of every position under perfect play, and the distance to the end.

The modules are, in order:

- `memory_errors`: the error for insufficient memory
- `lower_bounds`: lower bounds of the number of positions in a game
- `fit`: the check that the positions fit into memory
- `graph`: all positions of a game and the moves between them
- `retrograde`: values of positions in games without chance nodes
- `expectation`: expected values of positions in games with chance nodes
- `tablebase`: the table of a solved game
- `files`: saving and loading of tables
- `check`, `expectation_check`: proofs of tables, which share no code with the solvers
- `oracle`: values, distances and best moves of positions
- `solution`: a summary of a solved game
"""
