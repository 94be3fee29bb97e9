"""Tests that repeat a training run with default settings, or compare its player with best play and `greedy`."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.remains import Remains, UnexaminedError
from petteia.analysis.doctor.signs import Figures, a_table
from petteia.core.errors import PetteiaError
from petteia.core.options import declared
from petteia.experiments.advice import ADVICE_GAMES, compared, tried
from petteia.experiments.configuration import Configuration, configure
from petteia.experiments.played import PlayedSettings
from petteia.experiments.training import TRAINERS, begin
from petteia.learn.learners import LinearLearner, TableLearner

SECONDS = 1.5
"""The maximum processor time of a trial in seconds, estimated from the time of the run. A longer trial plays fewer
games."""
MIN_GAMES = 200
"""The minimum number of games of a trial; fewer games would show nothing."""
MATCH = 2_000
"""The number of games against random moves from which the score of a trial is measured."""
MIN_GAIN, PART_OF_MISSING = 0.03, 0.4
"""The minimum gain in score of a trial, and the minimum part of the possible gain. No trial of 33 sound training runs,
with one seed each, gained this much."""
SEEDS = (1, 2, 3)
"""The seeds of trials. The worst of the trials must be better, because training runs with the same settings vary."""
WEAK, FAR = 0.6, 0.15
"""The part of the gain of best play over random moves that a sound training run achieves. A score must also
be lower than that of best play by `FAR`, because best play gains little in games of luck."""
KEPT = ("features", "marks", "fold", "explore_starts", "target", "lambda_", "traces", "learn_explored", "turns")
"""The settings of a learner that trials do not change. They determine the learned function and the method."""
EXPLORES = ("epsilon", "temperature")
"""Settings that can be reset to their defaults only together."""


def costly_settings(seen: Evidence) -> Figures | None:
    """Find the most harmful setting of a training run by repeating the run with default values.

    Only settings that differ from their defaults are examined. First, the training run is repeated once for each of
    these settings, with the default value of only this setting. If no repeated run trains a clearly better player
    (`MIN_GAIN`, `PART_OF_MISSING`), the run is repeated with the default values of all these settings.
    """
    seen.check_far_enough()
    single = suspects(seen)
    if not single:
        return None
    own = score(seen, seen)
    best = [seen.perfect(seat) for seat in seen.settings.seats]
    missing = float(np.mean([1.0 if each is None else each.score for each in best])) - own
    bound = own + max(MIN_GAIN, PART_OF_MISSING * missing)
    every = dict(pair for back in single for pair in back.items())
    games = trial_games(seen)
    for choice in (single, [every]):
        tried = {trial(seen, back, SEEDS[0], games): back for back in choice}
        first = max(tried)
        if first < bound:
            continue
        back = tried[first]
        better = min(first, *(trial(seen, back, seed, games) for seed in SEEDS[1:]))
        if better >= bound:
            figures = {"settings": told(seen, back), "better": better, "score": own, "games": games}
            return figures | {"seeds": len(SEEDS), "left_out": ", ".join(_keys(seen, back))}
    return None


def far_from_best(seen: Evidence) -> Figures | None:
    """Test whether the trained player's score against random moves is far below that of best play."""
    seen.check_far_enough()
    if seen.solution is None:
        raise UnexaminedError("the game is too large to be solved, so the score of best play is unknown")
    is_table = isinstance(seen.settings.learner, TableLearner)
    sides = seen.settings.seats
    best = float(np.mean([each.score for each in map(seen.perfect, sides) if each is not None]))
    result = float(np.mean([seen.learned("random", seat).score for seat in sides]))
    without = float(np.mean([seen.unlearned("random", seat).score for seat in sides]))
    if best - result < FAR or result - without >= WEAK * (best - without):
        return None
    unusual = "" if isinstance(seen.settings, PlayedSettings) else _unusual(seen)
    found = {"side": " and ".join(map(seen.name, sides)), "score": result, "best": best, "without": without}
    table = "more games, another opponent, or features instead of a table"
    remedy = table if is_table else f"another opponent, features that distinguish more positions, or {a_table(seen)}"
    more = 5 * seen.settings.games if is_table else seen.settings.games
    return found | {"suspects": unusual, "remedy": remedy, "more": more}


def loses_to_greedy(seen: Evidence) -> Figures | None:
    """Test whether the trained player loses significantly to `greedy`, which searches one ply and does not learn."""
    seen.check_far_enough()
    trainer = TRAINERS[type(seen.settings)](seen.training.run, seen.rules, seen.settings)
    found = compared(trainer, seen.settings, seen.training.run.seed)
    if found is None:
        return None
    table = "" if seen.solution is None else f"; or {a_table(seen)}"
    return {"verdict": found, "games": ADVICE_GAMES, "remedy": f"{tried(seen.settings)}{table}"}


def _unusual(seen: Evidence) -> str:
    names = [told(seen, back) for back in suspects(seen)]
    return f"; not the defaults are {', '.join(names)}" if names else ""


def suspects(seen: Evidence) -> list[dict[str, Any]]:
    """Return the default values of those settings that have other values in the training run.

    Each dictionary of the returned list contains one setting, or several settings that can be reset only together, such
    as `epsilon` and `temperature`. The settings in `KEPT` are left out.
    """
    if isinstance(seen.settings, PlayedSettings):
        raise UnexaminedError("the table was learned during play, and those games cannot be repeated")
    learner = seen.settings.learner
    usual = _configured(seen, _plain(seen), seen.settings.games).learner
    differ = [
        each.name
        for each in fields(learner)
        if each.name not in KEPT and getattr(learner, each.name) != getattr(usual, each.name)
    ]
    groups = dict.fromkeys(EXPLORES if name in EXPLORES else (name,) for name in differ)
    return [{name: getattr(usual, name) for name in group if hasattr(usual, name)} for group in groups]


def trial_games(seen: Evidence) -> int:
    """Return the number of games of a repeated training run: as in the original run, or fewer to save time."""
    taken = seen.training.run.times().processor
    games = int(seen.settings.games * min(1.0, SECONDS / max(taken, SECONDS)))
    if games < min(MIN_GAMES, seen.settings.games):
        raise UnexaminedError("repeating the training games would take too long")
    return games


def trial(seen: Evidence, back: Mapping[str, Any], seed: int, games: int) -> float:
    """Repeat the training run with the values in `back` for its settings, and return the score of the new player.

    If the changed settings are invalid, or if learning diverges with the changed settings, the score is 0.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            settings = _configured(seen, replace(seen.settings.learner, **back), games)
            training = begin(seen.rules, settings, seed, Path(folder), "trial")
            trainer = TRAINERS[type(settings)](training.run, seen.rules, settings)
            trainer.learn(games)
            trainer.save()
        except PetteiaError:
            return 0.0
        return score(seen, Remains(training))


def score(seen: Evidence, remains: Remains) -> float:
    """Return the score of a trained player against random moves, averaged over the sides that learn."""
    return float(np.mean([seen.against_random(remains.policy, seat, MATCH) for seat in seen.settings.seats]))


def told(seen: Evidence, back: Mapping[str, Any]) -> str:
    """Return the original values of the settings that `back` changes, as a string of command-line options."""
    known, learner = declared(type(seen.settings.learner)), seen.settings.learner
    return ", ".join(
        f"{known[name].flag} {getattr(learner, name)}"
        for name in back
        if getattr(learner, name) not in (None, back[name])
    )


def _keys(seen: Evidence, back: Mapping[str, Any]) -> list[str]:
    """Return the names of the options that `back` resets to their defaults."""
    known, learner = declared(type(seen.settings.learner)), seen.settings.learner
    return [known[name].key for name in back if getattr(learner, name) not in (None, back[name])]


def _plain(seen: Evidence) -> TableLearner | LinearLearner:
    """Return a learner of the same class as in the run. Only its settings in `KEPT` can differ from the defaults."""
    learner = seen.settings.learner
    return type(learner)(**{each.name: getattr(learner, each.name) for each in fields(learner) if each.name in KEPT})


def _configured(seen: Evidence, learner: TableLearner | LinearLearner, games: int) -> Configuration:
    """Return settings with `learner` and `games`, and with some settings of the run.

    These are the opponent, the side, the start position and the maximum number of plies.
    """
    settings = seen.settings
    given = {
        "opponent": settings.opponent,
        "side": settings.side,
        "position": settings.position,
        "max_plies": settings.max_plies,
    }
    return configure(seen.rules, learner, games=games, **given)[1]
