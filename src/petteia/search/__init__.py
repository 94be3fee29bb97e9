"""Search: what a position is worth, found by looking ahead.

In order: `memory` (scratch arrays and the transposition table), `ends` (what the ends of games are worth), `parts`
(what can be exchanged), `chance` (means of outcomes), `alpha_beta` (the search of a number of plies, compiled for each
game and evaluation), `selection` and `quiescence` (parts that leave moves out, and that search on), `own_parts` (parts
from users' modules), `root` (the same search for the position that was asked about), `verification` (a closer look at
the chosen move), `certainty` (certain wins where chance moves), `worker` (the thread that searches), `searcher`
(iterative deepening under limits of depth, nodes and time), `proof` (searches to the ends of games, which prove what a
position is worth).
"""
