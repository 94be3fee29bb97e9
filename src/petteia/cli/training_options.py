"""The options of a training on the command line, as `petteia.experiments.options` declares them."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from petteia.cli.parameters import Command, complete_learner, complete_player
from petteia.experiments.domains import Flag
from petteia.experiments.options import OPTIONS, Option

COMPLETIONS = {"learner": complete_learner, "opponent": complete_player, "evaluate_against": complete_player}


def takes_training_options(command: Command) -> Command:
    """Give a command the options of a training in the place of `**options`, before its other options."""
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.kind != inspect.Parameter.VAR_KEYWORD]
    places = [each for each in own if each.kind != inspect.Parameter.KEYWORD_ONLY]
    keywords = [each for each in own if each.kind == inspect.Parameter.KEYWORD_ONLY]
    options = [_parameter(name, option) for name, option in OPTIONS.items() if option.takes.shell is not None]
    command.__signature__ = signature.replace(parameters=[*places, *options, *keywords])  # type: ignore[attr-defined]  # read by typer
    command.__annotations__ |= {each.name: each.annotation for each in options}
    command.__annotations__.pop("options", None)
    return command


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as `petteia.train` takes them."""
    return {name: value for name, value in options.items() if not (value is None or _is_off(OPTIONS[name], value))}


def _is_off(option: Option, value: Any) -> bool:
    return _is_switch(option) and not value


def _is_switch(option: Option) -> bool:
    """Whether it is named to be switched on, and off unless named."""
    return isinstance(option.takes, Flag) and option.default is False


def _parameter(name: str, option: Option) -> inspect.Parameter:
    flag = f"--{option.flag or name.replace('_', '-')}"
    kind, default = option.takes.shell, option.common_default
    words, flags = option.help, [flag]
    if _is_switch(option):
        default = False
    elif default is None:
        kind = kind | None
        words += f"  [default: {option.default_text}]" if option.default_text else ""
        flags = [f"{flag}/--no-{flag[2:]}"] if isinstance(option.takes, Flag) else flags
    declaration = typer.Option(*flags, metavar=option.metavar, help=words, autocompletion=COMPLETIONS.get(name))
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declaration]
    )
