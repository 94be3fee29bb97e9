"""The doctor names a cause instead of its effects, and gives advice that fits the game and the run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from doctor_recipes import HARE, KALAH_TINY, REPORT
from flat_options import configure, train

import petteia
from petteia.analysis.doctor import faults, signs, signs_of_play, trials
from petteia.analysis.doctor.advice import advised, in_words
from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.remains import Curve
from petteia.analysis.doctor.sampling import sample_features
from petteia.checking.notes import CheckResult
from petteia.experiments.training import begin


def test_a_cause_is_examined_before_its_effects() -> None:
    for place, fault in enumerate(faults.FAULTS):
        assert {*fault.explained_by} <= {each.name for each in faults.FAULTS[:place]}, fault.name


@pytest.mark.parametrize(
    ("broken", "names", "options"),
    [
        ({"epsilon": 0}, {"little-exploration"}, "--epsilon 0.5"),
        ({"initial": 10, "alpha": 0.01}, {"initial-values"}, "leave out --initial"),
        ({"gamma": 0}, {"small-gamma"}, "--gamma 0.9"),
        ({"max_plies": 2}, {"games-cut-off"}, "--max-plies 1000"),
    ],
)
def test_only_the_cause_is_named(broken: dict[str, Any], names: set[str], options: str, tmp_path: Path) -> None:
    effects = {"frozen-values", "unordered-moves", "no-gain", "costly-settings"}
    found = petteia.doctor(train(HARE, games=20_000, runs=tmp_path, **broken))
    assert names <= {*found.names} <= names | {"few-games", "blind-evaluation"}, found.names
    assert not effects & {*found.names}
    assert found.findings[0].options == options


def test_a_small_discount_factor_explains_values_that_do_not_order_moves(tmp_path: Path) -> None:
    broken = {**REPORT, "learner": "td", "gamma": 0.02}
    found = petteia.doctor(train(KALAH_TINY, games=2_000, runs=tmp_path, **broken))
    assert found.names == ("small-gamma",)
    assert found.findings[0].options == "--gamma 1"


@pytest.mark.parametrize("explores", [{"initial": 1}, {"explore_starts": True}])
def test_a_table_explores_by_more_than_random_moves(explores: dict[str, Any], tmp_path: Path) -> None:
    found = petteia.doctor(train(HARE, games=20_000, epsilon=0, runs=tmp_path, **explores))
    assert not {"little-exploration", "initial-values"} & {*found.names}


def test_text_forms_that_fail_do_not_end_the_examination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "GAMES", ())
    monkeypatch.setattr(signs, "run_checks", lambda *_: [CheckResult("texts of states", False, "it rejects '1 a'")])
    found = petteia.doctor(train(HARE, games=20_000, runs=tmp_path))
    assert found.names == ("broken-texts",)
    assert found.findings[0].evidence == "texts of states: it rejects '1 a'"
    assert found.strength is not None


def test_features_that_lose_to_greedy_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = train(HARE, features="squares", games=2_000, runs=tmp_path)
    monkeypatch.setattr(trials, "compared", lambda *_: None)
    assert "loses-to-greedy" not in petteia.doctor(training).names
    monkeypatch.setattr(trials, "compared", lambda *_: "loses to greedy: 40.0%")
    seen = trials.loses_to_greedy(Evidence(training))
    assert seen is not None
    assert (seen["verdict"], seen["remedy"]) == (
        "loses to greedy: 40.0%",
        "more games, or other features, or a smaller alpha; or a table (leave out --features), as the game has "
        "only 14,700 positions",
    )


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ({}, "more games, another opponent, or features instead of a table"),
        (
            {"features": "squares"},
            "another opponent, features that distinguish more positions, or a table (leave out --features), as the "
            "game has only 14,700 positions",
        ),
    ],
)
def test_features_instead_of_a_table_are_advised_for_tables_only(
    options: dict[str, Any], remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, value in {"WEAK": 2.0, "FAR": -1.0}.items():
        monkeypatch.setattr(trials, limit, value)
    found = trials.far_from_best(Evidence(train(HARE, games=500, runs=tmp_path, **options)))
    assert found is not None
    assert found["remedy"] == remedy


@pytest.mark.parametrize(
    ("last", "unvisited", "is_named"), [(136, 0.5, True), (136, 0.1, False), (124, 0.5, False), (300, 0.1, True)]
)
def test_a_few_games_leave_positions_unvisited(last: int, unvisited: float, is_named: bool) -> None:
    points: Any = [
        seen_of(games=games, states=states, score=0.5) for games, states in ((15, 60), (30, 100), (45, 123), (60, last))
    ]
    found = signs.still_rising(
        seen_of(
            curves=[Curve(0, points)],
            settings=seen_of(games=60),
            training=seen_of(is_finished=True),
            name=("first", "second").__getitem__,
            solution="all",
            unvisited=unvisited,
        )
    )
    assert (found is not None) == is_named
    assert found is None or found["more"] == 300


def test_a_table_lacks_positions_after_few_games(tmp_path: Path) -> None:
    few, enough = (
        Evidence(train(KALAH_TINY, games=games, runs=tmp_path, name=str(games))).unvisited for games in (60, 20_000)
    )
    assert enough < signs.UNVISITED < few


@pytest.mark.parametrize(("learned", "best", "names"), [(0.55, 0.75, True), (0.7, 0.75, False), (0.55, None, False)])
def test_best_play_shows_a_start_near_the_end_where_random_moves_also_win(
    learned: float, best: float | None, names: bool
) -> None:
    seen = seen_of(
        check_far_enough=lambda: None,
        starts_elsewhere=True,
        settings=seen_of(seats=(0,)),
        policy="learned",
        name=("first", "second").__getitem__,
        won=lambda text, seat: 0.2,
        learned=lambda text, seat: seen_of(score=0.88),
        unlearned=lambda text, seat: seen_of(score=0.85),
        perfect=lambda seat: seen_of(score=0.9),
        perfect_from_the_start=lambda seat, games: best,
        from_the_start=lambda one, text, seat, games: learned if one == "learned" else 0.5,
    )
    found = signs_of_play.other_start(seen)
    assert (found is not None) == names
    assert found is None or found["best"] == "; best play scores 75.0% from the start"


class Forgets:
    """Features of which the last is named but not computed in positions below `until`."""

    _fields = ()

    def __init__(self, until: int) -> None:
        self.until = until

    def size(self, rules: Any) -> int:
        return 4

    def features(self, rules: Any, state: int, index: Any, value: Any) -> int:
        index[:4], value[:4] = range(4), (1.0, state, state % 5, state % 7)
        return 3 if state < self.until else 4


@pytest.mark.parametrize(("until", "names"), [(40, "stores"), (39, None)])
def test_a_feature_that_is_named_but_never_computed(until: int, names: str | None) -> None:
    sample = sample_features(None, Forgets(until), range(40))
    found = signs.lost(seen_of(features=sample, feature_names=("one", "mover", "rows", "stores"), absent_phases=()))
    assert (None if found is None else found["features"]) == names


def test_the_end_of_the_text_names_the_checks_that_were_not_possible(tmp_path: Path) -> None:
    found = petteia.doctor(train(HARE, games=20_000, side="both", runs=tmp_path))
    assert str(found).endswith("; not possible: one-opponent).")


def seen_of(**facts: Any) -> Any:
    """What a test of a fault needs to know of a run."""
    return SimpleNamespace(**facts)


@pytest.mark.parametrize(("plies", "remedy", "usual"), [(20, "a larger maximum", 1_000), (1_000, "`is_over`", 1_000)])
def test_games_that_never_end_need_other_rules_instead_of_more_plies(plies: int, remedy: str, usual: int) -> None:
    found = signs_of_play.cut_off(seen_of(random_play=seen_of(stopped=0.8), done=0, settings=seen_of(max_plies=plies)))
    assert found is not None
    assert remedy in str(found["remedy"])
    assert found["usual"] == usual


@pytest.mark.parametrize(("other_wins", "remedy"), [(0.0, "check `margin`"), (0.5, "train the other side")])
def test_a_game_that_is_always_drawn_has_a_wrong_margin(other_wins: float, remedy: str) -> None:
    found = signs_of_play.no_winner(
        seen_of(
            settings=seen_of(seats=(0,), side="first"),
            points=[],
            solution=None,
            random_play=seen_of(wins=lambda seat: other_wins * seat, stopped=0.0, games=(1, 2)),
            name=("first", "second").__getitem__,
            rules=None,
        )
    )
    assert found is not None
    assert remedy in str(found["remedy"])
    assert "check `margin`" in str(found["remedy"]), "the rules are custom"
    assert found["other"] == ("first" if other_wins == 0.0 else "second")


@pytest.mark.parametrize(("solution", "remedy", "known"), [(None, "features instead", "squares"), ("all", "more", "")])
def test_a_table_is_replaced_by_features_if_the_game_is_too_large(solution: Any, remedy: str, known: str) -> None:
    found = signs.instead_of_a_table(seen_of(solution=solution, known_set="squares", settings=seen_of(games=9)))
    assert str(found["remedy"]).startswith(remedy)
    assert found["set"] == known


def test_features_are_advised_without_the_options_of_a_table(tmp_path: Path) -> None:
    seen = Evidence(begin(*configure(HARE, games=1_000, initial=2, gamma=0.5), 1, tmp_path))
    assert seen.known_set == "squares"
    assert in_words(advised(seen, [{"features": seen.known_set}])) == "--features squares"
    assert advised(seen, [{"features": ""}, {"features": "report"}]) == [], "this game does not have these sets"
