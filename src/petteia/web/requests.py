"""What comes with a request, read within bounds, and answered by a sentence where a user's code fails."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from petteia.core.errors import PetteiaError, UsageError
from petteia.core.steps import Steps
from petteia.foreign.places import place_of
from petteia.web.words import words

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


class Route(APIRoute):
    """An address of the page. What a user's game raises there becomes a PetteiaError, which is told in a sentence."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The function that answers requests."""
        answer = super().get_route_handler()

        async def answering(request: Request) -> Response:
            try:
                return await answer(request)
            except (PetteiaError, HTTPException, RequestValidationError):
                raise
            except Exception as error:  # a user's game can raise anything
                if told := fault_of_user(error):
                    raise PetteiaError(told) from None
                raise

        return answering


def fault_of_user(error: Exception) -> str:
    """What a user's game has raised, without the folders of this machine; empty if the error is one of this package."""
    place = place_of(error)
    if place is None or not (place.is_users or place.game):
        return ""
    message = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    where = place.game or f"{place.function} ({place.file.name}, line {place.line})"
    return words()["game_fails"].format(where=where, message=message)
