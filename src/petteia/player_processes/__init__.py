"""Custom players in child processes, so that their code cannot harm the main process.

- `own`: calls of a custom player, and checks of its answers, in the child or in the main process
- `messages`: the protocol between parent and child
- `lifeline`: a process that ends with its parent
- `supervisor`: a process that ends all processes of a child
- `child`: the program of the child
- `process`: the functions by which the parent starts, asks and ends child processes

A child imports the custom module and little else: neither numpy nor a compiler.
"""
