"""The settings that training runs of all learners have in common, and functions that check them."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from petteia.core.errors import InvalidError, UsageError
from petteia.core.names import parse_seat
from petteia.core.options import TEXT, Several, declared
from petteia.core.protocol import Rules, State, format_state, initial, is_over, parse_move, parse_state, to_move
from petteia.experiments.options import Opponent, Side, Start, TrainingOptions, called, wrong
from petteia.experiments.stages import Stage, parse_stages
from petteia.learn.schedules import Schedule, schedule
from petteia.players import player
from petteia.policies.policy import Policy

BETWEEN = "; "
"""the separator of positions"""


LEFT_OPEN = ("epsilon", "temperature", "evaluation_games", "weights")
"""options that settings can lack: the unused kind of exploration, a number of games that depends on the point, and an
initial table"""


@dataclass(frozen=True, kw_only=True)
class Settings(TrainingOptions):
    """The resolved settings of a training run (`configuration` in run.json).

    The settings and a seed determine a training run.
    """

    kind: ClassVar[str]
    """the kind of the training in run.json"""
    holds: ClassVar[str]
    """the kind of the training's weights file"""
    plays_as: ClassVar[str]
    """the name of the player that uses these weights"""
    sides: ClassVar[Mapping[str, int]]
    """the words that `side` accepts besides seats, each with the number that stands for it in the learner"""

    opponent: Opponent
    side: Side
    position: Start
    """the start positions as text, separated by `; `; one of them is drawn for each game"""
    opponent_hashes: Annotated[tuple[str, ...], Several(TEXT, "hashes")]
    """the hash of each opponent, which ensures that a resumed training has the same opponents; empty for the learner
    itself"""
    evaluate_against_hash: Annotated[str, TEXT]
    """the hash of the opponent in the evaluation"""

    def __post_init__(self) -> None:
        super().__post_init__()
        for model in (self, self.learner, self.evaluation):
            for name, option in declared(type(model)).items():
                if getattr(model, name) is None and option.key not in LEFT_OPEN:
                    raise UsageError(f"{option.called}: must be given")
        if not isinstance(self.position, str):
            raise wrong("position", "must be text")
        if self.side not in (0, 1, *self.sides):
            raise UsageError(f"side {self.side!r}: must be 0, 1 or {' or '.join(self.sides)}")
        *_, stages = self.exploration, self.discount, self.stages  # raises if these texts are malformed
        if len(self.opponent_hashes) != len(stages):
            raise wrong("opponent", f"has {len(self.opponent_hashes)} hashes, not one for each", self.opponent)

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the learner."""

    @property
    @abstractmethod
    def exploration(self) -> Schedule:
        """The schedule of the exploration rate or of the softmax temperature."""

    @property
    def discount(self) -> Schedule:
        """The schedule of the discount factor."""
        return schedule(self.learner.gamma, called("gamma"))

    @property
    def stages(self) -> list[Stage]:
        """The stages of the training run, each with one opponent."""
        return parse_stages(self.opponent, self.games)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the learning sides."""
        return seats_of(self.side)

    @property
    def learns(self) -> int:
        """The learning side, encoded as an int for the compiled learner."""
        return self.sides[self.side] if isinstance(self.side, str) else self.side

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents in all stages of training, as strings. Copies of the learner are left out."""
        return tuple(stage.opponent for stage in self.stages if stage.every is None)

    @property
    def players(self) -> tuple[str, ...]:
        """All opponents in training and evaluation games, as strings."""
        return *self.opponents, self.against

    @property
    def against(self) -> str:
        """The opponent in the evaluation games, as a string."""
        return str(self.evaluation.against)

    def check(self, rules: Rules) -> None:
        """Raise an InvalidError unless all positions and moves in the settings are valid for the game."""
        starts_of(rules, self.position)
        followed(rules, self.seats, self.follow)

    def learned(self, rules: Rules) -> Any:
        """The component of the learner that can be custom: a feature set or an update rule; None if there is none."""
        return None

    @property
    def positions(self) -> list[str]:
        """The start positions of games. Evaluation games start in the first position."""
        return str(self.position).split(BETWEEN)

    @property
    def from_several(self) -> str:
        """A phrase with the number of start positions; an empty string if there is only one start position."""
        count = len(self.positions)
        return f", from {count} positions" if count > 1 else ""

    @property
    def others(self) -> tuple[int, ...]:
        """The seats that the opponents play."""
        return others_of(self.seats)


def seats_of(side: int | str) -> tuple[int, ...]:
    """Return the seats that learn: both seats if `side` is a word such as `both`, and only `side` if it is a number."""
    return (0, 1) if isinstance(side, str) else (side,)


def others_of(seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats of the opponents. They are the seats opposite to the learning seats `seats`."""
    return tuple(sorted(1 - seat for seat in seats))


def policy_of(text: str, rules: Rules, seats: tuple[int, ...]) -> Policy:
    """Return the policy of the player described by `text`.

    Raises UsageError if the player cannot play all of `seats`, or if the player has no compiled policy.
    """
    candidate = player(text, rules)
    if missing := set(seats) - set(candidate.seats):
        raise UsageError(
            f"opponent {text!r} cannot play the seat of player {min(missing)}; choose another opponent or another side"
        )
    policy = candidate.policy(rules)
    if policy is None:
        raise UsageError(
            f"opponent {text!r} has no compiled form; train against random, simple, q:agent=... or a custom policy"
        )
    return policy


def hashed(opponent: str, rules: Rules, seats: tuple[int, ...]) -> str:
    """Return a hash of the opponent's policy, which shows whether the opponent has changed.

    `seats` contains the seats of the learner. The opponent plays in the other seat, or in both seats if both sides
    learn.

    See `policy_of` for errors.
    """
    return policy_hash(policy_of(opponent, rules, others_of(seats)))


def common(rules: Rules, given: TrainingOptions, side: int | str, opponent: str, usual: str) -> dict[str, Any]:
    """Return the settings that table learners and linear learners have in common.

    `usual` is the default opponent in evaluation games.
    """
    seats = seats_of(side)
    stages = parse_stages(opponent, given.games)
    against = given.evaluation.against or usual
    evaluation = replace(given.evaluation, every=given.every, against=against)
    return {
        "opponent": opponent,
        "opponent_hashes": tuple(hashed(each.opponent, rules, seats) if each.every is None else "" for each in stages),
        "side": side,
        "games": given.games,
        "position": starts_of(rules, given.position),
        "max_plies": given.max_plies,
        "follow": followed(rules, seats, given.follow),
        "evaluation": evaluation,
        "evaluate_against_hash": hashed(against, rules, seats),
    }


def policy_hash(policy: Policy) -> str:
    """Return a hash of all numbers in a policy and its nested tuples, and of the type names of these tuples."""
    digest = hashlib.sha256()
    waiting: list[Any] = [policy]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, tuple):
            digest.update(type(each).__name__.encode())
            waiting = [*each, *waiting]
        else:
            digest.update(np.ascontiguousarray(each).tobytes())
    return digest.hexdigest()


def same_policy(where: object, text: str, hashed: str, rules: Rules, seats: tuple[int, ...]) -> Policy:
    """Return the policy of the player described by `text`, after a check that the policy has not changed.

    Raises InvalidError if the hash of the policy is not `hashed`.
    """
    policy = policy_of(text, rules, seats)
    if policy_hash(policy) != hashed:
        raise InvalidError(f"{where}: the opponent {text} has changed since the training began")
    return policy


def seat_of(rules: Rules, side: int | str, *words: str) -> int | str:
    """Convert the name or number of a side to a seat. A special word such as `both` is returned unchanged.

    `words` contains the special words. Raises UsageError if `side` is neither a side of the game nor a special word.
    """
    if side in words:
        return side
    try:
        return parse_seat(rules, side)
    except UsageError as error:
        raise UsageError(f"{error}, or {' or '.join(words)}") from None


def starts_of(rules: Rules, position: str | State | None) -> str:
    """Check the start positions, and return them as a single string for the settings of a run.

    Raises InvalidError for a malformed position or a finished game.
    """
    if position is None:
        return format_state(rules, initial(rules))
    starts = []
    for text in position.split(BETWEEN.strip()) if isinstance(position, str) else [format_state(rules, position)]:
        try:
            start = parse_state(rules, text.strip())
        except ValueError as error:
            raise InvalidError(str(error)) from None
        starts.append(format_state(rules, start))
        if is_over(rules, start):
            raise InvalidError(f"position {starts[-1]!r}: the game is over; give a non-terminal position")
    return BETWEEN.join(starts)


def followed(rules: Rules, seats: tuple[int, ...], follow: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Check the positions and moves whose learned values are to be recorded.

    Each item of `follow` is a position and a move. Raises InvalidError if a position or a move is malformed, or if the
    side to move is not in `seats`, the seats of the learner.
    """
    return tuple(_followed(rules, seats, *each) for each in follow)


def _followed(rules: Rules, seats: tuple[int, ...], position: str, move: str) -> tuple[str, str]:
    try:
        state = parse_state(rules, position)
        parse_move(rules, state, move)
    except ValueError as error:
        raise InvalidError(f"follow: {error}") from None
    if to_move(rules, state) not in seats:
        raise InvalidError(f"follow: position {position!r}: the side that learns is not to move; choose another")
    return format_state(rules, state), move
