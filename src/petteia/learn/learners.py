"""The learning algorithms and all their options. Each option is declared only in this module.

Each field of a learner class defines an argument in Python, an option of `petteia train`, and a key of `[training]` in
experiment files. Each field also defines a key of `configuration` in run.json, the check of values, and the help text.
To add an option, add a field here and the code that uses it. Because the command line imports this module at every
start, the module must not import slow modules.
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
"""The maximum temperature, and the maximum absolute value of an initial value. For comparison, rewards are in -1..1."""
MAX_GAMES, MAX_DEPTH, MAX_WON = 10**12, 20, 10_000.0
MARKS = (10_000, 100_000, 200_000, 400_000)
NUMBER_OR_TEXT = Text("a number or text", Real)

FIRST_WEIGHTS = (
    "Initial weights or table: a run or a weights file; with --features also one number for all weights, or report, "
    "the weights that a report on Mancala has published."
)

Traces = Literal["accumulating", "replacing", "dutch"]
Turns = Literal["ply", "chain"]
Reward = Literal["result", "margin"]

Target = Annotated[
    str,
    Text("a name, or 'my_module:Name' for a custom update rule"),
    "Learning algorithm. For tables: <petteia.learn.targets:UPDATE_RULES>, or module:Name for a custom update rule. "
    f"With --features: {', '.join(LINEAR_TARGETS)}. The two rootstrap algorithms learn from a search of --depth plies: "
    "rootstrap learns the values of positions before the learner's moves, rootstrap-after of positions after them.",
    Told(key="learner", metavar="NAME", shown=f"{USUAL}, or {WITH_TRACES} with --lambda"),
]
Alpha = Annotated[
    float | str,
    NUMBER_OR_TEXT,
    "Learning rate: constant (0.1), stepwise (0.5,0.1@1000: 0.1 from game 1000 on) or linear (0.5..0.1). Tables also "
    "accept visits (1/n at the n-th visit of a value) and visits^0.7 (n^-0.7).",
    Told(metavar="A", shown="a rate that corrects 1/100 of each error at the beginning and 1/10000 at the end"),
]
Gamma = Annotated[
    float | str,
    NUMBER_OR_TEXT,
    "Discount factor, 0 to 1, constant or changing. Accepts the same forms as --alpha.",
    Told(metavar="G"),
]
Epsilon = Annotated[
    float | str,
    NUMBER_OR_TEXT,
    "Exploration rate: the probability of a random move. Accepts the same forms as --alpha.",
    Told(metavar="E", shown="0.5"),
]
EPSILON = 0.5
ON_POLICY = " and ".join(name for name, target in LINEAR_TARGETS.items() if target.learns_explored)


@documented
@dataclass(frozen=True)
class TableLearner(Checked):
    """Q-learning and related algorithms with a table of state-action values.

    Examples:
        >>> learner = petteia.TableLearner("sarsa", alpha="0.5..0.1", epsilon=0.3)
        >>> petteia.train("hare-and-hounds", learner, games=2000).games
        2000

    """

    target: Target = "q"
    alpha: Alpha = 0.1
    gamma: Gamma = 0.9
    epsilon: Epsilon | None = None
    temperature: Annotated[
        float | str | None,
        NUMBER_OR_TEXT,
        "Temperature of softmax exploration; replaces --epsilon. Accepts the same forms as --alpha. The probability of "
        "a move is proportional to exp(value / temperature).",
        Told(metavar="T"),
    ] = None
    initial: Annotated[float, Number(-HIGHEST, HIGHEST), "Initial value of every move.", Told(metavar="V")] = 0.0
    fold: Annotated[bool, Flag(), "Share values between symmetric positions."] = False
    explore_starts: Annotated[bool, Flag(), "Start each training game from a random position (exploring starts)."] = (
        False
    )
    weights: Annotated[
        str | None, Text("a run or a weights file"), FIRST_WEIGHTS, Told(metavar="W", shown="an empty table")
    ] = None


@documented
@dataclass(frozen=True)
class LinearLearner(Checked):
    """Learning of a linear value function, for games that have too many positions for a table.

    Examples:
        >>> learner = petteia.LinearLearner("report", "q", alpha="0.01..0.001")
        >>> petteia.train("kalah:leftovers=nobody", learner, games=200).games
        200

    """

    features: Annotated[
        str,
        Text("text, such as 'report+pits', or 'my_module:Name' for a custom feature set"),
        "Features of a linear value function, which is learned instead of a table: a feature set, a combination such "
        "as '(report+pits)*phases', or module:Name for a custom set. Feature sets (turn is for any game, "
        "each of the others for one game): <petteia.features.feature_sets:FEATURE_SETS>.",
        Told(metavar="SET"),
    ]
    target: Target | None = None
    alpha: Alpha | None = None
    gamma: Gamma = 1.0
    epsilon: Epsilon = EPSILON
    lambda_: Annotated[float, SHARE, "Decay rate of eligibility traces, 0 (no traces) to 1.", Told(metavar="L")] = 0.0
    traces: Annotated[Traces, OneOf(typing.get_args(Traces)), "Kind of eligibility traces."] = "accumulating"
    turns: Annotated[
        Turns,
        OneOf(typing.get_args(Turns)),
        "Length of an action: one ply, or the chain of all plies until the turn passes.",
    ] = "ply"
    weights: Annotated[float | str, NUMBER_OR_TEXT, FIRST_WEIGHTS, Told(metavar="W")] = 0.0
    depth: Annotated[
        int,
        Range(1, MAX_DEPTH),
        "Search depth in plies, for choosing moves and for the searches of rootstrap.",
        Told(metavar="N"),
    ] = 1
    win_reward: Annotated[
        float,
        Number(0.0, MAX_WON, above=True),
        "Reward for a won game or, with --reward margin, for each point of the margin.",
        Told(metavar="R"),
    ] = 1.0
    draw_reward: Annotated[
        float,
        Number(-MAX_WON, MAX_WON),
        "Reward for a drawn game. Works only if a single side learns.",
        Told(metavar="R"),
    ] = 0.0
    reward: Annotated[
        Reward,
        OneOf(typing.get_args(Reward)),
        "Reward at the end of a game: --win-reward for a win (result), or for each point of the margin (margin).",
    ] = "result"
    knows_ends: Annotated[
        bool, Flag(), "Score finished games by their reward, not by the learned value, when moves are chosen."
    ] = True
    learn_explored: Annotated[
        bool | None, Flag(), "Also learn about positions after exploratory moves.", Told(shown=f"on for {ON_POLICY}")
    ] = None
    play_out: Annotated[bool, Flag(), "Play training games to the end, even after the winner is certain."] = False
    standardise: Annotated[bool, Flag(), "Scale each feature to mean 0 and standard deviation 1 in random games."] = (
        False
    )
    marks: Annotated[
        Sequence[int],
        Several(Range(1, MAX_GAMES), f"numbers of games, in 1..{MAX_GAMES}"),
        "Keep the weights after each of the 1,000 games around game N.",
        Told(flag="mark", metavar="N"),
    ] = MARKS

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "marks", tuple(sorted(set(self.marks))))

    @property
    def aim(self) -> str:
        """The name of the learning algorithm: `target` if it is given, otherwise the default."""
        return self.target or (WITH_TRACES if self.lambda_ > 0.0 else USUAL)
