"""The tables of the page, and its figures as rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from petteia.reports.british_square import figures, plan
from petteia.reports.british_square.evidence import SAMPLE, STAGE_NAMES, Evidence, GivenAway, Shares
from petteia.reports.british_square.plan import PROJECT, PUBLISHED, RULES, SEATS, Setting, suspect, term
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.output import Rows
from petteia.reports.engine.work import usual_seconds

Row = list[str | Figure]


def percent(share: float) -> str:
    """A share as whole per cent."""
    return f"{share:.0%}"


def in_words(shares: Shares) -> str:
    """Games won, drawn and lost."""
    return " / ".join(map(percent, shares))


def mean(shares: Iterable[Shares]) -> Shares:
    """The mean over trainings."""
    columns = [*zip(*shares, strict=True)]
    return Shares(*(sum(column) / len(column) for column in columns))


def term_project(evidence: Evidence) -> list[list[str]]:
    """Games against the random player under each reading of the rules, in both seats."""
    rows = []
    for game, words in RULES.items():
        for seat, name in enumerate(SEATS):
            learned = [mean(evidence.shares(each, depth)) for each in plan.grid(game, seat) for depth in plan.DEPTHS]
            won, lost = ([getattr(each, part) for each in learned] for part in ("won", "lost"))
            rows.append(
                [
                    *(words, name, in_words(evidence.of_random(game, seat))),
                    in_words(mean(evidence.shares(term(game, seat, 0.0)))),
                    in_words(mean(evidence.shares(term(game, seat)))),
                    f"{percent(min(won))} to {percent(max(won))}",
                    f"{percent(min(lost))} to {percent(max(lost))}",
                ]
            )
    return rows


def whole_grid(evidence: Evidence) -> list[list[str]]:
    """All settings that the term project may have had, as first and as second player."""
    rows = []
    for number, each in enumerate(plan.grid(PROJECT, 0)):
        for depth in plan.DEPTHS:
            values = each.values
            rows.append(
                [
                    *(f"{values['alpha']:g}", plan.MOMENTS[values["learner"]], plan.MIDDLES[values["features"]]),
                    plan.LOOKS[depth],
                    *(
                        in_words(mean(evidence.shares(plan.grid(game, seat)[number], depth)))
                        for game in RULES
                        for seat in range(len(SEATS))
                    ),
                ]
            )
    return rows


def suspects(evidence: Evidence) -> list[Row]:
    """The term project's learner with one thing changed, and with all; and as it is, looking at its own move alone."""
    ways: list[tuple[str, str, int | None]] = [(name, words, None) for name, words in plan.TREATMENTS.items()]
    ways.insert(1, (plan.NOTHING, "nothing, but it looks at its own move alone, not at the reply", 1))
    return [
        [
            words,
            *(
                in_words(mean(evidence.shares(suspect(name, game, seat), depth)))
                for game in (PROJECT, PUBLISHED)
                for seat in (0, 1)
            ),
            *(figures.given_away(suspect(name, PUBLISHED, seat), SAMPLE, depth) for seat in (0, 1)),
        ]
        for name, words, depth in ways
    ]


def learners(evidence: Evidence) -> list[Row]:
    """Ways to learn, under the rules of the published game."""
    rows: list[Row] = []
    for name, words in plan.LEARNERS.items():
        settings = [plan.working(name, seat) for seat in (0, 1)]
        rows.append(
            [
                words,
                *(figures.won(each) for each in settings),
                *(figures.given_away(each, SAMPLE) for each in settings),
                f"{usual_seconds(evidence.cell(settings[0]).trainings):.0f} s",
            ]
        )
    return rows


def best_learner(evidence: Evidence) -> str:
    """The way to learn whose moves give away least over the sample, both seats together, in words."""

    def away(name: str) -> float:
        return sum(figures.given_away(plan.working(name, seat), SAMPLE).mean(evidence) for seat in (0, 1))

    return plan.LEARNERS[min(plan.LEARNERS, key=away)]


def ceilings(evidence: Evidence) -> list[list[str]]:
    """How often random play can be beaten at all."""
    return [
        [
            *(RULES[game], SEATS[seat], in_words(evidence.of_random(game, seat))),
            *(f"{each.won:.1%}" for each in evidence.ceilings(game, seat)),
            f"{evidence.ceilings(game, seat)[0].regret:.3f}",
        ]
        for game in (PROJECT, PUBLISHED)
        for seat in (0, 1)
    ]


MEASURED: dict[str, tuple[Setting, Setting]] = {
    "the term project's learner, by its own rules": (term(PROJECT, 0), term(PROJECT, 1)),
    "the term project's learner, by those of the published game": (term(PUBLISHED, 0), term(PUBLISHED, 1)),
    "the same with all suspects changed": (suspect(plan.ALL, PUBLISHED, 0), suspect(plan.ALL, PUBLISHED, 1)),
    "the learner that works": (plan.working(plan.BEST, 0), plan.working(plan.BEST, 1)),
}
"""Learners whose moves are judged, in both seats."""
OWN_GAMES = ("random", "perfect")


def moves(evidence: Evidence) -> list[Row]:
    """What moves give away: in games against the random and the perfect player, and over a sample."""
    rows: list[Row] = []
    for seat, name in enumerate(SEATS):
        random = {each: evidence.given_away_by("random", PUBLISHED, seat, each) for each in (*OWN_GAMES, SAMPLE)}
        rows.append(
            [
                *("random play, by the rules of the published game", name),
                *(text for each in OWN_GAMES for text in (f"{random[each].mean:.3f}", f"{random[each].by_game:.2f}")),
                f"{random[SAMPLE].mean:.3f}",
            ]
        )
    for words, settings in MEASURED.items():
        for each in settings:
            own = (f(each, other) for other in OWN_GAMES for f in (figures.given_away, figures.by_game))
            rows.append([words, SEATS[each.seat], *own, figures.given_away(each, SAMPLE)])
    return rows


def stages(evidence: Evidence) -> list[Row]:
    """What moves give away over the sample, by stage of the game."""
    return [
        [words, SEATS[each.seat], *(figures.of_stage(each, SAMPLE, stage) for stage in range(len(STAGE_NAMES)))]
        for words, settings in MEASURED.items()
        for each in settings
    ]


def against_perfect(evidence: Evidence) -> list[Row]:
    """Games against the perfect player."""
    return [
        [words, SEATS[each.seat], *(figures.against_perfect(each, part) for part in ("won", "drawn", "full"))]
        for words, settings in MEASURED.items()
        if settings[0].game == PUBLISHED
        for each in settings
    ]


def match_rows(evidence: Evidence) -> Rows:
    """A row for each training and seat: its games against the random player."""
    settings = [each for game in RULES for seat in (0, 1) for each in plan.grid(game, seat)]
    settings += [
        suspect(name, game, seat) for name in plan.TREATMENTS for game in (PROJECT, PUBLISHED) for seat in (0, 1)
    ]
    settings += [plan.working(name, seat) for name in plan.LEARNERS for seat in (0, 1)]
    return [
        _named(each, number) | shares._asdict()
        for each in settings
        for number, shares in enumerate(evidence.shares(each))
    ]


def move_rows(evidence: Evidence) -> Rows:
    """A row for each training, seat and set of positions: what its moves give away."""
    return [
        _named(setting, number) | {"over": over} | _flat(row)
        for settings in MEASURED.values()
        for setting in settings
        for over in (*OWN_GAMES, SAMPLE)
        for number, row in enumerate(evidence.given_away(setting, over))
    ]


def _named(setting: Setting, number: int) -> dict[str, Any]:
    return {
        "experiment": setting.experiment,
        "learner": setting.words,
        "rules": plan.CODES[setting.game],
        "seat": SEATS[setting.seat],
        "training": number,
    }


def _flat(row: GivenAway) -> dict[str, Any]:
    plain = {name: value for name, value in row._asdict().items() if name != "stages"}
    return plain | dict(zip(STAGE_NAMES, row.stages, strict=True))
