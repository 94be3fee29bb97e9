"""Where compiled kernels are kept between processes.

Each specialisation is a file whose name holds a hash of everything that it depends on: the code of the kernel and of
the helpers that it reaches, that of the classes among its arguments (`identity`; both by content, so that neither a
docstring nor another game makes anything stale), the versions of Python, numba and NumPy, the environment variables
that numba reads, and the processor. What holds in one process alone, as for classes of `__main__` (scripts,
notebooks) and calls of what was still being compiled, is kept in memory only.

Processes that want the same at the same time wait for the one that has begun to compile it. What cannot be read is
discarded and compiled again. Files not used for a month are removed.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import importlib.util
import os
import pickle
import platform
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numba
import numpy
from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from petteia.core.folders import caches
from petteia.core.helper_library import LINKING
from petteia.core.identity import digest_of_code, identity_of
from petteia.core.kernel import CALLED, ENTRY, HELPER, Kernel
from petteia.core.pointer_type import LOWERING, Pointer
from petteia.core.types import ALONE, extend, install

DAY = 24 * 3600.0
MONTH = 30 * DAY
LOCKS = "locks"
"""A file of which each specialisation has a byte: who holds a lock on it is compiling that."""
HAS_LOCKS = importlib.util.find_spec("fcntl") is not None
"""Not so on Windows: there two processes may compile the same."""
PATIENCE = 120.0
"""seconds to wait for another process; one that was stopped may never go on"""


@functools.cache
def compiler_hash() -> str:
    """SHA-256, in hex, of the versions of Python, numba and NumPy and of the variables that numba reads."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    variables.pop("NUMBA_CACHE_DIR", None)
    versions = (sys.version, platform.machine(), numba.__version__, numpy.__version__)
    return hashlib.sha256(repr((versions, sorted(variables.items()))).encode()).hexdigest()


def folder() -> Path:
    """The folder of what this compiler makes."""
    return caches() / f"kernels-{compiler_hash()[:12]}"


def classes_of(signature: Any) -> set[type]:
    """The NamedTuple classes that stand in a numba signature, at any depth."""
    classes: set[type] = set()
    waiting = list(signature.args if hasattr(signature, "args") else signature)
    while waiting:
        each = waiting.pop()
        if hasattr(each, "instance_class"):
            classes.add(each.instance_class)
        if isinstance(each, numba.types.BaseTuple):
            waiting += list(each)
        if isinstance(each, Pointer):
            waiting.append(each.content)
    return classes


class KernelCache(_Cache):  # type: ignore[misc]  # numba is untyped
    """The cache of one kernel: a file for each specialisation, a checksum and then the data."""

    def __init__(self, function: Any, *, checked: bool) -> None:
        self.function = function
        self.checked = checked
        self._unlocks: list[Callable[[], None]] = []  # a stack, as a kernel may call itself with other types

    @property
    def cache_path(self) -> str:
        """Part of numba's interface."""
        return str(folder())

    def path(self, signature: Any, target: Any) -> Path | None:
        """The file for `signature`; None if it can only live in memory."""
        identities = [identity_of(code) for code in (self.function, *classes_of(signature))]
        if self.function.__module__ == "__main__" or not all(identity.is_portable for identity in identities):
            return None
        code = digest_of_code(Kernel.dispatcher, install, extend, _stands_alone, *LINKING, *LOWERING)
        options = (HELPER, CALLED, ALONE, ENTRY, code, self.checked)
        depends = (identities[0].digest, repr(signature), target.magic_tuple(), options)
        key = hashlib.sha256(repr(depends).encode()).hexdigest()[:24]
        return folder() / f"{self.function.__module__}.{self.function.__name__}.{key}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled specialisation, None if it must be compiled."""
        path = self.path(signature, target_context.codegen())
        compiled = None if path is None else _load(path, target_context)
        if compiled is None:
            self._unlocks.append(_nothing if path is None else _lock(path))
            compiled = None if path is None else _load(path, target_context)  # somebody may have made it meanwhile
            if compiled is not None:
                self.unlock()
        return compiled

    def unlock(self) -> None:
        """Let others compile what this process was about to, or find it."""
        self._unlocks.pop()()

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a specialisation; quietly in memory only, where nothing can be written."""
        path = self.path(signature, data.codegen)
        try:
            if path is not None and _stands_alone(data.library):
                with suppress(OSError):  # a full disk
                    _use(path.parent)
                    _write(path, data._reduce())
        finally:
            self.unlock()

    def enable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of numba's interface: forget what is on disk."""
        for path in folder().glob(f"{self.function.__module__}.{self.function.__name__}.*"):
            path.unlink(missing_ok=True)


def _stands_alone(library: Any) -> bool:
    """Whether machine code holds in other processes, too.

    It does not with an address of this process in it, nor where it calls a kernel that was still being compiled: one of
    two that call each other, or one that calls itself with arguments of other types. To such calls numba gives symbols
    of its own, and only while it compiles; for want of one the linker resolves none, and the first call is to nowhere.
    """
    names = (variable.name for variable in library._final_module.global_variables)
    return not library.has_dynamic_globals and not any(name.startswith(RuntimeLinker.PREFIX) for name in names)


def _load(path: Path, target_context: Any) -> Any:
    """What was compiled before; None if it must be compiled."""
    rtsys.initialize(target_context)  # all that it runs on; `refresh` is for compiling, and takes 0.25 s of a process
    try:
        compiled = CompileResult._rebuild(target_context, *_read(path))
        # Of what is loaded numba does not know that such calls, in what is compiled from now on, can be resolved by it.
        target_context.codegen()._scan_and_fix_unresolved_refs(compiled.library._get_module_for_linking())
    except Exception:  # a damaged file can raise anything; it is replaced after compiling
        return None
    return compiled


@functools.cache
def _locks(place: Path) -> BinaryIO:
    """The file of locks, opened once in a process: to close it would give up all that the process holds."""
    file = (place / LOCKS).open("ab")
    atexit.register(file.close)
    return file


def _nothing() -> None:
    """Unlock what needs no lock."""


def _lock(path: Path) -> Callable[[], None]:
    """Wait until nobody else compiles what this file will hold; what ends the lock that is held from then on."""
    if not HAS_LOCKS:
        return _nothing
    import fcntl

    byte, until = int(path.suffix[1:13], 16), time.monotonic() + PATIENCE
    with suppress(OSError):  # what cannot be written needs no lock
        file = _locks(caches())
        while time.monotonic() < until:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
            except (BlockingIOError, PermissionError):  # somebody holds it
                time.sleep(0.02)
            else:
                return functools.partial(fcntl.lockf, file, fcntl.LOCK_UN, 1, byte)
    return _nothing


def _read(path: Path) -> Any:
    """What was saved in a file, which from now on counts as used; an error if it is not there or damaged."""
    content = path.read_bytes()
    checksum, data = content[:32], content[32:]
    if hashlib.sha256(data).digest() != checksum:
        raise ValueError("damaged")
    if time.time() - path.stat().st_mtime > DAY:
        with suppress(OSError):  # of somebody else
            path.touch()
    return pickle.loads(data)


def _write(path: Path, data: Any) -> None:
    """Save `data` in one step: other processes see the file whole or not at all."""
    content = dumps(data)
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        part.write_bytes(hashlib.sha256(content).digest() + content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@functools.cache
def _use(place: Path) -> None:
    """Make the folder, and remove from all such folders what was not used for a month. Once in a process."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (*caches().glob("kernels-*/*"), *caches().glob("syntax/*")):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > MONTH:
                path.unlink()
