"""Matches between players, and the analysis of players, positions and games.

The modules, in the order of their imports:

- statistics: `statistics` (intervals), `ratings` (Elo with intervals), `sprt` (sequential tests)
- games: `openings`, `alternate` (games driven from Python), `tally` (counts of results), `compiled` (games of
  policies), `workers` (processes that share the games), `match`
- regret: `judgement` (regrets of moves, in compiled code), `regret_totals` (sums of regrets), `recorded` (the moves of
  a player in games), `known_positions` (positions of solved games, and endings), `regret` (the regret of a player)
- analysis: `reasons` (the features that a move changes), `analysis` (the values that a player gives to moves), `exact`
  (the values in a solved game), `review` (all moves of a game), `refutation` (the reason why a move is worse than the
  best one), `differences` (positions in which two players choose differently)
"""
