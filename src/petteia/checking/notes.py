"""The result of a check, with lists of its failures and advice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple

from petteia.checking.sample import explain
from petteia.core.protocol import Rules

SHOWN, ADVISED = 5, 2
"""the maximum number of kinds of failures, and of kinds of advice, that a check reports"""
VARYING = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\([^()]*\)|\[[^\[\]]*\]|[0-9][0-9,.]*"
"""the parts of a line that are ignored when lines are grouped into kinds"""


class CheckResult(NamedTuple):
    """The result of a check: whether it has passed, with messages for the user."""

    name: str
    """the name of the check"""
    passed: bool
    """whether the check has passed"""
    message: str
    """the failure in one line; if the check passed, advice or an empty string"""
    more: tuple[str, ...] = ()
    """further lines: other failures, advice, and the number of omitted findings"""


class Notes:
    """A collection of the failures and the advice of a running check.

    An error that is raised in a block `with notes:` becomes a failure, and does not stop the check.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.failures: dict[str, None] = {}
        """the failures, one line each, in the order in which they were found"""
        self.advice: dict[str, None] = {}
        """the advice, one line each"""

    def __enter__(self) -> None:
        """Begin a block whose errors are recorded."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception):  # custom rules can raise anything
            self.fail(explain(self._rules, error))
        return isinstance(error, Exception)

    def fail(self, line: str) -> None:
        """Record a failure."""
        self.failures[line] = None

    def advise(self, line: str) -> None:
        """Record advice."""
        self.advice[line] = None

    def result(self, name: str) -> CheckResult:
        """Return the result of the check, under the given name."""
        if not self.failures:
            message, *more = [*folded(self.advice, ADVISED), ""]
            return CheckResult(name, True, message, tuple(filter(None, more)))
        message, *more = folded(self.failures, SHOWN)
        return CheckResult(name, False, message, (*more, *(f"advice: {line}" for line in folded(self.advice, ADVISED))))


def folded(lines: Iterable[str], maximum: int) -> list[str]:
    """Group similar lines. Return one line for each of the first `maximum` groups, and the number of other groups.

    Two lines are similar if they differ only in numbers and in text within quotation marks or brackets. The returned
    line is the first line of the group, with the number of the other lines in the group.
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
