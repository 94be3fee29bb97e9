"""Search: the value of a position, found by looking ahead.

The modules are, in order:

- `memory`: work arrays and the transposition table
- `ends`: values of finished games
- `parts`: exchangeable parts of a search
- `leaves`, `ordering`: values of leaves, and the order of moves
- `chance`: means of outcomes at chance nodes
- `alpha_beta`: the search of fixed depth, compiled for each game and evaluation
- `selection`, `quiescence`: parts that leave out moves, or continue the search beyond its depth
- `own_parts`: parts from custom modules
- `root`: the search of the root position, move by move
- `verification`: a deeper search of the chosen move
- `certainty`: certain wins in games with chance nodes
- `worker`: the thread of a search
- `searcher`: iterative deepening under limits of depth, nodes and time
- `proof_order`, `proof`: searches to the end of the game, which prove the value of a position
"""
