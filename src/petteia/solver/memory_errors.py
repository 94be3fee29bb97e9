"""The error for insufficient memory, whose message names the option that allows more memory."""

from __future__ import annotations

from petteia.core.errors import UsageError

MEGABYTE = 1_000_000
LARGEST = 10**12
"""The largest number of bytes that a message recommends."""
SMALLER = "choose a smaller game"


class InsufficientMemoryError(UsageError):
    """Raised if a computation needs more memory than is allowed. The message recommends a remedy."""

    fact = ""
    """a text about the task and the memory that it needs"""
    enough: float | None = None
    """a sufficient number of bytes; None if it is unknown; more than LARGEST if it is unrealistic"""
    helps = SMALLER
    """a text with another remedy"""

    def by(self, option: str, name: str) -> InsufficientMemoryError:
        """Return a copy of this error whose message begins with `name` and recommends `option` to allow more memory."""
        return insufficient_memory(f"{name}: {self.fact}", self.enough, helps=self.helps, option=option)


def insufficient_memory(
    fact: str, enough: float | None, *, helps: str = SMALLER, option: str = "--memory {}"
) -> InsufficientMemoryError:
    """Return the error for a computation that needs too much memory.

    The message of the error consists of the text `fact` and a remedy.

    Args:
        fact: text that states the required memory and the allowed memory
        enough: a sufficient number of bytes, or None if it is unknown; if it is above LARGEST, the message does not
            recommend more memory
        helps: text that recommends a remedy other than more memory
        option: the option that allows more memory; `{}` is replaced by the number of megabytes

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
    """Convert `size` bytes to megabytes, rounded up to two significant digits."""
    amount = max(1, int(-(-size // MEGABYTE)))
    step: int = 10 ** max(len(str(amount)) - 2, 0)
    return -(-amount // step) * step


def size_text(size: float) -> str:
    """Return a number of bytes as readable text, such as `1.5 GB`."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{float(f'{size / unit:.3g}'):,.10g} {name}"
    return f"{size:,.0f} bytes"
