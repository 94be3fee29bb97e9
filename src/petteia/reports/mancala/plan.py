"""The plan of the report: its experiments, players, and matches."""

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

OWN, EVERY = (
    Setting(READINGS, {"side": side}, words, seat=0)
    for side, words in (("random", "by own plies"), ("both", "by every ply"))
)
"""The readings of the update: after the learner's own plies, with a side drawn for each game, and after every ply."""
READ = (OWN, EVERY)
ALWAYS_LOWER, SAME_OPPONENT = (
    Setting(LOWER, {"side": side}, words, seat=0)
    for side, words in (("south", "always lower"), ("random", "both sides, against the same opponent"))
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
"""The two recipes for whole turns: the first one of the original report, and that of learning by plies."""
BY_PLIES = replace(OWN, words="by plies", paired_with=CHAINS)
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
    """Return the text form of a player that does not learn."""
    return GREEDY.get(name, name)


def learns(*names: str) -> bool:
    """Return whether at least one of these players has learned."""
    return not set(names).isdisjoint(THETA)


def theta(setting: Setting = OWN, depth: int = 1, mark: int | None = None, options: str = "") -> Agent:
    """Return the player theta with the weights of a setting's training runs at a checkpoint, by default at the end."""
    deep = f"depth={depth}" if depth > 1 else ""  # a player of whole turns has no option depth
    return Agent(setting, ",".join(filter(None, (deep, options))), mark=None if mark == LAST else mark)


def named(name: str) -> Player:
    """Return the player with a name such as `theta3` or `greedy1`."""
    return theta(depth=THETA.index(name) + 1) if name in THETA else text_of(name)


def by_authors(name: str) -> Player:
    """Return the player with this name. Theta has the weights that the original report prints."""
    return f"theta:agent=report,depth={THETA.index(name) + 1}" if name in THETA else text_of(name)


# Matches.

PROGRESS, TABLES, STAGES = Size(500, 100), Size(100, 40), Size(300, 40)
OPENED, OTHERS, KNOWN = Size(200, 40), Size(200, 40), Size(1000, 40)
"""The numbers of games of a match: theta1 against greedy1, the original tables, stages, random openings, other matches,
and matches of players that do not learn here."""
OPENING = "random:4"
"""The openings of random plies, after which the first player has lost most of its advantage."""


def table(first: str, second: str) -> Match:
    """Return a match of two named players, with fixed seats and without random openings."""
    return Match(named(first), named(second), TABLES, words=f"{first} against {second}")


def opened(one: str, other: str) -> Match:
    """Return a match from random openings, each played from both sides."""
    if PLAYERS.index(one) > PLAYERS.index(other):
        return replace(opened(other, one).turned, words=f"{one} against {other}")
    return Match(named(one), named(other), OPENED, None, OPENING, words=f"{one} against {other}")


def authored(first: str, second: str) -> Match:
    """Return a match of two named players, in which theta has the weights that the original report prints."""
    return Match(by_authors(first), by_authors(second), KNOWN)


def progress(setting: Setting, seat: int, mark: int = LAST, words: str = "") -> Match:
    """Return the match of theta1, with the weights of a training checkpoint, against greedy1."""
    return Match(theta(setting, mark=mark), GREEDY["greedy1"], PROGRESS, seat, words=words)


def ends_known(depth: int) -> Match:
    """Return the match of greedy that recognises won and lost games against greedy that does not."""
    knows = GREEDY[f"greedy{depth}"]
    words = f"greedy{depth} against greedy{depth} that values finished games by their margin"
    return Match(knows, f"{knows},won=no", KNOWN, None, OPENING, words=words)


def six_stones(first: str, second: str) -> Match:
    """Return the match of two players that do not learn, with six stones a pit."""
    return Match(text_of(first), text_of(second), TABLES, game=SIX, words=f"{first} against {second}")


def stage(one: int, other: int) -> Match:
    """Return the match of theta1 at one training checkpoint against itself at another checkpoint."""
    return Match(theta(mark=one), theta(mark=other), STAGES)


def of_lambda(depth: int, seat: int) -> Match:
    """Return the match of theta with lambda 0, in this seat, against theta with lambda 0.15 and the same seed."""
    return Match(theta(WITHOUT_TRACES, depth), theta(WITH_TRACES, depth), OTHERS, seat)


def against_random(seat: int) -> Match:
    """Return the match of theta1 at the first training checkpoint against the random player."""
    return Match(theta(mark=0), "random", OTHERS, seat)


def taught(setting: Setting, opponent: str, seat: int) -> Match:
    """Return the match of a learner by whole turns or by plies against a player that does not learn."""
    return Match(theta(setting, mark=LATER if setting == BY_PLIES else None), text_of(opponent), OTHERS, seat)
