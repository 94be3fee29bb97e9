"""Policies, which are compiled players, and the compiled loop in which two policies play games.

A policy is a `NamedTuple` class with a method `choose(policy, rules, state, random, work) -> move`. The function
`choose` of the module `policy` calls this method, and is compiled for the type of the policy. The modules are, in
order:

- `policy`: the methods of a policy, and two simple policies for any game
- `perfect_policy`: the policy that plays perfectly, with the table of a solved game
- `mixed_policy`: the policy that chooses between two policies at random
- `search_policy`: the policy that plays by a search of fixed depth
- `afterstates`: the policy that plays by the learned value of afterstates
- `play_games`: the compiled loop that plays games

The policy that plays by a learned table is in the package `petteia.value_functions`.
"""
