"""What a check has found, all of it: what is wrong, and what could be better."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple

from petteia.checking.sample import explain, pick_evenly
from petteia.core.protocol import Rules

SHOWN, ADVISED = 5, 2
"""lines that a check tells of what is wrong, and of what could be better"""


class CheckResult(NamedTuple):
    """The result of a check."""

    name: str
    """the name of the check"""
    passed: bool
    """whether the check passed"""
    message: str
    """one line that says what is wrong; if passed, advice, or empty"""
    more: tuple[str, ...] = ()
    """further lines: what else is wrong, advice, and how much is not told"""


class Notes:
    """What is found under some rules while a check goes on: `with notes:` notes what is raised, and carries on."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.failures: dict[str, None] = {}
        """lines that say what is wrong, in the order in which they were found"""
        self.advice: dict[str, None] = {}
        """lines that say what could be better"""

    def __enter__(self) -> None:
        """Begin to look at one thing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception):  # a user's rules can raise anything
            self.fail(explain(self._rules, error))
        return isinstance(error, Exception)

    def fail(self, line: str) -> None:
        """Note what is wrong."""
        self.failures[line] = None

    def advise(self, line: str) -> None:
        """Note what could be better."""
        self.advice[line] = None

    def result(self, name: str) -> CheckResult:
        """The result of the check of this name."""
        if not self.failures:
            message, *more = [*_shortened(self.advice, ADVISED), ""]
            return CheckResult(name, True, message, tuple(filter(None, more)))
        message, *more = _shortened(self.failures, SHOWN)
        return CheckResult(
            name, False, message, (*more, *(f"advice: {line}" for line in _shortened(self.advice, ADVISED)))
        )


def _shortened(lines: Iterable[str], most: int) -> list[str]:
    """At most so many of the lines: the first of each kind, then others from all over, and how many are left."""
    kinds: dict[str, str] = {}
    for line in (all_lines := list(lines)):
        kinds.setdefault(re.sub(r"'[^']*'|\"[^\"]*\"|[0-9]+", "", line), line)
    first = list(kinds.values())[:most]
    others = [line for line in all_lines if line not in first]
    room = most - len(first)
    chosen = {*first, *(pick_evenly(others, room) if room > 1 else others[:room])}
    left = len(all_lines) - len(chosen)
    return [*(line for line in all_lines if line in chosen), *([f"and {left} more of such lines"] if left else [])]
