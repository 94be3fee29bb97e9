"""Policies: simple players in compiled form, and the compiled loop in which two of them play.

A policy is a `NamedTuple` class with a method `choose(policy, rules, state, random, work) -> move`, called through the
function `choose` of `policy`, which looks it up by type just as verbs are. In order: `policy` (the call and the
policies without memory), `perfect_policy` (by the solved game), `mixed_policy` (between two others), `search_policy`
(looks a number of plies ahead), `afterstates` (the action after which the board looks best), `play_games` (the loop).
Policies that play by what was learned in a table stand in the room `learned`.
"""
