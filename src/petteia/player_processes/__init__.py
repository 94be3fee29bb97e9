"""Players of users' modules, each in a child process of its own, so that nothing that they do harms the rest.

In order: `own` (what is asked of a user's object, and how its answers are looked at; in a child process and outside),
`messages` (what parent and child say to each other, and how), `lifeline` (a process that ends with its parent),
`supervisor` (a process that ends all that a child has started), `child` (what runs in the child), `process` (what the
parent does: start, ask, wait, end).

A child imports the user's module and little else: no numpy, no compiler.
"""
