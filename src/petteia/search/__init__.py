"""Search: the value of a position, found by looking ahead.

The modules are, in order:

- `memory`: work arrays and the transposition table
- `ends`: values of finished games
- `parts`: the parts of a search that options can replace
- `leaves`, `ordering`: the values of leaves, and the order of moves
- `chance`: the values of chance nodes, which are means of outcomes
- `alpha_beta`: the search to a fixed depth, which is compiled for each game and evaluation
- `selection`, `quiescence`: parts that leave out moves, or continue the search beyond its depth
- `own_parts`: parts from custom modules
- `root`: the search of the root position, move by move
- `verification`: a deeper search after the chosen move
- `certainty`: certain wins in games with chance nodes
- `worker`: the thread of a search
- `searcher`: iterative deepening under limits of depth, nodes and time
- `proof_order`, `proof`: searches to the end of the game, which prove the value of a position
"""
