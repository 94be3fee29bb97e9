"""Objects for playing from Python: positions, agents, sessions, and games at the terminal.

- `position`: an immutable position of a game
- `agent`: a player that chooses a move in a given position
- `session`: a game between people and programs, without input or output
- `begin`: functions that start a session or continue a recorded game
- `terminal`: a session in which people type their moves
"""
