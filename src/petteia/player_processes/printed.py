"""The output of custom players. The first line is shown at once, and later lines are only counted."""

from __future__ import annotations

from petteia.core.announcements import announce

MAX_BYTES = 1 << 20
"""the maximum number of bytes that are stored while the first line is not complete"""


class Printed:
    """The output that all players of one class print, in any number of processes."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._first = b""
        self._is_shown = False
        self._more = 0

    def add(self, content: bytes) -> None:
        """Add new output of the players. The first line is shown, and all further lines are only counted."""
        if not self._is_shown:
            line, end, content = content.partition(b"\n")
            if len(self._first) < MAX_BYTES:
                self._first += line
            if end:
                self._show()
        self._more += content.count(b"\n")

    def tell(self) -> None:
        """Show how many lines the players have printed after the first line."""
        if self._first and not self._is_shown:
            self._show()
        if self._more:
            announce(f"... and {self._more:,} more {'line' if self._more == 1 else 'lines'} from {self._name}")

    def _show(self) -> None:
        self._is_shown = True
        announce(f"{self._name} prints: {self._first.decode('utf-8', 'backslashreplace').rstrip()}")
