"""Matches between players, and the analysis of players, positions and games.

These are the main modules of the package. Each of them imports only modules that come before it in the list:

- `statistics`: confidence intervals
- `ratings`: Elo ratings with confidence intervals
- `sprt`: sequential probability ratio tests
- `openings`: the openings of a match
- `alternate`: a Python loop that plays games
- `tally`: counts of game results
- `compiled`: games between policies, played by compiled code
- `workers`: the threads, processes and clusters that play games
- `match`: matches between two players
- `judgement`: compiled code that computes the regret of moves. The regret of a move is the value that it loses against
  the best move
- `regret_totals`: sums of regrets
- `recorded`: records of the moves that a player makes in games
- `known_positions`: positions in which the value of each move is known
- `regret`: the mean regret of a player
- `reasons`: the features that a move changes
- `analysis`: the analysis of a position by a player
- `exact`: the analysis of a position in a solved game
- `review`: the regrets of all moves in a recorded game
- `refutation`: the reasons why a move is worse than the best move
- `differences`: positions in which two players choose different moves
"""
