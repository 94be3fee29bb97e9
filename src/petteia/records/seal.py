"""The seal of a run: that this user has begun it, so that the code that it names may run again.

A run may name code (`module:Name`), and may come from anybody. So a run that does is sealed when it is made: the hidden
file `.seal` of its folder holds the HMAC-SHA256 of `run.json`, in hex, by a key that only this user can read. The key
lies in the user's folder for states (`petteia.core.folders`), and is made with the first seal. Where there is no such
folder there are no seals, and such runs need `--trust`.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from petteia.core.folders import states

SEAL, KEY = ".seal", "key"
KEY_BYTES = 32


def seal(folder: Path, description: bytes) -> None:
    """Seal the run in `folder`, whose `run.json` is `description`, if this user has, or can have, a key."""
    with suppress(OSError):  # without a seal it can still be trusted by name
        if key := _key(make=True):
            (folder / SEAL).write_text(_digest(key, description))


def is_sealed(folder: Path, description: bytes) -> bool:
    """Whether the run in `folder`, whose `run.json` is `description`, has the seal of this user."""
    try:
        key = _key()
        with (folder / SEAL).open("rb") as file:
            held = file.read(2 * KEY_BYTES + 1)
    except OSError:
        return False
    return key is not None and hmac.compare_digest(held, _digest(key, description).encode())


def _digest(key: bytes, description: bytes) -> str:
    return hmac.digest(key, description, "sha256").hex()


def _key(*, make: bool = False) -> bytes | None:
    """The key of this user; None if others can have read or written it. An OSError if there is none."""
    path = states() / KEY
    if make and not path.exists():
        _make(path)
    with path.open("rb") as file:
        held, key = os.fstat(file.fileno()), file.read(KEY_BYTES + 1)
    is_own = os.name != "posix" or (held.st_uid == os.geteuid() and not stat.S_IMODE(held.st_mode) & 0o077)
    return key if is_own and len(key) == KEY_BYTES else None


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; where two processes do, the first one's stays."""
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
