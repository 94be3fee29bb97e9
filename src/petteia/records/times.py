"""The times of a run: its start, the time of the last work on it, and the duration of the work.

The times of a run are stored in their own file, `times.json`. If the same run is repeated, only this file differs. If
`times.json` is missing when work on a run continues, only the time of the further work is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from petteia.core.errors import InvalidError, NotFoundError
from petteia.records import bounds
from petteia.records.rows import read_row, write_row

TIMES = "times.json"
LONGEST = 1e12
"""the maximum number of seconds of work in the file"""


class Times(BaseModel):
    """The start of a run, the time of its last update, and the duration of its work, as stored in `times.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    begun: AwareDatetime
    updated: AwareDatetime
    seconds: float = Field(ge=0, le=LONGEST)
    """the total duration of the work, in seconds"""
    processor: float = Field(default=0.0, ge=0, le=LONGEST)
    """the total processor time of the work, without compilation, in seconds"""

    def with_more(self, seconds: float, processor: float) -> Times:
        """Add the duration of work that has just ended, and return the new times.

        `seconds` is the elapsed time of the work, and `processor` its processor time in seconds.
        """
        more = {
            "seconds": round(self.seconds + seconds, 3),
            "processor": round(self.processor + max(processor, 0.0), 3),
        }
        return Times(begun=self.begun, updated=_now(), **more)


def new_times() -> Times:
    """Return the times of a run that begins now."""
    return Times(begun=_now(), updated=_now(), seconds=0.0)


def read_times(path: Path) -> Times:
    """Read the times of a run from a file. Raises InvalidError if the file is damaged.

    If the file does not exist, `new_times()` is returned.
    """
    try:
        return Times.model_validate_json(json.dumps(read_row(path, bounds.TIMES)))
    except NotFoundError:
        return new_times()
    except (InvalidError, ValidationError):
        raise InvalidError(f"{path}: damaged; remove this file, which only records the duration of the work") from None


def write_times(path: Path, times: Times) -> None:
    """Write the times of a run to a file."""
    write_row(path, times.model_dump(mode="json"))


def total_times(times: Sequence[Times]) -> str:
    """Add up the times of one or more runs, and return the total as JSON."""
    begun, updated = min(each.begun for each in times), max(each.updated for each in times)
    seconds = min(round(sum(each.seconds for each in times), 3), LONGEST)
    processor = min(round(sum(each.processor for each in times), 3), LONGEST)
    total = Times(begun=begun, updated=updated, seconds=seconds, processor=processor)
    return json.dumps(total.model_dump(mode="json"), indent=2) + "\n"


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
