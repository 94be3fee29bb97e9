"""Policies, which are compiled players, and the compiled loop in which two policies play games.

A policy is a `NamedTuple` class with a method `choose(policy, rules, state, random, work) -> move`. The function
`choose` of the module `policy` calls this method, and is compiled for the type of the policy. The modules are, in
order:

- `policy`: the methods of a policy, and two simple policies for any game
- `perfect_policy`: the policy that plays perfectly, with the table of a solved game
- `mixed_policy`: the policy that draws one of two policies at random for each move
- `search_policy`: the policy that searches to a fixed depth
- `afterstates`: the policy that chooses the move with the best learned value of its afterstate
- `play_games`: the compiled loop that plays games

The policy that chooses moves from a learned table is in the package `petteia.value_functions`.
"""
