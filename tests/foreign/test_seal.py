"""The seal of a run: the user who made it may run its code again, as long as no file of that code has changed."""

from __future__ import annotations

import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest
from flat_options import configure
from tiny_games import Nim
from untrusted_code import GAME, MODULE, run_of_others

from petteia.cli import main
from petteia.core.errors import InvalidError
from petteia.experiments.options import flat
from petteia.experiments.run_list import runs
from petteia.experiments.training import begin, open_training
from petteia.foreign import trust
from petteia.records import seal
from petteia.records.description import DESCRIPTION
from petteia.records.runs import create_run, digest, open_run

pytestmark = pytest.mark.usefixtures("evil")


def sealed(path: Path, module: str = "evil") -> Path:
    """The run, which the user has begun with code of this module."""
    seal.seal(path, open_run(path).identity, [module])
    return path


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
    with pytest.raises(InvalidError, match=rf"{match}.* runs only if you trust it; add --trust evil") as error:
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
    refused(helped, evil, "names code of the module 'evil', which")
    assert len(runs(tmp_path / "runs")) == 1


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"0" * 64, b"\n\n", "\u00e9".encode(), b"0" * (17 << 20)])
def test_a_damaged_seal_is_none(content: bytes, helped: Path, evil: Path) -> None:
    (helped / ".seal").write_bytes(content)
    refused(helped, evil, "names code of the module 'evil', which")


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
