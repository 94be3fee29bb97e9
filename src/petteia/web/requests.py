"""Functions that parse the values in requests, and the error handling for custom games."""

from __future__ import annotations

import functools
import inspect
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
from petteia.web.time_limit import limited
from petteia.web.words import words

MAX_FIELDS, MAX_STEPS = 60, 8
"""The maximum number of fields of a form, and the maximum number of steps of a move."""


async def sent_form(request: Request) -> dict[str, str]:
    """Return the fields of a form that the browser has sent. Raises UsageError if there are too many fields."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        raise UsageError(f"form: there are too many fields; send at most {MAX_FIELDS} fields") from None


Sent = Annotated[dict[str, str], Depends(sent_form)]


def read_steps(text: str) -> Steps:
    """Parse the steps of a move, such as `12,30`. The result is empty if the string is invalid."""
    parts = text.split(",")[:MAX_STEPS]
    return tuple(map(int, parts)) if all(map(is_number, parts)) else ()


def read_number(text: str, default: int) -> int:
    """Parse a whole number of 0 or more. Return `default` if the string is not such a number."""
    return int(text) if is_number(text) else default


def is_number(text: str) -> bool:
    """Return whether a string is a whole number of 0 or more, with at most 18 digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 18


class Route(APIRoute):
    """A route of the web application. An error in a custom game is reported to the user as a PetteiaError."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that answers requests. It limits the time of each call of custom code (see `limited`)."""
        endpoint = self.dependant.call
        if endpoint is not None and not inspect.iscoroutinefunction(endpoint):
            self.dependant.call = functools.partial(_limited, endpoint)
        answer = super().get_route_handler()

        async def answering(request: Request) -> Response:
            try:
                return await answer(request)
            except (PetteiaError, HTTPException, RequestValidationError):
                raise
            except Exception as error:  # a custom game can raise any error
                if told := fault_of_user(error):
                    raise PetteiaError(told) from None
                raise

        return answering


def _limited(endpoint: Callable[..., Response], **values: Any) -> Response:
    return limited(lambda: endpoint(**values))


def fault_of_user(error: Exception) -> str:
    """Return a message for the user about an error in a custom game.

    If the message names the file in which the error occurred, it leaves out the folder of this file.

    The message is empty if the error occurred in the code of this package.
    """
    place = place_of(error)
    if place is None or not (place.is_users or place.game):
        return ""
    message = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    where = place.game or f"{place.function} ({place.file.name}, line {place.line})"
    return words()["game_fails"].format(where=where, message=message)
