"""What was learned, solved or played by code that has changed since is refused in one line.

Where `fresh` stands, in processes that begin; else in this one, which forgets the modules that it has imported.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from flat_options import train
from matching_checksums import mend
from own_modules import ENVIRONMENT, edit, forget_modules, write_modules

from petteia.cli import main
from petteia.foreign import trust

pytestmark = pytest.mark.slow

GAME = "my_nim:MyNim:stones=9"
PLAYER = """
class Bot:
    def new_game(self, rules, seed):
        self.first = 1

    def choose(self, state, limit):
        return self.first
"""
CUP = f"""
title = "Cup"

[tournament]
game = "{GAME}"
players = ["alice:Bot", "mixed:first=random,second=(bob:Bot:place=1),share=0.5", "search:depth=1,evaluation=fb:value"]
games = 2
"""
LEARNING = """
title = "Learning"
seeds = 2

[training]
game = "my_nim:MyNim:stones=9"
features = "fb:Mine"
opponent = "bob:Bot"
games = 20
evaluation_games = 2
"""
PREPARED = f"""
import petteia
GAME = {GAME!r}
few = petteia.EvaluationGames(games=2)
learner = petteia.LinearLearner("fb:Mine")
petteia.train(GAME, learner, opponent="bob:Bot", side=0, games=20, evaluation=few, name="theta")
petteia.train(GAME, side="both", games=20, evaluation=few, name="q")
petteia.solve(GAME, table="nim.table")
for source in ("cup.toml", "learning.toml"):
    petteia.experiment(source)
"""
OWN = ("my_nim", "fb", "bob", "alice", "helper")
"""the modules of the folder, which users vouch for"""
DISTANT = ("my_nim.py", "Heap(state.stones - move,", "Heap(state.stones - move if state.stones < 900 else 0,")
"""a rule for heaps that no game of 9 stones has"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with modules, and what was learned, solved and played by them."""
    folder = tmp_path_factory.mktemp("prepared")
    write_modules(folder)
    (folder / "alice.py").write_text(PLAYER)
    (folder / "cup.toml").write_text(CUP)
    (folder / "learning.toml").write_text(LEARNING)
    subprocess.run([sys.executable, "-c", PREPARED], cwd=folder, env=ENVIRONMENT, check=True)
    return folder


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which is the working folder."""
    copied = Path(shutil.copytree(prepared, tmp_path / "copy"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(copied)
    monkeypatch.setattr(sys, "path", [str(copied), str(copied / "elsewhere"), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return copied


@pytest.fixture
def petteia(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command as if this process had just begun."""

    def run(*arguments: str) -> Ran:
        forget_modules()
        trust.allow(OWN)  # what is tried is noticed behind the seals
        code = main([*arguments])
        forget_modules()
        return Ran(code, *capsys.readouterr())

    return run


def fresh(*arguments: str) -> Ran:
    """Run a command in a new process."""
    trusted = [word for module in OWN for word in ("--trust", module)] if arguments[0] != "solve" else []
    command = [sys.executable, "-m", "petteia", *arguments, *trusted]
    ran = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def refusal(ran: Ran) -> str:
    """The one line by which a command has refused."""
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1), ran
    return ran.err


def match(player: str) -> tuple[str, ...]:
    return ("match", GAME, player, "random", "--games", "2")


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_all_is_taken_as_long_as_only_words_change() -> None:
    edit(Path("fb.py"), '"""Write them."""', '"""Write both."""')
    edit(Path("fb.py"), "return 1\n\n\ndef value", "return 2  # my player\n\n\ndef value")
    edit(Path("my_nim.py"), "    stones: int\n", "    stones: int  # in the heap\n")
    edit(Path("bob.py"), "class Bot(NamedTuple):\n", 'class Bot(NamedTuple):\n    """Lowest."""\n\n')
    edit(Path("alice.py"), "        self.first = 1", "        # the first move\n        self.first = 1")
    commands = [*map(match, ("theta:agent=runs/theta", "q:agent=runs/q", "perfect:table=nim.table"))]
    for command in (*commands, ("experiment", "cup.toml"), ("experiment", "learning.toml")):
        ran = fresh(*command)
        assert ran.code == 0, ran
        assert "changed" not in ran.out + ran.err


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_all_is_refused_by_new_processes() -> None:
    edit(Path("fb.py"), "= 0, 1", "= 1, 0")
    edit(Path("alice.py"), "= 1", "= 2")
    edit(Path(DISTANT[0]), *DISTANT[1:])
    assert "fb.Mine.features and my_nim.MyNim.play have changed" in refusal(fresh(*match("theta:agent=runs/theta")))
    assert "my_nim.MyNim.play has changed" in refusal(fresh("experiment", "cup.toml"))
    assert "my_nim.MyNim.play has changed" in refusal(fresh("solve", GAME, "--table", "nim.table"))


LEARNED = {
    "features": ("theta", ("fb.py", "= 0, 1", "= 1, 0"), "fb.Mine.features has"),
    "a helper elsewhere": ("theta", ("elsewhere/helper.py", "SCALE = 0.5", "SCALE = 0.25"), "helper.SCALE has"),
    "rules": ("theta", DISTANT, "my_nim.MyNim.play has"),
    "rules of a table": ("q", DISTANT, "my_nim.MyNim.play has"),
    "a constant of the rules": ("q", ("my_nim.py", "MAX_TAKEN = 3", "MAX_TAKEN = 4 - 2"), "my_nim.MAX_TAKEN has"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LEARNED)
def test_an_agent_of_changed_code_is_refused_unless_it_is_asked_for(what: str, petteia: Command) -> None:
    kind, change, changed = LEARNED[what]
    edit(Path(change[0]), *change[1:])
    assert refusal(petteia(*match(f"{kind}:agent=runs/{kind}"))) == (
        f"petteia: runs/{kind}/weights.safetensors: {changed} changed since the values were learned; "
        "train again, or use the values anyway with other_rules=yes\n"
    )
    asked = f"{kind}:agent=runs/{kind},other_rules=yes"
    ran = petteia(*match(asked), "--json")
    if "MAX_TAKEN" in changed:
        assert "has the type and shape" in refusal(ran)
    else:
        assert ran.code == 0, ran
        assert f"player {asked}: {changed} changed since the values were learned" in ran.err


def test_a_table_of_rules_that_changed_far_away_is_refused(petteia: Command) -> None:
    edit(Path(DISTANT[0]), *DISTANT[1:])
    for command in (
        ("solve", GAME, "--table", "nim.table"),
        ("regret", GAME, "random", "--table", "nim.table"),
        match("perfect:table=nim.table"),
    ):
        assert refusal(petteia(*command)) == (
            "petteia: nim.table: my_nim.MyNim.play has changed since the game was solved; "
            "remove the file or give the name of a new file, and solve the game again\n"
        )
    Path("nim.table").unlink()
    assert petteia("solve", GAME, "--table", "nim.table").code == 0
    assert petteia(*match("perfect:table=nim.table")).code == 0


PLAYED = {
    "a player": (("alice.py", "= 1", "= 2"), "alice.Bot.new_game"),
    "a policy": (("bob.py", "count - 1", "count - 2"), "bob.Bot.choose"),
    "a policy's default": (("bob.py", "place: int = 0", "place: int = 2"), "bob.Bot.place"),
    "an evaluation": (("fb.py", "return 0\n", "return 5\n"), "fb.value"),
    "the rules": (DISTANT, "my_nim.MyNim.play"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", PLAYED)
def test_the_table_of_a_tournament_is_not_shown_when_code_has_changed(what: str, petteia: Command) -> None:
    change, part = PLAYED[what]
    edit(Path(change[0]), *change[1:])
    assert refusal(petteia("experiment", "cup.toml")) == (
        f"petteia: experiments/cup/matches: {part} has changed since the run was begun; "
        "remove experiments/cup, or choose another folder\n"
    )
    if what == "a player":
        shutil.rmtree("experiments/cup")
        assert petteia("experiment", "cup.toml").code == 0


def test_trainings_go_on_and_are_shown_only_with_the_code_that_began_them(petteia: Command) -> None:
    edit(Path("fb.py"), "= 0, 1", "= 1, 0")
    line = refusal(petteia("experiment", "learning.toml"))
    assert "fb.Mine.features has changed since the run was begun; remove experiments/learning, or" in line
    edit(Path("fb.py"), "= 1, 0", "= 0, 1")
    edit(Path("bob.py"), "count - 1", "count - 2")
    assert "bob.Bot.choose has changed since the run was begun" in refusal(petteia("experiment", "learning.toml"))
    Path("runs/theta/results.json").unlink()
    assert "bob.Bot.choose has changed since the run was begun; begin a new run" in refusal(petteia("resume", "theta"))


def test_what_is_saved_belongs_to_the_code_that_learned_it_not_to_the_file_of_that_moment(petteia: Command) -> None:
    def change(*told: object) -> None:
        Path("fb.py").write_text(Path("fb.py").read_text().replace("= 0, 1", "= 1, 0"))

    forget_modules()
    train(GAME, features="fb:Mine", games=20, evaluation_games=2, name="edited", progress=change)
    assert "fb.Mine.features has changed" in refusal(petteia(*match("theta:agent=runs/edited")))
    edit(Path("fb.py"), "= 1, 0", "= 0, 1")
    assert petteia(*match("theta:agent=runs/edited")).code == 0


def test_what_does_not_say_by_what_code_it_was_made_is_refused(petteia: Command) -> None:
    description = Path("experiments/cup/matches/run.json")
    found = json.loads(description.read_text())
    del found["provenance"]
    description.write_text(json.dumps(found))
    mend(description.parent)
    line = refusal(petteia("experiment", "cup.toml"))
    assert "there is no record of the code of my_nim with which the run was begun; remove" in line


def test_a_renamed_module_is_named(petteia: Command) -> None:
    shutil.move("fb.py", "fc.py")
    ran = petteia(*match("theta:agent=runs/theta"))
    assert ran.err.count("\n") == 1
    assert "there is no module 'fb' in the working directory or on Python's path" in ran.err
    shutil.copy("my_nim.py", "other.py")
    other = GAME.replace("my_nim", "other")
    assert f"learned for {GAME}, not for {other}" in refusal(petteia("match", other, "q:agent=runs/q", "random"))
