"""What tables of Hare and Hounds are held against: the solution of the game, and their training runs played once
more."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flat_options import train
from pydantic import TypeAdapter

import petteia
from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement, Truth
from petteia.arena.statistics import Interval
from petteia.core.protocol import image, initial
from petteia.experiments.experiment import experiment
from petteia.games.hare_and_hounds import Position
from petteia.players import player
from petteia.policies.play_games import MARGIN, match_keys, play_games
from petteia.policies.policy import Uniform
from petteia.reports.hare_and_hounds import claims, figures, other_games
from petteia.reports.hare_and_hounds.plan import OPPONENTS
from petteia.value_functions import table as tables
from petteia.value_functions.table import TablePolicy
from petteia.value_functions.table_file import load_table

# The truth.


@pytest.fixture(scope="module")
def truth() -> Truth:
    return Truth(petteia.game("hare-and-hounds"), OPPONENTS)


@pytest.mark.parametrize("side", [0, 1])
def test_tables_are_judged_as_the_command_does(truth: Truth, tmp_path: Path, side: int) -> None:
    run = train("hare-and-hounds", side=side, games=5000, runs=tmp_path).run
    judged = truth.judge(load_table(run.weights, truth.rules).table, side, "random", 0.9)
    for rows, over in ((ALL, "all"), (REACHABLE, "reachable")):
        known, found = petteia.regret("hare-and-hounds", f"q:agent={run.path}", over=over), judged.sets[rows]
        assert (known.positions, known.won) == (found.positions, found.won)
        assert known.perfect_share == pytest.approx(found.perfect_share)
        assert known.mean == pytest.approx(found.mean_regret)
        assert known.wins_lost == pytest.approx(found.results_lost)
    assert judged.sets[MET].positions < judged.sets[REACHABLE].positions
    assert 0 < judged.error < judged.largest_error < 2
    assert TypeAdapter(Judgement).validate_python(json.loads(json.dumps(judged))) == judged


def test_scores_are_those_of_play(truth: Truth, tmp_path: Path) -> None:
    run = train("hare-and-hounds", games=2000, runs=tmp_path).run
    table = load_table(run.weights, truth.rules).table
    scores = truth.scores(0, truth.table_probabilities(0, table))
    for name in ("random", "simple"):
        policy = player(name, truth.rules).policy(truth.rules)
        games = play_games(
            truth.rules, initial(truth.rules), TablePolicy(table), policy, games=4000, keys=match_keys(2), seats=(0, 0)
        )
        assert (games[:, MARGIN] > 0).mean() == pytest.approx(scores[name], abs=0.03)


def test_what_endless_learning_leads_to(truth: Truth) -> None:
    """With nothing discounted a certain win is worth more than any chance; otherwise the hounds hurry, and lose."""
    assert truth.limit_of_learning("random", 1.0)[REACHABLE].results_lost == 0
    assert truth.limit_of_learning("random", 0.9)[REACHABLE].results_lost > 0
    scores = truth.limit_scores("random", 0.9)
    assert max(scores["perfect"], scores["simple"]) < 0.01 < 0.99 < scores["random"]
    assert truth.limit_of_learning("mixed:first=perfect,second=random,share=0.9", 0.9)[ALL].results_lost == 0


def test_random_play_meets_every_reachable_position(truth: Truth) -> None:
    assert truth.measure(0, truth.probabilities_of(0, "random"))[MET].positions == truth.decisions
    assert truth.measure(0, truth.probabilities_of(0, "simple"))[MET].positions < truth.decisions


def test_won_positions_of_both_counts(truth: Truth) -> None:
    """Mirror images make the difference between the two numbers of won positions on the page."""
    won = truth.reached & (truth.values == 1)
    graph = truth.mdp(0, "random", 1.0).graph
    states = [Position(*map(int, row)) for row in graph.states[won]]
    assert len({min(state, image(truth.rules, state, 1)) for state in states}) == truth.solution.wins
    assert sum(state.side == 0 for state in states) == truth.limit_of_learning("random", 0.9)[REACHABLE].won == 2753


@pytest.mark.slow
def test_perfect_play_is_learned(truth: Truth, tmp_path: Path) -> None:
    """The recipe loses no reachable won position."""
    (cell,) = experiment("perfect-play", scale="quick", seeds=1, folder=tmp_path).cells
    check_perfect_play(truth, cell.trainings)


@pytest.mark.heavy
def test_perfect_play_is_learned_with_every_seed(truth: Truth, tmp_path: Path) -> None:
    (cell,) = experiment("perfect-play", folder=tmp_path, jobs=2).cells
    assert len(cell.trainings) == 10
    check_perfect_play(truth, cell.trainings)


def check_perfect_play(truth: Truth, trainings: list[Any]) -> None:
    for training in trainings:
        judged = truth.measure(0, truth.table_probabilities(0, load_table(training.run.weights, truth.rules).table))
        assert judged[REACHABLE].won == 2753
        assert judged[REACHABLE].results_lost == judged[MET].results_lost == 0


def test_wins_are_kept_near_the_win_and_far_from_it(truth: Truth, tmp_path: Path) -> None:
    """The two shares, weighted with the numbers of positions, are the share of all wins kept."""
    training = train("hare-and-hounds", games=4000, runs=tmp_path)
    near, far = figures.kept_by_distance.__wrapped__(None, training)  # type: ignore[attr-defined]  # as it is computed
    probabilities = truth.table_probabilities(0, load_table(training.run.weights, truth.rules).table)
    kept = truth.measure(0, probabilities)[REACHABLE].kept
    assert min(near, far) < kept < max(near, far)
    share = (kept - far) / (near - far)
    assert share * 2753 == pytest.approx(164 + 68 + 280 + 118 + 250 + 204), "wins within 1, 3, ..., 11 plies"


# Training runs once more.


def test_a_training_played_once_more_learns_the_same_values(tmp_path: Path) -> None:
    training = train("hare-and-hounds", games=3000, alpha="0.5..0.1", epsilon=0.5, runs=tmp_path)
    early, table = (
        each._replace(values=each.values.copy(), visits=each.visits.copy(), used=each.used.copy())
        for each in figures.tables(training, [1000, 3000])
    )
    known = load_table(training.run.weights, training.rules).table
    for ours, theirs in zip(tables.rows(table), tables.rows(known), strict=True):
        assert np.array_equal(ours, theirs)
    used = int(early.used[0])
    assert used < int(table.used[0])
    assert early.visits[:used].sum() < table.visits[: int(table.used[0])].sum()
    untried = table.visits == 0
    assert (table.values[untried] == 0.0).all()


def test_what_is_seen_when_a_training_is_played_once_more(tmp_path: Path) -> None:
    training = train("hare-and-hounds", games=4000, epsilon=1.0, alpha=0.1, runs=tmp_path)
    seen = figures.repeated.__wrapped__(None, training)  # type: ignore[attr-defined]  # as it is computed
    assert 0.0 < seen.tried < 1.0
    assert seen.error_often < seen.error
    assert 0.0 < seen.largest_change < 2.0
    assert 0.0 < seen.by_one_game <= 0.4  # a value lies in -1..1 and moves by a tenth of the way, twice at most


@pytest.mark.parametrize("game", ["petteia.games.tic_tac_toe:TicTacToe", "british-square:size=3"])
def test_small_games_are_learned(game: str) -> None:
    found = other_games.course(game, 300_000)
    assert found.gone >= other_games.GONE
    assert found.saved.mean == pytest.approx(found.random - found.learned)
    assert 0.0 < found.saved.low < found.saved.mean < found.saved.high
    assert found.games < 300_000
    less = other_games.course(game, 1000)
    assert (less.positions, less.random, less.games) == (found.positions, found.random, 1000)
    assert less.gone < other_games.GONE


def test_mistakes_are_those_that_the_command_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_games, "POSITIONS", 10**6)
    game = "petteia.games.tic_tac_toe:TicTacToe"
    positions, count = other_games.known_positions(petteia.game(game))
    counted = petteia.regret(game, "random", seat=0)
    assert count == 5478
    found = other_games.mistakes(positions, Uniform())
    assert found.mean() == pytest.approx(counted.results_lost / counted.positions)


@pytest.mark.parametrize(
    ("gone", "works", "answer"),
    [
        ((0.9, 0.8, 0.5, 0.1), True, True),
        ((0.01, 0.5, 0.8, 0.9), None, False),
        ((-0.1, 0.5, 0.8, 0.9), False, False),
        ((0.5, 0.9, 0.1, 0.6), True, None),
    ],
)
def test_claims_on_other_games(gone: tuple[float, ...], works: bool | None, answer: bool | None) -> None:
    games = {
        str(i): other_games.Course(10**i, 1.0, 1.0 - each, Interval(each, each - 0.05, each + 0.05), 5)
        for i, each in enumerate(gone)
    }
    evidence: Any = SimpleNamespace(recall=lambda function, arguments: games, is_judged=True)
    assert claims.in_every_game(evidence).answer is works
    assert claims.less_in_larger(evidence).answer is answer
