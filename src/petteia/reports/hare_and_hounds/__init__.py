"""Report H: hounds that were taught nothing learn to catch the hare, and how far that is from perfect.

The question, the procedure and the figures are those of a Swedish bachelor's thesis on tabular Q-learning for Hare and
Hounds; what it could not know, the solution of the game, is added. In order: `plan` (what the thesis tries), `evidence`
(the experiments, and how far their tables are from the truth), `figures` and `claims` (what the thesis says,
and how it is judged), `tables` and `drawings`, and `page.md` (the prose, and where all that stands in it).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petteia.analysis.truth import ALL, REACHABLE, Truth
from petteia.core.protocol import parse_state
from petteia.records import bounds
from petteia.records.files import read_file, write_file
from petteia.render import board_svg
from petteia.reports.engine.charts import points_text
from petteia.reports.engine.claims import Judgements, judge_all
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import known
from petteia.reports.engine.outcome import Progress, Report, Scale
from petteia.reports.engine.output import write_report
from petteia.reports.engine.work import begin, duration, seconds_of, usual_seconds
from petteia.reports.hare_and_hounds import drawings, figures, plan, tables
from petteia.reports.hare_and_hounds.claims import CLAIMS
from petteia.reports.hare_and_hounds.evidence import Evidence, gather
from petteia.reports.hare_and_hounds.plan import BEST, BOTH, EXPERIMENTS, PERFECT, SETTINGS

scales: tuple[Scale, ...] = ("quick", "paper")
FILES = ("claims", "tables")
COVERED = 300_000
"""games of random play"""


def make(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""
    evidence = gather(
        begin(folder, "quick" if scale == "quick" else "paper", seeds, jobs, progress, (EXPERIMENTS, (Truth,)))
    )
    for name, cell in (
        (drawings.HOUNDS, evidence.cell(BEST)),
        (drawings.PERFECT_HOUNDS, evidence.cell(PERFECT)),
        (drawings.BOTH_SIDES, evidence.experiments[BOTH].cells[0]),
    ):
        write_file(folder / name, read_file(cell.trainings[0].run.weights, bounds.WEIGHTS))
    judgements, games = judge_all(CLAIMS, evidence, scale), drawings.games(evidence, folder)
    for name, record in games.items():
        write_file(folder / f"game-{name}.txt", record.write())
    return write_report(
        *(folder, __name__, contents(evidence, judgements, folder) | {"games": games}),
        evidence=evidence,
        judgements=judgements,
        charts=drawings.charts(evidence),
        rows={"tables": tables.table_rows(evidence)},
        files=FILES,
        summary=_summary(evidence),
    )


def contents(evidence: Evidence, judgements: Judgements, folder: Path) -> dict[str, Any]:
    """All that the page names, but claims and charts."""
    truth, best, recipe = evidence.truth, evidence.cell(BEST), evidence.cell(PERFECT)
    is_, longest, winners = recipe.trainings[0].configuration, truth.solution.longest, tables.best_of(evidence)
    return {
        "figures": figures,
        "tables": tables,
        "drawings": drawings,
        "plan": plan,
        "games_each": f"{best.trainings[0].configuration.games:,}",
        "took": duration(seconds_of(evidence.trainings)),
        "took_one": duration(usual_seconds(best.trainings)),
        "verdict": {claim.name: finding.verdict for claim, finding in judgements},
        "first_score": f"{best.scores[:, 0].mean():.0%}",
        "first_games": best.games[0],
        "is_perfect": figures.PERFECT_MOVES.mean(evidence) == 1.0,
        "kept": f"{figures.KEPT.mean(evidence):.1%}",
        "hare_wins": f"{figures.PERFECT_HARE_WINS.mean(evidence):.0%}",
        "limit": truth.limit_of_learning("random", plan.GAMMA)[REACHABLE],
        "limit_of_recipe": truth.limit_of_learning(is_.opponent, float(is_.learner.gamma))[ALL],
        "recipe": is_,
        "faultless": sum(each.sets[REACHABLE].given_away == 0 for each in evidence.judgements(recipe)),
        "longest": longest and (board_svg(evidence.rules, parse_state(evidence.rules, longest.position)), longest),
        "openings": [each for each in truth.solution.openings if each.value > 0],
        "coverage": truth.coverage(COVERED, 0),
        "winners": winners,
        "fast": tables.fastest(evidence).get(winners["fast"]),
        "calm": figures.plain_spread(SETTINGS[winners["calm"]]),
        "good": tables.perfect_moves(SETTINGS[winners["good"]]),
        "meeting": known("", SHARE, tables.meeting(evidence)),
        "points": points_text([best]),
        "points_perfect": points_text([recipe]),
        "hounds": folder / drawings.HOUNDS,
        "perfect_hounds": folder / drawings.PERFECT_HOUNDS,
    }


def _summary(evidence: Evidence) -> dict[str, Any]:
    solution, limit = evidence.truth.solution, evidence.truth.limit_of_learning("random", plan.GAMMA)
    recipe = evidence.judgements(evidence.cell(PERFECT))
    return {
        "schema": 3,
        "solution": {"value": solution.value, "plies": solution.plies, "line": list(solution.line)},
        "limit_of_learning": {name: each._asdict() for name, each in limit.items()},
        "perfect_play": [each.sets[REACHABLE].given_away for each in recipe],
    }
