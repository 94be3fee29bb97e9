"""Whose code may run: what people name themselves, and what a file names only if somebody vouches for it.

Names of modules come from two places. What is typed on the command line, written in a call from Python or declared in
an experiment is meant, and runs. What stands in a file that may be anybody's (a run, learned weights, the record of a
game) is data: whoever reads such a file calls `require` before anything that it names is looked up, and that refuses a
module unless it

- belongs to this package,
- was imported already,
- or was allowed: named on the command line, by `--trust MODULE`, in an experiment, or in a run with the seal of this
  user, and its files are still those that were sealed (`petteia.records.seal`).

Processes that this one starts are told what is `allowed` here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from petteia.core.errors import InvalidError, UsageError
from petteia.core.text import IDENTIFIER

MODULE = rf"{IDENTIFIER}(?:\.{IDENTIFIER})*"
NAMED = re.compile(rf"(?<![\w.])({MODULE})(?=:{IDENTIFIER}(?!\w*=))")
"""the module of `module:Name`; what stands before the options of `q:agent=RUN` is none"""

_allowed: set[str] = set()


def allow(modules: Iterable[str]) -> None:
    """Let files name code of these modules from now on."""
    _allowed.update(modules)


def allowed() -> frozenset[str]:
    """The modules that files may name, for processes that this one starts."""
    return frozenset(_allowed)


def modules_named(*texts: str) -> list[str]:
    """The users' modules that texts of games, players, features and the like name; maybe more, but never fewer.

    Those of Python's own are none: they are never looked up.
    """
    named = [module for text in texts for module in NAMED.findall(text)]
    return [module for module in named if module.partition(".")[0] not in ("petteia", *sys.stdlib_module_names)]


def require(where: object, *texts: str) -> None:
    """Raise an InvalidError that names the file `where`, unless all modules that its `texts` name may run."""
    for module in unvouched(*texts):
        raise refusal(where, module, f"names code of the module {module!r}, and that")
    allow(modules_named(*texts))


def unvouched(*texts: str) -> list[str]:
    """The modules that `texts` name and nobody has vouched for yet."""
    return [module for module in modules_named(*texts) if module not in sys.modules and module not in _allowed]


def refusal(where: object, module: str, what: str) -> InvalidError:
    """The error that the file `where` does something, for which its code does not run; `what` ends with a subject."""
    return InvalidError(
        f"{where}: {what} runs only if you vouch for it: with --trust {module}, by naming it on the command line, or "
        "in Python by importing it first"
    )


def check_name(name: str, what: str) -> None:
    """Raise a UsageError, saying that `what` names it, unless `name` is a `module:Name` that can be a user's.

    As no other name is ever looked up, `modules_named` finds all that can be.
    """
    module, _, _ = name.partition(":")
    if not re.fullmatch(rf"{MODULE}:{IDENTIFIER}", name):
        raise UsageError(f"{what}: {name!r} is not of the form module:Name")
    if module.partition(".")[0] in sys.stdlib_module_names:
        raise UsageError(f"{what}: {module!r} is a module of Python's own; give yours another name")
