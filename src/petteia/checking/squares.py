"""Functions that call and check a game's method `contents`, which lists the content of each square."""

from __future__ import annotations

from petteia.checking.notes import Notes
from petteia.checking.sample import ConformanceError, Sample, check_int, where
from petteia.core.protocol import MAX_SQUARES, Rules, State, content_kinds, contents, initial, provides

BOTH = ("contents", "content_kinds")
"""The methods that must be defined together."""
UNWRITTEN = -1


def contents_of(rules: Rules, state: State) -> list[int]:
    """Call the method `contents`, and return the content of each square. Raises ConformanceError if it is invalid."""
    kinds = check_int(content_kinds(rules), "content_kinds returned", rules, minimum=1)
    out = [UNWRITTEN] * (MAX_SQUARES + 1)
    squares = check_int(contents(rules, state, out), "contents returned", rules, state, minimum=1)
    if squares > MAX_SQUARES:
        raise ConformanceError(f"{where(rules, state)}: contents returned {squares}; must be at most {MAX_SQUARES}")
    for square, content in enumerate(out[:squares]):
        if type(content) is not int or not 0 <= content < kinds:
            fact = f"contents wrote {content!r} for square {square}; must be an int in 0..{kinds - 1}"
            raise ConformanceError(f"{where(rules, state)}: {fact}, as content_kinds(rules) is {kinds}")
    return out[:squares]


def contents_of_squares(sample: Sample, notes: Notes) -> None:
    """Check that `contents`, if defined, writes valid numbers, and always for the same number of squares."""
    rules = sample.rules
    defined = [name for name in BOTH if provides(rules, name)]
    if len(defined) == 1:
        (missing,) = {*BOTH} - {*defined}
        notes.fail(f"{where(rules)}: defines {defined[0]} but not {missing}; define both")
    if len(defined) < len(BOTH):
        return
    squares = None
    with notes:
        squares = len(contents_of(rules, initial(rules)))
    for visit in sample.visits if squares is not None else ():
        with notes:
            if (now := len(contents_of(rules, visit.state))) != squares:
                raise ConformanceError(
                    f"{where(rules, visit.state)}: contents wrote {now} squares; must be {squares}, as at the start"
                )
