"""Search: what a position is worth, found by looking ahead.

In order: `memory` (scratch arrays and the transposition table), `ends` (what the ends of games are worth),
`chance` (means of outcomes), `alpha_beta` (the search of a number of plies, compiled for each game and evaluation),
`root` (the same for the position that was asked about), `certainty` (certain wins where chance moves), `worker` (the
thread that searches), `searcher` (iterative deepening under limits of depth, nodes and time), `proof` (searches to the
ends of games, which prove what a position is worth).
"""
