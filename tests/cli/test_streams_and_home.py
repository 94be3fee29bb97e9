"""Wherever the command is run: without a home, with outputs of any encoding, with streams that are closed."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from petteia.cli import main
from petteia.cli.streams import plain
from petteia.core import folders

CODE = "import sys; from petteia.cli import main; sys.exit(main())"


def run(shell: str, *words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """What a command does in a shell that redirects as `shell` says."""
    command = f'"$0" -c "$1" "${{@:2}}" {shell}'
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"} | variables
    return subprocess.run(
        ["bash", "-c", command, sys.executable, CODE, *words], capture_output=True, env=environment, check=False
    )


@pytest.mark.parametrize(
    "encoding", ["cp1252", *(pytest.param(each, marks=pytest.mark.slow) for each in ("ascii", "utf-8"))]
)
def test_drawings_in_any_encoding(encoding: str) -> None:
    words = ("play", "kalah:pits=2,seeds=1", "--by", "random", "--against", "random", "--seed", "1")
    done = run("", *words, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    drawn = done.stdout.decode(encoding)
    assert ("┌────┬" if encoding == "utf-8" else "+----+") in drawn
    assert "?" not in drawn


@pytest.mark.parametrize(
    ("sign", "written"),
    [("─", "-"), ("┃", "|"), ("┼", "+"), ("é", "e"), ("…", "..."), ("”", '"'), ("碁", "?"), ("\udcff", "?")],
)
def test_signs_that_can_be_written_everywhere(sign: str, written: str) -> None:
    assert plain(sign) == written


NOTE = ("match", "hare-and-hounds", "simple", "simple", "--games=4", "--openings=none")


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(closed: str) -> None:
    """What would be said there is said nowhere else."""
    done = run(closed, *NOTE)
    assert done.returncode == 0
    assert (b"4 games" in done.stdout) == (">&- " not in f" {closed.replace('2>&-', '')} ")
    assert (b"only 1 of the 4" in done.stderr) == ("2>&-" not in closed)
    assert b"only 1" not in done.stdout
    assert b"Traceback" not in done.stderr


def test_what_is_wrong_is_said_nowhere_else() -> None:
    done = run("2>&-", "nothing")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_bytes_that_are_no_text_are_no_moves() -> None:
    done = run(r"< <(printf '\xff\xfe\n1-4\nquit\n')", "play", "hare-and-hounds", "--seed", "1")
    assert done.returncode == 0
    assert b"is not legal" in done.stdout or b"did you mean" in done.stdout
    assert b"1. 1-4" in done.stdout


def test_a_word_that_is_no_text_is_refused_in_a_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, "perft", b"kalah:seeds=\xff", "2"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert done.stderr.startswith(b"petteia: game kalah: seeds=\\udcff")


@pytest.mark.parametrize("home", [None, "relative", "/dev/null"])
def test_without_a_home(home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept, and nothing is written into the working folder."""
    for name in ("PETTEIA_CACHE", "XDG_CACHE_HOME", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    else:
        monkeypatch.setattr(folders.os.path, "expanduser", lambda path: path)  # as where there is no such user
    monkeypatch.chdir(tmp_path)
    assert main(["perft", "hare-and-hounds", "1"]) == 0
    assert main(["games"]) == 0
    for folder in (folders.caches(), folders.states()):
        with pytest.raises(OSError, match=r"."):
            folder.mkdir(parents=True)
    assert list(tmp_path.iterdir()) == []


USER = 1000


@pytest.mark.skipif(os.name != "posix", reason="needs owners and modes of files")
@pytest.mark.parametrize(
    ("mode", "owner", "expected"),
    [
        (0o700, USER, True),
        (0o755, USER, True),
        (0o755, 0, True),
        (0o755, USER + 1, False),
        (0o775, USER, False),
        (0o757, USER, False),
        (0o1777, 0, False),
    ],
)
def test_folders_that_others_cannot_write_into(
    mode: int, owner: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: USER)
    assert folders.is_closed_to_others(os.stat_result((mode, 0, 0, 0, owner, 0, 0, 0, 0, 0))) is expected


class Planted:
    """What prints when it is read as a cached kernel."""

    def __reduce__(self) -> tuple[object, ...]:
        return print, ("planted",)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs owners and modes of files")
def test_what_others_may_have_put_into_the_cache_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "thrice.py").write_text(
        "from petteia.core.kernel import kernel\n\n@kernel\ndef thrice(number):\n    return 3 * number\n"
    )
    place = tmp_path / "cache"
    environment = os.environ | {"PETTEIA_CACHE": str(place)}

    def printed() -> tuple[str, str]:
        words = [sys.executable, "-c", "import thrice; print(thrice.thrice(5))"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    assert printed() == ("15\n", "petteia: compiling thrice (only once)\n")
    assert place.stat().st_mode & 0o777 == 0o700
    (file,) = place.glob("kernels-*/thrice.*")
    assert file.parent.stat().st_mode & 0o777 == 0o700
    data = pickle.dumps(Planted())
    planted = hashlib.sha256(data).digest() + data
    file.write_bytes(planted)
    place.chmod(0o777)
    out, err = printed()
    assert out == "15\n"
    assert err.splitlines() == [
        f"petteia: {place}: other users can write to this folder, so it is not used as a cache of compiled code; "
        "delete the folder, so that petteia creates it for you only, or set PETTEIA_CACHE to another folder",
        "petteia: compiling thrice (only once)",
    ]
    assert file.read_bytes() == planted
    place.chmod(0o700)
    assert printed()[0].startswith("planted\n"), "what is planted is a kernel that would have run"


@pytest.mark.parametrize("place", ["missing/game.txt", "file/game.txt", "/proc/game.txt"])
def test_a_game_that_could_not_be_saved_does_not_begin(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert main(["play", "hare-and-hounds", "--by", "random", "--save", place]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"petteia: {place}: cannot be written: ")
