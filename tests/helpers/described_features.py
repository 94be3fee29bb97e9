"""What feature sets say of positions, by name, and the variants of Kalah for which that is compared with oracles."""

from __future__ import annotations

import numpy as np
from kalah_oracle import OPTIONS

from petteia.core.protocol import Rules, State
from petteia.features.feature_set import FeatureSet, features, names, size
from petteia.games import game

SIZES = ((6, 4), (1, 4), (2, 3), (3, 2), (4, 20), (7, 18), (1, 127))
VARIANTS = [{"pits": pits, "seeds": seeds} | options for options in OPTIONS for pits, seeds in SIZES]


def rules_for(variant: dict[str, str | int]) -> Rules:
    return game(f"kalah:{','.join(f'{name}={value}' for name, value in variant.items())}")


def written(rules: Rules, state: State, feature_set: FeatureSet) -> dict[str, float]:
    """What the feature set says, by name; zeros are left out."""
    count = size(feature_set, rules)
    index, value = np.full(count, -1), np.full(count, np.nan)
    used = features(feature_set, rules, state, index, value)
    called = names(feature_set, rules)
    assert len(called) == len(set(called)) == count
    assert np.all(index[used:] == -1)
    assert len(set(index[:used])) == used
    return {called[i]: float(each) for i, each in zip(index[:used], value[:used], strict=True) if each != 0.0}
