"""What the report is about: its experiments, the players, and the matches that they play."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from petteia.reports.engine.settings import Agent, Match, Player, Setting, Size

GAME = "kalah:capture=nonempty,end=mover,leftovers=nobody"
SIX = f"{GAME},seeds=6"
"""with six stones a pit, as the report's text has it"""
BASELINES = "mancala-baselines"
READINGS, LOWER, TRACES, CHAINS = "mancala-readings", "mancala-lower-only", "mancala-lambda", "mancala-chains"
TRAININGS = (READINGS, LOWER, TRACES, CHAINS)

# Settings.

OWN, EVERY = (
    Setting(READINGS, {"side": side}, words, seat=0)
    for side, words in (("random", "by own plies"), ("both", "by every ply"))
)
"""The two readings of the update: the learner's own plies (its side is drawn for each game), and every ply."""
READ = (OWN, EVERY)
ALWAYS_LOWER, SAME_OPPONENT = (
    Setting(LOWER, {"side": side}, words, seat=0)
    for side, words in (("south", "always lower"), ("random", "both sides, the same opponent"))
)
WITH_TRACES = Setting(TRACES, words="with lambda 0.15", seat=0)
WITHOUT_TRACES = replace(OWN, words="with 0", paired_with=TRACES)
BY_CHAINS, BY_CHAINS_BOTH = (
    Setting(CHAINS, {"treatment": recipe}, words, seat=0)
    for recipe, words in (
        ("one-block-lower", "by whole turns: one block, always lower"),
        ("two-blocks-both", "by whole turns: two blocks, both sides"),
    )
)
"""How whole turns are learned: as the report did, and as plies are."""
BY_PLIES = replace(OWN, words="by plies", paired_with=CHAINS)
EARLY, LATER, LATE, LAST = 1, 2, 3, 4
"""marks of the trainings, by number: in the report 100,000, 200,000, 400,000 and 500,000 games"""
MARKS = range(LAST + 1)

# Players.

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
SEAT_NAMES = ("first", "second")
SEAT_WORDS = ("as first", "as second")


def text_of(name: str) -> str:
    """The text form of a player that does not learn."""
    return GREEDY.get(name, name)


def learns(*names: str) -> bool:
    """Whether one of these players has learned."""
    return not set(names).isdisjoint(THETA)


def theta(setting: Setting = OWN, depth: int = 1, mark: int | None = None, options: str = "") -> Agent:
    """The player that searches so deep with what was learned: at the end, or at a mark."""
    deep = f"depth={depth}" if depth > 1 else ""  # who plays whole turns takes no depth
    return Agent(setting, ",".join(filter(None, (deep, options))), mark=None if mark == LAST else mark)


def named(name: str, options: str = "") -> Player:
    """A player of the tables."""
    return theta(depth=THETA.index(name) + 1, options=options) if name in THETA else text_of(name)


def by_authors(name: str) -> Player:
    """The same, theta being that of the weights that the report prints."""
    return f"theta:agent=report,depth={THETA.index(name) + 1}" if name in THETA else text_of(name)


# Matches.

PROGRESS, TABLES, STAGES = Size(500, 100), Size(100, 40), Size(300, 40)
OPENED, OTHERS, KNOWN = Size(200, 40), Size(200, 40), Size(1000, 40)
"""Games of a match: theta1 against greedy1; of the tables; of stages; from openings; of all else; between players whose
weights, or evaluations, are printed."""
OPENING = "random:4"
"""whoever begins has lost most of the advantage after so many random plies"""


def table(first: str, second: str) -> Match:
    """A cell of the tables of all against all: fixed seats, no opening."""
    return Match(named(first), named(second), TABLES, words=f"{first} against {second}")


def opened(one: str, other: str) -> Match:
    """The same two from random openings, each played from both sides."""
    if PLAYERS.index(one) > PLAYERS.index(other):
        return replace(opened(other, one).turned, words=f"{one} against {other}")
    return Match(named(one), named(other), OPENED, None, OPENING, words=f"{one} against {other}")


def authored(first: str, second: str) -> Match:
    """The authors' own player in the tables."""
    return Match(by_authors(first), by_authors(second), KNOWN)


def of_vectors(first: str, second: str, weights: str) -> Match:
    """A cell of the tables, theta playing by vectors that it draws, or by the last one."""
    return Match(named(first, f"weights={weights}"), named(second, f"weights={weights}"), KNOWN)


def progress(setting: Setting, seat: int, mark: int = LAST, words: str = "") -> Match:
    """Theta1 at a mark of its training, in this seat against greedy1."""
    return Match(theta(setting, mark=mark), GREEDY["greedy1"], PROGRESS, seat, words=words)


def ends_known(depth: int) -> Match:
    """Greedy that recognises won and lost ends against one to which they are worth their margin."""
    knows = GREEDY[f"greedy{depth}"]
    words = f"greedy{depth} against greedy{depth} to which ends are worth their margin"
    return Match(knows, f"{knows},won=no", KNOWN, None, OPENING, words=words)


def six_stones(first: str, second: str) -> Match:
    """Two of those that do not learn, with six stones a pit."""
    return Match(text_of(first), text_of(second), TABLES, game=SIX, words=f"{first} against {second}")


def stage(one: int, other: int) -> Match:
    """Theta1 at two marks of its training."""
    return Match(theta(mark=one), theta(mark=other), STAGES)


def of_lambda(depth: int, seat: int) -> Match:
    """Lambda 0 in this seat against 0.15, of the same seeds."""
    return Match(theta(WITHOUT_TRACES, depth), theta(WITH_TRACES, depth), OTHERS, seat)


def against_random(seat: int) -> Match:
    """Theta1 after the shortest training against random moves."""
    return Match(theta(mark=0), "random", OTHERS, seat)


def taught(setting: Setting, opponent: str, seat: int) -> Match:
    """Who learned by whole turns, or by plies from as many games, against one who did not learn."""
    return Match(theta(setting, mark=LATER if setting == BY_PLIES else None), text_of(opponent), OTHERS, seat)


PAIRS = tuple(product(OPPONENTS, repeat=2))
"""of players that do not learn, and are not random"""
