"""The options of training runs, including the options of the learners.

In Python, the options are fields of several objects: `train(game, TableLearner("sarsa", alpha=0.2), games=30_000,
evaluation=...)`. On the command line, in experiment files and in run.json, they form a single list with unique names,
`OPTIONS`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Annotated, Any, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.models import Checked, documented
from petteia.core.options import Anything, Flag, Option, Pair, Range, Several, Text, Told, declared, refused
from petteia.learn.learners import MAX_GAMES, LinearLearner, TableLearner

LONGEST_GAME = 10**6
MAX_EVALUATION = 10**7
"""the maximum number of evaluation games; their results take a third of a gigabyte of memory"""
EVALUATION_GAMES = 500
"""the default maximum number of evaluation games at a point of the curve, and the default number at the last point"""
PLAYER = Text("the text of a player")
Learner = TableLearner | LinearLearner

Opponent = Annotated[
    str,
    PLAYER,
    "Opponent of the learner, such as random, simple, q:agent=RUN, or module:Name for a custom player. 'random for "
    "20000, then simple' changes the opponent after 20,000 games. With --features also self (the current weights) and "
    "self:every=10000 (a copy of the weights that is renewed every 10,000 games).",
    Told(metavar="PLAYER", shown="random; with --features self"),
]
Side = Annotated[
    int | str,
    Text("the number or the name of a seat, or a word such as both", Integral),
    "Side that learns: its name, 0, 1, or both (the sides play each other). With --features also random (a side drawn "
    "for each game).",
    Told(metavar="SEAT", shown="0; with --features both if the opponent is self, else random"),
]
Start = Annotated[
    Any,
    Anything(),
    "Start position of the training games, or several positions with ';' between them. One of these is drawn at random "
    "for each game.",
    Told(metavar="TEXT", shown="the initial position"),
]


@documented
@dataclass(frozen=True, kw_only=True)
class EvaluationGames(Checked):
    """Evaluation games of a training run: games without learning, played at each point of its learning curve.

    Examples:
        >>> often = petteia.EvaluationGames(every=500, games=100)
        >>> training = petteia.train("hare-and-hounds", games=1000, evaluation=often)
        >>> [point.games for point in training.points]
        [500, 1000]

    """

    place = "evaluation."

    every: Annotated[
        int | None,
        Range(1, MAX_GAMES),
        "Number of training games between two points of the learning curve.",
        Told(key="evaluate_every", metavar="N", shown="a hundredth of all training games"),
    ] = None
    games: Annotated[
        int | None,
        Range(1, MAX_EVALUATION),
        "Number of evaluation games, without learning, at each point of the learning curve.",
        Told(
            key="evaluation_games",
            metavar="N",
            shown=f"as many as the training games since the previous point, at most {EVALUATION_GAMES}; "
            f"{EVALUATION_GAMES} at the last point",
        ),
    ] = None
    against: Annotated[
        str | None,
        PLAYER,
        "Opponent in the evaluation games.",
        Told(
            key="evaluate_against", metavar="PLAYER", shown="the last opponent of the training; with --features greedy"
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(Checked):
    """The arguments of `petteia.train`, except the game and the seed."""

    learner: Learner
    opponent: Opponent | None = None
    side: Side | None = None
    games: Annotated[int, Range(1, MAX_GAMES), "Number of training games.", Told(metavar="N")] = 100_000
    position: Start | None = None
    max_plies: Annotated[
        int,
        Range(1, LONGEST_GAME),
        "Maximum number of plies of a game; a longer game is stopped without a reward.",
        Told(metavar="N"),
    ] = 1000
    follow: Annotated[
        Sequence[tuple[str, str]],
        Several(Pair(), "a sequence of pairs, a position and a move, both as text"),
        "Positions, each with a move, whose learned values are recorded at every point of the learning curve.",
    ] = ()
    evaluation: EvaluationGames = EvaluationGames()

    @property
    def every(self) -> int:
        """The number of training games between two points of the learning curve."""
        return self.evaluation.every or max(self.games // 100, 1)

    def evaluation_games(self, done: int) -> int:
        """The number of evaluation games at the point of the learning curve after `done` training games."""
        if self.evaluation.games is not None:
            return self.evaluation.games
        return EVALUATION_GAMES if done == self.games else min(self.every, EVALUATION_GAMES)

    @property
    def all_evaluation_games(self) -> int:
        """The total number of evaluation games at all points of the learning curve."""
        before = (self.games - 1) // self.every
        return before * self.evaluation_games(0) + self.evaluation_games(self.games)


class Shared(NamedTuple):
    """An option of training runs on the command line and in files. Table and linear learners can share an option.

    If the table learner and the linear learner both declare an option with this name, the object contains both
    declarations.
    """

    options: tuple[Option, ...]
    """the declaration of the option in each class that has it"""

    @property
    def of_all(self) -> bool:
        """Whether the option applies both to table learners and to linear learners."""
        return len(self.options) > 1 or self.options[0].owner not in LEARNERS

    @property
    def default(self) -> Any:
        """The default of the option; None if it depends on other options, or if only some learners have the option."""
        defaults = [each.default for each in self.options]
        return defaults[0] if self.of_all and all(each == defaults[0] for each in defaults) else None

    @property
    def shown(self) -> str:
        """A phrase with the default value; an empty string if there is no default."""
        return "; with --features ".join(dict.fromkeys(each.shown for each in self.options))

    @property
    def is_simple(self) -> bool:
        """Whether the option can be set on the command line and in the section `[training]` of experiment files."""
        return self.options[0].takes.shell is not None

    @property
    def kind(self) -> Any:
        """The type of the option's values in files. In files, Python objects are written as strings."""
        types = [str if isinstance(each.takes, Anything) else each.type for each in self.options]
        return functools.reduce(operator.or_, types)

    @property
    def is_switch(self) -> bool:
        """Whether the option is a switch that is off by default."""
        return isinstance(self.options[0].takes, Flag) and self.options[0].default is False


LEARNERS: tuple[type[Learner], ...] = (TableLearner, LinearLearner)


def _shared() -> Iterator[tuple[str, Shared]]:
    every = [each for model in (TrainingOptions, *LEARNERS, EvaluationGames) for each in declared(model).values()]
    for key in dict.fromkeys(each.key for each in every):
        yield key, Shared(tuple(each for each in every if each.key == key))


OPTIONS: dict[str, Shared] = dict(_shared())
"""all options by their names in files, in the order of the documentation"""


def called(key: str) -> str:
    """Return the name of an option for an error message.

    The spelling of the name depends on how the user has set the options: in Python, on the command line, or in a file.
    """
    return OPTIONS[key].options[-1].called


def wrong(key: str, words: object, *value: Any) -> UsageError:
    """Create the UsageError for an option. The message contains the value if it is given."""
    return refused(called(key), words, *value)


def grouped(options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert options from the command line or a file to the arguments of `petteia.train`.

    Options with the value None are ignored. Raises UsageError for an invalid value, and for an option that the chosen
    learner class does not have. Raises TypeError for an unknown option.
    """
    given = {key: value for key, value in options.items() if value is not None}
    learner = LinearLearner if "features" in given else TableLearner
    parts: dict[type, dict[str, Any]] = {learner: {}, EvaluationGames: {}, TrainingOptions: {}}
    for key, value in given.items():
        if key not in OPTIONS:
            raise TypeError(f"there is no option {key!r}")
        option = next((each for each in OPTIONS[key].options if each.owner in parts), None)
        if option is None:
            belongs = (
                f"works only with tables; leave it out, or leave out {called('features')}"
                if learner is LinearLearner
                else f"works only with features; set {called('features')}, or leave it out"
            )
            raise wrong(key, belongs)
        parts[option.owner][option.name] = value
    rest = parts[TrainingOptions]
    return rest | {"learner": learner(**parts[learner]), "evaluation": EvaluationGames(**parts[EvaluationGames])}


def flat(options: TrainingOptions) -> dict[str, Any]:
    """Return a dictionary of all options of a training run. The keys are the names of the options in files."""
    models = (options, options.learner, options.evaluation)
    return {each.key: getattr(model, name) for model in models for name, each in declared(type(model)).items()}
