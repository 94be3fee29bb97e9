"""The settings of a training whose values are kept in a table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, images, provides
from petteia.experiments.options import TrainingOptions, called
from petteia.experiments.settings import Settings, followed, hashed, measured, seat_of, starts_of
from petteia.learn.check import try_update_rule
from petteia.learn.exploration import EpsilonGreedy, Softmax
from petteia.learn.learners import EPSILON, HIGHEST, TableLearner
from petteia.learn.schedules import Schedule, schedule
from petteia.learn.step_sizes import LearningRate, learning_rate
from petteia.learn.tabular import BOTH, table_for
from petteia.learn.targets import Learner, UpdateRule
from petteia.learn.update_rules import update_rule_for
from petteia.learned.table import BY_SYMMETRY, NO_SYMMETRY, Table
from petteia.learned.table_file import KIND

SIDES = {"both": BOTH}


@dataclass(frozen=True, kw_only=True)
class TableSettings(Settings):
    """The resolved settings of a training whose values are kept in a table."""

    kind = "train"
    holds = KIND
    plays_as = "q"
    sides = SIDES

    learner: TableLearner

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.rate, self.exploration  # what is written as text can be read

    @property
    def name(self) -> str:
        """What the learner is called."""
        return self.learner.target

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponent; it only measures where both learn."""
        return (self.opponent,)

    @property
    def rate(self) -> LearningRate:
        """The learning rate."""
        return learning_rate(self.learner.alpha, called("alpha"))

    @property
    def exploration(self) -> Schedule:
        """Of epsilon or of the temperature."""
        if self.learner.temperature is not None:
            return schedule(self.learner.temperature, called("temperature"), most=HIGHEST)
        return schedule(EPSILON if self.learner.epsilon is None else self.learner.epsilon, called("epsilon"))

    @property
    def rule(self) -> Learner:
        """How values change and moves are chosen."""
        explores = EpsilonGreedy() if self.learner.temperature is None else Softmax()
        return Learner(update_rule_for(self.learner.target), self.rate.step, explores)

    def learned(self, rules: Rules) -> UpdateRule:
        """The update rule by which values are learned."""
        return update_rule_for(self.learner.target)

    def empty_table(self, rules: Rules) -> Table:
        """The table that a training begins with."""
        sharing = BY_SYMMETRY if self.learner.fold else NO_SYMMETRY
        return table_for(rules, self.rule, initial=self.learner.initial, sharing=sharing)

    def __str__(self) -> str:
        is_ = self.learner
        explores = f"epsilon {is_.epsilon}" if is_.temperature is None else f"temperature {is_.temperature}"
        start = f", initial {is_.initial:g}" if is_.initial else ""
        return (
            f"{is_.target} against {self.opponent if self.side != 'both' else 'itself'}, side {self.side}, "
            f"alpha {is_.alpha}, gamma {is_.gamma:g}, {explores}{start}{', folded' if is_.fold else ''}"
            f"{', starts anywhere' if is_.explore_starts else self.from_several}"
        )


def configure_table(rules: Rules, given: TrainingOptions, is_: TableLearner) -> TableSettings:
    """The settings, resolved; errors are those of `petteia.train`."""
    rule = update_rule_for(is_.target)
    if ":" in is_.target:
        try_update_rule(rules, rule, is_.target)
    if is_.epsilon is not None and is_.temperature is not None:
        both = f"{called('epsilon')} and {called('temperature')}"
        raise UsageError(f"{both} are two ways to explore; give one of them")
    if is_.fold and images(rules) < 2:
        raise UsageError(f"{called('fold')}: the game has no symmetries by which states could share their values")
    if is_.explore_starts and not (provides(rules, "positions") and provides(rules, "position")):
        raise UsageError(
            f"{called('explore_starts')}: the game does not number its positions, so none can be drawn; leave it out"
        )
    opponent = "random" if given.opponent is None else given.opponent
    side = seat_of(rules, 0 if given.side is None else given.side, *SIDES)
    seats = (0, 1) if isinstance(side, str) else (side,)
    settings = TableSettings(
        learner=is_,
        opponent=opponent,
        opponent_hashes=(hashed(opponent, rules, seats),),
        side=side,
        games=given.games,
        position=starts_of(rules, given.position),
        max_plies=given.max_plies,
        follow=followed(rules, seats, given.follow),
        **measured(rules, seats, given, opponent),
    )
    explores = str(settings.exploration)
    epsilon, temperature = (explores, None) if is_.temperature is None else (None, explores)
    return replace(settings, learner=replace(is_, alpha=str(settings.rate), epsilon=epsilon, temperature=temperature))
