"""Checks that learned values fit the rules and the code with which they are used.

A weights file records the rules and the code of the training run as digests, which are compared when the file is
loaded.
"""

from __future__ import annotations

import json
from typing import Any

from petteia.core.errors import InvalidError
from petteia.core.names import format_game, name_of
from petteia.core.protocol import Rules
from petteia.provenance.live import Parts, difference, provenance
from petteia.records.fingerprint import fingerprint
from petteia.records.weights import Weights

USE_ANYWAY = "or use the values anyway with other_rules=yes"


def origin_of(rules: Rules, *code: Any) -> dict[str, str]:
    """Return metadata for a weights file: a fingerprint of the rules, and digests of all custom code used."""
    parts = provenance(rules, *code)
    return {"fingerprint": fingerprint(rules)} | ({"provenance": json.dumps(parts)} if parts else {})


def check_game(weights: Weights, rules: Rules, *, other_rules: bool = False) -> str | None:
    """Check that the weights were learned under `rules`.

    Returns None if the weights were learned under `rules`. Otherwise returns a phrase that names the other rules, for a
    notice to the user.

    Raises InvalidError if the weights belong to a different game. Weights of another variant of the same game are
    accepted only with the keyword argument `other_rules=True`.
    """
    game, name = format_game(rules), name_of(type(rules))
    if weights.game == game:
        return None
    is_variant = weights.game == name or weights.game.startswith(f"{name}:")
    if not (other_rules and is_variant):
        wanted = name if other_rules else game
        raise InvalidError(
            f"{weights.path}: the values were learned for {weights.game}, not for {wanted}; "
            f"give values learned for {wanted}"
        )
    return f"were learned for {weights.game}, not for {game}"


def check_code(weights: Weights, rules: Rules, *code: Any, other_rules: bool = False) -> str | None:
    """Check that the rules and `code` have not changed since the training run.

    Returns None if the rules and the code are unchanged. Otherwise returns a phrase that states what has changed, for a
    notice to the user.

    Raises InvalidError if the rules or the code have changed, unless the keyword argument `other_rules` is True.
    """
    changed = difference(_noted(weights), provenance(rules, *code), "the values were learned")
    if (
        changed is None
        and weights.game == format_game(rules)
        and weights.metadata.get("fingerprint") != fingerprint(rules)
    ):
        changed = f"the rules of {weights.game} have changed since the values were learned"
    if changed is not None and not other_rules:
        raise InvalidError(f"{weights.path}: {changed}; train again, {USE_ANYWAY}")
    return changed


def notice_of(what: str, other: str | None, changed: str | None) -> str | None:
    """Combine the results of `check_game` and `check_code` into one notice to the user, or None if both are None."""
    return "; ".join(note for note in (other and f"its {what} {other}", changed) if note) or None


def _noted(weights: Weights) -> Parts:
    try:
        parts = json.loads(weights.metadata.get("provenance", "{}"))
    except (ValueError, RecursionError):
        parts = None
    if not (isinstance(parts, dict) and all(isinstance(digest, str) for digest in parts.values())):
        raise InvalidError(f"{weights.path}: the file is damaged: its digests of the code are invalid; train again")
    return parts
