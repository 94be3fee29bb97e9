"""What a check has found, all of it: what is wrong, and what could be better."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple

from petteia.checking.sample import explain
from petteia.core.protocol import Rules

SHOWN, ADVISED = 5, 2
"""kinds of lines that a check tells of what is wrong, and of what could be better"""
VARYING = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\([^()]*\)|\[[^\[\]]*\]|[0-9][0-9,.]*"
"""what differs between lines of one kind"""


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
            message, *more = [*folded(self.advice, ADVISED), ""]
            return CheckResult(name, True, message, tuple(filter(None, more)))
        message, *more = folded(self.failures, SHOWN)
        return CheckResult(name, False, message, (*more, *(f"advice: {line}" for line in folded(self.advice, ADVISED))))


def folded(lines: Iterable[str], maximum: int) -> list[str]:
    """The first line of up to `maximum` kinds, each with the number of further ones; then the number of other kinds.

    Lines are of one kind if they differ in numbers and in what stands in quotation marks or brackets alone.
    """
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kinds.setdefault(re.sub(VARYING, "", line), []).append(line)
    told = [f"{first} (and {len(more):,} more like this)" if more else first for first, *more in kinds.values()]
    left = len(told) - maximum
    return [
        *told[:maximum],
        *([f"and {left:,} more {'finding' if left == 1 else 'findings'} of other kinds"] if left > 0 else []),
    ]
