"""What the experiments, players and seats of the report are called."""

from __future__ import annotations

GAME = "kalah:capture=nonempty,end=mover,leftovers=nobody"
SIX = f"{GAME},seeds=6"
"""with six stones a pit, as the report's text has it"""
BASELINES = "mancala-baselines"
READINGS, LOWER, TRACES, CHAINS = "mancala-readings", "mancala-lower-only", "mancala-lambda", "mancala-chains"
TRAININGS = (READINGS, LOWER, TRACES, CHAINS)
OWN, EVERY = "random", "both"
"""the two readings of the update: the learner's own plies (its side is drawn for each game), and every ply"""
READING_WORDS = {OWN: "by own plies", EVERY: "by every ply"}
RECIPES = {
    "one-block-lower": "by whole turns: one block, always lower",
    "two-blocks-both": "by whole turns: two blocks, both sides",
}
"""how whole turns are learned: as the report did, and as plies are"""

DEPTHS = (1, 2, 3, 4, 5)
GREEDY = {f"greedy{depth}": f"greedy:depth={depth}" for depth in DEPTHS}
OPPONENTS = ("heuristic", *GREEDY)
BASIC = ("random", *OPPONENTS)
"""all players that do not learn"""
THETA = tuple(f"theta{depth}" for depth in DEPTHS)
PLAYERS = (*OPPONENTS, *THETA)
FAR_OFF = (("theta1", "greedy2"), ("theta3", "greedy5"), ("theta4", "greedy5"), ("greedy4", "theta5"))
"""matches whose printed result the printed weights are far from; whether that comes of drawing vectors is looked at"""
LOOKING = (1, 2, 3)
"""plies that lambda 0 and 0.15 look ahead against each other"""
SEATS = (0, 1)
SEAT_WORDS = ("as first", "as second")
EARLY, LATER, LATE, LAST = 1, 2, 3, 4
"""marks of the trainings, by number: in the report 100,000, 200,000, 400,000 and 500,000 games"""


def text_of(name: str) -> str:
    """The text form of a player that does not learn."""
    return GREEDY.get(name, name)


def learns(*names: str) -> bool:
    """Whether one of these players has learned."""
    return not set(names).isdisjoint(THETA)
