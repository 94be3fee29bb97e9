"""Advice to the user if a trained player is significantly worse than a player that does not learn.

A trained player with a linear value function is compared with `greedy`, which searches one ply with the default
evaluation of the game. A trained player with a table is compared with `random`. Each match has `ADVICE_GAMES` games,
which start from random openings.

If the trained player learned both sides, the two players play one match, and exchange sides after each game. If the
trained player learned only one side, there are two matches. In the first match, the trained player plays the learned
side. In the second match, the player that does not learn plays this side. The opponent in both matches is the player
that does not learn. The scores of the learned side in the two matches are compared.

The seed of the training run determines the games. The results of the games are not saved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.arena.statistics import mean_interval, score_interval
from petteia.core import random
from petteia.core.arrays import Floats
from petteia.core.protocol import parse_state, seats
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.options import called
from petteia.experiments.settings import Settings
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.trainer import Trainer
from petteia.learn.learners import EPSILON
from petteia.learn.linear_targets import USUAL
from petteia.policies.play_games import MARGIN, RngKeys, play_games
from petteia.policies.policy import Policy

ADVICE_GAMES = 200
OPENING = 2
"""the number of random plies before each pair of games"""
FEW_GAMES = 20_000
PAGE = "docs/choosing-parameters.md"


class Remedy(NamedTuple):
    """A suggestion of other settings after a training run with a poor result."""

    helps: bool
    """whether the suggestion can help, because the training has not followed it yet"""
    words: str
    """the suggestion in words"""


def advice(trainer: Trainer, settings: Settings, seed: int) -> tuple[str, ...]:
    """Return advice to the user if the trained player is significantly worse than a player that does not learn.

    The advice is a tuple with one line of text. The tuple is empty if the trained player is not significantly worse.
    """
    verdict = compared(trainer, settings, seed)
    if verdict is None:
        return ()
    return (f"the learner {verdict} of {ADVICE_GAMES} games; try {tried(settings)} (see {PAGE})",)


def compared(trainer: Trainer, settings: Settings, seed: int) -> str | None:
    """Return a phrase with the scores if the trained player is significantly worse than a player that does not learn.

    Returns None if the trained player is not significantly worse.
    """
    name, other = trainer.unlearned()
    keys = RngKeys(*random.keys(seed, 12)[8:])
    learned = _scores(trainer, trainer.policy(), other, settings, keys)
    score = float(learned.mean())
    if len(settings.seats) > 1:
        interval = score_interval(learned.reshape(-1, 2).mean(axis=1))
        if interval.high >= 0.5:
            return None
        return f"loses to {name}, which does not learn: {score:.1%} ({interval.low:.1%} to {interval.high:.1%})"
    unlearned = _scores(trainer, other, other, settings, keys)
    if mean_interval((learned - unlearned).tolist()).high >= 0.0:
        return None
    where = seats(trainer.rules)[settings.seats[0]]
    scores = f"as {where} it scores {score:.1%} instead of {unlearned.mean():.1%}"
    return f"is worse than {name}, which does not learn: {scores}"


def _scores(trainer: Trainer, one: Policy, other: Policy, settings: Settings, keys: RngKeys) -> Floats:
    """Play `ADVICE_GAMES` games, and return the score of `one` against `other` in each, float64[ADVICE_GAMES].

    If both sides learn in the training run, `one` alternates between the two seats. Otherwise `one` always plays the
    side that learns.
    """
    first, last = settings.seats[0], settings.seats[-1]
    results = play_games(
        trainer.rules,
        parse_state(trainer.rules, settings.positions[0]),
        one,
        other,
        games=ADVICE_GAMES,
        keys=keys,
        seats=(first, last),
        opening=OPENING,
        max_plies=settings.max_plies,
    )
    signs = np.where(np.arange(ADVICE_GAMES) % 2 == 0, 1 - 2 * first, 1 - 2 * last)
    scores: Floats = (1.0 + np.sign(results[:, MARGIN]) * signs) / 2.0
    return scores


def tried(settings: Settings) -> str:
    """Return a phrase that suggests one or two changes of the settings, which may improve another training run."""
    few = Remedy(settings.games < FEW_GAMES, "more games")
    remedies: tuple[Remedy, ...] = ()
    if isinstance(settings, LinearSettings):
        remedies = (
            Remedy(not settings.learner.knows_ends, called("knows_ends")),
            Remedy(settings.learner.aim != USUAL, f"{called('learner')} {USUAL}"),
            Remedy(max(settings.exploration.values) < EPSILON, f"{called('epsilon')} {EPSILON:g}"),
            few,
            Remedy(True, f"other features, or a smaller {called('alpha')}"),
        )
    elif isinstance(settings, TableSettings):
        remedies = (
            few,
            Remedy(settings.side != "both" and "random" not in settings.opponents, "learning against random"),
            Remedy(True, "features, if there are more states than the games can visit"),
        )
    return ", or ".join([each.words for each in remedies if each.helps][:2])
