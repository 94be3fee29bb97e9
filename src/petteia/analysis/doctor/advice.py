"""Changes of settings that a diagnosis suggests, as options of `petteia train`.

A suggested change is left out if a training run would reject its options, or if the run already has these settings.
"""

from __future__ import annotations

import shlex
import typing
from collections.abc import Mapping, Sequence

from petteia.analysis.doctor.remains import Remains
from petteia.core.errors import PetteiaError
from petteia.experiments.configuration import Configuration, configure
from petteia.experiments.options import LEARNERS, OPTIONS, flat, grouped
from petteia.learn.learners import LinearLearner

OTHER = "another"
"""A placeholder for a value other than that of the run, which the user must choose."""
ON = "on"
"""The value of an option that is to be switched on."""

THESE = "{left_out}"
"""A placeholder for the options to leave out. The figure `left_out` names them, separated by commas."""

Change = Mapping[str, str | None]
"""Options by their names in files, each with the suggested value, or None to leave it out."""


def filled(change: Change, figures: Mapping[str, object]) -> Change:
    """Replace the placeholders in a suggested change, such as `{alpha}`, with values from the dictionary `figures`."""
    if THESE in change:
        return dict.fromkeys(str(figures["left_out"]).split(", "))
    return {key: value and value.format(**figures) for key, value in change.items()}


def advised(seen: Remains, changes: Sequence[Change]) -> list[Change]:
    """Return the suggested changes that lead to valid settings. Options that the run already has are left out."""
    found = list[Change]()
    now = _with(seen, {})
    for change in changes:
        matters = {key: value for key, value in change.items() if value == OTHER or _with(seen, {key: value}) != now}
        if matters and _with(seen, matters) is not None and matters not in found:
            found.append(matters)
    return found


def in_words(changes: Sequence[Change]) -> str:
    """Return the suggested changes as command-line options of `petteia train`, separated by `or`."""
    return ", or ".join(map(_written, changes))


def _written(change: Change) -> str:
    flags = {key: OPTIONS[key].options[0].flag for key in change}
    left_out = ", ".join(flags[key] for key, value in change.items() if value is None)
    given = [_given(flags[key], value) for key, value in change.items() if value is not None]
    if not given:
        return f"leave out {left_out}"
    return " ".join(given) + (f" without {left_out}" if left_out else "")


def _given(flag: str, value: str) -> str:
    if value == OTHER:
        return f"{OTHER} {flag}"
    return flag if value == ON else f"{flag} {shlex.quote(value)}"


def _read(key: str, text: str) -> str | int | float:
    """Convert the value of an option from a string to the option's type."""
    kinds = typing.get_args(OPTIONS[key].kind) or (OPTIONS[key].kind,)
    if str in kinds:
        return text
    return float(text) if float in kinds else int(text)


def _with(seen: Remains, change: Change) -> Configuration | None:
    """Return the settings of the run after a suggested change; None if the changed settings are invalid."""
    known = flat(seen.settings)
    options = {key: known[key] for key in OPTIONS if key in known}
    if change.get("features") and not isinstance(seen.settings.learner, LinearLearner):
        options = {key: value for key, value in options.items() if OPTIONS[key].options[0].owner not in LEARNERS}
    if "epsilon" in change:  # epsilon and temperature exclude each other
        options.pop("temperature", None)
    for key, value in change.items():
        if value == OTHER:
            continue
        options.pop(key, None)
        if value == ON:
            options[key] = True
        elif value is not None:
            options[key] = _read(key, value)
    try:
        return configure(seen.rules, **grouped(options))[1]
    except PetteiaError:
        return None
