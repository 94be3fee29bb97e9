"""Reports: verdicts follow their rules, the truth is the truth, and the page is whole and self-contained."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import petteia
from petteia.arena.statistics import Interval
from petteia.core.errors import UsageError
from petteia.core.protocol import initial
from petteia.experiments import outputs
from petteia.experiments.experiment import experiment
from petteia.experiments.source import shipped
from petteia.players import player
from petteia.policies.duel import MARGIN, duel, match_keys
from petteia.policies.table import TablePolicy
from petteia.policies.table_file import load_table
from petteia.records.game_record import read_record
from petteia.reports import report, verdicts
from petteia.reports.hare_and_hounds import evidence as gathering
from petteia.reports.hare_and_hounds import judges
from petteia.reports.hare_and_hounds.evidence import EXPERIMENTS, always_from, settling, unrest
from petteia.reports.hare_and_hounds.thesis import STATEMENTS
from petteia.reports.hare_and_hounds.truth import ALL, MET, REACHABLE, Truth
from petteia.reports.outcome import Report
from petteia.reports.verdicts import Answer, Finding, above, below, contrary, every, within

# Verdicts.


@pytest.mark.parametrize(
    ("low", "high", "bound", "is_above", "is_below"),
    [(0.5, 0.6, 0.4, True, False), (0.5, 0.6, 0.7, False, True), (0.5, 0.6, 0.55, None, None)],
)
def test_an_interval_answers_only_as_a_whole(low: float, high: float, bound: float, is_above: Answer, is_below: Answer):
    found = Interval((low + high) / 2, low, high)
    assert (above(found, bound), below(found, bound)) == (is_above, is_below)


def test_within_and_every_and_contrary() -> None:
    found = Interval(0.5, 0.4, 0.6)
    assert [within(found, *range_) for range_ in ((0.3, 0.7), (0.45, 0.7), (0.7, 0.8))] == [True, None, False]
    assert [every(answers) for answers in ([True, True], [True, None], [None, False])] == [True, None, False]
    assert [contrary(answer) for answer in (True, False, None)] == [False, True, None]
    assert [Finding("", answer).verdict for answer in (True, False, None)] == ["agrees", "differs", "cannot be told"]


# The rules by which statements are judged: made-up curves that must give each verdict.


class Cell:
    """A combination of which only the curves are known; one seed scatters a little about the other."""

    def __init__(self, *scores: float, every: int = 300, evaluation_games: int = 500) -> None:
        curve = np.array(scores)
        self.scores = np.array([np.clip(curve + off, 0, 1) for off in (-1e-4, 0.0, 1e-4)])
        self.games = [every * (i + 1) for i in range(len(curve))]
        self.curves = [
            [SimpleNamespace(games=g, score=s) for g, s in zip(self.games, each, strict=True)] for each in self.scores
        ]
        self.trainings = [SimpleNamespace(configuration=SimpleNamespace(evaluation_games=evaluation_games))] * 3


def flat(score: float, scatter: float = 0.0) -> Cell:
    """A curve at this score, with this standard deviation."""
    return Cell(*(score + scatter * (-1) ** i for i in range(100)))


def rising(at: int, end: float = 0.95) -> Cell:
    """A curve that jumps up at this point."""
    return Cell(*(end if i >= at else 0.3 for i in range(100)))


def made_up(**cells: Any) -> Any:
    """Evidence with cells by their label: `a1_g9` for alpha 0.1, gamma 0.9 and `e5` for epsilon 0.5."""

    def cell(name: str, **values: float) -> Any:
        wanted = "_".join(f"{option[0]}{round(10 * value)}" for option, value in values.items()) or "only"
        return cells.get(wanted, cells.get("rest"))

    return SimpleNamespace(cell=cell, seeds=3, best=cells.get("e5"))


@pytest.mark.parametrize(
    ("judge", "cells", "answer"),
    [
        (judges.only_one_stays, {"a1_g9": flat(0.95), "rest": flat(0.7)}, True),
        (judges.only_one_stays, {"a1_g9": flat(0.95), "a1_g5": flat(0.95), "rest": flat(0.7)}, False),
        (judges.only_one_stays, {"rest": flat(0.7)}, False),
        (judges.gamma_at_middle_rate, {"a5_g9": flat(0.85), "a5_g5": flat(0.72), "rest": flat(0.7)}, True),
        (judges.gamma_at_middle_rate, {"a5_g9": flat(0.85), "a5_g5": flat(0.8), "rest": flat(0.7)}, False),
        (judges.unstable_at_middle_rate, {"a5_g9": flat(0.8, 0.06)}, True),
        (judges.unstable_at_middle_rate, {"a5_g9": flat(0.8, 0.02)}, False),
        (judges.average_at_high_rate, {"rest": flat(0.7)}, True),
        (judges.average_at_high_rate, {"rest": flat(0.8)}, False),
        (judges.unstable_at_high_rate, {"rest": flat(0.7, 0.06)}, True),
        (judges.unstable_at_high_rate, {"a9_g1": flat(0.7), "rest": flat(0.7, 0.06)}, False),
        (judges.gamma_matters_less, {"a5_g9": flat(0.9), "a9_g9": flat(0.75), "rest": flat(0.7)}, True),
        (judges.gamma_matters_less, {"a5_g9": flat(0.75), "a9_g9": flat(0.9), "rest": flat(0.7)}, False),
        (judges.stable_at_low_rate, {"rest": flat(0.7, 0.01)}, True),
        (judges.stable_at_low_rate, {"a1_g5": flat(0.7, 0.1), "rest": flat(0.7, 0.01)}, False),
        (judges.settles_only_with_high_gamma, {"a1_g9": flat(0.9), "rest": flat(0.7, 0.1)}, True),
        (judges.settles_only_with_high_gamma, {"rest": flat(0.7)}, False),
        (judges.alike_at_first, {"rest": flat(0.7)}, True),
        (judges.alike_at_first, {"a1_g9": flat(0.9), "rest": flat(0.7)}, False),
        (judges.all_reach, {"rest": flat(0.95)}, True),
        (judges.all_reach, {"e1": flat(0.8), "rest": flat(0.95)}, False),
        (judges.all_reach, {"e1": flat(0.9), "rest": flat(0.95)}, None),
        (judges.fastest, {"e5": rising(10), "rest": rising(20)}, True),
        (judges.fastest, {"e5": rising(10), "e1": rising(5), "rest": rising(20)}, False),
        (judges.soonest_stable, {"e5": rising(10), "rest": rising(40)}, True),
        (judges.soonest_stable, {"e5": rising(30), "rest": rising(10)}, False),
        (judges.simple_is_beaten, {"only": flat(1.1)}, True),
        (judges.simple_is_beaten, {"only": flat(0.95)}, False),
        (judges.simple_is_beaten, {"only": flat(1.0)}, None),
        (judges.simple_takes_so_long, {"only": rising(16, 1.1)}, True),
        (judges.simple_takes_so_long, {"only": rising(2, 1.1)}, False),
        (judges.simple_takes_so_long, {"only": flat(0.5)}, False),
    ],
)
def test_statements_are_judged_by_their_rule(judge: Any, cells: dict[str, Cell], answer: Answer) -> None:
    assert judge(made_up(**cells)).answer is answer


@pytest.mark.parametrize(
    ("ends", "answers"), [((1.0, 0.5, -0.5), (True, True, True)), ((0.5, -0.5, 0.5), (False, False, False))]
)
def test_values_are_judged_by_their_rule(ends: tuple[float, ...], answers: tuple[bool, ...]) -> None:
    settled = np.array([[[each * (1 + off) for each in ends]] * 80 for off in (0.0, 1e-4)])
    evidence = made_up(only=SimpleNamespace(followed=settled))
    found = [judge(evidence).answer for judge in (judges.winning_move, judges.good_move, judges.bad_move)]
    assert found == list(answers)
    assert judges.values_settle(evidence).answer is True
    moving = settled * np.linspace(0, 1, 80)[None, :, None]
    assert judges.values_settle(made_up(only=SimpleNamespace(followed=moving))).answer is False


def test_one_seed_tells_little() -> None:
    cell = flat(0.95)
    cell.scores = cell.scores[:1]
    assert judges.unstable_at_middle_rate(made_up(a5_g9=cell)).answer is None
    assert "(one seed)" in judges.unstable_at_middle_rate(made_up(a5_g9=cell)).ours


def test_figures_of_curves() -> None:
    assert unrest(flat(0.5, np.sqrt(0.25 / 500))).mean == pytest.approx(1, abs=0.01)
    assert always_from(Cell(1, 0, 1, 1.1), 0.99) == [900, 900, 900]
    assert always_from(flat(0.5), 0.99) == [None] * 3
    assert settling(rising(50), 0.02) == [300 * 70] * 3
    assert settling(flat(0.5), 0.02) == [300 * 20] * 3


def test_statements_have_names_and_parts_of_their_own() -> None:
    assert len({each.name for each in STATEMENTS}) == len({each.claim for each in STATEMENTS}) == len(STATEMENTS) == 22
    assert len({each.judge for each in STATEMENTS}) == len(STATEMENTS)


# The truth.


@pytest.fixture(scope="module")
def truth() -> Truth:
    return Truth(petteia.game("hare-and-hounds"))


@pytest.mark.parametrize("side", [0, 1])
def test_tables_are_judged_as_the_command_does(truth: Truth, tmp_path: Path, side: int) -> None:
    run = petteia.train("hare-and-hounds", side=side, games=5000, runs=tmp_path).run
    judged = truth.judge(load_table(run.weights, truth.rules).table, side, "random", 0.9)
    for rows, over in ((ALL, "all"), (REACHABLE, "reachable")):
        known, found = petteia.regret("hare-and-hounds", f"q:agent={run.path}", over=over), judged.sets[rows]
        assert (known.positions, known.won) == (found.positions, found.won)
        assert known.perfect_share == pytest.approx(found.perfect_share)
        assert known.mean == pytest.approx(found.mean_regret)
        assert known.wins_given_away == pytest.approx(found.given_away)
    assert judged.sets[MET].positions < judged.sets[REACHABLE].positions
    assert 0 < judged.error < judged.largest_error < 2


def test_scores_are_those_of_play(truth: Truth, tmp_path: Path) -> None:
    run = petteia.train("hare-and-hounds", games=2000, runs=tmp_path).run
    table = load_table(run.weights, truth.rules).table
    scores = truth.scores(0, truth.table_shares(0, table))
    for name in ("random", "simple"):
        policy = player(name, truth.rules).policy(truth.rules)
        games = duel(
            truth.rules, initial(truth.rules), TablePolicy(table), policy, games=4000, keys=match_keys(2), seats=(0, 0)
        )
        assert (games[:, MARGIN] > 0).mean() == pytest.approx(scores[name], abs=0.03)


def test_what_endless_learning_leads_to(truth: Truth) -> None:
    """With nothing discounted a certain win is worth more than any chance; otherwise the hounds hurry, and lose."""
    assert truth.limit_of_learning("random", 1.0)[REACHABLE].given_away == 0
    assert truth.limit_of_learning("random", 0.9)[REACHABLE].given_away > 0
    assert truth.limit_scores("random", 0.9)["perfect"] < 0.01 < truth.limit_scores("random", 0.9)["random"]
    assert truth.limit_of_learning("mixed:first=perfect,second=random,share=0.9", 0.9)[ALL].given_away == 0


def test_perfect_play_is_learned(truth: Truth, tmp_path: Path) -> None:
    """The recipe gives away no won position that can be reached."""
    (cell,) = experiment("perfect-play", scale="quick", seeds=1, folder=tmp_path).cells
    check_perfect_play(truth, cell.trainings)


@pytest.mark.heavy
def test_perfect_play_is_learned_with_every_seed(truth: Truth, tmp_path: Path) -> None:
    (cell,) = experiment("perfect-play", folder=tmp_path, jobs=2).cells
    assert len(cell.trainings) == 5
    check_perfect_play(truth, cell.trainings)


def check_perfect_play(truth: Truth, trainings: list[Any]) -> None:
    for training in trainings:
        judged = truth.measure(0, truth.table_shares(0, load_table(training.run.weights, truth.rules).table))
        assert judged[REACHABLE].won == 2753
        assert judged[REACHABLE].given_away == judged[MET].given_away == 0


# The page.


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, int], Report]]:
    """Makes the report in a folder, by so many jobs, its experiments with a few games each."""
    declarations = tmp_path_factory.mktemp("declarations")
    sizes = {"games": 400, "evaluate_every": 20, "evaluation_games": 20, "seeds": 2}
    for name in EXPERIMENTS:
        text = shipped()[name]
        for size, value in sizes.items():
            text = re.sub(rf"^{size} = .*$", f"{size} = {value}", text, flags=re.MULTILINE)
        (declarations / f"{name}.toml").write_text(text)

    def small(name: str, **options: Any) -> Any:
        return experiment(declarations / f"{name}.toml", **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "experiment", small)
        patch.setattr(outputs, "figures", lambda result: {})  # the page has its own; those are tested with experiments
        yield lambda folder, jobs: report("hare-and-hounds", scale="quick", folder=folder, jobs=jobs)


@pytest.fixture(scope="module")
def made(make: Callable[[Path, int], Report], tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make(tmp_path_factory.mktemp("reports"), 2)


def test_page_of_hare_and_hounds(made: Report) -> None:
    folder = made.page.parent
    text = made.page.read_text()
    assert folder.name == "hare-and-hounds-quick"
    assert json.loads((folder / "summary.json").read_text()) == made.summary
    elsewhere = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|@import', text)
    assert not elsewhere, "the page must need nothing else"
    statements = made.summary["statements"]
    assert [each["name"] for each in statements] == [each.name for each in STATEMENTS]
    counts = Counter(each["verdict"] for each in statements)
    for kind, verdict in (("agrees", verdicts.AGREES), ("differs", verdicts.DIFFERS), ("untold", verdicts.UNTOLD)):
        assert text.count(f'<span class="verdict {kind}">{verdict}</span>') == counts[verdict]
    with (folder / "statements.csv").open() as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [each["verdict"] for each in statements]
    records = [read_record((folder / f"game-{name}.txt").read_text()) for name in ("random", "perfect", "best")]
    assert len(records[2].moves) == made.summary["solution"]["plies"] == 23
    for chart in folder.glob("*.svg"):
        assert chart.read_text() in text
    assert text.count("<figure>") == sum(len(each.moves) + 1 for each in records) + len([*folder.glob("*.svg")]) + 2 + 3
    with (folder / "tables.csv").open() as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == 2 * (9 + 5 + 1 + 5 + 1)
    assert all(0 <= float(row["reachable_perfect_share"]) <= 1 for row in rows)
    assert petteia.regret("hare-and-hounds", f"q:agent={folder / 'hounds.safetensors'}").seat == "hounds"


def test_the_same_page_by_any_number_of_jobs_and_when_it_is_made_again(
    make: Callable[[Path, int], Report], made: Report, tmp_path: Path
) -> None:
    folder = made.page.parent.parent
    by_two = made.page.read_text()
    by_one = make(tmp_path, 1).page.read_text()
    assert by_two.replace(str(folder), "") == by_one.replace(str(tmp_path), "")
    assert by_two == make(folder, 1).page.read_text()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chess", {}, "no report 'chess'; known are hare-and-hounds"),
        ("hare-and-hounds", {"scale": "huge"}, "scale 'huge': of hare-and-hounds there is quick, paper"),
        ("hare-and-hounds", {"scale": "all"}, "scale 'all': of hare-and-hounds there is quick, paper"),
    ],
)
def test_refused(name: str, options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        report(name, **options)


def test_the_other_game_keeps_its_promises() -> None:
    assert all(each.passed for each in petteia.check("petteia.experiments.tic_tac_toe:TicTacToe"))
