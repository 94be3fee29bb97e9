"""Report M: its figures are read rightly, verdicts follow their rules, and the page is whole and self-contained."""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from petteia.arena.match import match
from petteia.core.errors import InvalidError, UsageError
from petteia.experiments.experiment import experiment
from petteia.experiments.source import shipped
from petteia.experiments.tournament.comparison import agreement
from petteia.experiments.tournament.results import Cell
from petteia.features.report_weights import REPORT_RULES, report_weights
from petteia.players import player
from petteia.records.game_record import read_record
from petteia.reports import report, verdicts
from petteia.reports.mancala import comparisons, judges, weight_judges
from petteia.reports.mancala import evidence as gathering
from petteia.reports.mancala.claims import STATEMENTS
from petteia.reports.mancala.comparisons import Wanted, compare
from petteia.reports.mancala.evidence import (
    BASELINES,
    EVERY,
    OPPONENTS,
    OWN,
    THETA,
    TRAININGS,
    Sizes,
    of_another,
    turned,
)
from petteia.reports.mancala.learning_sections import plain, which_reading
from petteia.reports.mancala.matches import JOURNAL, Bout, Matches
from petteia.reports.mancala.playing_sections import printed_stages
from petteia.reports.mancala.published import LAMBDA, PROGRESS, STAGES, SWINGING, THETA_FIRST, THETA_SECOND, Printed
from petteia.reports.mancala.weight_judges import asymmetry, captures_weigh, dominance, mover_weighs, right_signs
from petteia.reports.outcome import Report
from petteia.reports.verdicts import Answer, Finding

# What the report prints.


@pytest.mark.parametrize(
    ("table", "shape"), [(THETA_FIRST, (5, 6)), (THETA_SECOND, (11, 5)), (PROGRESS, (5, 2)), (STAGES, (5, 5))]
)
def test_printed_tables_are_whole(table: Any, shape: tuple[int, int]) -> None:
    assert (len(table), {len(row) for row in table}) == (shape[0], {shape[1]})
    assert all(min(each.counts(200)) >= 0 and sum(each.counts(200)) == 200 for row in table for each in row)


def test_some_printed_cells() -> None:
    assert THETA_SECOND[4][0] == Printed(100, 0.5)
    assert THETA_SECOND[4][0].counts(200) == (199, 1, 0), "wins are rounded, so they give way"
    assert Printed(91, 3).counts(1000) == (910, 30, 60)
    assert Printed(36, 2.5).score == 0.3725
    assert LAMBDA[1][1:] == (Printed(100, 0), Printed(0, 100))
    assert [round(each, 4) for each in printed_stages()[0]] == [0.4088, 0.875, 0.4775, 0.6487, 1.0]


def test_weights_that_are_said_to_swing_exist() -> None:
    from petteia.features.feature_set import names
    from petteia.features.kalah_potentials import ReportFeatures

    assert set(names(ReportFeatures(), REPORT_RULES)) > SWINGING
    assert plain("south_to_move.north.captures") == "lower to move: upper captures"
    assert plain("constant") == "constant"


# Comparisons and intervals.


def cell(row: str = "a", column: str = "b", wins: int = 50, draws: int = 0, games: int = 100) -> Cell:
    score = (wins + draws / 2) / games
    half = 0.02
    return Cell(row, column, games, wins, draws, games - wins - draws, score, score - half, score + half, games, 0)


def test_verdicts_of_cells_are_those_of_the_exact_test() -> None:
    wanted = [Wanted("a", "b", cell(wins=wins), Printed(91, 0), 200) for wins in (90, 77, 20)]
    found = compare("table", wanted)
    assert [each.verdict for each in found] == [verdicts.AGREES, verdicts.UNTOLD, verdicts.DIFFERS]
    assert found[0].p_value == agreement((90, 0, 10), (182, 0, 18)).p_value
    (alone,) = compare("table", [Wanted("a", "b", cell(), None, 0)])
    assert alone.verdict is None
    assert alone.figures()["printed_games"] is None


def test_a_match_seen_from_the_other_seat() -> None:
    found = turned(cell("a", "b", wins=60, draws=10), 1)
    assert (found.row, found.column, found.counts) == ("b", "a", (30, 10, 60))
    assert (found.score, round(found.low, 9), round(found.high, 9)) == (0.35, 0.33, 0.37)
    assert turned(cell(), 0) == cell()


def test_a_further_training_scatters_more_than_a_mean() -> None:
    found = of_another([0.8, 0.9, 1.0])
    assert found.mean == pytest.approx(0.9)
    assert found.high - found.mean == pytest.approx(4.302653 * 0.1 * math.sqrt(1 + 1 / 3), rel=1e-5)
    assert judges.holds(found, 1.3) is True
    assert judges.holds(found, 1.5) is False
    assert judges.holds(of_another([0.8, 0.9]), 0.85) is None, "two trainings do not tell"


# Weights: the published ones pass all checks, and others do not.


def test_checks_of_weights() -> None:
    theirs = report_weights()
    assert dominance(theirs) == pytest.approx(4.6565 / 0.7498)
    assert mover_weighs(theirs) > 2
    assert right_signs(theirs) == pytest.approx(31 / 36)
    assert captures_weigh(theirs) > 5
    assert asymmetry(theirs) < 0.25
    found = weight_judges.columns(theirs)
    assert found[0, 0] == 0.1904
    assert found[1, 5] == -0.3414
    assert found[2, 8] == 0.1656
    assert found[3, 3] == -0.6467
    assert np.array_equal(dominance(np.stack([theirs, -theirs])) > 0, [True, False])


WEIGHT_JUDGES = (
    *(weight_judges.store_difference_dominates, weight_judges.mover_outweighs, weight_judges.signs_are_right),
    *(weight_judges.captures_weigh_much, weight_judges.columns_mirror, weight_judges.player_is_negative),
)


@pytest.mark.parametrize("judge", WEIGHT_JUDGES)
def test_weights_are_judged_by_their_rule(judge: Callable[[Any], Finding]) -> None:
    theirs = report_weights()
    small = 0.001 * np.random.default_rng(0).normal(size=(3, 40))
    contrary = -np.sign(theirs) / np.maximum(np.abs(theirs), 0.02)
    for weights, answer in ((theirs + small, True), (contrary + small, False)):
        evidence: Any = SimpleNamespace(weights=lambda *names, weights=weights, **values: weights)
        assert judge(evidence).answer is answer


# Statements about play: made-up scores that must give each verdict.


def made_up(cells: dict[tuple[str, str], float], rest: float = 0.5) -> Any:
    """Evidence in which the matches named have these scores."""

    def met(row: str, column: str) -> Cell:
        return cell(row, column, wins=round(100 * cells.get((row, column), rest)))

    return SimpleNamespace(met=met, balanced=met)


@pytest.mark.parametrize(
    ("judge", "cells", "rest", "answer"),
    [
        (judges.random_is_even, {}, 0.5, True),
        (judges.random_is_even, {("random", "random"): 0.6}, 0.5, False),
        (judges.random_is_even, {("random", "random"): 0.54}, 0.5, None),
        (judges.random_is_beaten, {}, 0.97, True),
        (judges.random_is_beaten, {("greedy1", "random"): 0.8}, 0.97, False),
        (judges.chains_matter, {("heuristic", "greedy1"): 0.7}, 0.5, True),
        (judges.chains_matter, {("heuristic", "greedy1"): 0.4}, 0.5, False),
        (judges.first_has_the_edge, {}, 0.7, True),
        (judges.first_has_the_edge, {}, 0.5, False),
        (
            judges.is_not_transitive,
            {("greedy1", "greedy2"): 0.3, ("greedy1", "greedy3"): 0.7, ("greedy3", "greedy2"): 0.7},
            0.5,
            True,
        ),
        (judges.is_not_transitive, {}, 0.5, False),
        (judges.depth_is_partly_monotone, {}, 0.5, False),
        (judges.theta2_and_theta5_win_all, {}, 0.98, True),
        (judges.theta2_and_theta5_win_all, {("theta5", "greedy3"): 0.7}, 0.98, False),
        (judges.theta1_loses_to_deep_greedy, {}, 0.3, True),
        (judges.theta1_loses_to_deep_greedy, {("theta1", "greedy4"): 0.6}, 0.3, False),
        (judges.only_theta3_holds, {("heuristic", "theta3"): 0.0}, 1.0, True),
        (judges.only_theta3_holds, {}, 1.0, False),
        (judges.theta5_loses_as_second, {}, 0.7, True),
        (judges.theta5_loses_as_second, {("greedy3", "theta5"): 0.4}, 0.7, False),
    ],
)
def test_statements_are_judged_by_their_rule(
    judge: Callable[[Any], Finding], cells: dict[tuple[str, str], float], rest: float, answer: Answer
) -> None:
    assert judge(made_up(cells, rest)).answer is answer


def test_deeper_but_worse_somewhere() -> None:
    ladder = {(f"greedy{depth}", other): 0.1 * depth for depth in range(1, 6) for other in OPPONENTS}
    assert judges.depth_is_partly_monotone(made_up(ladder)).answer is False
    assert judges.depth_is_partly_monotone(made_up({**ladder, ("greedy4", "greedy1"): 0.1})).answer is True


def test_signs_that_change() -> None:
    scores = {("heuristic", "greedy1"): 0.7, ("greedy1", "heuristic"): 0.4}
    evidence = made_up(scores)
    evidence.balanced = lambda one, other: cell(one, other, wins=30)
    assert [(one, other) for one, other, *_ in judges.changed_signs(evidence)] == [("heuristic", "greedy1")]


def readings(own: tuple[float, float], every: tuple[float, float], seeds: int = 4) -> Any:
    """Evidence in which theta1 of each reading wins such shares as first and as second at all marks, nearly."""
    shares = {OWN: own, EVERY: every}

    def progress(training: tuple[str, int], mark: Any, seat: int) -> Cell:
        reading, number = training
        return cell(wins=round(1000 * shares[reading][seat]) + number, games=1000)

    def trainings(name: str = "", side: str = OWN) -> list[tuple[str, int]]:
        return [(side, number) for number in range(seeds)]

    return SimpleNamespace(progress=progress, trainings=trainings, marks=[1, 2, 3, 4, None])


@pytest.mark.parametrize(
    ("own", "every", "words"),
    [
        ((0.91, 0.89), (0.7, 0.7), "within the scatter of learning by own plies, outside"),
        ((0.7, 0.89), (0.91, 0.89), "within the scatter of learning by every ply, outside"),
        ((0.91, 0.89), (0.91, 0.89), "within the scatter of both"),
        ((0.5, 0.5), (0.5, 0.5), "outside the scatter of both"),
    ],
)
def test_which_reading(own: tuple[float, float], every: tuple[float, float], words: str) -> None:
    assert words in which_reading(readings(own, every))
    assert "cannot be told" in which_reading(readings(own, every, seeds=2))


# Matches.


def test_matches_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bouts = [Bout("random", "greedy:depth=1", 6), Bout("random", "random", 4, "random:2", "both")]
    first = Matches(tmp_path, REPORT_RULES, 1)
    told: list[tuple[int, int, str]] = []
    first.play(bouts, lambda *words: told.append(words))
    assert told[-1] == (10, 10, "2 of 2 matches")
    text = (tmp_path / JOURNAL).read_text()
    monkeypatch.setattr(Matches, "_play", None)
    again = Matches(tmp_path, REPORT_RULES, 2)
    again.play(bouts, lambda *words: None)
    assert [again[bout] for bout in bouts] == [first[bout] for bout in bouts]
    assert (tmp_path / JOURNAL).read_text() == text
    assert Bout("random", "random", 4) not in again


def test_matches_do_not_depend_on_their_order(tmp_path: Path) -> None:
    bouts = [Bout("random", "greedy:depth=1", 6), Bout("random", "random", 4)]
    found = []
    for order, folder in ((bouts, tmp_path / "one"), (bouts[::-1], tmp_path / "other")):
        folder.mkdir()
        matches = Matches(folder, REPORT_RULES, 1)
        matches.play(order, lambda *words: None)
        found.append([matches[bout] for bout in bouts])
    assert found[0] == found[1]
    same = match(REPORT_RULES, "random", "random", games=4, openings="none", seats="fixed", seed=bouts[1].seed)
    assert (same.wins, same.draws) == (found[0][1].wins, found[0][1].draws)


def test_a_damaged_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text('{"row":"random"}\n')
    with pytest.raises(InvalidError, match="a line is not that of a match"):
        Matches(tmp_path, REPORT_RULES, 1)


# The whole.

SMALL = {
    **{name: {"seeds": "1", "games": "3000", "evaluate_every": "1000", "evaluation_games": "4"} for name in TRAININGS},
    BASELINES: {"games": "4"},
}


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Report]]:
    """Makes the report into a folder, from trainings and matches as small as can be."""
    declarations = tmp_path_factory.mktemp("declarations")
    for name, sizes in SMALL.items():
        full, quick = shipped()[name].split("[quick]")
        for size, value in {**sizes, "marks": "[600, 1000, 1500, 2000]"}.items():
            quick = re.sub(rf"^{size} = .*$", f"{size} = {value}", quick, flags=re.MULTILINE)
        if name == "mancala-chains":
            quick = quick.replace("games = 3000", "games = 2000")
        (declarations / f"{name}.toml").write_text(f"{full}[quick]{quick}")

    def small(name: str, **options: Any) -> Any:
        return experiment(declarations / f"{name}.toml", **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "experiment", small)
        patch.setitem(gathering.SIZES, "quick", Sizes(4, 4, 4, 4, 4))
        yield lambda folder: report("mancala", scale="quick", folder=folder, jobs=2)


@pytest.fixture(scope="module")
def made(make: Callable[[Path], Report], tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make(tmp_path_factory.mktemp("reports"))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return [*csv.DictReader(file)]


def test_page_of_mancala(made: Report) -> None:
    folder, text = made.page.parent, made.page.read_text()
    assert folder.name == "mancala-quick"
    assert json.loads((folder / "summary.json").read_text()) == made.summary
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|@import', text), "it must need nothing else"
    statements = made.summary["statements"]
    assert [each["name"] for each in statements] == [each.name for each in STATEMENTS]
    counts = Counter(each["verdict"] for each in statements)
    for kind, verdict in (("agrees", verdicts.AGREES), ("differs", verdicts.DIFFERS), ("untold", verdicts.UNTOLD)):
        assert text.count(f'<span class="verdict {kind}">{verdict}</span>') == counts[verdict]
    assert [row["verdict"] for row in rows_of(folder / "statements.csv")] == [each["verdict"] for each in statements]
    charts = [*folder.glob("*.svg")]
    assert len(charts) == 11
    assert all(chart.read_text() in text for chart in charts)
    assert "nan" not in re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL).lower().split()


def test_its_data_are_whole(made: Report) -> None:
    folder = made.page.parent
    tables = Counter(row["table"] for row in rows_of(folder / "tables.csv"))
    sizes = (49, 10, 30, 55, 20, 6, 110)
    assert tables == dict(zip(comparisons.TABLES, sizes, strict=True))
    assert all(row["verdict"] for row in rows_of(folder / "tables.csv") if row["table"] != "openings")
    weights = rows_of(folder / "weights.csv")
    assert [float(row["printed"]) for row in weights] == report_weights().tolist()
    assert len(rows_of(folder / "progress.csv")) == 2 * 5 * 2 + 2
    record = read_record((folder / "game.txt").read_text())
    assert record.players == ("theta:depth=5", "greedy:depth=5")
    assert record.outcome is not None
    assert player(f"theta:agent={folder / 'theta.safetensors'},depth=2", REPORT_RULES).name


def test_the_same_page_when_it_is_made_again_and_elsewhere(
    make: Callable[[Path], Report], made: Report, tmp_path: Path
) -> None:
    folder = made.page.parent.parent
    before = made.page.read_text()
    assert make(folder).page.read_text() == before
    assert make(tmp_path).page.read_text().replace(str(tmp_path), "") == before.replace(str(folder), "")


def test_no_other_scale() -> None:
    with pytest.raises(UsageError, match="scale 'huge': of mancala there is quick, paper"):
        report("mancala", scale="huge")  # type: ignore[arg-type]


def test_all_players_of_the_tables_are_known() -> None:
    assert [player(gathering.text_of(name), REPORT_RULES).name for name in OPPONENTS][:2] == [
        "heuristic",
        "greedy:depth=1",
    ]
    assert THETA == ("theta1", "theta2", "theta3", "theta4", "theta5")
