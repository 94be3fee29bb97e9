"""Training runs: a learner plays many games, is evaluated at regular intervals, and is saved in a run folder.

The settings and the seed determine a training run. The random numbers of a game depend only on the seed and on the
number of the game. Therefore a training run that was interrupted and resumed writes the same files, byte for byte, as
an uninterrupted one, except for `times.json`. This is also true if the process was killed.

The weights file is the checkpoint. It contains the number of games from which the weights were learned. When a training
run is resumed, the rows that were added to the journal after the checkpoint are removed. A damaged run cannot be
resumed; `petteia.records.runs` describes how damage is detected.

The file has more than 400 lines because public functions have examples, and because a training run and the functions
that create and resume it depend on each other.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from petteia.core import random
from petteia.core.errors import InvalidError, NotFoundError, PetteiaError, Stopped, UsageError
from petteia.core.interrupt import InterruptLater
from petteia.core.protocol import Rules, State, seats
from petteia.core.stop import Stop, check_stop, is_stopped, obeying
from petteia.experiments.advice import advice
from petteia.experiments.configuration import KINDS, Configuration, configure, read_settings
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.linear_trainer import LinearTrainer
from petteia.experiments.options import EvaluationGames, Learner, TrainingOptions, flat
from petteia.experiments.played import WINDOW, PlayedSettings, only_playing, read_played
from petteia.experiments.scores import Score, curve_chart, score_of
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.table_trainer import TableTrainer
from petteia.experiments.trainer import Point, Trainer, points_until, read_points
from petteia.foreign.trust import require
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.players.foreign import explain_compiler
from petteia.players.player import notices
from petteia.players.settings import text_by
from petteia.playing.agent import Agent
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.records.description import DESCRIPTION
from petteia.records.runs import PUT_BACK, Run, create_run, open_run, runs_folder
from petteia.records.weights import games_learned
from petteia.render.charts import Chart
from petteia.search.memory import memories, stoppable

TRAINERS: dict[type[Configuration], type[Trainer]] = {TableSettings: TableTrainer, LinearSettings: LinearTrainer}
"""the class of the learner for each class of configurations"""
CHECKPOINT_SECONDS = 2.0
CHUNK_SECONDS = 0.05
"""the maximum number of seconds of learning before a stop takes effect"""


Progress = Callable[[int, int, Point | None], None]
"""a function called with the number of games learned from, the total number of games, and the latest point"""


@dataclass(frozen=True, repr=False)
class Training:
    """A training run in its run folder."""

    run: Run
    configuration: Configuration
    advice: tuple[str, ...] = ()
    """advice for the user if the result is poor; empty for a training run that did not finish in this call"""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_of(self.run.description.game)

    @property
    def points(self) -> list[Point]:
        """The points of the learning curve.

        If both sides learn in the training run, the points of the two learning curves alternate in the list. Raises
        InvalidError if a saved point is missing or damaged.
        """
        if isinstance(self.configuration, PlayedSettings):
            return self.configuration.points()
        return read_points(self.run.journal, self.configuration)

    @property
    def last_points(self) -> list[Point]:
        """The last point of the learning curve of each learning side; empty if there is none yet."""
        return self.points[-len(self.configuration.seats) :]

    @property
    def score(self) -> tuple[Score, ...]:
        """The last score of each side that learns; empty before the first evaluation."""
        opponent, names = self.configuration.against, seats(self.rules)
        return tuple(score_of(point, names, opponent) for point in self.last_points)

    def plot(self) -> Chart:
        """The learning curve as a chart that notebooks display and that can be saved: `training.plot().save("x.svg")`.

        If a player saved the run while it played (option `keep`), the curve has a point after each game. The point
        shows the mean score of the last 20 games, or of all games if fewer than 20 have been played. Raises
        NotFoundError if the curve has no point yet, and PetteiaError if the optional dependencies `petteia[plot]` are
        not installed.
        """
        points, settings = self.points, self.configuration
        if not points:
            raise NotFoundError(
                f"{self.run.path}: the run has no points yet; continue it with: petteia resume {self.run.path}"
            )
        title = f"{settings.name} in {self.run.description.game}"
        window = f", the last {WINDOW} games" if isinstance(settings, PlayedSettings) else ""
        return curve_chart(points, seats(self.rules), f"{settings.against}{window}", title)

    def __repr__(self) -> str:
        try:
            scores = [f"{each.seat} {each.score:.3f} against {each.opponent}" for each in self.score]
            words = ", ".join([f"{self.games:,} of {self.configuration.games:,} games", *scores])
        except PetteiaError:
            words = "damaged"
        return f"<Training of {self.run.description.game} by {self.configuration.name}, {words}, in {self.run.path}>"

    @property
    def games(self) -> int:
        """The number of games from which the saved weights were learned."""
        return games_learned(self.run.weights, self.configuration.holds) if self.run.weights.exists() else 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages for the user about the opponents and about the result."""
        return (*notices(*(player(text, self.rules) for text in self.configuration.players)), *self.advice)

    def as_player(self, rules: Rules) -> Player:
        """Return a player for `rules` that plays by the weights of this run: `q:agent=RUN` or `theta:agent=RUN`.

        Raises NotFoundError if nothing has been saved yet. Raises InvalidError if the run is damaged or was made with
        other rules.
        """
        return player(text_by(self.run.path, self.configuration.holds), rules)

    def agent(self, side: int | str | None = None) -> Agent:
        """Create an agent that plays by the saved weights of this run.

        Args:
            side: the only side that the agent plays: its name, 0 or 1; default: all trained sides

        Raises:
            UsageError: no agent was trained for `side`
            NotFoundError: nothing has been saved yet
            InvalidError: the run is damaged, or its code has changed

        """
        return Agent(self.as_player(self.rules), self.rules, side)

    def check(self) -> None:
        """Raise an InvalidError unless the rules, the settings and the saved points are consistent.

        Call this method before expensive work, such as creating the opponents, so that an inconsistent run is rejected
        early.
        """
        with _settings_of(self.run, UsageError, InvalidError):
            rules = self.rules
            self.configuration.check(rules)
        self.run.check_same_rules(rules)
        if not isinstance(self.configuration, PlayedSettings):
            read_points(self.run.journal, self.configuration, points_until(self.games, self.configuration))

    @property
    def is_finished(self) -> bool:
        """Whether all games of the training run have been played."""
        return self.run.results() is not None


def train(
    game: str | Rules,
    learner: str | Learner = "q",
    *,
    opponent: str | None = None,
    side: int | str | None = None,
    games: int = TrainingOptions.games,
    position: str | State | None = None,
    max_plies: int = TrainingOptions.max_plies,
    follow: Sequence[tuple[str, str]] = (),
    evaluation: EvaluationGames = TrainingOptions.evaluation,
    seed: int = 0,
    runs: str | Path | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Training:
    """Train an agent to play a game and save it as a new run.

    Args:
        game: the rules, as an object or a string, such as `hare-and-hounds:stall=0`
        learner: a `TableLearner`, which learns a table of action values, or a `LinearLearner`, which learns a value
            function that is linear in features. A string, such as `sarsa`, means a `TableLearner` with this target
        opponent: the opponent as a string, or several opponents that follow each other, such as `random for 20000, then
            simple`. A LinearLearner can also play against `self` (the current weights) or `self:every=10000` (a copy of
            the weights that is renewed every 10,000 games). Default: `random`; for a LinearLearner `self`
        side: the side that learns: its name, 0 or 1, or `both` for two sides that play against each other. For a
            LinearLearner also `random`, a side that is drawn for each game. Default: 0; for a LinearLearner `both`
            against `self`, otherwise `random`
        games: the number of training games
        position: the start position, as a state or a string. If there are several positions, separated by `;`, one of
            them is drawn for each game. Default: the initial position
        max_plies: the number of plies after which a game is stopped without a reward
        follow: positions, each with a move; the learned values of these moves are recorded at every point of the curve
        evaluation: frequency, number and opponent of the evaluation games
        seed: the seed of all random numbers, 0 or more
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`
        name: the name of the run; default: a new name
        progress: called during the training
        stop: ends the training when it is set; `resume` continues it

    Returns:
        The training run. Its `notes` contain advice if the trained player is significantly worse than a player that
        does not learn. If `stop` was set, the run is unfinished (`is_finished` is False) and its weights are saved. The
        last seconds of work can be lost if the run was stopped during an evaluation, or if the opponent searches.

    Raises:
        UsageError: an argument is unknown or out of range, or contradicts the game or another argument
        NotFoundError, InvalidError: an opponent, module or position is missing or malformed
        PetteiaError: learning has diverged
        KeyboardInterrupt: the training was interrupted. The weights are saved, and `resume` continues the training run

    Examples:
        >>> training = petteia.train("hare-and-hounds", games=3000, seed=1)
        >>> training.games, training.score[0].score
        (3000, 0.788)

    """
    rules, configuration = configure(
        game,
        learner,
        opponent=opponent,
        side=side,
        games=games,
        position=position,
        max_plies=max_plies,
        follow=follow,
        evaluation=evaluation,
    )
    return _finish(begin(rules, configuration, seed, runs_folder(runs), name), progress, stop)


def resume(
    where: str | Path,
    *,
    runs: str | Path | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Training:
    """Resume an interrupted training run. A finished training run is returned unchanged.

    `where` is the folder of the training run, or its name in the folder `runs`. For `progress` and `stop` see `train`.

    Raises NotFoundError if the training run does not exist. Raises UsageError for a run that a player saved while it
    played (option `keep`). Raises InvalidError if the run is damaged, was made by another version or with other code,
    or uses code that is not trusted. Raises PetteiaError if another process writes to the run.

    Examples:
        >>> training = petteia.train("hare-and-hounds", games=1000, name="hounds")
        >>> petteia.resume("hounds").is_finished
        True

    """
    training = open_training(where, runs)
    if isinstance(training.configuration, PlayedSettings):
        raise only_playing(training.run)
    training.run.tidy()
    if not training.is_finished:
        training.check()

        def code() -> Parts:
            with _settings_of(training.run, UsageError):
                return code_of(training.rules, training.configuration)

        training.run.check_same_code(training.rules, code)
        return _finish(training, progress, stop)
    return training


def begin(
    rules: Rules,
    configuration: Configuration,
    seed: int,
    folder: Path,
    name: str | None = None,
    *,
    code: Parts | None = None,
) -> Training:
    """Create a new training run in `folder` and return it before its first game. For errors see `train`.

    `code` contains the digests of the code, if the caller has already computed them with `code_of`.
    """
    seeds = {"seed": random.checked_seed(seed)}
    run = create_run(
        folder,
        configuration.kind,
        rules,
        flat(configuration),
        seeds,
        code=code_of(rules, configuration) if code is None else code,
        name=name,
        label=configuration.name,
    )
    return Training(run, configuration)


def code_of(rules: Rules, configuration: Configuration) -> Parts:
    """Return digests of the code on which a training run depends: the learner, its components and the opponents."""
    parts = dependencies(_learn, TRAINERS[type(configuration)], type(configuration), configuration.learned(rules))
    for text in configuration.players:
        parts |= player(text, rules).dependencies(rules)
    return parts


def open_training(where: str | Path, runs: str | Path | None = None) -> Training:
    """Open the training run in the folder `where`, or the one with this name in the folder `runs`.

    See `resume` for errors.

    Examples:
        >>> training = petteia.train("hare-and-hounds", games=1000, name="hounds")
        >>> petteia.open_training("hounds").games
        1000

    """
    training = read_training(where, runs)
    training.run.vouch()
    require(training.run.path / DESCRIPTION, *training.run.description.texts)
    return training


def read_training(where: str | Path, runs: str | Path | None = None) -> Training:
    """Open a training run only to describe it. The code that the training run names is not imported."""
    run = open_run(where, runs_folder(runs))
    kind = run.description.kind
    if kind == PlayedSettings.kind:
        run.check()
        with _settings_of(run, UsageError):
            return Training(run, read_played(run))
    if kind not in KINDS:
        raise InvalidError(f"{run.path}: a run of kind {kind!r}, not a training")
    try:
        configuration = read_settings(kind, run.description.configuration)
    except InvalidError as error:
        raise InvalidError(f"{run.path / DESCRIPTION}: damaged; {error}") from None
    run.check()
    return Training(run, configuration)


def go_on(training: Training, progress: Progress | None = None) -> bool:
    """Continue a training run from its last checkpoint until it is finished or stopped. Returns whether it is finished.

    Raises InvalidError if an opponent has changed since the run began, or if the saved weights belong to another
    training run. Raises PetteiaError if another process writes to the run.
    """
    with training.run.locked(), training.run.timed(), suppress(Stopped):
        return _learn(training, _trainer(training), progress or (lambda done, wanted, point: None))
    return False


def _finish(training: Training, progress: Progress | None, stop: Stop | None) -> Training:
    with InterruptLater() as interrupt, obeying(interrupt.stop), obeying(stop):
        if not go_on(training, progress):
            if not interrupt.requested:
                return training
            raise KeyboardInterrupt(f"the work is saved; continue with: petteia resume {training.run.path}")
    with suppress(Stopped), obeying(stop):
        said = advice(_trainer(training), training.configuration, training.run.seed)
        return replace(training, advice=said)
    return training


def _trainer(training: Training) -> Trainer:
    """Create the trainer of a training run, and load the values that the run has saved."""
    with _settings_of(training.run, UsageError, InvalidError):
        training.configuration.check(training.rules)
    with _settings_of(training.run, UsageError):
        return TRAINERS[type(training.configuration)](training.run, training.rules, training.configuration)


@contextmanager
def _settings_of(run: Run, *errors: type[PetteiaError]) -> Iterator[None]:
    """Return a context manager that converts errors of the given classes to an InvalidError naming `run.json`."""
    try:
        yield
    except errors as error:
        raise InvalidError(f"{run.path / DESCRIPTION}: {error}") from None


@contextmanager
def _explained(trainer: Trainer) -> Iterator[None]:
    """Return a context manager that explains compilation errors of custom policies."""
    try:
        yield
    except Exception as error:  # a compiler can raise any error; all are raised again
        for policy in (*trainer.asks, trainer.measure):
            cls = type(policy)
            explain_compiler(error, f"{cls.__module__}:{cls.__name__}", trainer.rules, policy)
        raise


def _learn(training: Training, trainer: Trainer, progress: Progress) -> bool:
    run, settings = training.run, training.configuration
    if run.rewind() != points_until(trainer.done, settings):
        raise InvalidError(
            f"{run.journal.path}: must end at game {trainer.done:,}, where the weights were saved; {PUT_BACK}"
        )
    point: Point | None = None
    chunk = 1
    saved_at = time.monotonic() if run.weights.exists() else -math.inf  # save the first games soon, for an early stop
    searching = tuple(memories(trainer.asks))
    while trainer.done < settings.games:
        until = min((trainer.done // settings.every + 1) * settings.every, settings.games)
        clock, count = time.monotonic(), min(chunk, until - trainer.done)
        with stoppable(*searching), _explained(trainer):
            trainer.learn(count)
        if searching:
            check_stop()  # a search that was stopped early has changed these games
        seconds = max(time.monotonic() - clock, 1e-6)
        chunk = max(1, min(64 * count, int(count * CHUNK_SECONDS / seconds)))
        if trainer.done == until:
            with _explained(trainer):
                points = trainer.evaluate()
            run.journal.append([each.row() for each in points])
            point = points[-1]
        progress(trainer.done, settings.games, point)
        stopping = is_stopped()
        if stopping or time.monotonic() - saved_at > CHECKPOINT_SECONDS:
            trainer.save()
            saved_at = time.monotonic()
        if stopping:
            return False
    trainer.save()
    run.write_results({"games": trainer.done, "points": [each.row() for each in training.last_points]})
    return True
