"""Errors that users can correct. Each has a message of one line, and the exit code of the command line."""

from __future__ import annotations


class PetteiaError(Exception):
    """Base class of all errors. The message is one line with the problem, its place and the remedy."""

    exit_code = 1


class UsageError(PetteiaError, ValueError):
    """Raised for a wrong argument: an unknown game, player or option, or a value out of range."""

    exit_code = 2


class NotFoundError(PetteiaError):
    """Raised for a file, a run or a module that does not exist."""

    exit_code = 3


class InvalidError(PetteiaError, ValueError):
    """Raised for a file or a position that is damaged, impossible or of the wrong kind."""

    exit_code = 4


class Stopped(PetteiaError):  # noqa: N818  # it was asked for
    """Raised when a `Stop` ended a computation before it had a result."""

    def __init__(self) -> None:
        super().__init__("stopped before there was a result")
