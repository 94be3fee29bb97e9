"""Server-sent events: a page waits until what it shows has changed, and then asks for it again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

POLL, HEARTBEAT, MAX_STREAMS = 0.05, 15.0, 200
"""seconds between two looks, and between two signs of life; pages that are told of changes at once"""


class Streams:
    """The pages that wait."""

    def __init__(self) -> None:
        self._count = 0

    def until(self, changed: Callable[[], str], left: Callable[[], None] = lambda: None) -> StreamingResponse:
        """An answer that lasts until something has changed.

        `changed` returns what to tell the page, nothing while all is as it was; `left` is called when the page has
        heard it or has gone. Raises HTTPException if too many pages wait.
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
