"""A way to end long work early, from another thread."""

from __future__ import annotations


class Stop:
    """Asks long work to end. It is passed to the work and set from any thread; once set it stays set.

    stop = petteia.Stop()
    threading.Timer(2.0, stop.set).start()
    session.step(stop)
    """

    __slots__ = ("_is_set",)

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        """Ask the work to end as soon as it can."""
        self._is_set = True

    @property
    def is_set(self) -> bool:
        """Whether the work has been asked to end."""
        return self._is_set

    def __repr__(self) -> str:
        return f"<Stop, {'set' if self._is_set else 'not set'}>"
