"""Digests of the custom code that a training run or a game uses, one for each function, class and value.

The result of a training run with custom code depends on that code. The code consists of functions, of classes with
their bases and fields, and of values of global variables and class attributes. Code of this package and of installed
packages is identified by name only. The digest of a function is computed from its syntax without docstrings, comments
and annotations. The digest is therefore the same on all versions of Python. The digest of a number or a string is
computed from its value. Other objects, such as lists, may change while they are used. Their digests are therefore
computed from the statements that create them.
"""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, ParamSpec, TypeVar

from petteia.core.origin import PACKAGE, is_of_package, is_users, scope_of
from petteia.core.protocol import PLAIN
from petteia.provenance.bytecode import global_reads, imports, names, resolved
from petteia.provenance.syntax import canonical, definition, shape, statements

DISPLAY_METHODS = {*PLAIN, "names", "text", "svg", "targets", "frames"}
"""Methods that do not affect results. Names of features need no digest, as they are stored with their weights."""
WRAPPERS = {staticmethod: "__func__", classmethod: "__func__", MethodType: "__func__", property: "fget"} | {
    functools.partial: "func",
    functools.cached_property: "func",
}
"""The attribute in which each kind of wrapper stores the wrapped function. Decorators store it in `__wrapped__`."""
MAX_DEPTH = 20
"""The maximum depth of nested containers that are digested."""
MADE = {"_fields", "_field_defaults", "_abc_impl"}
"""The members that Python adds to classes, besides names such as `__doc__` and `_member_map_`."""
NUMBERS_AND_TEXT = (bool, int, float, complex, str, bytes, range, type(None), type(...))
DIGITS, UNREAD = 16, "-python"
"""The number of digits of a digest, and the suffix of a digest of bytecode, which differs between Python versions."""
MAX_NAMED = 4

P = ParamSpec("P")
R = TypeVar("R")
Parts = dict[str, str]
"""Digests by the names of the parts, such as `my_features.Mine.features`."""


def provenance(*things: Any) -> Parts:
    """Return the digests of the custom code on which functions, classes or objects depend.

    The arguments are classes, functions or instances. The code that they use indirectly is included.
    """
    return walked(*things)[0]


def walked(*things: Any) -> tuple[Parts, list[type | FunctionType]]:
    """Return the digests of the custom code that `things` use, and the classes and functions of this package in use.

    The second result contains the classes and functions of this package that `things` contains, directly or as the
    class of an instance. It also contains those that the custom code uses directly.
    """
    walk = _Walk()
    for thing in things:
        walk.enter(thing)
    return {name: _digest(walk.texts[name]) for name in sorted(walk.texts)}, walk.own


def cached_by_code(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that caches the results of a function until the custom code that its arguments use changes."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        def of_code(code: tuple[tuple[str, str], ...], *arguments: P.args, **keywords: P.kwargs) -> R:
            return function(*arguments, **keywords)

        kept: Callable[..., R] = functools.lru_cache(maxsize, typed=True)(of_code)  # rules may be equal as tuples

        @functools.wraps(function)
        def cached(*arguments: P.args, **keywords: P.kwargs) -> R:
            return kept(tuple(provenance(*arguments).items()), *arguments, **keywords)

        return cached

    return decorate


def difference(then: Mapping[str, str], now: Mapping[str, str], since: str) -> str | None:
    """Describe in a sentence which code changed between two results of `provenance`, or return None if they are equal.

    `since` is the end of the sentence and states when `then` was recorded. If `since` is `the game was solved`, an
    example of the sentence is `fb.Mine.play has changed since the game was solved`.
    """
    if then == now:
        return None
    if not then:
        modules = {name.partition(".")[0] for name in now}
        return f"there is no record of the code of {listed(sorted(modules - {PACKAGE} or modules))} with which {since}"
    changed = [name for name in sorted(now) if name in then and now[name] != then[name]]
    unread = [name for name in changed if UNREAD in then[name] + now[name]]
    if read := [name for name in changed if name not in unread]:
        return f"{listed(read)} {'has' if len(read) == 1 else 'have'} changed since {since}"
    if unread:
        return f"{listed(unread)} may have changed since {since} (the source could not be read)"
    return f"code was added or removed since {since}: {listed(sorted(then.keys() ^ now.keys()))}"


def listed(names: Sequence[str]) -> str:
    """Return the names joined by commas and `and`. If there are many, only the first few are listed."""
    shown = names if len(names) <= MAX_NAMED else [*names[: MAX_NAMED - 1], f"{len(names) - MAX_NAMED + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _digest(texts: list[str]) -> str:
    """Return a digest of the texts that describe a function, class or value.

    If the source code of a function could not be read, the text describes its bytecode. The digest then ends with the
    version of Python, because bytecode depends on this version.
    """
    whole = hashlib.sha256("\n".join(dict.fromkeys(texts)).encode()).hexdigest()[:DIGITS]
    bytecode = any(text.startswith("bytecode") for text in texts)
    return f"{whole}{UNREAD}{sys.version_info.major}.{sys.version_info.minor}" if bytecode else whole


class _Walk:
    """A traversal of custom code. It collects the texts from which the digest of each definition is computed."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.own: list[type | FunctionType] = []
        self._seen: dict[int, Any] = {}
        self._waiting: list[FunctionType] = []

    def enter(self, thing: Any) -> None:
        """Add a function, a class or the class of an object to the digests, with all code that it uses.

        If `thing` is a tuple, such as a policy or a rules object, its items are added to the digests, too.
        """
        if isinstance(thing, FunctionType):
            self._waiting.append(thing)
        else:
            self._class(thing if isinstance(thing, type) else type(thing))
        while self._waiting:
            self._function(self._waiting.pop(0))
        if isinstance(thing, tuple):
            for each in thing:
                self.enter(each)

    def _add(self, name: str, text: str) -> None:
        self.texts.setdefault(name, []).append(text)

    def _is_new(self, thing: Any) -> bool:
        return id(thing) not in self._seen and self._seen.setdefault(id(thing), thing) is thing

    def _value(
        self, name: str, value: Any, scope: Mapping[str, Any] | None = None, within: tuple[str, ...] = ()
    ) -> None:
        """Add the value of a global variable or a class attribute to the digests.

        `scope` contains the global variables of the module in which the variable or attribute is defined. `within`
        contains the names of the classes in which the definition is nested.
        """
        text = _plain(value)
        if text is not None:
            self._add(name, text)
        elif isinstance(value, FunctionType):
            self._add_called(name, value, _own_name(value))
            self._waiting.append(value)
        elif isinstance(value, ModuleType):
            self._module(name, value)
        elif isinstance(value, type) and is_users(scope_of(value)):
            self._add_called(name, value, f"{value.__module__}.{value.__qualname__}")
            self._class(value)
        elif inner := _unwrapped(value):
            self._value(name, inner)
            if isinstance(value, functools.partial):
                self._value(f"{name}.args", (value.args, tuple(sorted(value.keywords.items()))))
            elif isinstance(value, MethodType):
                self._object(name, value.__self__, scope, within)
        elif isinstance(value, type) or (callable(value) and not is_users(scope_of(type(value)))):
            self._add_called(name, value, _called(value))
            self._note_own(value if isinstance(value, type) else type(value))
        elif isinstance(value, tuple):
            self._class(type(value))
            for number, each in enumerate(value):
                self._value(f"{name}[{number}]", each)
        else:
            self._object(name, value, scope, within)

    def _add_called(self, name: str, value: Any, called: str) -> None:
        """Record the class or function to which `name` refers.

        Built-in functions and classes are not recorded. A class or function is also not recorded if `name` is the name
        under which it was defined.
        """
        if name != called and getattr(builtins, name.rpartition(".")[2], None) is not value:
            self._add(name, called)

    def _function(self, function: FunctionType) -> None:
        if not self._is_new(function):
            return
        code, scope = function.__code__, function.__globals__
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        if not is_users(scope):  # the functions in its closure may be custom
            self._note_own(function)
            self._waiting += [each for cell in cells.values() if isinstance(each := _content(cell), FunctionType)]
            return
        name, text = _own_name(function), definition(function)
        self._add(name, f"bytecode {shape(code)!r}" if text is None else text)
        for number, default in enumerate([*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]):
            self._value(f"{name}.default{number}", default)
        for variable, cell in cells.items():
            self._value(f"{name}.{variable}", _content(cell))
        for chain in global_reads(code):
            self._read(scope, chain)
        for module, taken in imports(code, str(scope.get("__package__") or "")):
            self._imported(sys.modules.get(module), taken)

    def _imported(self, module: ModuleType | None, name: str | None) -> None:
        """Add to the digests what a function imports at run time: a module, or a name in a module.

        If the module has not been imported yet, do nothing.
        """
        if module is not None and is_users(vars(module)):
            if name is None:
                self._module(module.__name__, module)
            else:
                self._read(vars(module), [name])
        elif module is not None and name is not None:
            self._note_own(vars(module).get(name))

    def _read(self, scope: Mapping[str, Any], chain: list[str]) -> None:
        """Add a global variable, or an attribute of a module such as `module.name`, to the digests."""
        name, *rest = chain
        if name not in scope or (name.startswith("__") and name.endswith("__")):
            return
        value = scope[name]
        while rest and isinstance(value, ModuleType) and is_users(vars(value)) and rest[0] in vars(value):
            scope, name = vars(value), rest.pop(0)
            value = scope[name]
        if isinstance(value, ModuleType) and rest:
            self._note_own(functools.reduce(_attribute, rest, value))
        self._value(f"{scope.get('__name__')}.{name}", value, scope)

    def _note_own(self, code: Any) -> None:
        """Record a class or a function if it belongs to this package."""
        if isinstance(code, type | FunctionType) and is_of_package(code):
            self.own.append(code)

    def _class(self, cls: type) -> None:
        scope = scope_of(cls)
        if not is_users(scope):
            self._note_own(cls)
            return
        if not self._is_new(cls):
            return
        name = f"{cls.__module__}.{cls.__qualname__}"
        fields = getattr(cls, "_fields", None) or tuple(vars(cls).get("__annotations__", ()))
        self._add(name, f"class({', '.join(map(_called, cls.__bases__))}) {' '.join(fields)}")
        for field, default in vars(cls).get("_field_defaults", {}).items():
            self._value(f"{name}.{field}", default)
        for base in cls.__bases__:
            self._class(base)
        members = {key: member for key, member in vars(cls).items() if not _is_made(cls, key, member)}
        deciding = [
            each for key, each in members.items() if isinstance(each, FunctionType) and key not in DISPLAY_METHODS
        ]
        used = {name for each in deciding for name in names(each.__code__)}
        for key, member in members.items():
            if key not in DISPLAY_METHODS or key in used:
                self._value(f"{name}.{key}", member, scope, tuple(cls.__qualname__.split(".")))

    def _module(self, name: str, module: ModuleType) -> None:
        """Add the globals of a custom module to the digests, or the name of the package of any other module."""
        if not is_users(vars(module)):
            self._add(name, module.__name__.partition(".")[0])
        elif self._is_new(module):
            for each in list(vars(module)):
                self._read(vars(module), [each])

    def _object(self, name: str, value: Any, scope: Mapping[str, Any] | None, within: tuple[str, ...]) -> None:
        """Add a mutable object, such as a list, to the digests: its class, and the statements that create it."""
        making = [] if scope is None else _made_by(scope, name.rpartition(".")[2], within)
        if not making:
            self._add(name, _held(value))
        for where, statement in making:
            self._add(name, canonical(statement))
            if self._is_new(statement):
                for node in ast.walk(statement):
                    if (
                        isinstance(node, ast.Name)
                        and isinstance(node.ctx, ast.Load)
                        and where.get(node.id) is not value
                    ):
                        self._read(where, [node.id])
        self._class(type(value))
        if isinstance(value, dict | list | set) and self._is_new(value):
            for each in value.values() if isinstance(value, dict) else value:
                if callable(each):
                    self._value(f"{name}[]", each)


def _plain(value: Any) -> str | None:
    """Return the text of an immutable value, or None for a value of any other kind."""
    kind = type(value)
    if kind in NUMBERS_AND_TEXT:
        return f"{kind.__name__} {value!r}"
    if isinstance(value, enum.Enum):
        return f"{kind.__qualname__}.{value.name} {value.value!r}"
    if kind in (tuple, frozenset) or (isinstance(value, tuple) and not is_users(scope_of(kind))):
        inner = [_plain(each) for each in value]
        if any(each is None for each in inner):
            return None
        return f"{kind.__name__}({', '.join(map(str, sorted(inner, key=str) if kind is frozenset else inner))})"
    if kind.__module__ == "numpy" and hasattr(value, "tobytes") and not value.dtype.hasobject:
        return f"{value.dtype.str}{value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    return None


def _held(value: Any, depth: int = MAX_DEPTH) -> str:
    """Describe an object as a string: the contents of a container, otherwise only the class of the object.

    The returned string is used for the digest of the object if the statement that creates the object is unknown.
    """
    if depth and isinstance(value, dict):
        inner = [f"{_held(key)}: {_held(each, depth - 1)}" for key, each in value.items()]
        return f"dict({', '.join(sorted(inner))})"
    if depth and isinstance(value, list | set):
        inner = [_held(each, depth - 1) for each in value]
        return f"{type(value).__name__}({', '.join(inner if isinstance(value, list) else sorted(inner))})"
    return _plain(value) or _called(type(value))


def _made_by(scope: Mapping[str, Any], name: str, within: tuple[str, ...]) -> list[tuple[Mapping[str, Any], ast.stmt]]:
    """Return the statements that assign or change `name`, each with the globals of the module that contains it.

    If `name` is imported, the result contains the statements of the module that defines it.
    """
    pairs: list[tuple[Mapping[str, Any], ast.stmt]] = []
    for each in statements(scope, name, within):
        origin = _origin(each, str(scope.get("__package__") or "")) if isinstance(each, ast.ImportFrom) else None
        module = sys.modules.get(origin or "")
        if not isinstance(each, ast.ImportFrom):
            pairs.append((scope, each))
        elif module is not None and vars(module) is not scope:
            taken = next(alias.name for alias in each.names if {name, "*"} & {alias.asname, alias.name})
            pairs += _made_by(vars(module), name if taken == "*" else taken, ())
    return pairs


def _origin(statement: ast.ImportFrom, package: str) -> str:
    return resolved(statement.level, statement.module or "", package)


def _called(value: Any) -> str:
    """Return a name that identifies a class or function: its module or package, and its qualified name."""
    place, name = getattr(value, "__module__", None) or "", getattr(value, "__qualname__", type(value).__qualname__)
    return f"{place if is_users(scope_of(value)) else place.partition('.')[0]} {name}"


def _own_name(function: FunctionType) -> str:
    """Return the module and qualified name of a custom function, or the result of `_called` for any other function."""
    if is_users(function.__globals__):
        return f"{function.__globals__.get('__name__')}.{function.__code__.co_qualname}"
    return _called(function)


def _unwrapped(value: Any) -> Any:
    """Return the function inside a wrapper, or None if the value is not a known wrapper."""
    if (name := WRAPPERS.get(type(value))) is not None:
        return getattr(value, name)
    return None if isinstance(value, type) else inspect.getattr_static(value, "__wrapped__", None)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the cell is empty
        return None


def _attribute(value: Any, name: str) -> Any:
    """Return the attribute `name` of a module or a class.

    If `value` is not a module or a class, or has no such attribute, return `value` itself.
    """
    return getattr(value, name, value) if isinstance(value, type | ModuleType) else value


def _is_made(cls: type, name: str, member: Any) -> bool:
    """Return whether Python itself has added the member to the class, as it adds `_replace` to a NamedTuple."""
    if name in getattr(cls, "_fields", ()) or isinstance(member, MemberDescriptorType | GetSetDescriptorType):
        return True
    if isinstance(function := _unwrapped(member) or member, FunctionType):
        own = is_users(function.__globals__) and function.__globals__.get("__name__") == cls.__module__
        return name.startswith("_") and not (own and function.__code__.co_filename != "<string>")
    return name.startswith("__") or (name.startswith("_") and (name.endswith("_") or name in MADE))
