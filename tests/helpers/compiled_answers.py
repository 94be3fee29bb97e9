"""Small classes made of text, and what compiled code says of them, which must be what plain Python says."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from petteia.core.kernel import kernel, runs_plain
from petteia.core.protocol import to_move

compiled_only = pytest.mark.skipif(runs_plain(), reason="about compiled code")


@kernel
def asked(rules: Any, state: int) -> int:
    return to_move(rules, state)


def same(rules: Any, state: int = 1) -> int:
    """What compiled code says, which is what plain Python says."""
    plain = asked.function(rules, state)
    assert asked(rules, state) == plain
    return plain


def module_of(source: str, name: str = "mine", **given: Any) -> dict[str, Any]:
    scope = {"__name__": name, "NamedTuple": NamedTuple, **given}
    exec(compile("from __future__ import annotations\n" + source, f"{name}.py", "exec"), scope)
    return scope


GAME = """
class Game(NamedTuple):
    size: int = 3
    def to_move(rules, state):
        return {}
"""


class Holder(NamedTuple):
    """What holds others, as a match's wrapper of a policy does."""

    inner: Any
    more: int = 0

    def to_move(rules: Any, state: int) -> int:
        return to_move(rules.inner, state) * 2
