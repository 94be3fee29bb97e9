"""A training: one learner, one opponent, many games, and an evaluation every so many of them, in a run folder.

What a training does is settled by its configuration and its seed: game `i` draws its random numbers from a key and `i`.
So a training that was interrupted, or killed, and resumed leaves the same bytes as one that was not. A checkpoint is
the weights file, which says from how many games it has learned; whatever the journal has beyond that is dropped.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from petteia.arena.statistics import score_interval
from petteia.core import random
from petteia.core.errors import InvalidError, UsageError
from petteia.core.interrupt import InterruptLater
from petteia.core.protocol import Rules, State, format_state, initial, is_over, parse_state
from petteia.games import format_game, game, parse_seat
from petteia.learn.schedules import schedule
from petteia.learn.tabular import learn_games
from petteia.players import player
from petteia.policies.duel import MARGIN, MAX_PLIES, Keys, duel
from petteia.policies.policy import Policy
from petteia.policies.table import Table, TablePolicy, empty_table, filled_table, rows
from petteia.records.fingerprint import fingerprint
from petteia.records.runs import Run, create_run, list_runs, open_run, runs_folder
from petteia.records.weights import load_weights, save_weights

KIND, TABLE = "train", "table"
CHECKPOINT_SECONDS = 2.0
CHUNK_SECONDS = 0.1
MOST_GAMES = 10**12

Learner = Literal["q"]


class Configuration(BaseModel):
    """The resolved settings of a training: `configuration` in its run.json."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    learner: Learner
    side: Literal[0, 1]
    """the seat that learns"""
    opponent: str
    """text form of the player in the other seat"""
    opponent_hash: str
    """of what the opponent knows, so that a resumed training meets the same one"""
    position: str
    """where every game starts"""
    games: int
    alpha: str
    """schedule of the learning rate"""
    gamma: float
    epsilon: str
    """schedule of the probability of a random move"""
    evaluate_every: int
    """games of learning between two points of the curve"""
    evaluation_games: int
    """games without learning at each point, by the largest values"""
    max_plies: int


class Point(NamedTuple):
    """A point of a learning curve: games without learning against the training opponent."""

    games: int
    """games learned from so far"""
    wins: int
    draws: int
    losses: int
    score: float
    """wins and half the draws, as a share of the games"""
    low: float
    high: float
    """95 % interval of the score"""
    states: int
    """rows in the table: states in which the learner has been to move"""


Progress = Callable[[int, int, Point | None], None]
"""Called with the games learned from, those wanted, and the latest point."""


@dataclass(frozen=True)
class Training:
    """A training in its run folder."""

    run: Run
    configuration: Configuration

    @property
    def rules(self) -> Rules:
        """The rules it is about."""
        return game(self.run.description.game)

    @property
    def points(self) -> list[Point]:
        """The learning curve so far."""
        return [Point(**row) for row in self.run.journal.read()]

    @property
    def games(self) -> int:
        """How many games the saved weights have learned from."""
        return _checkpoint(self.run)[1] if self.run.weights.exists() else 0

    @property
    def is_finished(self) -> bool:
        """Whether all games have been learned from."""
        return self.run.results() is not None


def train(
    game: str | Rules,
    *,
    learner: Learner = "q",
    opponent: str = "random",
    side: int | str = 0,
    games: int = 100_000,
    alpha: float | str = 0.1,
    gamma: float = 0.9,
    epsilon: float | str = 0.5,
    evaluate_every: int | None = None,
    evaluation_games: int = 500,
    seed: int = 0,
    position: str | State | None = None,
    max_plies: int = MAX_PLIES,
    runs: str | Path | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> Training:
    """Learn a game from nothing, in a new run folder.

    Args:
        game: the rules or their text, such as `hare-and-hounds:stall=0`
        learner: `q`, tabular Q-learning
        opponent: text form of a player that has a policy: `random`, `simple`, `q:agent=RUN`, your own policy
        side: the seat that learns, 0 or 1 or its name
        games: games to learn from
        alpha: learning rate: a number, or a schedule such as `0.5,0.1@10000` or `0.5..0.01`
        gamma: worth of a value one step later, 0..1
        epsilon: probability of a random move: a number or a schedule
        evaluate_every: games of learning between two points of the curve; default: a hundredth of `games`
        evaluation_games: games without learning at each point
        seed: of all random numbers, 0 or more
        position: where every game starts; default: the first state of the game
        max_plies: a game is stopped there, without a reward
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`
        name: of the run; default: a new one
        progress: called as the training goes on

    Returns:
        The finished training.

    Raises:
        UsageError: an argument that does not fit
        NotFoundError, InvalidError: an opponent, module or position that is not there or not sound
        KeyboardInterrupt: interrupted; what was learned is saved and `resume` goes on

    """
    rules = _rules(game)
    if learner != "q":
        raise UsageError(f"there is no learner {learner!r}; known are q")
    for what, count in (("games", games), ("evaluation_games", evaluation_games), ("max_plies", max_plies)):
        _check_count(what, count)
    every = max(games // 100, 1) if evaluate_every is None else evaluate_every
    _check_count("evaluate_every", every)
    if not 0 <= seed < 2**63:
        raise UsageError(f"seed {seed}: must be in 0..2^63-1")
    if not 0.0 <= gamma <= 1.0:
        raise UsageError(f"gamma {gamma:g}: must be in 0..1")
    seat = parse_seat(rules, side)
    start = _start(rules, position)
    configuration = Configuration(
        learner=learner,
        side=seat,
        opponent=opponent,
        opponent_hash=_hash(_opponent(opponent, rules, 1 - seat)),
        position=format_state(rules, start),
        games=games,
        alpha=str(schedule(alpha, "alpha")),
        gamma=float(gamma),
        epsilon=str(schedule(epsilon, "epsilon")),
        evaluate_every=every,
        evaluation_games=evaluation_games,
        max_plies=max_plies,
    )
    run = create_run(runs_folder(runs), KIND, rules, configuration, {"seed": seed}, name=name, label=learner)
    return _work(Training(run, configuration), progress)


def resume(where: str | Path, *, runs: str | Path | None = None, progress: Progress | None = None) -> Training:
    """Go on with a training that was interrupted or killed; one that has finished is returned as it is.

    `where` is its folder or, in the folder `runs`, its name. Raises NotFoundError if there is none, InvalidError if it
    is damaged, of another version, or if the code of the game has changed, PetteiaError if it is being written to.
    """
    training = open_training(where, runs)
    if not training.is_finished:
        training.run.check_same_code(training.rules)
        _work(training, progress)
    return training


def open_training(where: str | Path, runs: str | Path | None = None) -> Training:
    """The training in the folder `where`, or of this name in the folder `runs`; errors as in `resume`."""
    run = open_run(where, runs_folder(runs))
    if run.description.kind != KIND:
        raise InvalidError(f"{run.path}: is a run of kind {run.description.kind!r}, not a training")
    return Training(run, run.configuration(Configuration))


class RunRow(NamedTuple):
    """A run in short."""

    name: str
    kind: str
    game: str
    what: str
    """its settings in a line; or what is wrong with it"""
    done: int
    wanted: int
    """games"""
    state: str
    """finished, unfinished or damaged"""
    score: float | None
    """at the last point"""


def runs(folder: str | Path | None = None) -> list[RunRow]:
    """The runs in `folder` (default: PETTEIA_RUNS, else `runs`), by name: what they are and how far they are."""
    return [_run_row(path) for path in list_runs(runs_folder(folder))]


def _run_row(path: Path) -> RunRow:
    try:
        training = open_training(path)
        points, done, finished = training.points, training.games, training.is_finished
    except (InvalidError, OSError) as error:
        return RunRow(path.name, "?", "?", str(error), 0, 0, "damaged", None)
    is_ = training.configuration
    what = f"{is_.learner} against {is_.opponent}, side {is_.side}, alpha {is_.alpha}, gamma {is_.gamma:g}"
    return RunRow(
        name=path.name,
        kind=KIND,
        game=training.run.description.game,
        what=f"{what}, epsilon {is_.epsilon}",
        done=done,
        wanted=is_.games,
        state="finished" if finished else "unfinished",
        score=points[-1].score if points else None,
    )


def _work(training: Training, progress: Progress | None) -> Training:
    """Go on from the last checkpoint to the end."""
    clock = time.monotonic()
    with training.run.locked(), InterruptLater() as interrupt:
        try:
            _learn(training, progress or (lambda done, wanted, point: None), interrupt)
        finally:
            training.run.spend(time.monotonic() - clock)
    return training


def _learn(training: Training, progress: Progress, interrupt: InterruptLater) -> None:
    run, is_, rules = training.run, training.configuration, training.rules
    start = parse_state(rules, is_.position)
    opponent = _opponent(is_.opponent, rules, 1 - is_.side)
    if _hash(opponent) != is_.opponent_hash:
        raise InvalidError(f"{run.path}: its opponent {is_.opponent} has changed since it was begun")
    words = random.keys(run.description.seeds["seed"], 6)
    learning, evaluation = Keys(0, *words[:3]), Keys(0, *words[3:])
    alpha, epsilon = schedule(is_.alpha, "alpha"), schedule(is_.epsilon, "epsilon")

    table, done = _checkpoint(run) if run.weights.exists() else (empty_table(rules), 0)
    run.journal.truncate(_points_until(done, is_))
    point: Point | None = None
    chunk, saved_at = 64, time.monotonic()
    while done < is_.games:
        until = min((done // is_.evaluate_every + 1) * is_.evaluate_every, is_.games)
        count = min(chunk, until - done)
        clock = time.monotonic()
        table = learn_games(
            *(rules, start, is_.side, table, opponent),
            alphas=alpha.over(done, count, is_.games),
            epsilons=epsilon.over(done, count, is_.games),
            gamma=is_.gamma,
            keys=learning,
            first_game=done,
            max_plies=is_.max_plies,
        )
        done += count
        if time.monotonic() - clock < CHUNK_SECONDS:
            chunk *= 2
        if done == until:
            point = _evaluate(rules, start, table, opponent, evaluation, is_, done)
            run.journal.append([point._asdict()])
        progress(done, is_.games, point)
        stop = interrupt.requested
        if stop or time.monotonic() - saved_at > CHECKPOINT_SECONDS:
            _save(run, rules, table, is_, done)
            saved_at = time.monotonic()
        if stop:
            raise KeyboardInterrupt(f"the work is saved; go on with: petteia resume {run.path}")
    _save(run, rules, table, is_, done)
    last = Point(**run.journal.read()[-1])
    run.write_results({"games": done, **last._asdict()})


def _evaluate(
    rules: Rules, start: State, table: Table, opponent: Policy, keys: Keys, is_: Configuration, done: int
) -> Point:
    results = duel(
        *(rules, start, TablePolicy(table), opponent),
        games=is_.evaluation_games,
        keys=keys,
        seats=(is_.side, is_.side),
        max_plies=is_.max_plies,
        first_game=_points_until(done - 1, is_) * is_.evaluation_games,
    )
    margins = results[:, MARGIN] * (1 if is_.side == 0 else -1)
    score, low, high = score_interval((np.sign(margins) + 1.0) / 2.0)
    wins, draws = int((margins > 0).sum()), int((margins == 0).sum())
    return Point(done, wins, draws, len(margins) - wins - draws, score, low, high, int(table.used[0]))


def _points_until(done: int, is_: Configuration) -> int:
    """How many points the curve has after `done` games."""
    return done // is_.evaluate_every + (1 if done == is_.games and done % is_.evaluate_every else 0)


def _save(run: Run, rules: Rules, table: Table, is_: Configuration, done: int) -> None:
    keys, values = rows(table)
    metadata = {"side": str(is_.side), "games": str(done), "fingerprint": fingerprint(rules)}
    save_weights(run.weights, TABLE, format_game(rules), {"keys": keys, "values": values}, metadata)


def _checkpoint(run: Run) -> tuple[Table, int]:
    weights = load_weights(run.weights, TABLE)
    return filled_table(weights.tensors["keys"], weights.tensors["values"]), int(weights.metadata["games"])


def _opponent(text: str, rules: Rules, seat: int) -> Policy:
    found = player(text, rules)
    if seat not in found.seats:
        raise UsageError(f"opponent {text!r} cannot take the seat of player {seat}; choose another, or another side")
    policy = found.policy(rules)
    if policy is None:
        raise UsageError(
            f"opponent {text!r} has no compiled form; train against random, simple, q:agent=... or a policy of your own"
        )
    return policy


def _hash(policy: Policy) -> str:
    """Of all numbers in the policy, at any depth."""
    digest = hashlib.sha256(type(policy).__name__.encode())
    waiting: list[Any] = list(policy)
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, tuple):
            waiting = [*each, *waiting]
        else:
            digest.update(np.ascontiguousarray(each).tobytes())
    return digest.hexdigest()


def _rules(text: str | Rules) -> Rules:
    return game(text)


def _start(rules: Rules, position: str | State | None) -> State:
    if position is None:
        return initial(rules)
    try:
        start = parse_state(rules, position) if isinstance(position, str) else position
    except ValueError as error:
        raise InvalidError(str(error)) from None
    if is_over(rules, start):
        raise InvalidError(f"position {format_state(rules, start)!r}: the game is over there; nothing can be learned")
    return start


def _check_count(what: str, count: int) -> None:
    if not 1 <= count <= MOST_GAMES:
        raise UsageError(f"{what} {count}: must be in 1..{MOST_GAMES}")
