"""Looking closely at what was learned, of any game, any run and any player.

`collinearity` (which features others nearly make up for), `settling` (whether weights come to rest, and what those that
do not have in common), `curves` (when learning curves come to rest, how much they scatter, and when they reach a
score), `truth` (how far tables are from perfect where every position can be looked at), `behaviour` (what a player does
in games), `direct_search` (what features allow, whatever a learner makes of them) and `ceilings` (how often random play
can be beaten at all).
"""
