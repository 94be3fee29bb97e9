"""The options of a training run on the command line, which are declared in `petteia.experiments.options`."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from petteia.cli.parameters import Command, complete_learner, complete_player
from petteia.core.options import Flag, Several
from petteia.experiments.options import OPTIONS, Shared, grouped
from petteia.learn.learners import TableLearner

COMPLETIONS = {"learner": complete_learner, "opponent": complete_player, "evaluate_against": complete_player}


def takes_training_options(command: Command) -> Command:
    """Replace the parameter `**options` of a command by the options of a training run.

    The options of a training run come before the other options of the command.
    """
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.kind != inspect.Parameter.VAR_KEYWORD]
    options = [_parameter(key, option) for key, option in OPTIONS.items() if option.is_simple]
    ordered = sorted((*own, *options), key=lambda each: (each.kind, each in own))
    command.__signature__ = signature.replace(parameters=ordered)  # type: ignore[attr-defined]  # read by typer
    command.__annotations__ |= {each.name: each.annotation for each in options}
    command.__annotations__.pop("options", None)
    return command


def arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that the user has given, as arguments of `petteia.train`."""
    return grouped({key: value for key, value in options.items() if value or not OPTIONS[key].is_switch})


def _parameter(key: str, option: Shared) -> inspect.Parameter:
    declared, kind, default = option.options[0], option.options[0].takes.shell, option.default
    words, flags = declared.help, [declared.flag]
    if not option.of_all and key != "features":
        words += " Not with --features." if declared.owner is TableLearner else " Requires --features."
    if isinstance(declared.takes, Several):
        words += " May be given several times."
    if option.is_switch:
        default = False
    elif default is None:
        kind = kind | None
        words += f"  [default: {option.shown}]" if option.shown else ""
        flags = [f"{declared.flag}/--no-{declared.flag[2:]}"] if isinstance(declared.takes, Flag) else flags
    choice = typer.Option(*flags, metavar=declared.told.metavar, help=words, autocompletion=COMPLETIONS.get(key))
    return inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, choice])
