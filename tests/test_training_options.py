"""An option of training is declared once: keywords, the command line, keys of files, checks and docs follow."""

from __future__ import annotations

import inspect
import typing
from typing import Any

import pytest
import typer
from petteia.experiments.domains import Flag, NumberOrText, OneOf, RefusedError, Whole

import petteia
from petteia.cli.app import app
from petteia.core.errors import UsageError
from petteia.experiments.configuration import configure
from petteia.experiments.declaration import Options
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.options import BOTH, FEATURES, OF_FEATURES, OF_TABLES, OPTIONS, TABLES, Option, type_of
from petteia.experiments.table_settings import TableSettings

SETTINGS = {TABLES: TableSettings, FEATURES: LinearSettings}
OF_THE_RUN = {"game", "seed", "runs", "name"}
FILED = OPTIONS.keys() - {"follow"}


def test_keywords_are_the_options() -> None:
    parameters, hints = inspect.signature(petteia.train).parameters, typing.get_type_hints(petteia.train)
    assert set(parameters) == {*OPTIONS, *OF_THE_RUN, "progress"}
    assert set(hints) == {*parameters, "return"}
    for name in OPTIONS:
        assert parameters[name].kind == inspect.Parameter.KEYWORD_ONLY
        assert f"\n    {name}: " in (inspect.getdoc(petteia.train) or "")
    assert (parameters["games"].default, hints["games"]) == (100_000, int)
    assert (parameters["gamma"].default, hints["gamma"]) == (None, float | None)


def test_options_of_the_command_line_and_keys_of_files_are_the_options() -> None:
    command = typing.cast(Any, typer.main.get_command(app)).commands["train"]
    assert {each.name for each in command.params} == (OPTIONS.keys() - {"follow"}) | {
        "game",
        "seed",
        "runs",
        "name",
        "as_json",
        "trust",
    }
    flags = {each.name: each.opts for each in command.params}
    assert (flags["lambda_"], flags["marks"], flags["knows_ends"]) == (["--lambda"], ["--mark"], ["--knows-ends"])
    assert set(Options.model_fields) == FILED | {"game"}


@pytest.mark.parametrize("learners", BOTH)
def test_every_option_has_a_place_in_the_settings_of_those_who_have_it(learners: str) -> None:
    has = {name for name, option in OPTIONS.items() if learners in option.learners} - {"features"}
    extra = {name for name in SETTINGS[learners].model_fields if not name.endswith(("_hash", "_hashes"))} - {"features"}
    assert has == extra


def test_defaults_are_values_that_can_be_given() -> None:
    for name, option in OPTIONS.items():
        for learners in option.learners:
            default = option.default_of(learners)
            assert default is None or option.takes.read(default) is not None, name
        if option.learners != BOTH:
            assert option.learners in (OF_TABLES, OF_FEATURES)
        if isinstance(option.takes, OneOf):
            assert option.takes.words == typing.get_args(type_of(name))


def test_an_unknown_keyword_is_an_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'epsilom'"):
        configure("hare-and-hounds", epsilom=0.1)  # type: ignore[call-arg]


def test_what_is_declared_is_all_there_is_to_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPTIONS, "depth", Option("Plies.", Whole(1, 3), default=2, learners=OF_FEATURES))
    assert configure("kalah", features="store")[1].depth == 2  # type: ignore[union-attr]
    with pytest.raises(UsageError, match=r"^depth 4: must be in 1\.\.3$"):
        configure("kalah", features="store", depth=4)


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (Option("", NumberOrText(), default=0.1, with_features=2.0), "0.1; with features 2"),
        (Option("", NumberOrText(), default=(1, 2)), "1, 2"),
        (Option("", NumberOrText(), default=1, shown="one"), "one"),
        (Option("", Flag(), default=False), ""),
        (Option("", NumberOrText()), ""),
    ],
)
def test_defaults_in_words(option: Option, told: str) -> None:
    assert option.default_text == told


def test_numbers_of_games_are_sorted_and_the_wrong_one_is_named() -> None:
    assert OPTIONS["marks"].takes.read([5, 3, 5]) == [3, 5]
    with pytest.raises(RefusedError) as refused:
        OPTIONS["marks"].takes.read([5, 0])
    assert refused.value.value == 0
