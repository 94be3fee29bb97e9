"""The numba type of pointers, and the compiled forms of `pointer_to` and `value_at`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.core.typing.typeof import typeof_impl

from petteia.core.pointer import Pointed, pointer_to, value_at

INDEX = ir.IntType(32)


class Pointer(types.Type):
    """The numba type of a pointer. It contains the type of the value to which the pointer points."""

    def __init__(self, content: Any) -> None:
        self.content = content
        super().__init__(f"Pointer({content})")

    @property
    def key(self) -> Any:
        """The type of the value. Numba compares pointer types by this key."""
        return self.content


@typeof_impl.register(Pointed)  # type: ignore[untyped-decorator]  # numba is untyped
def _type_of_pointed(pointed: Pointed, context: Any) -> Pointer:
    return Pointer(typeof_impl(pointed.value, context))


@register_default(Pointer)
class PointerModel(models.PrimitiveModel):  # type: ignore[misc]  # numba is untyped
    """The representation of a pointer in machine code, which is one word."""

    def __init__(self, manager: Any, kind: Pointer) -> None:
        super().__init__(manager, kind, ir.PointerType(manager.lookup(kind.content).get_value_type()))


@infer_global(pointer_to)
class PointerTo(AbstractTemplate):  # type: ignore[misc]  # numba is untyped
    """The typing rule of `pointer_to(value)` for numba."""

    def generic(self, arguments: Any, keywords: Any) -> Any:
        """Return the signature of a call with these arguments, for numba."""
        return signature(Pointer(*arguments), *arguments)


@infer_global(value_at)
class ValueAt(AbstractTemplate):  # type: ignore[misc]  # numba is untyped
    """The typing rule of `value_at(pointer)` for numba.

    If the argument is not a pointer, `value_at` returns the argument itself, and the result has the same type.
    """

    def generic(self, arguments: Any, keywords: Any) -> Any:
        """Return the signature of a call with these arguments, for numba."""
        (kind,) = arguments
        return signature(kind.content if isinstance(kind, Pointer) else kind, kind)


@lower_builtin(pointer_to, types.Any)  # type: ignore[untyped-decorator]  # numba is untyped
def _store(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return cgutils.alloca_once_value(builder, arguments[0])


@lower_builtin(value_at, Pointer)  # type: ignore[untyped-decorator]  # numba is untyped
def _load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _members(builder, arguments[0], context.get_value_type(signature.return_type), [INDEX(0)])


@lower_builtin(value_at, types.Any)  # type: ignore[untyped-decorator]  # numba is untyped
def _pass_on(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return arguments[0]


def _members(builder: Any, pointer: Any, kind: Any, path: list[Any]) -> Any:
    """Generate code that loads part of a value word by word, so that the compiler can omit unused words.

    `pointer` points to the whole value. `path` contains the indices that lead to the part, as in LLVM's instruction
    `getelementptr`. `kind` is the LLVM type of the part.
    """
    if isinstance(kind, ir.LiteralStructType):
        kinds = list(kind.elements)
    elif isinstance(kind, ir.ArrayType):
        kinds = [kind.element] * kind.count
    else:
        return builder.load(builder.gep(pointer, path, inbounds=True))
    value = ir.Constant(kind, ir.Undefined)
    for i, each in enumerate(kinds):
        value = builder.insert_value(value, _members(builder, pointer, each, [*path, INDEX(i)]), i)
    return value


LOWERING = (_store, _load, _pass_on, _members)
"""The functions that generate the machine code of pointers.

If the code of one of these functions changes, cached kernels are compiled again.
"""
