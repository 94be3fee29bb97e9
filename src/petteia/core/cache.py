"""The disk cache of compiled kernels.

Each specialisation (the machine code of a kernel for certain argument types) is a file. The name of the file contains a
hash of everything on which the machine code depends:

- the code of the kernel, of the helpers that it calls, and of the classes of its arguments (`identity`)
- the versions of Python, numba and NumPy, the environment variables that numba reads, and the processor

Code is hashed without its docstrings, so a changed docstring invalidates no files. A change in one game invalidates no
files of other games. Machine code that is valid only in the current process is not saved. Examples are code that uses
classes of `__main__` (scripts, notebooks), and code that calls a kernel whose compilation had not finished.

If several processes need the same specialisation, one process compiles it, and the other processes wait. Unreadable
files are discarded and compiled again. Files that were not used for a month are removed.
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
"""The name of the lock file. A process locks one byte of this file while it compiles a specialisation."""
HAS_LOCKS = importlib.util.find_spec("fcntl") is not None
"""Whether the system can lock files. Windows cannot, so there two processes may compile the same specialisation."""
PATIENCE = 120.0
"""The maximum number of seconds to wait for another process, which may be suspended and never continue."""


@functools.cache
def compiler_hash() -> str:
    """Return a SHA-256, in hex, of numba's environment variables and the versions of Python, numba and NumPy."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    variables.pop("NUMBA_CACHE_DIR", None)
    versions = (sys.version, platform.machine(), numba.__version__, numpy.__version__)
    return hashlib.sha256(repr((versions, sorted(variables.items()))).encode()).hexdigest()


def folder() -> Path:
    """Return the folder for machine code that is compiled with the current software versions and numba settings.

    The name of the folder contains the beginning of `compiler_hash()`.
    """
    return caches() / f"kernels-{compiler_hash()[:12]}"


def classes_of(signature: Any) -> set[type]:
    """Return the NamedTuple classes that occur in a numba signature, including those nested in other types."""
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
    """The disk cache of one kernel, with a file for each combination of argument types.

    Each file of the cache contains a checksum, followed by compiled code.
    """

    def __init__(self, function: Any, *, checked: bool) -> None:
        self.function = function
        self.checked = checked
        self._unlocks: list[Callable[[], None]] = []  # a stack, as a kernel may call itself with other types

    @property
    def cache_path(self) -> str:
        """The cache folder. Numba requires this property."""
        return str(folder())

    def path(self, signature: Any, target: Any) -> Path | None:
        """Return the cache file for the argument types `signature`, or None if the machine code cannot be cached."""
        identities = [identity_of(code) for code in (self.function, *classes_of(signature))]
        if self.function.__module__ == "__main__" or not all(identity.is_portable for identity in identities):
            return None
        code = digest_of_code(Kernel.dispatcher, install, extend, _stands_alone, *LINKING, *LOWERING)
        options = (HELPER, CALLED, ALONE, ENTRY, code, self.checked)
        depends = (identities[0].digest, repr(signature), target.magic_tuple(), options)
        key = hashlib.sha256(repr(depends).encode()).hexdigest()[:24]
        return folder() / f"{self.function.__module__}.{self.function.__name__}.{key}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Load the machine code for `signature` from its cache file. Return None if the code must be compiled."""
        path = self.path(signature, target_context.codegen())
        compiled = None if path is None else _load(path, target_context)
        if compiled is None:
            self._unlocks.append(_nothing if path is None else _lock(path))
            compiled = None if path is None else _load(path, target_context)  # another process may have compiled it
            if compiled is not None:
                self.unlock()
        return compiled

    def unlock(self) -> None:
        """Release the lock on a cache file, so that other processes can load the machine code or compile it."""
        self._unlocks.pop()()

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save the machine code for the argument types `signature` in a cache file. Errors in writing are ignored."""
        path = self.path(signature, data.codegen)
        try:
            if path is not None and _stands_alone(data.library):
                with suppress(OSError):  # the disk is full
                    _use(path.parent)
                    _write(path, data._reduce())
        finally:
            self.unlock()

    def enable(self) -> None:
        """Do nothing: numba requires this method, but this cache is always on."""

    def disable(self) -> None:
        """Do nothing: numba requires this method, but this cache is always on."""

    def flush(self) -> None:
        """Delete all cached files of this kernel."""
        for path in folder().glob(f"{self.function.__module__}.{self.function.__name__}.*"):
            path.unlink(missing_ok=True)


def _stands_alone(library: Any) -> bool:
    """Return whether the machine code of a kernel (`library`) can be used by other processes.

    Other processes cannot use machine code that contains a memory address of this process. They also cannot use machine
    code that calls a kernel whose compilation had not finished. Examples are two kernels that call each other, and a
    kernel that calls itself with arguments of other types. Numba defines the symbols of such calls only during
    compilation, so the linker of another process cannot resolve them.
    """
    names = (variable.name for variable in library._final_module.global_variables)
    return not library.has_dynamic_globals and not any(name.startswith(RuntimeLinker.PREFIX) for name in names)


def _load(path: Path, target_context: Any) -> Any:
    """Return the machine code saved in the file `path`, or None if the file is missing or damaged."""
    rtsys.initialize(target_context)  # enough to run; `refresh` is needed only to compile, and takes 0.25 s
    try:
        compiled = CompileResult._rebuild(target_context, *_read(path))
        # Numba does not resolve the calls of later compiled code by loaded code unless that code is announced here.
        target_context.codegen()._scan_and_fix_unresolved_refs(compiled.library._get_module_for_linking())
    except Exception:  # a damaged file can raise anything; it is replaced after compiling
        return None
    return compiled


@functools.cache
def _locks(place: Path) -> BinaryIO:
    """Open the lock file in the folder `place`. The file must stay open, because closing it would release all locks."""
    file = (place / LOCKS).open("ab")
    atexit.register(file.close)
    return file


def _nothing() -> None:
    """Do nothing. `_lock` returns this function in place of a release function if it has locked no file."""


def _lock(path: Path) -> Callable[[], None]:
    """Lock the cache file `path`, after waiting for other processes. Return the function that releases the lock."""
    if not HAS_LOCKS:
        return _nothing
    import fcntl

    byte, until = int(path.suffix[1:13], 16), time.monotonic() + PATIENCE
    with suppress(OSError):  # if the folder is not writable, no lock is needed
        file = _locks(caches())
        while time.monotonic() < until:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
            except (BlockingIOError, PermissionError):  # another process holds it
                time.sleep(0.02)
            else:
                return functools.partial(fcntl.lockf, file, fcntl.LOCK_UN, 1, byte)
    return _nothing


def _read(path: Path) -> Any:
    """Return the data in a cache file, and mark the file as used. Raises an error if it is missing or damaged.

    To mark the file as used, the function updates its modification time, at most once a day.
    """
    content = path.read_bytes()
    checksum, data = content[:32], content[32:]
    if hashlib.sha256(data).digest() != checksum:
        raise ValueError("damaged")
    if time.time() - path.stat().st_mtime > DAY:
        with suppress(OSError):  # the file belongs to another user
            path.touch()
    return pickle.loads(data)


def _write(path: Path, data: Any) -> None:
    """Save `data` atomically: other processes never see an incomplete file."""
    content = dumps(data)
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        part.write_bytes(hashlib.sha256(content).digest() + content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@functools.cache
def _use(place: Path) -> None:
    """Create the cache folder, and delete files that have not been used for a month. This is done once per process."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (*caches().glob("kernels-*/*"), *caches().glob("syntax/*")):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > MONTH:
                path.unlink()
