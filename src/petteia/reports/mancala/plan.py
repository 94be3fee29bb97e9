"""The plan of the report on Kalah: its experiments, players, and matches."""

from __future__ import annotations

from dataclasses import replace

from petteia.reports.engine.settings import Agent, Match, Player, Setting, Size

GAME = "kalah:capture=nonempty,end=mover,leftovers=nobody"
SIX = f"{GAME},seeds=6"
"""The rules with six stones a pit, as in the original text."""
BASELINES = "mancala-baselines"
READINGS, LOWER, TRACES, CHAINS = "mancala-readings", "mancala-lower-only", "mancala-lambda", "mancala-chains"
TRAININGS = (READINGS, LOWER, TRACES, CHAINS)

# Settings.

OWN = Setting(READINGS, {"side": "random"}, "own plies", seat=0)
EVERY = Setting(READINGS, {"side": "both"}, "every ply", seat=0)
"""The interpretations of the update rule: after the learner's own plies, and after every ply of both sides."""
READ = (OWN, EVERY)
ALWAYS_LOWER = Setting(LOWER, {"side": "south"}, "lower side only", seat=0)
SAME_OPPONENT = Setting(LOWER, {"side": "random"}, "both sides, same opponent", seat=0)
WITH_TRACES = Setting(TRACES, words="lambda 0.15", seat=0)
WITHOUT_TRACES = replace(OWN, words="lambda 0", paired_with=TRACES)
BY_CHAINS = Setting(CHAINS, {"treatment": "one-block-lower"}, "whole turns on the lower side", seat=0)
BY_CHAINS_BOTH = Setting(CHAINS, {"treatment": "two-blocks-both"}, "whole turns on both sides", seat=0)
"""The two recipes for learners that choose whole turns: the students' first one, and the later one."""
BY_PLIES = replace(OWN, words="single plies on both sides", paired_with=CHAINS)
EARLY, LATER, LATE, LAST = 1, 2, 3, 4
"""The numbers of marks of the training runs: in the original after 100,000, 200,000, 400,000 and 500,000 games."""
MARKS = range(LAST + 1)

# Players.

DEPTHS = (1, 2, 3, 4, 5)
GREEDY = {f"greedy{depth}": f"greedy:depth={depth}" for depth in DEPTHS}
OPPONENTS = ("heuristic", *GREEDY)
BASIC = ("random", *OPPONENTS)
"""All players that do not learn."""
THETA = tuple(f"theta{depth}" for depth in DEPTHS)
PLAYERS = (*OPPONENTS, *THETA)
LOOKING = (1, 2, 3)
"""The search depths of the matches of lambda 0 against 0.15."""
SEATS = (0, 1)
SEAT_NAMES = ("first", "second")
SEAT_WORDS = ("as first", "as second")


def text_of(name: str) -> str:
    """Convert the name of a player that does not learn, such as `greedy1`, to its text form `greedy:depth=1`."""
    return GREEDY.get(name, name)


def theta(setting: Setting = OWN, depth: int = 1, mark: int | None = None, options: str = "") -> Agent:
    """Return the learned player, theta, with the weights after training stage `mark` (default: at the end)."""
    deep = f"depth={depth}" if depth > 1 else ""  # a player of whole turns has no option depth
    return Agent(setting, ",".join(filter(None, (deep, options))), mark=None if mark == LAST else mark)


def named(name: str, weights: str = "") -> Player:
    """Return the player with the given name, such as `greedy1`, or `theta3` for the learned player with search depth 3.

    `weights` is the name of the learned player's weights, such as `report` for the published weights. If `weights` is
    empty, the learned player has weights from the end of petteia's training runs.
    """
    if name not in THETA:
        return text_of(name)
    depth = THETA.index(name) + 1
    return f"theta:agent={weights},depth={depth}" if weights else theta(depth=depth)


# Matches.

PROGRESS, TABLES, STAGES = Size(500, 100), Size(100, 40), Size(300, 40)
OPENED, OTHERS, KNOWN = Size(200, 40), Size(200, 40), Size(1000, 40)
"""The numbers of games of a match: theta1 against greedy1, the original tables, stages, random openings, other matches,
and matches of players that do not learn here."""
OPENING = "random:4"
"""The openings of random plies, after which the first player has lost most of its advantage."""


def table(first: str, second: str) -> Match:
    """Return a match of two named players from the start position. The player `first` begins every game."""
    return Match(named(first), named(second), TABLES)


def opened(one: str, other: str) -> Match:
    """Return a match of two named players from random openings. Each opening is played from both sides."""
    words = f"{one} against {other}, after random openings"
    if PLAYERS.index(one) > PLAYERS.index(other):
        return replace(opened(other, one).turned, words=words)
    return Match(named(one), named(other), OPENED, None, OPENING, words=words)


def authored(first: str, second: str) -> Match:
    """Return a match of two named players, in which the learned player has the published weights."""
    return Match(named(first, "report"), named(second, "report"), KNOWN)


def progress(setting: Setting, seat: int, mark: int = LAST, words: str = "") -> Match:
    """Return the match of the learned player at a training checkpoint against greedy1. Both players search one ply."""
    return Match(theta(setting, mark=mark), GREEDY["greedy1"], PROGRESS, seat, words=words)


def six_stones(first: str, second: str) -> Match:
    """Return the match of two players that do not learn, with six stones in each pit."""
    return Match(text_of(first), text_of(second), TABLES, game=SIX)


def stage(one: int, other: int) -> Match:
    """Return the match of the learned player at one training checkpoint against itself at another checkpoint."""
    return Match(theta(mark=one), theta(mark=other), STAGES)


def of_lambda(depth: int, seat: int) -> Match:
    """Return the match of a player trained with lambda 0 against a player trained with lambda 0.15 from the same seed.

    The player trained with lambda 0 is the first (seat 0) or the second player (seat 1).
    """
    return Match(theta(WITHOUT_TRACES, depth), theta(WITH_TRACES, depth), OTHERS, seat)


def against_random(seat: int) -> Match:
    """Return the match of the learned player at the first training checkpoint against the random player."""
    return Match(theta(mark=0), "random", OTHERS, seat)


def taught(setting: Setting, opponent: str, seat: int) -> Match:
    """Return the match of a trained player against a player that does not learn.

    The trained player chooses whole turns if it was trained to choose whole turns. Otherwise, it chooses single plies.
    """
    return Match(theta(setting, mark=LATER if setting == BY_PLIES else None), text_of(opponent), OTHERS, seat)
