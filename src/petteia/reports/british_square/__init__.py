"""Report B: a learner that was thought to have learned nothing, why that was so, and how well the game can be learned.

The question and the procedure are those of a term project on temporal-difference learning for British Square; what it
could not know, the solution of the game, is added. In order: `plan` (what the project leaves open, what it suspects,
other ways to learn), `evidence` (trainings, matches, what moves give away), `figures` and `claims` (what the project
says, and how it is judged), `tables` and `drawings`, and `page.md` (the prose, and where all that stands in it).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from petteia.analysis.ceilings import ceilings
from petteia.analysis.doctor.examination import doctor
from petteia.games import game
from petteia.records import bounds
from petteia.records.files import read_file, write_file
from petteia.reports.british_square import drawings, figures, plan, tables
from petteia.reports.british_square.claims import CLAIMS
from petteia.reports.british_square.evidence import SAMPLE, Evidence
from petteia.reports.british_square.plan import EXPERIMENTS, PROJECT, PUBLISHED, RULES, Setting, suspect, term, working
from petteia.reports.engine.charts import points_text
from petteia.reports.engine.claims import Judgements, judge_all
from petteia.reports.engine.matches import Matches, Pairing
from petteia.reports.engine.outcome import Progress, Report, Scale
from petteia.reports.engine.output import write_report
from petteia.reports.engine.work import Work, begin, duration, seconds_of, usual_seconds

SCALES: tuple[Scale, ...] = ("quick", "paper")
FILES = ("claims", "games", "moves")
WEIGHTS = "learner.safetensors"


def make(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, progress: Progress | None) -> Report:
    """Learn, measure, and write the page and its data into `folder`; arguments as in `petteia.reports.report`."""
    evidence = gather(
        begin(
            folder, "quick" if scale == "quick" else "paper", seeds, jobs, progress, (EXPERIMENTS, (ceilings, doctor))
        )
    )
    best = evidence.cell(working(plan.BEST, 1))
    write_file(folder / WEIGHTS, read_file(best.trainings[0].run.weights, bounds.WEIGHTS))
    judgements, records = judge_all(CLAIMS, evidence, scale), drawings.games(evidence)
    for name, record in records.items():
        write_file(folder / f"game-{name}.txt", record.write())
    return write_report(
        *(folder, __name__, contents(evidence, judgements, folder) | {"games": records}),
        evidence=evidence,
        judgements=judgements,
        charts=drawings.charts(evidence),
        rows={"games": tables.match_rows(evidence), "moves": tables.move_rows(evidence)},
        files=FILES,
        summary=_summary(evidence),
    )


def gather(work: Work) -> Evidence:
    """Run all trainings and matches, or go on with them; what moves give away is judged where it is asked for."""
    experiments = work.trainings(EXPERIMENTS)
    evidence = Evidence(
        game(PUBLISHED),
        work,
        experiments,
        {each: Matches(work, game(each), f"matches-{plan.CODES[each]}") for each in RULES},
    )
    for rules, matches in evidence.matches.items():
        matches.play([evidence.of_random_pairing, *_pairings(evidence, rules)], f"matches, {plan.CODES[rules]} rules")
    return evidence


def _pairings(evidence: Evidence, rules: str) -> Iterator[Pairing]:
    """All matches under these rules that the page needs, besides those of random play."""
    settings: list[tuple[Setting, int | None]] = []
    for seat in range(len(plan.SEATS)):
        settings.append((term(rules, seat, 0.0), None))
        settings += [(each, depth) for each in plan.grid(rules, seat) for depth in plan.DEPTHS]
        if rules in (PROJECT, PUBLISHED):
            settings += [(suspect(name, rules, seat), None) for name in plan.TREATMENTS]
            settings.append((suspect(plan.NOTHING, rules, seat), 1))
        if rules == PUBLISHED:
            settings += [(working(name, seat), None) for name in plan.LEARNERS]
    for setting, depth in settings:
        yield from evidence.pairings(setting, depth)


def contents(evidence: Evidence, judgements: Judgements, folder: Path) -> dict[str, Any]:
    """All that the page names, but claims and charts."""
    best = [working(plan.BEST, seat) for seat in (0, 1)]
    training = evidence.cell(best[0]).trainings[0]
    random, taught = (evidence.of_random(PROJECT, 1), tables.mean(evidence.shares(term(PROJECT, 1))))
    return {
        "figures": figures,
        "tables": tables,
        "drawings": drawings,
        "plan": plan,
        "random": random,
        "taught": taught,
        "percent": tables.percent,
        "best": best,
        "sample": SAMPLE,
        "recipe": training.configuration,
        "took_one": duration(usual_seconds(evidence.cell(best[0]).trainings)),
        "took": duration(seconds_of(evidence.trainings)),
        "points": points_text([evidence.cell(best[0])]),
        "ceiling": [evidence.ceilings(PUBLISHED, seat) for seat in (0, 1)],
        "weights": folder / WEIGHTS,
        "diagnosis": _diagnosis(evidence),
        "verdict": {claim.name: finding.verdict for claim, finding in judgements},
    }


def _diagnosis(evidence: Evidence) -> list[str]:
    """What is wrong with the term project's learner as second player, in words; what is known is kept."""
    training = evidence.cell(term(PROJECT, 1)).trainings[0]

    def examine() -> list[str]:
        return [f"{each.wrong} Seen: {each.evidence}. To try: {each.change}." for each in doctor(training).findings]

    kept: list[str] = evidence.work.kept("diagnosis", {"run": evidence.work.place_of(training)}, examine, list[str])
    return kept


def _summary(evidence: Evidence) -> dict[str, Any]:
    return {
        "schema": 1,
        "ceilings": {
            plan.CODES[rules]: [[each._asdict() for each in evidence.ceilings(rules, seat)] for seat in (0, 1)]
            for rules in (PROJECT, PUBLISHED)
        },
        "learner": {
            seat: {
                "won": [each.won for each in evidence.shares(working(plan.BEST, number))],
                "sample": [each.mean for each in evidence.given_away(working(plan.BEST, number), SAMPLE)],
                "against_perfect": [each._asdict() for each in evidence.against_perfect(working(plan.BEST, number))],
            }
            for number, seat in enumerate(plan.SEATS)
        },
    }
