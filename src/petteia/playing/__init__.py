"""Objects for playing from Python: positions, agents, sessions, and games at the terminal.

- `position`: an immutable position of a game
- `agent`: a player that returns its move in a given position
- `session`: a game between people and programs, without input or output
- `begin`: functions that start or continue a session
- `terminal`: a session in which people type their moves
"""
