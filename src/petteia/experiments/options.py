"""The options of a training: what each takes and does, what it is unless given, and which learners have it.

They are declared here alone. The keywords of `petteia.train`, the options of `petteia train`, the keys of `[training]`
in the file of an experiment, what is checked of them and what is told of them follow from that.

A further one is an entry here, a field of the settings that run.json keeps, and the place where it is used. The command
line reads this module before it knows what to do, so it imports nothing that takes long.
"""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from petteia.core.hints import with_names
from petteia.experiments.domains import (
    MOST_GAMES,
    Domain,
    Flag,
    Marks,
    Number,
    NumberOrText,
    OneOf,
    Pairs,
    Position,
    Seat,
    Text,
    Whole,
)

TABLES, FEATURES = "tables", "features"
"""What values can be kept in, or linear in: the two kinds of learners."""
OF_TABLES, OF_FEATURES, BOTH = (TABLES,), (FEATURES,), (TABLES, FEATURES)
SAME = object()
HIGHEST = 100.0
"""temperature, and value of moves never tried; rewards are -1..1"""
MOST_PLIES, MOST_DEPTH, MOST_WON = 10**6, 20, 10_000.0
MOST_EVALUATION = 10**7
"""games whose results are held in memory together: a third of a gigabyte"""
MARKS = (10_000, 100_000, 200_000, 400_000)
PLAYER = Text("the text of a player")

Function = TypeVar("Function", bound=Callable[..., Any])
Traces = Literal["accumulating", "replacing", "dutch"]
Turns = Literal["ply", "chain"]
Reward = Literal["result", "margin"]


@dataclass(frozen=True)
class Option:
    """An option of a training."""

    help: str
    """what it says, for people; other options stand in it as on the command line"""
    takes: Domain
    """the values that it can have"""
    default: Any = None
    """what it is unless given; None: nothing, or it depends on other options"""
    with_features: Any = SAME
    """the same of learners with features, where that is something else"""
    shown: str = ""
    """the default in words, where that says more"""
    learners: tuple[str, ...] = BOTH
    """the kinds of learners that have it"""
    metavar: str | None = None
    """what stands for a value of it"""
    flag: str = ""
    """what it is called on the command line, if not as in Python"""

    def default_of(self, learners: str) -> Any:
        """What it is of these learners unless given; None if it depends."""
        return self.default if learners == TABLES or self.with_features is SAME else self.with_features

    @property
    def common_default(self) -> Any:
        """The default of all learners; None if it depends, or not all have the option."""
        return self.default if self.learners == BOTH and self.with_features is SAME else None

    @property
    def default_text(self) -> str:
        """The default in words, empty if there is none."""
        if self.shown or self.default is None or isinstance(self.takes, Flag):
            return self.shown
        parts = [_written(self.default)]
        if self.with_features is not SAME:
            parts.append(f"with features {_written(self.with_features)}")
        return "; ".join(parts)


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


class TrainingOptions(TypedDict, total=False):
    """The options of a training, as they are given: each may be left out."""

    learner: Annotated[
        str,
        Option(
            "What values are moved towards. Of tables: <petteia.learn.targets:UPDATE_RULES>, or your own as "
            "module:Name. With --features: <petteia.learn.linear:UPDATE_RULES> (rootstrap: a search of the position by "
            "--depth plies; rootstrap-after: the same of those after its moves).",
            Text("a word, or 'my_module:Name' for an update rule of your own"),
            shown="q; with features monte-carlo, with --lambda sarsa",
            metavar="NAME",
        ),
    ]
    opponent: Annotated[
        str,
        Option(
            "Whom to learn against, such as random, simple, q:agent=RUN, or your own as module:Name. With --features "
            "also self (as it is), self:every=10000 (as it was), and stages: 'greedy for 20000, then self'.",
            PLAYER,
            default="random",
            with_features="self",
            metavar="PLAYER",
        ),
    ]
    side: Annotated[
        int | str,
        Option(
            "The side that learns: its name, 0 or 1; both: each against the other; with --features also random: "
            "drawn for each game.",
            Seat(),
            shown="0; with features both, against others than self random",
            metavar="SEAT",
        ),
    ]
    games: Annotated[int, Option("Games to learn from.", Whole(1, MOST_GAMES), default=100_000, metavar="N")]
    alpha: Annotated[
        float | str,
        Option(
            "Learning rate: 0.1, or 0.5,0.1@1000 (steps), or 0.5..0.1 (linear); of tables also visits (1/n at the "
            "n-th visit of a value), or visits^0.7 (n^-0.7).",
            NumberOrText(),
            default=0.1,
            with_features=None,
            shown="0.1; with features what moves a value by a hundredth of its error at first, by a ten-thousandth at "
            "last",
            metavar="A",
        ),
    ]
    gamma: Annotated[
        float,
        Option(
            "Worth of a value one step later, 0 to 1.",
            Number(0.0, 1.0),
            default=0.9,
            with_features=1.0,
            metavar="G",
        ),
    ]
    epsilon: Annotated[
        float | str,
        Option("Probability of a random move, in the forms of alpha.", NumberOrText(), shown="0.5", metavar="E"),
    ]
    temperature: Annotated[
        float | str,
        Option(
            "Instead of epsilon, in the same forms: moves in proportion to exp(value / temperature). Of tables.",
            NumberOrText(),
            learners=OF_TABLES,
            metavar="T",
        ),
    ]
    initial: Annotated[
        float,
        Option(
            "Value of moves never tried. Of tables.",
            Number(-HIGHEST, HIGHEST),
            default=0.0,
            learners=OF_TABLES,
            metavar="V",
        ),
    ]
    fold: Annotated[
        bool,
        Option("Let mirror images share their values. Of tables.", Flag(), default=False, learners=OF_TABLES),
    ]
    explore_starts: Annotated[
        bool,
        Option("Let games of learning start in any position. Of tables.", Flag(), default=False, learners=OF_TABLES),
    ]
    features: Annotated[
        str,
        Option(
            "Learn a value that is linear in these features, sets of them as in '(report+pits)*phases', or your own as "
            "module:Name; else a table. Sets are <petteia.features.feature_sets:FEATURE_SETS>, each for its game.",
            Text("text, such as 'report+pits', or 'my_module:Name' for a set of your own"),
            metavar="SET",
        ),
    ]
    lambda_: Annotated[
        float,
        Option(
            "How long eligibility traces last, 0 to 1.",
            Number(0.0, 1.0),
            default=0.0,
            learners=OF_FEATURES,
            metavar="L",
            flag="lambda",
        ),
    ]
    traces: Annotated[
        Traces,
        Option("Kind of the traces.", OneOf(typing.get_args(Traces)), default="accumulating", learners=OF_FEATURES),
    ]
    turns: Annotated[
        Turns,
        Option(
            "What an action is: a ply, or all plies until the turn passes.",
            OneOf(typing.get_args(Turns)),
            default="ply",
            learners=OF_FEATURES,
        ),
    ]
    weights: Annotated[
        float | str,
        Option(
            "Those it begins with: a number, report, a run or a weights file.",
            NumberOrText(),
            default=0.0,
            learners=OF_FEATURES,
            metavar="W",
        ),
    ]
    depth: Annotated[
        int,
        Option(
            "Plies it looks ahead when it chooses, and when rootstrap searches.",
            Whole(1, MOST_DEPTH),
            default=1,
            learners=OF_FEATURES,
            metavar="N",
        ),
    ]
    win_reward: Annotated[
        float,
        Option(
            "Reward of a game won.", Number(0.0, MOST_WON, above=True), default=1.0, learners=OF_FEATURES, metavar="R"
        ),
    ]
    draw_reward: Annotated[
        float,
        Option(
            "Reward of a game drawn, to the side that learns; where that is one side.",
            Number(-MOST_WON, MOST_WON),
            default=0.0,
            learners=OF_FEATURES,
            metavar="R",
        ),
    ]
    reward: Annotated[
        Reward,
        Option(
            "What the end of a game is worth: --win-reward for a win, or for each point of the margin.",
            OneOf(typing.get_args(Reward)),
            default="result",
            learners=OF_FEATURES,
        ),
    ]
    knows_ends: Annotated[
        bool,
        Option(
            "Let ends be worth their reward when it chooses, or what their features say.",
            Flag(),
            default=True,
            shown="knows-ends",
            learners=OF_FEATURES,
        ),
    ]
    learn_explored: Annotated[
        bool,
        Option(
            "Learn about positions after random moves, too.",
            Flag(),
            shown="sarsa and td do",
            learners=OF_FEATURES,
        ),
    ]
    play_out: Annotated[
        bool,
        Option("Let games go on when their winner is certain.", Flag(), default=False, learners=OF_FEATURES),
    ]
    standardise: Annotated[
        bool,
        Option(
            "Centre and scale each feature by what it is in random games.", Flag(), default=False, learners=OF_FEATURES
        ),
    ]
    marks: Annotated[
        Sequence[int],
        Option(
            "Keep the weights after each of a thousand games around here; may be given several times.",
            Marks(),
            default=MARKS,
            learners=OF_FEATURES,
            metavar="N",
            flag="mark",
        ),
    ]
    evaluate_every: Annotated[
        int,
        Option(
            "Games between two points of the curve.",
            Whole(1, MOST_GAMES),
            shown="a hundredth of all",
            metavar="N",
        ),
    ]
    evaluation_games: Annotated[
        int, Option("Games without learning at each point.", Whole(1, MOST_EVALUATION), default=500, metavar="N")
    ]
    evaluate_against: Annotated[
        str,
        Option(
            "Who plays in the games without learning.",
            PLAYER,
            shown="the opponent; with features greedy",
            metavar="PLAYER",
        ),
    ]
    max_plies: Annotated[
        int, Option("A game is stopped there, without a reward.", Whole(1, MOST_PLIES), default=1000, metavar="N")
    ]
    position: Annotated[
        Any,
        Option(
            "Start from this position instead of the game's first; several, with ; between them: from one drawn.",
            Position(),
            metavar="TEXT",
        ),
    ]
    follow: Annotated[
        Sequence[tuple[str, str]],
        Option("Positions, each with a move, whose learned values are noted at every point.", Pairs(), default=()),
    ]


@functools.cache
def _hints() -> dict[str, Any]:
    return typing.get_type_hints(TrainingOptions, include_extras=True)


OPTIONS: dict[str, Option] = {name: hint.__metadata__[0] for name, hint in _hints().items()}
"""All options by name, in the order in which they are told."""


def type_of(name: str) -> Any:
    """The type of an option's value in Python."""
    return _hints()[name].__origin__


def takes_options(function: Function) -> Function:
    """Show the options of a training in the place of `**options`: in the signature and the hints of a function.

    In its docstring they stand in the place of the line on `**options`.
    """
    signature = inspect.signature(function)
    shown = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=each.common_default, annotation=_optional(name))
        for name, each in OPTIONS.items()
    ]
    own = [each for each in signature.parameters.values() if each.kind != inspect.Parameter.VAR_KEYWORD]
    ordered = sorted((*shown, *own), key=lambda each: each.kind)
    function.__signature__ = signature.replace(parameters=ordered)  # type: ignore[attr-defined]  # read by `inspect`
    hints = {each.name: each.annotation for each in shown}
    function.__annotations__ = {
        name: each for name, each in function.__annotations__.items() if name != "options"
    } | hints
    lines = "\n".join(map(_described, OPTIONS))
    doc = inspect.cleandoc(function.__doc__ or "")  # from Python 3.13 on it is so already
    function.__doc__ = re.sub(r"^ *\*\*options:.*$", lambda line: lines, doc, flags=re.MULTILINE)
    return function


def _optional(name: str) -> Any:
    kind = type_of(name)
    return kind if OPTIONS[name].common_default is not None or kind is Any else kind | None


def _described(name: str) -> str:
    """Lines of a docstring on an option, in the names of Python."""
    option = OPTIONS[name]
    words = f"{name}: {with_names(option.help)}{f' Default: {option.default_text}.' if option.default_text else ''}"
    for other, each in OPTIONS.items():
        words = words.replace(f"--{each.flag or other.replace('_', '-')}", f"`{other}`")
    return textwrap.fill(words, 116, initial_indent=" " * 4, subsequent_indent=" " * 8)
