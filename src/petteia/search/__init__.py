"""Game tree search: the value of a position, found by looking ahead.

The modules are, in order:

- `memory`: work arrays and the transposition table
- `ends`: values of finished games
- `parts`: the components of a search that options can replace
- `leaves`, `ordering`: the values of leaves, and the ordering of moves
- `chance`: the values of chance nodes, which are means over the outcomes
- `alpha_beta`: the search to a fixed depth, which is compiled for each game and evaluation
- `selection`, `quiescence`: components that search only some of the moves, or continue the search beyond its depth
- `own_parts`: custom components
- `root`: the search of the root position, move by move
- `verification`: a deeper search after the best move, to verify it
- `certainty`: certain wins in games with chance nodes
- `worker`: the thread in which a search runs
- `searcher`: iterative deepening with limits of depth, nodes and time
- `proof_order`, `proof`: searches to the end of the game, which prove the value of a position
"""
