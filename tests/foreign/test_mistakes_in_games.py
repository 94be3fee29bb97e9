"""A game of one's own: what `new_game` writes passes, and each typical mistake in it prints one line."""

from __future__ import annotations

import re
import sys

import pytest
from folders import HELPERS
from mistakes_in_games import MISTAKES

from petteia.checking.check import check_game
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.names import format_game
from petteia.core.protocol import METHODS, legal, method, play
from petteia.games import game, untried
from petteia.templates.writing import new_game

LINES = dict(re.findall(r"(.+)\n    (.+)\n", (HELPERS / "mistakes_in_games.txt").read_text(encoding="utf-8")))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, whose modules are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def first_failure(text: str, games: int = 50) -> str:
    try:
        rules = untried(text)
    except PetteiaError as error:
        return str(error)
    return next((result.message for result in check_game(rules, games) if not result.passed), "passes")


def test_a_new_game_passes_every_check(folder):
    path = new_game("take_away")
    assert path.name == "take_away.py"
    results = list(check_game(game("take_away:TakeAway:stones=9"), games=50))
    assert [result.message for result in results if not result.passed] == []
    names = {result.name for result in results}
    assert {"random games", "effects", "play compiles", "compiled games", "compiled perft"} <= names
    rules = game("take_away:TakeAway:stones=9")
    assert format_game(rules) == "take_away:TakeAway:stones=9"
    assert legal(rules, play(rules, rules.initial(), 3)) == [1, 2, 3]
    assert all(own.__doc__ for name in METHODS if (own := method(type(rules), name)))


@pytest.mark.slow
@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_prints_one_line(what, folder):
    path = new_game("nim")
    text = path.read_text(encoding="utf-8")
    for old, new in MISTAKES[what]:
        assert old in text, "the edit does not fit the module any more"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    assert first_failure("nim:Nim").replace(f"{folder}/", "") == LINES[what]


def test_every_line_belongs_to_a_mistake():
    assert LINES.keys() == MISTAKES.keys()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Nim", "must begin with a lower-case letter and contain only lower-case letters"),
        ("my-game", "must begin with a lower-case letter and contain only lower-case letters"),
        ("../nim", "must begin with a lower-case letter and contain only lower-case letters"),
        ("", "must begin with a lower-case letter and contain only lower-case letters"),
        ("2048", "must begin with a lower-case letter and contain only lower-case letters"),
        ("class", "this name is reserved by Python or by the template"),
        ("none", "this name is reserved by Python or by the template"),
        ("heap", "this name is reserved by Python or by the template"),
        ("json", "a Python package with this name exists"),
        ("petteia", "a Python package with this name exists"),
        ("there", "exists already"),
    ],
)
def test_a_name_that_does_not_do_is_refused(name, message, folder):
    (folder / "there.py").write_text("kept = 1\n")
    with pytest.raises(UsageError, match=message):
        new_game(name, folder)
    assert [path.name for path in folder.iterdir()] == ["there.py"]
    assert (folder / "there.py").read_text() == "kept = 1\n"


def test_a_folder_that_cannot_be_written_is_named(folder):
    with pytest.raises(PetteiaError, match=r"nowhere/nim\.py: cannot be written: No such file"):
        new_game("nim", folder / "nowhere")


EMPTY = """
from typing import NamedTuple
from petteia.core.protocol import Limits
from rules_of_pass import Turn, after


class Pass(NamedTuple):
    def initial(rules): return Turn(0)
    def to_move(rules, state): return state.ply % 2
    def moves(rules, state, out):
        out[0] = 0
        return 1
    def play(rules, state, move): return after(state)
    def is_over(rules, state): return state.ply == 3
    def margin(rules, state): return 1
    def key(rules, state): return state.ply
    def injective(rules): return True
    def limits(rules): return Limits(1, 1, 3)
    def format_state(rules, state): return f"ply{state.ply}"
    def parse_state(rules, text):
        if text not in ("ply0", "ply1", "ply2", "ply3"):
            raise ValueError("must be ply0 to ply3")
        return Turn(int(text[3]))
    def format_move(rules, state, move): return "pass"


class Long(Pass):
    def is_over(rules, state): return state.ply == 5
    def limits(rules): return Limits(1, 1, 5)
    def parse_state(rules, text):
        if text not in ("ply0", "ply1", "ply2", "ply3", "ply4", "ply5"):
            raise ValueError("must be ply0 to ply5")
        return Turn(int(text[3]))
"""
BESIDE = """
from typing import NamedTuple
from petteia.core.kernel import inline


class Turn(NamedTuple):
    ply: int


@inline
def after(state):
    return Turn(state.ply + 1)
"""


@pytest.mark.slow
def test_games_without_options_over_two_modules_and_derived_ones(folder):
    (folder / "passing.py").write_text(EMPTY)
    (folder / "rules_of_pass.py").write_text(BESIDE)
    assert first_failure("passing:Pass", games=3) == "passes"
    assert first_failure("passing:Long", games=3) == "passes"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("take_away", "there is no game 'take_away'; did you mean take_away:TakeAway?"),
        ("take-away", "there is no game 'take-away'; did you mean take_away:TakeAway?"),
        ("take_away.py", "game 'take_away.py': did you mean take_away:TakeAway?"),
        ("take_away:takeaway", "module 'take_away' has no class 'takeaway'; did you mean 'TakeAway'?"),
        ("take_away:Game", "module 'take_away' has no class 'Game'; its classes are TakeAway"),
        ("two_games", "did you mean two_games:One or two_games:Other?"),
        ("no_game", "choose from kalah"),
        ("no_python", "choose from kalah"),
        ("json", "choose from kalah"),
        ("kalha", "did you mean 'kalah'?"),
        ("kalah:empty", "'empty' is not of the form option=value; did you mean kalah:capture=empty?"),
        ("kalah:5,seeds=3", "did you mean kalah:pits=5,seeds=3?"),
        ("kalah:many", "'many' is not of the form option=value"),
    ],
)
def test_what_was_probably_meant(name, message, folder):
    new_game("take_away")
    two = "class One:\n    def initial(rules): pass\nclass Other(One): pass\nclass Third: pass\n"
    (folder / "two_games.py").write_text(f"raise SystemExit  # not run\n{two}")
    (folder / "no_game.py").write_text("class Bot: pass\n")
    (folder / "no_python.py").write_text("class : no\n")
    with pytest.raises(PetteiaError) as raised:
        game(name)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
