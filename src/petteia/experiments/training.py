"""A training: one learner, one opponent, many games, and an evaluation every so many of them, in a run folder.

What a training does is settled by its configuration and its seed: game `i` draws its random numbers from a key and `i`.
So a training that was interrupted, or killed, and resumed leaves the same bytes as one that was not. A checkpoint is
the weights file, which says from how many games it has learned; whatever the journal has beyond that is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.statistics import score_interval
from petteia.core import random
from petteia.core.errors import InvalidError
from petteia.core.interrupt import InterruptLater
from petteia.core.protocol import Rules, State, parse_move, parse_state
from petteia.experiments.configuration import Configuration, LearnerName, configure, policy_hash, policy_of
from petteia.games import game as rules_of
from petteia.learn.starts import AnyPosition
from petteia.learn.tabular import learn_games
from petteia.policies.duel import MARGIN, MAX_PLIES, Keys, duel
from petteia.policies.policy import Policy
from petteia.policies.table import Table, TablePolicy, learned_values
from petteia.policies.table_file import LearnedTable, games_learned, load_table, save_table, shape
from petteia.records.runs import Run, create_run, list_runs, open_run, runs_folder

KIND = "train"
CHECKPOINT_SECONDS = 2.0
CHUNK_SECONDS = 0.1


class Point(NamedTuple):
    """A point of a learning curve: games without learning, of one side. Where both learn, each has its own points."""

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
    """rows in the table: states in which a learner has been to move"""
    side: int
    """the seat that was measured"""
    followed: tuple[float, ...] = ()
    """learned values of the moves that are followed"""

    def row(self) -> dict[str, Any]:
        """The point as the journal has it: without `followed` where nothing is."""
        return {name: value for name, value in self._asdict().items() if name != "followed" or self.followed}


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
        return rules_of(self.run.description.game)

    @property
    def points(self) -> list[Point]:
        """The learning curve so far; where both sides learn, their points in turn."""
        rows = self.run.journal.read()
        return [Point(**{**row, "followed": tuple(row.get("followed", ()))}) for row in rows]

    @property
    def last_points(self) -> list[Point]:
        """The last point of each side that learns; none if there is none yet."""
        return self.points[-len(self.configuration.seats) :]

    @property
    def games(self) -> int:
        """How many games the saved weights have learned from."""
        return games_learned(self.run.weights) if self.run.weights.exists() else 0

    @property
    def is_finished(self) -> bool:
        """Whether all games have been learned from."""
        return self.run.results() is not None


def train(
    game: str | Rules,
    *,
    learner: LearnerName = "q",
    opponent: str = "random",
    side: int | str = 0,
    games: int = 100_000,
    alpha: float | str = 0.1,
    gamma: float = 0.9,
    epsilon: float | str | None = None,
    temperature: float | str | None = None,
    initial: float = 0.0,
    fold: bool = False,
    evaluate_every: int | None = None,
    evaluation_games: int = 500,
    evaluate_against: str | None = None,
    seed: int = 0,
    position: str | State | None = None,
    explore_starts: bool = False,
    max_plies: int = MAX_PLIES,
    follow: Sequence[tuple[str, str]] = (),
    runs: str | Path | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> Training:
    """Learn a game from nothing, in a new run folder.

    Args:
        game: the rules or their text, such as `hare-and-hounds:stall=0`
        learner: what values are moved towards: `q` (Q-learning), `sarsa`, `expected-sarsa`, `double-q`, `monte-carlo`
        opponent: text form of a player that has a policy: `random`, `simple`, `q:agent=RUN`, your own policy
        side: the seat that learns, 0 or 1 or its name; `both`: each side learns from games against the other
        games: games to learn from
        alpha: learning rate: a number, or a schedule such as `0.5,0.1@10000` or `0.5..0.01`; `visits` is one part in
            n at the n-th visit of a value, `visits^0.7` is n^-0.7
        gamma: worth of a value one step later, 0..1
        epsilon: probability of a random move, a number or a schedule; default: 0.5
        temperature: in the place of epsilon, of softmax: a number or a schedule; moves are chosen in proportion to
            exp(value / temperature)
        initial: value of moves never tried; above what can be won it makes the learner try them all
        fold: whether states that are images of each other under a symmetry of the game share their values
        evaluate_every: games of learning between two points of the curve; default: a hundredth of `games`
        evaluation_games: games without learning at each point
        evaluate_against: text form of the player that measures; default: the opponent
        seed: of all random numbers, 0 or more
        position: where every game starts; default: the first state of the game
        explore_starts: let games of learning start anywhere instead: in a random one of all positions
        max_plies: a game is stopped there, without a reward
        follow: positions, each with a move, both as text, whose learned values are noted at every point
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
    rules, configuration = configure(
        game,
        learner=learner,
        opponent=opponent,
        side=side,
        games=games,
        alpha=alpha,
        gamma=gamma,
        epsilon=epsilon,
        temperature=temperature,
        initial=initial,
        fold=fold,
        evaluate_every=evaluate_every,
        evaluation_games=evaluation_games,
        evaluate_against=evaluate_against,
        position=position,
        explore_starts=explore_starts,
        max_plies=max_plies,
        follow=follow,
    )
    return _finish(begin(rules, configuration, seed, runs_folder(runs), name), progress)


def resume(where: str | Path, *, runs: str | Path | None = None, progress: Progress | None = None) -> Training:
    """Go on with a training that was interrupted or killed; one that has finished is returned as it is.

    `where` is its folder or, in the folder `runs`, its name. Raises NotFoundError if there is none, InvalidError if it
    is damaged, of another version, or if the code of the game has changed, PetteiaError if it is being written to.
    """
    training = open_training(where, runs)
    if not training.is_finished:
        training.run.check_same_code(training.rules)
        _finish(training, progress)
    return training


def begin(rules: Rules, configuration: Configuration, seed: int, folder: Path, name: str | None = None) -> Training:
    """A new training in `folder`, in which nothing has been learned yet. Errors are those of `train`."""
    random.check_seed(seed)
    run = create_run(folder, KIND, rules, configuration, {"seed": seed}, name=name, label=configuration.learner)
    return Training(run, configuration)


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
    """at the last point; where both sides learn, the mean of theirs"""


def runs(folder: str | Path | None = None) -> list[RunRow]:
    """The runs in `folder` (default: PETTEIA_RUNS, else `runs`), by name: what they are and how far they are."""
    return [_run_row(path) for path in list_runs(runs_folder(folder))]


def _run_row(path: Path) -> RunRow:
    try:
        training = open_training(path)
        latest = [point.score for point in training.last_points]
        done, finished = training.games, training.is_finished
    except (InvalidError, OSError) as error:
        return RunRow(path.name, "?", "?", str(error), 0, 0, "damaged", None)
    return RunRow(
        name=path.name,
        kind=KIND,
        game=training.run.description.game,
        what=str(training.configuration),
        done=done,
        wanted=training.configuration.games,
        state="finished" if finished else "unfinished",
        score=sum(latest) / len(latest) if latest else None,
    )


def go_on(training: Training, progress: Progress | None = None, *, stop: Callable[[], bool] = lambda: False) -> bool:
    """Go on from the last checkpoint to the end, or until `stop()`, with the work saved. Returns whether it finished.

    Raises InvalidError if its opponent has changed or its weights do not fit, PetteiaError if it is being written to.
    """
    clock = time.monotonic()
    with training.run.locked():
        try:
            return _learn(training, progress or (lambda done, wanted, point: None), stop)
        finally:
            training.run.spend(time.monotonic() - clock)


def _finish(training: Training, progress: Progress | None) -> Training:
    with InterruptLater() as interrupt:
        if not go_on(training, progress, stop=lambda: interrupt.requested):
            raise KeyboardInterrupt(f"the work is saved; go on with: petteia resume {training.run.path}")
    return training


def _learn(training: Training, progress: Progress, stop: Callable[[], bool]) -> bool:
    run, is_, rules = training.run, training.configuration, training.rules
    start = parse_state(rules, is_.position)
    opponent = _same(run, is_.opponent, is_.opponent_hash, rules, is_)
    measure = _same(run, is_.evaluate_against, is_.evaluate_against_hash, rules, is_)
    words = random.keys(run.description.seeds["seed"], 7)
    learning, evaluation = Keys(words[6], *words[:3]), Keys(0, *words[3:6])
    rate, exploration, learner = is_.rate.schedule, is_.exploration, is_.rule

    table, done = _checkpoint(run, rules, is_)
    run.journal.truncate(_points_until(done, is_))
    point: Point | None = None
    chunk, saved_at = 64, time.monotonic()
    while done < is_.games:
        until = min((done // is_.evaluate_every + 1) * is_.evaluate_every, is_.games)
        count = min(chunk, until - done)
        clock = time.monotonic()
        table = learn_games(
            *(rules, AnyPosition() if is_.explore_starts else start, is_.learns, table, opponent),
            alphas=rate.over(done, count, is_.games),
            explorations=exploration.over(done, count, is_.games),
            gamma=is_.gamma,
            keys=learning,
            first_game=done,
            max_plies=is_.max_plies,
            learner=learner,
        )
        done += count
        if time.monotonic() - clock < CHUNK_SECONDS:
            chunk *= 2
        if done == until:
            points = _evaluate(rules, start, table, measure, evaluation, is_, done)
            run.journal.append([each.row() for each in points])
            point = points[-1]
        progress(done, is_.games, point)
        stopping = stop()
        if stopping or time.monotonic() - saved_at > CHECKPOINT_SECONDS:
            save_table(run.weights, rules, LearnedTable(table, is_.seats, done))
            saved_at = time.monotonic()
        if stopping:
            return False
    save_table(run.weights, rules, LearnedTable(table, is_.seats, done))
    run.write_results({"games": done, "points": [each.row() for each in training.last_points]})
    return True


def _evaluate(
    rules: Rules, start: State, table: Table, opponent: Policy, keys: Keys, is_: Configuration, done: int
) -> list[Point]:
    """A point for each side that learns."""
    points = []
    followed = tuple(_value(rules, table, *each) for each in is_.follow)
    for number, seat in enumerate(is_.seats, _points_until(done - 1, is_)):
        results = duel(
            *(rules, start, TablePolicy(table), opponent),
            games=is_.evaluation_games,
            keys=keys,
            seats=(seat, seat),
            max_plies=is_.max_plies,
            first_game=number * is_.evaluation_games,
        )
        margins = results[:, MARGIN] * (1 if seat == 0 else -1)
        interval = score_interval((np.sign(margins) + 1.0) / 2.0)
        wins, draws = int((margins > 0).sum()), int((margins == 0).sum())
        losses = len(margins) - wins - draws
        points.append(Point(done, wins, draws, losses, *interval, int(table.used[0]), seat, followed))
    return points


def _value(rules: Rules, table: Table, position: str, move: str) -> float:
    """The learned value of a move for its mover."""
    state = parse_state(rules, position)
    return learned_values(rules, table, state).get(parse_move(rules, state, move), table.initial)


def _points_until(done: int, is_: Configuration) -> int:
    """How many points there are after `done` games."""
    at_the_end = 1 if done == is_.games and done % is_.evaluate_every else 0
    return (done // is_.evaluate_every + at_the_end) * len(is_.seats)


def _checkpoint(run: Run, rules: Rules, is_: Configuration) -> tuple[Table, int]:
    """The table as it was saved last, and the number of games that it has learned from."""
    empty = is_.empty_table(rules)
    if not run.weights.exists():
        return empty, 0
    found = load_table(run.weights, rules)
    if (found.seats, shape(found.table)) != (is_.seats, shape(empty)) or found.games > is_.games:
        raise InvalidError(f"{run.weights}: is not of this training; put its own back, or begin a new run")
    return found.table, found.games


def _same(run: Run, text: str, hashed: str, rules: Rules, is_: Configuration) -> Policy:
    """The policy of the player `text`, which must know what it knew."""
    policy = policy_of(text, rules, is_.others)
    if policy_hash(policy) != hashed:
        raise InvalidError(f"{run.path}: its opponent {text} has changed since it was begun")
    return policy
