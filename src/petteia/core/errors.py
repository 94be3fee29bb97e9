"""Errors that the user can correct. Each has a one-line message, and an exit code for the command line."""

from __future__ import annotations


class PetteiaError(Exception):
    """Base class of the errors of this package. The one-line message states the problem, its location and a remedy.

    Examples:
        >>> try:
        ...     petteia.position("hare-and-hounds").play("9-9")
        ... except petteia.PetteiaError as error:
        ...     print(error)
        move '9-9' is not legal in '0,1,3/10 hounds 0'; choose from 0-2 1-2 1-4 1-5 3-2 3-5 3-6

    """

    exit_code = 1


class UsageError(PetteiaError, ValueError):
    """Raised for a wrong argument: an unknown game, player or option, or a value out of range.

    Examples:
        >>> petteia.game("kalah:pits=0")
        Traceback (most recent call last):
            ...
        petteia.core.errors.UsageError: game kalah: pits=0: must be in 1..7

    """

    exit_code = 2


class NotFoundError(PetteiaError):
    """Raised for a file, a run or a module that does not exist.

    Examples:
        >>> petteia.load("runs/nothing")
        Traceback (most recent call last):
            ...
        petteia.core.errors.NotFoundError: there is no run 'runs/nothing'; runs are in the folder runs

    """

    exit_code = 3


class InvalidError(PetteiaError, ValueError):
    """Raised for a file or a position that is damaged, impossible or of the wrong kind.

    Examples:
        >>> petteia.position("kalah", "1,2,3")
        Traceback (most recent call last):
            ...
        petteia.core.errors.InvalidError: position '1,2,3': must look like '4,4,4,4,4,4,0/4,4,4,4,4,4,0 s'

    """

    exit_code = 4


class Stopped(PetteiaError):  # noqa: N818  # it was asked for
    """Raised if a `Stop` ends a computation before the computation has a result.

    Examples:
        >>> stop = petteia.Stop()
        >>> stop.set()
        >>> petteia.solve("hare-and-hounds", stop=stop)
        Traceback (most recent call last):
            ...
        petteia.core.errors.Stopped: stopped before there was a result

    """

    def __init__(self) -> None:
        super().__init__("stopped before there was a result")
