"""Create the settings of a training run from its options, or read them from the file run.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from petteia.core.errors import InvalidError, UsageError
from petteia.core.hints import argument, arguments_given
from petteia.core.options import declared
from petteia.core.protocol import Rules, initial
from petteia.experiments.linear_settings import LinearSettings, configure_linear
from petteia.experiments.options import EvaluationGames, Learner, TrainingOptions, wrong
from petteia.experiments.table_settings import TableSettings, configure_table
from petteia.features.feature_sets import FEATURE_SETS
from petteia.games import game as rules_of
from petteia.learn.learners import LinearLearner, TableLearner
from petteia.learn.linear_targets import LINEAR_TARGETS
from petteia.learn.targets import UPDATE_RULES

Configuration = TableSettings | LinearSettings
KINDS: dict[str, tuple[type[Configuration], type[Learner]]] = {
    TableSettings.kind: (TableSettings, TableLearner),
    LinearSettings.kind: (LinearSettings, LinearLearner),
}
"""the settings and learners of training runs, by the kind of run"""


def configure(game: str | Rules, learner: str | Learner = "q", **options: Any) -> tuple[Rules, Configuration]:
    """Check the options of a training run, and return the rules of the game and the resolved settings.

    See `petteia.train` for arguments and errors.
    """
    rules = rules_of(game)
    if not isinstance(learner, str | Learner):
        raise UsageError(f"learner {learner!r}: must be a TableLearner, a LinearLearner, or the target of a table")
    given = TrainingOptions(learner=TableLearner(learner) if isinstance(learner, str) else learner, **options)
    if not isinstance(given.evaluation, EvaluationGames):
        raise UsageError(f"evaluation {given.evaluation!r}: must be EvaluationGames")
    if given.position is not None and not isinstance(given.position, str | type(initial(rules))):
        raise UsageError(f"position {given.position!r}: must be a state of the game, or text")
    if isinstance(given.learner, LinearLearner):
        return rules, configure_linear(rules, given, given.learner)
    if (target := given.learner.target) in LINEAR_TARGETS and target not in UPDATE_RULES:
        example = _example(rules)
        needs = argument(
            f"a LinearLearner, such as LinearLearner({example!r}, {target!r})",
            f'features, such as features = "{example}"',
            f"--features, such as --features {example}",
        )
        raise wrong("learner", f"needs {needs}", target)
    return rules, configure_table(rules, given, given.learner)


def _example(rules: Rules) -> str:
    return next((name for name, each in FEATURE_SETS.items() if each.game is type(rules)), "my_features:MyFeatures")


def read_settings(kind: str, content: Mapping[str, Any]) -> Configuration:
    """Read the settings of a training run from the content of run.json. Raises InvalidError if they are malformed."""
    model, learner = KINDS[kind]
    left = dict(content)
    with arguments_given("in a file"):
        try:
            parts = {each: _taken(each, left) for each in (model, learner, EvaluationGames)}
            if left:
                raise InvalidError(f"{next(iter(left))}: unknown setting")
            nested: dict[str, Any] = {
                "learner": learner(**parts[learner]),
                "evaluation": EvaluationGames(**parts[EvaluationGames]),
            }
            return model(**parts[model], **nested)
        except UsageError as error:
            raise InvalidError(str(error)) from None


def _taken(model: type, left: dict[str, Any]) -> dict[str, Any]:
    """Remove the settings that belong to the class `model` from the dictionary `left`, and return these settings.

    Raises InvalidError if a setting is missing.
    """
    options = declared(model)
    if missing := next((each.key for each in options.values() if each.key not in left), None):
        raise InvalidError(f"{missing} is missing")
    return {name: left.pop(each.key) for name, each in options.items()}
