"""The settings of a training run with a table of action values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from petteia.core.errors import InvalidError, UsageError
from petteia.core.options import TEXT
from petteia.core.protocol import Rules, images, provides
from petteia.core.protocol import seats as seat_names
from petteia.experiments.options import TrainingOptions, called, wrong
from petteia.experiments.settings import Settings, common, policy_hash, seat_of
from petteia.experiments.stages import parse_stages
from petteia.learn.check import try_update_rule
from petteia.learn.exploration import EpsilonGreedy, Softmax
from petteia.learn.learners import EPSILON, HIGHEST, TableLearner
from petteia.learn.schedules import Schedule, schedule
from petteia.learn.step_sizes import LearningRate, learning_rate
from petteia.learn.tabular import BOTH, table_for
from petteia.learn.targets import Learner, UpdateRule
from petteia.learn.update_rules import update_rule_for
from petteia.players.settings import learned_weights
from petteia.value_functions.table import BY_SYMMETRY, NO_SYMMETRY, Table, filled_table, rows
from petteia.value_functions.table_file import KIND, load_table

SIDES = {"both": BOTH}


@dataclass(frozen=True, kw_only=True)
class TableSettings(Settings):
    """The resolved settings of a training run with a table of action values."""

    kind = "train"
    holds = KIND
    plays_as = "q"
    sides = SIDES

    learner: TableLearner
    weights_hash: Annotated[str, TEXT]
    """the hash of the initial table; empty for an empty table"""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.rate  # raises if this text is malformed

    @property
    def name(self) -> str:
        """The name of the learner."""
        return self.learner.target

    @property
    def rate(self) -> LearningRate:
        """The learning rate."""
        return learning_rate(self.learner.alpha, called("alpha"))

    @property
    def exploration(self) -> Schedule:
        """The schedule of the exploration rate or of the softmax temperature."""
        if self.learner.temperature is not None:
            return schedule(self.learner.temperature, called("temperature"), maximum=HIGHEST)
        return schedule(EPSILON if self.learner.epsilon is None else self.learner.epsilon, called("epsilon"))

    @property
    def rule(self) -> Learner:
        """The table learner: its update rule, step size and kind of exploration."""
        explores = EpsilonGreedy() if self.learner.temperature is None else Softmax()
        return Learner(update_rule_for(self.learner.target), self.rate.step, explores)

    def learned(self, rules: Rules) -> UpdateRule:
        """The update rule."""
        return update_rule_for(self.learner.target)

    def empty_table(self, rules: Rules) -> Table:
        """An empty table with the columns that this learner needs."""
        sharing = BY_SYMMETRY if self.learner.fold else NO_SYMMETRY
        return table_for(rules, self.rule, initial=self.learner.initial, sharing=sharing)

    def first_table(self, rules: Rules) -> Table:
        """The table before the first game: empty, or loaded from the run or file that the option `weights` names.

        Raises NotFoundError if the run or file in the option `weights` does not exist. Raises InvalidError if the run
        or file is damaged, has no table, belongs to another game or side, or does not fit this learner.
        """
        empty = self.empty_table(rules)
        if self.learner.weights is None:
            return empty
        held = learned_weights(self.learner.weights)
        path, known = held.path, load_table(held, rules)
        table, visits = known.table, known.table.visits
        if missing := set(self.seats) - set(known.seats):
            raise InvalidError(
                f"{path}: has not learned to play {seat_names(rules)[min(missing)]}; choose another side"
            )
        if type(table.sharing) is not type(empty.sharing):
            how = "leave it out" if self.learner.fold else "give it here, too"
            raise InvalidError(f"{path}: learned {'without' if self.learner.fold else 'with'} {called('fold')}; {how}")
        if table.initial != empty.initial:
            raise InvalidError(f"{path}: learned with {called('initial')} {table.initial:g}; give the same value")
        if empty.visits.shape[1] not in (0, visits.shape[1]):
            raise InvalidError(
                f"{path}: lacks the numbers of visits for {called('alpha')} {self.rate}; choose another step size"
            )
        used, differences = len(rows(table)[0]), table.differences
        if differences.shape[1] != empty.differences.shape[1]:
            differences = np.zeros((used, empty.differences.shape[1]))
        return filled_table(
            *rows(table),
            differences=differences[:used],
            visits=visits[:used, : empty.visits.shape[1]],
            initial=table.initial,
            sharing=table.sharing,
        )

    def __str__(self) -> str:
        learner = self.learner
        explores = f"epsilon {learner.epsilon}" if learner.temperature is None else f"temperature {learner.temperature}"
        start = f", initial {learner.initial:g}" if learner.initial else ""
        begins = "" if learner.weights is None else f", begins with {learner.weights}"
        return (
            f"{learner.target} against {self.opponent if self.side != 'both' else 'itself'}, side {self.side}, "
            f"alpha {learner.alpha}, gamma {learner.gamma}, {explores}{start}{', folded' if learner.fold else ''}"
            f"{', starts anywhere' if learner.explore_starts else self.from_several}{begins}"
        )


def configure_table(rules: Rules, given: TrainingOptions, learner: TableLearner) -> TableSettings:
    """Check the options of a training run with a table, and return its settings. For errors see `petteia.train`."""
    rule = update_rule_for(learner.target)
    if ":" in learner.target:
        try_update_rule(rules, rule, learner.target)
    if learner.epsilon is not None and learner.temperature is not None:
        both = f"{called('epsilon')} and {called('temperature')}"
        raise UsageError(f"{both} exclude each other; give one of them")
    if learner.fold and images(rules) < 2:
        raise wrong("fold", "the game has no symmetries; leave it out")
    if learner.explore_starts and not (provides(rules, "positions") and provides(rules, "position")):
        raise wrong("explore_starts", "the game does not number its positions, so they cannot be drawn; leave it out")
    opponent = "random" if given.opponent is None else given.opponent
    side = seat_of(rules, 0 if given.side is None else given.side, *SIDES)
    stages = parse_stages(opponent, given.games)
    for stage in stages:
        if stage.every is not None:
            both = f"{called('side')} both"
            raise wrong("opponent", f"a table plays against itself if both sides learn; use {both}", stage.opponent)
    if side == "both" and len(stages) > 1:
        raise wrong("opponent", "both sides learn; choose one side, or one opponent", opponent)
    usual = stages[-1].opponent
    settings = TableSettings(learner=learner, weights_hash="", **common(rules, given, side, opponent, usual))
    explores, gamma = str(settings.exploration), str(settings.discount)
    epsilon, temperature = (explores, None) if learner.temperature is None else (None, explores)
    learner = replace(learner, alpha=str(settings.rate), gamma=gamma, epsilon=epsilon, temperature=temperature)
    weights_hash = "" if learner.weights is None else table_hash(settings.first_table(rules))
    return replace(settings, learner=learner, weights_hash=weights_hash)


def table_hash(table: Table) -> str:
    """Return a hash of the rows of a table."""
    keys, values = rows(table)
    return policy_hash((keys, values, table.differences[: len(keys)], table.visits[: len(keys)]))
