"""Custom players in child processes, so that their code cannot harm the main process.

- `own`: functions that call a custom player and check its answers, in child processes and in the main process
- `messages`: the messages between the parent process and a child process
- `lifeline`: a function that ends a process when its parent process ends
- `supervisor`: a process that ends a child and all processes that the child has started
- `child`: the program that a child process runs
- `process`: functions by which the parent starts child processes, sends them requests and ends them

A child process imports the custom module, but neither numpy nor a compiler, unless the custom module imports them.
"""
