"""The learners and their options: each is declared here alone.

Arguments in Python, the options of `petteia train`, the keys of `[training]` in the file of an experiment, those of
`configuration` in run.json, what is checked of them and what is told of them follow from these fields. A further option
is a field here, and the place where it is used. The command line reads this module before it knows what to do, so it
imports nothing that takes long.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Literal

from petteia.core.models import Checked, documented
from petteia.core.options import SHARE, Flag, Number, OneOf, Range, Several, Text, Told
from petteia.learn.linear_targets import LINEAR_TARGETS, USUAL, WITH_TRACES

HIGHEST = 100.0
"""temperature, and value of moves never tried; rewards are -1..1"""
MOST_GAMES, MOST_DEPTH, MOST_WON = 10**12, 20, 10_000.0
MARKS = (10_000, 100_000, 200_000, 400_000)
NUMBER_OR_TEXT = Text("a number or text", Real)

FIRST_WEIGHTS = "What it begins with: a run or a weights file; with --features also a number for all, or report."

Traces = Literal["accumulating", "replacing", "dutch"]
Turns = Literal["ply", "chain"]
Reward = Literal["result", "margin"]

Target = Annotated[
    str,
    Text("a word, or 'my_module:Name' for an update rule of your own"),
    "What values are moved towards. Of tables: <petteia.learn.targets:UPDATE_RULES>, or your own as module:Name. "
    f"With --features: {', '.join(LINEAR_TARGETS)}; rootstrap moves the value of a position towards a search of "
    "it by --depth plies, rootstrap-after that of the position after each move.",
    Told(key="learner", metavar="NAME", shown=f"{USUAL}, with --lambda {WITH_TRACES}"),
]
Alpha = Annotated[
    float | str,
    NUMBER_OR_TEXT,
    "Learning rate: 0.1, or 0.5,0.1@1000 (steps), or 0.5..0.1 (linear); of tables also visits (1/n at the n-th visit "
    "of a value), or visits^0.7 (n^-0.7).",
    Told(metavar="A", shown="what moves a value by a hundredth of its error at first, by a ten-thousandth at last"),
]
Gamma = Annotated[
    float | str,
    NUMBER_OR_TEXT,
    "Worth of a value one step later, 0 to 1: 0.9, or 0.5,0.9@1000 (steps), or 0.5..0.9 (linear).",
    Told(metavar="G"),
]
Epsilon = Annotated[
    float | str, NUMBER_OR_TEXT, "Probability of a random move, in the forms of alpha.", Told(metavar="E", shown="0.5")
]
EPSILON = 0.5
ON_POLICY = " and ".join(name for name, target in LINEAR_TARGETS.items() if target.learns_explored)


@documented
@dataclass(frozen=True)
class TableLearner(Checked):
    """Q-learning and its relatives: values of states and moves, kept in a table."""

    target: Target = "q"
    alpha: Alpha = 0.1
    gamma: Gamma = 0.9
    epsilon: Epsilon | None = None
    temperature: Annotated[
        float | str | None,
        NUMBER_OR_TEXT,
        "Instead of epsilon, in the same forms: moves in proportion to exp(value / temperature).",
        Told(metavar="T"),
    ] = None
    initial: Annotated[float, Number(-HIGHEST, HIGHEST), "Value of moves never tried.", Told(metavar="V")] = 0.0
    fold: Annotated[bool, Flag(), "Let mirror images share their values."] = False
    explore_starts: Annotated[bool, Flag(), "Let games of learning start in any position."] = False
    weights: Annotated[
        str | None, Text("a run or a weights file"), FIRST_WEIGHTS, Told(metavar="W", shown="nothing learned")
    ] = None


@documented
@dataclass(frozen=True)
class LinearLearner(Checked):
    """Learning of a value that is linear in features of a position, for games with too many positions for a table."""

    features: Annotated[
        str,
        Text("text, such as 'report+pits', or 'my_module:Name' for a set of your own"),
        "Learn a value that is linear in these features: a set, sets put together as in '(report+pits)*phases', or "
        "your own as module:Name. Sets are <petteia.features.feature_sets:FEATURE_SETS>; those of other games are "
        "refused. Without features, a table is learned.",
        Told(metavar="SET"),
    ]
    target: Target | None = None
    alpha: Alpha | None = None
    gamma: Gamma = 1.0
    epsilon: Epsilon = EPSILON
    lambda_: Annotated[float, SHARE, "How long eligibility traces last, 0 to 1.", Told(metavar="L")] = 0.0
    traces: Annotated[Traces, OneOf(typing.get_args(Traces)), "Kind of the traces."] = "accumulating"
    turns: Annotated[
        Turns, OneOf(typing.get_args(Turns)), "What an action is: a ply, or all plies until the turn passes."
    ] = "ply"
    weights: Annotated[float | str, NUMBER_OR_TEXT, FIRST_WEIGHTS, Told(metavar="W")] = 0.0
    depth: Annotated[
        int,
        Range(1, MOST_DEPTH),
        "Plies it looks ahead when it chooses, and when rootstrap searches.",
        Told(metavar="N"),
    ] = 1
    win_reward: Annotated[float, Number(0.0, MOST_WON, above=True), "Reward of a game won.", Told(metavar="R")] = 1.0
    draw_reward: Annotated[
        float,
        Number(-MOST_WON, MOST_WON),
        "Reward of a game drawn, to the side that learns; where that is one side.",
        Told(metavar="R"),
    ] = 0.0
    reward: Annotated[
        Reward,
        OneOf(typing.get_args(Reward)),
        "What the end of a game is worth: --win-reward for a win, or for each point of the margin.",
    ] = "result"
    knows_ends: Annotated[
        bool, Flag(), "Let ends be worth their reward when it chooses, or what their features say."
    ] = True
    learn_explored: Annotated[
        bool | None, Flag(), "Learn about positions after random moves, too.", Told(shown=f"{ON_POLICY} do")
    ] = None
    play_out: Annotated[bool, Flag(), "Let games go on when their winner is certain."] = False
    standardise: Annotated[bool, Flag(), "Centre and scale each feature by what it is in random games."] = False
    marks: Annotated[
        Sequence[int],
        Several(Range(1, MOST_GAMES), f"numbers of games, in 1..{MOST_GAMES}"),
        "Keep the weights after each of a thousand games around each of these.",
        Told(flag="mark", metavar="N"),
    ] = MARKS

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "marks", tuple(sorted(set(self.marks))))

    @property
    def aim(self) -> str:
        """The target, that of the default if none is given."""
        return self.target or (WITH_TRACES if self.lambda_ > 0.0 else USUAL)
