"""The description of a run: the content of its `run.json`, which is written once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from petteia.core.errors import InvalidError
from petteia.provenance.live import Parts
from petteia.provenance.reach import digest_of
from petteia.records import bounds
from petteia.records.files import read_file, write_file
from petteia.records.version import VERSION

SCHEMA = 2
DESCRIPTION = "run.json"

Model = TypeVar("Model", bound=BaseModel)


class _Schema(BaseModel):
    model_config = ConfigDict(strict=True)

    number: int = Field(alias="schema")
    version: str = "of unknown version"


class Description(_Schema):
    """The description of a run: the content of `run.json`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    version: str
    """the version of the package that began the run"""
    kind: str
    """the kind of work, for example `train`"""
    game: str
    """the text form of the rules"""
    configuration: dict[str, Any]
    """the settings of the work, including all default values"""
    seeds: dict[str, Annotated[int, Field(ge=0, lt=1 << 63)]]
    """the seeds of the random numbers, by purpose"""
    provenance: Parts = {}
    """the digests of the code on which the run depends; see `petteia.provenance.reach`"""
    fingerprint: str
    """a digest of the behaviour of the rules; see `petteia.records.fingerprint`"""

    @property
    def texts(self) -> list[str]:
        """The strings in the description that may name custom code: the game, and all strings of the configuration."""
        return [self.game, *_texts(self.configuration)]

    @property
    def code(self) -> str:
        """A SHA-256, in hex, that identifies all code on which the run depends."""
        return digest_of(self.provenance)


def write_description(folder: Path, description: Description) -> str:
    """Write `run.json` to `folder`. Return the identity of the run, which is the SHA-256 of the file in hex."""
    content = description.model_dump(mode="json", by_alias=True, exclude_unset=True)
    text = json.dumps(content, indent=2, allow_nan=False) + "\n"
    write_file(folder / DESCRIPTION, text)
    return _identity(text)


def read_description(folder: Path) -> tuple[Description, str]:
    """Read the `run.json` of a folder, and return the description and the identity of the run.

    Raises InvalidError if the file is damaged or has another schema.
    """
    path = folder / DESCRIPTION
    try:
        text = read_file(path, bounds.DESCRIPTION).decode()
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: damaged; the file is not UTF-8 text") from None
    begun = validated(_Schema, text, path)
    if begun.number != SCHEMA:
        raise InvalidError(
            f"{folder}: the run has schema {begun.number} and was begun by petteia {begun.version}, but petteia "
            f"{VERSION} reads only schema {SCHEMA}; open the run with the version that began it"
        )
    return validated(Description, text, path, begun.version), _identity(text)


def validated(model: type[Model], text: str, path: Path, version: str = VERSION) -> Model:
    """Parse `text`, the content of the file `path`, as an instance of `model`. Raises InvalidError if this fails.

    `version` is the version of petteia that wrote the file. It is used in the error message.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        wrong = (
            "damaged"
            if version == VERSION
            else f"petteia {VERSION} cannot read this file, which petteia {version} wrote"
        )
        raise InvalidError(f"{path}: {wrong}; {f'{where}: ' if where else ''}{first['msg']}") from None


def _identity(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _texts(value: object) -> Iterator[str]:
    """Yield all strings in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
