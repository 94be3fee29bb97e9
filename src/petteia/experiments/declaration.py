"""What an experiment is: a TOML file that says what is learned, which settings are swept, and how it is measured.

    title = "The learning rate"
    question = "Which learning rate is fastest, and which is most stable?"
    seeds = 5                            # trainings of each combination; 5 unless said
    seed = 0                             # of the first; the others are 1, 2, ...

    [training]                           # options of `petteia.train`, the same for all
    game = "hare-and-hounds"
    games = 100_000

    [sweep]                              # options of `petteia.train`: every combination of these values is run
    alpha = [0.1, 0.5]
    gamma = [0.5, 0.9, 1.0]

    [measure]                            # beyond the learning curves
    reach = 0.9                          # the score whose first time is looked for

    [figure]
    by = "alpha"                         # a figure for each of its values; the other combinations are its curves

    [quick]                              # what differs with `--scale quick`: seeds, and options of `petteia.train`
    seeds = 2
    games = 10_000

Only `title`, `training` and its `game` must be there. A file is data: nothing in it is executed.
"""

from __future__ import annotations

import difflib
import hashlib
import inspect
import itertools
import math
import re
import tomllib
import typing
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from petteia.core.errors import InvalidError, NotFoundError, UsageError
from petteia.experiments.configuration import MOST_GAMES, configure
from petteia.records.files import read_file

Scale = Literal["paper", "quick"]
SCALES: tuple[Scale, ...] = typing.get_args(Scale)
Value = str | int | float | bool
"""A swept value."""

UNDECLARED = ("follow",)
"""Arguments of `configure` that stand elsewhere in the file."""
TEXTS = ("game", "position")
"""Arguments of `train` that may be values in Python and are text in a file."""
SUFFIX = ".toml"
FOLLOWED_AT_MOST, LONGEST_STEM = 100, 70
WORDS = {"missing": "is missing", "tuple_type": "must be a list", "too_short": "is empty; leave it out or fill it"}
"""What is wrong with a field, where pydantic's own words speak of Python."""


def _plain(value: Any) -> Any:
    if not isinstance(value, str | int | float | bool):
        raise ValueError("must be text, a number, or true or false")
    return value


Plain = Annotated[Any, AfterValidator(_plain)]


class _Section(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def _options() -> dict[str, tuple[Any, Any]]:
    """What `[training]` may hold: type and default of each argument of `train`."""
    hints = typing.get_type_hints(configure)
    found = {}
    for name, parameter in inspect.signature(configure).parameters.items():
        if name not in UNDECLARED:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            kind = hints[name] if name not in TEXTS else str if default is ... else str | None
            found[name] = (kind, default)
    return found


Options: Any = create_model("Options", __base__=_Section, **_options())  # type: ignore[call-overload]  # made of what train takes
"""Options of a training, checked for their types; what they mean `train` checks."""


class Followed(_Section):
    """A move in a position whose learned value is noted at every point."""

    name: str
    """what figures call it"""
    position: str
    move: str


class Measures(_Section):
    """What is measured beyond the learning curves."""

    reach: Annotated[float, Field(gt=0, le=1)] = 0.9
    """the score whose first time is looked for"""
    follow: Annotated[tuple[Followed, ...], Field(max_length=FOLLOWED_AT_MOST, strict=False)] = ()
    against: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """players, in their text form, whom the learner meets when it has learned"""
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] = 1000
    """against each of them, from the position where it learned"""
    regret: Annotated[tuple[Literal["reachable", "all"], ...], Field(strict=False)] = ()
    """positions over which the learner's moves are held against the solved game"""


class Figures(_Section):
    """How the curves are spread over figures."""

    by: str | None = None
    """a swept option: a figure for each of its values"""


class Declaration(_Section):
    """An experiment: the content of its file."""

    title: Annotated[str, Field(min_length=1)]
    question: str = ""
    seeds: Annotated[int, Field(ge=1, le=10**6)] = 5
    """trainings of each combination"""
    seed: Annotated[int, Field(ge=0, lt=2**62)] = 0
    """of the first training; each next one has the next"""
    training: dict[str, Any]
    """options that are the same for all"""
    sweep: dict[str, Annotated[tuple[Plain, ...], Field(min_length=1, strict=False)]] = {}
    """values of options; every combination of them is run"""
    measure: Measures = Measures()
    figure: Figures = Figures()
    quick: dict[str, Any] | None = None
    """seeds, and options of trainings, that differ in the quick form"""


class Cell(NamedTuple):
    """A combination of swept values."""

    values: dict[str, Value]
    """those swept, in the order of the file"""
    options: dict[str, Any]
    """arguments for `train`: these and those that are the same for all"""

    @property
    def label(self) -> str:
        """The combination in words: `alpha=0.1, gamma=0.9`."""
        return ", ".join(f"{name}={label(value)}" for name, value in self.values.items())

    @property
    def stems(self) -> list[str]:
        """What names of files begin with; none if nothing is swept."""
        return [stem(self.values)] if self.values else []


class Plan(NamedTuple):
    """An experiment that is ready to run: declared soundly, its scale chosen."""

    name: str
    source: str
    """where it was declared: a file, or the name of one that comes with the package"""
    text: str
    """the file"""
    scale: Scale
    declaration: Declaration
    """with what differs in this scale put in"""

    @property
    def combinations(self) -> int:
        """How many combinations of swept values there are."""
        return math.prod(len(values) for values in self.declaration.sweep.values())

    @property
    def runs(self) -> int:
        """How many trainings."""
        return self.combinations * self.declaration.seeds

    @property
    def seeds(self) -> range:
        """The seeds of the trainings of each combination; those of one number meet the same random numbers in all."""
        return range(self.declaration.seed, self.declaration.seed + self.declaration.seeds)

    def cells(self) -> Iterator[Cell]:
        """All combinations; InvalidError where the options of one do not have the right types."""
        sweep = self.declaration.sweep
        for values in itertools.product(*sweep.values()):
            swept = dict(zip(sweep, values, strict=True))
            yield Cell(swept, self._options(swept))

    def place(self, option: str) -> str:
        """Where in the file an option is set."""
        if option in self.declaration.sweep:
            return f"sweep.{option}"
        is_quick = self.scale == "quick" and option in (self.declaration.quick or {})
        return f"{'quick' if is_quick else 'training'}.{option}"

    def _options(self, swept: Mapping[str, Value]) -> dict[str, Any]:
        options = {**self.declaration.training, **swept}
        try:
            checked = Options.model_validate(options)
        except ValidationError as error:
            first = error.errors()[0]
            option = str(first["loc"][0])
            raise InvalidError(f"{self.source}: {self.place(option)}: {_said(first)}") from None
        return {name: getattr(checked, name) for name in options}


def label(value: Value) -> str:
    """A swept value as people write it; the same for equal values."""
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def stem(values: Mapping[str, Value]) -> str:
    """Swept values as the beginning of the name of a file: `alpha-0.1_gamma-0.9`; others for other values."""
    words = [f"{name}-{label(value)}" for name, value in values.items()]
    found = "_".join(words)
    if len(found) <= LONGEST_STEM and all(re.fullmatch(r"[A-Za-z0-9.-]+", label(value)) for value in values.values()):
        return found
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", found)[: LONGEST_STEM - 13]
    return f"{plain}-{hashlib.sha256(repr(words).encode()).hexdigest()[:12]}"


def shipped() -> dict[str, str]:
    """The experiments that come with the package: the text of each file by its name."""
    folder = resources.files("petteia.experiments") / "files"
    files = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(SUFFIX))
    return {name.removesuffix(SUFFIX): file.read_text(encoding="utf-8") for name, file in files}


def plan(source: str | Path, scale: Scale = "paper", seeds: int | None = None) -> Plan:
    """The experiment in the file `source`, or of this name among those that come with the package.

    Args:
        source: a TOML file, or the name of an experiment that comes with the package
        scale: `paper`, or `quick`: with what the file says in `[quick]`
        seeds: trainings of each combination, instead of what the file says

    Raises:
        NotFoundError: there is no such file
        InvalidError: the file is not sound; the line names the field

    """
    name, text = _find(source)
    where = str(source)
    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidError(f"{where}: is not TOML: {error}") from None
    if scale not in SCALES:
        raise UsageError(f"scale {scale!r}: must be {' or '.join(SCALES)}")
    declared = _validate(content, where)
    if scale == "quick" and declared.quick is None:
        raise InvalidError(f"{where}: quick: is missing; it says what differs with scale quick")
    plans = {
        each: Plan(name, where, text, each, _scaled(declared, each, where))
        for each in SCALES
        if each == "paper" or declared.quick is not None
    }
    for each in plans.values():  # what is wrong in [quick] is told at once
        _check(each)
    if seeds is None:
        return plans[scale]
    if seeds < 1:
        raise UsageError(f"seeds {seeds}: must be 1 or more")
    return plans[scale]._replace(declaration=plans[scale].declaration.model_copy(update={"seeds": seeds}))


def _find(source: str | Path) -> tuple[str, str]:
    known = shipped()
    if str(source) in known:
        return str(source), known[str(source)]
    path = Path(source)
    try:
        return path.name.removesuffix(SUFFIX), read_file(path).decode()
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: is not UTF-8 text") from None
    except NotFoundError:
        near = difflib.get_close_matches(str(source), known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"give a file, or one of {', '.join(known)}"
        raise NotFoundError(f"there is no experiment {str(source)!r}; {hint}") from None


def _validate(content: Mapping[str, Any], where: str) -> Declaration:
    try:
        return Declaration.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidError(f"{where}: {'.'.join(map(str, first['loc']))}: {_said(first)}") from None


def _said(error: Mapping[str, Any]) -> str:
    """What is wrong with a field, in a few words."""
    if error["type"] == "extra_forbidden":
        if error["loc"][-1] in _fields():
            return "does not belong here"
        near = difflib.get_close_matches(str(error["loc"][-1]), _fields(), 1)
        return f"there is no such field{f'; did you mean {near[0]!r}?' if near else ''}"
    message = WORDS.get(error["type"]) or str(error["msg"]).removeprefix("Value error, ")
    return f"{message[:1].lower()}{message[1:]}"


def _fields() -> list[str]:
    models: tuple[type[BaseModel], ...] = (Declaration, Measures, Figures, Followed, Options)
    return [name for model in models for name in model.model_fields]


def _scaled(declaration: Declaration, scale: Scale, where: str) -> Declaration:
    """The declaration with what differs in this scale put in."""
    if scale == "paper" or declaration.quick is None:
        return declaration
    for option in declaration.quick:
        if option in declaration.sweep:
            raise InvalidError(f"{where}: quick.{option}: is swept; give another option, or sweep fewer values")
    changed = declaration.model_dump(exclude_unset=True)
    changed["training"] |= {option: value for option, value in declaration.quick.items() if option != "seeds"}
    return _validate({**changed, "seeds": declaration.quick.get("seeds", declaration.seeds)}, where)


def _check(plan: Plan) -> None:
    """Raise an InvalidError for what each field alone cannot tell."""
    sweep = plan.declaration.sweep
    for name, values in sweep.items():
        if name in plan.declaration.training:
            raise InvalidError(f"{plan.source}: sweep.{name}: is set in training, too; leave one of them out")
        labels = [label(value) for value in values]
        for value in labels:
            if labels.count(value) > 1:
                raise InvalidError(f"{plan.source}: sweep.{name}: has {value} twice")
    next(plan.cells())
    by = plan.declaration.figure.by
    if by is not None and by not in sweep:
        swept = f"swept are {', '.join(sweep)}" if sweep else "nothing is swept"
        raise InvalidError(f"{plan.source}: figure.by: {by!r} is not swept; {swept}")
    measure = plan.declaration.measure
    lists = {"follow": [each.name for each in measure.follow], "against": measure.against, "regret": measure.regret}
    for field, names in lists.items():
        if len(set(names)) < len(names):
            raise InvalidError(f"{plan.source}: measure.{field}: has the same name twice")
