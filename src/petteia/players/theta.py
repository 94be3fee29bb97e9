"""Players that use a learned linear value function: `theta:agent=RUN,depth=3`.

Without the option `agent`, `theta` uses the weights that the package contains for the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats
from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.names import format_game, name_of
from petteia.core.options import TEXT, WHOLE, OneOf
from petteia.core.protocol import Rules, State, has_chance, is_over, play, to_move
from petteia.features.evaluation import LARGEST
from petteia.features.feature_set import FeatureSet
from petteia.features.kalah_potentials import ReportFeatures
from petteia.features.linear import Linear, linear, units_for
from petteia.games.kalah import Kalah
from petteia.players.player import Player, PolicyPlayer
from petteia.players.search import GreedyPlayer, greedy_player
from petteia.players.search_options import Decided, Depth, Draws, Early, GreedyOptions, Megabytes, Won
from petteia.players.settings import learned_weights
from petteia.policies.afterstates import BestAfterstate, best_afterstate
from petteia.policies.policy import begin
from petteia.records.weights import Weights
from petteia.search.ends import BY_RESULT, BY_VALUE
from petteia.value_functions.linear_file import AROUND, EVERY, LATEST, LearnedWeights, feature_set_of, load_linear
from petteia.value_functions.report_weights import REPORT_RULES, report_weights

REPORT = "report"


class ThetaOptions(NamedTuple):
    """The options of `theta`; None means that an option is not given."""

    agent: Annotated[
        str | None,
        TEXT,
        f"run or weights file; {REPORT}: the weights that a report on Mancala has published (default: the agent of "
        "this package)",
    ] = None
    depth: Depth = None
    won: Won = None
    early: Early = None
    decided: Decided = None
    draws: Draws = None
    table: Megabytes = None
    ends: Annotated[
        str | None,
        OneOf(("special", "value")),
        "value of finished games: special (as set by won, early, decided and draws; the margin if the agent learned "
        "from margins) or value (the learned value)",
    ] = None
    weights: Annotated[
        str | None,
        OneOf(("drawn", "last", "mean")),
        f"weights to play with: drawn (at random for each game, from the last {LATEST} training games), last (after "
        "the last training game) or mean (the mean of the second half of the training)",
    ] = None
    at: Annotated[
        int | None,
        WHOLE,
        f"number of a training game; weights are drawn from those that were saved within {AROUND} games of this game",
    ] = None
    games: Annotated[
        int | None, WHOLE, f"number of training games after which the weights were saved, usually a multiple of {EVERY}"
    ] = None
    other_rules: Annotated[
        str | None, OneOf(("no", "yes")), "accept weights that were learned under other rules of the game: no or yes"
    ] = None


LOOKING_AHEAD = tuple(name for name in ThetaOptions._fields if name in GreedyOptions._fields)
"""the names of the search options that `theta` shares with `greedy`"""


class Agent(NamedTuple):
    """The learned weights of a player, and information on their training."""

    feature_set: FeatureSet
    """the feature set to which the weights belong"""
    weights: Floats
    """the weight of each feature: float64[size]"""
    history: Floats
    """the weight vectors from which one is drawn for each game: float64[vectors, size]; empty if the weights are
    fixed"""
    by_chain: bool
    """whether the player chooses whole chains of plies instead of single plies"""
    notice: str | None
    """a notice if the rules or the code have changed since the training; None if they have not"""
    point: float | None = None
    """the value of one point of the margin; None if the reward of the training was the result of the game"""
    win: float = 1.0
    """the value of a won game if the reward of the training was the result of the game"""


def make_theta(options: ThetaOptions, rules: Rules, name: str) -> PolicyPlayer:
    """Create the player `theta`, which plays by a learned linear value function.

    Raises UsageError for options that exclude each other, or if no agent is given and the package has none for the
    game. Raises NotFoundError if the agent is missing, and InvalidError if it is damaged or was trained for other rules
    or features.
    """
    agent = _agent(options, rules, name)
    chosen = (_chain_player if agent.by_chain else _searching_player)(agent, options, rules, name)
    notes = []
    if agent.notice is not None:
        notes.append(agent.notice)
    if _sum_of_weights(agent) > LARGEST and not agent.by_chain:
        notes.append(f"its weights are large: values beyond {LARGEST:g} count as equal")
    if notes:
        chosen.notice = f"player {name}: {'; '.join(notes)}"
    return chosen


class ChainPlayer(PolicyPlayer):
    """A player that chooses all plies of its turn together, by the learned value of the position after the turn."""

    _policy: BestAfterstate

    def __init__(self, policy: BestAfterstate, name: str, rules: Rules) -> None:
        super().__init__(policy, name)
        self._rules = rules

    def adviser(self) -> Player:
        """Return a player that gives hints according to the same weights."""
        return ChainPlayer(self._policy, self.name, self._rules)

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game. `seed` is the initial state of the random number generator."""
        super().new_game(rules, seed)
        self._random = np.array([seed])  # compiled code enumerates the chains
        begin(self._policy, rules, self._random)

    def explained(self, line: tuple[int, ...]) -> tuple[int, ...]:
        """Return the whole line, because the player chooses all plies of a chain at once."""
        return line

    @property
    def _point(self) -> float:
        ends = self._policy.seen.ends
        return ends.win if ends.by_margin else 1.0

    @property
    def evaluation(self) -> Linear:
        """The evaluation with the weights that the player uses in this game."""
        seen = self._policy.seen
        return linear(self._rules, seen.feature_set, seen.weights, point=self._point)

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the first ply of the best chain, with all plies of the chain and its value. Limits are ignored."""
        rules, seen = self._rules, self._policy.seen
        move = super().choose(state, limit).move
        mover = to_move(rules, state)
        line: list[int] = []
        while not line or (len(line) < seen.max_depth and not is_over(rules, state) and to_move(rules, state) == mover):
            line.append(int(seen.best_path[len(line)]))
            state = play(rules, state, line[-1])
        value = float(seen.best[0]) / self._point
        return Decision(move, value if mover == 0 else -value, line=tuple(line))


def _chain_player(agent: Agent, options: ThetaOptions, rules: Rules, name: str) -> ChainPlayer:
    for option in (*LOOKING_AHEAD, "ends"):
        value = getattr(options, option)
        if value is not None and (option, value) != ("depth", 1):
            raise UsageError(f"player {name}: its agent chooses whole chains without a search; leave {option} out")
    weights = np.array(agent.weights)
    policy = best_afterstate(rules, agent.feature_set, weights, by_chain=True, history=agent.history, point=agent.point)
    return ChainPlayer(policy, name, rules)


def _searching_player(agent: Agent, options: ThetaOptions, rules: Rules, name: str) -> GreedyPlayer:
    ahead = GreedyOptions(**{option: getattr(options, option) for option in LOOKING_AHEAD})
    ends = BY_VALUE if options.ends == "value" else BY_RESULT if agent.point is None and has_chance(rules) else 0
    if agent.point is not None and ahead.won is None and ends == 0:
        ahead = ahead._replace(won="no")
    return greedy_player(evaluation_of(agent, rules), ahead, rules, name, ends=ends)


def evaluation_of(agent: Agent, rules: Rules) -> Linear:
    """Return the evaluation of positions with the weights of an agent."""
    point = agent.point or (agent.win if has_chance(rules) else 1.0)
    units = units_for(_sum_of_weights(agent) / point)
    return linear(rules, agent.feature_set, np.array(agent.weights), agent.history, point=point, units=units)


def _sum_of_weights(agent: Agent) -> float:
    """Return the largest L1 norm (sum of absolute values) among the weight vectors of an agent."""
    with np.errstate(over="ignore"):
        return float(np.abs(np.vstack([agent.weights, agent.history])).sum(axis=1).max())


def _agent(options: ThetaOptions, rules: Rules, name: str) -> Agent:
    if options.agent == REPORT:
        return _published(options, rules, name)
    if options.agent is not None:
        return _learned(learned_weights(options.agent), options, rules, name, other_rules=options.other_rules == "yes")
    with shipped_agent(name_of(type(rules))) as path:
        if path is None:
            raise UsageError(f"player {name}: agent is missing; give a run or a weights file, as in theta:agent=RUN")
        if options.other_rules is not None:
            raise UsageError(f"player {name}: the agent of the package accepts any rules; leave other_rules out")
        return _learned(path, options, rules, name, other_rules=True)


@contextmanager
def shipped_agent(game: str) -> Iterator[Path | None]:
    """Return a context manager with the path of the package's weights file for a game, or None if there is no file."""
    shipped = files("petteia") / "agents" / f"{game}.safetensors"
    if not shipped.is_file():
        yield None
        return
    with as_file(shipped) as path:
        yield path


def _published(options: ThetaOptions, rules: Rules, name: str) -> Agent:
    """Return the agent with the weights for Kalah that are printed in a published report.

    Raises UsageError for a game other than Kalah, and for options that do not apply to the published weights.
    """
    if not isinstance(rules, Kalah):
        raise UsageError(f"player {name}: agent={REPORT} is for kalah, not for {name_of(type(rules))}")
    for option in ("weights", "at", "games", "other_rules"):
        if getattr(options, option) is not None:
            raise UsageError(
                f"player {name}: agent={REPORT} has one weight vector, which is used with any rules; leave {option} out"
            )
    weights = report_weights()
    game, published = format_game(rules), format_game(REPORT_RULES)
    notice = None if game == published else f"its weights were learned for {published}, not for {game}"
    return Agent(ReportFeatures(), weights, np.zeros((0, len(weights))), False, notice)


def _learned(source: Path | Weights, options: ThetaOptions, rules: Rules, name: str, *, other_rules: bool) -> Agent:
    """Load weights from a file, and return an agent with the weights that the options select."""
    learned = load_linear(source, rules, other_rules=other_rules)
    weights, history = _asked_for(learned, options, name)
    by_chain = learned.turns == "chain"
    return Agent(feature_set_of(learned, rules), weights, history, by_chain, learned.notice, learned.point, learned.win)


def _asked_for(learned: LearnedWeights, options: ThetaOptions, name: str) -> tuple[Floats, Floats]:
    """Return the weight vector and the saved weight vectors that the options select.

    If there are at least two saved weight vectors in the result, one of them is drawn at random for each game.
    Otherwise all games use the single weight vector.
    """
    chosen, at, games = options.weights, options.at, options.games
    if games is not None:
        for other, value in (("weights", chosen), ("at", at)):
            if value is not None:
                raise UsageError(f"player {name}: games={games} and {other}={value} exclude each other; leave one out")
        return _after(learned, games, name), learned.history[:0]
    if chosen in ("last", "mean"):
        if at is not None:
            raise UsageError(f"player {name}: weights={chosen} and at={at} exclude each other; leave one out")
        return learned.mean if chosen == "mean" else learned.weights, learned.history[:0]
    if at is not None:
        history = learned.history[_window(learned, at, name)]
        return history[-1], history
    history = learned.history[learned.history_games > learned.games - LATEST]
    if chosen is not None and len(history) == 0:
        raise UsageError(f"player {name}: weights=drawn: the agent has no history to draw from; choose last or mean")
    return learned.weights, history


def _after(learned: LearnedWeights, games: int, name: str) -> Floats:
    """Return the weights after `games` training games. Raises UsageError if these weights were not saved."""
    kept = learned.history_games
    place = int(np.searchsorted(kept, games))
    if place < len(kept) and kept[place] == games:
        weights: Floats = learned.history[place]
        return weights
    near = [f"{each:,}" for each in kept[max(place - 1, 0) : place + 1].tolist()]
    reason = f"choose the nearest: {' or '.join(near)}" if near else "the run has saved no history"
    raise UsageError(f"player {name}: games={games}: no weights were saved after this number of games; {reason}")


def _window(learned: LearnedWeights, at: int, name: str) -> Bools:
    """Return a boolean mask that selects the weight vectors saved within `AROUND` games of game `at`.

    Raises UsageError if the weights after one of these games were not saved.
    """
    games = learned.history_games
    first, end = max(at - AROUND, 1), min(at + AROUND, learned.games + 1)
    window = (games >= first) & (games < end)
    if first < end and int(window.sum()) == end - first:
        return window
    runs = np.split(games, np.flatnonzero(np.diff(games) != 1) + 1)
    kept = " and ".join(f"{run[0]:,} to {run[-1]:,}" for run in runs if len(run) > AROUND)
    reason = f"they are saved for games {kept}" if kept else "the run has not saved such weights"
    raise UsageError(f"player {name}: at={at}: needs the weights after each game within {AROUND} of it; {reason}")
