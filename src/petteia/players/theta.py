"""Players by a learned value that is linear in features: `theta:agent=RUN,depth=3`.

Without an agent, `theta` plays by the one that comes with the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, is_over, play, to_move
from petteia.features.feature_set import FeatureSet
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import LARGEST_VALUE, Linear, linear
from petteia.features.report_weights import REPORT_RULES, report_weights
from petteia.games import format_game, name_of
from petteia.games.kalah import Kalah
from petteia.players.player import PolicyPlayer
from petteia.players.search import GREEDY_OPTIONS, GreedyPlayer, greedy_player
from petteia.players.settings import Options, weights_file, whole_number, word
from petteia.policies.afterstates import BestAfterstate, best_afterstate
from petteia.policies.linear_file import AROUND, LATEST, LearnedWeights, feature_set_of, load_linear
from petteia.policies.policy import begin

REPORT = "report"
THETA_OPTIONS = {
    "agent": f"a run, a weights file, or {REPORT}: what a report on Mancala has published (the agent of this package)",
    **{option: words for option, words in GREEDY_OPTIONS.items() if option != "evaluation"},
    "ends": "special: as the options above say; value: won, drawn and lost ends are worth what the weights say of them",
    "weights": f"drawn: in each game others, of the last {LATEST} games of training; last; or mean: of its second half",
    "at": f"draw from the weights within {AROUND} games of this many, where they were kept",
    "other_rules": "take a file that was learned under other rules of the game: no or yes",
}
OF_SEARCH = THETA_OPTIONS.keys() - {"agent", "weights", "at", "other_rules"}
"""Options that say how it looks ahead."""


class Agent(NamedTuple):
    """Whose weights a player plays by."""

    feature_set: FeatureSet
    weights: NDArray[np.float64]
    """[size]"""
    history: NDArray[np.float64]
    """what they are drawn from in each game, [vectors, size]; empty if they stay"""
    by_chain: bool
    """whether it plays whole chains of plies, not single ones"""
    notice: str | None
    """how the rules, or the code, differ from those that they were learned with"""


def parse_theta(options: Options, rules: Rules, name: str) -> PolicyPlayer:
    """The player `theta`.

    Raises UsageError for options that do not fit, or a game that there is no agent for; NotFoundError if the agent is
    not there; InvalidError if it is damaged or was learned for something else.
    """
    agent = _agent(options, rules, name)
    chosen = (_chain_player if agent.by_chain else _searching_player)(agent, options, rules, name)
    told = []
    if agent.notice is not None:
        told.append(agent.notice)
    with np.errstate(over="ignore"):
        largest = np.abs(np.vstack([agent.weights, agent.history])).sum(axis=1).max()
    if largest > LARGEST_VALUE and not agent.by_chain:
        told.append(f"its weights are large: beyond {LARGEST_VALUE:g} it does not tell values apart")
    if told:
        chosen.notice = f"player {name}: {'; '.join(told)}"
    return chosen


class ChainPlayer(PolicyPlayer):
    """Plays the chain of plies after which the board looks best."""

    _policy: BestAfterstate

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin again from the random state `seed`."""
        super().new_game(rules, seed)
        self._random = np.array([seed])  # compiled code looks through the chains
        begin(self._policy, rules, self._random)

    @property
    def evaluation(self) -> Linear:
        """What it says that positions are worth, by the weights of this game."""
        seen = self._policy.seen
        return linear(self._rules, seen.feature_set, seen.weights)

    def choose(self, state: State, limit: Limit) -> Decision:
        """The first ply of the best chain, with all of them and its value; it needs no limit."""
        rules, seen = self._rules, self._policy.seen
        move = super().choose(state, limit).move
        mover = to_move(rules, state)
        line: list[int] = []
        while not line or (len(line) < seen.deepest and not is_over(rules, state) and to_move(rules, state) == mover):
            line.append(int(seen.best_path[len(line)]))
            state = play(rules, state, line[-1])
        value = float(seen.best[0])
        return Decision(move, value if mover == 0 else -value, line=tuple(line))


def _chain_player(agent: Agent, options: Options, rules: Rules, name: str) -> ChainPlayer:
    for option, value in options.items():
        if option in OF_SEARCH and (option, value) != ("depth", "1"):
            raise UsageError(f"player {name}: its agent plays whole chains, without a search; leave {option} out")
    weights = np.array(agent.weights)
    policy = best_afterstate(rules, agent.feature_set, weights, by_chain=True, history=agent.history)
    return ChainPlayer(policy, name)


def _searching_player(agent: Agent, options: Options, rules: Rules, name: str) -> GreedyPlayer:
    return greedy_player(evaluation_of(agent, rules), options, rules, name)


def evaluation_of(agent: Agent, rules: Rules) -> Linear:
    """What an agent says that positions are worth."""
    return linear(rules, agent.feature_set, np.array(agent.weights), agent.history)


def _agent(options: Options, rules: Rules, name: str) -> Agent:
    where = options.get("agent")
    if where == REPORT:
        return _published(options, rules, name)
    other_rules = word(options, "other_rules", ("no", "yes"), name) == "yes"
    if where is not None:
        return _learned(weights_file(where), options, rules, name, other_rules)
    with shipped_agent(name_of(type(rules))) as path:
        if path is None:
            raise UsageError(f"player {name}: agent is missing: a run or a weights file, as in theta:agent=RUN")
        if "other_rules" in options:
            raise UsageError(
                f"player {name}: the agent that comes with petteia plays by any rules; leave other_rules out"
            )
        return _learned(path, options, rules, name, other_rules=True)


@contextmanager
def shipped_agent(game: str) -> Iterator[Path | None]:
    """The weights file of the agent that comes with the package for the game of this name; None if there is none."""
    shipped = files("petteia") / "agents" / f"{game}.safetensors"
    if not shipped.is_file():
        yield None
        return
    with as_file(shipped) as path:
        yield path


def _published(options: Options, rules: Rules, name: str) -> Agent:
    """The weights that the report prints."""
    if not isinstance(rules, Kalah):
        raise UsageError(f"player {name}: agent={REPORT} is for kalah, not for {name_of(type(rules))}")
    for option in ("weights", "at", "other_rules"):
        if option in options:
            raise UsageError(
                f"player {name}: agent={REPORT} has one vector of weights, for any rules; leave {option} out"
            )
    weights = report_weights()
    game, published = format_game(rules), format_game(REPORT_RULES)
    notice = None if game == published else f"its weights were learned for {published}, not for {game}"
    return Agent(ReportFeatures(), weights, np.zeros((0, len(weights))), False, notice)


def _learned(path: Path, options: Options, rules: Rules, name: str, other_rules: bool) -> Agent:
    """The weights in a file, those that the options ask for."""
    learned = load_linear(path, rules, other_rules=other_rules)
    weights, history = _asked_for(learned, options, name)
    return Agent(feature_set_of(learned, rules), weights, history, learned.turns == "chain", learned.notice)


def _asked_for(learned: LearnedWeights, options: Options, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights that the options ask for, and what they are drawn from."""
    chosen = word(options, "weights", ("drawn", "last", "mean"), name)
    at = whole_number(options, "at", name)
    if chosen != "drawn":
        if at is not None:
            raise UsageError(f"player {name}: weights={chosen} and at={at} do not go together")
        return learned.mean if chosen == "mean" else learned.weights, learned.history[:0]
    if at is not None:
        history = learned.history[_window(learned, at, name)]
        return history[-1], history
    history = learned.history[learned.history_games > learned.games - LATEST]
    if "weights" in options and len(history) == 0:
        raise UsageError(
            f"player {name}: weights=drawn: the agent has no history to draw from; there are last and mean"
        )
    return learned.weights, history


def _window(learned: LearnedWeights, at: int, name: str) -> NDArray[np.bool_]:
    """Which vectors of the history stood within `AROUND` games of `at`; all of them must have been kept."""
    games = learned.history_games
    first, end = max(at - AROUND, 1), min(at + AROUND, learned.games + 1)
    found = (games >= first) & (games < end)
    if first < end and int(found.sum()) == end - first:
        return found
    runs = np.split(games, np.flatnonzero(np.diff(games) != 1) + 1)
    kept = " and ".join(f"{run[0]:,} to {run[-1]:,}" for run in runs if len(run) > AROUND)
    said = f"kept are those of games {kept}" if kept else "it has kept those of no game after game"
    raise UsageError(f"player {name}: at={at}: draws from the weights after each game within {AROUND} of that; {said}")
