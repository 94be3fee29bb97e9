"""Find, read and check the TOML files of experiments.

Only run files that you trust, because the custom code that a file names is executed. An error message is one line that
names the invalid field.
"""

from __future__ import annotations

import difflib
import tomllib
import typing
import unicodedata
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from petteia.core.errors import InvalidError, NotFoundError
from petteia.records.bounds import EXPERIMENT
from petteia.records.files import read_file

Scale = Literal["paper", "quick"]
SCALES: tuple[Scale, ...] = typing.get_args(Scale)
SUFFIX = ".toml"
LARGEST = 1 << 63
"""the maximum absolute value of whole numbers in a file"""
UNKNOWN = "extra_forbidden"
"""pydantic's type of error for an unknown field"""
WORDS = {
    "missing": "must be given",
    "tuple_type": "must be a list",
    "too_short": "must not be empty; add a value",
}
"""the messages that replace pydantic's, which refer to Python"""

Model = TypeVar("Model", bound=BaseModel)


class Section(BaseModel):
    """A section of an experiment file. Keys that are not fields of the section are rejected."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Source(NamedTuple):
    """A file that declares an experiment."""

    name: str
    """the name of the experiment: the name of the file without its extension"""
    where: str
    """the source as given: a path, or the name of an experiment of the package"""
    text: str
    """the text of the file"""
    content: dict[str, Any]
    """the parsed TOML"""


def shipped() -> dict[str, str]:
    """Return the experiment files that the package contains: the text of each file, by the name of the experiment."""
    reports = resources.files("petteia") / "reports"
    folders = [folder for each in reports.iterdir() if (folder := each / "experiments").is_dir()]
    files = sorted((file.name, file) for folder in folders for file in folder.iterdir() if file.name.endswith(SUFFIX))
    return {name.removesuffix(SUFFIX): file.read_text(encoding="utf-8") for name, file in files}


def read_source(source: str | Path) -> Source:
    """Read the file `source`, or the experiment of the package with this name.

    Raises NotFoundError if there is neither a file `source` nor an experiment with this name. Raises InvalidError if
    the text of the file is not TOML, or if it contains a control character or an integer that is too large.
    """
    name, text = _find(source)
    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidError(f"{source}: the file is not valid TOML: {error}") from None
    except ValueError:
        raise InvalidError(f"{source}: a number has too many digits; use smaller numbers") from None
    for field, value in _values(content):
        if isinstance(value, str) and control_characters(value) - {"\n", "\t"}:
            raise InvalidError(f"{source}: {field}: contains a control character; remove this character")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise InvalidError(
                f"{source}: {field}: the absolute value of the number is more than 2^63; use a smaller number"
            )
    return Source(name, str(source), text, content)


def _values(content: Any, field: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each key and each value in parsed TOML, together with its path, such as `training.alpha`."""
    parts = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else None
    if parts is None:
        yield field, content
        return
    for name, value in parts:
        inner = f"{field}.{name}" if field else str(name)
        yield repr(inner), name
        yield from _values(value, inner)


def control_characters(text: str) -> set[str]:
    """Return the control characters in a string."""
    return {sign for sign in text if unicodedata.category(sign) == "Cc"}


def _find(source: str | Path) -> tuple[str, str]:
    known = shipped()
    if str(source) in known:
        return str(source), known[str(source)]
    path = Path(source)
    try:
        return path.name.removesuffix(SUFFIX), read_file(path, EXPERIMENT).decode()
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: the file is not UTF-8 text") from None
    except NotFoundError:
        near = difflib.get_close_matches(str(source), known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"give a TOML file, or choose from {', '.join(known)}"
        raise NotFoundError(f"there is no experiment {str(source)!r}; {hint}") from None


def validate(model: type[Model], content: Mapping[str, Any], where: str, others: tuple[type[BaseModel], ...]) -> Model:
    """Convert `content` to a `model`. Raises an InvalidError that names the field if `content` does not fit the model.

    `others` contains the models of the other sections of the file. If an unknown field of `content` belongs to another
    section, the message states that it is in the wrong section.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = min(error.errors(), key=lambda each: each["type"] != UNKNOWN)  # a missing field can be misspelt
        place = ".".join(map(str, first["loc"]))
        raise InvalidError(f"{where}: {place}: {message_of(first, (model, *others))}") from None


def message_of(error: Mapping[str, Any], models: tuple[type[BaseModel], ...]) -> str:
    """Return the error message for a field. For an unknown field, the message suggests a similar field of `models`."""
    if error["type"] == UNKNOWN:
        fields = [name for model in models for name in _fields(model)]
        if error["loc"][-1] in fields:
            return "this field belongs to another section"
        near = difflib.get_close_matches(str(error["loc"][-1]), fields, 1)
        return f"there is no such field{f'; did you mean {near[0]!r}?' if near else ''}"
    message = WORDS.get(error["type"]) or str(error["msg"]).removeprefix("Value error, ")
    return f"{message[:1].lower()}{message[1:]}"


def _fields(model: type[BaseModel]) -> Iterator[str]:
    """Yield the names of the fields of a model, and of the models that it contains."""
    for name, field in model.model_fields.items():
        yield name
        for part in (field.annotation, *typing.get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from _fields(part)
