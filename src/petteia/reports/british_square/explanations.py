"""The settings in which both results of the project hold: very many draws, and no gain over random play.

The settings that the project leaves open are compared by each reading of the rules and in both seats. A setting in
which both results hold is a possible explanation of the project's results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import NamedTuple

from petteia.reports.british_square import plan
from petteia.reports.british_square.claims import BOTH_SEATS, fits, no_gain
from petteia.reports.british_square.plan import PUBLISHED, READINGS, SEATS, UNTRAINED, term
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.measures import Part
from petteia.reports.engine.rules import NOT_JUDGED, Finding
from petteia.reports.engine.settings import Seated
from petteia.reports.engine.tables import Row, table

COUNTED: tuple[tuple[Part, ...], ...] = (("won",), ("won", "lost"))
"""the games that an observer may have counted: only games won, or games won and games lost"""


class Setting(NamedTuple):
    """A combination of settings that the term project may have used."""

    game: str
    seat: int
    alpha: float
    rule: str
    middle: str
    depth: int

    @property
    def learner(self) -> Seated:
        """The learner with this setting."""
        return term(self.game, self.seat, *self[2:])


SETTINGS = [
    Setting(game, seat, *each) for game, seat, each in product(READINGS, BOTH_SEATS, [*plan.untrained(), *plan.grid()])
]


@table(
    *("the game ends", "seat", "alpha", "search depth in play"),
    *("both results hold, if only wins are counted", "both results hold, if losses are counted, too"),
)
def fitting(evidence: Evidence) -> Iterator[Row]:
    """Yield the number of settings in which both results hold, by interpretation of the rules, seat, alpha, depth."""
    return explanations(
        evidence, lambda each: (READINGS[each.game], SEATS[each.seat], words_of_alpha(each.alpha), str(each.depth))
    )


def summary(evidence: Evidence) -> list[Row]:
    """Return in how many settings both results hold, by interpretation of the rules, seat, and training."""
    return [
        *explanations(
            evidence,
            lambda each: (READINGS[each.game], SEATS[each.seat], "untrained" if each.alpha == UNTRAINED else "trained"),
        )
    ]


def explanations(evidence: Evidence, group: Callable[[Setting], tuple[str, ...]]) -> Iterator[Row]:
    """Yield a row for each group of settings, if both results of the project can hold in at least one of them."""
    for words in dict.fromkeys(map(group, SETTINGS)):
        settings = [each for each in SETTINGS if group(each) == words]
        ways = [[fits(each.learner, parts).judge(evidence) for each in settings] for parts in COUNTED]
        if any(finding.answer is not False for findings in ways for finding in findings):
            yield [*words, *map(counted, ways)]


def without_gain(evidence: Evidence) -> str:
    """Return the number of settings of the published game in which a trained program shows no gain in games won."""
    settings = (each for each in SETTINGS if each.game == PUBLISHED and each.alpha != UNTRAINED)
    return counted(no_gain(each.learner, "won").judge(evidence) for each in settings)


def counted(findings: Iterable[Finding]) -> str:
    """Return the number of findings that are true, and the number of all findings, in words."""
    found = [*findings]
    if not all(each.is_judged for each in found):
        return NOT_JUDGED
    answers = [each.answer for each in found]
    unclear = f" ({answers.count(None)} undecided)" if None in answers else ""
    return f"{answers.count(True)} of {len(answers)}{unclear}"


def words_of_alpha(alpha: float) -> str:
    """Return the step size alpha as text: `untrained` for 0, otherwise in scientific notation."""
    return "untrained" if alpha == UNTRAINED else f"{alpha:.0e}"
