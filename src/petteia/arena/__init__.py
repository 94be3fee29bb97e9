"""Where players meet.

In order: `statistics` (intervals), `ratings` (Elo, with intervals), `sprt` (matches that end when they are decided),
`openings`, `alternate` (games driven from Python), `tally` (what games come to), `compiled` (games of policies),
`workers` (games shared among processes), `match` (all of it put together), `judgement` (what moves give away, in
compiled code) and `giving_away` (in all), `recorded` (a player's moves in games), `known_positions` (of solved games,
and endings) and `regret` (what that says of a player), `reasons` (why a move: the features that it changes), `analysis`
(what a player thinks of a position), `exact` (what is known of it where the game is solved), `review` (a game looked at
again by either), `refutation` (why a move is worse than the best one) and `differences` (where two think differently).
"""
