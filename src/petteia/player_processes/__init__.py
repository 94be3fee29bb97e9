"""Custom players in child processes, so that their code cannot harm the main process.

- `own`: calls to a custom player and checks of its answers, for child processes and the main process
- `messages`: the messages between the parent process and a child process
- `lifeline`: a process that ends with its parent
- `supervisor`: a process that ends a child and all processes that the child has started
- `child`: the program that a child process runs
- `process`: functions with which the parent starts child processes, sends them requests and ends them

A child imports the custom module and little else: neither numpy nor a compiler.
"""
