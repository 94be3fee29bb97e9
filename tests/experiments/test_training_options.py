"""An option of training is declared once: models in Python, the command line, keys of files, checks and docs follow."""

from __future__ import annotations

import dataclasses
import inspect
import json
import typing
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

import petteia
from petteia.cli import main
from petteia.cli.app import app
from petteia.core.errors import InvalidError, UsageError
from petteia.core.hints import arguments_given, with_names
from petteia.core.models import Checked, documented
from petteia.core.options import Anything, Flag, OneOf, Range, Told, declared
from petteia.experiments.configuration import KINDS, configure, read_settings
from petteia.experiments.declaration import Options
from petteia.experiments.options import LEARNERS, OPTIONS, EvaluationGames, TrainingOptions, flat, grouped
from petteia.learn.learners import LinearLearner, TableLearner
from petteia.learn.linear_targets import LINEAR_TARGETS

KALAH = "kalah:pits=2,seeds=2"
OF_THE_RUN = {"game", "seed", "runs", "name"}
FILED = OPTIONS.keys() - {"follow"}
CONFIGURED: dict[str, dict[str, Any]] = {
    "train": {"learner": TableLearner("sarsa", alpha=0.2, temperature=0.5), "follow": [("0,1,3/10 hounds 0", "1-5")]},
    "train-linear": {"learner": LinearLearner("squares", marks=[5, 3, 5]), "evaluation": EvaluationGames(games=7)},
}


def test_arguments_of_train_are_the_fields_of_its_options() -> None:
    parameters = inspect.signature(petteia.train).parameters
    fields = {each.name: each for each in dataclasses.fields(TrainingOptions)}
    assert parameters.keys() == {*fields, *OF_THE_RUN, "progress", "stop"}
    assert len(parameters) == 14
    for name in fields.keys() - {"learner"}:
        assert parameters[name].default == fields[name].default
    assert parameters["learner"].default == TableLearner().target


@pytest.mark.parametrize("model", [*LEARNERS, EvaluationGames])
def test_fields_are_told_in_the_docstring(model: type) -> None:
    doc = inspect.getdoc(model) or ""
    for field in dataclasses.fields(model):
        assert f"    {field.name}: " in doc
    assert "--" not in doc
    assert "Annotated" not in str(inspect.signature(model))
    assert "inspect" not in doc


def test_options_of_the_command_line_and_keys_of_files_are_the_options() -> None:
    command = typing.cast(Any, typer.main.get_command(app)).commands["train"]
    assert {each.name for each in command.params} == FILED | OF_THE_RUN | {"as_json", "trust"}
    flags = {each.name: each.opts for each in command.params}
    assert (flags["lambda_"], flags["marks"], flags["knows_ends"]) == (["--lambda"], ["--mark"], ["--knows-ends"])
    assert flags["evaluate_every"] == ["--evaluate-every"]
    assert set(Options.model_fields) == FILED | {"game"}


def test_defaults_are_values_that_can_be_given() -> None:
    for model in (*LEARNERS, EvaluationGames, TrainingOptions):
        for name, option in declared(model).items():
            assert option.default is None or name == "features" or option.read(option.default) == option.default, name
            if isinstance(option.takes, OneOf):
                assert option.takes.words == typing.get_args(option.type)


@pytest.mark.parametrize("option", ["alpha", "gamma", "games", "epsilon", "initial"])
@pytest.mark.parametrize("digits", [19, 400, 5000])
def test_numbers_of_many_digits_are_refused_in_one_line(option: str, digits: int) -> None:
    with pytest.raises(UsageError, match=rf"^{option} ") as refused:
        configure("hare-and-hounds", **grouped({option: 10**digits}))
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("key", "default", "shown"),
    [
        ("gamma", None, "0.9; with --features 1"),
        ("epsilon", None, "0.5"),
        ("learner", None, "q; with --features monte-carlo, or sarsa with --lambda"),
        ("games", 100_000, "100000"),
        ("fold", None, ""),
        ("knows_ends", None, "on"),
        ("marks", None, "10000, 100000, 200000, 400000"),
    ],
)
def test_defaults_of_all_learners(key: str, default: Any, shown: str) -> None:
    assert (OPTIONS[key].default, OPTIONS[key].shown) == (default, shown)


def test_options_side_by_side_are_grouped_as_in_python() -> None:
    learner = LinearLearner("store", "q", lambda_=0.5)
    given = {"features": "store", "learner": "q", "lambda_": 0.5, "games": 10, "evaluate_every": 5, "alpha": None}
    assert grouped(given) == {"learner": learner, "games": 10, "evaluation": EvaluationGames(every=5)}
    assert grouped({}) == {"learner": TableLearner(), "evaluation": EvaluationGames()}
    with pytest.raises(TypeError, match="there is no option 'epsilom'"):
        grouped({"epsilom": 0.1})


def test_a_target_alone_is_a_table_learner() -> None:
    assert (
        configure("hare-and-hounds", "sarsa")[1].learner
        == configure("hare-and-hounds", TableLearner("sarsa"))[1].learner
    )
    for wrong in ({"learner": 5}, {"learner": TableLearner}, {"evaluation": 500}):
        with pytest.raises(UsageError, match=f"^{next(iter(wrong))} .*: must be "):
            configure("hare-and-hounds", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_settings_are_read_from_what_a_run_keeps(kind: str) -> None:
    _, settings = configure("hare-and-hounds", games=10, **CONFIGURED[kind])
    content = json.loads(json.dumps(flat(settings)))
    assert settings.kind == kind
    assert read_settings(kind, content) == settings
    assert content.keys() >= {each.key for each in declared(type(settings.learner)).values()}
    with pytest.raises(InvalidError, match=r"^gamma is missing$"):
        read_settings(kind, {name: value for name, value in content.items() if name != "gamma"})
    with pytest.raises(InvalidError, match=r"^luck: unknown setting$"):
        read_settings(kind, content | {"luck": 1})
    open_to_tables = {"epsilon", "temperature", "weights"} if kind == "train" else set()
    for name in content.keys() - {"evaluation_games"} - open_to_tables:
        with pytest.raises(InvalidError, match=name):
            read_settings(kind, content | {name: None})


def test_settings_train_again() -> None:
    _, settings = configure("hare-and-hounds", games=10, **CONFIGURED["train-linear"])
    again = {name: getattr(settings, name) for name in inspect.signature(TrainingOptions).parameters}
    assert configure("hare-and-hounds", **again)[1] == settings


def test_what_is_declared_is_all_there_is_to_an_option() -> None:
    @documented
    @dataclasses.dataclass(frozen=True)
    class Model(Checked):
        """A learner."""

        depth: Annotated[int, Range(1, 3), "Plies, with --so-much.", Told(key="far", flag="farther")] = 2
        any: Annotated[bool | None, Flag(), "Any.", Told(shown="maybe")] = None
        thing: Annotated[Any, Anything(), "Thing."] = 5

    assert Model.__doc__ == (
        "A learner.\n\nArgs:\n    depth: Plies, with `so_much`. Default: 2.\n    any: Any. Default: maybe.\n"
        "    thing: Thing. Default: 5.\n"
    )
    assert Model(3) == Model(depth=3)
    for where, name in (("in Python", "depth"), ("in a file", "far"), ("on the command line", "--farther")):
        with arguments_given(where), pytest.raises(UsageError, match=rf"^{name} 4: must be in 1\.\.3$"):
            Model(4)


def test_errors_name_what_the_user_has_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"^evaluation\.games 0: must be in 1\.\."):
        EvaluationGames(games=0)
    with pytest.raises(UsageError, match=r"^lambda_: monte-carlo has no traces; choose target q or sarsa or td"):
        configure(KALAH, LinearLearner("store", "monte-carlo", lambda_=0.5))
    assert main(["train", KALAH, "--evaluation-games", "0"]) == 2
    assert "petteia: --evaluation-games 0: must be in 1.." in capsys.readouterr().err
    assert main(["train", KALAH, "--features", "store", "--learner", "monte-carlo", "--lambda", "0.5"]) == 2
    assert "--lambda: monte-carlo has no traces; choose --learner q or sarsa or td" in capsys.readouterr().err
    text = f'title = "x"\n[training]\ngame = "{KALAH}"\nfeatures = "store"\nlearner = "monte-carlo"\nlambda_ = 0.5\n'
    Path("same.toml").write_text(text)
    assert main(["experiment", "same.toml"]) == 4
    assert "same.toml: training: lambda_: monte-carlo has no traces; choose learner q" in capsys.readouterr().err


def test_every_target_is_told() -> None:
    told = with_names(declared(LinearLearner)["target"].help)
    assert all(name in told for name in LINEAR_TARGETS)


def test_numbers_of_games_are_sorted() -> None:
    assert LinearLearner("store", marks=[5, 3, 5]).marks == (3, 5)
