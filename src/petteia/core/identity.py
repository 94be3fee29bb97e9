"""Digests that identify compiled code, so that petteia notices when the source of a function or class has changed.

Numba distinguishes classes only by their names, and treats the globals that a function reads as constants. It does not
notice later changes of classes or globals. petteia therefore identifies compiled code by a digest. The function
`identity_of` computes the digest of a class or a function from the following parts:

- the bytecode of the function, or of all methods of the class that can be compiled, without docstrings and line numbers
- the default arguments and closures of these functions, and the globals and module attributes that they read
- the functions and classes that they use, which are digested in the same way
- the values of other objects that they use, such as numbers, strings, tuples, dictionaries and arrays

When Python calls a kernel, `settle` computes the digest again if the code or an object that the code uses has changed.
The names of numba's types (module `types`) and of cached files (module `cache`) depend on the digest.

A digest is valid only in the current process if another process cannot import the class. The same is true if the code
uses an object whose value cannot be digested, such as a list.
"""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import hashlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from operator import attrgetter, is_
from types import BuiltinFunctionType, CodeType, FunctionType, MethodDescriptorType, ModuleType
from typing import Any, NamedTuple

from petteia.core.origin import PACKAGE, is_of_library, is_of_package

NEVER_COMPILED = frozenset(
    {
        # methods of games
        "format_state",
        "parse_state",
        "format_move",
        "parse_move",
        "seats",
        "final_score",
        "validate",
        "check_start",
        "step_codes",
        "observe",
        "shape",
        # methods of drawings
        "svg",
        "targets",
        "frames",
        # methods of feature sets, policies and evaluations
        "names",
        "for_thread",
        "tells_probabilities",
        "is_drawn",
    }
)
"""The methods that run only as plain Python. Machine code does not depend on them."""

MACHINERY = frozenset(f"{PACKAGE}.core.{name}" for name in ("identity", "types", "kernel", "cache"))
"""The modules that compile code. Their own code is never compiled."""
LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]
HAS_CONSTANT = frozenset(dis.hasconst)

Code = type | Callable[..., Any]
"""A class or a function."""
Read = Callable[[Any], Any]


class Identity(NamedTuple):
    """The digest that identifies the code of a class or a function, and whether it is valid in other processes."""

    digest: str
    """the digest of the code, as 32 hex digits"""
    is_portable: bool
    """whether the digest is valid in other processes"""


class _Place(NamedTuple):
    """Values on which a digest depends: `values[i]` is what `read(keys[i])` returned when the digest was computed."""

    read: Read
    keys: tuple[Any, ...]
    values: tuple[Any, ...]


class _Record:
    """The cached `Identity` of a class or function. It is invalid once a value on which it depends has changed."""

    def __init__(self, code: Code) -> None:
        self.code = code
        names = (code.__name__, getattr(code, "_fields", ()))
        self.is_special = not is_of_package(code) or _first_named.setdefault(names, code) is not code
        self.walk()

    def walk(self) -> None:
        """Compute the digest that identifies the code, and store the values on which the digest depends."""
        walk = _Walk()
        walk.value(self.code)
        self.places, self.arrays = walk.places(), walk.arrays
        self.identity = Identity(walk.digest.hexdigest()[:32], walk.is_portable)

    def holds(self) -> bool:
        """Return whether all values on which the digest depends are unchanged. The check takes about 5 microseconds."""
        for read, keys, values in self.places:
            if not all(map(is_, map(read, keys), values)):
                return False
        return all(_contents(array) == seen for array, seen in self.arrays)

    def settle(self) -> None:
        """If the code has changed, compute its digest again. If the digest differs, call the functions in `CHANGED`."""
        if self.holds():
            return
        with _settling:
            before = self.identity
            self.walk()
            if self.identity != before:
                self.is_special = True
                for forget in CHANGED:
                    forget()


_records: dict[Code, _Record] = {}
_first_named: dict[tuple[str, tuple[str, ...]], Code] = {}
"""The first class of the package with each pair of class name and field names, by which numba identifies classes."""
_settling = threading.RLock()
CHANGED: list[Callable[[], None]] = []
"""The functions that delete data derived from code, such as compiled helpers. They are called when code has changed."""


def identity_of(code: Code) -> Identity:
    """Return the `Identity` of `code`. It is computed on the first call, and later updated only by `settle`."""
    return _record(code).identity


def digest_of_code(*functions: Callable[..., Any]) -> str:
    """Return a digest of the code of the given functions. The functions that they call are not included."""
    walk = _Walk()
    for function in functions:
        walk.code(function.__code__)
    return walk.digest.hexdigest()


def settled(function: Callable[..., Any]) -> Identity:
    """Return the `Identity` of a function. If the code of the function has changed, compute its digest again first."""
    record = _record(function)
    record.settle()
    return record.identity


def settle(values: Iterable[Any]) -> bool:
    """Check the class of each NamedTuple in `values`. If the code of a class has changed, compute its digest again.

    Nested tuples are included. Numba distinguishes classes only by name and field names. Returns True if numba could
    confuse the class of a value with another class: for custom code, changed code, or equal names in the package.
    """
    special = False
    for value in values:
        cls = type(value)
        if cls in _PLAIN_VALUES or not isinstance(value, tuple):
            continue
        if cls is not tuple:
            record = _records.get(cls) or _record(cls)
            record.settle()
            special |= record.is_special
        special |= settle(value)
    return special


_PLAIN_VALUES = {bool, int, float, str, list}


def _record(code: Code) -> _Record:
    record = _records.get(code)
    if record is None:
        with _settling:
            record = _records.get(code) or _records.setdefault(code, _Record(code))
    return record


def is_importable(code: Code) -> bool:
    """Return whether another process can import `code` by its name."""
    if code.__module__ == "__main__":
        return False
    value: Any = sys.modules.get(code.__module__)
    for name in code.__qualname__.split("."):
        value = getattr(value, name, None)
    return value is code or getattr(value, "function", None) is code


class _Instruction(NamedTuple):
    code: int
    argument: Any


@functools.cache
def _instructions(code: CodeType) -> tuple[_Instruction, ...]:
    """Return the bytecode instructions of `code` without its docstring. Constants are given by value, not by index."""
    instructions, extended = [], 0
    raw = code.co_code
    for place in range(0, len(raw), 2):
        argument: Any = raw[place + 1] | extended
        extended = argument << 8 if raw[place] == dis.EXTENDED_ARG else 0
        if not extended and raw[place] != dis.EXTENDED_ARG:
            constant = raw[place] in HAS_CONSTANT
            instructions.append(_Instruction(raw[place], code.co_consts[argument] if constant else argument))
    return tuple(instructions)


@functools.cache
def global_names(code: CodeType) -> tuple[str, ...]:
    """Return the global names that `code` and its nested functions read, in order and without repetition."""
    names: dict[str, None] = {}
    for instruction, argument in _instructions(code):
        if instruction == LOAD_GLOBAL:
            names[code.co_names[argument >> 1]] = None
        elif isinstance(argument, CodeType):
            names |= dict.fromkeys(global_names(argument))
    return tuple(names)


def compiled_methods(cls: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield the methods of a NamedTuple class and its bases that compiled code can call, each with its name."""
    for base in cls.__mro__:
        if base is tuple:
            return
        for name, member in vars(base).items():
            if isinstance(member, FunctionType) and not name.startswith("_") and name not in NEVER_COMPILED:
                yield name, member


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def _contents(array: Any) -> tuple[Any, ...]:
    """Return the element type, the shape and the elements of an array as a tuple that can be compared."""
    kind = array.dtype
    return kind, kind.names, array.shape, array.tobytes()


_CODE, _DEFAULTS, _CONTENTS = attrgetter("__code__"), attrgetter("__defaults__"), attrgetter("cell_contents")


class _Walk:
    """A traversal of a class or function. It computes a digest, and records the values on which the digest depends."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.is_portable = True
        self.arrays: list[tuple[Any, Any]] = []
        self._numbers = count()
        self._seen: dict[int, tuple[int, Any]] = {}
        self._scopes: dict[int, tuple[Read, dict[str, Any]]] = {}
        self._functions: list[FunctionType] = []
        self._cells: list[Any] = []
        self._sized: list[Any] = []

    def places(self) -> list[_Place]:
        """Return the values on which the digest depends, grouped by the function that reads them."""
        functions, cells, sized = tuple(self._functions), tuple(self._cells), tuple(self._sized)
        places = [_Place(read, tuple(names), tuple(names.values())) for read, names in self._scopes.values()]
        for read, keys in ((_CODE, functions), (_DEFAULTS, functions), (_CONTENTS, cells), (len, sized)):
            if keys:
                places.append(_Place(read, keys, tuple(map(read, keys))))
        return places

    def value(self, value: Any, names: tuple[str, ...] = ()) -> None:
        """Add a value to the digest. For a module, add only the attributes in `names`, which the code uses."""
        if value is None or value is ... or isinstance(value, bool | int | float | complex | str | bytes):
            self._note(type(value).__name__, repr(value))
            if type(value).__module__ != "builtins":  # a member of an enumeration, or a NumPy number
                self._note(type(value).__module__, type(value).__qualname__)
        elif isinstance(value, frozenset):
            self._note("frozenset", repr(sorted(map(repr, value))))
        elif isinstance(value, ModuleType):
            self._module(value, names)
        elif isinstance(value, tuple):
            self._note("tuple", str(len(value)))
            if type(value) is not tuple:
                self.value(type(value))
            for each in value:
                self.value(each)
        elif isinstance(value, dict):
            self._note("dict")
            self.value((*value.items(),))
        elif isinstance(value, enum.Enum):
            self._note("enum", type(value).__module__, type(value).__qualname__, value.name)
            self.value(value.value)
        elif isinstance(value, BuiltinFunctionType | MethodDescriptorType):
            self._note("builtin", str(getattr(value, "__module__", "")), value.__qualname__)
        elif hasattr(value, "tobytes") and hasattr(value, "dtype") and not value.dtype.hasobject:
            self._array(value)
        elif not self._has_been_seen(value):
            self._code_or_other(value)

    def _code_or_other(self, value: Any) -> None:
        if isinstance(value, FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(inner := getattr(value, "function", getattr(value, "py_func", None)), FunctionType):
            self._note("kernel")  # a kernel of this package or of numba
            self.value(inner)
        else:
            self.is_portable = False
            self._note("other", str(id(value)))

    def _array(self, array: Any) -> None:
        seen = kind, _, shape, elements = _contents(array)
        self._note("array", str(kind), str(shape))
        self.digest.update(elements)
        self.arrays.append((array, seen))  # read-only arrays, too: they may be views of writable ones

    def _note(self, *texts: str) -> None:
        self.digest.update("\0".join((*texts, "\1")).encode())

    def _has_been_seen(self, value: Any) -> bool:
        number, _ = self._seen.setdefault(id(value), (-1, value))  # kept, so that no other object gets this id
        if number < 0:
            self._seen[id(value)] = (next(self._numbers), value)
            return False
        self._note("again", str(number))
        return True

    def _function(self, function: FunctionType) -> None:
        self._note("function", str(function.__module__), function.__qualname__)
        scope, names = function.__globals__, function.__code__.co_names
        if scope.get("__name__") in MACHINERY or is_of_library(scope):
            return
        self.code(function.__code__)
        self.value(getattr(function, "compiled_by", None))
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        watched = not is_of_package(function)
        if watched:
            self._functions.append(function)
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:
                self._note("empty")
                continue
            if watched:
                self._cells.append(cell)
        for name in global_names(function.__code__):
            if watched:
                self._watch(scope, name)
            if name in scope:
                self._note("global", name)
                self.value(scope[name], names)
            else:
                self._note("builtin" if hasattr(builtins, name) else "undefined", name)

    def _watch(self, scope: dict[str, Any], name: str) -> None:
        _, values = self._scopes.setdefault(id(scope), (scope.get, {}))
        values[name] = scope.get(name)

    def code(self, code: CodeType) -> None:
        """Add the code of a function to the digest."""
        self._note("code", repr(code.co_names), repr(code.co_varnames), repr((code.co_freevars, code.co_cellvars)))
        self._note(str(code.co_argcount), str(code.co_kwonlyargcount), repr(code.co_exceptiontable))
        for instruction, argument in _instructions(code):
            self._note(str(instruction))
            if isinstance(argument, CodeType):
                self.code(argument)
            else:
                self.value(argument)

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        """Add a module to the digest: its name, and the attributes in `names`, which are those that the code reads."""
        self._note("module", module.__name__)
        scope = vars(module)
        if is_of_library(scope):
            return
        for name in names:
            self._watch(scope, name)
            if name in scope:
                self._note("attribute", name)
                self.value(scope[name], names)

    def _class(self, cls: type) -> None:
        self._note("class", str(cls.__module__), cls.__qualname__)
        if not _is_named_tuple(cls):
            if issubclass(cls, enum.Enum):
                self._note(*(f"{name}={member.value!r}" for name, member in cls.__members__.items()))
            return
        self.is_portable &= is_importable(cls)
        self._note("fields", repr(cls._fields))  # type: ignore[attr-defined]  # a NamedTuple's
        for base in cls.__mro__:
            if base is tuple:
                break
            self._scopes[id(base)] = (vars(base).get, dict(vars(base)))
            self._sized.append(vars(base))
        for name, method in compiled_methods(cls):
            self._note("method", name)
            self.value(method)
