"""The settings of a training whose values are kept in a table."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, images, provides
from petteia.experiments.options import HIGHEST, TrainingOptions
from petteia.experiments.settings import Settings, followed, hashed, seat_of, starts_of
from petteia.learn.check import try_update_rule
from petteia.learn.exploration import EpsilonGreedy, Softmax
from petteia.learn.schedules import Schedule, schedule
from petteia.learn.step_sizes import LearningRate, learning_rate
from petteia.learn.tabular import BOTH, table_for
from petteia.learn.targets import Learner, UpdateRule
from petteia.learn.update_rules import update_rule_for
from petteia.learned.table import BY_SYMMETRY, NO_SYMMETRY, Table
from petteia.learned.table_file import KIND

EPSILON = 0.5
"""unless there is a temperature"""


class TableSettings(Settings):
    """The resolved settings of a training whose values are kept in a table: `configuration` in its run.json."""

    kind = "train"
    holds = KIND
    plays_as = "q"

    learner: str
    """an update rule, by name or as `module:Name`"""
    side: Literal[0, 1, "both"]
    """the seat that learns"""
    opponent: str
    """text form of the player in the other seat; it only measures where both learn"""
    opponent_hash: str
    """of what the opponent knows, so that a resumed training meets the same one"""
    explore_starts: bool = False
    """whether games of learning start anywhere instead"""
    epsilon: str | None
    """schedule of the probability of a random move"""
    temperature: str | None
    """schedule of the temperature of softmax, in the place of epsilon"""
    initial: float
    """value of moves never tried"""
    fold: bool
    """whether states that are images of each other share their values"""

    @model_validator(mode="after")
    def _fits(self) -> TableSettings:
        """What is written as text can be read."""
        _ = self.rate, self.exploration
        return self

    @property
    def name(self) -> str:
        """What the learner is called."""
        return self.learner

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that learn."""
        return (0, 1) if self.side == "both" else (self.side,)

    @property
    def players(self) -> tuple[str, ...]:
        """The opponent, and who measures."""
        return self.opponent, self.evaluate_against

    @property
    def learns(self) -> int:
        """`side` as the learner takes it."""
        return BOTH if self.side == "both" else self.side

    @property
    def rate(self) -> LearningRate:
        """The learning rate."""
        return learning_rate(self.alpha)

    @property
    def exploration(self) -> Schedule:
        """Of epsilon or of the temperature."""
        if self.temperature is not None:
            return schedule(self.temperature, "temperature", most=HIGHEST)
        return schedule(self.epsilon or 0.0, "epsilon")

    @property
    def rule(self) -> Learner:
        """How values change and moves are chosen."""
        explores = EpsilonGreedy() if self.temperature is None else Softmax()
        return Learner(update_rule_for(self.learner), self.rate.step, explores)

    def learned(self, rules: Rules) -> UpdateRule:
        """The update rule by which values are learned."""
        return update_rule_for(self.learner)

    def empty_table(self, rules: Rules) -> Table:
        """The table that a training begins with."""
        return table_for(rules, self.rule, initial=self.initial, sharing=BY_SYMMETRY if self.fold else NO_SYMMETRY)

    def __str__(self) -> str:
        explores = f"epsilon {self.epsilon}" if self.temperature is None else f"temperature {self.temperature}"
        start = f", initial {self.initial:g}" if self.initial else ""
        return (
            f"{self.learner} against {self.opponent if self.side != 'both' else 'itself'}, side {self.side}, "
            f"alpha {self.alpha}, gamma {self.gamma:g}, {explores}{start}{', folded' if self.fold else ''}"
            f"{', starts anywhere' if self.explore_starts else self.from_several}"
        )


def configure_table(rules: Rules, given: TrainingOptions) -> TableSettings:
    """The settings, resolved; options and errors are those of `petteia.train`."""
    learner, opponent = given.get("learner", "q"), given["opponent"]
    rule = update_rule_for(learner)
    if ":" in learner:
        try_update_rule(rules, rule, learner)
    if "epsilon" in given and "temperature" in given:
        raise UsageError("epsilon and temperature are two ways to explore; give one of them")
    if given["fold"] and images(rules) < 2:
        raise UsageError("fold: the game has no symmetries by which states could share their values")
    if given["explore_starts"] and not (provides(rules, "positions") and provides(rules, "position")):
        raise UsageError("explore_starts: the game does not number its positions, so none can be drawn; leave it out")
    seat = seat_of(rules, given.get("side", 0), "both")
    seats, measures = (0, 1) if seat == "both" else (int(seat),), given.get("evaluate_against", opponent)
    if "temperature" in given:
        temperature = str(schedule(given["temperature"], "temperature", most=HIGHEST))
        explores = {"epsilon": None, "temperature": temperature}
    else:
        explores = {"epsilon": str(schedule(given.get("epsilon", EPSILON), "epsilon")), "temperature": None}
    resolved: dict[str, Any] = {
        **given,
        "opponent_hash": hashed(opponent, rules, seats),
        "evaluate_against": measures,
        "evaluate_against_hash": hashed(measures, rules, seats),
        **explores,
        "learner": learner,
        "side": seat,
        "position": starts_of(rules, given.get("position")),
        "alpha": str(learning_rate(given["alpha"])),
        "follow": followed(rules, seats, given["follow"]),
    }
    return TableSettings(**resolved)
