"""Why a move: what the features of a position contribute to its value before and after, for values linear in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from petteia.core.protocol import Rules, State
from petteia.features.linear import Linear, contributions


class Explained(NamedTuple):
    """A feature of a position, for a player whose value is linear in features."""

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
        """What the feature contributes to player 0's value before the move."""
        return self.weight * self.before

    @property
    def worth_after(self) -> float:
        """What the feature contributes to player 0's value after the move."""
        return self.weight * self.after

    @property
    def gain(self) -> float:
        """By how much the move changes what the feature contributes."""
        return self.weight * (self.after - self.before)


class Reason(NamedTuple):
    """A feature; or two that are one to people, of which the move sets one in the place of the other."""

    feature: str
    """the name of the feature"""
    parts: tuple[Explained, ...]
    """the features that it is made of, one or two"""

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
        """What the feature contributes to player 0's value before the move."""
        return sum(part.worth_before for part in self.parts)

    @property
    def worth_after(self) -> float:
        """What the feature contributes to player 0's value after the move."""
        return sum(part.worth_after for part in self.parts)

    @property
    def gain(self) -> float:
        """By how much the move changes what the feature contributes."""
        return sum(part.gain for part in self.parts)


def explain(evaluation: Linear, rules: Rules, before: State, after: State) -> tuple[Explained, ...]:
    """The features that are not zero in both states."""
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
    """The features by how much they matter to the move, those first whose contribution it changes most.

    A set can have blocks of features, one of which applies: `south_to_move.captures`, `north_to_move.captures`.
    Where the move sets one block in the place of another, each feature would be there twice, with terms that nearly
    cancel. So two features whose names are the same after the first dot are one reason there, of that name.
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
    """What stands before the first dot of names, with all that stands after it there."""
    blocks: dict[str, set[str]] = {}
    for each in features:
        block, dot, rest = each.feature.partition(".")
        if dot:
            blocks.setdefault(block, set()).add(rest)
    return blocks
