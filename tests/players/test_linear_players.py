"""Players by linear values that make whole chains of plies, and what all of them say of their moves and themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import petteia
from petteia.arena.reasons import Explained, reasons
from petteia.cli import main
from petteia.core.errors import UsageError
from petteia.core.protocol import is_over, parse_move, parse_state, play, to_move
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import linear, weighted_sum
from petteia.games import game
from petteia.players import player
from petteia.value_functions.linear_file import LearnedWeights, save_linear
from petteia.value_functions.report_weights import report_weights

RULES = game("kalah:pits=3,seeds=2")


def agent(path: Path, turns: str = "chain", scale: float = 1.0) -> Path:
    """A weights file with the weights that the report prints, times `scale`."""
    weights = scale * report_weights()
    save_linear(path, RULES, LearnedWeights("report", weights, weights, weights[None], np.zeros(1, np.int64), 0, turns))
    return path


@pytest.mark.parametrize(
    "option",
    ["depth=2", "ends=value", "ends=special", "won=yes", "early=no", "decided=yes", "draws=1", "table=1", "table=none"],
)
def test_a_player_of_chains_takes_no_options_of_a_search(option: str, tmp_path: Path) -> None:
    path = agent(tmp_path / "file")
    with pytest.raises(UsageError, match=f"chooses whole chains without a search; leave {option.split('=')[0]} out"):
        player(f"theta:agent={path},{option}", RULES)
    assert player(f"theta:agent={path},depth=1,weights=last,other_rules=no", RULES).notice is None


def test_weights_too_large_for_a_search_are_noted(tmp_path: Path) -> None:
    total = float(np.abs(report_weights()).sum())
    for scale, large in ((513.0 / total, False), (5e8 / total, False), (6e8 / total, True), (1e307, True)):
        path = agent(tmp_path / "file", "ply", scale)
        found = player(f"theta:agent={path}", RULES).notice or ""
        assert (
            found
            == f"player theta:agent={path}: its weights are large: values beyond 5.36871e+08 count as equal" * large
        )
    assert player(f"theta:agent={agent(tmp_path / 'chain', 'chain', 1e307)}", RULES).notice is None


# Why a move.


@pytest.mark.parametrize("position", ["0,1,1,4/0,0,2,4 s", "0,1,1,4/0,1,1,4 n"])
def test_best_shows_the_chain_and_says_why_by_what_is_after_it(position: str, tmp_path: Path) -> None:
    before = parse_state(RULES, position)
    found = petteia.best(RULES, position=before, player=f"theta:agent={agent(tmp_path / 'file')}")
    after, movers = before, []
    for move in found.lines[0].line:
        movers.append(to_move(RULES, after))
        after = play(RULES, after, parse_move(RULES, after, move))
    assert found.move == found.lines[0].line[0]
    assert len(movers) > 1
    assert {*movers} == {to_move(RULES, before)}
    assert is_over(RULES, after) or to_move(RULES, after) != to_move(RULES, before)
    evaluation = linear(RULES, ReportFeatures(), report_weights())
    assert sum(each.worth_before for each in found.features) == pytest.approx(weighted_sum(evaluation, RULES, before))
    assert sum(each.worth_after for each in found.features) == pytest.approx(weighted_sum(evaluation, RULES, after))
    assert found.value == pytest.approx(weighted_sum(evaluation, RULES, after))


def test_a_chain_that_wins_is_worth_a_won_end(tmp_path: Path) -> None:
    player = f"theta:agent={agent(tmp_path / 'file')}"
    assert petteia.best(RULES, position="0,0,1,8/0,0,1,2 s", player=player).value == 99999.0
    assert petteia.best(RULES, position="0,0,1,2/0,0,1,8 n", player=player).value == 99999.0 * -1


@pytest.mark.slow
def test_where_the_turn_passes_both_sides_features_are_one_reason() -> None:
    passes = petteia.best(RULES, position="1,0,1,3/1,1,1,4 s", player="theta:agent=report")
    told = {each.feature: each for each in passes.reasons}
    assert len(told) == len(passes.reasons) < len(passes.features)
    assert not [name for name in told if "to_move" in name]
    stores = told["store_difference"]
    assert [each.feature for each in stores.parts] == [
        f"{side}_to_move.store_difference" for side in ("south", "north")
    ]
    assert stores.gain == pytest.approx(stores.parts[1].worth_after - stores.parts[0].worth_before)
    assert sum(each.gain for each in told.values()) == pytest.approx(sum(each.gain for each in passes.features))
    sizes = [abs(each.gain) for each in passes.reasons]
    assert sizes == sorted(sizes, reverse=True)


def test_where_the_turn_stays_each_feature_is_a_reason() -> None:
    stays = petteia.best(RULES, position="1,2,0,2/2,1,1,3 s", player="theta:agent=report")
    assert {each.feature for each in stays.reasons} == {each.feature for each in stays.features}
    assert "south_to_move.store_difference" in {each.feature for each in stays.reasons}


def test_only_a_block_that_gives_way_to_another_is_one_with_it() -> None:
    def told(*features: tuple[str, float, float]) -> set[str]:
        return {each.feature for each in reasons([Explained(name, 1.0, *values) for name, *values in features])}

    assert told(("a.x", 1, 0), ("b.x", 0, 1), ("a.y.z", 1, 0), ("c", 1, 1)) == {"x", "y.z", "c"}
    assert told(("a.x", 1, 1), ("b.x", 1, 1)) == {"a.x", "b.x"}
    assert told(("a.x", 1, 0), ("b.x", 0, 1), ("b.y", 1, 0)) == {"a.x", "b.x", "b.y"}
    assert told(("a.x", 1, 0), ("b.y", 0, 1)) == {"a.x", "b.y"}


def test_the_command_adds_up_what_features_contribute(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["best", "kalah:leftovers=nobody", "--position", "0,5,0,0,10,0,6/9,8,0,0,0,0,10 s", "--player"]
    assert main([*command, "theta:agent=report"]) == 0
    shown = capsys.readouterr().out
    head, _, *rows = shown.split("\n\n")[1].splitlines()
    assert " ".join(head.split()) == (
        "feature (value for south) weight before after weight x before weight x after change"
    )
    numbers = np.array([[float(each) for each in row.split()[-3:]] for row in rows])
    assert rows[-1].split()[0] == "total"
    assert numbers[:-1].sum(axis=0) == pytest.approx(numbers[-1], abs=0.001)
    assert numbers[-1, 1] - numbers[-1, 0] == pytest.approx(numbers[-1, 2], abs=0.001)
    assert "value -0.374" in shown
    assert numbers[-1, 1] == pytest.approx(-0.374, abs=0.001)
    assert "alone" not in shown
    assert main([*command, "theta:agent=report,depth=3"]) == 0
    assert (
        "The table shows the effect of move 2 alone. The value above is that of the end of the line."
        in capsys.readouterr().out
    )
