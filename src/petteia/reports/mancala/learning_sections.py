"""The sections about learning: the two readings of the update, the weights, and the seat in which one learns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.analysis.settling import swings
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.features.report_weights import report_weights
from petteia.reports import page
from petteia.reports.mancala.claims import READING, SEAT, WEIGHTS
from petteia.reports.mancala.evidence import LOWER, OWN, READINGS, SEATS, Evidence, of_another, over_seeds
from petteia.reports.mancala.figures import COLUMNS, REST
from petteia.reports.mancala.judges import holds, progress, reproduces, win_shares
from petteia.reports.mancala.published import BOTH_SIDES, LOWER_ONLY, PROGRESS, SWINGING
from petteia.reports.mancala.shown import Shown
from petteia.reports.mancala.tables import statements
from petteia.reports.mancala.weight_judges import away
from petteia.reports.mancala.words import READING_WORDS, counted, extent, met_by, size, so_many
from petteia.reports.page import Html
from petteia.reports.verdicts import AGREES, DIFFERS, UNTOLD, Answer, Finding

SWING = 0.1
LAST_SHARE = 10
"""weights are asked whether they still swing over one part in so many of the games: R's last 50,000 of 500,000"""
SEAT_WORDS = ("as first", "as second")
BAND_WORDS = "Lines are means over the seeds, bands their range."
SMALL_WORDS = "Those that are less than 0.1 in the end, in the mean of the seeds."


def reading(evidence: Evidence, shown: Shown) -> list[str]:
    """Which reading of the update gives the report's figures."""
    return [
        page.heading("Learning, and two readings of it"),
        page.paragraph(
            "Q-learning in self-play on the board after the own move. R does not say whether the weights are updated "
            "after the learner's own plies only, its seat being drawn for each game, or after every ply of both. "
            f"Both were done, with {counted(evidence.seeds, 'seed')} each. Either side begins a game, and the opponent "
            f"is {met_by(evidence.agent)}."
        ),
        page.figure(shown.charts["curves-own"], _points(evidence)),
        page.figure(shown.charts["curves-every"], _points(evidence)),
        _progress(evidence),
        page.paragraph(
            "Games won by theta1 against greedy1, in per cent: means over the seeds and, below, their range. The side "
            f"bar says whether R's figure lies where 95 % of further single trainings would. {which_reading(evidence)}"
        ),
        *statements(shown, READING),
    ]


def _points(evidence: Evidence) -> str:
    games = evidence.agent.configuration.evaluation_games
    return f"Each point is {games} games without learning in a seat. {BAND_WORDS}"


def _progress(evidence: Evidence) -> str:
    rows = []
    for mark, words, line in zip(evidence.marks, evidence.mark_words(), PROGRESS, strict=True):
        for seat, printed in zip(SEATS, line, strict=True):
            cells = [_over_seeds(evidence, each, mark, seat, printed.wins) for each in READING_WORDS]
            rows.append([f"{words}, {SEAT_WORDS[seat]}", printed.text, *cells])
    return page.table(["games", "R (wins/draws)", *READING_WORDS.values()], rows)


def _over_seeds(evidence: Evidence, kind: str, mark: int | None, seat: int, printed: float) -> Html:
    shares = win_shares(evidence, evidence.trainings(READINGS, side=kind), mark, seat)
    verdict = Finding("", holds(of_another(shares), printed / 100.0)).verdict
    return page.compared(*_ranged(shares), verdict)


def _ranged(shares: Sequence[float]) -> tuple[str, list[str]]:
    """The mean of shares, and their range."""
    return f"{np.mean(shares):.1%}", [extent(shares, ".1%")]


def inside(evidence: Evidence, kind: str) -> list[Answer]:
    """For each of the ten figures of progress, whether further trainings of this reading could have it."""
    return [holds(of_another(shares), printed) for shares, printed in progress(kind, evidence)]


def distance(evidence: Evidence, kind: str) -> float:
    """How far the means of a reading are from the report's ten figures of progress, in the mean."""
    return float(np.mean([abs(np.mean(shares) - printed) for shares, printed in progress(kind, evidence)]))


def which_reading(evidence: Evidence) -> str:
    """Which of the readings gives the report's figures, in words."""
    final = {kind: reproduces(kind, evidence).answer for kind in READING_WORDS}
    if None in final.values():
        return "With so few seeds it cannot be told which reading gives R's figures."
    fitting = [words for kind, words in READING_WORDS.items() if final[kind]]
    if len(fitting) == 1:
        verdict = (
            f"R's final figures lie within the scatter of learning {fitting[0]}, outside that of the other reading"
        )
    elif fitting:
        verdict = "R's final figures lie within the scatter of both readings"
    else:
        verdict = "R's final figures lie outside the scatter of both readings"
    told = " and ".join(
        f"{words} {Counter(inside(evidence, kind))[True]} (means {distance(evidence, kind) * 100:.1f} points off)"
        for kind, words in READING_WORDS.items()
    )
    return f"<strong>{verdict}.</strong> Of R's ten figures of progress so many lie within it: {told}."


def weights(evidence: Evidence, shown: Shown) -> list[str]:
    """The learned weights beside the report's, and how they come to rest or do not."""
    return [
        page.heading("The forty weights"),
        page.paragraph(
            f"The last weights: means over the seeds and, below, their range. A side bar says whether R's lies where "
            f"95 % of further single trainings would; {_weights_inside(evidence)} do, learning by own plies. "
            f"The whole vector is {_away(evidence)} of the length of R's away from it. "
            "The checks below matter more than single figures."
        ),
        *(part for kind in READING_WORDS for part in _weights(evidence, kind)),
        *statements(shown, WEIGHTS),
        page.heading("How the weights move"),
        page.figure(shown.charts["norm"], f"{BAND_WORDS} R's is {_longer(evidence):.1f} times as long as ours."),
        page.paragraph("Every weight over the games, of the training that plays as theta below:"),
        *(page.figure(shown.charts[f"weights-{name}"], f"{title}.") for name, (title, _) in COLUMNS.items()),
        page.figure(shown.charts["weights-rest"], "The differences of the stores, the player, and the constant."),
        *(page.figure(shown.charts[f"weights-small-{side}"], SMALL_WORDS) for side in ("lower", "upper")),
        *_swinging(evidence),
    ]


def verdict_of_weight(evidence: Evidence, kind: str, number: int) -> str:
    """Whether the report's weight of this number could be that of a further training."""
    values = evidence.weights(READINGS, side=kind)[:, number]
    return Finding("", holds(of_another(values), float(report_weights()[number]))).verdict


def _weights_inside(evidence: Evidence) -> str:
    counts = Counter(verdict_of_weight(evidence, OWN, number) for number in range(len(report_weights())))
    return f"{counts[AGREES]} of {counts.total()}"


def _away(evidence: Evidence) -> str:
    """How far the weights are from the report's with each reading."""
    found = [over_seeds(away(evidence.weights(READINGS, side=kind))) for kind in READING_WORDS]
    return " and ".join(
        f"{size(each, '.0%')} {words}" for each, words in zip(found, READING_WORDS.values(), strict=True)
    )


def weight_names(evidence: Evidence) -> tuple[str, ...]:
    """What the weights are called."""
    return names(feature_set_for(evidence.rules, "report"), evidence.rules)


def _weights(evidence: Evidence, kind: str) -> list[str]:
    """The weights of a reading in the order of the report: its four columns, and the other four."""
    columns = list(COLUMNS.values())
    rows = [[name, *(_weight(evidence, kind, start + i) for _, start in columns)] for i, name in enumerate(POTENTIALS)]
    rest = [_weight(evidence, kind, number) for number in REST]
    return [
        page.paragraph(f"<strong>Learned {READING_WORDS[kind]}</strong>"),
        page.table(["", *(title for title, _ in columns)], rows),
        page.table(list(REST.values()), [rest]),
    ]


def _weight(evidence: Evidence, kind: str, number: int) -> Html:
    ours = evidence.weights(READINGS, side=kind)[:, number]
    notes = [f"R {report_weights()[number]:.4f}", f"{ours.min():.3f} to {ours.max():.3f}"]
    return page.compared(f"{ours.mean():.3f}", notes, verdict_of_weight(evidence, kind, number))


def _longer(evidence: Evidence) -> float:
    """How many times as long the report's vector of weights is as ours, in the mean."""
    lengths = np.sqrt(np.square(evidence.weights()).sum(axis=1))
    return float(np.sqrt(np.square(report_weights()).sum()) / lengths.mean())


def plain(name: str) -> str:
    """The name of a weight in words: R's lower side is South, its upper one North."""
    mover, _, rest = name.replace("south", "lower").replace("north", "upper").partition(".")
    return name if not rest else f"{mover.replace('_', ' ')}: {rest.replace('.', ' ')}"


def swinging(evidence: Evidence) -> list[tuple[str, bool, int, str]]:
    """Of each weight: its name, whether R lists it, in how many trainings it still swings, and the verdict."""
    learned = [evidence.learned(each) for each in evidence.trainings()]
    still = np.array([swings(each, each.games // LAST_SHARE) > SWING for each in learned]).sum(axis=0)
    found = []
    for name, count in zip(weight_names(evidence), still.tolist(), strict=True):
        listed = name in SWINGING
        answer = None if 2 * count == len(learned) else (2 * count > len(learned)) == listed
        found.append((name, listed, count, Finding("", answer).verdict))
    return found


def _swinging(evidence: Evidence) -> list[str]:
    known = swinging(evidence)
    counts = Counter(verdict for *_, verdict in known)
    listed = [each for each in known if each[1] or each[2]]
    rows = [
        [plain(name), "yes" if is_listed else "no", page.compared(f"{count} of {evidence.seeds}", [], verdict)]
        for name, is_listed, count, verdict in listed
    ]
    games = evidence.agent.configuration.games // LAST_SHARE
    return [
        page.heading("Weights that never settle"),
        page.paragraph(
            f"R lists {len(SWINGING)} weights that still swing by more than {SWING:g} over the last 50,000 games. "
            f"Beside it, in how many of our trainings each does so over the last {games:,}. A weight agrees if it is "
            f"listed and more than half do, or not listed and fewer do: of {len(known)}, "
            f"{so_many(counts[AGREES], 'agree')}, {so_many(counts[DIFFERS], 'differ')}, {counts[UNTOLD]} cannot be "
            "told. Shown are those that swing in either."
        ),
        page.table(["weight", "in R's list", "swings here"], rows) if rows else page.paragraph("None does."),
    ]


def seat(evidence: Evidence, shown: Shown) -> list[str]:
    """The learner that is always lower."""
    lower = evidence.trainings(LOWER)
    rows = []
    both = evidence.trainings()[: len(lower)]
    wins_of_lower = win_shares(evidence, lower, None, 1)
    for words, trainings, printed in (("both sides", both, BOTH_SIDES), ("always lower", lower, LOWER_ONLY)):
        first, second = (win_shares(evidence, trainings, None, each) for each in SEATS)
        verdict = Finding("", holds(of_another(second), printed)).verdict
        rows.append([words, page.compared(*_ranged(first)), page.compared(*_ranged(second), verdict), f"{printed:.0%}"])
    return [
        page.heading("One who is always lower"),
        page.paragraph(
            f"{counted(len(lower), 'training')} in which the learner was always the lower side, beside those of the "
            "same seeds in which its side was drawn. Wins of theta1 against greedy1."
        ),
        page.table(["learned on", *SEAT_WORDS, "R, as second"], rows),
        page.paragraph(
            "Moves are chosen by what the position after them is worth. As second, the upper side, it chooses among "
            "positions with the lower side to move. Who is always lower comes by such positions after its own move "
            "only where it has another turn, and learns about them only where it chose that turn itself: nothing is "
            "learned from random moves."
        ),
        page.paragraph(_why_lower(evidence.weights(LOWER), evidence.weights()[: len(lower)], wins_of_lower)),
        page.figure(
            shown.charts["lower-only"],
            "The weights by their numbers, those of a block one after the other: 1 to 19 lower to move, 20 to 38 upper "
            f"to move. {BAND_WORDS}",
        ),
        *statements(shown, SEAT),
    ]


def _why_lower(lower: NDArray[np.float64], both: NDArray[np.float64], wins: Sequence[float]) -> str:
    """What is left of the weights for the lower side to move, and whether the report's figure is within the scatter."""
    ours, others = (extent(first_block(each).tolist(), ".2f") for each in (lower, both))
    placed = "inside" if min(wins) <= LOWER_ONLY <= max(wins) else "outside"
    return (
        f"Its weights for the lower side to move are {ours} times as long as those for the upper side to move, of who "
        f"learned on both sides {others} times; R's, learned on both sides, {float(first_block(report_weights())):.2f} "
        f"times. As second it wins {extent(wins, '.0%')} of its games: R's {LOWER_ONLY:.0%} lies {placed} that range."
    )


def first_block(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The length of the weights for the lower side to move, in units of that of those for the upper side to move."""
    lower, upper = (weights[..., start : start + BLOCK] for start in (0, BLOCK))
    found: NDArray[np.float64] = np.linalg.norm(lower, axis=-1) / np.linalg.norm(upper, axis=-1)
    return found
