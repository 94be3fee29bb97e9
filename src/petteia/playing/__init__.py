"""The objects to play with from Python: positions, sessions, and the game at the terminal.

In order: `position` (a position of a game, immutable), `session` (a game between people and programs, without input,
output or clock), `terminal` (a session whose person types the moves).
"""
