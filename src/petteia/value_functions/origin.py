"""What was learned belongs to rules and to code: noted in its weights file, and looked at when it is to be used."""

from __future__ import annotations

import json
from typing import Any

from petteia.core.errors import InvalidError
from petteia.core.names import format_game, name_of
from petteia.core.protocol import Rules
from petteia.provenance.live import Parts, difference, provenance
from petteia.records.fingerprint import fingerprint
from petteia.records.weights import Weights

ALL_THE_SAME = "or play by it all the same with other_rules=yes"


def origin_of(rules: Rules, *code: Any) -> dict[str, str]:
    """Metadata of a weights file: how the rules behave, and the users' code of them and of `code`, if there is any."""
    parts = provenance(rules, *code)
    return {"fingerprint": fingerprint(rules)} | ({"provenance": json.dumps(parts)} if parts else {})


def check_game(weights: Weights, rules: Rules, *, other_rules: bool = False) -> str | None:
    """What rules these weights were learned for, in words; None if for these.

    Raises InvalidError for those of another game, and of another variant unless `other_rules` are asked for.
    """
    game, name = format_game(rules), name_of(type(rules))
    if weights.game == game:
        return None
    is_variant = weights.game == name or weights.game.startswith(f"{name}:")
    if not (other_rules and is_variant):
        raise InvalidError(f"{weights.path}: was learned for {weights.game}, not for {name if other_rules else game}")
    return f"were learned for {weights.game}, not for {game}"


def check_code(weights: Weights, rules: Rules, *code: Any, other_rules: bool = False) -> str | None:
    """What has changed of the rules, and of `code`, since these weights were learned; None if nothing.

    Raises InvalidError if something has, unless `other_rules` are asked for.
    """
    changed = difference(_noted(weights), provenance(rules, *code), "it was learned")
    if (
        changed is None
        and weights.game == format_game(rules)
        and weights.metadata.get("fingerprint") != fingerprint(rules)
    ):
        changed = f"the rules of {weights.game} have changed since it was learned"
    if changed is not None and not other_rules:
        raise InvalidError(f"{weights.path}: {changed}; learn again, {ALL_THE_SAME}")
    return changed


def notice_of(what: str, other: str | None, changed: str | None) -> str | None:
    """What people should be told of an agent, by what the two checks have found; None if that is nothing."""
    return "; ".join(note for note in (other and f"its {what} {other}", changed) if note) or None


def _noted(weights: Weights) -> Parts:
    try:
        parts = json.loads(weights.metadata.get("provenance", "{}"))
    except (ValueError, RecursionError):
        parts = None
    if not (isinstance(parts, dict) and all(isinstance(digest, str) for digest in parts.values())):
        raise InvalidError(f"{weights.path}: is damaged: it does not say by what code it was learned")
    return parts
