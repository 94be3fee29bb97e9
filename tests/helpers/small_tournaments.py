"""A small tournament, as a file of a user."""

from __future__ import annotations

SMALL = """
title = "Small & quick"
seed = 5

[tournament]
game = "kalah:pits=4,seeds=3"
players = ["random", "simple", "heuristic"]
games = 60
seats = "fixed"
diagonal = true
openings = "none"

[findings]
edge = true
intransitive = true
depth = ["random", "simple", "heuristic"]

[published]
source = "a paper"
games = 20
wins = [[9, 4, 1], [15, 20, 0], [20, 0, 0]]
draws = [[1, 1, 1], [1, 0, 0], [0, 0, 0]]

[quick]
games = 10
"""
PLAYERS = 'players = ["random", "simple", "heuristic"]'
WINS = "wins = [[9, 4, 1], [15, 20, 0], [20, 0, 0]]"
