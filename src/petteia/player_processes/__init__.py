"""Custom players in child processes, so that their code cannot harm the main process.

- `own`: calls of a custom player, and checks of its answers, in any process
- `messages`: the protocol between parent and child
- `lifeline`: a process that ends with its parent
- `supervisor`: a process that ends all processes of a child
- `child`: the program of the child
- `process`: child processes in the parent: start, ask, wait, end

A child imports the custom module and little else: neither numpy nor a compiler.
"""
