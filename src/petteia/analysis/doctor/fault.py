"""The class `Fault`, which describes a fault that a diagnosis can find in a training run."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from petteia.analysis.doctor.advice import Change
from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.signs import Figures
from petteia.experiments.options import LEARNERS


class Fault(NamedTuple):
    """A fault that a training run can have, with the test that finds it, its messages and the suggested changes."""

    name: str
    """the name of the fault"""
    examines: str
    """the subject of the check, as text"""
    sign: Callable[[Evidence], Figures | None]
    """the test: returns the figures that show the fault, or None"""
    wrong: str
    """a description of the fault"""
    evidence: str
    """the evidence, as text"""
    change: str
    """the suggested change, as text"""
    tries: tuple[Change, ...] = ()
    """the alternatives for the change, each as options of `petteia train`"""
    learners: type | tuple[type, ...] = LEARNERS
    """the kinds of learners that can have the fault"""
    ends_all: bool = False
    """whether the diagnosis stops if this fault is found"""
    beside: tuple[str, ...] | None = None
    """the check is made only if this tuple contains all faults found so far; with None it is always made"""
    explained_by: tuple[str, ...] = ()
    """the check is left out if one of these faults was found, because this fault would only be their effect"""
    of_measured: bool = False
    """whether the test needs evaluation games, which a table that learned while it played does not have"""
