"""Access control: accepted hosts and origins, a token, and limits on the rate and the size of requests.

The guard is an ASGI middleware. It also adds security headers to responses. One of them, the content security policy,
blocks scripts and styles from other sites.
"""

from __future__ import annotations

import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from petteia.core.text import shortened
from petteia.web.words import words

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BYTES = 100_000
"""The maximum size of the body of a request, in bytes, unless it is sent to `IMPORT`."""
IMPORT, MAX_FILE_BYTES = "/mine/import", 10_000_000
"""The path to which files of games are sent, and their maximum size in bytes. The application reads them as a
stream."""
MAX_PER_MINUTE, MAX_CLIENTS = 1200, 1000
"""The maximum number of requests per minute from another machine, and the maximum number of clients whose rates are
stored."""
COOKIE, OWNER = "petteia", "petteia-owner"
"""The names of the cookies that contain the token, and the owner of the games of a browser."""
YEAR = 365 * 24 * 3600
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Door(NamedTuple):
    """The port and the host names of the server, and the token that a link must contain."""

    port: int
    names: frozenset[str] = frozenset()
    """the host names that the server accepts, besides `localhost` and addresses"""
    token: str = ""
    """the token that a link must contain; empty if only this machine can connect"""

    @property
    def is_open(self) -> bool:
        """Whether other machines can connect to the server."""
        return bool(self.token)

    def knows(self, host: str) -> bool:
        """Return whether the server accepts requests for this host.

        The check of the host prevents DNS rebinding. In this attack, the name of another site resolves to the address
        of this server. The `Host` header of the request then contains the name of the other site, and the request is
        rejected. The server accepts `localhost` and the names in `names`. If other machines can connect, it also
        accepts all IP addresses. Otherwise it accepts only loopback addresses.
        """
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        name = name.strip("[]").lower()
        if name == "localhost" or name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.is_open or address.is_loopback


class Refusal(Exception):  # noqa: N818  # an answer, not an error of the program
    """The refusal of a request, with its status code."""

    def __init__(self, status: int, told: str) -> None:
        super().__init__(told)
        self.status = status


class Guard:
    """A middleware that passes requests to the application, or refuses them with a message."""

    def __init__(self, app: App, door: Door) -> None:
        self.app, self._door = app, door
        self._rates: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = _with_policies(send)
        try:
            self._check(scope)
            if entry := self._entry(scope):
                await _answer(guarded, 303, "", entry)
                return
            if scope["method"] not in ("GET", "HEAD") and scope["path"] != IMPORT:
                receive = await _read(receive)
            await self.app(scope, receive, guarded)
        except Refusal as refusal:
            await _answer(guarded, refusal.status, str(refusal))

    def _check(self, scope: Scope) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._door.knows(host):
            raise Refusal(403, words()["refused_host"].format(host=shortened(host)))
        if scope["method"] not in ("GET", "HEAD"):
            _check_origin(headers, host)
        if self._door.is_open:
            self._check_rate((scope.get("client") or ("",))[0])
        maximum, length = MAX_BYTES, headers.get(b"content-length", "0")
        if scope["path"] == IMPORT and scope["method"] == "POST":
            maximum, length = MAX_FILE_BYTES, headers.get(b"content-length", "unknown")
        if not length.isdecimal() or len(length) > 12 or int(length) > maximum:
            raise Refusal(413, words()["refused_size"].format(maximum=f"{maximum:,}"))

    def _check_rate(self, client: str) -> None:
        """Raise a Refusal if the client sends too many requests.

        A client may send `MAX_PER_MINUTE` requests per minute on average. It may also send this number of requests at
        once.
        """
        now = time.monotonic()
        left, then = self._rates.pop(client, (float(MAX_PER_MINUTE), now))
        left = min(MAX_PER_MINUTE, left + (now - then) * MAX_PER_MINUTE / 60)
        self._rates[client] = (max(0.0, left - 1), now)
        while len(self._rates) > MAX_CLIENTS:
            self._rates.popitem(last=False)
        if left < 1:
            raise Refusal(429, words()["refused_rate"])

    def _entry(self, scope: Scope) -> tuple[tuple[bytes, bytes], ...]:
        """Return HTTP headers that store the token of a link in a cookie, and redirect to the link without the token.

        The returned tuple is empty if the browser already has the cookie, or if the server requires no token.
        """
        if not self._door.token:
            return ()
        cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
        pairs = [part.strip().partition("=") for part in cookies.split(";")]
        held = [value for name, _, value in pairs if name == COOKIE]
        if any(secrets.compare_digest(each.encode(), self._door.token.encode()) for each in held):
            return ()
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        given = dict(query).get("token", "")
        if not secrets.compare_digest(given.encode(), self._door.token.encode()):
            raise Refusal(403, words()["refused_token"])
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        form = "HttpOnly; SameSite=Strict; Path=/"
        cookie = f"{COOKIE}={self._door.token}; {form}"
        place = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")
        entry = ((b"location", place.encode("latin-1", "ignore")), (b"set-cookie", cookie.encode()))
        if any(name == OWNER for name, _, _ in pairs):
            return entry
        owner = f"{OWNER}={secrets.token_urlsafe(12)}; {form}; Max-Age={YEAR}"
        return (*entry, (b"set-cookie", owner.encode()))


def _check_origin(headers: dict[bytes, str], host: str) -> None:
    """Raise a Refusal if a form comes from another site."""
    origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site", "same-origin")
    is_own = origin is None or origin.partition("://")[2] == host
    if not is_own or site not in ("same-origin", "none"):
        raise Refusal(403, words()["refused_origin"])


async def _read(receive: Receive) -> Receive:
    """Read the body of a request, and return a function that passes it to the application.

    Raises a Refusal if the body is too large.
    """
    parts, more = list[bytes](), True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
        if sum(map(len, parts)) > MAX_BYTES:
            raise Refusal(413, words()["refused_size"].format(maximum=f"{MAX_BYTES:,}"))
    waiting = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _with_policies(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            if not any(name.lower() == b"content-security-policy" for name, _ in headers):
                headers.append((b"content-security-policy", POLICY.encode()))
            message = {**message, "headers": [*headers, *HEADERS]}
        await send(message)

    return sending


async def _answer(send: Send, status: int, told: str, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    start = [(b"content-type", b"text/plain; charset=utf-8"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": f"{told}\n".encode()})
