"""Where compiled kernels are kept between processes.

Numba does not notice that code which a kernel calls has changed. So each specialisation is kept in a folder whose name
is a hash of everything that can change it: the sources of this package's rooms (those that only show results left
out), the versions of Python, numba and NumPy, the environment variables that numba reads, and the sources of the
foreign modules (a user's game, say) whose classes stand in the signature, with the modules they import from beside
them. A foreign module therefore gets folders of its own: built-in games never load a file that mentions it.
Specialisations for classes of `__main__` (scripts, notebooks) are kept in memory only.

What cannot be read is discarded and compiled again. Folders not used for a month are removed.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import os
import pickle
import platform
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _Cache, _CacheLocator
from numba.core.serialize import dumps

from petteia.core import kernel
from petteia.core.sources import source_hash

MONTH = 30 * 24 * 3600.0


def root() -> Path:
    """The folder of all caches: PETTEIA_CACHE, else the platform's place for caches."""
    if chosen := os.environ.get("PETTEIA_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "petteia" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "petteia"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "petteia"


@functools.cache
def compiler_hash() -> str:
    """SHA-256, in hex, of the versions of Python, numba and NumPy and of the variables that numba reads."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    variables.pop("NUMBA_CACHE_DIR", None)
    versions = (sys.version, platform.machine(), numba.__version__, numpy.__version__)
    return hashlib.sha256(repr((versions, sorted(variables.items()))).encode()).hexdigest()


def is_importable(cls: type) -> bool:
    """Whether another process would find `cls` under its name."""
    if cls.__module__ == "__main__":
        return False
    return getattr(sys.modules.get(cls.__module__), cls.__qualname__, None) is cls


def classes_of(signature: Any) -> set[type]:
    """The NamedTuple classes that stand in a numba signature, at any depth."""
    found: set[type] = set()
    waiting = list(signature.args if hasattr(signature, "args") else signature)
    while waiting:
        each = waiting.pop()
        if hasattr(each, "instance_class"):
            found.add(each.instance_class)
        if isinstance(each, numba.types.BaseTuple):
            waiting += list(each)
    return found


class _Folder(_CacheLocator):  # type: ignore[misc]  # numba is untyped
    """A fixed folder, already named by all that its files depend on."""

    def __init__(self, path: Path, function: Callable[..., Any]) -> None:
        self._path = path
        self._py_file = function.__code__.co_filename
        self._name = f"{function.__module__}.{function.__qualname__}"

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:10]

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> None:
        return None


class _FolderImplementation(CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped
    def __init__(self, function: Callable[..., Any], path: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Folder(path, function)
        self._filename_base = self.get_filename_base(function.__qualname__, sys.abiflags if os.name != "nt" else "")


class _Files:
    """The specialisations of a kernel in a folder, a file each: a checksum, then the data.

    Numba's own way, numbered files and an index, mixes them up when two processes save at the same time.
    """

    def __init__(self, path: Path, base: str) -> None:
        self._path = path
        self._base = base

    def load(self, key: Any) -> Any:
        """The data saved under `key`, None if there is none; a ValueError if it is damaged."""
        try:
            content = self._file(key).read_bytes()
        except FileNotFoundError:
            return None
        checksum, data = content[:32], content[32:]
        if hashlib.sha256(data).digest() != checksum:
            raise ValueError("damaged")
        return pickle.loads(data)

    def save(self, key: Any, data: Any) -> None:
        """Keep `data` under `key`, in one step: other processes see the file whole or not at all."""
        content = dumps(data)
        path = self._file(key)
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            part.write_bytes(hashlib.sha256(content).digest() + content)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget what is saved."""
        for path in self._path.glob(f"{glob.escape(self._base)}.*"):
            path.unlink(missing_ok=True)

    def _file(self, key: Any) -> Path:
        classes = sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in classes_of(key[0]))
        return self._path / f"{self._base}.{hashlib.sha256(repr((key, classes)).encode()).hexdigest()[:20]}"


class _FolderCache(FunctionCache):  # type: ignore[misc]  # numba is untyped
    def __init__(self, function: Callable[..., Any], path: Path) -> None:
        self._impl_class = functools.partial(_FolderImplementation, path=path)
        super().__init__(function)
        self._cache_file = _Files(path, self._impl.filename_base)


class RoutedCache(_Cache):  # type: ignore[misc]  # numba is untyped
    """The cache of one kernel: looks at a signature to choose the folder it belongs to."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.folders: dict[Path, _FolderCache] = {}

    @property
    def cache_path(self) -> str:
        """Part of numba's interface."""
        return str(root())

    def folder(self, signature: Any) -> _FolderCache | None:
        """The cache for `signature`; None if it can only live in memory or no folder can be written."""
        classes = classes_of(signature)
        if not all(map(is_importable, classes)) or self.function.__module__ == "__main__":
            return None
        sources = source_hash(classes | {self.function})  # type: ignore[arg-type]  # only __module__ is read
        path = root() / hashlib.sha256((compiler_hash() + sources).encode()).hexdigest()[:20]
        if path not in self.folders:
            try:
                _use(path)
            except OSError:
                return None
            self.folders[path] = _FolderCache(self.function, path)
        return self.folders[path]

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled specialisation, None if it must be compiled (which is announced)."""
        folder = self.folder(signature)
        if folder is not None:
            try:
                loaded = folder.load_overload(signature, target_context)
            except Exception:  # a damaged file can raise anything; it is replaced after compiling
                loaded = None
            if loaded is not None:
                return loaded
        names = sorted(cls.__name__ for cls in classes_of(signature))
        kernel.announce(f"compiling {self.function.__name__.strip('_')} for {', '.join(names) or 'first use'} (once)")
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a specialisation; quietly in memory only, where nothing can be written."""
        folder = self.folder(signature)
        if folder is None:
            return
        try:
            folder.save_overload(signature, data)
        except OSError:
            return  # a full disk

    def enable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of numba's interface: forget what is on disk."""
        for folder in self.folders.values():
            folder.flush()


@functools.cache
def _use(path: Path) -> None:
    """Make the folder, note that it is in use, and remove those unused for a month."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "used").touch()
    for other in root().iterdir():
        mark = other / "used"
        if mark.exists() and time.time() - mark.stat().st_mtime > MONTH:
            shutil.rmtree(other, ignore_errors=True)
