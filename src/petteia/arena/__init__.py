"""Matches between players, and the analysis of players, positions and games.

These are the main modules of the package. Each of them imports only modules that come before it in the list:

- statistics: `statistics` (intervals), `ratings` (Elo ratings with confidence intervals), `sprt` (sequential tests)
- games: `openings`, `alternate` (games driven from Python), `tally` (counts of results), `compiled` (games between
  policies), `workers` (processes that play the games), `match` (a match between two players)
- regret, the loss of value by moves that are not the best ones: `judgement` (compiled code that computes the regrets of
  moves), `regret_totals` (sums of regrets), `recorded` (the moves that a player makes in games), `known_positions`
  (positions whose exact values are known), `regret` (the mean regret of a player)
- analysis: `reasons` (the features that a move changes), `analysis` (the values that a player gives to moves), `exact`
  (the values of moves in a solved game), `review` (the regrets of all moves of a game), `refutation` (the reason why a
  move is worse than the best one), `differences` (positions in which two players choose different moves)
"""
