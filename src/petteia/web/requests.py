"""What comes with a request, read within bounds."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from petteia.core.errors import UsageError
from petteia.core.steps import Steps

MAX_FIELDS, MAX_STEPS = 60, 8
"""of a form, and of a move"""


async def sent_form(request: Request) -> dict[str, str]:
    """The fields of a form."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        raise UsageError(f"a form has at most {MAX_FIELDS} fields") from None


Sent = Annotated[dict[str, str], Depends(sent_form)]


def read_steps(text: str) -> Steps:
    """The steps that a form or a link tells, `12,30`; none for what is no such text."""
    parts = text.split(",")[:MAX_STEPS]
    return tuple(map(int, parts)) if all(map(is_number, parts)) else ()


def read_number(text: str, default: int) -> int:
    """The number of a link; the default for what is none."""
    return int(text) if is_number(text) else default


def is_number(text: str) -> bool:
    """Whether a text is a whole number of 0 or more."""
    return text.isascii() and text.isdecimal() and len(text) <= 18
