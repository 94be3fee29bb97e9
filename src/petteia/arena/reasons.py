"""The reasons for a move: the contributions of features before and after it, for linear values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from petteia.core.protocol import Rules, State
from petteia.features.linear import Linear, contributions


class Explained(NamedTuple):
    """A feature of a position before and after a move, for a player with a linear value."""

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
        """The contribution of the feature to player 0's value before the move."""
        return self.weight * self.before

    @property
    def worth_after(self) -> float:
        """The contribution of the feature to player 0's value after the move."""
        return self.weight * self.after

    @property
    def gain(self) -> float:
        """The change of the contribution of the feature by the move."""
        return self.weight * (self.after - self.before)


class Reason(NamedTuple):
    """A feature, or a pair of features with the same meaning in two blocks, between which the move switches."""

    feature: str
    """the name of the feature"""
    parts: tuple[Explained, ...]
    """the one or two features that the reason consists of"""

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
        """The contribution of the feature to player 0's value before the move."""
        return sum(part.worth_before for part in self.parts)

    @property
    def worth_after(self) -> float:
        """The contribution of the feature to player 0's value after the move."""
        return sum(part.worth_after for part in self.parts)

    @property
    def gain(self) -> float:
        """The change of the contribution of the feature by the move."""
        return sum(part.gain for part in self.parts)


def explain(evaluation: Linear, rules: Rules, before: State, after: State) -> tuple[Explained, ...]:
    """The features that are not zero in at least one of the states."""
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
    """The reasons for a move, in descending order of the absolute change of their contributions.

    A feature set can have blocks, only one of which applies: `south_to_move.captures`, `north_to_move.captures`. If a
    move switches to another block, each feature would appear twice, with terms that nearly cancel. Two features with
    the same name after the first dot are therefore combined into one reason with that name.
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
    """The prefixes of names before the first dot, each with the set of names after it."""
    blocks: dict[str, set[str]] = {}
    for each in features:
        block, dot, rest = each.feature.partition(".")
        if dot:
            blocks.setdefault(block, set()).add(rest)
    return blocks
