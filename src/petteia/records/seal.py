"""Seals of runs. A seal shows that this user began the run and that its code is unchanged, so the code may run.

A run may refer to custom code (`module:Name`), and may come from another person. So each run with custom code is sealed
when it is created. The seal is the hidden file `.seal` in the folder of the run. It contains message authentication
codes (HMAC-SHA256). They cover the identity of the run, and the locations and contents of the custom code files,
including their imports. The secret key of these codes is readable only by this user. So other users cannot forge a
seal, and the seal does not reveal any paths. The key is created with the first seal, in the folder where petteia stores
private files of this user (`petteia.core.folders`). If this folder is not available, runs are not sealed, and a run
with custom code needs `--trust`.

The seal is checked before any custom code is imported. The seal does not depend on the location of the run, so a copy
of the run is also trusted.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PyCompileError

from petteia.core.errors import PetteiaError
from petteia.core.folders import states
from petteia.foreign.trust import allow, refusal, unvouched
from petteia.records import bounds
from petteia.records.code_files import CodeFile, code_files, compile_anew
from petteia.records.files import opened, read_file, write_file

SEAL, KEY = ".seal", "key"
KEY_BYTES = 32


def seal(folder: Path, identity: str, modules: Iterable[str]) -> None:
    """Seal the run in `folder`, so that this user can resume it without `--trust`.

    `modules` are the names of the custom modules that the run uses. If this user has no valid secret key, and none can
    be created, no seal is written.
    """
    with suppress(OSError, PetteiaError):  # users can trust a run without a seal by --trust
        if key := _key(make=True):
            lines = [
                f"{module} {each}" for module in dict.fromkeys(modules) for each in _lines(key, code_files(module))
            ]
            write_file(folder / SEAL, "\n".join([_seal(key, identity, lines), *lines]))


def vouch(folder: Path, identity: str, texts: Iterable[str]) -> None:
    """Trust the custom code that `texts` name, if this user has sealed the run and the code has not changed.

    Raises InvalidError if the run has a valid seal of this user, but a code file has changed or moved since the run was
    sealed.
    """
    named = unvouched(*texts)
    try:
        key = _key() if named else None
        first, *lines = read_file(folder / SEAL, bounds.SEAL).decode().split("\n") if key else [""]
    except (OSError, PetteiaError, UnicodeDecodeError):
        return
    if key and hmac.compare_digest(first.encode(), _seal(key, identity, lines).encode()):
        for module in named:
            then = [line.removeprefix(f"{module} ") for line in lines if line.startswith(f"{module} ")]
            files = code_files(module)
            if changed := _difference(then, files, key) or _not_compiled(files):
                raise refusal(folder, module, f"{changed} since you began this run, so code of {module!r}")
            allow([module])


def _difference(then: list[str], files: dict[str, CodeFile], key: bytes) -> str:
    """Describe the first change to the code in `files` since the run was sealed; an empty string if there is none.

    `then` contains the lines of the seal, which describe the location and the content of each file when the run was
    sealed.
    """
    sealed = {name: (place, content) for name, place, content in map(str.split, then)}
    for name in {**files, **sealed}:
        file = files.get(name)
        if file is None:
            return f"the module {name!r} is no longer found or imported"
        _, place, content = _line(key, name, file).split()
        if name not in sealed:
            return f"the module {name!r}, {file.place}, was added"
        if sealed[name][0] != place:
            return f"the module {name!r} has moved to {file.place}"
        if sealed[name][1] != content:
            return f"{file.place} has changed"
    return ""


def _not_compiled(files: dict[str, CodeFile]) -> str:
    """Recompile the files whose bytecode is cached. Return a description of the first failure, or an empty string."""
    for file in files.values():
        try:
            compile_anew(file)
        except (OSError, PyCompileError):
            return f"{cache_from_source(file.path)} cannot be written, and may have changed"
    return ""


def _seal(key: bytes, identity: str, lines: list[str]) -> str:
    return _mac(key, "\n".join([identity, *lines]))


def _lines(key: bytes, files: dict[str, CodeFile]) -> list[str]:
    return [_line(key, name, file) for name, file in files.items()]


def _line(key: bytes, name: str, file: CodeFile) -> str:
    return f"{name} {_mac(key, file.place)} {_mac(key, file.content)}"


def _mac(key: bytes, text: str) -> str:
    return hmac.digest(key, os.fsencode(text), "sha256").hex()


def _key(*, make: bool = False) -> bytes | None:
    """Return the secret key for the seals of this user, or None if it is invalid or other users can access it.

    With `make=True`, a missing key is created. Raises an error if the file that contains the key cannot be read.
    """
    path = states() / KEY
    if make and not path.exists():
        _make(path)
    with opened(path, bounds.SEAL) as file:
        held, key = os.fstat(file.fileno()), file.read(KEY_BYTES + 1)
    is_own = os.name != "posix" or (held.st_uid == os.geteuid() and not stat.S_IMODE(held.st_mode) & 0o077)
    return key if is_own and len(key) == KEY_BYTES else None


def _make(path: Path) -> None:
    """Write a new random key to the file `path` atomically. If the file already exists, it is not changed."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{KEY}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)
