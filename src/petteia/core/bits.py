"""Operations on 64-bit words: counting bits, finding bits, shifting, and arithmetic modulo 2^64.

In plain Python, the functions work on ints. In compiled code, each function is one or two machine instructions. A word
is a signed int in -2^63..2^63-1. Sums and products that can overflow this range must use the functions of this module.
The compiler assumes that signed integers do not overflow, and miscompiles code in which they do.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from petteia.core.kernel import when_compiling

HALF = 1 << 63
WHOLE = 1 << 64


def popcount(word: int) -> int:
    """Return the number of set bits in `word`."""
    return (int(word) % WHOLE).bit_count()


def trailing_zeros(word: int) -> int:
    """Return the index of the lowest set bit in `word`, or 64 if no bit is set."""
    word = int(word) % WHOLE
    return (word & -word).bit_length() - 1 if word else 64


def wrapping_add(a: int, b: int) -> int:
    """Return a + b modulo 2^64, as a signed word."""
    return (int(a) + int(b) + HALF) % WHOLE - HALF


def wrapping_multiply(a: int, b: int) -> int:
    """Return a * b modulo 2^64, as a signed word."""
    return (int(a) * int(b) + HALF) % WHOLE - HALF


def shift_right(word: int, count: int) -> int:
    """Return `word` shifted right by `count` (0..63) bits, filled with zeros from the left, as a signed word."""
    return ((int(word) % WHOLE >> int(count)) + HALF) % WHOLE - HALF


def mix(word: int) -> int:
    """Scramble `word` by a bijection in which each bit of the result depends on every bit of `word`.

    The bijection is the finaliser of SplitMix64, with the constants of Stafford's variant 13. Source: Steele, Lea,
    Flood 2014, "Fast splittable pseudorandom number generators".
    """
    word = wrapping_multiply(word ^ shift_right(word, 30), -0x40A7B892E31B1A47)
    word = wrapping_multiply(word ^ shift_right(word, 27), -0x6B2FB644ECCEEE15)
    return word ^ shift_right(word, 31)


def _register(numba: ModuleType) -> None:
    """Register the compiled versions of the functions in this module with numba."""
    int64, uint64 = numba.types.int64, numba.types.uint64

    @numba.extending.intrinsic
    def count_ones(typing_context: Any, word: Any) -> Any:
        return int64(int64), lambda context, builder, signature, values: builder.ctpop(values[0])

    @numba.extending.intrinsic
    def count_zeros(typing_context: Any, word: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.cttz(values[0], context.get_constant(numba.types.boolean, False))

        return int64(int64), emit

    implementations: dict[Callable[..., int], Callable[..., Any]] = {
        popcount: lambda word: count_ones(word),
        trailing_zeros: lambda word: count_zeros(word),
        wrapping_add: lambda a, b: int64(uint64(a) + uint64(b)),
        wrapping_multiply: lambda a, b: int64(uint64(a) * uint64(b)),
        shift_right: lambda word, count: int64(uint64(word) >> uint64(count)),
        mix: mix,
    }
    for function, implementation in implementations.items():
        numba.extending.overload(function, strict=False)(_always(implementation))


def _always(implementation: Callable[..., Any]) -> Callable[..., Callable[..., Any]]:
    return lambda *arguments: implementation


when_compiling(_register, makes=(popcount, trailing_zeros, wrapping_add, wrapping_multiply, shift_right, mix))
