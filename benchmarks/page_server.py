"""A server of the page to be measured, and a visitor without a browser."""

from __future__ import annotations

import gzip
import http.client
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import urlencode, urlsplit

HUMAN = "human"
KEPT = 4.0
"""seconds after which a connection is not used again, as the server closes it after 5"""
FORM = {"content-type": "application/x-www-form-urlencoded"}
COMPRESSED = {"accept-encoding": "gzip"}


class Server(NamedTuple):
    """A server that runs."""

    host: str
    port: int
    process: int

    def seconds(self) -> float:
        """The processor time that it has taken."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """The memory that it holds."""
        return self._status("VmRSS") / 1000

    def threads(self) -> int:
        """How many threads it has."""
        return self._status("Threads")

    def _status(self, name: str) -> int:
        found = re.search(rf"^{name}:\s*(\d+)", Path(f"/proc/{self.process}/status").read_text(), re.MULTILINE)
        assert found
        return int(found[1])


@contextmanager
def server(folder: str) -> Iterator[Server]:
    """A server that keeps its games in this folder."""
    command = [sys.executable, "-m", "petteia", "web", "--port", "0", "--state", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        assert address.hostname
        assert address.port
        try:
            yield Server(address.hostname, address.port, process.pid)
        finally:
            process.terminate()


class Visitor:
    """A person who plays against a program, and sees pages and pictures as a browser would ask for them.

    An answer with an error, or a page that tells of one, is a RuntimeError.
    """

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        self._used_at = 0.0
        self.place, self.page = "", ""
        self.seconds: list[float] = []
        """what each request has taken"""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(self, path: str, fields: Mapping[str, str] | None = None) -> bytes:
        """What comes from an address, a form's being that of the page that it leads to."""
        clock = time.perf_counter()
        if clock > self._used_at + KEPT:
            self._connection.close()  # it is opened again by the request
        if fields is None:
            self._connection.request("GET", path, headers=COMPRESSED)
        else:
            self._connection.request("POST", path, urlencode(fields), FORM)
        answer = self._connection.getresponse()
        content = answer.read()
        self._used_at = time.perf_counter()
        self.seconds.append(self._used_at - clock)
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status} {content[:200]!r}")
        if answer.status == 303:
            self.place = answer.headers["location"]
            return self.ask(self.place)
        return content

    def begin(self, game: str, second: str = HUMAN) -> None:
        """Begin a game as its first player."""
        self._see(self.ask("/games", {"game": game, "first": HUMAN, "second": second}))

    def see(self) -> None:
        """Ask for the page of the game anew."""
        self._see(self.ask(self.place.partition("?")[0]))

    @property
    def choices(self) -> list[str]:
        """The steps that can be chosen on the page."""
        return re.findall(r'name="step" value="(\d+)" id="step-\d+"(?: class="on"|>)', self.page)

    @property
    def is_begun(self) -> bool:
        """Whether a move is begun."""
        return self._field("begun") != ""

    def choose(self, step: str) -> None:
        """Make a step of a move."""
        fields = {"version": self._field("version"), "begun": self._field("begun"), "step": step}
        self._see(self.ask(f"{self.place.partition('?')[0]}/step", fields))

    def wait(self) -> None:
        """Wait until the program has moved."""
        while found := re.search(r'data-events="([^"]*)"', self.page):
            self._connection.request("GET", unescape(found[1]))
            self._connection.getresponse().read()
            self._used_at = time.perf_counter()
            self.see()

    def _see(self, content: bytes) -> None:
        self.page = decoded(content)
        if found := re.search(r'role="alert"[^>]*>([^<]*)<', self.page):
            raise RuntimeError(f"{self.place}: {unescape(found[1])}")
        if found := re.search(r'<img src="(/games/[^"]*)"', self.page):
            self.ask(found[1])

    def _field(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        assert found
        return unescape(found[1])


def decoded(content: bytes) -> str:
    """The text of an answer, which may be compressed."""
    return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
