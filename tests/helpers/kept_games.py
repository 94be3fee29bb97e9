"""Games against a player that learns while it plays, kept in a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from small_agents import HARE

import petteia
from petteia.playing.session import Session
from petteia.value_functions.table_file import load_table

Q = "q:alpha=0.5,gamma=0.9,epsilon=0.2"
LEARNT = "q:agent=AGENT,alpha=0.5,gamma=0.9,epsilon=0.2"


def begun(seed: int = 0, q: str = Q, *, name: str = "kept", game: Any = HARE, **options: Any) -> Session:
    """A game of hounds that learn and are kept against a person."""
    return petteia.session(game, (q, "human"), keep=name, seed=seed, **options)


def played(seed: int = 0, q: str = Q, **options: Any) -> Session:
    """The same, played to its end; the person makes the last legal move."""
    with begun(seed, q, **options) as session:
        session.advance()
        while not session.is_over:
            session.play(session.position.moves[-1])
            session.advance()
        return session


def lines(name: str = "kept") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("runs", name, "points.jsonl").read_text().splitlines()]


def table(name: str = "kept", rules: Any = HARE) -> Any:
    return load_table(Path("runs", name, "weights.safetensors"), rules)
