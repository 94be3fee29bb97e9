"""Policies: compiled players, and the compiled loop in which two of them play.

A policy is a `NamedTuple` class with a method `choose(policy, rules, state, random, work) -> move`. The function
`choose` of `policy` calls it and dispatches by type, like the methods of games. The modules are, in order:

- `policy`: the methods of a policy, and the policies without knowledge
- `perfect_policy`: perfect play by the table of a solved game
- `mixed_policy`: a random choice between two policies
- `search_policy`: play by a search of fixed depth
- `afterstates`: play by the value of afterstates
- `play_games`: the loop of games

The policy that plays by a learned table is in `value_functions`.
"""
