"""Thresholds of quiet moves by quantiles: what is measured, in which third of the game it holds, what is refused."""

from __future__ import annotations

import pytest

from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.names import name_of
from petteia.core.protocol import initial, parse_state
from petteia.experiments.thresholds import main, measure
from petteia.features.evaluations import EVALUATIONS, evaluation_for
from petteia.games import game
from petteia.players import player
from petteia.players.search import SearchPlayer
from petteia.players.thresholds import COMMAND, QUANTILES, THIRDS, measured, third_of, thresholds_for

KALAH = game("kalah")
LATE = "0,0,0,0,2,1,20/0,1,0,0,0,2,22 s"


def test_every_evaluation_of_a_game_is_measured() -> None:
    for name, known in EVALUATIONS.items():
        if known.game is not None:
            found = measured()[name_of(known.game)][name]
            assert list(found) == list(QUANTILES)
            assert all(len(thirds) == THIRDS for thirds in found.values())
            for low, middle, high in zip(*found.values(), strict=True):
                assert 0 <= low <= middle <= high > 0


def test_what_is_kept_is_what_is_measured() -> None:
    found = measure(KALAH, evaluation_for(KALAH, "store"))
    assert {name: list(thirds) for name, thirds in found.items()} == measured()["kalah"]["store"]


def test_the_third_of_a_game() -> None:
    assert third_of(KALAH, initial(KALAH)) == 0
    assert third_of(KALAH, parse_state(KALAH, LATE)) == THIRDS - 1


@pytest.mark.parametrize("quiet", ["built", "repaired"])
def test_a_quantile_is_the_number_that_was_measured(quiet: str) -> None:
    thresholds = thresholds_for("q90", KALAH, evaluation_for(KALAH), "search")
    assert len(set(thresholds)) > 1
    by_quantile = searching(f"quiet={quiet},threshold=q90")
    for text, third in (("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", 0), (LATE, 2), ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", 0)):
        by_number = searching(f"quiet={quiet},threshold={thresholds[third]}")
        state = parse_state(KALAH, text)
        if quiet == "repaired":  # what the table holds rests on no threshold, and is kept
            by_quantile.new_game(KALAH, 0)
        found, expected = (each.analyse(state, Limit(depth=3)) for each in (by_quantile, by_number))
        assert found.variations == expected.variations
        assert found.nodes == expected.nodes, "what was found by another threshold is forgotten"


def searching(options: str) -> SearchPlayer:
    made = player(f"search:table=1,{options}", KALAH)
    assert isinstance(made, SearchPlayer)
    made.new_game(KALAH, 0)
    return made


@pytest.mark.parametrize(
    ("name", "evaluation"), [("kalah:pits=3,seeds=2", "store"), ("kalah", "margin"), ("hare-and-hounds", "zero")]
)
def test_what_is_not_measured_is_refused_in_one_line(name: str, evaluation: str) -> None:
    rules = game(name)
    with pytest.raises(UsageError) as raised:
        player(f"search:evaluation={evaluation},quiet=built,threshold=q75", rules)
    said = str(raised.value)
    assert "threshold=q75: this quantile was not measured for " in said
    assert f"`{COMMAND} {name} EVALUATION`" in said
    assert "\n" not in said


def test_thresholds_of_any_game_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main("kalah:pits=3,seeds=2", "store")
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(QUANTILES)
    assert all(len(line.split(",")) == THIRDS for line in lines)
