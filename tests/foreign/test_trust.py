"""Whose code runs: what people name themselves, and what a file names only if somebody vouches for it."""

from __future__ import annotations

import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
from pathlib import Path
from py_compile import PycInvalidationMode

import numpy as np
import pytest
from flat_options import configure, train
from raised_errors import one_line
from tiny_games import Nim

import petteia
from petteia.cli import main
from petteia.core.errors import InvalidError, UsageError
from petteia.experiments.options import flat
from petteia.experiments.run_list import runs
from petteia.experiments.training import begin, open_training
from petteia.foreign import trust
from petteia.foreign.loading import load_class
from petteia.learned.linear_file import load_linear
from petteia.records import seal
from petteia.records.description import DESCRIPTION
from petteia.records.fingerprint import fingerprint
from petteia.records.runs import create_run, digest, open_run
from petteia.records.weights import save_weights

GAME = petteia.game("hare-and-hounds")
MODULE = """
from pathlib import Path

Path(__file__).with_suffix(".ran").touch()


class Bot:
    def new_game(self, rules, seed):
        self.rules = rules

    def choose(self, state, limit):
        from petteia.core.protocol import legal

        return legal(self.rules, state)[0]


class Reader(Bot):
    # which reads a file that names code

    def new_game(self, rules, seed):
        import petteia

        petteia.record("game.txt")
        super().new_game(rules, seed)
"""
RECORD = '[Game "evil:Bot"]\n[First "random"]\n[Second "random"]\n[Result "*"]\n\n1. 1-4 *\n'


@pytest.fixture(autouse=True)
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with a module `evil`, of which nobody has heard; gives the file that it leaves once run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))
    monkeypatch.setattr(trust, "_allowed", set())
    for name in ("evil", "mine"):
        (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / "game.txt").write_text(RECORD)
    return tmp_path / "evil.ran"


def weights(path: Path, features: str, game: str = "hare-and-hounds") -> Path:
    tensors = {
        "weights": np.zeros(2),
        "mean": np.zeros(2),
        "history": np.zeros((0, 2)),
        "history_games": np.zeros(0, int),
    }
    described = {"features": features, "names": "[]", "games": "1", "kept": "0", "turns": "ply"}
    save_weights(path, "linear", game, tensors, described | {"fingerprint": fingerprint(GAME)})
    return path


def run_of_others(folder: Path, field: str = "opponent", text: str = "evil:Bot") -> Path:
    """A run that somebody else has begun, in which this field is this text."""
    rules, configuration = configure(GAME, learner="q", opponent="random", games=10)
    path = begin(rules, configuration, 0, folder).run.path
    written = json.loads((path / DESCRIPTION).read_text())
    part = written if field in written else written["configuration"]
    assert field in part
    part[field] = text
    (path / DESCRIPTION).write_text(json.dumps(written))
    return path


def sealed(path: Path, module: str = "evil") -> Path:
    """The run, which the user has begun with code of this module."""
    seal.seal(path, open_run(path).identity, [module])
    return path


# What a file names.


@pytest.mark.parametrize(
    "text", ["evil:Set", "squares+evil:Set", "evil:Set=1", "(squares+evil:Set)*phases", "a.evil:S"]
)
def test_weights_run_no_code(text: str, tmp_path: Path, evil: Path) -> None:
    with pytest.raises((InvalidError, UsageError)) as refused:
        load_linear(weights(tmp_path / "w", text), GAME)
    assert not evil.exists()
    if "=" not in text:
        one_line(refused, "names code of the module", "--trust")


def test_weights_run_no_game(tmp_path: Path, evil: Path) -> None:
    with pytest.raises(InvalidError, match=r"w: names code of the module 'evil', .* --trust evil"):
        petteia.load(weights(tmp_path / "w", "squares", "evil:Bot:size=3"))
    with pytest.raises(InvalidError, match="--trust evil"):
        petteia.weights(tmp_path / "w")
    with pytest.raises(InvalidError, match="--trust evil"):
        petteia.settling(tmp_path / "w")
    assert not evil.exists()


def test_records_run_no_code(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "game.txt"]) == 4
    assert "game.txt: game record, line 1: header Game: names code of the module 'evil'" in capsys.readouterr().err
    assert not evil.exists()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("opponent", "evil:Bot"),
        ("opponent", "mixed:first=(evil:Bot),second=random,share=0.5"),
        ("opponent", "random for 5, then evil:Bot"),
        ("evaluate_against", "search:evaluation=evil:value"),
        ("learner", "evil:Rule:step=0.5"),
        ("game", "evil:Bot:size=3"),
    ],
)
def test_runs_of_others_run_no_code(field: str, text: str, tmp_path: Path, evil: Path) -> None:
    path = run_of_others(tmp_path / "runs", field, text)
    with pytest.raises(InvalidError, match=r"run.json: names code of the module 'evil'"):
        petteia.resume(path)
    assert main(["resume", str(path)]) == 4
    (row,) = runs(tmp_path / "runs")
    assert row.state == "unfinished"
    assert field == "evaluate_against" or text.partition(",")[0] in f"{row.game} {row.what}"
    assert not evil.exists()


@pytest.mark.parametrize("name", ["antigravity:X", "os.path:join", "types:X", "this:X"])
def test_modules_of_pythons_own_are_never_looked_up(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, name.partition(":")[0], raising=False)
    for ask in (
        lambda: petteia.game(name),
        lambda: petteia.match(GAME, name, "random"),
        lambda: train("kalah", features=name),
        lambda: train(GAME, learner=name),
        lambda: petteia.best("kalah", player=f"search:evaluation={name}"),
        lambda: load_linear(weights(tmp_path / "w", name), GAME),
    ):
        with pytest.raises((UsageError, InvalidError), match="is a module of Python's own"):
            ask()
    assert not {"antigravity", "this"} & set(sys.modules)


# Who vouches.


def test_the_command_line_vouches_for_what_it_names(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--trust", "evil", "game.txt"]) == 4
    assert "evil.Bot must be" in (told := capsys.readouterr().err) or "Bot must be" in told
    assert evil.exists()


def test_what_stands_on_the_command_line_may_stand_in_a_file(tmp_path: Path, evil: Path) -> None:
    weights(tmp_path / "w", "evil:Set")
    main(["match", "hare-and-hounds", "theta:agent=w", "evil:Bot", "--games", "2"])
    assert evil.exists()


def test_what_is_imported_may_stand_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nim.txt").write_text(RECORD.replace("evil:Bot", "tiny_games:Nim").replace("1-4", "1-1"))
    assert petteia.record(tmp_path / "nim.txt").rules == Nim()
    monkeypatch.delitem(sys.modules, "tiny_games")
    monkeypatch.setattr(trust, "_allowed", set())
    with pytest.raises(InvalidError, match="importing it first"):
        petteia.record(tmp_path / "nim.txt")


def test_the_seal_of_the_user_vouches(tmp_path: Path, evil: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = run_of_others(tmp_path / "runs")
    before = digest(open_run(path))
    sealed(path)
    assert digest(open_run(path)) == before
    open_training(path)
    assert trust.allowed() == {"evil"}
    monkeypatch.setattr(trust, "_allowed", set())
    shutil.copytree(path, copy := tmp_path / "copy")
    open_training(copy)
    monkeypatch.setattr(trust, "_allowed", set())
    (copy / DESCRIPTION).write_text((copy / DESCRIPTION).read_text() + " ")
    with pytest.raises(InvalidError, match="--trust evil"):
        open_training(copy)
    key = tmp_path / "states" / "petteia" / "key"
    key.chmod(0o644)
    with pytest.raises(InvalidError, match="--trust evil"):
        open_training(path)
    key.unlink()
    seal.seal(copy, "another key is made", [])
    with pytest.raises(InvalidError, match="--trust evil"):
        open_training(path)


HELPERS = {
    "evil.py": "import os.path\nfrom kit import part\ntry:\n    import extra\nexcept ImportError:\n    pass\n" + MODULE,
    "kit/__init__.py": "",
    "kit/part.py": "def late():\n    from . import later\n",
    "kit/later.py": "import mine\n",
}
"""A module of the user's that imports others: of a package, within a function, and one that may be there or not."""


@pytest.fixture
def helped(tmp_path: Path) -> Path:
    """A run that the user has begun with `evil`, which imports others."""
    for name, text in HELPERS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return sealed(run_of_others(tmp_path / "runs"))


def refused(path: Path, evil: Path, match: str) -> None:
    with pytest.raises(InvalidError, match=rf"{match}.* runs only if you vouch for it: with --trust evil") as error:
        open_training(path)
    assert len(str(error.value).splitlines()) == 1
    assert main(["doctor", str(path)]) == 4
    assert main(["resume", str(path)]) == 4
    assert not evil.exists()
    assert not {"evil", "mine", "extra", "kit", "kit.part", "kit.later"} & set(sys.modules)


def test_code_that_is_as_it_was_runs_again(helped: Path, evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_training(helped)
    assert trust.allowed() == {"evil"}
    assert not evil.exists()
    main(["doctor", str(helped)])
    assert evil.exists()


@pytest.mark.parametrize("name", [*HELPERS, "mine.py"])
def test_a_change_in_any_file_that_is_imported_is_noticed(name: str, helped: Path, evil: Path, tmp_path: Path) -> None:
    content = (tmp_path / name).read_text()
    (tmp_path / name).write_text(content + "# another\n")
    refused(helped, evil, rf"{name} has changed since you began this run")
    (tmp_path / name).write_text(content)
    open_training(helped)


def test_whoever_vouches_may_change_code(helped: Path, evil: Path, tmp_path: Path) -> None:
    (tmp_path / "kit" / "part.py").write_text("late = None")
    refused(helped, evil, r"part.py has changed")
    main(["doctor", str(helped), "--trust", "evil"])
    assert evil.exists()


def test_modules_that_are_added_or_taken_away_are_noticed(helped: Path, evil: Path, tmp_path: Path) -> None:
    extra, part = tmp_path / "extra.py", tmp_path / "kit" / "part.py"
    extra.write_text("")
    refused(helped, evil, r"the module 'extra', .*extra.py, was added")
    extra.unlink()
    part.unlink()
    refused(helped, evil, "the module 'kit.part' is no longer found or imported")


def test_a_run_that_is_passed_on_runs_no_code_of_another_folder(
    helped: Path, evil: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither code that was changed nor the same code: it may read what lies beside it."""
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(tmp_path)])
    shutil.copytree(tmp_path, other := tmp_path / "site-packages", ignore=shutil.ignore_patterns("states"))
    monkeypatch.chdir(other)
    refused(other / "runs" / helped.name, other / evil.name, r"the module 'evil' has moved to .*site-packages")
    (other / "evil.py").write_text("raise SystemExit('the code of another')")
    refused(other / "runs" / helped.name, other / evil.name, r"the module 'evil' has moved to .*site-packages")
    assert str(tmp_path) not in (helped / ".seal").read_text()


def test_a_run_may_be_moved_alone(helped: Path, evil: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = shutil.copytree(helped, tmp_path / "elsewhere" / "run")
    open_training(moved)
    assert trust.allowed() == {"evil"}
    monkeypatch.setattr(trust, "_allowed", set())
    monkeypatch.chdir(moved)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    open_training(moved)
    assert trust.allowed() == {"evil"}


def test_compiled_files_that_are_not_of_the_source_do_not_run(helped: Path, evil: Path, tmp_path: Path) -> None:
    source = tmp_path / "kit" / "part.py"
    content, times = source.read_bytes(), source.stat()
    source.write_text("raise SystemExit('compiled from another source')")
    compiled = Path(py_compile.compile(str(source), invalidation_mode=PycInvalidationMode.UNCHECKED_HASH))
    source.write_bytes(content)
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert main(["doctor", str(helped)]) != 0
    assert evil.exists()
    evil.unlink()
    for module in ("evil", "mine", "kit", "kit.part", "kit.later"):
        sys.modules.pop(module, None)
    trust._allowed.clear()
    compiled.unlink()
    compiled.mkdir()
    refused(helped, evil, r"part.*pyc cannot be written, and may have changed")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("name", [".seal", "key"])
def test_a_seal_that_is_a_pipe_is_none(name: str, helped: Path, evil: Path, tmp_path: Path) -> None:
    path = helped / name if name == ".seal" else tmp_path / "states" / "petteia" / name
    path.unlink()
    os.mkfifo(path)
    refused(helped, evil, "names code of the module 'evil', and that")
    assert len(runs(tmp_path / "runs")) == 1


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"0" * 64, b"\n\n", "\u00e9".encode(), b"0" * (17 << 20)])
def test_a_damaged_seal_is_none(content: bytes, helped: Path, evil: Path) -> None:
    (helped / ".seal").write_bytes(content)
    refused(helped, evil, "names code of the module 'evil', and that")


def test_runs_with_code_of_ones_own_are_sealed(tmp_path: Path) -> None:
    rules, configuration = configure(Nim(), learner="q", opponent="random", games=10)
    sealed = begin(rules, configuration, 0, tmp_path).run.path
    assert (sealed / ".seal").exists()
    key = tmp_path / "states" / "petteia" / "key"
    assert [each.stat().st_mode & 0o777 for each in (key, key.parent)] == [0o600, 0o700]
    rules, configuration = configure(GAME, learner="q", opponent="random", games=10)
    assert not (begin(rules, configuration, 0, tmp_path).run.path / ".seal").exists()


@pytest.mark.parametrize("place", ["file", "nowhere"])
def test_without_a_place_for_the_key_there_is_no_seal(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file") if place == "file" else "")
    monkeypatch.setattr("petteia.core.folders.Path.home", lambda: (_ for _ in ()).throw(RuntimeError))
    rules, configuration = configure(Nim(), learner="q", opponent="random", games=10)
    path = create_run(tmp_path, "train", rules, flat(configuration), {"seed": 0}).path
    assert not (path / ".seal").exists()
    open_run(path)


def test_two_make_one_key(tmp_path: Path) -> None:
    script = (
        "from petteia.records.seal import seal; from pathlib import Path; import sys; seal(Path(sys.argv[1]), '', ())"
    )
    folders = [tmp_path / str(number) for number in range(4)]
    for folder in folders:
        folder.mkdir()
    started = [subprocess.Popen([sys.executable, "-c", script, str(folder)]) for folder in folders]
    assert [each.wait() for each in started] == [0] * 4
    assert len({(folder / ".seal").read_text() for folder in folders}) == 1


# In the processes that are started.


@pytest.mark.parametrize("trusted", [True, False])
def test_children_may_what_their_parent_may(trusted: bool, evil: Path) -> None:
    if trusted:
        trust.allow(["evil"])
    result = petteia.match(GAME, "mine:Reader", "random", games=2)
    assert result.crashed == 2
    assert ("--trust evil" in result.notes[0]) != trusted
    assert evil.exists() == trusted


@pytest.mark.slow
def test_workers_may_what_their_parent_may(tmp_path: Path) -> None:
    """Code is allowed while the first player is made here; the processes make theirs anew."""
    (tmp_path / "mine.py").write_text(
        "from typing import NamedTuple\n"
        "class Bot(NamedTuple):\n"
        "    def choose(policy, rules, state, random, work):\n"
        "        from petteia.core.protocol import moves\n"
        "        from petteia.foreign.trust import allowed\n"
        "        assert 'evil' in allowed(), 'not allowed'\n"
        "        moves(rules, state, work.moves)\n"
        "        return work.moves[0]\n"
    )
    trust.allow(["evil"])
    result = petteia.match(GAME, "mine:Bot", "greedy", games=4, jobs=2, limit=petteia.Limit(depth=1))
    assert result.crashed == 0


# The working folder.


@pytest.mark.slow
def test_files_named_as_modules_of_pythons_own_break_nothing(tmp_path: Path) -> None:
    """Neither those who play in other processes nor what is imported late; the command lies elsewhere."""
    for name in ("types", "random", "logging", "statistics"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    command = tmp_path / "elsewhere" / "petteia"
    command.parent.mkdir()
    command.write_text("import sys\nfrom petteia.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n")
    done = subprocess.run(
        [sys.executable, command, "match", "hare-and-hounds", "mine:Bot", "search:depth=1", "--games=4", "--jobs=2"],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "not this one" not in done.stdout + done.stderr


@pytest.mark.parametrize("file", ["scipy.py", "scipy/__init__.py"])
def test_files_named_as_installed_packages_break_nothing(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(MODULE)
    assert main(["match", "hare-and-hounds", "mine:Bot", "random", "--games", "4", "--in-process"]) == 0
    assert main(["match", "hare-and-hounds", "scipy:Bot", "random"]) == 2
    assert re.search(
        rf"another module 'scipy' is found first, .*site-packages.*; rename .*{file}, or put", capsys.readouterr().err
    )


def test_a_module_that_is_found_by_another_way_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "link"), *sys.path])
    load_class("mine:Bot", "player")
