"""Figures and claims of a made-up report, whose evidence is a dictionary of values by name."""

from __future__ import annotations

from typing import Any

from petteia.reports.engine.claims import Claim
from petteia.reports.engine.estimates import (
    NUMBER,
    SHARE,
)
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import (
    above,
)


def figure(name: str, unit: Any = SHARE) -> Figure:
    return Figure(f"the {name}", unit, lambda evidence: evidence[name])


A, B, N = figure("a"), figure("b"), figure("n", NUMBER)
STEADY = [0.80, 0.81, 0.82, 0.80, 0.81]
CLAIMS = (
    Claim("long", "Part", "It *takes* 500,000 games <a>.", above(A, 0.5), needs_paper=True),
    Claim("short", "Part", "It is so.", above(A, 0.5)),
)
