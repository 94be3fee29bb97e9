"""The reasons for a move of a player with a linear evaluation function: the features whose values change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from petteia.core.protocol import Rules, State
from petteia.features.linear import Linear, contributions


class Explained(NamedTuple):
    """A feature of a linear evaluation function, with its values before and after a move."""

    feature: str
    """the name of the feature"""
    weight: float
    """the learned weight of the feature"""
    before: float
    """the value of the feature before the move"""
    after: float
    """the value of the feature after the move"""

    @property
    def worth_before(self) -> float:
        """The contribution of the feature to the value of the position before the move, for player 0."""
        return self.weight * self.before

    @property
    def worth_after(self) -> float:
        """The contribution of the feature to the value of the position after the move, for player 0."""
        return self.weight * self.after

    @property
    def gain(self) -> float:
        """The amount by which the move changes the contribution of the feature."""
        return self.weight * (self.after - self.before)


class Reason(NamedTuple):
    """A reason for a move: a feature of the player's evaluation whose value the move changes.

    An evaluation can have a copy of each feature for each phase of the game, or for each player to move. Examples are
    `south_to_move.captures` and `north_to_move.captures`. If a move changes the phase or the player to move, the two
    copies of a feature form one reason.
    """

    feature: str
    """the name of the feature"""
    parts: tuple[Explained, ...]
    """the one or two features that are combined in the reason"""

    @property
    def before(self) -> float:
        """The value of the feature before the move."""
        return sum(part.before for part in self.parts)

    @property
    def after(self) -> float:
        """The value of the feature after the move."""
        return sum(part.after for part in self.parts)

    @property
    def worth_before(self) -> float:
        """The contribution of the feature to the value of the position before the move, for player 0."""
        return sum(part.worth_before for part in self.parts)

    @property
    def worth_after(self) -> float:
        """The contribution of the feature to the value of the position after the move, for player 0."""
        return sum(part.worth_after for part in self.parts)

    @property
    def gain(self) -> float:
        """The amount by which the move changes the contribution of the feature."""
        return sum(part.gain for part in self.parts)


def explain(evaluation: Linear, rules: Rules, before: State, after: State) -> tuple[Explained, ...]:
    """Return the features that are not zero in at least one of the states, with their values in both states."""
    first, second = ({each.feature: each for each in contributions(evaluation, rules, s)} for s in (before, after))
    return tuple(
        Explained(
            name,
            each.weight,
            first[name].value if name in first else 0.0,
            second[name].value if name in second else 0.0,
        )
        for name, each in {**first, **second}.items()
    )


def reasons(features: Sequence[Explained]) -> list[Reason]:
    """Return the reasons for a move, sorted by the absolute size of their effects on the value, the largest first.

    A feature set can contain a copy of each feature for each phase of the game, or for each player to move. Examples
    are `south_to_move.captures` and `north_to_move.captures`. In each position, only one copy of a feature can be
    different from 0. If a move changes the phase or the player to move, the contribution of one copy disappears, and
    another copy makes a similar contribution. The two changes nearly cancel. Therefore two features whose names are
    equal after the first dot are combined into one reason.
    """
    before, after = _blocks(each for each in features if each.before), _blocks(each for each in features if each.after)
    turned = set()
    for leaving in before.keys() - after.keys():
        for coming in after.keys() - before.keys():
            if before[leaving] & after[coming]:
                turned |= {leaving, coming}
    groups: dict[tuple[str, bool], list[Explained]] = {}
    for each in features:
        block, _, rest = each.feature.partition(".")
        groups.setdefault((rest, True) if block in turned else (each.feature, False), []).append(each)
    rows = [Reason(name, tuple(parts)) for (name, _), parts in groups.items()]
    return sorted(rows, key=lambda reason: -abs(reason.gain))


def _blocks(features: Iterable[Explained]) -> dict[str, set[str]]:
    """Group the names of features by their prefixes.

    The prefix of a name, such as `south_to_move` in `south_to_move.captures`, ends at the first dot. Names without a
    dot are left out.
    """
    blocks: dict[str, set[str]] = {}
    for each in features:
        block, dot, rest = each.feature.partition(".")
        if dot:
            blocks.setdefault(block, set()).add(rest)
    return blocks
