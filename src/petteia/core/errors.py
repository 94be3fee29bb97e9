"""Errors that are the user's to mend: one line each, with the exit code that the command line gives them."""

from __future__ import annotations


class PetteiaError(Exception):
    """Something failed; the message is one line that says what, where, and what would be right."""

    exit_code = 1


class UsageError(PetteiaError, ValueError):
    """A wrong argument: an unknown game, player or option, or a value out of its range."""

    exit_code = 2


class NotFoundError(PetteiaError):
    """A file, a run or a module that is not there."""

    exit_code = 3


class InvalidError(PetteiaError, ValueError):
    """A file or a position that is damaged, impossible or of another kind."""

    exit_code = 4


class Stopped(PetteiaError):  # noqa: N818  # it was asked for
    """Work was ended by a `Stop` before it had a result."""

    def __init__(self) -> None:
        super().__init__("stopped before there was a result")
