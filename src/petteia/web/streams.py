"""Server-sent events, which tell a page to reload because its content has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

POLL, HEARTBEAT, MAX_STREAMS = 0.05, 15.0, 200
"""The time between two checks for a change, the time between two heartbeats, both in seconds, and the maximum number of
open streams."""


class Streams:
    """The open streams of server-sent events. Their number is limited."""

    def __init__(self) -> None:
        self._count = 0

    def until(self, changed: Callable[[], str], left: Callable[[], None] = lambda: None) -> StreamingResponse:
        """Return an event stream that reports the next change of a page's content, and then ends.

        The function `changed` is called repeatedly, until it returns the data of the event. As long as nothing has
        changed, it must return an empty string. The function `left` is called when the stream ends, even if the
        browser closes the connection. Raises HTTPException if too many streams are open.
        """
        if self._count >= MAX_STREAMS:
            raise HTTPException(503)

        async def told() -> AsyncIterator[str]:
            self._count += 1
            try:
                yield ": hello\n\n"
                quiet = 0.0
                while not (words := changed()):
                    await asyncio.sleep(POLL)
                    quiet += POLL
                    if quiet >= HEARTBEAT:
                        quiet = 0.0
                        yield ": still here\n\n"
                yield f"event: changed\ndata: {words}\n\n"
            finally:
                self._count -= 1
                left()

        return StreamingResponse(told(), media_type="text/event-stream", headers={"cache-control": "no-store"})
