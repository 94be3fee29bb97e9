"""The objects to play with from Python: positions, agents, sessions, and the game at the terminal.

In order: `position` (a position of a game, immutable), `agent` (a player that says its move in a position), `session`
(a game between people and programs, without input, output or clock), `terminal` (a session whose person types the
moves).
"""
