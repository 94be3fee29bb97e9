"""Looking closely at what was learned, of any game, any run and any player.

`collinearity` (which features others nearly make up for), `settling` (whether weights come to rest, and what those that
do not have in common), `curves` (when a learning curve comes to rest), `sampled_regret` and `endings` (how far players
are from perfect where not every position can be looked at, or solved), `truth` (how far tables are from it where every
one can), `behaviour` (what a player does in games) and
`direct_search` (what features allow, whatever a learner makes of them).
"""
