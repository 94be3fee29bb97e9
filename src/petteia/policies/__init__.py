"""Policies: simple players in compiled form, and the compiled loop in which two of them play.

A policy is a `NamedTuple` class with a method `choose(policy, rules, state, random, work) -> move`, called through the
function `choose` of `policy`, which looks it up by type just as verbs are. In order: `policy` (the call and the
policies without memory), `table` (values of state and move, learned elsewhere), `table_file` (such a table on disk),
`linear_file` (learned weights of features on disk), `perfect` (by the solved game), `mixed` (between two others),
`search` (looks a number of plies ahead), `afterstates` (the action after which the board looks best), `duel` (the
loop).
"""
