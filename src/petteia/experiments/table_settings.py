"""The settings of a training whose values are kept in a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, images, provides
from petteia.experiments.settings import (
    Settings,
    check_counts,
    check_number,
    followed,
    others_of,
    policy_hash,
    policy_of,
    seat_of,
    starts_of,
)
from petteia.learn.check import try_target
from petteia.learn.exploration import EpsilonGreedy, Softmax
from petteia.learn.schedules import Schedule, schedule
from petteia.learn.step_sizes import LearningRate, learning_rate
from petteia.learn.tabular import BOTH, table_for
from petteia.learn.targets import Learner, Target
from petteia.learn.update_rules import target_for
from petteia.policies.table import FOLDED, UNSHARED, Table
from petteia.policies.table_file import KIND

HIGHEST = 100.0
"""temperature, and value of moves never tried; rewards are -1..1"""
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
        return Learner(target_for(self.learner), self.rate.step, explores)

    def learned(self, rules: Rules) -> Target:
        """The update rule."""
        return target_for(self.learner)

    def empty_table(self, rules: Rules) -> Table:
        """The table that a training begins with."""
        return table_for(rules, self.rule, initial=self.initial, sharing=FOLDED if self.fold else UNSHARED)

    def __str__(self) -> str:
        explores = f"epsilon {self.epsilon}" if self.temperature is None else f"temperature {self.temperature}"
        start = f", initial {self.initial:g}" if self.initial else ""
        return (
            f"{self.learner} against {self.opponent if self.side != 'both' else 'itself'}, side {self.side}, "
            f"alpha {self.alpha}, gamma {self.gamma:g}, {explores}{start}{', folded' if self.fold else ''}"
            f"{', starts anywhere' if self.explore_starts else self.from_several}"
        )


def configure_table(
    rules: Rules,
    *,
    learner: str = "q",
    opponent: str = "random",
    side: int | str = 0,
    games: int = 100_000,
    alpha: float | str = 0.1,
    gamma: float = 0.9,
    epsilon: float | str | None = None,
    temperature: float | str | None = None,
    initial: float = 0.0,
    fold: bool = False,
    evaluate_every: int,
    evaluation_games: int = 500,
    evaluate_against: str | None = None,
    position: str | State | None = None,
    explore_starts: bool = False,
    max_plies: int,
    follow: Sequence[tuple[str, str]] = (),
) -> TableSettings:
    """The settings, resolved; arguments and errors are those of `petteia.train`."""
    target = target_for(learner)
    if ":" in learner:
        try_target(rules, target, learner)
    check_counts(games, evaluation_games, evaluate_every, max_plies)
    check_number("gamma", gamma, 0.0, 1.0)
    check_number("initial", initial, -HIGHEST, HIGHEST)
    if epsilon is not None and temperature is not None:
        raise UsageError("epsilon and temperature are two ways to explore; give one of them")
    if fold and images(rules) < 2:
        raise UsageError("fold: the game has no symmetries by which states could share their values")
    if explore_starts and not (provides(rules, "positions") and provides(rules, "position")):
        raise UsageError("explore_starts: the game does not number its positions, so none can be drawn; leave it out")
    seat = seat_of(rules, side, "both")
    seats = (0, 1) if seat == "both" else (int(seat),)
    others, measures = others_of(seats), opponent if evaluate_against is None else evaluate_against
    if temperature is None:
        explores = {"epsilon": str(schedule(EPSILON if epsilon is None else epsilon, "epsilon")), "temperature": None}
    else:
        explores = {"epsilon": None, "temperature": str(schedule(temperature, "temperature", most=HIGHEST))}
    return TableSettings(
        learner=learner,
        side=seat,  # type: ignore[arg-type]  # one of these
        opponent=opponent,
        opponent_hash=policy_hash(policy_of(opponent, rules, others)),
        evaluate_against=measures,
        evaluate_against_hash=policy_hash(policy_of(measures, rules, others)),
        position=starts_of(rules, position),
        explore_starts=bool(explore_starts),
        games=games,
        alpha=str(learning_rate(alpha)),
        gamma=float(gamma),
        **explores,
        initial=float(initial),
        fold=bool(fold),
        evaluate_every=evaluate_every,
        evaluation_games=evaluation_games,
        max_plies=max_plies,
        follow=followed(rules, seats, follow),
    )
