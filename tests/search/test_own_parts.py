"""Rankings, selections and horizons of a user's own, named in the options of a player and checked."""

from __future__ import annotations

import pytest
from own_evaluations import Coins

import petteia
from petteia.cli import main
from petteia.core.decision import Limit
from petteia.core.errors import NotFoundError, UsageError
from petteia.core.kernel import runs_plain
from petteia.core.protocol import initial, legal
from petteia.games import game
from petteia.players import player

FIRST, ON = "own_search_parts:FirstMoves", "own_search_parts:OnePlyOn"


def values(options: str, rules: object) -> dict[str, float]:
    """The value of each move, by a search with these options."""
    return petteia.best(rules, player=f"search:table=1,{options}", lines=99).values


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Coins(8), game("kalah:pits=3,seeds=2")], ids=repr)
def test_a_horizon_of_ones_own_finds_what_a_deeper_search_finds(rules: object) -> None:
    assert values(f"depth=2,quiet={ON}", rules) == values("depth=3", rules) != values("depth=2", rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Coins(8), game("kalah:pits=3,seeds=2")], ids=repr)
def test_a_selection_of_ones_own_says_which_moves_are_searched(rules: object) -> None:
    found = petteia.best(rules, player=f"search:depth=3,table=1,keep={FIRST}", lines=99)
    assert len(found.lines) == 2
    assert not found.is_final
    thinker = player(f"search:depth=3,keep={FIRST}", rules)
    thinker.new_game(rules, 0)
    assert thinker.choose(initial(rules), Limit()).move in legal(rules, initial(rules))[:2]


@pytest.mark.slow
def test_both_play_a_game_of_ones_own() -> None:
    text = f"search:depth=2,table=none,keep={FIRST},quiet={ON}"
    found = petteia.match("own_evaluations:Coins:coins=8", text, "random", games=20)
    assert (found.games, found.illegal) == (20, 0)
    assert found.score > 0.5


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        (
            "keep=own_search_parts:KeepsInSecret",
            "the method `select` leaves out 1 of 3 moves, so the method `leaves_out` must return True",
        ),
        ("keep=own_search_parts:KeepsMore", "the number of legal moves"),
        ("keep=own_search_parts:KeepsTwice", "entries of `moves` must be different legal moves"),
        ("keep=own_search_parts:KeepsQuietly", "KeepsQuietly does not define the method leaves_out(selection)"),
        (
            "keep=own_search_parts:OnePlyOn",
            "OnePlyOn does not define the method select(selection, search, state, ply, moves, count)",
        ),
        ("quiet=own_search_parts:Halving", "the method `search_beyond` returned 0.5; must be a whole number"),
        ("quiet=own_search_parts:Failing", "raised ZeroDivisionError"),
        ("quiet=own_search_parts:Endless", "the method `plies_beyond` returned 17; must be in 0..16"),
        ("keep=0.5,order=own_search_parts:RanksByHalves", "the method `rank` returned 0.5; must be a whole number"),
        (
            "keep=0.5,order=own_search_parts:RanksMovesAlone",
            "`rank` has the parameters (ranking, move); they must be (ranking, rules, state, move, steps)",
        ),
        ("keep=0.5,order=own_search_parts:RanksByChoice", "every field of RanksByChoice needs a default"),
        (f"keep={FIRST},order=random", "order works only with keep below 1, such as keep=0.5"),
        (f"quiet={ON},threshold=3", "threshold works only with quiet=built or quiet=repaired; omit the option"),
    ],
)
def test_what_is_wrong_with_a_part_is_told_in_one_line(option: str, wrong: str) -> None:
    with pytest.raises(UsageError) as error:
        player(f"search:depth=2,{option}", game("kalah:pits=3,seeds=2"))
    assert wrong in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(runs_plain(), reason="nothing is compiled")
@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        ("keep=own_search_parts:KeepsByName", "cannot compile text; a part works on numbers"),
        ("quiet=own_search_parts:WithoutValueAt", "cannot compile the attribute memory of a value of type Pointer"),
    ],
)
def test_what_does_not_compile_is_told_in_one_line(option: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=rf"own_search_parts.py, line \d+: {wrong}") as error:
        player(f"search:depth=2,{option}", Coins())
    assert "\n" not in str(error.value)


def test_parts_that_are_not_there() -> None:
    for option in ("keep", "quiet", "keep=0.5,order"):
        with pytest.raises(NotFoundError, match="has no class 'Nothing'"):
            player(f"search:depth=2,{option}=own_search_parts:Nothing", game("kalah"))


def test_parts_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """All methods are compiled, where there is a compiler, once the part works in plain Python."""
    for name in (FIRST, ON, "own_evaluations:LastFirst"):
        assert main(["check", name, "--game", "kalah:pits=3,seeds=2", "--games", "5"]) == 0
        assert "ok    positions" in capsys.readouterr().out
    assert main(["check", "own_search_parts:Failing", "--game", "own_evaluations:Coins"]) == 1
    told = capsys.readouterr()
    assert "FAIL  positions" in told.out
    assert "search_beyond (own_search_parts.py, line " in told.err
