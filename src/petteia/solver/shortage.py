"""What is said where the memory that is allowed does not suffice: what to type."""

from __future__ import annotations

from petteia.core.errors import UsageError

MEGABYTE = 1_000_000
LARGEST = 10**12
"""bytes above which nobody is advised to allow as many"""
GENEROUS = 4
"""how many times what is allowed is advised where it is not known how much is wanted"""


class MemoryShortageError(UsageError):
    """Something takes more memory than is allowed; the line ends with an option that allows enough."""

    fact = ""
    """what takes how much"""
    wanted = 0.0
    """bytes to allow"""
    is_certain = True
    """whether these are known to suffice"""

    def by(self, option: str, name: str) -> MemoryShortageError:
        """The same error of `name`, for which another option is typed."""
        return shortage(f"{name}: {self.fact}", self.wanted, is_certain=self.is_certain, option=option)


def shortage(fact: str, wanted: float, *, is_certain: bool = True, option: str = "--memory {}") -> MemoryShortageError:
    """The error that says `fact`, and the option to type, in which `{}` stands for megabytes."""
    amount = _rounded_up(wanted)
    advice = f"{'allow it' if is_certain else 'allow more'} by {option.format(amount)}"
    if option.startswith("--"):
        advice += f" (in Python memory={amount * MEGABYTE:_})"
    advice = "choose a smaller game" if wanted > LARGEST else f"{advice}, or choose a smaller game"
    error = MemoryShortageError(f"{fact}; {advice}")
    error.fact, error.wanted, error.is_certain = fact, wanted, is_certain
    return error


def advised(memory: int, most: float) -> float:
    """Bytes to try next where `memory` did not suffice and `most` would, if that is known (else 0)."""
    generous = float(GENEROUS * memory)
    return min(generous, most) if most > memory else generous


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
