"""Trust in custom code: the code that a file names runs only if the user trusts its module.

A module is trusted if the user names it on the command line, in Python or in an experiment. But a file, such as a run,
weights or a game record, may come from a stranger. Before petteia imports code that such a file names, it calls
`require`. `require` rejects a module unless one of these conditions holds:

- It belongs to petteia.
- It is already imported.
- It is allowed, because the user named it on the command line, by `--trust MODULE`, or in an experiment.
- It is allowed, because it belongs to a run that this user began and sealed, and its files are unchanged
  (`petteia.records.seal`).

Child processes receive the set of allowed modules, which the function `allowed` returns.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from petteia.core.errors import InvalidError, UsageError
from petteia.core.text import IDENTIFIER

MODULE = rf"{IDENTIFIER}(?:\.{IDENTIFIER})*"
NAMED = re.compile(rf"(?<![\w.])({MODULE})(?=:{IDENTIFIER}(?!\w*=))")
"""the pattern of the module in `module:Name`; it does not match the `q` of `q:agent=RUN`"""

_allowed: set[str] = set()


def allow(modules: Iterable[str]) -> None:
    """Trust these modules from now on, so that their code may run when a file names it."""
    _allowed.update(modules)


def allowed() -> frozenset[str]:
    """Return the trusted modules: their code may run when a file names it. Child processes receive this set."""
    return frozenset(_allowed)


def modules_named(*texts: str) -> list[str]:
    """Return the custom modules that the strings in `texts` name. A string describes a game, player or other component.

    The result may contain names that are not modules. Modules of Python's standard library are left out, because
    components are never imported from them.
    """
    named = [module for text in texts for module in NAMED.findall(text)]
    return [module for module in named if module.partition(".")[0] not in ("petteia", *sys.stdlib_module_names)]


def require(where: object, *texts: str) -> None:
    """Raise InvalidError if the file `where` names a custom module that the user does not trust.

    The other arguments are the strings in the file that may name custom code.
    """
    for module in unvouched(*texts):
        raise refusal(where, module, f"names code of the module {module!r}, which")
    allow(modules_named(*texts))


def unvouched(*texts: str) -> list[str]:
    """Return the modules named in `texts` that are neither trusted nor already imported."""
    return [module for module in modules_named(*texts) if module not in sys.modules and module not in _allowed]


def refusal(where: object, module: str, what: str) -> InvalidError:
    """Return the exception to raise for a file that names custom code of `module`, which the user does not trust.

    The message begins with `where` and `what`, followed by `runs only if you trust it`.
    """
    return InvalidError(
        f"{where}: {what} runs only if you trust it; add --trust {module}, name it on the command line, or import it "
        "first in Python"
    )


def check_name(name: str, what: str) -> None:
    """Raise UsageError if `name` does not have the form `module:Name`, or if its module belongs to Python itself.

    Error messages begin with `what`. The function `modules_named` finds the modules that a file names, so that
    untrusted modules can be rejected. It finds only names of the form `module:Name`. All other names are therefore
    rejected.
    """
    module, _, _ = name.partition(":")
    if not re.fullmatch(rf"{MODULE}:{IDENTIFIER}", name):
        raise UsageError(f"{what}: {name!r} is not of the form module:Name")
    if module.partition(".")[0] in sys.stdlib_module_names:
        raise UsageError(f"{what}: {module!r} is a module of Python itself; give your module another name")
