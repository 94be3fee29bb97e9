"""The sections on what the thesis lacked: the solution, and how far from it everything learned is."""

from __future__ import annotations

from typing import Any

from petteia.arena.statistics import Interval
from petteia.core.protocol import parse_state
from petteia.experiments.results import CellResult
from petteia.render import board_svg
from petteia.reports import page
from petteia.reports.engine.frames import frames
from petteia.reports.hare_and_hounds import figures
from petteia.reports.hare_and_hounds.evidence import (
    ALPHA,
    BOTH,
    ELSEWHERE,
    EPSILON,
    GAMMA,
    LEARNERS,
    RANDOM_MOVES,
    RATES,
    RECIPE,
    SIMPLE,
    Evidence,
    first_reach,
    level,
    over_seeds,
    spread,
)
from petteia.reports.hare_and_hounds.judges import number, share
from petteia.reports.hare_and_hounds.shown import Shown
from petteia.reports.hare_and_hounds.truth import ALL, MET, REACHABLE, Judgement, Measured

COVERED = 300_000
"""games of random play"""


def truth(evidence: Evidence, shown: Shown) -> list[str]:
    """The solution of the game."""
    rules, solution = evidence.rules, evidence.truth.solution
    won = [each for each in solution.openings if each.value > 0]
    fast = [each.move for each in won if each.plies == solution.plies]
    longest = solution.longest
    parts = [
        page.heading("The truth about the game"),
        page.paragraph(
            f"All {solution.numbered:,} positions were worked out backwards from the end, and the table verified by a "
            f"second way. {'The hounds' if solution.value > 0 else 'The hare'} win{'' if solution.value > 0 else 's'} "
            f"with best play in {solution.plies} plies. {len(won)} of the {len(solution.openings)} first moves win; "
            f"fastest are {', '.join(fast)}. Of the {solution.positions:,} positions that can be reached (mirror "
            f"images counted once) the hounds win {solution.wins:,} and the hare {solution.losses:,}."
        ),
        page.paragraph("Perfect play of both, move by move:"),
        page.game(frames(shown.games["best"])),
    ]
    if longest is not None:
        parts.append(
            page.small(
                page.figure(
                    board_svg(rules, parse_state(rules, longest.position)),
                    f"The longest way to a win: the {'hounds' if longest.value > 0 else 'hare'} need"
                    f"{'' if longest.value > 0 else 's'} {longest.plies} plies from {longest.position}.",
                )
            )
        )
    return parts


def ultimate(evidence: Evidence, shown: Shown) -> list[str]:
    """Whether what was learned is the ultimate strategy."""
    judged = evidence.judgements(evidence.best)
    limit, coverage = evidence.truth.limit_of_learning("random", GAMMA), evidence.truth.coverage(COVERED, 0)
    rows = [
        *(_truth_row(name, each) for name, each in _tables(evidence)),
        ("nothing: random hounds", *_random_row(evidence)),
        ("all there is: the exact values", *_limit_row(evidence)),
    ]
    perfect = over_seeds(each.sets[REACHABLE].perfect_share for each in judged)
    return [
        page.heading("Is what it learned the ultimate strategy?"),
        page.paragraph(
            f"No: {share(perfect)} of its moves in positions that can be reached give nothing away. The mistakes "
            "that are left matter. Scores against the three hares are exact, worked out over all games that can happen."
            if perfect.mean < 1.0
            else "Yes: no move in a position that can be reached gives anything away."
        ),
        page.table(
            (
                *("learned", "perfect moves: all positions", "reachable", "those it meets", "wins kept", "regret"),
                *("error of values", "games won: random hare", "simple", "perfect"),
            ),
            rows,
        ),
        page.paragraph(
            "<em>Reachable</em> are positions that any moves of both lead to; <em>those it meets</em> are those "
            "that its own moves and any hare's lead to. In most positions nothing can be given away, as they are "
            "lost: that is why even random hounds have so many perfect moves; <em>wins kept</em> tells of the "
            "reachable won positions alone. Regret is what a move gives away in the mean, over reachable positions: "
            "from won to lost is 2. The error is the mean distance of the learned values from the exact ones of the "
            "same training opponent and gamma. Means over the seeds."
        ),
        page.paragraph(
            "The last row is what endless learning would come to: the exact values against the random hare, with "
            f"gamma {GAMMA}. A hare that moves at random forgives, so a quick chance is worth more to them than a "
            f"slow certain win. Of {limit[REACHABLE].won:,} won positions that can be reached they give away "
            f"{limit[REACHABLE].given_away:,.0f}. And experience is thin: {COVERED:,} games of random play meet "
            f"{coverage['states_visited']:.0%} of the {coverage['states']:,} reachable positions of the hounds, and "
            f"try {coverage['moves_tried']:.0%} of their {coverage['moves']:,} moves there."
        ),
    ]


def questions(evidence: Evidence, shown: Shown) -> list[str]:
    """The three research questions."""
    cells = _settings(evidence)
    reach = {name: [games for games in first_reach(cell, 0.9) if games is not None] for name, cell in cells.items()}
    fast = {name: over_seeds(games) for name, games in reach.items() if len(games) == evidence.seeds}
    calm = {name: spread(cell) for name, cell in cells.items()}
    good = {
        name: over_seeds(each.sets[REACHABLE].perfect_share for each in evidence.judgements(cell))
        for name, cell in cells.items()
    }
    fastest = min(fast, key=lambda name: fast[name].mean, default=None)
    calmest = min(calm, key=lambda name: calm[name].mean)
    best = max(good, key=lambda name: good[name].mean)

    def marked(name: str, winner: str | None, text: str) -> object:
        return page.strong(text) if name == winner else text

    rows = [
        (
            name,
            marked(
                name, fastest, f"{fast[name].mean:,.0f}" if name in fast else f"{len(reach[name])} of {evidence.seeds}"
            ),
            f"{level(cell).mean:.1%}",
            marked(name, calmest, f"{calm[name].mean:.2%}"),
            marked(name, best, f"{good[name].mean:.1%}"),
        )
        for name, cell in cells.items()
    ]
    quick = (
        f"Fastest is {fastest}: 90 % after {number(fast[fastest], ',.0f')} games."
        if fastest
        else "No combination reaches 90 % with every seed."
    )
    return [
        page.heading("The three questions of the thesis"),
        page.bullets(
            [
                f"Which parameters are fast? {quick}",
                f"Which are stable? {calmest}: over the last quarter of the points the score spreads by "
                f"{share(calm[calmest])}.",
                f"Which are good against people? A person plays neither at random nor perfectly; what counts is how "
                f"seldom the hounds go wrong. {best} is best: {share(good[best])} of its moves are perfect. Try it "
                "yourself: the command stands at the end of this page.",
            ]
        ),
        page.table(
            ("parameters", "games to the first 90 %", "last quarter", "spread", "perfect, reachable"),
            rows,
        ),
        page.paragraph(
            "Means over the seeds; the best of each column stands out. Where not all seeds reach 90 %, it says how "
            "many do."
        ),
    ]


def together(evidence: Evidence, shown: Shown) -> list[str]:
    """Q against Q."""
    cell = evidence.found[BOTH].cells[0]
    tables = [evidence.table(training) for training in cell.trainings]
    met = over_seeds(evidence.truth.meeting({0: table, 1: table}) for table in tables)
    hounds = [evidence.truth.judge(table, 0, "random", GAMMA) for table in tables]
    hare = [evidence.truth.judge(table, 1, "random", GAMMA) for table in tables]
    rows = [(who, *_side_row(judged)) for who, judged in (("hounds", hounds), ("hare", hare))]
    return [
        page.heading("Both sides learn"),
        page.paragraph(
            "The authors had no time to let learning hounds play against a learning hare. Here both know nothing at "
            f"first. In the end, playing what they know, the hounds win {share(met)} of their games."
        ),
        page.figure(shown.charts["both"], "Each side is measured by games against a random player."),
        page.table(
            ("learned", "perfect, reachable", "those it meets", "wins: random", "simple", "perfect"),
            rows,
        ),
        page.paragraph(
            "Scores are each side's own, against the random, the simple and the perfect player of the other."
        ),
    ]


def learners(evidence: Evidence, shown: Shown) -> list[str]:
    """The learners side by side."""
    cells = evidence.found[LEARNERS].cells
    rows = [(_name(cell), share(level(cell)), *_side_row(evidence.judgements(cell))) for cell in cells]
    return [
        page.heading("Other learners"),
        page.paragraph(
            f"The same games and parameters (alpha {ALPHA}, gamma {GAMMA}, epsilon {EPSILON}), but values move towards "
            "another target."
        ),
        page.figure(shown.charts["learners"], figures.band(cells)),
        page.table(
            (
                *("learner", "last quarter", "perfect, reachable", "those it meets"),
                *("wins: random hare", "simple", "perfect"),
            ),
            rows,
        ),
    ]


def elsewhere(evidence: Evidence, shown: Shown) -> list[str]:
    """The guess about other games."""
    parts = [
        page.heading("Other games"),
        page.paragraph(
            "The thesis supposes that its parameters suit other board games. Two small ones, the first player learning "
            "against a random second; the five best of all combinations, and the thesis's."
        ),
    ]
    for name in ELSEWHERE:
        found = evidence.found[name]
        ranked = sorted(found.cells, key=lambda cell: -level(cell).mean)
        ours = evidence.cell(name, alpha=ALPHA, gamma=GAMMA, epsilon=EPSILON)
        chosen = [*ranked[:5], *([ours] if ours not in ranked[:5] else [])]
        rows = [
            (
                str(ranked.index(cell) + 1),
                page.strong(_name(cell)) if cell is ours else _name(cell),
                share(level(cell)),
            )
            for cell in chosen
        ]
        parts.append(page.table((f"place of {len(ranked)}", found.plan.declaration.title, "last quarter"), rows))
    return parts


def perfect(evidence: Evidence, shown: Shown) -> list[str]:
    """What it takes."""
    cell = evidence.cell(RECIPE)
    judged, is_ = evidence.judgements(cell), cell.trainings[0].configuration
    limit = evidence.truth.limit_of_learning(is_.opponent, is_.gamma)
    faultless = sum(each.sets[REACHABLE].given_away == 0 for each in judged)
    rows = [
        (
            str(training.run.description.seeds["seed"]),
            *(f"{each.sets[rows].given_away:,.0f} of {each.sets[rows].won:,}" for rows in (MET, REACHABLE, ALL)),
            f"{each.sets[REACHABLE].perfect_share:.1%}",
            *(f"{each.scores[name]:.2%}" for name in ("random", "simple", "perfect")),
        )
        for training, each in zip(cell.trainings, judged, strict=True)
    ]
    return [
        page.heading("What it takes to play perfectly"),
        page.paragraph(
            "A teacher that punishes mistakes: a hare that plays perfectly nine times in ten, and at random else. "
            "And games that start in any position, so that the hounds learn about those, too, that good play seldom "
            f"comes to. All their moves are random while they learn (epsilon {is_.epsilon}), alpha goes from "
            f"{is_.alpha.replace('..', ' to ')}, gamma is {is_.gamma:g} as before. The exact values against this "
            f"hare give away {limit[ALL].given_away:,.0f} won positions. After {is_.games:,} games, {faultless} of "
            f"{len(judged)} tables give away none that can be reached: they win from there against every hare."
        ),
        page.figure(shown.charts["perfect"], f"Measured against the perfect hare. {figures.band([cell])}"),
        page.table(
            (
                *("seed", "won positions given away: those it meets", "reachable", "all", "perfect, reachable"),
                *("wins: random hare", "simple", "perfect"),
            ),
            rows,
        ),
    ]


def _name(cell: CellResult) -> str:
    return ", ".join(f"{name} {value}" for name, value in cell.cell.values.items())


def _settings(evidence: Evidence) -> dict[str, CellResult]:
    """All combinations that the thesis tries against the random hare, by name."""
    rates = {f"{_name(cell)}, epsilon 1": cell for cell in evidence.found[RATES].cells}
    tried = {f"alpha {ALPHA}, gamma {GAMMA}, {_name(cell)}": cell for cell in evidence.found[RANDOM_MOVES].cells}
    return rates | {name: cell for name, cell in tried.items() if cell.cell.values["epsilon"] != 1.0}


def _tables(evidence: Evidence) -> list[tuple[str, list[Judgement]]]:
    """What was learned in the thesis's experiments, and how far it is from the truth."""
    simple = evidence.cell(SIMPLE)
    cells = {**_settings(evidence), "against the simple hare": simple}
    return [(name, evidence.judgements(cell)) for name, cell in cells.items()]


def _truth_row(name: str, judged: list[Judgement]) -> tuple[str, ...]:
    shares = [_mean(each.sets[rows].perfect_share for each in judged) for rows in (ALL, REACHABLE, MET)]
    scores = [_mean(each.scores[hare] for each in judged) for hare in ("random", "simple", "perfect")]
    kept = _mean(each.sets[REACHABLE].kept for each in judged)
    regret, error = _mean(each.sets[REACHABLE].mean_regret for each in judged), _mean(each.error for each in judged)
    return (
        name,
        *(f"{each:.1%}" for each in (*shares, kept)),
        *(f"{regret:.3f}", f"{error:.3f}"),
        *(f"{each:.1%}" for each in scores),
    )


def _limit_row(evidence: Evidence) -> tuple[str, ...]:
    truth = evidence.truth
    return _known_row(truth.limit_of_learning("random", GAMMA), truth.limit_scores("random", GAMMA), "0")


def _random_row(evidence: Evidence) -> tuple[str, ...]:
    shares = evidence.truth.shares_of(0, "random")
    return _known_row(evidence.truth.measure(0, shares), evidence.truth.scores(0, shares), "")


def _known_row(sets: dict[str, Measured], scores: dict[str, float], error: str) -> tuple[str, ...]:
    return (
        *(f"{sets[rows].perfect_share:.1%}" for rows in (ALL, REACHABLE, MET)),
        *(f"{sets[REACHABLE].kept:.1%}", f"{sets[REACHABLE].mean_regret:.3f}", error),
        *(f"{scores[hare]:.1%}" for hare in ("random", "simple", "perfect")),
    )


def _side_row(judged: list[Judgement]) -> tuple[str, ...]:
    shares = [_mean(each.sets[rows].perfect_share for each in judged) for rows in (REACHABLE, MET)]
    scores = [_mean(each.scores[other] for each in judged) for other in ("random", "simple", "perfect")]
    return (*(f"{each:.1%}" for each in shares), *(f"{each:.1%}" for each in scores))


def _mean(values: Any) -> float:
    found: Interval = over_seeds(values)
    return found.mean


BEYOND = (truth, ultimate, questions, together, learners, elsewhere, perfect)
"""The sections, in order."""
