"""What is said where the memory that is allowed does not suffice: what to type."""

from __future__ import annotations

from petteia.core.errors import UsageError

MEGABYTE = 1_000_000
LARGEST = 10**12
"""bytes above which nobody is advised to allow as many"""
SMALLER = "choose a smaller game"


class InsufficientMemoryError(UsageError):
    """Something takes more memory than is allowed; the line says what helps."""

    fact = ""
    """what takes how much"""
    enough: float | None = None
    """bytes that surely suffice; None: not known; more than LARGEST: out of the question"""
    helps = SMALLER
    """what else can be done"""

    def by(self, option: str, name: str) -> InsufficientMemoryError:
        """The same error of `name`, for which another option is typed."""
        return insufficient_memory(f"{name}: {self.fact}", self.enough, helps=self.helps, option=option)


def insufficient_memory(
    fact: str, enough: float | None, *, helps: str = SMALLER, option: str = "--memory {}"
) -> InsufficientMemoryError:
    """The error that says `fact` and what helps.

    Args:
        fact: what takes how much
        enough: bytes that surely suffice; None: not known; more than LARGEST: out of the question
        helps: what can be done besides allowing more
        option: what to type for it; `{}` stands for megabytes

    """
    if enough is None:
        advice = f"allow more by {option.format('MB')}, or {helps}"
    elif enough > LARGEST:
        advice = helps
    else:
        amount = _rounded_up(enough)
        in_python = f" (in Python memory={amount * MEGABYTE:_})" if option.startswith("--") else ""
        advice = f"allow it by {option.format(amount)}{in_python}, or {helps}"
    error = InsufficientMemoryError(f"{fact}; {advice}")
    error.fact, error.enough, error.helps = fact, enough, helps
    return error


def _rounded_up(size: float) -> int:
    """Megabytes that hold `size` bytes, of two significant digits."""
    amount = max(1, int(-(-size // MEGABYTE)))
    step: int = 10 ** max(len(str(amount)) - 2, 0)
    return -(-amount // step) * step


def size_text(size: float) -> str:
    """A number of bytes as people read it."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{float(f'{size / unit:.3g}'):,.10g} {name}"
    return f"{size:,.0f} bytes"
