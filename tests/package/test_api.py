"""The public functions: all documented, all lazy, all giving rows that pandas takes; the same results in every lane."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pandas as pd
import pytest
from flat_options import train

import petteia
from petteia.games.hare_and_hounds import HareAndHounds

DIGESTS = (5625428797992701896, -2054916064847007737, -7425421220980219343)
WINS_AND_STATES = [(0, 204), (0, 382), (1, 541)]


@pytest.mark.parametrize("name", petteia.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    found = getattr(petteia, name)
    assert name in dir(petteia)
    if name != "__version__":
        assert inspect.getdoc(found)
        assert found.__module__.startswith("petteia.")


@pytest.mark.parametrize("name", [name for name in petteia.__all__ if inspect.isfunction(getattr(petteia, name))])
def test_every_public_function_is_typed_and_names_its_arguments(name: str) -> None:
    function = getattr(petteia, name)
    doc = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
    if "Args:" in doc:
        missing = [parameter for parameter in signature.parameters if f"\n    {parameter}: " not in doc]
        assert not missing


def test_the_public_names_are_those_a_type_checker_sees() -> None:
    promised = {name for names in petteia.HOMES.values() for name in names}
    assert promised | {"__version__"} == set(petteia.__all__)
    source = Path(petteia.__file__).read_text(encoding="utf-8")
    seen = source.partition("if TYPE_CHECKING:")[2].partition("HOMES")[0]
    for name in promised:
        assert name in seen.replace(",", " ").split()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        petteia.chess  # noqa: B018  # the access is what is tested


def test_importing_petteia_imports_nothing_heavy() -> None:
    code = "import sys, petteia; print(sorted(m for m in sys.modules if m.startswith(('petteia', 'num', 'pydantic'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [m for m in eval(done.stdout) if not m.startswith("numbers")] == ["petteia"]


def test_games_are_rows() -> None:
    frame = pd.DataFrame(petteia.list_games())
    assert list(frame.columns) == ["name", "seats", "options", "about"]
    assert frame.loc[frame.name == "hare-and-hounds", "seats"].item() == "hounds and hare"


@pytest.mark.lanes
def test_perft_takes_text_or_values() -> None:
    rules = HareAndHounds(escape=2)
    assert petteia.game("hare-and-hounds:escape=end") == rules
    start = rules.initial()
    assert petteia.perft("hare-and-hounds:escape=end", 4) == petteia.perft(rules, 4, position=start) == 443
    frame = pd.DataFrame(petteia.divide(rules, 4))
    assert frame.nodes.sum() == 443
    assert set(frame.columns) == {"move", "nodes"}


@pytest.mark.lanes
def test_a_match_gives_rows_and_the_same_ones_in_every_lane() -> None:
    result = petteia.match("hare-and-hounds", "random", "simple", games=20, seed=3)
    frame = pd.DataFrame(result.rows)
    assert len(frame) == result.games == 20
    assert list(frame.seat_of_first) == [0, 1] * 10
    assert frame.plies.mean() == result.plies
    assert tuple(frame.digest[:3]) == DIGESTS
    assert petteia.match(HareAndHounds(), "random", "simple", games=20, seed=3) == result


@pytest.mark.lanes
def test_a_training_gives_rows_and_the_same_ones_in_every_lane(tmp_path: Path) -> None:
    training = train("hare-and-hounds", games=60, evaluate_every=20, evaluation_games=20, runs=tmp_path, seed=3)
    frame = pd.DataFrame(training.points)
    assert list(frame.games) == [20, 40, 60]
    assert list(zip(frame.wins, frame.states, strict=True)) == WINS_AND_STATES
    rows = pd.DataFrame(petteia.runs(tmp_path))
    assert list(rows.state) == ["finished"]
    assert petteia.resume(training.run.path).points == training.points


def test_play_gives_a_record_that_is_read_again(tmp_path: Path) -> None:
    shown: list[str] = []
    session = petteia.play_at_terminal("hare-and-hounds", "random", "simple", seed=1, write=shown.append)
    assert not session.interrupted
    assert "Won by" in "\n".join(shown)
    path = tmp_path / "game.txt"
    path.write_text(session.record.write(), encoding="utf-8")
    assert petteia.record(path) == session.record


def test_a_new_game_passes_its_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert petteia.new_game("fresh_game", tmp_path) == tmp_path / "fresh_game.py"
    frame = pd.DataFrame(petteia.check("fresh_game:FreshGame", games=20))
    assert frame.passed.all()


def test_limits_decisions_and_outcomes() -> None:
    assert petteia.Limit(seconds=0.5).depth is None
    assert petteia.Decision(7).move == 7
    assert [petteia.Outcome(margin, 9).winner for margin in (3, 0, -1)] == [0, None, 1]
    assert typing.get_type_hints(petteia.Outcome)["margin"] is int


@pytest.mark.parametrize(
    ("error", "code"),
    [(petteia.PetteiaError, 1), (petteia.UsageError, 2), (petteia.NotFoundError, 3), (petteia.InvalidError, 4)],
)
def test_errors_carry_their_exit_code(error: type[petteia.PetteiaError], code: int) -> None:
    assert issubclass(error, petteia.PetteiaError)
    assert error.exit_code == code


def test_what_compiled_code_raises_reaches_the_caller() -> None:
    from petteia.core.interrupt import interruptible

    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
    assert interruptible(lambda: 7) == 7


def test_a_board_shows_itself() -> None:
    start = petteia.position("hare-and-hounds").board
    assert "[0]--- 2 ----- 5 ----- 8 ---<10>" in repr(start)
    assert 'hh-arrow"' not in start._repr_svg_()
    moved = petteia.position("hare-and-hounds", "0,1,6/10 hounds 0").play("6-9").board
    assert moved.state == moved.rules.parse_state("0,1,9/10 hare 0")
    assert 'class="hh-arrow"' in moved._repr_svg_()
    assert "after 6-9" in moved._repr_svg_()
