"""The sections of the page: from the evidence to HTML, and every word with a figure in it computed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from petteia.core.protocol import initial
from petteia.render import board_svg
from petteia.reports import page
from petteia.reports.engine.frames import frames
from petteia.reports.hare_and_hounds import figures
from petteia.reports.hare_and_hounds.beyond import BEYOND
from petteia.reports.hare_and_hounds.evidence import (
    ALPHA,
    EPSILON,
    GAME,
    GAMMA,
    RANDOM_MOVES,
    RATES,
    RECIPE,
    SIMPLE,
    Evidence,
    level,
    over_seeds,
)
from petteia.reports.hare_and_hounds.shown import HOUNDS, PERFECT_HOUNDS, Shown
from petteia.reports.hare_and_hounds.thesis import CONCLUDING, CONVERGING, DEVIATIONS, LEARNING, LOWEST, TRYING
from petteia.reports.hare_and_hounds.truth import REACHABLE
from petteia.reports.verdicts import AGREES, DIFFERS, UNTOLD


def sections(evidence: Evidence, shown: Shown) -> list[str]:
    """All of the page, in order."""
    parts = (opening, in_short, a_game, experiments, *BEYOND, closing)
    return [html for part in parts for html in part(evidence, shown)]


def opening(evidence: Evidence, shown: Shown) -> list[str]:
    """The board and the main curve."""
    best, rules = evidence.best, evidence.rules
    first, last = best.scores[:, 0].mean(), level(best)
    return [
        page.paragraph(
            "Three hounds try to trap a hare; they may never go back. At the start of this page nobody has told them "
            "anything but the rules. They play against a hare that moves at random, and after every game they know "
            "only whether they have won. This is what a Swedish bachelor's thesis made them do, and this page does it "
            "again: all its experiments, and what it could not know, as the game is solved here."
        ),
        page.figure(
            board_svg(rules, initial(rules)), "The start: the hounds move right or vertically, the hare any way."
        ),
        page.heading("What they learn"),
        page.figure(
            shown.charts["curve"],
            f"From {first:.0%} of the games won after {best.games[0]:,} games to {last.mean:.1%} in the last quarter. "
            f"{figures.band([best])}",
        ),
    ]


def in_short(evidence: Evidence, shown: Shown) -> list[str]:
    """What there is to remember."""
    counts = Counter(finding.verdict for _, finding in shown.found)
    judged = evidence.judgements(evidence.best)
    reached = over_seeds(each.sets[REACHABLE].perfect_share for each in judged)
    beaten = over_seeds(1.0 - each.scores["perfect"] for each in judged)
    limit = evidence.truth.limit_of_learning("random", GAMMA)
    recipe = evidence.judgements(evidence.cell(RECIPE))
    faultless = sum(each.sets[REACHABLE].given_away == 0 for each in recipe)
    solution, is_not = evidence.truth.solution, "is not" if reached.mean < 1.0 else "is"
    return [
        page.short(
            [
                f"Of {len(shown.found)} statements of the thesis, {counts[AGREES]} agree with what is found here, "
                f"{counts[DIFFERS]} differ, and of {counts[UNTOLD]} it cannot be told.",
                f"<strong>The hounds win with best play, in {solution.plies} plies.</strong> What is learned against "
                f"the random hare {is_not} the ultimate strategy: {reached.mean:.1%} of its moves are perfect, and the "
                f"perfect hare wins {beaten.mean:.0%} of its games against it. Longer learning would not help: even "
                f"the exact values give away {limit[REACHABLE].given_away:,.0f} of {limit[REACHABLE].won:,} won "
                "positions.",
                "What it takes is a better teacher, and games that start anywhere. Against a hare that is perfect nine "
                "times in ten the hounds learn to keep every won position that can be reached, with "
                f"{faultless} of {len(recipe)} seeds.",
            ]
        )
    ]


def a_game(evidence: Evidence, shown: Shown) -> list[str]:
    """Two games of the trained hounds, move by move."""
    return [
        page.heading("A game, move by move"),
        page.paragraph("The trained hounds against the random hare. Use the buttons, or the arrow keys."),
        page.game(frames(shown.games["random"])),
        page.paragraph("And against the perfect hare, which wins whenever it can, and holds out when it cannot:"),
        page.game(frames(shown.games["perfect"])),
    ]


def experiments(evidence: Evidence, shown: Shown) -> list[str]:
    """The thesis's four experiments, and its conclusions."""
    rates = [cell for cell in evidence.found[RATES].cells if cell.cell.values["alpha"] == ALPHA]
    tried, simple = evidence.found[RANDOM_MOVES].cells, evidence.cell(SIMPLE)
    return [
        page.heading(f"1. {LEARNING}"),
        page.paragraph(
            "Nine combinations of the learning rate alpha and the discount gamma, every move of the learning hounds "
            "random (epsilon 1), against the random hare."
        ),
        *(page.figure(shown.charts[f"alpha-{alpha:g}"], figures.band(rates)) for alpha in _swept(evidence, "alpha")),
        *_statements(shown, LEARNING),
        page.heading(f"2. {TRYING}"),
        page.paragraph(f"Alpha {ALPHA}, gamma {GAMMA}, and a random move with probability epsilon."),
        page.figure(shown.charts["epsilon"], figures.band(tried)),
        *_statements(shown, TRYING),
        page.heading(f"3. {LOWEST}"),
        page.paragraph(
            f"Alpha {ALPHA}, gamma {GAMMA}, epsilon {EPSILON}, against a hare that always goes to the lowest square "
            "it can reach."
        ),
        page.figure(shown.charts["simple"], figures.band([simple])),
        *_statements(shown, LOWEST),
        page.heading(f"4. {CONVERGING}"),
        page.paragraph(
            "Three values followed while the hounds learn against the random hare. The level lines are the exact ones, "
            "worked out: the hounds' best average against this hare, a move later being worth a tenth less."
        ),
        page.gallery(figures.followed_boards(evidence)),
        page.figure(shown.charts["values"], "Lines are means over the seeds, bands their range."),
        *_statements(shown, CONVERGING),
        page.heading(CONCLUDING),
        *_statements(shown, CONCLUDING),
    ]


def closing(evidence: Evidence, shown: Shown) -> list[str]:
    """How it was done, and how to go on."""
    folder = shown.folder
    files = [f"{name}.toml: {found.plan.declaration.title}" for name, found in evidence.found.items()]
    return [
        page.heading("How it was done"),
        page.paragraph(
            "Tabular Q-learning: a value for every state in which the hounds were to move and each of their moves, "
            "0 at first. A value is moved towards the best value of the next state in which they are to move, after "
            "the hare's reply, times gamma; or towards +1 for a game won and &minus;1 for a game lost. The share it "
            "is moved by is alpha; while they learn, a move is random with probability epsilon. Every figure is a "
            f"mean over {evidence.seeds} seeds, with its 95&nbsp;% interval (Student's) where one stands in "
            "brackets. A verdict is computed from the interval: what all of it says is so, what none of it says is "
            "not, and else it cannot be told. The experiments are files that come with petteia; <code>petteia "
            "experiment NAME</code> runs one."
        ),
        page.bullets(files),
        page.heading("Where this differs from the thesis"),
        page.bullets([*_scale_note(evidence), *DEVIATIONS]),
        page.heading("How to go on"),
        page.commands(
            [
                f"petteia play {GAME} --as hare --against q:agent={folder / HOUNDS}",
                f"petteia play {GAME} --as hare --against q:agent={folder / PERFECT_HOUNDS}",
                f"petteia match {GAME} q:agent={folder / HOUNDS} perfect --seats fixed",
                f"petteia regret {GAME} q:agent={folder / HOUNDS}",
                f"petteia solve {GAME} --check",
                f"petteia train {GAME} --side hare --opponent q:agent={folder / PERFECT_HOUNDS}",
                "petteia experiment --list",
                "petteia new-game my_game",
            ]
        ),
    ]


def _statements(shown: Shown, part: str) -> list[str]:
    return [page.statement(each, finding) for each, finding in shown.found if each.part == part]


def _swept(evidence: Evidence, option: str) -> list[Any]:
    return list(dict.fromkeys(cell.cell.values[option] for cell in evidence.found[RATES].cells))


def _scale_note(evidence: Evidence) -> list[str]:
    if evidence.scale == "paper":
        return []
    return [
        f"This is the quick form of the report: fewer games than in the thesis, and {evidence.seeds} seeds, so that "
        "many intervals are too wide to tell. The whole takes some minutes: petteia report hare-and-hounds"
    ]
