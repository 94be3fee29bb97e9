"""The format of a TOML file that declares an experiment with training runs.

    title = "The learning rate"
    question = "Which learning rate is fastest, and which is most stable?"
    seeds = 5                            # the number of training runs of each combination; default: 5
    seed = 0                             # the first seed; the others are 1, 2, ...

    [training]                           # options of `petteia.train`, the same for all training runs
    game = "hare-and-hounds"
    games = 100_000

    [sweep]                              # options of `petteia.train` with several values; all combinations are run
    alpha = [0.1, 0.5]
    gamma = [0.5, 0.9, 1.0]

    [treatments.hopeful]                 # a group of options that are changed together
    initial = 1.0
    epsilon = 0.1

    [measure]                            # measurements besides the learning curves
    reach = 0.9                          # a score; `reached` is the number of games until this score is first reached

    [figure]
    by = "alpha" # one figure for each value of this option, with a curve for each combination

    [quick]                              # settings for `--scale quick`: seeds, and options of `petteia.train`
    seeds = 2
    games = 10_000

Each treatment (a group of options that are changed together) is run with every combination of the swept values. Only
`title` and the section `training` with the key `game` are required.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, ValidationError, create_model

from petteia.core.errors import InvalidError, UsageError
from petteia.experiments.options import OPTIONS
from petteia.experiments.source import SCALES, Scale, Section, Source, message_of, validate
from petteia.learn.learners import MAX_GAMES
from petteia.solver.graph import MEMORY
from petteia.solver.memory_errors import MEGABYTE

Value = str | int | float | bool
"""a swept value"""

TREATMENT = "treatment"
"""the name under which treatments (groups of options that are changed together) are swept"""
FOLLOWED_AT_MOST, LONGEST_STEM = 100, 70


def _plain(value: Any) -> Any:
    if not isinstance(value, str | int | float | bool):
        raise ValueError("must be a string, a number, true or false")
    return value


Plain = Annotated[Any, AfterValidator(_plain)]


def _options() -> dict[str, tuple[Any, Any]]:
    """Return the fields of the section `[training]`, each with its type and its default."""
    kinds = {key: option.kind for key, option in OPTIONS.items() if option.is_simple}
    return {"game": (str, ...), **{key: (kind | None, None) for key, kind in kinds.items()}}


Options: Any = create_model("Options", __base__=Section, **_options())  # type: ignore[call-overload]  # made of what train takes
"""the options of a training run, whose types are checked; `train` checks their values"""


class Followed(Section):
    """A move in a given position. Its learned value is recorded at every point of the learning curve."""

    name: str
    """the name of the move in figures"""
    position: str
    move: str


class Measures(Section):
    """The section `[measure]` of an experiment file: measurements in addition to the learning curves."""

    reach: Annotated[float, Field(gt=0, le=1)] = 0.9
    """the score of `reached`: the number of training games until the first point with this score is recorded"""
    follow: Annotated[tuple[Followed, ...], Field(max_length=FOLLOWED_AT_MOST, strict=False)] = ()
    against: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """players, in their text form, that the learner plays against after the training"""
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 1000
    """the number of games against each of the players in `against`, from the start position of the training"""
    regret: Annotated[tuple[Literal["reachable", "all"], ...], Field(strict=False)] = ()
    """the positions in which the regret of the learner's moves is measured"""
    memory: Annotated[int, Field(ge=1)] = MEMORY // MEGABYTE
    """the maximum memory for solving the game, in megabytes"""


class Figures(Section):
    """The section `[figure]` of an experiment file: the swept option whose values have separate figures."""

    by: str | None = None
    """a swept option; there is one figure for each of its values"""


class SweepDeclaration(Section):
    """The content of a file that declares an experiment with training runs."""

    title: Annotated[str, Field(min_length=1)]
    question: str = ""
    seeds: Annotated[int, Field(ge=1, le=10**6)] = 5
    """the number of training runs of each combination"""
    seed: Annotated[int, Field(ge=0, lt=2**62)] = 0
    """the seed of the first training; further seeds follow it"""
    training: dict[str, Any]
    """options that are the same for all training runs"""
    sweep: dict[str, Annotated[tuple[Plain, ...], Field(min_length=1, strict=False)]] = Field(default_factory=dict)
    """values of options; every combination of them is run"""
    treatments: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """groups of options that are changed together, by name; each is run with every combination of swept values"""
    measure: Measures = Measures()
    figure: Figures = Figures()
    quick: dict[str, Any] | None = None
    """the seeds and training options of the quick scale"""


class Combination(NamedTuple):
    """A combination of values, one for each swept option. Its training runs differ only in their seeds."""

    values: dict[str, Value]
    """the values of the swept options, in the order of the file"""
    options: dict[str, Any]
    """the arguments of `train` that differ between combinations"""

    @property
    def words(self) -> dict[str, str]:
        """The swept values of the combination as strings, by the name of the option."""
        return {name: label(value) for name, value in self.values.items()}

    @property
    def label(self) -> str:
        """The combination as a string, such as `alpha=0.1, gamma=0.9`."""
        return ", ".join(f"{name}={label(value)}" for name, value in self.values.items())

    @property
    def stems(self) -> list[str]:
        """The prefix of this combination's file names, as a list with one element; empty if no option is swept."""
        return [stem(self.values)] if self.values else []


class Plan(NamedTuple):
    """The validated declaration of an experiment with training runs, for the full experiment or its quick version.

    The scale of the full experiment is called `paper`, and the scale of the quick version is called `quick`.
    """

    name: str
    """the name of the experiment"""
    source: str
    """the place of the declaration: a file, or the name of an experiment of the package"""
    text: str
    """the text of the file"""
    scale: Scale
    """the scale: paper or quick"""
    declaration: SweepDeclaration
    """the declaration with the settings of this scale"""

    @property
    def swept(self) -> tuple[str, ...]:
        """The names of the swept options.

        If the experiment has treatments (groups of options that are changed together), the first name in the tuple is
        `treatment`.
        """
        return tuple(self.tried)

    @property
    def tried(self) -> Mapping[str, Sequence[Value]]:
        """The values of each swept option, by the name of the option.

        If there are treatments (groups of options that are changed together), the first key is `treatment`, and its
        values are the names of the treatments.
        """
        treatments = self.declaration.treatments
        return {**({TREATMENT: tuple(treatments)} if treatments else {}), **self.declaration.sweep}

    @property
    def is_of_features(self) -> bool:
        """Whether the training runs learn linear value functions instead of tables."""
        declaration = self.declaration
        return any(
            "features" in each for each in (declaration.training, declaration.sweep, *declaration.treatments.values())
        )

    @property
    def combinations(self) -> int:
        """The number of combinations of swept values."""
        return math.prod(len(values) for values in self.tried.values())

    @property
    def runs(self) -> int:
        """The number of training runs."""
        return self.combinations * self.declaration.seeds

    @property
    def seeds(self) -> range:
        """The seeds of the training runs of each combination.

        All combinations use the same seeds, and thus the same random numbers.
        """
        return range(self.declaration.seed, self.declaration.seed + self.declaration.seeds)

    def combinations_of_values(self) -> Iterator[Combination]:
        """Yield all combinations of swept values. Raises an InvalidError if an option has a value of a wrong type."""
        for values in itertools.product(*self.tried.values()):
            swept = dict(zip(self.tried, values, strict=True))
            yield Combination(swept, self._options(swept))

    def place(self, option: str, swept: Mapping[str, Value]) -> str:
        """Return the name of the field in the experiment file that sets an option, such as `sweep.alpha`."""
        if option in self.declaration.sweep:
            return f"sweep.{option}"
        if option in self._treatment(swept):
            return f"treatments.{swept[TREATMENT]}.{option}"
        is_quick = self.scale == "quick" and option in (self.declaration.quick or {})
        return f"{'quick' if is_quick else 'training'}.{option}"

    def _treatment(self, swept: Mapping[str, Value]) -> dict[str, Any]:
        return self.declaration.treatments.get(str(swept.get(TREATMENT)), {})

    def _options(self, swept: Mapping[str, Value]) -> dict[str, Any]:
        options = {**self.declaration.training, **self._treatment(swept), **swept}
        options.pop(TREATMENT, None)
        try:
            checked = Options.model_validate(options)
        except ValidationError as error:
            first = error.errors()[0]
            option = str(first["loc"][0])
            raise InvalidError(
                f"{self.source}: {self.place(option, swept)}: {message_of(first, (SweepDeclaration, Options))}"
            ) from None
        return {name: getattr(checked, name) for name in options}


def label(value: Value) -> str:
    """Return a swept value as a string. Equal values give equal strings."""
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def stem(values: Mapping[str, Value]) -> str:
    """Return the unique first part of file names for a combination of values, such as `alpha-0.1_gamma-0.9`."""
    words = [f"{name}-{label(value)}" for name, value in values.items()]
    joined = "_".join(words)
    if len(joined) <= LONGEST_STEM and all(re.fullmatch(r"[A-Za-z0-9.-]+", label(value)) for value in values.values()):
        return joined
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", joined)[: LONGEST_STEM - 13]
    return f"{plain}-{hashlib.sha256(repr(words).encode()).hexdigest()[:12]}"


def plan_trainings(source: Source, scale: Scale, seeds: int | None) -> Plan:
    """Return the plan of an experiment with training runs, read from its file `source`.

    See `experiment.plan` for `scale`, `seeds` and the exceptions.
    """
    declared = validate(SweepDeclaration, source.content, source.where, (Options,))
    if scale == "quick" and declared.quick is None:
        raise InvalidError(
            f"{source.where}: the section [quick] is missing; scale quick needs the settings in this section"
        )
    plans = {
        each: Plan(source.name, source.where, source.text, each, _scaled(declared, each, source.where))
        for each in SCALES
        if each == "paper" or declared.quick is not None
    }
    for each in plans.values():  # errors in [quick] are reported for both scales
        _check(each)
    if seeds is None:
        return plans[scale]
    if seeds < 1:
        raise UsageError(f"seeds {seeds}: must be 1 or more")
    return plans[scale]._replace(declaration=plans[scale].declaration.model_copy(update={"seeds": seeds}))


def _scaled(declaration: SweepDeclaration, scale: Scale, where: str) -> SweepDeclaration:
    """Return the declaration with the settings of a scale.

    For the scale `quick`, the section `[quick]` overrides the training options and the number of seeds.
    """
    if scale == "paper" or declaration.quick is None:
        return declaration
    for option in declaration.quick:
        if option in declaration.sweep:
            raise InvalidError(f"{where}: quick.{option} and sweep.{option} set the same option; remove one of them")
        if treatment := next((name for name, each in declaration.treatments.items() if option in each), None):
            raise InvalidError(
                f"{where}: quick.{option} and treatments.{treatment}.{option} set the same option; remove one of them"
            )
    changed = declaration.model_dump(exclude_unset=True)
    changed["training"] |= {option: value for option, value in declaration.quick.items() if option != "seeds"}
    scaled = {**changed, "seeds": declaration.quick.get("seeds", declaration.seeds)}
    return validate(SweepDeclaration, scaled, where, (Options,))


def _check(plan: Plan) -> None:
    """Raise an InvalidError if the declaration contains contradictory fields or repeated values.

    The types of options are checked only for the first combination of swept values.
    """
    for treatment, options in plan.declaration.treatments.items():
        for name in options:
            if name in plan.declaration.sweep:
                raise InvalidError(
                    f"{plan.source}: treatments.{treatment}.{name} and sweep.{name} set the same option; remove one of "
                    "them"
                )
    for name, values in plan.declaration.sweep.items():
        if name in plan.declaration.training:
            raise InvalidError(
                f"{plan.source}: sweep.{name} and training.{name} set the same option; remove one of them"
            )
        labels = [label(value) for value in values]
        for value in labels:
            if labels.count(value) > 1:
                raise InvalidError(f"{plan.source}: sweep.{name} contains {value} twice; remove one of them")
    next(plan.combinations_of_values())
    by = plan.declaration.figure.by
    if by is not None and by not in plan.tried:
        swept = f"choose from {', '.join(plan.tried)}" if plan.tried else "the experiment sweeps no options"
        raise InvalidError(f"{plan.source}: figure.by: the experiment does not sweep option {by!r}; {swept}")
    measure = plan.declaration.measure
    lists = {"follow": [each.name for each in measure.follow], "against": measure.against, "regret": measure.regret}
    for field, names in lists.items():
        if len(set(names)) < len(names):
            raise InvalidError(f"{plan.source}: measure.{field} contains the same name twice; remove one of them")
